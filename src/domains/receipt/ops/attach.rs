//! Attaching a receipt.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::views::must_take_receipts;
use crate::{
    domains::attachment::{self, FiledView, NewFile, SubjectRef},
    engine::{CONTENT_BYTES_MAX, Encoded, Example, Operation, Page, Result, Source, Write, Writer},
    present::Sheet,
};

/// File a receipt, on its entry or for one to come
///
/// Attach at record time: postings above the policy's threshold are refused without one (`receipt_required`). Then get the
/// receipt; shrinking or splitting an entry to pass is forbidden.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// The file, at most 25 MB
    #[arg(value_name = "FILE")]
    pub content_base64: Encoded,
    /// The entry it is for
    #[arg(long = "entry", value_name = "ENTRY")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<i64>,
    /// A label
    #[arg(
        long,
        value_name = "NAME",
        long_help = "A label, no path; by default the file's own name"
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    pub file_name: Option<String>,
    /// Must be what it is
    #[arg(
        long,
        value_name = "TYPE",
        long_help = "What the file is, such as application/pdf; by default what its bytes say"
    )]
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

impl Operation for Attach {
    const VERB: &'static str = "receipt attach";
    const TOOL: &'static str = "books.attach_receipt";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "examples/receipts/stamps.txt --entry {draft} --file-name stamps.txt",
        r#"{"entry_id":{draft},"file_name":"stamps.txt","content_base64":"SEFSQk9SIFNUUkVFVCBQT1NUIE9GRklDRQoyMDI2LTEwLTEyCjIwIHN0YW1wcyAgIDE0LjYwClBhaWQgYnkgY2FyZCAxNC42MAo="}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["attachment_id"];
    const FILE_BYTES_MAX: u64 = CONTENT_BYTES_MAX as u64;
    type Output = FiledView;

    fn sheet(output: &FiledView, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(attachment::filed_sheet(output, page)))
    }

    fn sources(&mut self) -> Vec<&mut Source> {
        vec![&mut self.content_base64]
    }
}

impl Write for Attach {
    fn run(self, books: &mut Writer<'_>) -> Result<FiledView> {
        if let Some(entry_id) = self.entry_id {
            must_take_receipts(books, entry_id)?;
        }
        let new = NewFile {
            mime_type: self.mime_type.as_deref(),
            description: self.description.as_deref(),
            entry_id: self.entry_id,
            link_to: &self.link_to,
            ..NewFile::of(&self.content_base64, self.file_name.as_deref())?
        };
        let filed = attachment::file(books, new)?;
        FiledView::of(&books.reader(), filed)
    }
}
