//! The operations of foreign exchange, one a file.

pub mod list_rates;
pub mod set_rate;
