//! Listing the files of a subject.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    sheets,
    subject::{Link, SubjectRef},
    table,
    views::FileView,
};
use crate::{
    engine::{Example, Extent, Operation, Page, Read, Reader, Result},
    present::Sheet,
};

/// The most files of one page.
const FILES_MAX: u32 = 100;

/// List the files on a subject
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Attachments {
    /// What they are about
    #[arg(value_name = "SUBJECT")]
    pub subject: SubjectRef,
    /// At most 100 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Files to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// The files of a subject.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Listed {
    /// The subject
    pub subject: Link,
    /// Its files that are not withdrawn, in the order in which they were filed
    pub attachments: Vec<FileView>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for Attachments {
    const VERB: &'static str = "attachment list";
    const TOOL: &'static str = "books.attachments";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "account:1000",
        r#"{"subject":{"kind":"account","id":"1000"}}"#,
    )];
    type Output = Listed;

    fn sheet(output: &Listed, page: &Page) -> Result<Option<Sheet>> {
        let title = format!("Files of {}", output.subject.words());
        sheets::list(title, (&output.attachments, &output.extent), page).map(Some)
    }
}

impl Read for Attachments {
    fn run(self, books: &Reader<'_>) -> Result<Listed> {
        let subject = self.subject.resolve(books)?;
        let window = books.window(self.limit, self.offset, FILES_MAX);
        let (found, total) = table::list(&books.view(), (Some(&subject), false), window)?;
        let extent = window.extent(found.len(), total);
        let files = found.into_iter().map(|one| FileView::of(books, one));
        Ok(Listed {
            subject: subject.shown(books)?,
            attachments: files.collect::<Result<_>>()?,
            extent,
        })
    }
}
