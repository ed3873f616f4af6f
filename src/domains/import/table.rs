//! Imports on disk: which files came in, and by which key each bank row is known again.

use crate::{
    engine::Result,
    model::{Date, Line},
    store::{Column, Holds, Row, StoreError, StoreResult, Table, View},
};

/// Imports of bank files.
pub static BANK_BATCH: Table = Table {
    name: "bank_batch",
    columns: &[
        Column::int("id"),
        Column::int("account_id").references("account"),
        Column::int("offset_id").references("account"),
        Column::text("sha256"),
        Column::int("rows"),
        Column::int("seq"),
    ],
    key: 1,
    holds: Holds::Rows,
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
    holds: Holds::Rows,
    indexes: &[],
};

/// Every draft made of a bank row, discarded ones too; `seq` is the event that holds the row whole, `amount` what the row
/// moved on its bank account.
pub static BANK_DRAFT: Table = Table {
    name: "bank_draft",
    columns: &[
        Column::int("entry_id").references("entry"),
        Column::int("batch_id").references("bank_batch"),
        Column::int("seq"),
        Column::int("date"),
        Column::int("amount"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &["CREATE INDEX bank_draft_amount ON bank_draft(amount, date)"],
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
    holds: Holds::Rows,
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

/// The same file's import into another account: that account's id, and the first and last entry made of it.
pub fn elsewhere(
    view: &View<'_>,
    account_id: i64,
    sha256: &str,
) -> Result<Option<(i64, i64, i64)>> {
    let sql = "SELECT b.account_id, min(d.entry_id), max(d.entry_id)
               FROM bank_batch b JOIN bank_draft d ON d.batch_id=b.id
               WHERE b.sha256=? AND b.account_id<>? GROUP BY b.id ORDER BY b.id LIMIT 1";
    Ok(view.first(sql, &[sha256.into(), account_id.into()], |row| {
        Ok((row.int(0)?, row.int(1)?, row.int(2)?))
    })?)
}

/// Whether bank rows were imported into an account other than this one.
pub fn others(view: &View<'_>, account_id: i64) -> Result<bool> {
    let sql = "SELECT count(*) FROM bank_batch WHERE account_id<>?";
    Ok(view.number(sql, &[account_id.into()])? > 0)
}

/// What a bank's row moved, and into which account it was imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// The entry made of it.
    pub entry_id: i64,
    /// The bank or card account.
    pub account_id: i64,
    /// The account for rows of its import that no rule claimed.
    pub offset_id: i64,
    /// Its day.
    pub date: Date,
    /// Minor units; positive is money in.
    pub amount_minor: i64,
}

/// What [`Moved`] is read from.
const MOVED: &str = "SELECT d.entry_id, b.account_id, b.offset_id, d.date, d.amount
               FROM bank_draft d JOIN bank_batch b ON b.id=d.batch_id JOIN entry e ON e.id=d.entry_id";

fn moved_of(row: &Row<'_>) -> StoreResult<Moved> {
    let number = row.int(3)?;
    let date = Date::from_number(number)
        .ok_or_else(|| StoreError::Damaged(format!("a bank row has the day {number}")))?;
    Ok(Moved {
        entry_id: row.int(0)?,
        account_id: row.int(1)?,
        offset_id: row.int(2)?,
        date,
        amount_minor: row.int(4)?,
    })
}

/// What the row moved that an entry was made of, if it was made of one.
pub fn moved(view: &View<'_>, entry_id: i64) -> Result<Option<Moved>> {
    let sql = format!("{MOVED} WHERE d.entry_id=?");
    Ok(view.first(&sql, &[entry_id.into()], moved_of)?)
}

/// The rows of other accounts that moved this amount between two days, both included, and whose entries still count.
pub fn moved_elsewhere(
    view: &View<'_>,
    account_id: i64,
    amount_minor: i64,
    (from, to): (Date, Date),
) -> Result<Vec<Moved>> {
    let sql = format!(
        "{MOVED} WHERE d.amount=? AND d.date BETWEEN ? AND ? AND b.account_id<>?
               AND e.status<>'discarded' AND e.reversed_by IS NULL ORDER BY d.entry_id"
    );
    let values = [
        amount_minor.into(),
        from.number().into(),
        to.number().into(),
        account_id.into(),
    ];
    Ok(view.rows(&sql, &values, moved_of)?)
}

/// The events of a draft's bank row and of its import, by sequence number, if the entry was made of one.
pub fn origin(view: &View<'_>, entry_id: i64) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT d.seq, b.seq FROM bank_draft d JOIN bank_batch b ON b.id=d.batch_id WHERE d.entry_id=?";
    Ok(view.first(sql, &[entry_id.into()], |row| {
        Ok((row.int(0)?, row.int(1)?))
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

/// Whether any history was imported.
pub fn histories(view: &View<'_>) -> Result<bool> {
    Ok(view.number("SELECT count(*) FROM journal_file", &[])? > 0)
}

/// An entry that a history brought.
pub struct Migrated {
    /// Its id.
    pub id: i64,
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: String,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// Hands every entry that a history brought and that was not reversed to `each`, between two days, both included.
pub fn migrated(
    view: &View<'_>,
    (from, to): (Date, Date),
    mut each: impl FnMut(Migrated),
) -> Result<()> {
    let sql = "SELECT e.id, e.date, e.description, l.account_id, l.amount
               FROM entry e JOIN line l ON l.entry_id=e.id
               WHERE e.date BETWEEN ? AND ? AND e.origin='migrated' AND e.reversed_by IS NULL
               ORDER BY e.date, e.id, l.idx";
    let mut open: Option<Migrated> = None;
    view.each(sql, &[from.number().into(), to.number().into()], |row| {
        let (id, line) = (row.int(0)?, Line::of(row.int(3)?, row.int(4)?));
        if let Some(entry) = open.as_mut().filter(|entry| entry.id == id) {
            entry.lines.push(line);
            return Ok(());
        }
        let number = row.int(1)?;
        let date = Date::from_number(number)
            .ok_or_else(|| StoreError::Damaged(format!("an entry has the day {number}")))?;
        let next = Migrated {
            id,
            date,
            description: row.text(2)?,
            lines: vec![line],
        };
        if let Some(whole) = open.replace(next) {
            each(whole);
        }
        Ok(())
    })?;
    open.into_iter().for_each(each);
    Ok(())
}
