//! The operations of classes, one a file.

pub mod add;
pub mod list;
