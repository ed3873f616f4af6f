//! The question of the receipt policy to the entries' tables: what else was posted on a day to an account.

use crate::{engine::Result, model::Date, store::View};

/// A posted entry of the same day.
pub struct Neighbour {
    /// Its id.
    pub id: i64,
    /// Its description.
    pub description: String,
}

/// The live postings of a day that debit an account: not reversed, no reversals. In the order of their ids.
///
/// Cost: the day's lines of that one account, by the index of accounts and days; it does not grow with history.
pub fn neighbours(view: &View<'_>, account_id: i64, date: Date) -> Result<Vec<Neighbour>> {
    let sql = "SELECT e.id, e.description
               FROM (SELECT DISTINCT entry_id FROM line WHERE account_id=? AND date=? AND amount>0) l
               CROSS JOIN entry e ON e.id=l.entry_id
               WHERE e.reversed_by IS NULL AND e.reverses IS NULL ORDER BY e.id";
    let values = [account_id.into(), date.number().into()];
    Ok(view.rows(sql, &values, |row| {
        Ok(Neighbour {
            id: row.int(0)?,
            description: row.text(1)?,
        })
    })?)
}

/// How many live postings of a day debit an account, counted up to `most`.
pub fn crowd(view: &View<'_>, account_id: i64, date: Date, most: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM line WHERE account_id=? AND date=? AND amount>0 LIMIT ?)";
    let values = [account_id.into(), date.number().into(), most.into()];
    Ok(view.number(sql, &values)?)
}
