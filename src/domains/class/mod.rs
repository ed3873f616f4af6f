//! The door of classes: divisions of the business by which lines are told apart. No logic stands here.

mod events;
mod ops;
mod reference;
mod table;

use crate::engine::{Domain, EventDef, Hooks, OpDef};

pub use reference::ClassRef;
pub use table::{Class, all, by_id, resolve};

/// The classes' place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "class",
    about: include_str!("about.md"),
    groups: &[("class", "Classes: divisions that lines are tagged with")],
    operations: &[
        OpDef::write::<ops::add::Add>(),
        OpDef::read::<ops::list::List>(),
    ],
    events: &[EventDef::of::<events::ClassAdded>()],
    tables: &[&table::CLASS],
    fold_version: 1,
    hooks: Hooks::NONE,
};
