//! The door of the digest: what was done to the books lately, for the human who answers for them. Reads only.

mod changes;
mod ops;
mod rules;
mod sheet;
mod views;

use crate::engine::{Domain, Hooks, OpDef};

/// The digest's place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "digest",
    about: include_str!("about.md"),
    groups: &[],
    operations: &[OpDef::read::<ops::digest::Lately>()],
    events: &[],
    tables: &[],
    fold_version: 0,
    hooks: Hooks {
        watches: changes::WATCHED,
        ..Hooks::NONE
    },
};
