//! `wb`: double-entry books in which every operation is one definition with two faces.

pub mod domains;
pub mod engine;
pub mod model;
pub mod store;
pub mod world;
