//! Import: what comes in from a bank or another program. The door; it decides nothing.

pub mod reading;
pub mod rules;
