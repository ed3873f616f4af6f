//! A history as a file holds it: an entry a line in JSON, and what they come to. It posts nothing.

use serde::Deserialize;

use crate::{
    domains::{
        chart::AccountRef,
        class::ClassRef,
        fx::{Given, Moved},
    },
    engine::Result,
    model::{Currency, CurrencyCode, Date, Money, Rate, Refusal},
};

/// The most bytes of one line.
pub const LINE_BYTES_MAX: usize = 1 << 20;
/// The most entries of one file.
const ENTRIES_MAX: u64 = 2_000_000;

/// A line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryText {
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: String,
    /// Its lines.
    pub lines: Vec<LineText>,
}

/// A line of an entry: a debit is positive.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineText {
    /// Its account.
    pub account: AccountRef,
    /// Its amount; not needed with one in another currency.
    #[serde(default)]
    pub amount: Option<Money>,
    /// Its class.
    #[serde(default)]
    pub class: Option<ClassRef>,
    /// The currency that it was in; this and the next two stand together or not at all.
    #[serde(default)]
    pub foreign_currency: Option<CurrencyCode>,
    /// The amount in it, signed as the amount is.
    #[serde(default)]
    pub foreign_amount: Option<Money>,
    /// Units of the books' currency for one of it.
    #[serde(default)]
    pub fx_rate: Option<Rate>,
}

impl LineText {
    /// What the line moves in the books' currency, and in another.
    pub fn moved(&self, base: Currency) -> Result<Moved, Vec<Refusal>> {
        let given = Given {
            amount: self.amount,
            currency: self.foreign_currency,
            foreign: self.foreign_amount,
            rate: self.fx_rate,
        };
        given.signed(base)
    }

    /// Its amounts as the file has them.
    pub fn amounts(&self) -> String {
        let amount = self.amount.map(|amount| amount.to_string());
        let foreign = [
            self.foreign_currency.map(|code| code.to_string()),
            self.foreign_amount.map(|amount| amount.to_string()),
            self.fx_rate.map(|rate| format!("at {rate}")),
        ];
        let parts: Vec<String> = amount
            .into_iter()
            .chain(foreign.into_iter().flatten())
            .collect();
        parts.join(" ")
    }
}

/// The lines of a file that hold something, by their number from 1.
pub struct Entries<'t> {
    bytes: &'t [u8],
    /// How many line ends the file has.
    pub total: u64,
}

impl<'t> Entries<'t> {
    /// Refuses: more lines than the limit.
    pub fn of(bytes: &'t [u8]) -> Result<Entries<'t>> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let total = bytes.iter().filter(|b| **b == b'\n').count() as u64;
        if total > ENTRIES_MAX {
            let message =
                format!("the file has {total} lines; at most {ENTRIES_MAX} are imported at once");
            let refusal = Refusal::new("journal_too_long", message).with("lines_max", ENTRIES_MAX);
            return Err(refusal.hint("split the file by year").into());
        }
        Ok(Entries { bytes, total })
    }

    /// The lines that hold something, by their number from 1.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &'t [u8])> {
        (1_u64..)
            .zip(self.bytes.split(|b| *b == b'\n'))
            .filter(|(_, text)| !text.trim_ascii().is_empty())
    }
}

/// How much a history holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sums {
    /// Entries.
    pub entries: usize,
    /// Their lines.
    pub lines: usize,
    /// The sum of their debits, in minor units.
    pub debits: i128,
}

impl Sums {
    /// What the entries of a file come to, with the first and the last day; lines that cannot be read are passed by, since
    /// posting names them. `None` when none can be read.
    pub fn survey(entries: &Entries<'_>, currency: Currency) -> Option<(Sums, (Date, Date))> {
        let mut sums = Sums::default();
        let mut days: Option<(Date, Date)> = None;
        let readable = entries
            .iter()
            .filter(|(_, text)| text.len() <= LINE_BYTES_MAX)
            .filter_map(|(_, text)| serde_json::from_slice::<EntryText>(text).ok());
        for read in readable {
            let minors = read
                .lines
                .iter()
                .filter_map(|line| line.moved(currency).ok());
            let debits = minors
                .map(|moved| i128::from(moved.amount_minor.max(0)))
                .sum();
            sums.add(read.lines.len(), debits);
            let (first, last) = days.unwrap_or((read.date, read.date));
            days = Some((first.min(read.date), last.max(read.date)));
        }
        days.map(|days| (sums, days))
    }

    /// Adds an entry.
    pub fn add(&mut self, lines: usize, debits: i128) {
        self.entries += 1;
        self.lines += lines;
        self.debits += debits;
    }
}
