//! The business, one folder a domain; a domain uses only domains on lower shelves, and only through their doors.

pub mod attachment;
pub mod bank;
pub mod chart;
pub mod class;
pub mod closing;
pub mod company;
pub mod digest;
pub mod entry;
pub mod fx;
pub mod import;
pub mod overview;
pub mod period;
pub mod receipt;
pub mod report;
pub mod upkeep;
