//! What of an account is not cleared: months first, then the lines of those months that hold any.

use super::day;
use crate::{
    engine::Result,
    model::Date,
    store::{Row, StoreResult, View},
};

/// A month of an account, or the part of it up to a day: its lines, and those of them that were marked as cleared.
///
/// Units: minor units, debit positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Month {
    /// Its first and its last day, as `YYYYMMDD`.
    pub days: (i64, i64),
    /// How many lines it has.
    pub lines: i64,
    /// What they sum to.
    pub minor: i64,
    /// How many of them are marked.
    pub marked: i64,
    /// What these sum to.
    pub marked_minor: i64,
}

/// The months of an account up to a day; the last one only up to that day.
///
/// Cost: the monthly totals, and the lines of one month.
pub fn months(view: &View<'_>, account_id: i64, through: Date) -> Result<Vec<Month>> {
    let sql = "SELECT b.month, sum(b.lines), sum(b.debits)-sum(b.credits), coalesce(max(c.lines),0), coalesce(max(c.amount),0)
               FROM balance_month b LEFT JOIN cleared_month c ON c.account_id=b.account_id AND c.month=b.month
               WHERE b.account_id=?1 AND b.month<?2 GROUP BY b.month ORDER BY b.month";
    let values = [account_id.into(), through.month_number().into()];
    let mut months = view.rows(sql, &values, |row| {
        let month = row.int(0)?;
        month_of((month * 100 + 1, month * 100 + 31), row)
    })?;
    let days = (through.month_start().number(), through.number());
    let sql = "SELECT 0, count(*), coalesce(sum(amount),0),
                 (SELECT count(*) FROM cleared WHERE account_id=?1 AND date BETWEEN ?2 AND ?3),
                 (SELECT coalesce(sum(amount),0) FROM cleared WHERE account_id=?1 AND date BETWEEN ?2 AND ?3)
               FROM line WHERE account_id=?1 AND date BETWEEN ?2 AND ?3";
    let values = [account_id.into(), days.0.into(), days.1.into()];
    months.extend(view.first(sql, &values, |row| month_of(days, row))?);
    Ok(months)
}

fn month_of(days: (i64, i64), row: &Row<'_>) -> StoreResult<Month> {
    Ok(Month {
        days,
        lines: row.int(1)?,
        minor: row.int(2)?,
        marked: row.int(3)?,
        marked_minor: row.int(4)?,
    })
}

/// A line that is not cleared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenLine {
    /// Its entry.
    pub entry_id: i64,
    /// Its place.
    pub line_index: i64,
    /// Its day.
    pub date: Date,
    /// Its signed amount, debit positive.
    pub amount_minor: i64,
}

const OPEN: &str = "SELECT l.entry_id, l.idx, l.date, l.amount FROM line l
    WHERE l.account_id=?1 AND l.date BETWEEN ?2 AND ?3
    AND NOT EXISTS (SELECT 1 FROM cleared c WHERE c.entry_id=l.entry_id AND c.idx=l.idx)
    AND l.entry_id NOT IN (WITH RECURSIVE opening(id) AS (
        SELECT id FROM entry WHERE origin='opening' AND status='posted'
        UNION SELECT e.id FROM opening o CROSS JOIN entry e ON e.reverses=o.id) SELECT id FROM opening)";

fn open_of(row: &Row<'_>) -> StoreResult<OpenLine> {
    Ok(OpenLine {
        entry_id: row.int(0)?,
        line_index: row.int(1)?,
        date: day(row, 2)?,
        amount_minor: row.int(3)?,
    })
}

/// A part of the lines of an account between two days that are not cleared, in date order.
pub fn uncleared(
    view: &View<'_>,
    account_id: i64,
    days: (i64, i64),
    (limit, offset): (i64, i64),
) -> Result<Vec<OpenLine>> {
    let sql = format!("{OPEN} ORDER BY l.date, l.entry_id, l.idx LIMIT ?4 OFFSET ?5");
    let values = [
        account_id.into(),
        days.0.into(),
        days.1.into(),
        limit.into(),
        offset.into(),
    ];
    Ok(view.rows(&sql, &values, open_of)?)
}

/// The first line between two days that is not cleared and has this amount.
pub fn with_amount(
    view: &View<'_>,
    account_id: i64,
    days: (i64, i64),
    amount_minor: i64,
) -> Result<Option<OpenLine>> {
    let sql = format!("{OPEN} AND l.amount=?4 ORDER BY l.date, l.entry_id, l.idx LIMIT 1");
    let values = [
        account_id.into(),
        days.0.into(),
        days.1.into(),
        amount_minor.into(),
    ];
    Ok(view.first(&sql, &values, open_of)?)
}
