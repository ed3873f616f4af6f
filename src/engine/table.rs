//! The engine's own tables and questions: what the books are, and which request keys were used.

use super::Result;
use crate::{
    model::{Currency, Refusal},
    store::{Column, Table, View},
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
    indexes: &[],
};

/// The base currency, decided when the books were made.
pub(super) fn currency(view: &View<'_>) -> Result<Currency> {
    let code = view.first("SELECT currency FROM books", &[], |row| row.text(0))?;
    let unknown = || {
        Refusal::new(
            "unknown_currency",
            "the books do not say what their currency is",
        )
    };
    Ok(Currency::from_code(&code.ok_or_else(unknown)?)?)
}

/// Where a request key was used, and the hash of what was asked.
pub(super) fn request(view: &View<'_>, key: &str) -> Result<Option<(i64, String)>> {
    let sql = "SELECT seq, args FROM request WHERE key=?";
    Ok(view.first(sql, &[key.into()], |row| Ok((row.int(0)?, row.text(1)?)))?)
}
