//! Filing a file, and making one that waits a receipt of an entry, for the operations of this domain and those above. Whether an
//! entry may have it is theirs.

use std::sync::Arc;

use super::{
    category::Category,
    events::{AttachmentFiled, ReceiptLinked, ReceiptUnlinked},
    links, rules,
    subject::{Subject, SubjectRef},
    table::{self, Attachment},
};
use crate::{
    engine::{Result, Source, Writer},
    model::{Refusal, TEXT_CHARS_MAX, typed},
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
    /// What kind of document it is; none of a receipt.
    pub category: Option<Category>,
    /// The entry that it is a receipt of.
    pub entry_id: Option<i64>,
    /// What it is to be linked to besides.
    pub link_to: &'a [SubjectRef],
}

impl<'a> NewFile<'a> {
    /// A file of which only its content is known: its own name, unless it was given another.
    ///
    /// Refuses: content without a name of its own where none is given.
    pub fn of(source: &'a Source, name: Option<&'a str>) -> Result<NewFile<'a>> {
        let name = name.or(source.name()).ok_or_else(|| {
            let why = "the file has no name of its own; give file_name";
            crate::engine::No::argument("file_name", why)
        })?;
        Ok(NewFile {
            bytes: source.shared(),
            name,
            mime_type: None,
            description: None,
            category: None,
            entry_id: None,
            link_to: &[],
        })
    }
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

/// Files a file, and links it to all that it is to be linked to. Its bytes are stored with the change, and not at all when it
/// is undone.
///
/// Refuses: what [`rules::mime_type`] and [`rules::label`] refuse, a description that cannot be kept, and any subject that
/// there is not, that is named twice, or that it is filed on.
pub fn file(books: &mut Writer<'_>, new: NewFile<'_>) -> Result<Filed> {
    let subjects = links::of_new(books, new.link_to, new.entry_id)?;
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
        category: new.category,
        text_cleaned,
    };
    books.record(&event)?;
    for subject in subjects {
        links::record(books, event.attachment_id, subject)?;
    }
    Ok(Filed {
        attachment: table::by_id(&books.view(), event.attachment_id)?,
        deduplicated,
        text_cleaned,
    })
}

/// Makes a file a receipt of an entry. The caller has seen that it is on none, or on a draft that was discarded.
///
/// Refuses: a file that is linked to this entry, or is withdrawn.
pub fn link(books: &mut Writer<'_>, attachment: &Attachment, entry_id: i64) -> Result<Attachment> {
    links::may_link(books, attachment, &Subject::entry(entry_id))?;
    let event = ReceiptLinked {
        attachment_id: attachment.id,
        previous_entry_id: attachment.entry_id,
        entry_id,
    };
    books.record(&event)?;
    table::by_id(&books.view(), attachment.id)
}

/// Takes a receipt off the entry that it is filed on, and gives the entry. It stays filed.
///
/// Refuses: a file that is on no entry, a reason that cannot be kept, and what other domains object to.
pub fn unlink(books: &mut Writer<'_>, attachment: &Attachment, reason: &str) -> Result<i64> {
    let reason = typed(reason, "reason", TEXT_CHARS_MAX)?;
    let Some(entry_id) = attachment.entry_id else {
        let message = format!("receipt {} is filed on no entry", attachment.id);
        return Err(Refusal::new("receipt_not_linked", message)
            .with("attachment_id", attachment.id)
            .remedy(
                "books.unlink_attachment",
                "a link that was made later is taken away with `wb attachment unlink`",
            )
            .into());
    };
    links::may_unlink(books, attachment.id, &Subject::entry(entry_id))?;
    books.record(&ReceiptUnlinked {
        attachment_id: attachment.id,
        entry_id,
        reason,
    })?;
    Ok(entry_id)
}
