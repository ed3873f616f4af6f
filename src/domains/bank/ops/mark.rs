//! Marking a line as being on a statement.

use clap::{ArgAction, Args};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    events::{LineCleared, LinePlace, LineUncleared},
    rules, table,
};
use crate::{
    domains::{
        chart::{self, Account},
        entry::{self, EntryStatus, Header},
    },
    engine::{Example, Operation, Result, Write, Writer},
    model::{Line, Refusal},
};

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_yes(cleared: &bool) -> bool {
    *cleared
}

/// Mark a posted line as on a statement, or not
///
/// Lines of a reconciliation are locked.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The entry
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
    /// The line's place, from 0
    #[arg(value_name = "LINE")]
    pub line_index: i64,
    /// Default: true
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub cleared: bool,
}

/// A line that was marked.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Marked {
    /// It stands so
    pub ok: bool,
    /// The entry
    pub entry_id: i64,
    /// The line's place
    pub line_index: i64,
    /// Account code
    pub account_code: String,
    /// Whether it is cleared now
    pub cleared: bool,
}

impl Operation for Mark {
    const VERB: &'static str = "reconcile mark";
    const TOOL: &'static str = "books.mark_cleared";
    const EXAMPLES: &'static [Example] =
        &[Example::new("21 1", r#"{"entry_id":21,"line_index":1}"#)];
    const IDEMPOTENT: bool = true;
    type Output = Marked;
}

impl Write for Mark {
    fn run(self, books: &mut Writer<'_>) -> Result<Marked> {
        let place = LinePlace {
            entry_id: self.entry_id,
            line_index: self.line_index,
        };
        let header = posted(books, place.entry_id)?;
        let line = line(books, place)?;
        let account = chart::by_id(&books.view(), line.account_id)?;
        rules::reconcilable(account.kind, &account.code)?;
        let by = table::cleared_by(&books.view(), place)?;
        if entry::openings(&books.view())?.contains(&header.id) {
            if !self.cleared {
                return Err(brought_in(place).into());
            }
        } else if by.is_some() != self.cleared {
            // What is written into the journal is held to it first.
            entry::must_be_as_told(books, &header)?;
            match by {
                Some(seq) => unclear(books, (place, line, &account), (&header, seq))?,
                None => clear(books, (place, line, &account), &header)?,
            }
        }
        Ok(Marked {
            ok: true,
            entry_id: place.entry_id,
            line_index: place.line_index,
            account_code: account.code,
            cleared: self.cleared,
        })
    }
}

/// The entry, which must be posted.
fn posted(books: &Writer<'_>, id: i64) -> Result<Header> {
    let header = entry::by_id(&books.view(), id)?;
    if header.status == EntryStatus::Posted {
        return Ok(header);
    }
    let message = format!(
        "entry {id} is {}; only posted lines are on a statement",
        header.status
    );
    Err(Refusal::new("entry_not_posted", message)
        .with("entry_id", id)
        .remedy(
            "books.post_entry",
            format!("post it first with `wb entry post {id}`"),
        )
        .into())
}

fn line(books: &Writer<'_>, place: LinePlace) -> Result<Line> {
    let lines = entry::lines(&books.view(), place.entry_id)?;
    let index = usize::try_from(place.line_index).ok();
    let found = index.and_then(|index| lines.get(index));
    found.copied().ok_or_else(|| {
        let message = format!("entry {} has no line {}", place.entry_id, place.line_index);
        Refusal::new("unknown_line", message)
            .with("entry_id", place.entry_id)
            .with("line_index", place.line_index)
            .with("lines", lines.len())
            .remedy(
                "books.get_entry",
                format!("look at it with `wb entry show {}`", place.entry_id),
            )
            .into()
    })
}

fn brought_in(place: LinePlace) -> Refusal {
    let message = format!(
        "entry {} brought balances in; its lines count as cleared",
        place.entry_id
    );
    Refusal::new("line_locked", message)
        .with("entry_id", place.entry_id)
        .with("line_index", place.line_index)
        .remedy("books.reverse_entry", "reverse it if it was wrong")
}

fn clear(
    books: &mut Writer<'_>,
    (place, line, account): (LinePlace, Line, &Account),
    header: &Header,
) -> Result<()> {
    books.record(&LineCleared {
        entry_id: place.entry_id,
        line_index: place.line_index,
        account: account.id,
        code: account.code.clone(),
        date: header.date,
        amount: books.currency().money(line.amount_minor),
    })?;
    Ok(())
}

/// Takes the mark away that event `seq` made.
///
/// Refuses: a line that a reconciliation holds.
fn unclear(
    books: &mut Writer<'_>,
    (place, line, account): (LinePlace, Line, &Account),
    (header, seq): (&Header, i64),
) -> Result<()> {
    let held = table::holding(&books.view(), account.id, (header.date, seq))?;
    if let Some(held) = held {
        let message = format!(
            "line {} of entry {} is in reconciliation {} through {}",
            place.line_index, place.entry_id, held.id, held.date
        );
        let hint = format!(
            "void it first with `wb reconcile void {} --reason TEXT`",
            held.id
        );
        return Err(Refusal::new("line_locked", message)
            .with("entry_id", place.entry_id)
            .with("line_index", place.line_index)
            .with("reconciliation_id", held.id)
            .remedy("books.void_reconciliation", hint)
            .into());
    }
    books.record(&LineUncleared {
        entry_id: place.entry_id,
        line_index: place.line_index,
        account: account.id,
        code: account.code.clone(),
        date: header.date,
        amount: books.currency().money(line.amount_minor),
    })?;
    Ok(())
}
