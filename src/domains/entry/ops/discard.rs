//! Discarding a draft.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    events::EntryDiscarded,
    post, sheets, table,
    views::{self, EntryStatus, EntryView},
};
use crate::{
    engine::{Example, Operation, Page, Result, Write, Writer},
    present::Sheet,
};

/// Discard a draft
///
/// It keeps its number and lines and can never be posted. A bank row stays known to later imports.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Discard {
    /// The draft's id
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
}

/// A discarded draft.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Discarded {
    /// It was discarded
    pub ok: bool,
    /// The entry's id
    pub entry_id: i64,
    /// Where it stands
    pub status: EntryStatus,
    /// The entry, for the page
    #[serde(skip)]
    pub entry: EntryView,
}

impl Operation for Discard {
    const VERB: &'static str = "entry discard";
    const TOOL: &'static str = "books.discard_draft";
    const EXAMPLES: &'static [Example] = &[Example::new("{draft}", r#"{"entry_id":{draft}}"#)];
    type Output = Discarded;

    fn sheet(output: &Discarded, page: &Page) -> Result<Option<Sheet>> {
        sheets::discarded(page, &output.entry).map(Some)
    }
}

impl Write for Discard {
    fn run(self, books: &mut Writer<'_>) -> Result<Discarded> {
        let draft = table::entry(&books.view(), self.entry_id)?;
        post::must_be_draft(&draft, "discarded")?;
        books.record(&EntryDiscarded { entry_id: draft.id })?;
        let entry = views::entry(&books.reader(), draft.id)?;
        Ok(Discarded {
            ok: true,
            entry_id: draft.id,
            status: entry.status,
            entry,
        })
    }
}
