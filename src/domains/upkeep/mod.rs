//! The door of upkeep: verifying, mending and copying the paper itself. It knows no business and records no events.

mod expected;
mod lost;
mod ops;
mod rules;

use crate::engine::{Domain, Hooks, OpDef};

/// Upkeep's place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "upkeep",
    about: include_str!("about.md"),
    groups: &[],
    operations: &[
        OpDef::upkeep::<ops::verify::Verify>(),
        OpDef::upkeep::<ops::backup::Backup>(),
        OpDef::upkeep::<ops::restore::Restore>(),
        OpDef::upkeep::<ops::repair::Repair>(),
    ],
    events: &[],
    tables: &[],
    fold_version: 0,
    hooks: Hooks::NONE,
};
