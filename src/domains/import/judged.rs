//! What an import found in a bank's file: what becomes of each row, counts, and what a person should know. It reads nothing.

use super::reading::{AmountSign, BankRow, DateOrder, DecimalStyle, LayoutName, Reading, Skipped};
use crate::{
    engine::{No, Result},
    model::{Date, Refusal},
};

/// The most drafts that the page for people shows.
pub const DRAFTS_SHOWN_MAX: usize = 20;

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

/// A row that becomes a draft, as the page for people shows it.
#[derive(Debug)]
pub struct DraftShown {
    /// Its line in the file.
    pub line: u64,
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: String,
    /// Minor units; positive is money in.
    pub amount_minor: i64,
    /// The account of its other side.
    pub offset: NamedAccount,
    /// The text of the rule that chose that account.
    pub rule: Option<String>,
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

/// A file that was read whole and found good.
pub struct Judged {
    /// What becomes of each row, in the file's order.
    pub marks: Vec<Mark>,
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
    /// How many new rows have a fee beside another amount.
    pub fees: usize,
    /// Money in, in minor units.
    pub in_minor: i64,
    /// Money out, in minor units and positive.
    pub out_minor: i64,
    /// The first rows that become drafts.
    pub drafts: Vec<DraftShown>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// What may be wrong with importing these rows here.
    pub warnings: Vec<String>,
}

impl Judged {
    /// Nothing judged yet.
    pub fn of(reading: &Reading<'_>) -> Judged {
        Judged {
            marks: Vec::new(),
            layout: reading.layout(),
            settled: reading.settled(),
            imported: 0,
            duplicates: 0,
            discarded: 0,
            skipped: 0,
            skipped_rows: Vec::new(),
            text_cleaned: 0,
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
        self.marks.push(mark);
        if mark == Mark::Known {
            self.duplicates += 1;
            return Ok(());
        }
        self.imported += 1;
        self.text_cleaned += usize::from(row.text_cleaned);
        self.fees += usize::from(row.fee_minor != 0 && row.fee_minor != row.amount_minor);
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
