//! Filing a file, and linking one that waits, for the operations of the domains above. Whether an entry may have it is theirs.

use std::sync::Arc;

use super::{
    events::{AttachmentFiled, ReceiptLinked},
    rules,
    table::{self, Attachment},
};
use crate::{
    engine::{Result, Writer},
    model::{TEXT_CHARS_MAX, typed},
};

/// A file to be filed.
pub struct NewFile<'a> {
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// Its name, as it came.
    pub name: &'a str,
    /// The media type that was stated.
    pub mime_type: Option<&'a str>,
    /// What it is, in words.
    pub description: Option<&'a str>,
    /// The entry that it is a receipt of.
    pub entry_id: Option<i64>,
}

/// What was filed.
pub struct Filed {
    /// The attachment.
    pub attachment: Attachment,
    /// Whether the same bytes were filed before.
    pub deduplicated: bool,
    /// Whether anything but white space was cleaned from the name.
    pub text_cleaned: bool,
}

/// Files a file. Its bytes are stored with the change, and not at all when it is undone.
///
/// Refuses: what [`rules::mime_type`] and [`rules::label`] refuse, and a description that cannot be kept.
pub fn file(books: &mut Writer<'_>, new: NewFile<'_>) -> Result<Filed> {
    let mime_type = rules::mime_type(&new.bytes, new.mime_type)?;
    let (file_name, text_cleaned) = rules::label(new.name)?;
    let description = new
        .description
        .map(|text| typed(text, "description", TEXT_CHARS_MAX))
        .transpose()?;
    let bytes = new.bytes.len() as u64;
    let sha256 = books.keep(new.bytes);
    let deduplicated = table::known(&books.view(), &sha256)?;
    let event = AttachmentFiled {
        attachment_id: table::next_id(&books.view())?,
        entry_id: new.entry_id,
        file_name,
        mime_type: mime_type.to_owned(),
        bytes,
        sha256,
        description,
        text_cleaned,
    };
    books.record(&event)?;
    Ok(Filed {
        attachment: table::by_id(&books.view(), event.attachment_id)?,
        deduplicated,
        text_cleaned,
    })
}

/// Makes a file a receipt of an entry. The caller has seen that it is on none, or on a draft that was discarded.
pub fn link(books: &mut Writer<'_>, attachment: &Attachment, entry_id: i64) -> Result<Attachment> {
    let event = ReceiptLinked {
        attachment_id: attachment.id,
        previous_entry_id: attachment.entry_id,
        entry_id,
    };
    books.record(&event)?;
    table::by_id(&books.view(), attachment.id)
}
