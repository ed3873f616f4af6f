//! Linking a file to what it is about.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{links, sheets, subject::SubjectRef, table, views::LinkedView};
use crate::{
    engine::{Example, Operation, Page, Result, Write, Writer},
    present::Sheet,
};

/// Link a file to what it is about
///
/// On an entry it counts as a receipt.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct LinkAttachment {
    /// The file
    #[arg(value_name = "FILE")]
    pub attachment_id: i64,
    /// What it is about
    #[arg(
        value_name = "SUBJECT",
        long_help = "What it is about: `account:1000`, `entry:5`, `company`"
    )]
    pub subject: SubjectRef,
}

impl Operation for LinkAttachment {
    const VERB: &'static str = "attachment link";
    const TOOL: &'static str = "books.link_attachment";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "1 account:6810",
        r#"{"attachment_id":1,"subject":{"kind":"account","id":"6810"}}"#,
    )];
    type Output = LinkedView;

    fn sheet(output: &LinkedView, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(sheets::linked(output, page, ("File", "linked"))))
    }
}

impl Write for LinkAttachment {
    fn run(self, books: &mut Writer<'_>) -> Result<LinkedView> {
        let file = table::by_id(&books.view(), self.attachment_id)?;
        let subject = self.subject.resolve(&books.reader())?;
        links::may_link(books, &file, &subject)?;
        links::record(books, file.id, subject)?;
        LinkedView::of(&books.reader(), file.id)
    }
}
