//! The operations of periods, one a file; closing one stands in the closing domain.

pub mod create;
pub mod list;
