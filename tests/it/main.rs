//! The one test program.

mod books;
mod cases;
mod events;
mod faces;
mod gallery;
mod import;
mod laws;
mod manual;
mod mcp;
mod report;
mod script;
mod stage;
mod tidy;
mod upkeep;
mod wire;
