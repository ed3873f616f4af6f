//! The one test program.

mod books;
mod cases;
mod crash;
mod entries;
mod events;
mod examples;
mod faces;
mod forged;
mod gallery;
mod hostile;
mod import;
mod laws;
mod machine;
mod manual;
mod mcp;
mod program;
mod readme;
mod receipts;
mod report;
mod script;
mod stage;
mod terminal;
mod tidy;
mod upkeep;
mod wire;
