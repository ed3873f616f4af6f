//! The one test program.

mod books;
mod report;
mod upkeep;
