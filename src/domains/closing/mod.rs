//! The door of closing: the entry that ends a period. It reads balances and posts through the entries' constructor.

mod ops;
mod rules;
mod sheet;

use crate::engine::{Domain, Hooks, OpDef};

/// Closing's place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "closing",
    about: include_str!("about.md"),
    groups: &[],
    operations: &[OpDef::confirm::<ops::close::ClosePeriod>()],
    events: &[],
    tables: &[],
    fold_version: 0,
    hooks: Hooks::NONE,
};
