//! What weakened or moved the books' controls, or moved accounts, told from the journal a sentence each.

use super::{ops::digest::Deed, views};
use crate::{
    domains::{
        bank::{self, VOIDING},
        chart::{ACCOUNT_CHANGES, account_change},
        receipt::policy_moves,
    },
    engine::{BooksRestored, Event, Reader, Result, SettingsChanged, Written},
    model::quoted,
};

/// How many of the newest changes are named.
const CHANGES_MAX: u32 = 20;
/// The event by which books that are new begin with their settings: no change of them.
const FOUNDING: i64 = 2;

/// The types of the events that are told.
pub const WATCHED: &[&str] = &[
    SettingsChanged::KIND,
    BooksRestored::KIND,
    ACCOUNT_CHANGES[0],
    ACCOUNT_CHANGES[1],
    VOIDING,
];

/// The newest changes from event `from` on, and how many there are.
pub fn since(books: &Reader<'_>, from: i64) -> Result<(Vec<Deed>, i64)> {
    let (found, total) = books.watched_since(from.max(FOUNDING + 1), CHANGES_MAX)?;
    let mut told = Vec::with_capacity(found.len());
    let mut later = None;
    for (seq, kind) in found {
        let written = books.written(seq)?;
        let description = if kind == SettingsChanged::KIND {
            // An edit of both files is two events of one command: what it moved is told of both together, with the later one.
            let last = later != Some(written.txn);
            later = Some(written.txn);
            settings(books, (seq, &written, last))?
        } else if kind == BooksRestored::KIND {
            restored(&books.fact(seq)?)
        } else if kind == VOIDING {
            bank::voiding(books, seq)?
        } else {
            account_change(books, seq, &kind)?.unwrap_or(kind)
        };
        told.push(Deed {
            seq: Some(seq),
            by: Some(views::by(&written.by)),
            at: Some(written.at),
            description,
            ..Deed::default()
        });
    }
    Ok((told, total))
}

/// Which file was edited; with the last event of a command, how the policy in force was moved.
fn settings(books: &Reader<'_>, (seq, written, last): (i64, &Written, bool)) -> Result<String> {
    let event: SettingsChanged = books.fact(seq)?;
    let file = event.file;
    let done = match (&event.before_sha256, &event.text) {
        (None, _) => "came into force",
        (_, Some(_)) => "was edited",
        (_, None) => "is gone",
    };
    if !last {
        return Ok(format!("{file} {done}"));
    }
    let before = books.settings_before(written.txn)?;
    let after = books.settings_before(seq.saturating_add(1))?;
    let moves = policy_moves(
        (before.0.as_deref(), before.1.as_deref()),
        (after.0.as_deref(), after.1.as_deref()),
        books.currency(),
    );
    if moves.is_empty() {
        return Ok(format!("{file} {done}"));
    }
    Ok(format!("{file} {done}: {}", moves.join("; ")))
}

/// Which history was left, and why.
fn restored(event: &BooksRestored) -> String {
    let seen = event.remembered_seq;
    let other = if event.other_books.is_some() {
        " of other books"
    } else {
        ""
    };
    format!(
        "the books as they stand here were accepted, though event {seen}{other} had been seen: {}",
        quoted(&event.reason)
    )
}
