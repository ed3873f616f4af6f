//! The operations of imports, one a file.

pub mod bank_csv;
pub mod import;
pub mod journal;
pub mod local_file;
