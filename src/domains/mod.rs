//! The business, one folder a domain; each domain's door says what it knows. Nothing is decided here.

pub mod import;
