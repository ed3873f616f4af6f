//! What an import found in a bank's file: what becomes of each row, counts, and what a person should know. It reads nothing.

use std::collections::BTreeMap;

use super::{
    reading::{AmountSign, BankRow, DateOrder, DecimalStyle, LayoutName, Reading, Skipped},
    shown::DraftRow,
};
use crate::{
    domains::class::Class,
    engine::{No, Result},
    model::Refusal,
};

/// An account that an import books to, as events and pages name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedAccount {
    /// Its id.
    pub id: i64,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
}

/// The account of a row's other side, and the class of its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offset {
    /// The account.
    pub account: NamedAccount,
    /// The class.
    pub class: Option<Class>,
}

/// What becomes of one row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It is in the books already.
    Known,
    /// It becomes a draft against this one of the offset accounts, perhaps in the place of a discarded draft.
    New {
        /// Which of the offset accounts, from 0.
        offset: usize,
        /// The discarded draft.
        again: Option<i64>,
    },
}

/// What becomes of each row, in the file's order; a few bytes a row.
#[derive(Default)]
pub struct Marks {
    /// The offset account of each row, or [`Marks::KNOWN`].
    places: Vec<u16>,
    /// The discarded drafts in whose place rows come, by the rows' place.
    again: BTreeMap<usize, i64>,
}

impl Marks {
    /// A row that is in the books already. There are no more than a thousand rules, so no account has this place.
    const KNOWN: u16 = u16::MAX;

    /// Takes the next row's.
    fn push(&mut self, mark: Mark) -> Result<()> {
        let place = match mark {
            Mark::Known => Marks::KNOWN,
            Mark::New { offset, again } => {
                if let Some(entry_id) = again {
                    self.again.insert(self.places.len(), entry_id);
                }
                let place = u16::try_from(offset).ok().filter(|at| *at != Marks::KNOWN);
                place.ok_or_else(|| No::Fault("more rules than can be told apart".to_owned()))?
            }
        };
        self.places.push(place);
        Ok(())
    }

    /// Whether the file has no row.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Each row's.
    pub fn iter(&self) -> impl Iterator<Item = Mark> + '_ {
        self.places.iter().enumerate().map(|(row, place)| {
            if *place == Marks::KNOWN {
                return Mark::Known;
            }
            Mark::New {
                offset: usize::from(*place),
                again: self.again.get(&row).copied(),
            }
        })
    }
}

/// A file that was read whole and found good.
pub struct Judged {
    /// What becomes of each row, in the file's order.
    pub marks: Marks,
    /// The layout by which it was read.
    pub layout: LayoutName,
    /// How its dates, amounts and signs were read.
    pub settled: (DateOrder, DecimalStyle, AmountSign),
    /// How many rows become drafts.
    pub imported: usize,
    /// How many rows are known already.
    pub duplicates: usize,
    /// How many of those are known by a discarded draft.
    pub discarded: usize,
    /// How many records are no transactions.
    pub skipped: usize,
    /// The first of those.
    pub skipped_rows: Vec<Skipped>,
    /// How many new rows lost characters that nobody can see, or that are over the limit.
    pub text_cleaned: usize,
    /// How many new rows no rule claims.
    pub unclaimed: usize,
    /// How many new rows have a fee beside another amount.
    pub fees: usize,
    /// Money in, in minor units.
    pub in_minor: i64,
    /// Money out, in minor units and positive.
    pub out_minor: i64,
    /// The first rows that become drafts.
    pub drafts: Vec<DraftRow>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// What may be wrong with importing these rows here.
    pub warnings: Vec<String>,
}

impl Judged {
    /// Nothing judged yet.
    pub fn of(reading: &Reading<'_>) -> Judged {
        Judged {
            marks: Marks::default(),
            layout: reading.layout(),
            settled: reading.settled(),
            imported: 0,
            duplicates: 0,
            discarded: 0,
            skipped: 0,
            skipped_rows: Vec::new(),
            text_cleaned: 0,
            unclaimed: 0,
            fees: 0,
            in_minor: 0,
            out_minor: 0,
            drafts: Vec::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Counts a row.
    ///
    /// Refuses: amounts whose sum has more digits than can be kept.
    pub fn take(&mut self, row: &BankRow, mark: Mark) -> Result<()> {
        self.marks.push(mark)?;
        if mark == Mark::Known {
            self.duplicates += 1;
            return Ok(());
        }
        self.imported += 1;
        self.text_cleaned += usize::from(row.text_cleaned);
        self.unclaimed += usize::from(matches!(mark, Mark::New { offset: 0, .. }));
        self.fees += usize::from(row.gross_minor().is_some());
        let sum = if row.amount_minor > 0 {
            &mut self.in_minor
        } else {
            &mut self.out_minor
        };
        *sum = sum.checked_add(row.amount_minor.abs()).ok_or_else(|| {
            No::from(Refusal::new(
                "amount_too_large",
                "the sum of the file's amounts has more digits than can be kept",
            ))
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks come back as they were given, in their order.
    #[test]
    fn marks() {
        let new = |offset, again| Mark::New { offset, again };
        let given = [
            new(0, None),
            Mark::Known,
            new(1_000, Some(7)),
            new(2, None),
            new(65_534, Some(i64::MAX)),
        ];
        let mut marks = Marks::default();
        assert!(marks.is_empty());
        for mark in given {
            assert!(marks.push(mark).is_ok());
        }
        assert_eq!(marks.iter().collect::<Vec<_>>(), given);
        assert!(marks.push(new(65_535, None)).is_err());
    }
}
