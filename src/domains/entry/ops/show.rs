//! Showing an entry.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    sheets,
    views::{self, EntryView},
};
use crate::engine::{Example, Operation, Page, Read, Reader, Result};
use crate::present::Sheet;

/// Show an entry with its lines
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// The entry's id
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
}

impl Operation for Show {
    const VERB: &'static str = "entry show";
    const TOOL: &'static str = "books.get_entry";
    const EXAMPLES: &'static [Example] = &[Example::new("1", r#"{"entry_id":1}"#)];
    type Output = EntryView;

    fn sheet(output: &EntryView, page: &Page) -> Result<Option<Sheet>> {
        sheets::of_view(page, output, false).map(Some)
    }
}

impl Read for Show {
    fn run(self, books: &Reader<'_>) -> Result<EntryView> {
        views::entry(books, self.entry_id)
    }
}
