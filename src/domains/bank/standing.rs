//! How an account stands to a statement: what the books hold through its day, what of it is cleared, and what is not.

use super::table::{self, ClearedLine, Month, Reconciliation};
use super::views::StatementLine;
use crate::{
    domains::{
        chart::Account,
        entry::{self, Movement},
    },
    engine::{Reader, Result, Window},
    model::Date,
    store::StoreError,
};

/// An account on a day.
pub struct Standing {
    /// The account.
    pub account: Account,
    /// The last reconciliation that is not voided.
    pub last: Option<Reconciliation>,
    /// The balance through that day, in minor units, positive on the normal side.
    pub book_minor: i64,
    /// The same of the cleared lines alone.
    pub cleared_minor: i64,
    /// How many lines are not cleared.
    pub uncleared: i64,
    /// The cleared lines that the last reconciliation does not hold, in date order.
    pub fresh: Vec<ClearedLine>,
    brought_in: Vec<ClearedLine>,
    months: Vec<Month>,
}

/// Where the sums of the books would have more digits than any posting lets through.
fn too_many_digits() -> StoreError {
    StoreError::Damaged("the sums of an account have more digits than can be kept".to_owned())
}

fn sum(amounts: impl Iterator<Item = i64>) -> Result<i64> {
    let sum: i128 = amounts.map(i128::from).sum();
    Ok(i64::try_from(sum).map_err(|_| too_many_digits())?)
}

impl Standing {
    /// The account through a day.
    ///
    /// Cost: its months, the lines of one month, and what is cleared and not reconciled yet.
    pub fn of(books: &Reader<'_>, account: Account, through: Date) -> Result<Standing> {
        let view = books.view();
        let months = table::months(&view, account.id, through)?;
        let brought_in = table::brought_in(&view, account.id, through)?;
        let last = table::last_live(&view, account.id)?;
        let mut fresh = table::marked_since(&view, account.id, (last.as_ref(), through))?;
        let held = |line: &ClearedLine| {
            let by = |last: &Reconciliation| line.date <= last.date && line.seq < last.seq;
            last.as_ref().is_some_and(by)
        };
        let more = fresh.len();
        fresh.extend(brought_in.iter().filter(|line| !held(line)));
        if fresh.len() > more {
            fresh.sort_unstable();
        }
        let opened = brought_in.iter().map(|line| line.amount_minor);
        let cleared = sum(months.iter().map(|month| month.marked_minor).chain(opened))?;
        let book = sum(months.iter().map(|month| month.minor))?;
        let mut standing = Standing {
            book_minor: account.kind.shown(book),
            cleared_minor: account.kind.shown(cleared),
            account,
            last,
            uncleared: 0,
            fresh,
            brought_in,
            months,
        };
        standing.uncleared = standing
            .months
            .iter()
            .map(|month| standing.open(month))
            .sum();
        Ok(standing)
    }

    /// How many lines of a month are not cleared.
    fn open(&self, month: &Month) -> i64 {
        let (first, last) = month.days;
        let within = |line: &&ClearedLine| (first..=last).contains(&line.date.number());
        let opened = self.brought_in.iter().filter(within).count();
        month.lines - month.marked - i64::try_from(opened).unwrap_or(i64::MAX)
    }

    /// The cleared lines before a day, and those by which balances were brought in, whatever their day; where nothing is
    /// reconciled yet. In minor units, positive on the normal side.
    pub fn before_minor(&self, start: Date) -> Result<i64> {
        let before = self
            .fresh
            .iter()
            .filter(|line| line.date < start || self.brought_in.contains(line));
        let raw = sum(before.map(|line| line.amount_minor))?;
        Ok(self.account.kind.shown(raw))
    }

    /// The balances brought in, in minor units, positive on the normal side.
    pub fn brought_minor(&self) -> Result<i64> {
        let raw = sum(self.brought_in.iter().map(|line| line.amount_minor))?;
        Ok(self.account.kind.shown(raw))
    }

    /// The first line that is not cleared and would bring the cleared balance by so much down.
    pub fn making_up(
        &self,
        books: &Reader<'_>,
        difference_minor: i64,
    ) -> Result<Option<(i64, i64)>> {
        let Some(wanted) = difference_minor.checked_neg() else {
            return Ok(None);
        };
        let wanted = self.account.kind.shown(wanted);
        for month in self.months.iter().filter(|month| self.open(month) > 0) {
            let found = table::with_amount(&books.view(), self.account.id, month.days, wanted)?;
            if let Some(line) = found {
                return Ok(Some((line.entry_id, line.line_index)));
            }
        }
        Ok(None)
    }

    /// A part of the lines that are not cleared, in date order.
    ///
    /// Cost: the months that the part reaches into; what lies before them is passed over unread.
    pub fn uncleared_lines(
        &self,
        books: &Reader<'_>,
        window: Window,
    ) -> Result<Vec<StatementLine>> {
        let mut lines = Vec::new();
        let mut skip = i64::from(window.offset);
        for month in &self.months {
            let open = self.open(month);
            let left = match window.limit {
                None => i64::MAX,
                Some(limit) => i64::from(limit) - i64::try_from(lines.len()).unwrap_or(i64::MAX),
            };
            if left <= 0 {
                break;
            }
            if open <= skip {
                skip -= open;
                continue;
            }
            let part = (left, std::mem::take(&mut skip));
            for line in table::uncleared(&books.view(), self.account.id, month.days, part)? {
                let place = (line.entry_id, line.line_index);
                lines.push(statement_line(
                    books,
                    place,
                    (line.date, line.amount_minor),
                )?);
            }
        }
        Ok(lines)
    }

    /// A part of the cleared lines that the last reconciliation does not hold.
    pub fn cleared_lines(&self, books: &Reader<'_>, window: Window) -> Result<Vec<StatementLine>> {
        let lines = window.cut(self.fresh.clone()).into_iter().map(|line| {
            let place = (line.entry_id, line.line_index);
            statement_line(books, place, (line.date, line.amount_minor))
        });
        lines.collect()
    }
}

fn statement_line(
    books: &Reader<'_>,
    (entry_id, line_index): (i64, i64),
    (date, amount_minor): (Date, i64),
) -> Result<StatementLine> {
    Ok(StatementLine {
        entry_id,
        line_index,
        date,
        description: entry::by_id(&books.view(), entry_id)?.description,
        moves: Movement::of(books.currency(), amount_minor, None),
    })
}
