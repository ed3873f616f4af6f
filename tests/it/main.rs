//! The one test program.

mod events;
mod laws;
mod manual;
mod tidy;
