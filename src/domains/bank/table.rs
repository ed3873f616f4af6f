//! Statements, cleared lines and reconciliations on disk. What of an account is not cleared is asked a month at a time, in
//! `table/open.rs`: only months that hold such lines are looked at, so that the cost does not grow with history.

mod check;
mod open;

use super::events::LinePlace;
use crate::{
    domains::entry,
    engine::{Result, Window},
    model::{Date, Refusal},
    store::{Column, Holds, Row, StoreError, StoreResult, Table, View},
};

pub use check::check;
pub use open::{Month, months, uncleared, with_amount};

/// What statements say, by their files; balances on the account's normal side. `reconciliation_id` is the live one that used it.
pub static STATEMENT: Table = Table {
    name: "statement",
    columns: &[
        Column::int("attachment_id").references("attachment"),
        Column::int("account_id").references("account"),
        Column::int("period_start"),
        Column::int("period_end"),
        Column::int("opening"),
        Column::int("closing"),
        Column::int_or_null("reconciliation_id"),
        Column::int("seq"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &["CREATE INDEX statement_account ON statement(account_id, period_end)"],
};

/// Posted lines that were marked as being on a statement; `seq` is the event that marked it.
pub static CLEARED: Table = Table {
    name: "cleared",
    columns: &[
        Column::int("entry_id").references("entry"),
        Column::int("idx"),
        Column::int("account_id").references("account"),
        Column::int("date"),
        Column::int("amount"),
        Column::int("seq"),
    ],
    key: 2,
    holds: Holds::Rows,
    indexes: &[
        "CREATE INDEX cleared_account ON cleared(account_id, date, entry_id, idx, amount, seq)",
        "CREATE INDEX cleared_lately ON cleared(account_id, seq, date, entry_id, idx, amount)",
    ],
};

/// How many lines of an account in a month are cleared, and what they sum to.
pub static CLEARED_MONTH: Table = Table {
    name: "cleared_month",
    columns: &[
        Column::int("account_id").references("account"),
        Column::int("month"),
        Column::int("lines"),
        Column::int("amount"),
    ],
    key: 2,
    holds: Holds::Sums,
    indexes: &[],
};

/// Reconciliations; the balance on the account's normal side, `voided` the reason, `seq` the event that tells its lines.
///
/// Which lines a live one locks needs no row a line: those of its account up to its day that were marked before it.
pub static RECONCILIATION: Table = Table {
    name: "reconciliation",
    columns: &[
        Column::int("id"),
        Column::int("account_id").references("account"),
        Column::int("date"),
        Column::int("balance"),
        Column::int("attachment_id").references("statement"),
        Column::int("lines"),
        Column::text_or_null("voided"),
        Column::int("seq"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &["CREATE INDEX reconciliation_account ON reconciliation(account_id, date)"],
};

/// What a statement says. Units: minor units, positive on the account's normal side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its file.
    pub attachment_id: i64,
    /// Its account.
    pub account_id: i64,
    /// Its first day.
    pub start: Date,
    /// Its last.
    pub end: Date,
    /// The balance before.
    pub opening_minor: i64,
    /// The balance after.
    pub closing_minor: i64,
    /// The live reconciliation that used it.
    pub reconciliation_id: Option<i64>,
}

/// A reconciliation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reconciliation {
    /// Its id.
    pub id: i64,
    /// Its account.
    pub account_id: i64,
    /// The day through which.
    pub date: Date,
    /// The balance, positive on the account's normal side.
    pub balance_minor: i64,
    /// Its statement's file.
    pub attachment_id: i64,
    /// How many lines are new in it.
    pub lines: i64,
    /// Why it was voided, if it was.
    pub voided: Option<String>,
    /// The event that tells it.
    pub seq: i64,
}

/// A cleared line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClearedLine {
    /// Its day.
    pub date: Date,
    /// Its entry.
    pub entry_id: i64,
    /// Its place.
    pub line_index: i64,
    /// Its signed amount, debit positive.
    pub amount_minor: i64,
    /// The event that cleared it.
    pub seq: i64,
}

impl ClearedLine {
    /// Its place alone.
    pub fn place(&self) -> LinePlace {
        LinePlace {
            entry_id: self.entry_id,
            line_index: self.line_index,
        }
    }
}

/// A day out of a table.
fn day(row: &Row<'_>, column: usize) -> StoreResult<Date> {
    let number = row.int(column)?;
    Date::from_number(number)
        .ok_or_else(|| StoreError::Damaged(format!("a row has the day {number}")))
}

const STATEMENTS: &str = "SELECT attachment_id, account_id, period_start, period_end, opening, closing, reconciliation_id FROM statement";

fn statement_of(row: &Row<'_>) -> StoreResult<Statement> {
    Ok(Statement {
        attachment_id: row.int(0)?,
        account_id: row.int(1)?,
        start: day(row, 2)?,
        end: day(row, 3)?,
        opening_minor: row.int(4)?,
        closing_minor: row.int(5)?,
        reconciliation_id: row.int_or_none(6)?,
    })
}

/// What the statement of a file says, if it was recorded.
pub fn statement(view: &View<'_>, attachment_id: i64) -> Result<Option<Statement>> {
    let sql = format!("{STATEMENTS} WHERE attachment_id=?");
    Ok(view.first(&sql, &[attachment_id.into()], statement_of)?)
}

/// The first statement of an account that ends on a day or later, is not used and not withdrawn, if there is one.
pub fn waiting(view: &View<'_>, account_id: i64, from: Option<Date>) -> Result<Option<Statement>> {
    let sql = format!(
        "{STATEMENTS} WHERE account_id=? AND period_end>=? AND reconciliation_id IS NULL
         AND attachment_id NOT IN (SELECT id FROM attachment WHERE withdrawn IS NOT NULL)
         ORDER BY period_end, attachment_id LIMIT 1"
    );
    let values = [account_id.into(), from.map_or(0, Date::number).into()];
    Ok(view.first(&sql, &values, statement_of)?)
}

/// A part of all statements, or of an account's, by their dates; and how many there are.
pub fn statements(
    view: &View<'_>,
    account_id: Option<i64>,
    window: Window,
) -> Result<(Vec<Statement>, i64)> {
    let sql = format!(
        "{STATEMENTS} WHERE ?1 IS NULL OR account_id=?1 ORDER BY period_end, attachment_id LIMIT ?2 OFFSET ?3"
    );
    let total = "SELECT count(*) FROM statement WHERE ?1 IS NULL OR account_id=?1";
    part(view, (&sql, total), (account_id, window), statement_of)
}

/// The accounts that have a recorded statement.
pub fn accounts_with_statements(view: &View<'_>) -> Result<Vec<i64>> {
    let sql = "SELECT DISTINCT account_id FROM statement ORDER BY account_id";
    Ok(view.rows(sql, &[], |row| row.int(0))?)
}

/// Whether an account has a posted line on a day or before.
pub fn has_lines_through(view: &View<'_>, account_id: i64, day: Date) -> Result<bool> {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM line WHERE account_id=? AND date<=? LIMIT 1)";
    Ok(view.number(sql, &[account_id.into(), day.number().into()])? > 0)
}

const RECONCILIATIONS: &str =
    "SELECT id, account_id, date, balance, attachment_id, lines, voided, seq FROM reconciliation";

fn reconciliation_of(row: &Row<'_>) -> StoreResult<Reconciliation> {
    Ok(Reconciliation {
        id: row.int(0)?,
        account_id: row.int(1)?,
        date: day(row, 2)?,
        balance_minor: row.int(3)?,
        attachment_id: row.int(4)?,
        lines: row.int(5)?,
        voided: row.text_or_none(6)?,
        seq: row.int(7)?,
    })
}

/// The reconciliation with this id.
///
/// Refuses: an id that none has.
pub fn reconciliation(view: &View<'_>, id: i64) -> Result<Reconciliation> {
    let sql = format!("{RECONCILIATIONS} WHERE id=?");
    let found = view.first(&sql, &[id.into()], reconciliation_of)?;
    found.ok_or_else(|| {
        let message = format!("there is no reconciliation {id}");
        Refusal::new("unknown_reconciliation", message)
            .with("reconciliation_id", id)
            .remedy(
                "books.reconciliations",
                "look it up with `wb reconcile list`",
            )
            .into()
    })
}

/// The last reconciliation of an account that is not voided.
pub fn last_live(view: &View<'_>, account_id: i64) -> Result<Option<Reconciliation>> {
    let sql = format!(
        "{RECONCILIATIONS} WHERE account_id=? AND voided IS NULL ORDER BY date DESC LIMIT 1"
    );
    Ok(view.first(&sql, &[account_id.into()], reconciliation_of)?)
}

/// The first reconciliation of an account, not voided, that holds a line of a day which an event cleared.
pub fn holding(
    view: &View<'_>,
    account_id: i64,
    (day, seq): (Date, i64),
) -> Result<Option<Reconciliation>> {
    let sql = format!(
        "{RECONCILIATIONS} WHERE account_id=? AND date>=? AND seq>? AND voided IS NULL ORDER BY date LIMIT 1"
    );
    let values = [account_id.into(), day.number().into(), seq.into()];
    Ok(view.first(&sql, &values, reconciliation_of)?)
}

/// A part of all reconciliations, or of an account's, the newest first; and how many there are.
pub fn reconciliations(
    view: &View<'_>,
    account_id: Option<i64>,
    window: Window,
) -> Result<(Vec<Reconciliation>, i64)> {
    let sql = format!(
        "{RECONCILIATIONS} WHERE ?1 IS NULL OR account_id=?1 ORDER BY id DESC LIMIT ?2 OFFSET ?3"
    );
    let total = "SELECT count(*) FROM reconciliation WHERE ?1 IS NULL OR account_id=?1";
    part(view, (&sql, total), (account_id, window), reconciliation_of)
}

/// A part of a list of an account, or of all, and how many there are.
fn part<T>(
    view: &View<'_>,
    (sql, total): (&str, &str),
    (account_id, window): (Option<i64>, Window),
    each: fn(&Row<'_>) -> StoreResult<T>,
) -> Result<(Vec<T>, i64)> {
    let account = account_id.into();
    // SQLite takes a negative limit for none.
    let limit = window.limit.map_or(-1, i64::from).into();
    let values = [account, limit, i64::from(window.offset).into()];
    let total = view.number(total, &[account])?;
    Ok((view.rows(sql, &values, each)?, total))
}

/// The id that the next reconciliation gets.
pub fn next_id(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(id) FROM reconciliation", &[])? + 1)
}

fn cleared_of(row: &Row<'_>) -> StoreResult<ClearedLine> {
    Ok(ClearedLine {
        entry_id: row.int(0)?,
        line_index: row.int(1)?,
        date: day(row, 2)?,
        amount_minor: row.int(3)?,
        seq: row.int(4)?,
    })
}

/// The event that cleared a line, if it is cleared.
pub fn cleared_by(view: &View<'_>, line: LinePlace) -> Result<Option<i64>> {
    let sql = "SELECT seq FROM cleared WHERE entry_id=? AND idx=?";
    let values = [line.entry_id.into(), line.line_index.into()];
    Ok(view.first(sql, &values, |row| row.int(0))?)
}

/// The lines of an account up to a day that balances were brought in by, and those that take such an entry back: they count as
/// cleared by the event that posted them.
pub fn brought_in(view: &View<'_>, account_id: i64, through: Date) -> Result<Vec<ClearedLine>> {
    let mut lines = Vec::new();
    let sql = "SELECT l.entry_id, l.idx, l.date, l.amount, e.seq
               FROM line l CROSS JOIN entry e ON e.id=l.entry_id
               WHERE l.entry_id=? AND l.account_id=? AND l.date<=?";
    for entry_id in entry::openings(view)? {
        let values = [entry_id.into(), account_id.into(), through.number().into()];
        lines.extend(view.rows(sql, &values, cleared_of)?);
    }
    lines.sort_unstable();
    Ok(lines)
}

/// The marked lines of an account up to a day that the last live reconciliation does not hold, in date order.
pub fn marked_since(
    view: &View<'_>,
    account_id: i64,
    (last, through): (Option<&Reconciliation>, Date),
) -> Result<Vec<ClearedLine>> {
    let (day, seq) = last.map_or((0, 0), |last| (last.date.number(), last.seq));
    let sql = "SELECT entry_id, idx, date, amount, seq FROM cleared INDEXED BY cleared_account
               WHERE account_id=?1 AND date>?2 AND date<=?3
               UNION ALL
               SELECT entry_id, idx, date, amount, seq FROM cleared INDEXED BY cleared_lately
               WHERE account_id=?1 AND seq>?4 AND date<=?2 AND date<=?3";
    let values = [
        account_id.into(),
        day.into(),
        through.number().into(),
        seq.into(),
    ];
    let mut lines = view.rows(sql, &values, cleared_of)?;
    lines.sort_unstable();
    Ok(lines)
}
