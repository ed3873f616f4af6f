//! Changing a draft's day or description.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    post, sheets, table,
    told::{self, Now},
    views::Changed,
};
use crate::{
    engine::{Example, No, Operation, Page, Result, Write, Writer},
    model::{Date, TEXT_CHARS_MAX, typed},
    present::Sheet,
};

/// Change a draft's date or description
///
/// Give at least one of the two. A posted entry is corrected by reversing it.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct UpdateDraft {
    /// The draft's id
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
    /// New day
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// New description
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl Operation for UpdateDraft {
    const VERB: &'static str = "entry update";
    const TOOL: &'static str = "books.update_draft";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "{draft} --date 2026-10-11",
        r#"{"entry_id":{draft},"date":"2026-10-11"}"#,
    )];
    const IDEMPOTENT: bool = true;
    type Output = Changed;

    fn sheet(output: &Changed, page: &Page) -> Result<Option<Sheet>> {
        sheets::changed(page, &output.entry, "changed").map(Some)
    }
}

impl Write for UpdateDraft {
    fn run(self, books: &mut Writer<'_>) -> Result<Changed> {
        let draft = table::entry(&books.view(), self.entry_id)?;
        post::must_be_draft(&draft, "changed")?;
        if self.date.is_none() && self.description.is_none() {
            return Err(No::argument(
                "date",
                "give at least one of date, description",
            ));
        }
        let description = self
            .description
            .map(|d| typed(&d, "description", TEXT_CHARS_MAX))
            .transpose()?;
        let date = self.date.unwrap_or(draft.date);
        let description = description.unwrap_or_else(|| draft.description.clone());
        if date != draft.date {
            post::warn_of_day(books, date);
        }
        if date == draft.date && description == draft.description {
            return Changed::of(&books.reader(), draft.id);
        }
        let lines = table::lines(&books.view(), draft.id)?;
        let now = Now {
            date,
            description: &description,
            lines: &lines,
        };
        told::change(books, &draft, &now)
    }
}
