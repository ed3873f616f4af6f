//! The operations on stored files, one a file.

pub mod file;
pub mod link;
pub mod list;
pub mod unlink;
pub mod withdraw;
