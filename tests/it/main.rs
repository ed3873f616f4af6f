//! The one test program.

mod books;
mod crash;
mod events;
mod import;
mod laws;
mod manual;
mod mcp;
mod report;
mod tidy;
mod upkeep;
