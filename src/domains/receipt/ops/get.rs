//! Getting a receipt back, bytes and all.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    domains::attachment::{self, FileView},
    engine::{Content, Example, Gives, Operation, Page, Read, Reader, Result},
    present::Sheet,
};

/// Get a receipt with its bytes
///
/// They are held to their hash; a file that is not what was attached is refused as damage.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Get {
    /// The receipt
    #[arg(value_name = "RECEIPT")]
    pub attachment_id: i64,
}

/// A receipt, whole.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Receipt {
    /// What is known of it
    #[serde(flatten)]
    pub receipt: FileView,
    /// Its bytes
    pub content_base64: Content,
}

impl Operation for Get {
    const VERB: &'static str = "receipt get";
    const TOOL: &'static str = "books.get_receipt";
    const EXAMPLES: &'static [Example] = &[Example::new("1", r#"{"attachment_id":1}"#)];
    const RESOURCE: Option<&'static str> = Some("books://receipts/{attachment_id}");
    const GIVES: Option<Gives> = Some(Gives {
        content: "content_base64",
        media_type: "mime_type",
    });
    type Output = Receipt;

    fn sheet(output: &Receipt, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(attachment::file_sheet(&output.receipt, page)))
    }
}

impl Read for Get {
    fn run(self, books: &Reader<'_>) -> Result<Receipt> {
        let receipt = attachment::by_id(&books.view(), self.attachment_id)?;
        let bytes = books.file(&receipt.sha256)?;
        Ok(Receipt {
            receipt: FileView::of(books, receipt)?,
            content_base64: Content(bytes.into()),
        })
    }
}
