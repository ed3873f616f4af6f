//! Posting a draft.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use serde_json::json;

use super::super::{
    post,
    sheets::{self, Heading},
    table,
    views::{Accounts, EntryStatus, LineView},
};
use crate::{
    engine::{Confirm, Example, Operation, Page, Result, Stake, Writer},
    model::{Date, Money},
    present::Sheet,
};

/// Post a draft entry
///
/// Without confirmation this is a preview: the exact lines and the resulting balances; nothing changes. Show it to the human
/// before confirming. A posting that the receipt policy objects to needs its receipt: never shrink or split an entry to pass
/// under it. Posted entries never change; correct one by reversing it.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Post {
    /// The draft's id
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
}

/// A posting.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Posted {
    /// Whether it was posted
    pub status: EntryStatus,
    /// The entry's id
    pub entry_id: i64,
    /// Its day
    pub date: Date,
    /// Its description
    pub description: String,
    /// Sum of its debits
    pub total: Money,
    /// Its lines, with the resulting balances
    pub lines: Vec<LineView>,
}

impl Operation for Post {
    const VERB: &'static str = "entry post";
    const TOOL: &'static str = "books.post_entry";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "{draft} --confirm",
        r#"{"entry_id":{draft},"confirmed":true}"#,
    )];
    type Output = Posted;

    fn sheet(output: &Posted, page: &Page) -> Result<Option<Sheet>> {
        let heading = Heading {
            entry_id: Some(output.entry_id),
            preview: page.preview,
            status: output.status,
            date: output.date.to_string(),
            description: &output.description,
            facts: Vec::new(),
        };
        sheets::entry(page, heading, &output.lines).map(Some)
    }
}

impl Confirm for Post {
    fn run(self, books: &mut Writer<'_>) -> Result<(Posted, Stake)> {
        let draft = table::entry(&books.view(), self.entry_id)?;
        let posted = post::post_draft(books, &draft)?;
        let lines = Accounts::default().lines(&books.reader(), &posted.lines, true)?;
        let exact: Vec<_> = posted
            .lines
            .iter()
            .map(|l| (l.account_id, l.amount_minor))
            .collect();
        let stake = Stake::of(&json!({
            "entry_id": draft.id, "date": draft.date, "description": draft.description,
            "lines": exact, "checklist": posted.checklist, "seq": draft.seq,
        }))?;
        let output = Posted {
            status: EntryStatus::Posted,
            entry_id: posted.entry_id,
            date: draft.date,
            description: draft.description,
            total: books.currency().money(posted.total_minor),
            lines,
        };
        Ok((output, stake))
    }
}
