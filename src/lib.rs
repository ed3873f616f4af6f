//! `wb`: double-entry books in which every operation is one definition with two faces.

pub mod domains;
pub mod engine;
pub mod faces;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod model;
pub mod present;
pub mod registry;
pub mod store;
pub mod world;
