//! What receipts ask of entries before they are filed on one. How files are shown is the attachments' business.

use crate::{
    domains::entry::{self, EntryStatus},
    engine::{Result, Writer},
    model::Refusal,
};

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
