//! The chart of accounts with balances.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::rules;
use crate::{
    domains::{
        chart::{self, Account, AccountView},
        entry,
    },
    engine::{Example, Extent, Operation, Page, Read, Reader, Result},
    model::Money,
    present::{Cell, ColKind, Column, Sheet, TableBuilder},
};

/// The most accounts of one page.
const ACCOUNTS_MAX: u32 = 500;

/// List the chart of accounts with balances
///
/// Balances are as of today, positive on the account's normal side. Archived accounts without a balance are left out.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ChartList {
    /// Archived ones too
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// At most 500 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Accounts to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// An account.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Listed {
    /// The account
    #[serde(flatten)]
    pub account: AccountView,
    /// Positive on the normal side
    pub balance: Money,
    /// Where it lands on the tax return
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_category: Option<String>,
    #[serde(skip)]
    row: Row,
}

/// What the page needs besides.
#[derive(Debug, Default)]
struct Row {
    depth: u8,
    balance_minor: i64,
}

/// The chart.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Chart {
    /// Accounts in code order
    pub accounts: Vec<Listed>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for ChartList {
    const VERB: &'static str = "chart list";
    const TOOL: &'static str = "books.chart";
    const RESOURCE: Option<&'static str> = Some("books://chart");
    const EXAMPLES: &'static [Example] = &[
        Example::new("", "{}"),
        Example::new("--archived --limit 20", r#"{"archived":true,"limit":20}"#),
    ];
    type Output = Chart;

    fn sheet(output: &Chart, page: &Page) -> Result<Option<Sheet>> {
        let words = |weight| ColKind::Text { weight };
        let mut table = TableBuilder::new(vec![
            Column::new("code", "Code", words(1)),
            Column::new("id", "Id", words(1)),
            Column::new("name", "Account", ColKind::Label { weight: 4 }),
            Column::new("type", "Type", words(1)),
            Column::new("standing", "Standing", words(1)),
            Column::new("balance", "Balance", ColKind::Balance),
        ]);
        for listed in &output.accounts {
            let (account, balance_minor) = (&listed.account, listed.row.balance_minor);
            let standing = match (account.archived, account.placeholder) {
                (true, _) => "archived",
                (false, true) => "group",
                (false, false) => "",
            };
            let balance = if account.placeholder && balance_minor == 0 {
                Cell::Empty
            } else {
                Cell::Money(balance_minor)
            };
            let cells = vec![
                Cell::Text(account.code.clone()),
                Cell::Text(account.id.to_string()),
                Cell::Text(account.name.clone()),
                Cell::Text(account.r#type.word().to_owned()),
                Cell::Text(standing.to_owned()),
                balance,
            ];
            table.line(listed.row.depth, cells)?;
        }
        let mut sheet = Sheet::new("", "Chart of accounts", page.currency);
        sheet.tables.push(table.finish());
        let note = output.extent.note(output.accounts.len(), "accounts");
        sheet.notes.extend(note);
        Ok(Some(sheet))
    }
}

impl Read for ChartList {
    fn run(self, books: &Reader<'_>) -> Result<Chart> {
        let chart = chart::all(&books.view())?;
        let raws = entry::balances_as_of(&books.view(), books.today())?;
        let by_id: BTreeMap<i64, &Account> = chart.iter().map(|a| (a.id, a)).collect();
        let wanted: Vec<(&Account, i64)> = chart
            .iter()
            .map(|account| (account, rules::shown(account, &raws)))
            .filter(|(account, minor)| self.archived || !account.archived || *minor != 0)
            .collect();
        let total = i64::try_from(wanted.len()).unwrap_or(i64::MAX);
        let window = books.window(self.limit, self.offset, ACCOUNTS_MAX);
        let accounts: Vec<Listed> = window
            .cut(wanted)
            .into_iter()
            .map(|(account, balance_minor)| {
                let parent = account.parent_id.and_then(|id| by_id.get(&id));
                Listed {
                    account: AccountView::under(parent.map(|p| p.code.clone()), account.clone()),
                    balance: books.currency().money(balance_minor),
                    tax_category: account.tax_category.clone(),
                    row: Row {
                        depth: rules::depth(account, &by_id),
                        balance_minor,
                    },
                }
            })
            .collect();
        let extent = window.extent(accounts.len(), total);
        Ok(Chart { accounts, extent })
    }
}
