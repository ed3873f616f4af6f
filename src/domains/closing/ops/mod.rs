//! The operation of closing.

pub mod close;
