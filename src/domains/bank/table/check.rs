//! Sums that verification asks for: what is marked is a line of the books, and the months count it.

use crate::store::{StoreResult, View};

/// Every marked line is the posted line that it names, and the monthly sums are what the marked lines sum to.
pub fn check(view: &View<'_>) -> StoreResult<Option<String>> {
    let strange = "SELECT count(*) FROM cleared c LEFT JOIN line l ON l.entry_id=c.entry_id AND l.idx=c.idx
                   WHERE l.account_id IS NOT c.account_id OR l.date IS NOT c.date OR l.amount IS NOT c.amount";
    if view.number(strange, &[])? > 0 {
        let what = "a line is marked as cleared that is not in the books";
        return Ok(Some(what.to_owned()));
    }
    let differ = "SELECT count(*) FROM (
                    SELECT account_id, month, lines, amount FROM cleared_month WHERE lines<>0 OR amount<>0
                    EXCEPT SELECT account_id, date/100, count(*), sum(amount) FROM cleared GROUP BY account_id, date/100)";
    let missing = "SELECT count(*) FROM (
                    SELECT account_id, date/100, count(*), sum(amount) FROM cleared GROUP BY account_id, date/100
                    EXCEPT SELECT account_id, month, lines, amount FROM cleared_month)";
    if view.number(differ, &[])? + view.number(missing, &[])? > 0 {
        let what = "the monthly sums of cleared lines are not what those lines sum to";
        return Ok(Some(what.to_owned()));
    }
    Ok(None)
}
