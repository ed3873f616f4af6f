//! Which rows a blank balance makes pending: those on the newest side of every row that has one. It reads no amounts.

use crate::domains::import::reading::{DateOrder, day, lines::Lines};

/// The lines on which a row without a balance has not settled yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Unsettled {
    /// None: blank balances say nothing.
    #[default]
    Nowhere,
    /// Those above this line; the file begins with the newest row.
    Above(u64),
    /// Those below this line; the file begins with the oldest row.
    Below(u64),
}

impl Unsettled {
    /// Whether a row without a balance on this line is pending.
    pub fn holds(self, line: u64) -> bool {
        match self {
            Unsettled::Nowhere => false,
            Unsettled::Above(first) => line < first,
            Unsettled::Below(last) => line > last,
        }
    }
}

/// Which rows have a balance and which have none, in file order.
#[derive(Default)]
pub(super) struct Balances {
    /// The first and the last line that has a balance.
    shown: Option<(u64, u64)>,
    /// Lines without one, below the first that has one.
    blank_below: Lines,
    /// Lines without one, above the last that has one.
    blank_above: Lines,
    /// Lines without one since the last that has one.
    blank_since: Lines,
    /// The first and the last row's date, as written.
    dates: Option<(String, String)>,
}

impl Balances {
    /// Takes the next row that moves money.
    pub fn take(&mut self, line: u64, date: &str, has_balance: bool) {
        match &mut self.dates {
            None => self.dates = Some((date.to_owned(), date.to_owned())),
            Some((_, last)) => date.clone_into(last),
        }
        if has_balance {
            let first = self.shown.map_or(line, |(first, _)| first);
            self.shown = Some((first, line));
            self.blank_above
                .append(&std::mem::take(&mut self.blank_since));
            return;
        }
        self.blank_since.push(line);
        if self.shown.is_some() {
            self.blank_below.push(line);
        }
    }

    /// What the whole file says. Where its dates tell no direction the newest row is taken to stand first, as in the files of
    /// the banks that leave pending balances blank.
    pub fn settle(&self, order: DateOrder, notes: &mut Vec<String>) -> Unsettled {
        let Some((first, last)) = self.shown else {
            if !self.blank_since.is_empty() {
                notes.push(
                    "no row shows a balance, so which rows are pending could not be checked; every row was taken"
                        .to_owned(),
                );
            }
            return Unsettled::Nowhere;
        };
        let read = |text: &str| day::day(text, order).ok();
        let oldest_first = self
            .dates
            .as_ref()
            .and_then(|(first, last)| Some(read(first)? < read(last)?))
            .unwrap_or(false);
        let (unsettled, blank, side) = if oldest_first {
            (Unsettled::Below(last), &self.blank_above, "above")
        } else {
            (Unsettled::Above(first), &self.blank_below, "below")
        };
        if !blank.is_empty() {
            notes.push(format!(
                "no balance stands on {blank}, {side} settled rows; what stands there was taken as settled too"
            ));
        }
        unsettled
    }
}
