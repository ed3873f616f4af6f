//! `wb`: double-entry books in which every operation is one definition with two faces.

pub mod faces;
pub mod model;
