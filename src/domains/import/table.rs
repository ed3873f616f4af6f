//! Imports on disk: which files came in, and by which key each bank row is known again.

use crate::{
    engine::Result,
    store::{Column, Table, View},
};

/// Imports of bank files.
pub static BANK_BATCH: Table = Table {
    name: "bank_batch",
    columns: &[
        Column::int("id"),
        Column::int("account_id").references("account"),
        Column::text("sha256"),
        Column::int("rows"),
        Column::int("seq"),
    ],
    key: 1,
    indexes: &[],
};

/// Bank rows by account and key; `entry_id` is the newest draft made of the row.
pub static BANK_ROW: Table = Table {
    name: "bank_row",
    columns: &[
        Column::int("account_id").references("account"),
        Column::text("key"),
        Column::int("entry_id").references("entry"),
        Column::int("batch_id").references("bank_batch"),
        Column::int("line"),
        Column::text("merchant"),
    ],
    key: 2,
    indexes: &[],
};

/// Histories that were imported. The row comes before its entries, so it cannot refer to them.
pub static JOURNAL_FILE: Table = Table {
    name: "journal_file",
    columns: &[
        Column::text("sha256"),
        Column::int("first_entry_id"),
        Column::int("last_entry_id"),
    ],
    key: 1,
    indexes: &[],
};

/// The entry that a bank row became earlier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// The newest draft made of the row.
    pub entry_id: i64,
    /// Whether it was discarded.
    pub discarded: bool,
}

/// What the row with this key became when it was imported into this account.
pub fn earlier(view: &View<'_>, account_id: i64, key: &str) -> Result<Option<Earlier>> {
    let sql =
        "SELECT b.entry_id, e.status='discarded' FROM bank_row b JOIN entry e ON e.id=b.entry_id
               WHERE b.account_id=? AND b.key=?";
    Ok(view.first(sql, &[account_id.into(), key.into()], |row| {
        Ok(Earlier {
            entry_id: row.int(0)?,
            discarded: row.truth(1)?,
        })
    })?)
}

/// The number that the next import of a bank file gets.
pub fn next_batch_id(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(id) FROM bank_batch", &[])? + 1)
}

/// The first and last entry of the history with this hash, if it was imported.
pub fn history(view: &View<'_>, sha256: &str) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT first_entry_id, last_entry_id FROM journal_file WHERE sha256=?";
    Ok(view.first(sql, &[sha256.into()], |row| Ok((row.int(0)?, row.int(1)?)))?)
}
