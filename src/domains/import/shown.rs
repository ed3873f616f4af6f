//! Rows that become drafts as an import's answer shows them. Nothing is judged here.

use schemars::JsonSchema;
use serde::Serialize;

use super::{judged::Offset, reading::BankRow};
use crate::model::{Currency, Date, Money};

/// The most drafts in one answer over MCP.
pub const DRAFTS_MAX: usize = 100;
/// The most drafts on a page for people.
pub const DRAFTS_GLANCED_MAX: usize = 20;

/// A row that becomes a draft.
#[derive(Serialize, JsonSchema, Debug)]
pub struct DraftRow {
    /// The draft
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<i64>,
    /// Its line in the file
    pub line: u64,
    /// Its day
    pub date: Date,
    /// Its description
    pub description: String,
    /// Money in; below zero out
    pub amount: Money,
    /// The fee within it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee: Option<Money>,
    /// The amount before the fee, for the page
    #[serde(skip)]
    pub gross: Option<Money>,
    /// Other side
    pub account_code: String,
    /// Its name
    pub account_name: String,
    /// Its class
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The rule that chose it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl DraftRow {
    /// A row that is booked against what a rule may have chosen.
    pub fn of(row: BankRow, offset: &Offset, rule: Option<&str>, currency: Currency) -> DraftRow {
        let gross = row.gross_minor();
        DraftRow {
            entry_id: None,
            line: row.line,
            date: row.date,
            description: row.description,
            amount: currency.money(row.amount_minor),
            fee: gross.map(|gross| currency.money(row.amount_minor - gross)),
            gross: gross.map(|gross| currency.money(gross)),
            account_code: offset.account.code.clone(),
            account_name: offset.account.name.clone(),
            class: offset.class.as_ref().map(|class| class.name.clone()),
            rule: rule.map(str::to_owned),
        }
    }
}
