//! Linking a receipt that was filed before its entry, or whose draft was discarded.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    sheets,
    views::{Link, is_discarded, links, must_take_receipts},
};
use crate::{
    domains::attachment,
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

/// A receipt that was linked.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Linked {
    /// Its id
    pub attachment_id: i64,
    /// Its name
    pub file_name: String,
    /// What it is linked to
    pub links: Vec<Link>,
}

impl Operation for LinkReceipt {
    const VERB: &'static str = "receipt link";
    const TOOL: &'static str = "books.link_receipt";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "1 {draft}",
        r#"{"receipt_id":1,"entry_id":{draft}}"#,
    )];
    type Output = Linked;

    fn sheet(output: &Linked, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(sheets::linked(output, page)))
    }
}

impl Write for LinkReceipt {
    fn run(self, books: &mut Writer<'_>) -> Result<Linked> {
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
        Ok(Linked {
            links: links(&books.reader(), &receipt)?,
            attachment_id: receipt.id,
            file_name: receipt.file_name,
        })
    }
}
