//! The engine's own tables and questions: what the books are, which request keys were used, which settings were in force.

use super::Result;
use crate::store::{Column, Holds, Table, View};

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

/// The currency that the books were made with, as the table has it.
pub(super) fn currency(view: &View<'_>) -> Result<Option<String>> {
    Ok(view.first("SELECT currency FROM books", &[], |row| row.text(0))?)
}
