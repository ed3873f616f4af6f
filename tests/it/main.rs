//! The one test program.

mod books;
mod events;
mod import;
mod laws;
mod machine;
mod manual;
mod mcp;
mod report;
mod tidy;
mod upkeep;
