//! What can have happened between an account and its bank. Amounts of lines are signed, debit positive; a statement's balances
//! stand as they are printed, positive on the account's normal side.

use serde::{Deserialize, Serialize};

use super::table::{CLEARED, CLEARED_MONTH, RECONCILIATION, STATEMENT};
use crate::{
    engine::{Event, Occasion},
    model::{Date, Money},
    store::{Fold, FoldError, FoldResult, Val},
};

/// What a filed statement says was recorded.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct StatementRecorded {
    /// The statement's file.
    pub attachment_id: i64,
    /// The account's id.
    pub account: i64,
    /// Its code at the time.
    pub code: String,
    /// The first day of the statement.
    pub period_start: Date,
    /// The last day, which is the statement's date.
    pub period_end: Date,
    /// The balance before the first day.
    pub opening_balance: Money,
    /// The balance after the last.
    pub closing_balance: Money,
}

impl Event for StatementRecorded {
    const KIND: &'static str = "statement.recorded";
    const V: u32 = 1;
    const ABOUT: &'static str = "What a filed bank or card statement says: of which account, which days, and both balances.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let row = [
            self.attachment_id.into(),
            self.account.into(),
            self.period_start.number().into(),
            self.period_end.number().into(),
            minor(STATEMENT.name, self.opening_balance)?.into(),
            minor(STATEMENT.name, self.closing_balance)?.into(),
            Val::Null,
            at.seq.into(),
        ];
        tables.insert(&STATEMENT, &row)
    }
}

/// A posted line was found on a statement.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct LineCleared {
    /// The line's entry.
    pub entry_id: i64,
    /// Its place in the entry, from 0.
    pub line_index: i64,
    /// The account's id.
    pub account: i64,
    /// Its code at the time.
    pub code: String,
    /// The line's day.
    pub date: Date,
    /// Its signed amount.
    pub amount: Money,
}

impl Event for LineCleared {
    const KIND: &'static str = "line.cleared";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "A posted line was marked as being on a statement; nothing of the posting changes.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let amount = minor(CLEARED.name, self.amount)?;
        let row = [
            self.entry_id.into(),
            self.line_index.into(),
            self.account.into(),
            self.date.number().into(),
            amount.into(),
            at.seq.into(),
        ];
        tables.insert(&CLEARED, &row)?;
        let month = [self.account.into(), self.date.month_number().into()];
        tables.add(&CLEARED_MONTH, &month, &[1, amount])
    }
}

/// A line that was marked as being on a statement is not on one after all.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct LineUncleared {
    /// The line's entry.
    pub entry_id: i64,
    /// Its place in the entry, from 0.
    pub line_index: i64,
    /// The account's id.
    pub account: i64,
    /// Its code at the time.
    pub code: String,
    /// The line's day.
    pub date: Date,
    /// Its signed amount.
    pub amount: Money,
}

impl Event for LineUncleared {
    const KIND: &'static str = "line.uncleared";
    const V: u32 = 1;
    const ABOUT: &'static str = "The mark of a line as being on a statement was taken away.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let amount = minor(CLEARED.name, self.amount)?;
        let key = [self.entry_id.into(), self.line_index.into()];
        let from = [
            ("account_id", self.account.into()),
            ("date", self.date.number().into()),
            ("amount", amount.into()),
        ];
        // Removing asks for nothing to be there; changing does.
        tables.set_from(&CLEARED, &key, &from, &[("seq", at.seq.into())])?;
        tables.remove(&CLEARED, &key)?;
        let month = [self.account.into(), self.date.month_number().into()];
        let back = amount.checked_neg().ok_or_else(|| too_long(CLEARED.name))?;
        tables.add(&CLEARED_MONTH, &month, &[-1, back])
    }
}

/// A line, by its entry and its place.
#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct LinePlace {
    /// Its entry
    pub entry_id: i64,
    /// Its place, from 0
    pub line_index: i64,
}

/// An account was found to be what its statement says.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ReconciliationCompleted {
    /// The reconciliation's id.
    pub reconciliation_id: i64,
    /// The account's id.
    pub account: i64,
    /// Its code at the time.
    pub code: String,
    /// The day through which it was reconciled.
    pub statement_date: Date,
    /// The balance on which both agreed.
    pub statement_balance: Money,
    /// The statement's file.
    pub statement_attachment: i64,
    /// The cleared lines that no earlier reconciliation had.
    pub cleared: Vec<LinePlace>,
}

impl Event for ReconciliationCompleted {
    const KIND: &'static str = "reconciliation.completed";
    const V: u32 = 1;
    const ABOUT: &'static str = "An account was reconciled with a statement, to the cent; holds the cleared lines that are new in it.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let lines = i64::try_from(self.cleared.len()).map_err(|_| too_long(RECONCILIATION.name))?;
        let row = [
            self.reconciliation_id.into(),
            self.account.into(),
            self.statement_date.number().into(),
            minor(RECONCILIATION.name, self.statement_balance)?.into(),
            self.statement_attachment.into(),
            lines.into(),
            Val::Null,
            at.seq.into(),
        ];
        tables.insert(&RECONCILIATION, &row)?;
        let from = [
            ("account_id", self.account.into()),
            ("period_end", self.statement_date.number().into()),
            ("reconciliation_id", Val::Null),
        ];
        let changes = [("reconciliation_id", self.reconciliation_id.into())];
        let key = [self.statement_attachment.into()];
        tables.set_from(&STATEMENT, &key, &from, &changes)
    }
}

/// A reconciliation was voided. It stays to be read, and its lines stay cleared.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ReconciliationVoided {
    /// The reconciliation.
    pub reconciliation_id: i64,
    /// Its statement's file, which can be reconciled again.
    pub statement_attachment: i64,
    /// Why.
    pub reason: String,
}

impl Event for ReconciliationVoided {
    const KIND: &'static str = "reconciliation.voided";
    const V: u32 = 1;
    const ABOUT: &'static str = "A reconciliation was voided, and why; the account can be reconciled through that day again.";

    fn fold(&self, _: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let id = self.reconciliation_id.into();
        let from = [("voided", Val::Null)];
        let changes = [("voided", (&self.reason).into())];
        tables.set_from(&RECONCILIATION, &[id], &from, &changes)?;
        let from = [("reconciliation_id", id)];
        let changes = [("reconciliation_id", Val::Null)];
        let key = [self.statement_attachment.into()];
        tables.set_from(&STATEMENT, &key, &from, &changes)
    }
}

/// An amount in minor units: the journal writes every decimal, so the digits are the minor units.
fn minor(table: &'static str, amount: Money) -> FoldResult<i64> {
    amount.written_minor().ok_or_else(|| too_long(table))
}

fn too_long(table: &'static str) -> FoldError {
    FoldError::Misfit {
        table,
        what: "a number has more digits than can be kept".to_owned(),
    }
}
