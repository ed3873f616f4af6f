//! The rules of reconciling: what of an account a bank reconciles, and why an account is not yet what its statement says. Pure.
//! Source: spec of the domain, section 12.

use crate::model::{AccountType, Currency, Date, Refusal, quoted};

/// The number by which an amount is divisible when two of its digits changed places, or its point slid.
const TRANSPOSED: i64 = 9;

/// Refuses an account that no bank keeps: assets and liabilities are reconciled, nothing else is.
pub fn reconcilable(kind: AccountType, code: &str) -> Result<(), Refusal> {
    if matches!(kind, AccountType::Asset | AccountType::Liability) {
        return Ok(());
    }
    let message = format!(
        "account {} is of type {kind}; only an asset or a liability has statements",
        quoted(code)
    );
    Err(Refusal::new("not_reconcilable", message)
        .with("account", code)
        .remedy("books.chart", "choose the bank or card account"))
}

/// Refuses a statement that ends before it begins.
pub fn in_order(start: Date, end: Date) -> Result<(), Refusal> {
    if start <= end {
        return Ok(());
    }
    let message = format!("a statement from {start} to {end} ends before it begins");
    Err(Refusal::new("statement_period", message)
        .with("period_start", start.to_string())
        .with("period_end", end.to_string())
        .hint("give the first and the last day that the statement prints"))
}

/// What a recorded statement brings to a reconciliation. Units: minor units, positive on the account's normal side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Brought {
    /// Its file.
    pub attachment_id: i64,
    /// Its first day.
    pub start: Date,
    /// The balance before it.
    pub opening_minor: i64,
    /// The live reconciliation that used it.
    pub used_by: Option<i64>,
    /// Whether its file is withdrawn.
    pub withdrawn: bool,
}

/// The last reconciliation that is not voided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Last {
    /// Its id.
    pub id: i64,
    /// The day through which.
    pub date: Date,
    /// Its balance, in minor units, positive on the account's normal side.
    pub balance_minor: i64,
}

/// All that decides whether an account is what its statement says. Units: minor units, positive on the account's normal side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// The statement, if one was recorded and named.
    pub statement: Option<Brought>,
    /// A recorded statement of that day that was not named.
    pub waiting: Option<i64>,
    /// The statement's day.
    pub date: Date,
    /// The last reconciliation.
    pub last: Option<Last>,
    /// The cleared lines through that day.
    pub cleared_minor: i64,
    /// The statement's balance.
    pub stated_minor: i64,
    /// Where there is no last reconciliation: the cleared lines before the statement's first day.
    pub before_minor: i64,
    /// Where there is no last reconciliation: the balances brought in, whatever their day.
    pub brought_minor: i64,
    /// The line that is not cleared and makes up the difference.
    pub missing: Option<(i64, i64)>,
    /// The currency of the books.
    pub currency: Currency,
}

impl Case {
    /// What is cleared above what is stated.
    ///
    /// Refuses: a difference of more digits than can be kept.
    pub fn difference_minor(&self) -> Result<i64, Refusal> {
        let difference = self.cleared_minor.checked_sub(self.stated_minor);
        difference.ok_or_else(|| Refusal::too_large("the difference"))
    }

    /// Why the account may not be reconciled, every reason.
    pub fn problems(&self) -> Result<Vec<Refusal>, Refusal> {
        let found = [
            self.unrecorded(),
            self.differs()?,
            self.too_early(),
            self.opens_otherwise(),
            self.used(),
            self.withdrawn(),
        ];
        Ok(found.into_iter().flatten().collect())
    }

    fn unrecorded(&self) -> Option<Refusal> {
        if self.statement.is_some() {
            return None;
        }
        let refusal = Refusal::new("statement_missing", "no recorded statement is named");
        let hint = match self.waiting {
            Some(id) => format!("one of that day is recorded: `wb reconcile run {id}`"),
            None => "file the statement with `wb document file` and record it with `wb statement record`".to_owned(),
        };
        Some(refusal.remedy("books.record_statement", hint))
    }

    fn differs(&self) -> Result<Option<Refusal>, Refusal> {
        let difference = self.difference_minor()?;
        if difference == 0 {
            return Ok(None);
        }
        let money = |minor| self.currency.money(minor).to_string();
        let mut message = format!(
            "the cleared lines come to {}, the statement to {}: a difference of {}",
            money(self.cleared_minor),
            money(self.stated_minor),
            money(difference)
        );
        let mut refusal = Refusal::new("reconcile_difference", "")
            .with("cleared_balance", money(self.cleared_minor))
            .with("statement_balance", money(self.stated_minor))
            .with("difference", money(difference));
        if let Some((entry_id, line_index)) = self.missing {
            message.push_str(&format!(
                "; line {line_index} of entry {entry_id}, which is not cleared, makes it up"
            ));
            refusal = refusal
                .with("entry_id", entry_id)
                .with("line_index", line_index);
        }
        if difference % TRANSPOSED == 0 {
            message.push_str(
                "; it is divisible by nine, as after a transposition (two digits changed places) or a slide of the point",
            );
        }
        refusal.message = message;
        let hint = "mark what the statement has and the books have not marked, correct what was keyed wrongly, and run it again";
        Ok(Some(refusal.remedy("books.mark_cleared", hint)))
    }

    fn too_early(&self) -> Option<Refusal> {
        let last = self.last.filter(|last| self.date <= last.date)?;
        let (date, id) = (self.date, last.id);
        let message = format!(
            "the statement is of {date}, but reconciliation {id} goes through {} already",
            last.date
        );
        Some(
            Refusal::new("already_reconciled", message)
                .with("reconciliation_id", id)
                .with("reconciled_through", last.date.to_string())
                .remedy(
                    "books.void_reconciliation",
                    format!("take a later statement, or void it with `wb reconcile void {id} --reason TEXT`"),
                ),
        )
    }

    fn opens_otherwise(&self) -> Option<Refusal> {
        let statement = self.statement?;
        if self.last.is_some_and(|last| self.date <= last.date) {
            // What an earlier statement opens with is no matter of the last one.
            return None;
        }
        let before = self
            .last
            .map_or(self.before_minor, |last| last.balance_minor);
        // What was outstanding when the books began is dated before the first statement and cleared by it.
        let began = self.last.is_none() && statement.opening_minor == self.brought_minor;
        if statement.opening_minor == before || began {
            return None;
        }
        let money = |minor| self.currency.money(minor).to_string();
        let (opening, before) = (money(statement.opening_minor), money(before));
        let what = match self.last {
            Some(last) => format!("reconciliation {} closed with {before}", last.id),
            None => format!("the cleared lines before it come to {before}"),
        };
        Some(
            Refusal::new(
                "statement_opening",
                format!("the statement opens with {opening}, but {what}"),
            )
            .with("opening_balance", opening)
            .with("expected", before)
            .remedy(
                "books.statements",
                match self.last {
                    Some(_) => "look for the statement between",
                    None => {
                        "begin with the statement that opens with the balances brought in, or mark what the bank had before this one"
                    }
                },
            ),
        )
    }

    fn used(&self) -> Option<Refusal> {
        let statement = self.statement?;
        let id = statement.used_by?;
        let message = format!(
            "statement {} is that of reconciliation {id} already",
            statement.attachment_id
        );
        Some(
            Refusal::new("statement_used", message)
                .with("statement_attachment", statement.attachment_id)
                .with("reconciliation_id", id)
                .remedy("books.reconciliations", "see it with `wb reconcile list`"),
        )
    }

    fn withdrawn(&self) -> Option<Refusal> {
        let statement = self.statement.filter(|statement| statement.withdrawn)?;
        let message = format!("statement {} is withdrawn", statement.attachment_id);
        Some(
            Refusal::new("statement_withdrawn", message)
                .with("statement_attachment", statement.attachment_id)
                .remedy(
                    "books.file_document",
                    "file the statement that stands in its place, and record it",
                ),
        )
    }

    /// What deserves a look and refuses nothing: days between the last reconciliation and this statement.
    pub fn warning(&self) -> Option<String> {
        let (statement, last) = (self.statement?, self.last?);
        if last.date.plus_days(1) == Some(statement.start) || self.date <= last.date {
            return None;
        }
        Some(format!(
            "the statement begins on {}, but reconciliation {} goes through {}: see whether one is missing between them",
            statement.start, last.id, last.date
        ))
    }
}

#[cfg(test)]
mod tests;
