//! The trial balance.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    rules,
    sheets::{agree, label, statement},
    views::{Facts, Prepared},
};
use crate::{
    domains::entry,
    engine::{Example, Operation, Page, Read, Reader, Result},
    model::{AccountType, Date, Money},
    present::{Cell, ColKind, Column, Period, RowKind, Sheet, TableBuilder, Term},
};

/// Show the trial balance
///
/// Every account not at zero, on its side, as of a day. Closing entries count.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct TrialBalance {
    /// Default: today
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
}

/// An account in the trial balance.
#[derive(Serialize, JsonSchema, Debug)]
pub struct TrialLine {
    /// Account id
    pub account_id: i64,
    /// Account code
    pub account_code: String,
    /// Account name
    pub account_name: String,
    /// Account type
    pub r#type: AccountType,
    /// Its balance if a debit, else zero
    pub debit: Money,
    /// Its balance if a credit, else zero
    pub credit: Money,
    #[serde(skip)]
    raw_minor: i64,
}

/// A trial balance.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Trial {
    /// The day
    pub as_of: Date,
    /// Accounts in code order
    pub lines: Vec<TrialLine>,
    /// Sum of debits
    pub total_debit: Money,
    /// Sum of credits
    pub total_credit: Money,
    /// Whether they are equal
    pub balanced: bool,
    /// What stands under it
    #[serde(flatten)]
    pub prepared: Prepared,
    #[serde(skip)]
    totals_minor: (i64, i64),
}

impl Operation for TrialBalance {
    const VERB: &'static str = "report trial-balance";
    const TOOL: &'static str = "books.trial_balance";
    const RESOURCE: Option<&'static str> = Some("books://reports/trial-balance{?as_of}");
    const EXAMPLES: &'static [Example] = &[
        Example::new("", "{}"),
        Example::new("--as-of 2026-03-31", r#"{"as_of":"2026-03-31"}"#),
    ];
    type Output = Trial;

    fn sheet(output: &Trial, page: &Page) -> Result<Option<Sheet>> {
        let mut table = TableBuilder::new(vec![
            Column::new("account", "", ColKind::Label { weight: 1 }),
            Column::new("debit", "Debit", ColKind::Money),
            Column::new("credit", "Credit", ColKind::Money),
        ]);
        let mut rows = Vec::with_capacity(output.lines.len());
        for line in &output.lines {
            let (debit, credit) = sides(line.raw_minor);
            let side = |minor| match minor {
                0 => Cell::Empty,
                minor => Cell::Money(minor),
            };
            let name = Cell::Text(label(&line.account_code, &line.account_name));
            let cells = vec![name, side(debit), side(credit)];
            rows.push(table.account_line(0, &line.account_code, cells)?);
        }
        if rows.is_empty() {
            let cells = vec![
                Cell::Text("None".to_owned()),
                Cell::Money(0),
                Cell::Money(0),
            ];
            rows.push(table.line(0, cells)?);
        }
        let total = table.sum(RowKind::StatementTotal, "Total", Term::plus_all(&rows))?;
        let (debit, credit) = output.totals_minor;
        agree("the trial balance", table.minor(total, "debit"), debit)?;
        agree("the trial balance", table.minor(total, "credit"), credit)?;
        let mut sheet = statement(
            ("trial_balance", "Trial Balance"),
            Period::AsOf(output.as_of),
            &output.prepared,
            page,
        )?;
        sheet.tables.push(table.finish());
        Ok(Some(sheet))
    }
}

/// A raw balance as its debit and its credit, one of which is zero.
fn sides(raw_minor: i64) -> (i64, i64) {
    (raw_minor.max(0), raw_minor.min(0).saturating_neg())
}

impl Read for TrialBalance {
    fn run(self, books: &Reader<'_>) -> Result<Trial> {
        let facts = Facts::of(books)?;
        let as_of = self.as_of.unwrap_or(books.today());
        let raws = entry::balances_as_of(&books.view(), as_of)?;
        let money = |minor| books.currency().money(minor);
        let mut lines = Vec::new();
        for account in &facts.chart {
            let raw_minor = raws.get(&account.id).copied().unwrap_or(0);
            if raw_minor == 0 {
                continue;
            }
            let (debit, credit) = sides(raw_minor);
            lines.push(TrialLine {
                account_id: account.id,
                account_code: account.code.clone(),
                account_name: account.name.clone(),
                r#type: account.kind,
                debit: money(debit),
                credit: money(credit),
                raw_minor,
            });
        }
        let debit = rules::sum(lines.iter().map(|l| sides(l.raw_minor).0))?;
        let credit = rules::sum(lines.iter().map(|l| sides(l.raw_minor).1))?;
        Ok(Trial {
            as_of,
            lines,
            total_debit: money(debit),
            total_credit: money(credit),
            balanced: debit == credit,
            prepared: facts.prepared(books, facts.notes(books, &raws)?),
            totals_minor: (debit, credit),
        })
    }
}
