//! Linking a receipt that was filed before its entry, or whose draft was discarded.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::views::{is_discarded, must_take_receipts};
use crate::{
    domains::attachment::{self, LinkedView},
    engine::{Example, Operation, Page, Result, Write, Writer},
    model::Refusal,
    present::Sheet,
};

/// Link a filed receipt to its entry
///
/// Refused when it is on an entry already, unless that one was discarded.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct LinkReceipt {
    /// The receipt
    #[arg(value_name = "RECEIPT")]
    pub receipt_id: i64,
    /// Its entry
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
}

impl Operation for LinkReceipt {
    const VERB: &'static str = "receipt link";
    const TOOL: &'static str = "books.link_receipt";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "1 {draft}",
        r#"{"receipt_id":1,"entry_id":{draft}}"#,
    )];
    type Output = LinkedView;

    fn sheet(output: &LinkedView, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(attachment::linked_sheet(
            output,
            page,
            ("Receipt", "linked"),
        )))
    }
}

impl Write for LinkReceipt {
    fn run(self, books: &mut Writer<'_>) -> Result<LinkedView> {
        let receipt = attachment::by_id(&books.view(), self.receipt_id)?;
        if let Some(on) = receipt.entry_id
            && !is_discarded(books, on)?
        {
            let message = format!("receipt {} is on entry {on} already", receipt.id);
            return Err(Refusal::new("receipt_linked", message)
                .with("attachment_id", receipt.id)
                .with("entry_id", on)
                .remedy(
                    "books.attach_receipt",
                    "attach the same file to the other entry; its bytes are stored once",
                )
                .into());
        }
        must_take_receipts(books, self.entry_id)?;
        let receipt = attachment::link(books, &receipt, self.entry_id)?;
        LinkedView::of(&books.reader(), receipt.id)
    }
}
