//! The running balance as a witness: does it move as the amounts say, in file order or reversed? It changes no row.

use crate::{domains::import::reading::BankRow, model::Date};

/// What the balances of a file say about its amounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// They agree, or there are too few to say.
    Agrees,
    /// They agree with every amount's sign turned: a liability's balance, or signs read wrongly.
    Turned,
    /// They break; the line of the first break.
    Breaks(u64),
}

/// One reading of the balances.
#[derive(Clone, Copy, Default)]
struct Path {
    breaks: u64,
    first_break: Option<u64>,
}

impl Path {
    fn step(&mut self, holds: bool, line: u64) {
        if !holds {
            self.breaks += 1;
            self.first_break.get_or_insert(line);
        }
    }
}

/// Walks the rows in file order. Sums are `i128`: no file has enough rows of fourteen digits to overflow one.
#[derive(Default)]
pub(super) struct BalanceWalk {
    previous: Option<i128>,
    /// Amounts since the previous balance: with this row, for files that begin with the oldest row.
    moved_after: i128,
    /// Amounts from the previous balance's own row on, without this row, for files that begin with the newest.
    moved_before: i128,
    oldest_first: [Path; 2],
    newest_first: [Path; 2],
    first_date: Option<Date>,
    last_date: Option<Date>,
}

impl BalanceWalk {
    /// Takes the next row. Rows without a balance only move the next one.
    pub fn take(&mut self, row: &BankRow) {
        self.first_date.get_or_insert(row.date);
        self.last_date = Some(row.date);
        let amount = i128::from(row.amount_minor);
        self.moved_after += amount;
        let Some(balance) = row.balance_minor.map(i128::from) else {
            self.moved_before += amount;
            return;
        };
        if let Some(previous) = self.previous {
            for (turned, sign) in [1, -1].into_iter().enumerate() {
                let up = balance - previous == sign * self.moved_after;
                let down = previous - balance == sign * self.moved_before;
                self.oldest_first[turned].step(up, row.line);
                self.newest_first[turned].step(down, row.line);
            }
        }
        self.previous = Some(balance);
        self.moved_after = 0;
        self.moved_before = amount;
    }

    /// What the balances said. The dates tell the direction; where they do not, both are tried.
    pub fn verdict(&self) -> Verdict {
        let paths: &[[Path; 2]] = match self.first_date.cmp(&self.last_date) {
            std::cmp::Ordering::Less => &[self.oldest_first],
            std::cmp::Ordering::Greater => &[self.newest_first],
            std::cmp::Ordering::Equal => &[self.oldest_first, self.newest_first],
        };
        let holds = |turned: usize| paths.iter().any(|path| path[turned].breaks == 0);
        if holds(0) {
            return Verdict::Agrees;
        }
        if holds(1) {
            return Verdict::Turned;
        }
        let nearest = paths.iter().flatten().min_by_key(|path| path.breaks);
        match nearest.and_then(|path| path.first_break) {
            Some(line) => Verdict::Breaks(line),
            None => Verdict::Agrees,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(rows: &[(u32, i64, Option<i64>)]) -> Verdict {
        let mut walk = BalanceWalk::default();
        for (line, (day, amount_minor, balance_minor)) in (2..).zip(rows) {
            walk.take(&BankRow {
                line,
                date: Date::new(2026, 10, *day).expect("a day"),
                amount_minor: *amount_minor,
                description: String::new(),
                text_cleaned: false,
                raw: String::new(),
                bank_id: None,
                check_number: None,
                merchant: String::new(),
                balance_minor: *balance_minor,
            });
        }
        walk.verdict()
    }

    /// spec/domain.md §10.3, running balance: `bal_i = bal_{i−1} ± amount` in file order or reversed; a break has a line.
    #[test]
    fn running_balance() {
        let oldest = [
            (1, 100, Some(1_100)),
            (2, -30, Some(1_070)),
            (3, 5, Some(1_075)),
        ];
        assert_eq!(walk(&oldest), Verdict::Agrees);
        let mut newest = oldest;
        newest.reverse();
        assert_eq!(walk(&newest), Verdict::Agrees);
        let owed = [(1, -100, Some(600)), (2, 30, Some(570)), (3, -5, Some(575))];
        assert_eq!(walk(&owed), Verdict::Turned);
        let broken = [
            (1, 100, Some(1_100)),
            (2, -30, Some(1_070)),
            (3, 5, Some(1_074)),
        ];
        assert_eq!(walk(&broken), Verdict::Breaks(4));
        let gap = [(1, 100, Some(1_100)), (2, -30, None), (3, 5, Some(1_075))];
        assert_eq!(walk(&gap), Verdict::Agrees);
        let gap_reversed = [(3, 5, Some(1_075)), (2, -30, None), (1, 100, Some(1_100))];
        assert_eq!(walk(&gap_reversed), Verdict::Agrees);
        let same_day_newest = [(1, -30, Some(1_070)), (1, 100, Some(1_100))];
        assert_eq!(walk(&same_day_newest), Verdict::Agrees);
        assert_eq!(walk(&[]), Verdict::Agrees);
        assert_eq!(walk(&[(1, 5, Some(7))]), Verdict::Agrees);
    }
}
