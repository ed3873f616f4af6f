//! Taking a receipt off its entry.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    domains::attachment,
    engine::{Example, Operation, Result, Write, Writer},
};

/// Take a receipt off its entry; it stays filed
///
/// An entry that needs a receipt keeps one: attach the new one first.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct UnlinkReceipt {
    /// The receipt
    #[arg(value_name = "RECEIPT")]
    pub attachment_id: i64,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

/// A receipt that was taken off its entry.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Unlinked {
    /// It was taken off
    pub ok: bool,
    /// The entry that it was on
    pub entry_id: i64,
    /// How many the entry has left
    pub remaining_receipts: usize,
}

impl Operation for UnlinkReceipt {
    const VERB: &'static str = "receipt unlink";
    const TOOL: &'static str = "books.unlink_receipt";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "117 --reason 'Of another purchase'",
        r#"{"attachment_id":117,"reason":"Of another purchase"}"#,
    )];
    type Output = Unlinked;
}

impl Write for UnlinkReceipt {
    fn run(self, books: &mut Writer<'_>) -> Result<Unlinked> {
        let receipt = attachment::by_id(&books.view(), self.attachment_id)?;
        let entry_id = attachment::unlink(books, &receipt, &self.reason)?;
        Ok(Unlinked {
            ok: true,
            entry_id,
            remaining_receipts: attachment::on_entry(&books.view(), entry_id)?.len(),
        })
    }
}
