//! The door of the overview: the settings in force, where they come from and what is wrong with them. Reads only.

mod ops;
mod sheet;

use crate::engine::{Domain, Hooks, OpDef};

/// The overview's place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "overview",
    about: include_str!("about.md"),
    groups: &[(
        "settings",
        "The settings in force, and what is wrong with them",
    )],
    operations: &[OpDef::read::<ops::show::SettingsShow>()],
    events: &[],
    tables: &[],
    fold_version: 0,
    hooks: Hooks::NONE,
};
