//! The one test program.

mod import;
