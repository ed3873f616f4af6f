//! The one test program.
