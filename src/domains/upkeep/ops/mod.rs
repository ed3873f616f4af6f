//! The operations of upkeep, one a file.

pub mod backup;
pub mod verify;
