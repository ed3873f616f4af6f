//! The engine's own tables and questions: what the books are, and which request keys were used.

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

/// Where a request key was used, and the hash of what was asked.
pub(super) fn request(view: &View<'_>, key: &str) -> Result<Option<(i64, String)>> {
    let sql = "SELECT seq, args_sha256 FROM request WHERE key=?";
    Ok(view.first(sql, &[key.into()], |row| Ok((row.int(0)?, row.text(1)?)))?)
}

/// The currency that the books were made with, as the table has it.
pub(super) fn currency(view: &View<'_>) -> Result<Option<String>> {
    Ok(view.first("SELECT currency FROM books", &[], |row| row.text(0))?)
}
