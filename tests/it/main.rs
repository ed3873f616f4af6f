//! The one test program.

mod books;
mod events;
mod faces;
mod import;
mod laws;
mod manual;
mod mcp;
mod report;
mod stage;
mod tidy;
mod upkeep;
mod wire;
