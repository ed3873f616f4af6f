//! Taking a link of a file away.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{links, sheets, subject::SubjectRef, table, views::LinkedView};
use crate::{
    engine::{Example, Operation, Page, Result, Write, Writer},
    present::Sheet,
};

/// Take a file's link away; it stays filed
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct UnlinkAttachment {
    /// The file
    #[arg(value_name = "FILE")]
    pub attachment_id: i64,
    /// What it is linked to
    #[arg(value_name = "SUBJECT")]
    pub subject: SubjectRef,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

impl Operation for UnlinkAttachment {
    const VERB: &'static str = "attachment unlink";
    const TOOL: &'static str = "books.unlink_attachment";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "118 company --reason 'Of the bank account alone'",
        r#"{"attachment_id":118,"subject":{"kind":"company"},"reason":"Of the bank account alone"}"#,
    )];
    type Output = LinkedView;

    fn sheet(output: &LinkedView, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(sheets::linked(output, page, ("File", "unlinked"))))
    }
}

impl Write for UnlinkAttachment {
    fn run(self, books: &mut Writer<'_>) -> Result<LinkedView> {
        let file = table::by_id(&books.view(), self.attachment_id)?;
        let subject = self.subject.resolve(&books.reader())?;
        links::unlink(books, &file, (subject, &self.reason))?;
        LinkedView::of(&books.reader(), file.id)
    }
}
