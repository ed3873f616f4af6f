//! The questions of cash flow and of what is brought in: opening entries, and the entries that move some accounts.

use std::collections::BTreeSet;

use super::day;
use crate::{
    engine::Result,
    model::{Date, Line, Origin},
    store::{Row, View},
};

/// A posted entry that moves one of the accounts asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    /// Its id.
    pub id: i64,
    /// Whether it undoes another: a reversal, but not the reversal of one.
    pub undoes: bool,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// The entries between two days, both included, that have a line on one of the accounts, closing entries left out; in the
/// order of their ids.
///
/// Cost: the entries found, whatever else there is.
pub fn touching(
    view: &View<'_>,
    accounts: &[i64],
    (start, end): (Date, Date),
) -> Result<Vec<Touched>> {
    let sql = "SELECT DISTINCT l.entry_id FROM json_each(?1) a CROSS JOIN line l
               ON l.account_id=a.value AND l.date BETWEEN ?2 AND ?3 AND l.closing=0 ORDER BY 1";
    let list = serde_json::Value::from(accounts).to_string();
    let values = [
        list.as_str().into(),
        start.number().into(),
        end.number().into(),
    ];
    let ids = view.rows(sql, &values, |row| row.int(0))?;
    let mut touched = Vec::with_capacity(ids.len());
    for id in ids {
        touched.push(Touched {
            id,
            undoes: undoes(view, id)?,
            lines: super::lines(view, id)?,
        });
    }
    Ok(touched)
}

/// Whether an entry undoes another: an odd number of reversals leads back to one that is none.
fn undoes(view: &View<'_>, id: i64) -> Result<bool> {
    let (mut undoes, mut at) = (false, id);
    let sql = "SELECT reverses FROM entry WHERE id=?";
    // An entry reverses an earlier one only, so this ends.
    while let Some(target) = view
        .first(sql, &[at.into()], |row| row.int_or_none(0))?
        .flatten()
    {
        undoes = !undoes;
        at = target;
    }
    Ok(undoes)
}

/// The posted entries that brought balances in, and what reverses one, all the way.
pub fn openings(view: &View<'_>) -> Result<BTreeSet<i64>> {
    let sql = format!(
        "WITH RECURSIVE opening(id) AS (
           SELECT id FROM entry WHERE origin='{opening}' AND status='posted'
           UNION SELECT e.id FROM opening o CROSS JOIN entry e ON e.reverses=o.id)
         SELECT id FROM opening",
        opening = Origin::Opening.word()
    );
    let ids = view.rows(&sql, &[], |row| row.int(0))?;
    Ok(ids.into_iter().collect())
}

/// How many drafts are dated on or before a day.
pub fn drafts_through(view: &View<'_>, day: Date) -> Result<i64> {
    let sql = "SELECT count(*) FROM entry WHERE status='draft' AND date<=?";
    Ok(view.number(sql, &[day.number().into()])?)
}

/// The day and the id of the first posted entry that brings no balances in.
pub fn first_activity(view: &View<'_>) -> Result<Option<(Date, i64)>> {
    let sql = format!(
        "SELECT date, id FROM entry WHERE status='posted' AND origin<>'{}' ORDER BY date, id LIMIT 1",
        Origin::Opening.word()
    );
    let found = |row: &Row<'_>| Ok((day(row, 0)?, row.int(1)?));
    Ok(view.first(&sql, &[], found)?)
}
