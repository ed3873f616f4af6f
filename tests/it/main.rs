//! The one test program.

mod books;
mod events;
mod examples;
mod import;
mod laws;
mod manual;
mod mcp;
mod program;
mod readme;
mod report;
mod tidy;
mod upkeep;
