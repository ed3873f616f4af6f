//! The door of foreign exchange: rates kept for reference, and what an amount in another currency comes to. No logic stands
//! here.

mod events;
mod given;
mod ops;
mod table;

use crate::engine::{Domain, EventDef, Hooks, OpDef};

pub use given::{Given, Moved};

/// Foreign exchange's place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "fx",
    about: include_str!("about.md"),
    groups: &[("fx", "Foreign exchange: rates by day, for reference")],
    operations: &[
        OpDef::write::<ops::set_rate::SetRate>(),
        OpDef::read::<ops::list_rates::ListRates>(),
    ],
    events: &[EventDef::of::<events::RateSet>()],
    tables: &[&table::FX_RATE],
    fold_version: 1,
    hooks: Hooks::NONE,
};
