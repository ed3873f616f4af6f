//! The door of the company: its settings, its members and the return it files. No logic stands here.

mod classification;
mod fiscal;
mod settings;
mod share;
mod subject;

use crate::engine::{Domain, Hooks};

pub use classification::{TaxForm, classify, words};
pub use fiscal::start_month;
pub use settings::{AccountingBasis, Settings};
pub use share::Share;

/// The company's place among the domains. Sections whose keys come into use later are accepted from the start.
pub static DOMAIN: Domain = Domain {
    name: "company",
    about: include_str!("about.md"),
    groups: &[],
    operations: &[],
    events: &[],
    tables: &[],
    fold_version: 1,
    hooks: Hooks {
        settings: Some(settings::check),
        problems: Some(settings::problems),
        subjects: &[subject::SUBJECT],
        ..Hooks::NONE
    },
};
