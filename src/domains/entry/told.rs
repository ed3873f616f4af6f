//! Drafts and postings as the journal tells them, held against the tables before a change builds on them; and the change of a
//! draft, which tells it whole again.

use serde::Deserialize;

use super::{
    events::{EntryChanged, LineData},
    table::{self, Header},
    views::{Changed, Names},
};
use crate::{
    engine::{Result, Writer, not_as_told},
    model::{Date, Line, Origin},
    store::StoreError,
};

/// What the last event of a draft or of a posting says of it. Whichever domain wrote it, these members are named so.
#[derive(Deserialize)]
struct Told {
    entry_id: i64,
    date: Date,
    description: String,
    origin: Origin,
    lines: Vec<LineData>,
    #[serde(default)]
    reverses: Option<i64>,
}

/// Refuses a draft or posting that does not stand in the tables as its last event tells it: a change that built on it would
/// make of a changed table a journal that says so for ever. That the rows name the right event is for verification.
pub fn must_be_as_told(books: &Writer<'_>, entry: &Header) -> Result<()> {
    let differs = |why: String| not_as_told(&format!("entry {}", entry.id), why);
    let told: Told = books.reader().told(entry.seq)?.map_err(differs)?;
    let mut lines = Vec::with_capacity(told.lines.len());
    for line in &told.lines {
        lines.push(line.line().map_err(StoreError::from)?);
    }
    let same = told.entry_id == entry.id
        && told.date == entry.date
        && told.description == entry.description
        && told.origin == entry.origin
        && told.reverses == entry.reverses
        && lines == table::lines(&books.view(), entry.id)?;
    if same {
        return Ok(());
    }
    Err(differs(format!("event {} tells it otherwise", entry.seq)))
}

/// Records what a draft is now, and gives it.
///
/// Refuses: a draft that does not stand in the tables as the journal tells it.
pub fn change(books: &mut Writer<'_>, draft: &Header, now: &Now<'_>) -> Result<Changed> {
    must_be_as_told(books, draft)?;
    let lines = Names::default().data(&books.reader(), now.lines)?;
    books.record(&EntryChanged {
        entry_id: draft.id,
        date: now.date,
        description: now.description.to_owned(),
        origin: draft.origin,
        lines,
    })?;
    Changed::of(&books.reader(), draft.id)
}

/// What of a draft can change.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: &'a str,
    /// Its lines.
    pub lines: &'a [Line],
}

impl<'a> Now<'a> {
    /// A draft with other lines.
    pub fn with(draft: &'a Header, lines: &'a [Line]) -> Now<'a> {
        Now {
            date: draft.date,
            description: &draft.description,
            lines,
        }
    }
}
