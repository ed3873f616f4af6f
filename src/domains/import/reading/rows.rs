//! From one record to one row, one reason to pass it over, or its faults. It sees no other row.

use htmlize::unescape_attribute;
use unicode_normalization::char::is_combining_mark;

use crate::domains::import::reading::{
    AmountSign, BankRow, Pulled, Role, SkipReason, Skipped,
    amount::is_blank,
    check, day,
    layout::{Plan, StatusRule, normal},
    merchant::merchant,
    moved::{Amounts, Found, Moved},
    records::Record,
    survey::Findings,
};
use crate::model::{Currency, Date, LineFault, TEXT_CHARS_MAX, clean};

/// The most characters of a bank's own id.
const BANK_ID_CHARS_MAX: usize = 100;
/// Beginnings of texts that tell a balance and move no money, in lower case.
const BALANCE_ROWS: [(&str, Edge); 4] = [
    ("beginning balance", Edge::Beginning),
    ("opening balance", Edge::Beginning),
    ("ending balance", Edge::Ending),
    ("closing balance", Edge::Ending),
];

/// Which end of the file's time a told balance stands at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// Before the oldest row.
    Beginning,
    /// After the newest row.
    Ending,
}

/// Reads records by a plan.
pub(super) struct RowReader<'p> {
    pub plan: &'p Plan,
    pub findings: &'p Findings,
    pub currency: Currency,
}

impl RowReader<'_> {
    /// The row of a record.
    pub fn read(&self, record: &Record<'_>) -> Pulled {
        if record.cells.iter().all(|cell| cell.trim().is_empty()) {
            return skipped(record, SkipReason::BlankRow);
        }
        if self.plan.id_required && self.bank_id(record).is_none() {
            return self.without_id(record);
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
        let moved = match self.amounts().find(record) {
            Ok(Found::Zero) => return skipped(record, SkipReason::ZeroAmount),
            Ok(Found::Blank) => {
                if let Some(edge) = edge(&self.description(record, None).0) {
                    return self.told_balance(record, edge);
                }
                let message = "the row has no amount";
                faults.push(LineFault::new(record.line, "amount", message, record.raw));
                None
            }
            Ok(Found::Moved(moved)) => Some(moved),
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        let date = self.date(record).map_err(|f| faults.push(f)).ok();
        let balance = self.balance(record).map_err(|f| faults.push(f)).ok();
        match (moved, date) {
            (Some(moved), Some(date)) if faults.is_empty() => {
                let moved = self.signed(moved);
                let amount_minor = moved.minor;
                let payer = self.plan.payer.filter(|_| amount_minor > 0);
                let (text, text_cleaned) = self.description(record, payer);
                let cell = self.plan.cell(record, Role::CheckNumber);
                let check_number = check::number(cell, &text, amount_minor);
                let text = check::described(text, check_number.as_deref());
                let merchant = merchant(&text);
                let (description, kind_cleaned) = self.with_kind(record, text);
                Pulled::Row(BankRow {
                    line: record.line,
                    date,
                    amount_minor,
                    fee_minor: moved.fee_minor,
                    merchant,
                    description,
                    text_cleaned: text_cleaned || kind_cleaned,
                    raw: record.raw.to_owned(),
                    bank_id: self.bank_id(record),
                    check_number,
                    balance_minor: balance.flatten(),
                })
            }
            _ => Pulled::Faulty(faults),
        }
    }

    /// A row that tells a balance and moves nothing.
    fn told_balance(&self, record: &Record<'_>, edge: Edge) -> Pulled {
        match self.balance(record) {
            Ok(balance) => Pulled::Skipped(Skipped {
                balance: balance.map(|minor| (edge, minor)),
                ..passed_over(record, SkipReason::BalanceRow)
            }),
            Err(fault) => Pulled::Faulty(vec![fault]),
        }
    }

    /// A row without the id that every transaction has: it tells a balance, or nothing.
    fn without_id(&self, record: &Record<'_>) -> Pulled {
        let amounts = self.amounts();
        let edges = [Edge::Beginning, Edge::Ending];
        for (column, edge) in self.plan.told.into_iter().flatten().zip(edges) {
            match amounts.money(record, column, "balance") {
                Ok(None) => {}
                Ok(Some(balance)) => {
                    return Pulled::Skipped(Skipped {
                        balance: Some((edge, balance.minor)),
                        ..passed_over(record, SkipReason::BalanceRow)
                    });
                }
                Err(fault) => return Pulled::Faulty(vec![fault]),
            }
        }
        skipped(record, SkipReason::NoBankId)
    }

    /// The running balance of a record, in minor units.
    fn balance(&self, record: &Record<'_>) -> Result<Option<i64>, LineFault> {
        let Some(column) = self.plan.columns.at(Role::Balance) else {
            return Ok(None);
        };
        let balance = self.amounts().money(record, column, "balance")?;
        Ok(balance.map(|balance| balance.minor))
    }

    /// The fault of a row that is wider or narrower than its header allows. Empty cells behind it are the bank's habit.
    fn width(&self, record: &Record<'_>) -> Option<LineFault> {
        let (found, width) = (record.cells.len(), self.plan.width);
        let extra = record
            .cells
            .iter()
            .skip(width)
            .find(|c| !c.trim().is_empty());
        if let Some(extra) = extra {
            let message = format!("the row has {} and the header {width}", cells(found));
            return Some(LineFault::new(record.line, "row", message, extra));
        }
        if found <= self.plan.needed {
            let message = format!(
                "the row has {}; at least {} are needed",
                cells(found),
                self.plan.needed + 1
            );
            return Some(LineFault::new(record.line, "row", message, record.raw));
        }
        None
    }

    fn status(&self, record: &Record<'_>) -> Result<Option<SkipReason>, LineFault> {
        for (column, rule) in &self.plan.statuses {
            let cell = record.cells.get(*column).unwrap_or_default();
            let word = normal(cell);
            let (settled, skipped) = self.meaning(record, *column, &word, rule);
            if let Some(reason) = skipped {
                return Ok(Some(reason));
            }
            if !settled {
                let message = "this status is not known, so whether money moved is not either";
                return Err(LineFault::new(record.line, "status", message, cell));
            }
        }
        let cell = |role| self.plan.cell(record, role);
        if cell(Role::Currency).is_some_and(|c| !c.eq_ignore_ascii_case(self.currency.code())) {
            return Ok(Some(SkipReason::OtherCurrency));
        }
        if let Some(reason) = self.amounts().skips(record)? {
            return Ok(Some(reason));
        }
        if self.plan.own.is_some_and(|own| own.is_others(record)) {
            return Ok(Some(SkipReason::OtherAccount));
        }
        let pending =
            self.findings.unsettled.holds(record.line) && cell(Role::Balance).is_some_and(is_blank);
        Ok(pending.then_some(SkipReason::Pending))
    }

    /// Whether a status is that of a row that counts, and why one that does not is passed over.
    fn meaning(
        &self,
        record: &Record<'_>,
        column: usize,
        word: &str,
        rule: &StatusRule,
    ) -> (bool, Option<SkipReason>) {
        let reason = |skipped: &[(&str, SkipReason)], word: &str| {
            let found = skipped.iter().find(|(known, _)| *known == word);
            found.map(|(_, reason)| *reason)
        };
        match self.plan.status_by_kind {
            Some((status, kind, by_kind)) if status == column && word == by_kind.word => {
                let kind = normal(record.cells.get(kind).unwrap_or_default());
                let settled = by_kind.settled.contains(&kind.as_str());
                (settled, reason(by_kind.skipped, &kind))
            }
            _ => (rule.settled.contains(&word), reason(rule.skipped, word)),
        }
    }

    fn amounts(&self) -> Amounts {
        Amounts {
            columns: self.plan.amount,
            kind_words: self.plan.kind_words,
            decimal: self.findings.decimal,
            currency: self.currency,
        }
    }

    /// Money in positive. DR and CR behind an amount are the bank's own word and are not turned.
    fn signed(&self, moved: Moved) -> Moved {
        match self.findings.sign {
            AmountSign::InNegative if !moved.marked => Moved {
                minor: -moved.minor,
                fee_minor: -moved.fee_minor,
                ..moved
            },
            _ => moved,
        }
    }

    fn date(&self, record: &Record<'_>) -> Result<Date, LineFault> {
        let cell = record.cells.get(self.plan.date).unwrap_or_default();
        day::day(cell, self.findings.date_order)
            .map_err(|why| LineFault::new(record.line, "date", why, cell))
    }

    /// The text of a row: its first cell that leaves ink, that of the payer before the others.
    fn description(&self, record: &Record<'_>, payer: Option<usize>) -> (String, bool) {
        let columns = payer
            .into_iter()
            .chain(self.plan.description.iter().copied());
        let cell = columns
            .filter_map(|column| record.cells.get(column))
            .find(|cell| !cell.chars().all(is_unseen))
            .unwrap_or_default();
        let (text, lost) = clean(unguarded(&unescape_attribute(cell)), TEXT_CHARS_MAX);
        if text.chars().all(is_unseen) {
            return (String::new(), lost);
        }
        (text, lost)
    }

    /// A row's text with what kind of transaction it is behind it, so that a rule can tell a sale from its refund.
    fn with_kind(&self, record: &Record<'_>, text: String) -> (String, bool) {
        let cell = self.plan.kind.and_then(|column| record.cells.get(column));
        let cell = unescape_attribute(cell.unwrap_or_default());
        let (kind, lost) = clean(unguarded(&cell), TEXT_CHARS_MAX);
        if kind.chars().all(is_unseen) || kind == text {
            return (text, lost);
        }
        let (both, cut) = clean(&format!("{text}, {kind}"), TEXT_CHARS_MAX);
        (both, lost || cut)
    }

    /// The bank's id as text, without the apostrophes that keep a spreadsheet from reading it as a number.
    fn bank_id(&self, record: &Record<'_>) -> Option<String> {
        let cell = self.plan.cell(record, Role::BankId)?;
        let (id, _) = clean(cell.trim_matches(['\'', '"']), BANK_ID_CHARS_MAX);
        (!id.is_empty()).then_some(id)
    }
}

/// A record that is no transaction, and why.
pub(super) fn skipped(record: &Record<'_>, reason: SkipReason) -> Pulled {
    Pulled::Skipped(passed_over(record, reason))
}

fn passed_over(record: &Record<'_>, reason: SkipReason) -> Skipped {
    Skipped {
        line: record.line,
        reason,
        text: clean(record.raw, TEXT_CHARS_MAX).0,
        balance: None,
    }
}

fn cells(count: usize) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} cell{s}")
}

/// Whether a character leaves no ink: white space, the blank Braille pattern, marks that only change the one before them.
fn is_unseen(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{1d159}') || is_combining_mark(c)
}

/// The balance that a text announces, if it does.
pub(super) fn edge(text: &str) -> Option<Edge> {
    let text = text.to_lowercase();
    let mut rows = BALANCE_ROWS.iter();
    rows.find(|(start, _)| text.starts_with(start))
        .map(|(_, edge)| *edge)
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
