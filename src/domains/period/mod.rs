//! The door of periods: spans of days that are closed in order, after which nothing is posted into them. No logic stands here.

mod events;
mod hook;
mod ops;
mod rules;
mod sheets;
mod subject;
mod table;
mod views;

use crate::engine::{Domain, EventDef, Hooks, OpDef};

pub use events::PeriodClosed;
pub use rules::{Period, Standing as PeriodStanding};
pub use table::{by_id, closed_through, first_open_before};

/// The periods' place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "period",
    about: include_str!("about.md"),
    groups: &[("period", "Periods: create, list, close")],
    operations: &[
        OpDef::write::<ops::create::Create>(),
        OpDef::read::<ops::list::List>(),
    ],
    events: &[
        EventDef::of::<events::PeriodCreated>(),
        EventDef::of::<PeriodClosed>(),
    ],
    tables: &[&table::PERIOD],
    fold_version: 1,
    hooks: Hooks {
        posting: Some(hook::posting),
        subjects: &[subject::SUBJECT],
        ..Hooks::NONE
    },
};
