//! The question of registers: a part of one account's posted lines, with what lies before it and what all of them move.

use super::{
    day,
    lines::{COLUMNS, line},
};
use crate::{
    engine::{Result, Window},
    model::{Date, Line},
    store::{Val, View},
};

/// A line of an account's register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegisterLine {
    /// Its entry.
    pub entry_id: i64,
    /// Its place in the entry.
    pub line_index: i64,
    /// Its day.
    pub date: Date,
    /// The entry's description.
    pub description: String,
    /// The line itself.
    pub line: Line,
}

/// A part of the posted lines of an account between two days.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegisterPart {
    /// How many lines there are between the days.
    pub total: i64,
    /// What all of them sum to, debit positive.
    pub moved_minor: i64,
    /// What those before this part sum to.
    pub before_minor: i64,
    /// The lines of this part.
    pub lines: Vec<RegisterLine>,
}

const BETWEEN: &str = "FROM line WHERE account_id=?1 AND date BETWEEN ?2 AND ?3";
const ORDER: &str = "ORDER BY date, entry_id, idx";

/// The posted lines of an account between two days, both included, in date order, cut to `window`.
///
/// Units: minor units, debit positive. Cost: the lines outside the window are summed in the index that covers them.
pub fn register(
    view: &View<'_>,
    account_id: i64,
    (start, end): (Date, Date),
    window: Window,
) -> Result<RegisterPart> {
    let days: [Val<'_>; 3] = [
        account_id.into(),
        start.number().into(),
        end.number().into(),
    ];
    let [account, from, to] = days;
    let offset = i64::from(window.offset);
    let before = format!("SELECT sum(amount) FROM (SELECT amount {BETWEEN} {ORDER} LIMIT ?4)");
    // The part is cut in the index first, so that descriptions, and the rest of a line, are looked up for its own lines only.
    let part = format!(
        "SELECT {COLUMNS}, l.entry_id, l.idx, l.date, e.description
         FROM (SELECT entry_id, idx, date {BETWEEN} {ORDER} LIMIT ?4 OFFSET ?5) l
         CROSS JOIN entry e ON e.id=l.entry_id
         CROSS JOIN line whole ON whole.entry_id=l.entry_id AND whole.idx=l.idx
         ORDER BY l.date, l.entry_id, l.idx"
    );
    // SQLite takes a negative limit for none.
    let limit = window.limit.map_or(-1, i64::from);
    let lines = view.rows(
        &part,
        &[account, from, to, limit.into(), offset.into()],
        |row| {
            Ok(RegisterLine {
                entry_id: row.int(6)?,
                line_index: row.int(7)?,
                date: day(row, 8)?,
                description: row.text(9)?,
                line: line(row)?,
            })
        },
    )?;
    Ok(RegisterPart {
        total: view.number(&format!("SELECT count(*) {BETWEEN}"), &days)?,
        moved_minor: view.number(&format!("SELECT sum(amount) {BETWEEN}"), &days)?,
        before_minor: view.number(&before, &[account, from, to, offset.into()])?,
        lines,
    })
}
