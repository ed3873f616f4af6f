//! Entries on disk: headers, and the monthly totals that keep reports cheap. The lines are in `table/lines.rs`, what is summed
//! by class in `table/class.rs`; the questions of search are in `table/find.rs`, those of registers in `table/register.rs`,
//! those of digests in `table/lately.rs`.

mod check;
mod class;
mod find;
mod flows;
mod lately;
mod lines;
mod register;

use std::collections::BTreeMap;

use super::{rules::Span, views::EntryStatus};
use crate::{
    domains::chart::{self, Usage},
    engine::{Result, Thing, Uses},
    model::{Date, Origin, Refusal, quoted},
    store::{Column, Holds, Row, StoreError, StoreResult, Table, View},
};

pub use check::check;
pub use class::{CLASS_MONTH, class_movements};
pub use find::{Wanted, find};
pub use flows::{Touched, drafts_through, first_activity, openings, touching};
pub use lately::{PostedEntry, Turnover, WaitingDraft, drafts, posted_since, turnover_since};
pub use lines::{DRAFT_LINE, LINE, fold_draft_lines, fold_lines, lines};
pub use register::register;

/// Entry headers. `seq` is the last event that changed the entry itself, which tells it whole; of one that is posted, its posting.
pub static ENTRY: Table = Table {
    name: "entry",
    columns: &[
        Column::int("id"),
        Column::int("date"),
        Column::text("status"),
        Column::text("origin"),
        Column::text("description"),
        Column::int_or_null("reverses"),
        Column::int_or_null("reversed_by"),
        Column::int("seq"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[
        "CREATE INDEX entry_date ON entry(date, id, status)",
        "CREATE INDEX entry_posted ON entry(seq) WHERE status='posted'",
        "CREATE INDEX entry_draft ON entry(id) WHERE status='draft'",
        "CREATE INDEX entry_opening ON entry(id) WHERE origin='opening'",
        "CREATE INDEX entry_reverses ON entry(reverses) WHERE reverses IS NOT NULL",
    ],
};

/// Descriptions as search compares them, apart from the headers so that a search reads little.
pub static ENTRY_TEXT: Table = Table {
    name: "entry_text",
    columns: &[Column::int("entry_id"), Column::text("folded")],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};

/// Debits and credits of each account in each month, closing entries apart.
pub static BALANCE_MONTH: Table = Table {
    name: "balance_month",
    columns: &[
        Column::int("account_id").references("account"),
        Column::int("closing"),
        Column::int("month"),
        Column::int("debits"),
        Column::int("credits"),
        Column::int("lines"),
    ],
    key: 3,
    holds: Holds::Sums,
    indexes: &[],
};

/// The sum of all debits ever posted, in one row: no sum of the books can be larger, so holding this one holds them all.
pub static TURNOVER: Table = Table {
    name: "turnover",
    columns: &[Column::int("id"), Column::int("debits")],
    key: 1,
    holds: Holds::Sums,
    indexes: &[],
};

/// An entry's header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Its id.
    pub id: i64,
    /// Its day.
    pub date: Date,
    /// Where it stands.
    pub status: EntryStatus,
    /// What made it.
    pub origin: Origin,
    /// Its description.
    pub description: String,
    /// The entry it reverses.
    pub reverses: Option<i64>,
    /// The entry that reverses it now.
    pub reversed_by: Option<i64>,
    /// The last event that changed it.
    pub seq: i64,
}

/// A day out of a table.
pub fn day(row: &Row<'_>, column: usize) -> StoreResult<Date> {
    let number = row.int(column)?;
    Date::from_number(number)
        .ok_or_else(|| StoreError::Damaged(format!("a row has the day {number}")))
}

fn origin(row: &Row<'_>, column: usize) -> StoreResult<Origin> {
    let word = row.text(column)?;
    Origin::from_word(&word)
        .ok_or_else(|| StoreError::Damaged("an entry has an origin that there is not".to_owned()))
}

fn header(row: &Row<'_>) -> StoreResult<Header> {
    let status = row.text(2)?;
    Ok(Header {
        id: row.int(0)?,
        date: day(row, 1)?,
        status: EntryStatus::from_word(&status).ok_or_else(|| {
            StoreError::Damaged(format!("an entry of the status {}", quoted(&status)))
        })?,
        origin: origin(row, 3)?,
        description: row.text(4)?,
        reverses: row.int_or_none(5)?,
        reversed_by: row.int_or_none(6)?,
        seq: row.int(7)?,
    })
}

/// The entry with this id.
///
/// Refuses: an id that no entry has.
pub fn entry(view: &View<'_>, id: i64) -> Result<Header> {
    let sql = "SELECT id, date, status, origin, description, reverses, reversed_by, seq \
               FROM entry WHERE id=?";
    view.first(sql, &[id.into()], header)?.ok_or_else(|| {
        Refusal::new("unknown_entry", format!("there is no entry {id}"))
            .with("entry_id", id)
            .remedy(
                "books.search_entries",
                "look the entry up with `wb entry search`",
            )
            .into()
    })
}

/// The entry that reverses this one and is not reversed itself, by what the reversals say.
pub fn live_reversal(view: &View<'_>, id: i64) -> Result<Option<i64>> {
    let sql = "SELECT id FROM entry WHERE reverses=? AND reversed_by IS NULL";
    Ok(view.first(sql, &[id.into()], |row| row.int(0))?)
}

/// The id that the next entry gets.
pub fn next_id(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(id) FROM entry", &[])? + 1)
}

/// The raw balance of an account over all postings, in minor units.
pub fn balance(view: &View<'_>, account_id: i64) -> Result<i64> {
    let sql = "SELECT sum(debits)-sum(credits) FROM balance_month WHERE account_id=?";
    Ok(view.number(sql, &[account_id.into()])?)
}

/// The sum of all debits ever posted, in minor units.
pub fn turnover(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT sum(debits) FROM turnover", &[])?)
}

/// How an account is used by entries; discarded drafts use nothing.
pub fn uses(view: &View<'_>, thing: Thing) -> Result<Uses> {
    if thing.kind != chart::ACCOUNT {
        return Ok(Uses::new());
    }
    let id = [thing.id.into()];
    let usage = Usage {
        posted: view.number(
            "SELECT sum(lines) FROM balance_month WHERE account_id=?",
            &id,
        )?,
        drafted: view.number(
            "SELECT count(*) FROM draft_line l JOIN entry e ON e.id=l.entry_id
             WHERE l.account_id=? AND e.status='draft'",
            &id,
        )?,
        balance_minor: balance(view, thing.id)?,
    };
    Ok(usage.into())
}

/// The raw balance of every account that has lines up to and including `as_of`, by account id.
///
/// Units: minor units, debit positive. Cost: the monthly totals and at most one month of lines.
pub fn balances_as_of(view: &View<'_>, as_of: Date) -> Result<BTreeMap<i64, i64>> {
    sums(view, &Span::up_to(as_of), true)
}

/// What every account moved from `start` to `end`, both included, closing entries left out, by account id.
///
/// Units: minor units, debit positive. Cost: the monthly totals and at most two months of lines.
pub fn movements_between(view: &View<'_>, start: Date, end: Date) -> Result<BTreeMap<i64, i64>> {
    sums(view, &Span::between(start, end), false)
}

/// Sums by account over a span, with or without closing entries.
fn sums(view: &View<'_>, span: &Span, closing: bool) -> Result<BTreeMap<i64, i64>> {
    let mut sums: BTreeMap<i64, i64> = BTreeMap::new();
    let mut add = |row: &Row<'_>| {
        let (account, amount) = (row.int(0)?, row.int_or_none(1)?);
        if let Some(amount) = amount {
            let sum = sums.entry(account).or_default();
            *sum = sum
                .checked_add(amount)
                .ok_or_else(|| too_many_digits(account))?;
        }
        Ok(())
    };
    if let Some((from, to)) = span.months {
        let sql = "SELECT account_id, sum(debits)-sum(credits) FROM balance_month
                   WHERE month BETWEEN ?1 AND ?2 AND closing<=?3 GROUP BY account_id";
        view.each(sql, &[from.into(), to.into(), closing.into()], &mut add)?;
    }
    for (from, to) in &span.days {
        let sql = "SELECT a.id, (SELECT sum(l.amount) FROM line l
                   WHERE l.account_id=a.id AND l.date BETWEEN ?1 AND ?2 AND l.closing<=?3) FROM account a";
        view.each(
            sql,
            &[from.number().into(), to.number().into(), closing.into()],
            &mut add,
        )?;
    }
    Ok(sums)
}

/// No posting is let through that leads here, so the tables are not what the journal says.
fn too_many_digits(account_id: i64) -> StoreError {
    StoreError::Damaged(format!(
        "the total of account id {account_id} has more digits than can be kept"
    ))
}

/// The raw balance of one account before a day.
pub fn balance_before(view: &View<'_>, account_id: i64, day: Date) -> Result<i64> {
    let months = view.number(
        "SELECT sum(debits)-sum(credits) FROM balance_month WHERE account_id=? AND month<?",
        &[account_id.into(), day.month_number().into()],
    )?;
    let days = view.number(
        "SELECT sum(amount) FROM line WHERE account_id=? AND date>=? AND date<?",
        &[
            account_id.into(),
            day.month_start().number().into(),
            day.number().into(),
        ],
    )?;
    let sum = months
        .checked_add(days)
        .ok_or_else(|| too_many_digits(account_id))?;
    Ok(sum)
}

/// The day of the first posted entry.
pub fn first_posted(view: &View<'_>) -> Result<Option<Date>> {
    let sql = "SELECT date FROM entry WHERE status='posted' ORDER BY date LIMIT 1";
    Ok(view.first(sql, &[], |row| day(row, 0))?)
}
