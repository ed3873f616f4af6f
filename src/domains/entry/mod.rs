//! The door of entries: drafts, postings, reversals. The only domain that posts lines.

mod events;
mod line;
mod ops;
mod post;
mod rules;
mod sheets;
mod subject;
mod table;
mod told;
mod views;

use crate::engine::{Domain, EventDef, Hooks, OpDef};

pub use events::{Called, Draft, LineData, fold_draft};
pub use line::{EntryLine, postable};
pub use post::{NewEntry, PostingRun, post};
pub use rules::unlikely_day;
pub use sheets::figure;
pub use table::{
    Header, PostedEntry, Touched, Turnover, WaitingDraft, balance_before, balances_as_of,
    class_movements, drafts, drafts_through, entry as by_id, first_posted, lines,
    movements_between, next_id, openings, posted_since, register, touching, turnover_since,
};
pub use told::must_be_as_told;
pub use views::{EntryStatus, Movement, TagColumns, Tags, cell};

/// The entries' place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "entry",
    about: include_str!("about.md"),
    groups: &[("entry", "Entries: draft, post, reverse, find")],
    operations: &[
        OpDef::write::<ops::draft::DraftEntry>(),
        OpDef::write::<ops::add_line::AddLine>(),
        OpDef::write::<ops::remove_line::RemoveLine>(),
        OpDef::write::<ops::update::UpdateDraft>(),
        OpDef::write::<ops::discard::Discard>(),
        OpDef::confirm::<ops::post::Post>(),
        OpDef::confirm::<ops::reverse::Reverse>(),
        OpDef::read::<ops::show::Show>(),
        OpDef::read::<ops::search::Search>(),
    ],
    events: &[
        EventDef::of::<events::EntryDrafted>(),
        EventDef::of::<events::EntryChanged>(),
        EventDef::of::<events::EntryDiscarded>(),
        EventDef::of::<events::EntryPosted>(),
    ],
    tables: &[
        &table::ENTRY,
        &table::ENTRY_TEXT,
        &table::DRAFT_LINE,
        &table::LINE,
        &table::BALANCE_MONTH,
        &table::TURNOVER,
        &table::CLASS_MONTH,
    ],
    fold_version: 6,
    hooks: Hooks {
        uses: Some(table::uses),
        check: Some(table::check),
        subjects: &[subject::SUBJECT],
        ..Hooks::NONE
    },
};
