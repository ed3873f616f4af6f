//! The engine's own tables and questions: what the books are, which request keys were used, which settings were in force.

use super::{Domain, Result};
use crate::{
    model::Date,
    store::{Column, Fold, FoldResult, Holds, Table, View},
};

/// One row: what was decided when the books were made.
pub(super) static BOOKS: Table = Table {
    name: "books",
    columns: &[
        Column::int("id"),
        Column::text("books_id"),
        Column::text("currency"),
        Column::text("created_at"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};

/// The books' id, and when they were made, UTC.
pub(super) fn books(view: &View<'_>) -> Result<(String, String)> {
    let sql = "SELECT books_id, created_at FROM books";
    let found = view.first(sql, &[], |row| Ok((row.text(0)?, row.text(1)?)))?;
    Ok(found.unwrap_or_default())
}

/// Where a request key was used, and the hash of what was asked.
pub(super) fn request(view: &View<'_>, key: &str) -> Result<Option<(i64, String)>> {
    let sql = "SELECT seq, args_sha256 FROM request WHERE key=?";
    Ok(view.first(sql, &[key.into()], |row| Ok((row.int(0)?, row.text(1)?)))?)
}

/// What each settings file said, from the event on that tells it; no text where it was gone.
pub(super) static SETTING: Table = Table {
    name: "setting",
    columns: &[
        Column::int("seq"),
        Column::text("file"),
        Column::text("at"),
        Column::text_or_null("text"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &["CREATE INDEX setting_file ON setting(file, seq)"],
};

/// What a settings file said last, as far as the journal knows.
pub(super) fn setting(view: &View<'_>, file: &str) -> Result<Option<String>> {
    let sql = "SELECT text FROM setting WHERE file=? ORDER BY seq DESC LIMIT 1";
    let text = view.first(sql, &[file.into()], |row| row.text_or_none(0))?;
    Ok(text.flatten())
}

/// The last event that tells of settings; zero where none does.
pub(super) fn last_setting(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(seq) FROM setting", &[])?)
}

/// What a settings file said before event `seq`, as far as the journal knows.
pub(super) fn setting_before(view: &View<'_>, file: &str, seq: i64) -> Result<Option<String>> {
    let sql = "SELECT text FROM setting WHERE file=? AND seq<? ORDER BY seq DESC LIMIT 1";
    let text = view.first(sql, &[file.into(), seq.into()], |row| row.text_or_none(0))?;
    Ok(text.flatten())
}

/// Where in the journal the events of those types stand that a domain looks back at.
pub(super) static WATCHED: Table = Table {
    name: "watched",
    columns: &[Column::int("seq"), Column::text("kind")],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};

/// Notes an event of a type that a domain looks back at.
pub(super) fn fold_watched(
    seq: i64,
    kind: &str,
    domains: &[&Domain],
    tables: &mut Fold<'_>,
) -> FoldResult {
    if domains
        .iter()
        .any(|domain| domain.hooks.watches.contains(&kind))
    {
        return tables.insert(&WATCHED, &[seq.into(), kind.into()]);
    }
    Ok(())
}

/// The watched events from event `seq` on with their types, newest first, at most `limit` of them; and how many there are.
pub(super) fn watched_since(
    view: &View<'_>,
    seq: i64,
    limit: u32,
) -> Result<(Vec<(i64, String)>, i64)> {
    let total = view.number("SELECT count(*) FROM watched WHERE seq>=?", &[seq.into()])?;
    let sql = "SELECT seq, kind FROM watched WHERE seq>=? ORDER BY seq DESC LIMIT ?";
    let values = [seq.into(), i64::from(limit).into()];
    let found = view.rows(sql, &values, |row| Ok((row.int(0)?, row.text(1)?)))?;
    Ok((found, total))
}

/// The first event of every day of the journal's clock, in UTC. Days need not follow one another: a clock may be set back.
pub(super) static JOURNAL_DAY: Table = Table {
    name: "journal_day",
    columns: &[Column::int("day"), Column::int("seq")],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};

/// Notes the day of a command's first event. An instant that names no day of the calendar counts as its last day, so that
/// whoever asks what was written since some day is shown it.
pub(super) fn fold_day(seq: i64, at: &str, tables: &mut Fold<'_>) -> FoldResult {
    let day = at.get(..10).and_then(|day| day.parse::<Date>().ok());
    let day = day.map_or(99_991_231, Date::number);
    tables.insert_first(&JOURNAL_DAY, &[day.into(), seq.into()])
}

/// The first event that was written on this day or a later one, by the journal's clock.
pub(super) fn first_since(view: &View<'_>, day: Date) -> Result<Option<i64>> {
    let sql = "SELECT min(seq) FROM journal_day WHERE day>=?";
    let first = view.first(sql, &[day.number().into()], |row| row.int_or_none(0))?;
    Ok(first.flatten())
}

/// The latest day that the journal names, with its first event.
pub(super) fn latest_day(view: &View<'_>) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT day, seq FROM journal_day ORDER BY day DESC LIMIT 1";
    Ok(view.first(sql, &[], |row| Ok((row.int(0)?, row.int(1)?)))?)
}

/// The currency that the books were made with, as the table has it.
pub(super) fn currency(view: &View<'_>) -> Result<Option<String>> {
    Ok(view.first("SELECT currency FROM books", &[], |row| row.text(0))?)
}
