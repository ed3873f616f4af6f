//! Attaching a receipt.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    sheets,
    views::{Link, links, must_take_receipts},
};
use crate::{
    domains::attachment::{self, NewFile},
    engine::{
        CONTENT_BYTES_MAX, Encoded, Example, No, Operation, Page, Result, Source, Write, Writer,
    },
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
}

/// A receipt that was filed.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Attached {
    /// Its id
    pub attachment_id: i64,
    /// Its name as kept
    pub file_name: String,
    /// Some of the name was left out: it cannot be seen
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub text_cleaned: bool,
    /// Of its bytes
    pub sha256: String,
    /// The same bytes were filed before
    pub deduplicated: bool,
    /// What it is linked to
    pub links: Vec<Link>,
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
    type Output = Attached;

    fn sheet(output: &Attached, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(sheets::attached(output, page)))
    }

    fn sources(&mut self) -> Vec<&mut Source> {
        vec![&mut self.content_base64]
    }
}

impl Write for Attach {
    fn run(self, books: &mut Writer<'_>) -> Result<Attached> {
        if let Some(entry_id) = self.entry_id {
            must_take_receipts(books, entry_id)?;
        }
        let own = self.content_base64.name();
        let name = self.file_name.as_deref().or(own).ok_or_else(|| {
            No::argument(
                "file_name",
                "the file has no name of its own; give file_name",
            )
        })?;
        let new = NewFile {
            bytes: self.content_base64.shared(),
            name,
            mime_type: self.mime_type.as_deref(),
            description: self.description.as_deref(),
            entry_id: self.entry_id,
        };
        let filed = attachment::file(books, new)?;
        Ok(Attached {
            links: links(&books.reader(), &filed.attachment)?,
            attachment_id: filed.attachment.id,
            file_name: filed.attachment.file_name,
            text_cleaned: filed.text_cleaned,
            sha256: filed.attachment.sha256,
            deduplicated: filed.deduplicated,
        })
    }
}
