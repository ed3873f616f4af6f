//! The one test program.

mod tidy;
