//! Statements, lines and reconciliations as answers show them.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    events::{LinePlace, ReconciliationCompleted},
    table::{Reconciliation, Statement},
};
use crate::{
    domains::{
        attachment,
        chart::{self, Account, AccountRef},
        entry::Movement,
    },
    engine::{Reader, Result},
    model::{Date, Money},
};

/// The most statements or reconciliations of one page.
pub const ROWS_MAX: u32 = 50;
/// The most lines of each kind that a reconciliation shows.
pub const LINES_MAX: u32 = 100;
/// The most cleared lines of a reconciliation that a list names.
const CLEARED_SHOWN_MAX: usize = 100;

/// A line of an account as reconciling shows it.
#[derive(Serialize, JsonSchema, Debug)]
pub struct StatementLine {
    /// Its entry
    pub entry_id: i64,
    /// Its place, from 0
    pub line_index: i64,
    /// Its day
    pub date: Date,
    /// The entry's description
    pub description: String,
    /// What it moves
    #[serde(flatten)]
    pub moves: Movement,
}

/// What a statement says.
#[derive(Serialize, JsonSchema, Debug)]
pub struct StatementView {
    /// Its file
    pub attachment_id: i64,
    /// The file's name
    pub file_name: String,
    /// Account code
    pub account_code: String,
    /// Account name
    pub account_name: String,
    /// First day
    pub period_start: Date,
    /// Last day
    pub period_end: Date,
    /// On the normal side
    pub opening_balance: Money,
    /// On the normal side
    pub closing_balance: Money,
    /// The live one that used it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reconciliation_id: Option<i64>,
}

impl StatementView {
    /// A statement as answers show it.
    pub fn of(books: &Reader<'_>, statement: &Statement) -> Result<StatementView> {
        let account = chart::by_id(&books.view(), statement.account_id)?;
        let file = attachment::by_id(&books.view(), statement.attachment_id)?;
        Ok(StatementView {
            attachment_id: file.id,
            file_name: file.file_name,
            account_code: account.code,
            account_name: account.name,
            period_start: statement.start,
            period_end: statement.end,
            opening_balance: books.currency().money(statement.opening_minor),
            closing_balance: books.currency().money(statement.closing_minor),
            reconciliation_id: statement.reconciliation_id,
        })
    }
}

/// A reconciliation.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ReconciliationView {
    /// Its id
    pub reconciliation_id: i64,
    /// Account code
    pub account_code: String,
    /// Account name
    pub account_name: String,
    /// The day through which
    pub statement_date: Date,
    /// On the normal side
    pub statement_balance: Money,
    /// The statement's file
    pub statement_attachment: i64,
    /// How many lines were new in it
    pub cleared_count: i64,
    /// The first 100
    pub cleared: Vec<LinePlace>,
    /// Whether it was voided
    pub voided: bool,
    /// Why
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voided_reason: Option<String>,
}

impl ReconciliationView {
    /// A reconciliation as answers show it. Its lines are read from the event that tells them.
    pub fn of(books: &Reader<'_>, found: Reconciliation) -> Result<ReconciliationView> {
        let account = chart::by_id(&books.view(), found.account_id)?;
        let told: ReconciliationCompleted = books.fact(found.seq)?;
        let mut cleared = told.cleared;
        cleared.truncate(CLEARED_SHOWN_MAX);
        Ok(ReconciliationView {
            reconciliation_id: found.id,
            account_code: account.code,
            account_name: account.name,
            statement_date: found.date,
            statement_balance: books.currency().money(found.balance_minor),
            statement_attachment: found.attachment_id,
            cleared_count: found.lines,
            cleared,
            voided: found.voided.is_some(),
            voided_reason: found.voided,
        })
    }
}

/// The account that a list is of, if it is of one.
pub fn account(books: &Reader<'_>, reference: Option<&AccountRef>) -> Result<Option<Account>> {
    reference
        .map(|reference| chart::resolve(&books.view(), reference))
        .transpose()
}
