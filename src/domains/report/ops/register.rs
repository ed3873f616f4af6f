//! An account's register: its posted lines with a running balance.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{rules, sheets, views};
use crate::{
    domains::{
        chart::{self, AccountRef},
        class,
        entry::{self, Movement, TagColumns, Tags},
    },
    engine::{Example, Extent, No, Operation, Page, Read, Reader, Result},
    model::{AccountType, Date, Money},
    present::{Cell, ColKind, Column, Field, Period, Sheet, TableBuilder},
};

/// The most lines of one page.
const LINES_MAX: u32 = 400;

/// Show an account's postings with a running balance
///
/// In date order, without drafts. Balances are positive on the account's normal side.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct AccountRegister {
    /// Code or id
    #[arg(value_name = "ACCOUNT")]
    pub account: AccountRef,
    /// Default: the first posted entry's
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Date>,
    /// Default: today
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Date>,
    /// At most 400 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Lines to skip
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
    /// What it moves
    #[serde(flatten)]
    pub moves: Movement,
    /// What else there is to it
    #[serde(flatten)]
    pub tags: Tags,
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
    /// Only groups others: no postings
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub placeholder: bool,
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
    #[serde(flatten)]
    pub extent: Extent,
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
        let tags = TagColumns::of(output.lines.iter().map(|line| &line.tags));
        let mut columns = vec![
            Column::new("date", "Date", ColKind::Date),
            Column::new("entry_id", "Entry", ColKind::Text { weight: 1 }),
            Column::new("description", "Description", ColKind::Label { weight: 8 }),
        ];
        columns.extend(tags.columns());
        columns.extend([
            Column::new("debit", "Debit", ColKind::Money),
            Column::new("credit", "Credit", ColKind::Money),
            Column::new("balance", "Balance", ColKind::Balance),
        ]);
        let mut table = TableBuilder::new(columns);
        for line in &output.lines {
            let mut cells = vec![
                Cell::Date(line.date),
                Cell::Text(line.entry_id.to_string()),
                Cell::Text(line.description.clone()),
            ];
            cells.extend(tags.cells(&line.tags).chain(line.moves.cells()?));
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
        let note = output.extent.note(output.lines.len(), "postings");
        sheet.notes.extend(note);
        sheet.notes.extend(output.placeholder.then(|| {
            format!(
                "Account {} only groups others and has no postings: look at the accounts under it.",
                output.account_code
            )
        }));
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
        let mut classes = BTreeMap::new();
        if part.lines.iter().any(|found| found.line.class_id.is_some()) {
            let all = class::all(&view)?.into_iter();
            classes.extend(all.map(|class| (class.id, class)));
        }
        for found in part.lines {
            let minor = found.line.amount_minor;
            raw = rules::sum([raw, minor])?;
            let class = found.line.class_id.and_then(|id| classes.get(&id));
            let balance = Some(account.kind.shown(raw));
            lines.push(RegisterLine {
                entry_id: found.entry_id,
                line_index: found.line_index,
                date: found.date,
                description: found.description,
                moves: Movement::of(books.currency(), minor, balance),
                tags: Tags::of(found.line, class),
            });
        }
        let extent = window.extent(lines.len(), part.total);
        if !lines.is_empty() && !extent.truncated && raw != closing {
            return Err(No::Fault(format!(
                "the register of account id {} ends at {raw}, its lines sum to {closing} minor units",
                account.id
            )));
        }
        let ends_minor = (account.kind.shown(opening), account.kind.shown(closing));
        Ok(Register {
            account_id: account.id,
            placeholder: account.groups(),
            account_code: account.code,
            account_name: account.name,
            r#type: account.kind,
            start,
            end,
            opening_balance: money(ends_minor.0),
            lines,
            closing_balance: money(ends_minor.1),
            extent,
            ends_minor,
        })
    }
}
