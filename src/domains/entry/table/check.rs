//! Sums that verification asks for: the totals that reports read must be what the lines sum to.

use std::collections::BTreeMap;

use super::{class, too_many_digits};
use crate::store::{StoreResult, View};

/// Account, closing and month.
type Month = (i64, i64, i64);

/// Debits and credits in minor units, and lines.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Total(i64, i64, i64);

impl Total {
    fn add(&mut self, other: Total, account_id: i64) -> StoreResult<()> {
        let too_many = || too_many_digits(account_id);
        self.0 = self.0.checked_add(other.0).ok_or_else(too_many)?;
        self.1 = self.1.checked_add(other.1).ok_or_else(too_many)?;
        self.2 += other.2;
        Ok(())
    }
}

/// The monthly totals and the turnover must be what the lines sum to, read by the index that registers use.
pub fn check(view: &View<'_>) -> StoreResult<Option<String>> {
    let mut summed: BTreeMap<Month, Total> = BTreeMap::new();
    let mut debits = 0_i128;
    // Lines of a month stand together, so that almost every one is added to the month at hand.
    let mut at_hand = (Month::default(), Total::default());
    let lines = "SELECT account_id, closing, date, amount FROM line INDEXED BY line_account ORDER BY account_id, date";
    view.each(lines, &[], |row| {
        let (month, amount) = ((row.int(0)?, row.int(1)?, row.int(2)? / 100), row.int(3)?);
        if month != at_hand.0 {
            let (known, total) = std::mem::replace(&mut at_hand, (month, Total::default()));
            summed.entry(known).or_default().add(total, known.0)?;
        }
        let line = Total(amount.max(0), amount.min(0).saturating_neg(), 1);
        debits += i128::from(line.0);
        at_hand.1.add(line, month.0)
    })?;
    let (known, total) = at_hand;
    summed.entry(known).or_default().add(total, known.0)?;
    // Before the first line no month was at hand.
    summed.retain(|_, total| *total != Total::default());
    if i128::from(view.number("SELECT sum(debits) FROM turnover", &[])?) != debits {
        let what = "the turnover is not what the debits of all lines sum to";
        return Ok(Some(what.to_owned()));
    }
    let mut kept = BTreeMap::new();
    let months = "SELECT account_id, closing, month, debits, credits, lines FROM balance_month";
    view.each(months, &[], |row| {
        let total = Total(row.int(3)?, row.int(4)?, row.int(5)?);
        kept.insert((row.int(0)?, row.int(1)?, row.int(2)?), total);
        Ok(())
    })?;
    let wrong = summed
        .keys()
        .chain(kept.keys())
        .find(|month| summed.get(month) != kept.get(month));
    match wrong {
        Some((id, _, _)) => Ok(Some(format!(
            "the monthly totals of account id {id} are not what its lines sum to"
        ))),
        None => class::check(view),
    }
}
