//! Reversing a posted entry.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use serde_json::json;

use super::super::{
    NewEntry,
    post::{must_be_reversible, post, warn_of_day},
    rules, sheets, table,
    views::PostedView,
};
use crate::{
    engine::{Confirm, Example, Operation, Page, Result, Stake, Writer},
    model::{Date, Origin},
    present::Sheet,
};

/// Reverse a posted entry
///
/// Makes a new entry with every side swapped. Without confirmation a preview; nothing changes. Show it to the human before
/// confirming. Reversing a reversal reinstates the original.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Reverse {
    /// The entry to reverse
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
    /// Not before the original's
    #[arg(long, value_name = "DATE")]
    pub date: Date,
    /// Default: Reversal of entry N
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl Operation for Reverse {
    const VERB: &'static str = "entry reverse";
    const TOOL: &'static str = "books.reverse_entry";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "{posted} --date 2026-12-31 --confirm",
        r#"{"entry_id":{posted},"date":"2026-12-31","confirmed":true}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["entry_id"];
    const SHOWS: &'static [&'static str] = &["posting"];
    type Output = PostedView;

    fn sheet(output: &PostedView, page: &Page) -> Result<Option<Sheet>> {
        sheets::posted(page, output).map(Some)
    }
}

impl Confirm for Reverse {
    fn run(self, books: &mut Writer<'_>) -> Result<(PostedView, Stake)> {
        let original = table::entry(&books.view(), self.entry_id)?;
        must_be_reversible(books, &original, self.date)?;
        let description = self
            .description
            .unwrap_or_else(|| format!("Reversal of entry {}", original.id));
        let lines = table::lines(&books.view(), original.id)?;
        let new = NewEntry {
            date: self.date,
            description: &description,
            origin: Origin::Reversal,
            lines: rules::swapped(&lines),
            reverses: Some(original.id),
        };
        let posted = post(books, new)?;
        let stake = Stake::of(&json!({
            "reverses": original.id, "date": self.date, "description": description,
            "lines": posted.lines, "checklist": posted.checklist, "seq": original.seq,
        }))?;
        warn_of_day(books, self.date);
        Ok((PostedView::of(&books.reader(), posted)?, stake))
    }
}
