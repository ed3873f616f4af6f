//! Receipts as answers show them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    domains::{
        attachment::Attachment,
        entry::{self, EntryStatus},
    },
    engine::{Reader, Result, Writer},
    model::Refusal,
};

/// What a file is linked to.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// What kind of thing
    pub kind: &'static str,
    /// Which
    pub id: i64,
    /// What it is called
    pub label: String,
}

/// A receipt, without its bytes.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ReceiptView {
    /// Its id
    pub attachment_id: i64,
    /// Its name, a label
    pub file_name: String,
    /// What it is
    pub mime_type: String,
    /// Its size
    pub bytes: u64,
    /// Of its bytes
    pub sha256: String,
    /// In words
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it was retired
    pub withdrawn: bool,
    /// What it is linked to
    pub links: Vec<Link>,
}

impl ReceiptView {
    /// A stored file as answers show it.
    pub fn of(books: &Reader<'_>, receipt: Attachment) -> Result<ReceiptView> {
        Ok(ReceiptView {
            links: links(books, &receipt)?,
            attachment_id: receipt.id,
            file_name: receipt.file_name,
            mime_type: receipt.mime_type,
            bytes: receipt.bytes,
            sha256: receipt.sha256,
            description: receipt.description,
            withdrawn: false,
        })
    }
}

/// What a file is linked to, the entry that it is filed on first.
pub fn links(books: &Reader<'_>, receipt: &Attachment) -> Result<Vec<Link>> {
    let Some(id) = receipt.entry_id else {
        return Ok(Vec::new());
    };
    let header = entry::by_id(&books.view(), id)?;
    Ok(vec![Link {
        kind: "entry",
        id,
        label: format!("{} {}", header.date, header.description),
    }])
}

/// Whether an entry was discarded: its receipts are free for another. Refuses one that there is not.
pub fn is_discarded(books: &Writer<'_>, entry_id: i64) -> Result<bool> {
    let header = entry::by_id(&books.view(), entry_id)?;
    Ok(header.status == EntryStatus::Discarded)
}

/// Refuses an entry that takes no receipt: one that there is not, or that was discarded.
pub fn must_take_receipts(books: &Writer<'_>, entry_id: i64) -> Result<()> {
    if !is_discarded(books, entry_id)? {
        return Ok(());
    }
    let message = format!("entry {entry_id} is discarded; it takes no receipt");
    Err(Refusal::new("entry_discarded", message)
        .with("entry_id", entry_id)
        .remedy(
            "books.search_entries",
            "look for the entry that stands in its place with `wb entry search`",
        )
        .into())
}
