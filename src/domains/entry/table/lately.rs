//! The questions of a digest: what was posted from some event on, what that comes to, and which drafts wait. Which event that
//! is, is not known here.

use super::{day, origin, too_many_digits};
use crate::{
    engine::{Result, Window},
    model::{Date, Origin},
    store::{Row, StoreResult, View},
};

/// A posted entry in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostedEntry {
    /// Its id.
    pub id: i64,
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: String,
    /// What made it.
    pub origin: Origin,
    /// The sum of its debits, in minor units.
    pub total_minor: i64,
    /// The event that posted it.
    pub seq: i64,
}

/// What some postings come to on one account, in minor units, neither negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turnover {
    /// The account.
    pub account_id: i64,
    /// The sum of the debits.
    pub debits_minor: i64,
    /// The sum of the credits.
    pub credits_minor: i64,
}

/// A draft in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingDraft {
    /// Its id.
    pub id: i64,
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: String,
}

const SINCE: &str = "status='posted' AND seq>=?1";

/// A page of the entries posted from event `seq` on, the last posted first, and how many there are.
pub fn posted_since(view: &View<'_>, seq: i64, window: Window) -> Result<(Vec<PostedEntry>, i64)> {
    let total = view.number(
        &format!("SELECT count(*) FROM entry WHERE {SINCE}"),
        &[seq.into()],
    )?;
    let page = format!(
        "SELECT e.id, e.date, e.description, e.origin, e.seq,
         (SELECT sum(amount) FROM line l WHERE l.entry_id=e.id AND l.amount>0)
         FROM entry e WHERE {SINCE} ORDER BY seq DESC LIMIT ?2 OFFSET ?3"
    );
    let posted = |row: &Row<'_>| -> StoreResult<PostedEntry> {
        Ok(PostedEntry {
            id: row.int(0)?,
            date: day(row, 1)?,
            description: row.text(2)?,
            origin: origin(row, 3)?,
            seq: row.int(4)?,
            total_minor: row.int_or_none(5)?.unwrap_or(0),
        })
    };
    let limit = window.limit.map_or(-1, i64::from);
    let values = [seq.into(), limit.into(), i64::from(window.offset).into()];
    Ok((view.rows(&page, &values, posted)?, total))
}

/// What the entries posted from event `seq` on come to, an account each, in the order of ids.
pub fn turnover_since(view: &View<'_>, seq: i64) -> Result<Vec<Turnover>> {
    // The entries are found first, by their index; a join in the other order would read every line.
    let sql = format!(
        "SELECT l.account_id, sum(CASE WHEN l.amount>0 THEN l.amount END), sum(CASE WHEN l.amount<0 THEN l.amount END)
         FROM entry e CROSS JOIN line l ON l.entry_id=e.id WHERE {SINCE} GROUP BY l.account_id"
    );
    let turnover = |row: &Row<'_>| -> StoreResult<Turnover> {
        let account_id = row.int(0)?;
        let credits = row.int_or_none(2)?.unwrap_or(0);
        Ok(Turnover {
            account_id,
            debits_minor: row.int_or_none(1)?.unwrap_or(0),
            credits_minor: credits
                .checked_neg()
                .ok_or_else(|| too_many_digits(account_id))?,
        })
    };
    Ok(view.rows(&sql, &[seq.into()], turnover)?)
}

/// The drafts that wait, the first made first, at most `limit` of them; and how many there are.
pub fn drafts(view: &View<'_>, limit: u32) -> Result<(Vec<WaitingDraft>, i64)> {
    let total = view.number("SELECT count(*) FROM entry WHERE status='draft'", &[])?;
    let sql = "SELECT id, date, description FROM entry WHERE status='draft' ORDER BY id LIMIT ?";
    let draft = |row: &Row<'_>| -> StoreResult<WaitingDraft> {
        Ok(WaitingDraft {
            id: row.int(0)?,
            date: day(row, 1)?,
            description: row.text(2)?,
        })
    };
    Ok((view.rows(sql, &[i64::from(limit).into()], draft)?, total))
}
