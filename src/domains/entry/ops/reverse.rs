//! Reversing a posted entry.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use serde_json::json;

use super::super::{
    Lines, NewEntry,
    post::{must_be_reversible, post},
    rules,
    sheets::{self, Heading},
    table,
    views::{Accounts, EntryStatus, LineView},
};
use crate::{
    engine::{Example, Operation, Page, Result, Write, WriteEffect, Writer},
    model::{Date, Money, Origin},
    present::Sheet,
};

/// Reverse a posted entry
///
/// Makes a new entry with every side swapped. Without confirmation this is a preview and nothing changes: show it to the human
/// before confirming. Reversing a reversal reinstates the original.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Reverse {
    /// The entry to reverse
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
    /// The reversal's day, not before the original's
    #[arg(long, value_name = "DATE")]
    pub date: Date,
    /// Why; default: Reversal of entry N
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A reversal.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Reversed {
    /// Whether it was posted
    pub status: EntryStatus,
    /// The new entry's id
    pub entry_id: i64,
    /// The entry it reverses
    pub reverses: i64,
    /// Its day
    pub date: Date,
    /// Its description
    pub description: String,
    /// Sum of its debits
    pub total: Money,
    /// Its lines, with the resulting balances
    pub lines: Vec<LineView>,
}

impl Operation for Reverse {
    const VERB: &'static str = "entry reverse";
    const TOOL: &'static str = "books.reverse_entry";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "{posted} --date 2026-12-31 --confirm",
        r#"{"entry_id":{posted},"date":"2026-12-31","confirmed":true}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["entry_id"];
    type Output = Reversed;

    fn sheet(output: &Reversed, page: &Page) -> Result<Option<Sheet>> {
        let heading = Heading {
            entry_id: Some(output.entry_id).filter(|_| !page.preview),
            preview: page.preview,
            status: output.status,
            date: output.date.to_string(),
            description: &output.description,
            facts: vec![("Reverses", format!("entry {}", output.reverses))],
        };
        sheets::entry(page, heading, &output.lines).map(Some)
    }
}

impl Write for Reverse {
    const EFFECT: WriteEffect = WriteEffect::Confirm;

    fn run(self, books: &mut Writer<'_>) -> Result<Reversed> {
        let original = table::entry(&books.view(), self.entry_id)?;
        must_be_reversible(&original, self.date)?;
        let description = self
            .description
            .unwrap_or_else(|| format!("Reversal of entry {}", original.id));
        let lines: Lines = table::lines(&books.view(), original.id)?
            .iter()
            .map(|l| (l.account_id, l.amount_minor))
            .collect();
        let new = NewEntry {
            date: self.date,
            description: &description,
            origin: Origin::Reversal,
            lines: rules::swapped(&lines),
            reverses: Some(original.id),
        };
        let posted = post(books, new)?;
        let lines = Accounts::default().lines(&books.reader(), &posted.lines, true)?;
        let exact: Vec<_> = posted
            .lines
            .iter()
            .map(|l| (l.account_id, l.amount_minor))
            .collect();
        books.stake(&json!({
            "reverses": original.id, "date": self.date, "description": description,
            "lines": exact, "checklist": posted.checklist, "seq": original.seq,
        }))?;
        Ok(Reversed {
            status: EntryStatus::Posted,
            entry_id: posted.entry_id,
            reverses: original.id,
            date: self.date,
            description: table::entry(&books.view(), posted.entry_id)?.description,
            total: books.currency().money(posted.total_minor),
            lines,
        })
    }
}
