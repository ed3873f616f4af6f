//! The door of imports: what comes in from a bank, another program or a prepared chart. No logic stands here.

mod days;
mod events;
mod faults;
mod history;
mod intake;
mod judged;
mod ops;
mod overlap;
mod provenance;
mod rule;
mod sheet;
mod shown;
mod table;
mod transfer;
mod twins;

mod reading;
mod rules;

use crate::engine::{Domain, EventDef, Hooks, OpDef};

#[cfg(any(test, fuzzing))]
pub use reading::sound::bank_csv as fuzz_bank_csv;

/// The imports' place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "import",
    about: include_str!("about.md"),
    groups: &[(
        "import",
        "Bring in bank files and the history of other books",
    )],
    operations: &[
        OpDef::write::<ops::bank_csv::BankCsv>(),
        OpDef::write::<ops::import::ChartCsv>(),
        OpDef::confirm::<ops::journal::Journal>(),
        OpDef::write::<ops::local_file::LocalFile>(),
    ],
    events: &[
        EventDef::of::<events::BankImported>(),
        EventDef::of::<events::BankRowImported>(),
        EventDef::of::<events::JournalImported>(),
    ],
    tables: &[
        &table::BANK_BATCH,
        &table::BANK_ROW,
        &table::BANK_DRAFT,
        &table::JOURNAL_FILE,
    ],
    fold_version: 3,
    hooks: Hooks {
        details: Some(provenance::details),
        facts: &[provenance::FACTS, twins::POSTING],
        posting: Some(twins::posting),
        ..Hooks::NONE
    },
};
