//! Listing receipts.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    domains::{
        attachment::{self, FileView, Subject},
        entry,
    },
    engine::{Example, Extent, Operation, Page, Read, Reader, Result},
    present::Sheet,
};

/// The most receipts of one page.
const RECEIPTS_MAX: u32 = 100;

/// List stored files, without their bytes
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Of this entry
    #[arg(long = "entry", value_name = "ENTRY")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<i64>,
    /// Also those withdrawn
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub include_withdrawn: bool,
    /// At most 100 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Receipts to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// Receipts.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Listed {
    /// The receipts, in the order in which they were filed
    pub receipts: Vec<FileView>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for List {
    const VERB: &'static str = "receipt list";
    const TOOL: &'static str = "books.list_receipts";
    const EXAMPLES: &'static [Example] = &[Example::new("--limit 5", r#"{"limit":5}"#)];
    type Output = Listed;

    fn sheet(output: &Listed, page: &Page) -> Result<Option<Sheet>> {
        let title = format!("Receipts and documents: {}", output.extent.total);
        attachment::list_sheet(title, (&output.receipts, &output.extent), page).map(Some)
    }
}

impl Read for List {
    fn run(self, books: &Reader<'_>) -> Result<Listed> {
        let view = books.view();
        if let Some(id) = self.entry_id {
            // An entry that there is not has not no receipts: it is refused.
            entry::by_id(&view, id)?;
        }
        let window = books.window(self.limit, self.offset, RECEIPTS_MAX);
        let (found, total) = {
            let subject = self.entry_id.map(Subject::entry);
            attachment::list(&view, (subject.as_ref(), self.include_withdrawn), window)?
        };
        let extent = window.extent(found.len(), total);
        let receipts = found.into_iter().map(|one| FileView::of(books, one));
        Ok(Listed {
            receipts: receipts.collect::<Result<_>>()?,
            extent,
        })
    }
}
