//! Filing a document.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    category::Category,
    file::{self, NewFile},
    sheets,
    subject::SubjectRef,
    views::FiledView,
};
use crate::{
    engine::{CONTENT_BYTES_MAX, Encoded, Example, Operation, Page, Result, Source, Write, Writer},
    present::Sheet,
};

/// File a document
///
/// Never a W-9: it shows the full TIN.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct FileDocument {
    /// The file, at most 25 MB
    #[arg(value_name = "FILE")]
    pub content_base64: Encoded,
    /// What kind
    #[arg(long, value_name = "CATEGORY")]
    pub category: Category,
    /// A label
    #[arg(long, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    pub file_name: Option<String>,
    /// Must be what it is
    #[arg(long, value_name = "TYPE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// What it is
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is about
    #[arg(long = "link-to", value_name = "SUBJECT")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link_to: Vec<SubjectRef>,
}

impl Operation for FileDocument {
    const VERB: &'static str = "document file";
    const TOOL: &'static str = "books.file_document";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "examples/receipts/stamps.txt --category contract --file-name lease.txt --link-to company --link-to account:1450",
        r#"{"category":"contract","file_name":"lease.txt","link_to":[{"kind":"company"},{"kind":"account","id":"1450"}],"content_base64":"SEFSQk9SIFNUUkVFVCBQT1NUIE9GRklDRQoyMDI2LTEwLTEyCjIwIHN0YW1wcyAgIDE0LjYwClBhaWQgYnkgY2FyZCAxNC42MAo="}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["attachment_id"];
    const FILE_BYTES_MAX: u64 = CONTENT_BYTES_MAX as u64;
    type Output = FiledView;

    fn sheet(output: &FiledView, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(sheets::filed(output, page)))
    }

    fn sources(&mut self) -> Vec<&mut Source> {
        vec![&mut self.content_base64]
    }
}

impl Write for FileDocument {
    fn run(self, books: &mut Writer<'_>) -> Result<FiledView> {
        let new = NewFile {
            mime_type: self.mime_type.as_deref(),
            description: self.description.as_deref(),
            category: Some(self.category),
            link_to: &self.link_to,
            ..NewFile::of(&self.content_base64, self.file_name.as_deref())?
        };
        let filed = file::file(books, new)?;
        FiledView::of(&books.reader(), filed)
    }
}
