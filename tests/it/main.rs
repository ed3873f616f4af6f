//! The one test program.

mod books;
mod import;
mod report;
mod upkeep;
