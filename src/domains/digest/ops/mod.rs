//! The digest's operations, one a file.

pub mod digest;
