//! The door of bank reconciliation: statements, cleared lines, and the proof that an account is what its bank says. No logic
//! stands here.

mod due;
mod events;
mod hook;
mod ops;
mod rules;
mod sheets;
mod standing;
mod subject;
mod table;
mod told;
mod views;

use crate::engine::{Domain, EventDef, Hooks, OpDef};

pub use due::{Due, due};
pub use told::{VOIDING, voiding};

/// The bank's place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "bank",
    about: include_str!("about.md"),
    groups: &[
        ("statement", "Bank and card statements: record, list"),
        ("reconcile", "Reconcile an account with its statement"),
    ],
    operations: &[
        OpDef::write::<ops::record::Record>(),
        OpDef::read::<ops::statement_list::Statements>(),
        OpDef::write::<ops::mark::Mark>(),
        OpDef::confirm::<ops::run::Reconcile>(),
        OpDef::read::<ops::reconcile_list::Reconciliations>(),
        OpDef::write::<ops::void::Void>(),
    ],
    events: &[
        EventDef::of::<events::StatementRecorded>(),
        EventDef::of::<events::LineCleared>(),
        EventDef::of::<events::LineUncleared>(),
        EventDef::of::<events::ReconciliationCompleted>(),
        EventDef::of::<events::ReconciliationVoided>(),
    ],
    tables: &[
        &table::STATEMENT,
        &table::CLEARED,
        &table::CLEARED_MONTH,
        &table::RECONCILIATION,
    ],
    fold_version: 1,
    hooks: Hooks {
        posting: Some(hook::posting),
        subjects: &[subject::SUBJECT],
        unlinking: Some(subject::unlinking),
        check: Some(table::check),
        ..Hooks::NONE
    },
};
