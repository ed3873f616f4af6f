//! The running balance as a witness: does it move as the amounts say, in file order or reversed? It changes no row.

use crate::{
    domains::import::reading::{BankRow, rows::Edge},
    model::Date,
};

/// What the balances of a file say about its amounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// They agree, or there are too few to say.
    Agrees,
    /// They agree with every amount's sign turned: a liability's balance, or signs read wrongly.
    Turned,
    /// They break, first here.
    Breaks(Break),
}

/// A balance that the amounts do not lead to, in minor units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Break {
    /// The line on which it stands.
    pub line: u64,
    /// The balance there.
    pub shown: i128,
    /// What the balance before it and the amounts come to.
    pub due: i128,
}

/// One reading of the balances.
#[derive(Clone, Copy, Default)]
struct Path {
    breaks: u64,
    first_break: Option<Break>,
}

impl Path {
    fn step(&mut self, found: Break) {
        if found.shown != found.due {
            self.breaks += 1;
            self.first_break.get_or_insert(found);
        }
    }
}

/// The balances walked in one direction of time.
#[derive(Default)]
struct Walk {
    previous: Option<i128>,
    /// Amounts between the previous balance and the next: with the next one's row where the oldest row stands first, with
    /// the previous one's row where the newest does.
    moved: i128,
    /// As the amounts stand, and with every sign turned.
    paths: [Path; 2],
}

impl Walk {
    /// Holds a balance against the previous one: the older may only differ from the newer by what moved.
    fn stand(&mut self, line: u64, balance: i128, newest_first: bool) {
        if let Some(previous) = self.previous.replace(balance) {
            let moved = if newest_first {
                -self.moved
            } else {
                self.moved
            };
            for (path, sign) in self.paths.iter_mut().zip([1, -1]) {
                path.step(Break {
                    line,
                    shown: balance,
                    due: previous + sign * moved,
                });
            }
        }
        self.moved = 0;
    }
}

/// Walks the rows in file order. Sums are `i128`: no file has enough rows of fourteen digits to overflow one.
#[derive(Default)]
pub(super) struct BalanceWalk {
    oldest_first: Walk,
    newest_first: Walk,
    first_date: Option<Date>,
    last_date: Option<Date>,
    /// Whether the oldest row stands first, as the first balance that is told by itself shows by its place.
    told_oldest_first: Option<bool>,
}

impl BalanceWalk {
    /// Takes the next row. Rows without a balance only move the next one.
    pub fn take(&mut self, row: &BankRow) {
        self.first_date.get_or_insert(row.date);
        self.last_date = Some(row.date);
        let amount = i128::from(row.amount_minor);
        self.oldest_first.moved += amount;
        if let Some(balance) = row.balance_minor.map(i128::from) {
            self.oldest_first.stand(row.line, balance, false);
            self.newest_first.stand(row.line, balance, true);
        }
        self.newest_first.moved += amount;
    }

    /// Takes a balance that is told by itself. At the beginning of time it stands before the oldest row, at the end behind
    /// the newest, so in each direction it either starts the walk or ends it.
    pub fn told(&mut self, line: u64, edge: Edge, balance_minor: i64) {
        let balance = i128::from(balance_minor);
        let begins = edge == Edge::Beginning;
        self.told_oldest_first
            .get_or_insert(begins == self.first_date.is_none());
        for (walk, starts, newest_first) in [
            (&mut self.oldest_first, begins, false),
            (&mut self.newest_first, !begins, true),
        ] {
            if starts == walk.previous.is_none() {
                walk.stand(line, balance, newest_first);
            }
        }
    }

    /// What the balances said. The dates tell the direction, else the place of a balance told by itself; else both are tried.
    pub fn verdict(&self) -> Verdict {
        let (oldest, newest) = (self.oldest_first.paths, self.newest_first.paths);
        let paths: &[[Path; 2]] = match self.first_date.cmp(&self.last_date) {
            std::cmp::Ordering::Less => &[oldest],
            std::cmp::Ordering::Greater => &[newest],
            std::cmp::Ordering::Equal => match self.told_oldest_first {
                Some(true) => &[oldest],
                Some(false) => &[newest],
                None => &[oldest, newest],
            },
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
            Some(found) => Verdict::Breaks(found),
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
                fee_minor: 0,
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
        let at = Break {
            line: 4,
            shown: 1_074,
            due: 1_075,
        };
        assert_eq!(walk(&broken), Verdict::Breaks(at));
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
