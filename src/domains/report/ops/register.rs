//! An account's register: its posted lines with a running balance.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{rules, sheets, views};
use crate::{
    domains::{
        chart::{self, AccountRef},
        entry,
    },
    engine::{Example, No, Operation, Page, Read, Reader, Result},
    model::{AccountType, Date, Money, Side},
    present::{Cell, ColKind, Column, Field, Period, Sheet, TableBuilder},
};

/// The most lines of one page.
const LINES_MAX: u32 = 400;

/// Show an account's postings with a running balance
///
/// In date order, drafts left out. Balances are positive on the account's normal side, and right on every page.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct AccountRegister {
    /// Account code or id
    #[arg(value_name = "ACCOUNT")]
    pub account: AccountRef,
    /// First day, by default the first posted entry's
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Date>,
    /// Last day, by default today
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Date>,
    /// Most lines to give, at most 400 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Lines to pass over
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// A posted line.
#[derive(Serialize, JsonSchema, Debug)]
pub struct RegisterLine {
    /// Its entry
    pub entry_id: i64,
    /// Its place in the entry, from 0
    pub line_index: i64,
    /// Its day
    pub date: Date,
    /// The entry's description
    pub description: String,
    /// Its side
    pub side: Side,
    /// Positive amount
    pub amount: Money,
    /// The balance after it
    pub balance: Money,
    #[serde(skip)]
    minor: Minor,
}

/// A line's figures for the page, in minor units.
#[derive(Debug, Default)]
struct Minor {
    amount: i64,
    balance: i64,
}

/// A register.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Register {
    /// Account id
    pub account_id: i64,
    /// Account code
    pub account_code: String,
    /// Account name
    pub account_name: String,
    /// Account type
    pub r#type: AccountType,
    /// First day
    pub start: Date,
    /// Last day
    pub end: Date,
    /// Balance before the first day
    pub opening_balance: Money,
    /// Postings in date order
    pub lines: Vec<RegisterLine>,
    /// Balance after the last day
    pub closing_balance: Money,
    /// How many postings there are
    pub total: i64,
    /// Whether more follow
    pub truncated: bool,
    /// The offset of the next page
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u32>,
    #[serde(skip)]
    ends_minor: (i64, i64),
}

impl Operation for AccountRegister {
    const VERB: &'static str = "account register";
    const TOOL: &'static str = "books.account_register";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "1000 --start 2026-01-01 --end 2026-03-31 --limit 50",
        r#"{"account":"1000","start":"2026-01-01","end":"2026-03-31","limit":50}"#,
    )];
    type Output = Register;

    fn sheet(output: &Register, page: &Page) -> Result<Option<Sheet>> {
        let mut table = TableBuilder::new(vec![
            Column::new("date", "Date", ColKind::Date),
            Column::new("entry_id", "Entry", ColKind::Text { weight: 1 }),
            Column::new("description", "Description", ColKind::Label { weight: 8 }),
            Column::new("debit", "Debit", ColKind::Money),
            Column::new("credit", "Credit", ColKind::Money),
            Column::new("balance", "Balance", ColKind::Balance),
        ]);
        for line in &output.lines {
            let amount = Cell::Money(line.minor.amount);
            let (debit, credit) = match line.side {
                Side::Debit => (amount, Cell::Empty),
                Side::Credit => (Cell::Empty, amount),
            };
            let cells = vec![
                Cell::Date(line.date),
                Cell::Text(line.entry_id.to_string()),
                Cell::Text(line.description.clone()),
                debit,
                credit,
                Cell::Money(line.minor.balance),
            ];
            table.line(0, cells)?;
        }
        let title = sheets::label(&output.account_code, &output.account_name);
        let mut sheet = Sheet::new("", title, page.currency);
        let (start, end) = (output.start, output.end);
        let field = |label: &str, cell| Field {
            label: label.to_owned(),
            cell,
        };
        sheet.fields = vec![
            field("Period", Cell::Text(Period::Range { start, end }.text())),
            field("Opening balance", Cell::Money(output.ends_minor.0)),
            field("Closing balance", Cell::Money(output.ends_minor.1)),
        ];
        sheet.tables.push(table.finish());
        if let Some(next) = output.next_offset {
            sheet.notes.push(format!(
                "{} of {} postings; the next begin at --offset {next}.",
                output.lines.len(),
                output.total
            ));
        }
        Ok(Some(sheet))
    }
}

impl Read for AccountRegister {
    fn run(self, books: &Reader<'_>) -> Result<Register> {
        let view = books.view();
        let account = chart::resolve(&view, &self.account)?;
        let (start, end) = views::days(books, (self.start, self.end))?;
        let window = books.window(self.limit, self.offset, LINES_MAX);
        let part = entry::register(&view, account.id, (start, end), window)?;
        let opening = entry::balance_before(&view, account.id, start)?;
        let closing = rules::sum([opening, part.moved_minor])?;
        let money = |minor| books.currency().money(minor);
        let mut raw = rules::sum([opening, part.before_minor])?;
        let mut lines = Vec::with_capacity(part.lines.len());
        for line in part.lines {
            raw = rules::sum([raw, line.amount_minor])?;
            let minor = Minor {
                amount: line.amount_minor.abs(),
                balance: account.kind.shown(raw),
            };
            lines.push(RegisterLine {
                entry_id: line.entry_id,
                line_index: line.line_index,
                date: line.date,
                description: line.description,
                side: Side::of(line.amount_minor),
                amount: money(minor.amount),
                balance: money(minor.balance),
                minor,
            });
        }
        let next_offset = window.next(lines.len(), part.total);
        if !lines.is_empty() && next_offset.is_none() && raw != closing {
            return Err(No::Fault(format!(
                "the register of account id {} ends at {raw}, its lines sum to {closing} minor units",
                account.id
            )));
        }
        let ends_minor = (account.kind.shown(opening), account.kind.shown(closing));
        Ok(Register {
            account_id: account.id,
            account_code: account.code,
            account_name: account.name,
            r#type: account.kind,
            start,
            end,
            opening_balance: money(ends_minor.0),
            lines,
            closing_balance: money(ends_minor.1),
            total: part.total,
            truncated: next_offset.is_some(),
            next_offset,
            ends_minor,
        })
    }
}
