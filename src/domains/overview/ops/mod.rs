//! The overview's operations, one a file.

pub mod show;
