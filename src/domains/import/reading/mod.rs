//! Bank files: bytes in, rows out, all or nothing. The door and the order of steps; no account, no draft, no file is known here.

mod account;
mod amount;
mod balance;
mod check;
mod day;
mod encoding;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod hostile;
mod layout;
mod lines;
mod mapper;
mod merchant;
mod moved;
mod options;
mod pending;
mod records;
mod refused;
mod role;
mod rows;
#[cfg(test)]
mod samples;
#[cfg(any(test, fuzzing))]
pub mod sound;
mod stated;
mod survey;
#[cfg(test)]
mod unclear;
#[cfg(test)]
mod unsaid;
#[cfg(test)]
mod wallets;
#[cfg(any(test, fuzzing))]
mod whole;
#[cfg(test)]
mod witness;
mod words;

pub use encoding::{Decoded, decode};
pub use mapper::ColumnMap;
#[cfg(test)]
pub use merchant::merchant;
pub use options::{AmountSign, DateOrder, DecimalStyle, LayoutName, ReadOptions};
#[cfg(test)]
pub use refused::{
    ACCOUNTS, CURRENCY, DATES_CONFLICT, DATES_UNCLEAR, DECIMAL_UNCLEAR, LAYOUT_UNKNOWN, OPTIONS,
    QUOTE_OPEN, TOO_LARGE,
};
pub use refused::{EMPTY, FAULTS_MAX, NOT_TEXT, ROWS, Refused, SIGN_UNCLEAR};
#[cfg(any(test, fuzzing))]
pub use whole::{BankFile, read};

use crate::{
    model::{Currency, Date, LineFault},
    wire_enum,
};
use balance::{BalanceWalk, Verdict};
use layout::Plan;
use records::{Record, Records};
use role::Role;
use rows::{Edge, RowReader, skipped};
use stated::{Stated, written};
use survey::Findings;
use words::Words;

/// One transaction of a bank's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BankRow {
    /// The line on which its record begins, from 1.
    pub line: u64,
    /// The day on which the money moved.
    pub date: Date,
    /// Minor units of the account's currency; positive is money in, for a card a payment or refund.
    pub amount_minor: i64,
    /// The part of it that is a fee in a column of its own, with the same sense of signs: negative where it was paid.
    pub fee_minor: i64,
    /// The bank's text: entities decoded, hostile characters dropped, cut at the entry limit. It is data from outside.
    pub description: String,
    /// Whether cleaning lost anything but white space.
    pub text_cleaned: bool,
    /// The record as it stood in the file, decoded and otherwise untouched.
    pub raw: String,
    /// The bank's own id of the transaction.
    pub bank_id: Option<String>,
    /// The check's number: digits without leading zeros.
    pub check_number: Option<String>,
    /// The description folded and without reference numbers; see [`merchant::merchant`].
    pub merchant: String,
    /// The balance that the bank shows on the row, in minor units and with the bank's sign.
    pub balance_minor: Option<i64>,
}

impl BankRow {
    /// What it comes to before a fee in a column of its own, in minor units; none where there is no such fee, or nothing else.
    pub fn gross_minor(&self) -> Option<i64> {
        let gross = self.amount_minor - self.fee_minor;
        (self.fee_minor != 0 && gross != 0).then_some(gross)
    }
}

wire_enum! {
    /// Why a record is no transaction.
    pub enum SkipReason {
        /// It stands above the header
        Preamble = "preamble",
        /// Every cell is blank
        BlankRow = "blank_row",
        /// It tells a balance and moves nothing
        BalanceRow = "balance_row",
        /// Its amount is zero
        ZeroAmount = "zero_amount",
        /// It has not settled yet
        Pending = "pending",
        /// It failed
        Failed = "failed",
        /// It was cancelled
        Cancelled = "cancelled",
        /// It was taken back
        Reverted = "reverted",
        /// It is a test's, and no money moved
        Test = "test",
        /// It is a memo without an effect on the balance
        Memo = "memo",
        /// It is in another currency than the account
        OtherCurrency = "other_currency",
        /// It moved another account's money
        OtherAccount = "other_account",
        /// It moved money between balances that this account holds
        OwnTransfer = "own_transfer",
        /// It has no id where every transaction of this layout has one
        NoBankId = "no_bank_id",
    }
}

/// A record that is no transaction: passed over, and told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// The line on which the record begins, from 1.
    pub line: u64,
    /// Why.
    pub reason: SkipReason,
    /// The record's text, cleaned and cut. It is data from outside.
    pub text: String,
    /// The balance that it tells and where that stands in time, in minor units and with the bank's sign.
    balance: Option<(Edge, i64)>,
}

/// What one record gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pulled {
    /// A transaction.
    Row(BankRow),
    /// No transaction.
    Skipped(Skipped),
    /// Something that cannot be read: the file must be refused, after its other faults are gathered.
    Faulty(Vec<LineFault>),
}

/// A file whose layout, date order, decimals and sign are settled, and whose records are pulled one at a time.
///
/// It holds no rows, so a caller that streams needs memory for the text and one record only. After the last record,
/// [`Reading::closing`] gives the verdict that needed all of them.
pub struct Reading<'t> {
    records: Records<'t>,
    plan: Plan,
    findings: Findings,
    currency: Currency,
    pulled: usize,
    walk: BalanceWalk,
    words: Words,
    stated: Stated,
}

impl<'t> Reading<'t> {
    /// Finds the layout and surveys the whole text once.
    ///
    /// Refuses: an unknown layout, contradicting options, limits, open quotes, dates and signs that only a person can settle.
    pub fn open(text: &'t str, options: &ReadOptions<'_>) -> Result<Reading<'t>, Refused> {
        let plan = layout::plan(text, options)?;
        let findings = survey::survey(text, &plan, options)?;
        Ok(Reading {
            records: Records::new(text, plan.delimiter),
            plan,
            findings,
            currency: options.currency,
            pulled: 0,
            walk: BalanceWalk::default(),
            words: Words::default(),
            stated: Stated::default(),
        })
    }

    /// The layout, before any row is pulled.
    pub fn layout(&self) -> LayoutName {
        self.plan.name
    }

    /// How many records the file has, those above the header too.
    pub fn records_total(&self) -> u64 {
        self.findings.records_total
    }

    /// How the file's dates, amounts and signs are read.
    pub fn settled(&self) -> (DateOrder, DecimalStyle, AmountSign) {
        let findings = &self.findings;
        (findings.date_order, findings.decimal, findings.sign)
    }

    /// What is to be said once every record was pulled: the survey's warnings, and what the bank's own words, its running
    /// balance and its totals show.
    ///
    /// Refuses: balances that move against every amount in a file whose sign nothing else makes certain, and amounts that all
    /// have the contrary sign of the bank's word beside them.
    pub fn closing(&self) -> Result<Vec<String>, Refused> {
        let mut warnings = self.findings.warnings.clone();
        warnings.extend(self.words.verdict(&self.plan)?);
        match self.walk.verdict() {
            Verdict::Turned if !self.plan.sign_certain => {
                return Err(Refused::new(
                    SIGN_UNCLEAR,
                    "the running balance falls where the amounts are read as money in and rises where they are read as money out",
                    "say `sign`: in_positive keeps this reading (a card, whose balance is owed), in_negative turns it",
                ));
            }
            Verdict::Breaks(at) => warnings.push(format!(
                "the running balance does not follow from the amounts at line {}: it is {}, and they come to {}; a row may be missing",
                at.line,
                written(at.shown, self.currency),
                written(at.due, self.currency)
            )),
            Verdict::Agrees | Verdict::Turned => {}
        }
        warnings.extend(self.stated.notes(self.currency));
        Ok(warnings)
    }

    /// Takes what a record says about the file as a whole.
    fn take(&mut self, pulled: &Pulled, record: &Record<'_>) {
        match pulled {
            Pulled::Row(row) => {
                self.walk.take(row);
                self.words.take(&self.plan, record, row.amount_minor);
                if self.plan.totals_above {
                    self.stated.row(row.amount_minor);
                }
            }
            Pulled::Skipped(skipped) => {
                if let Some((edge, balance)) = skipped.balance {
                    self.walk.told(skipped.line, edge, balance);
                }
            }
            Pulled::Faulty(_) => {}
        }
    }
}

impl Iterator for Reading<'_> {
    type Item = Result<Pulled, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let record = match self.records.next()? {
                Ok(record) => record,
                Err(refused) => return Some(Err(refused)),
            };
            self.pulled += 1;
            if self.pulled <= self.plan.records_before {
                if self.plan.has_header && self.pulled == self.plan.records_before {
                    continue;
                }
                if self.plan.totals_above {
                    let style = self.findings.decimal;
                    self.stated.above(&record, style, self.currency);
                }
                return Some(Ok(skipped(&record, SkipReason::Preamble)));
            }
            let reader = RowReader {
                plan: &self.plan,
                findings: &self.findings,
                currency: self.currency,
            };
            let pulled = reader.read(&record);
            self.take(&pulled, &record);
            return Some(Ok(pulled));
        }
    }
}

/// What is said of a file whose encoding was guessed.
pub const GUESSED: &str =
    "the file is not UTF-8 and was read as Windows-1252; look at letters with accents";
/// What is said of a file without a row.
pub const NO_ROWS: &str = "the file holds no transaction";
