//! The one test program.

mod events;
mod laws;
mod tidy;
