//! The operations on receipts, one a file.

pub mod attach;
pub mod get;
pub mod link;
pub mod list;
pub mod unlink;
