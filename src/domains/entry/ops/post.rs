//! Posting a draft.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use serde_json::json;

use super::super::{post, sheets, table, views::PostedView};
use crate::{
    engine::{Confirm, Example, Operation, Page, Result, Stake, Writer},
    present::Sheet,
};

/// Post a draft entry
///
/// Without confirmation a preview: the exact lines, resulting balances and receipt checklist; nothing changes. Show it to the
/// human before confirming. Above the receipt policy's threshold it is refused without a receipt: attach it; shrinking or
/// splitting an entry to pass is forbidden. A posted entry is corrected by reversing it.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Post {
    /// The draft's id
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
}

impl Operation for Post {
    const VERB: &'static str = "entry post";
    const TOOL: &'static str = "books.post_entry";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "{draft} --confirm",
        r#"{"entry_id":{draft},"confirmed":true}"#,
    )];
    const SHOWS: &'static [&'static str] = &["posting"];
    type Output = PostedView;

    fn sheet(output: &PostedView, page: &Page) -> Result<Option<Sheet>> {
        sheets::posted(page, output).map(Some)
    }
}

impl Confirm for Post {
    fn run(self, books: &mut Writer<'_>) -> Result<(PostedView, Stake)> {
        let draft = table::entry(&books.view(), self.entry_id)?;
        let posted = post::post_draft(books, &draft)?;
        let stake = Stake::of(&json!({
            "entry_id": draft.id, "date": draft.date, "description": draft.description,
            "lines": posted.lines, "checklist": posted.checklist, "seq": draft.seq,
        }))?;
        post::warn_of_day(books, draft.date);
        post::warn_of_cancelling(books, &posted.lines)?;
        Ok((PostedView::of(&books.reader(), posted)?, stake))
    }
}
