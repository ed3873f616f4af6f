//! From one record to one row, one reason to pass it over, or its faults. It sees no other row.

use htmlize::unescape_attribute;
use unicode_normalization::char::is_combining_mark;

use crate::domains::import::reading::{
    AmountSign, BankRow, Pulled, SkipReason, Skipped,
    amount::{Amount, amount},
    check, day,
    layout::{AmountColumns, Plan, normal},
    merchant::merchant,
    records::Record,
    refused::Fault,
    survey::Findings,
};
use crate::model::{Currency, Date, TEXT_CHARS_MAX, clean};

/// The most characters of a bank's own id.
const BANK_ID_CHARS_MAX: usize = 100;
/// Beginnings of rows that tell a balance and move no money.
const BALANCE_ROWS: [&str; 4] = [
    "beginning balance",
    "opening balance",
    "ending balance",
    "closing balance",
];

/// Reads records by a plan.
pub(super) struct RowReader<'p> {
    pub plan: &'p Plan,
    pub findings: &'p Findings,
    pub currency: Currency,
}

/// A row's amount before its sign is settled.
enum Found {
    Blank,
    Zero,
    Moved(Amount),
}

impl RowReader<'_> {
    /// The row of a record.
    pub fn read(&self, record: &Record<'_>) -> Pulled {
        if record.cells.iter().all(|cell| cell.trim().is_empty()) {
            return skipped(record, SkipReason::BlankRow);
        }
        if self.plan.id_required && self.bank_id(record).is_none() {
            return skipped(record, SkipReason::NoBankId);
        }
        if let Some(fault) = self.width(record) {
            return Pulled::Faulty(vec![fault]);
        }
        match self.status(record) {
            Ok(None) => self.row(record),
            Ok(Some(reason)) => skipped(record, reason),
            Err(fault) => Pulled::Faulty(vec![fault]),
        }
    }

    fn row(&self, record: &Record<'_>) -> Pulled {
        let mut faults = Vec::new();
        let (text, text_cleaned) = self.description(record);
        let amount = match self.amount(record) {
            Ok(Found::Zero) => return skipped(record, SkipReason::ZeroAmount),
            Ok(Found::Blank) if tells_balance(&text) => {
                return skipped(record, SkipReason::BalanceRow);
            }
            Ok(Found::Blank) => {
                faults.push(Fault::new(
                    record.line,
                    "amount",
                    "the row has no amount",
                    record.raw,
                ));
                None
            }
            Ok(Found::Moved(amount)) => Some(amount),
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        let date = self.date(record).map_err(|f| faults.push(f)).ok();
        let balance = match self.plan.balance {
            Some(column) => self
                .money(record, column, "balance")
                .map_err(|f| faults.push(f))
                .ok()
                .flatten(),
            None => None,
        };
        match (amount, date) {
            (Some(amount), Some(date)) if faults.is_empty() => {
                let amount_minor = self.signed(amount);
                let cell = self.plan.check_number.and_then(|c| record.cells.get(c));
                let check_number = check::number(cell, &text, amount_minor);
                let description = check::described(text, check_number.as_deref());
                Pulled::Row(BankRow {
                    line: record.line,
                    date,
                    amount_minor,
                    merchant: merchant(&description),
                    description,
                    text_cleaned,
                    raw: record.raw.to_owned(),
                    bank_id: self.bank_id(record),
                    check_number,
                    balance_minor: balance.map(|b| b.minor),
                })
            }
            _ => Pulled::Faulty(faults),
        }
    }

    /// The fault of a row that is wider or narrower than its header allows. Empty cells behind it are the bank's habit.
    fn width(&self, record: &Record<'_>) -> Option<Fault> {
        let (found, width) = (record.cells.len(), self.plan.width);
        let extra = record
            .cells
            .iter()
            .skip(width)
            .find(|c| !c.trim().is_empty());
        if let Some(extra) = extra {
            let message = format!("the row has {} and the header {width}", cells(found));
            return Some(Fault::new(record.line, "row", message, extra));
        }
        if found <= self.plan.needed {
            let message = format!(
                "the row has {}; at least {} are needed",
                cells(found),
                self.plan.needed + 1
            );
            return Some(Fault::new(record.line, "row", message, record.raw));
        }
        None
    }

    fn status(&self, record: &Record<'_>) -> Result<Option<SkipReason>, Fault> {
        for (column, rule) in &self.plan.statuses {
            let cell = record.cells.get(*column).unwrap_or_default();
            let word = normal(cell);
            if let Some((_, reason)) = rule.skipped.iter().find(|(w, _)| *w == word) {
                return Ok(Some(*reason));
            }
            if !rule.settled.contains(&word.as_str()) {
                let message = "this status is not known, so whether money moved is not either";
                return Err(Fault::new(record.line, "status", message, cell));
            }
        }
        let cell = |column: usize| record.cells.get(column).unwrap_or_default().trim();
        if let Some(column) = self.plan.currency
            && !cell(column).eq_ignore_ascii_case(self.currency.code())
        {
            return Ok(Some(SkipReason::OtherCurrency));
        }
        let pending = self.plan.pending_without_balance
            && self.plan.balance.is_some_and(|b| cell(b).is_empty());
        Ok(pending.then_some(SkipReason::Pending))
    }

    fn money(
        &self,
        record: &Record<'_>,
        column: usize,
        field: &'static str,
    ) -> Result<Option<Amount>, Fault> {
        let cell = record.cells.get(column).unwrap_or_default();
        amount(cell, self.findings.decimal, self.currency)
            .map_err(|why| Fault::new(record.line, field, why, cell))
    }

    /// The amount by the layout's rule: positive is what a positive amount or a credit is in this file.
    fn amount(&self, record: &Record<'_>) -> Result<Found, Fault> {
        match self.plan.amount {
            AmountColumns::Signed(column) => Ok(match self.money(record, column, "amount")? {
                None => Found::Blank,
                Some(amount) if amount.minor == 0 => Found::Zero,
                Some(amount) => Found::Moved(amount),
            }),
            AmountColumns::Typed(column, kind) => {
                let Some(amount) = self.money(record, column, "amount")? else {
                    return Ok(Found::Blank);
                };
                if amount.minor == 0 {
                    return Ok(Found::Zero);
                }
                let cell = record.cells.get(kind).unwrap_or_default();
                let (word, words) = (normal(cell), self.plan.kind_words);
                if words.positive.contains(&word.as_str()) {
                    Ok(moved(amount.minor.abs()))
                } else if words.negative.contains(&word.as_str()) {
                    Ok(moved(-amount.minor.abs()))
                } else {
                    let message = "this type is not known, so the sign of the amount is not either";
                    Err(Fault::new(record.line, "type", message, cell))
                }
            }
            AmountColumns::Pair(debit, credit) => {
                let debit = self.money(record, debit, "debit")?;
                let credit = self.money(record, credit, "credit")?;
                let filled = |a: Option<Amount>| a.filter(|a| a.minor != 0).map(|a| a.minor.abs());
                match (filled(debit), filled(credit)) {
                    (Some(_), Some(_)) => {
                        let message = "debit and credit are both filled; one must be blank";
                        Err(Fault::new(record.line, "amount", message, record.raw))
                    }
                    (Some(debit), None) => Ok(moved(-debit)),
                    (None, Some(credit)) => Ok(moved(credit)),
                    (None, None) if debit.is_none() && credit.is_none() => Ok(Found::Blank),
                    (None, None) => Ok(Found::Zero),
                }
            }
        }
    }

    /// Money in positive. DR and CR behind an amount are the bank's own word and are not turned.
    fn signed(&self, amount: Amount) -> i64 {
        match self.findings.sign {
            AmountSign::InNegative if !amount.marked => -amount.minor,
            _ => amount.minor,
        }
    }

    fn date(&self, record: &Record<'_>) -> Result<Date, Fault> {
        let cell = record.cells.get(self.plan.date).unwrap_or_default();
        day::day(cell, self.findings.date_order)
            .map_err(|why| Fault::new(record.line, "date", why, cell))
    }

    fn description(&self, record: &Record<'_>) -> (String, bool) {
        let cells = self.plan.description.iter();
        let cell = cells
            .filter_map(|column| record.cells.get(*column))
            .find(|cell| !cell.chars().all(is_unseen))
            .unwrap_or_default();
        let (text, lost) = clean(unguarded(&unescape_attribute(cell)), TEXT_CHARS_MAX);
        if text.chars().all(is_unseen) {
            return (String::new(), lost);
        }
        (text, lost)
    }

    /// The bank's id as text, without the apostrophes that keep a spreadsheet from reading it as a number.
    fn bank_id(&self, record: &Record<'_>) -> Option<String> {
        let cell = record.cells.get(self.plan.bank_id?)?;
        let (id, _) = clean(cell.trim().trim_matches('\''), BANK_ID_CHARS_MAX);
        (!id.is_empty()).then_some(id)
    }
}

/// A record that is no transaction, and why.
pub(super) fn skipped(record: &Record<'_>, reason: SkipReason) -> Pulled {
    Pulled::Skipped(Skipped {
        line: record.line,
        reason,
        text: clean(record.raw, TEXT_CHARS_MAX).0,
    })
}

fn cells(count: usize) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} cell{s}")
}

fn moved(minor: i64) -> Found {
    Found::Moved(Amount {
        minor,
        marked: false,
    })
}

/// Whether a character leaves no ink: white space, the blank Braille pattern, marks that only change the one before them.
fn is_unseen(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{1d159}') || is_combining_mark(c)
}

fn tells_balance(description: &str) -> bool {
    let text = description.to_lowercase();
    BALANCE_ROWS.iter().any(|start| text.starts_with(start))
}

/// Text without the one apostrophe that a careful program sets before a cell which a spreadsheet would run as a formula.
fn unguarded(text: &str) -> &str {
    let formula = |rest: &str| {
        let first = rest.trim_start_matches([' ', '\u{a0}']).chars().next();
        first.is_some_and(|c| {
            matches!(
                c,
                '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠'
            )
        })
    };
    match text.strip_prefix('\'') {
        Some(rest) if formula(rest) => rest,
        _ => text,
    }
}
