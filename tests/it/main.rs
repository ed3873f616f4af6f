//! The one test program.

mod crash;
