//! What can have happened to a stored file. What it belongs to is only words and numbers here.

use serde::{Deserialize, Serialize};

use super::{
    category::Category,
    subject::Subject,
    table::{ATTACHMENT, ATTACHMENT_LINK},
};
use crate::{
    engine::{Event, Occasion},
    store::{Fold, FoldError, FoldResult, Val},
};

/// A file was filed, for an entry or for one to come.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AttachmentFiled {
    /// The attachment's id.
    pub attachment_id: i64,
    /// The entry that it was filed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<i64>,
    /// The file's own name, cleaned; never a path.
    pub file_name: String,
    /// What its bytes are, as a media type.
    pub mime_type: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// The SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// What it is, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What kind of document it is; left out of a receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Whether cleaning took anything but white space from the name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text_cleaned: bool,
}

impl Event for AttachmentFiled {
    const KIND: &'static str = "attachment.filed";
    const V: u32 = 1;
    const ABOUT: &'static str = "A file was stored under the SHA-256 of its bytes, on an entry or for one to come; holds its name, type and size.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let bytes = i64::try_from(self.bytes).map_err(|_| FoldError::Misfit {
            table: ATTACHMENT.name,
            what: format!("attachment {} is larger than any file", self.attachment_id),
        })?;
        let row = [
            self.attachment_id.into(),
            (&self.sha256).into(),
            (&self.file_name).into(),
            (&self.mime_type).into(),
            bytes.into(),
            self.description.as_ref().into(),
            self.entry_id.into(),
            self.category.map(Category::word).into(),
            Val::Null,
            at.seq.into(),
        ];
        tables.insert(&ATTACHMENT, &row)?;
        match self.entry_id {
            Some(id) => fold_link(self.attachment_id, &Subject::entry(id), at, tables),
            None => Ok(()),
        }
    }
}

/// A file that was filed before its entry was linked to it, or one whose draft was discarded to another.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ReceiptLinked {
    /// The file.
    pub attachment_id: i64,
    /// The discarded draft that it was a receipt of; none where it was of no entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_entry_id: Option<i64>,
    /// The entry that it is a receipt of.
    pub entry_id: i64,
}

impl Event for ReceiptLinked {
    const KIND: &'static str = "receipt.linked";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "A file that was on no entry, or on a draft that was discarded, became a receipt of one.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [("entry_id", self.entry_id.into()), ("seq", at.seq.into())];
        let key = [self.attachment_id.into()];
        let before = [
            ("entry_id", self.previous_entry_id.into()),
            ("withdrawn", Val::Null),
        ];
        tables.set_from(&ATTACHMENT, &key, &before, &changes)?;
        if let Some(previous) = self.previous_entry_id {
            fold_unlink(self.attachment_id, &Subject::entry(previous), at, tables)?;
        }
        let subject = Subject::entry(self.entry_id);
        fold_link(self.attachment_id, &subject, at, tables)
    }
}

/// A receipt was taken off the entry that it was filed on.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ReceiptUnlinked {
    /// The file.
    pub attachment_id: i64,
    /// The entry that it was on.
    pub entry_id: i64,
    /// Why.
    pub reason: String,
}

impl Event for ReceiptUnlinked {
    const KIND: &'static str = "receipt.unlinked";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "A receipt was taken off the entry that it was filed on, and why; it stays filed.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [("entry_id", Val::Null), ("seq", at.seq.into())];
        let from = [("entry_id", self.entry_id.into())];
        tables.set_from(&ATTACHMENT, &[self.attachment_id.into()], &from, &changes)?;
        let subject = Subject::entry(self.entry_id);
        fold_unlink(self.attachment_id, &subject, at, tables)
    }
}

/// A file was linked to something.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AttachmentLinked {
    /// The file.
    pub attachment_id: i64,
    /// What it was linked to.
    pub subject: Subject,
}

impl Event for AttachmentLinked {
    const KIND: &'static str = "attachment.linked";
    const V: u32 = 1;
    const ABOUT: &'static str = "A stored file was linked to something: an entry, an account, a reconciliation, the company.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [("seq", at.seq.into())];
        let from = [("withdrawn", Val::Null)];
        tables.set_from(&ATTACHMENT, &[self.attachment_id.into()], &from, &changes)?;
        fold_link(self.attachment_id, &self.subject, at, tables)
    }
}

/// A link of a file was taken away.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AttachmentUnlinked {
    /// The file.
    pub attachment_id: i64,
    /// What it was linked to.
    pub subject: Subject,
    /// Why.
    pub reason: String,
}

impl Event for AttachmentUnlinked {
    const KIND: &'static str = "attachment.unlinked";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "A stored file is no longer linked to something, and why; it stays filed.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [("seq", at.seq.into())];
        tables.set(&ATTACHMENT, &[self.attachment_id.into()], &changes)?;
        fold_unlink(self.attachment_id, &self.subject, at, tables)
    }
}

/// A file was retired. It is never linked again, and its bytes stay.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AttachmentWithdrawn {
    /// The file.
    pub attachment_id: i64,
    /// Why.
    pub reason: String,
}

impl Event for AttachmentWithdrawn {
    const KIND: &'static str = "attachment.withdrawn";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "A stored file was retired, and why: it is hidden and never linked again; its bytes stay.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [("withdrawn", (&self.reason).into()), ("seq", at.seq.into())];
        let from = [("withdrawn", Val::Null), ("entry_id", Val::Null)];
        tables.set_from(&ATTACHMENT, &[self.attachment_id.into()], &from, &changes)
    }
}

fn fold_link(
    attachment_id: i64,
    subject: &Subject,
    at: &Occasion<'_>,
    tables: &mut Fold<'_>,
) -> FoldResult {
    let row = [
        attachment_id.into(),
        (&subject.kind).into(),
        subject.id.into(),
        at.seq.into(),
    ];
    tables.insert(&ATTACHMENT_LINK, &row)
}

/// Takes a link away that must be there.
fn fold_unlink(
    attachment_id: i64,
    subject: &Subject,
    at: &Occasion<'_>,
    tables: &mut Fold<'_>,
) -> FoldResult {
    let key = [
        attachment_id.into(),
        (&subject.kind).into(),
        subject.id.into(),
    ];
    // Removing asks for nothing to be there; changing does.
    tables.set(&ATTACHMENT_LINK, &key, &[("seq", at.seq.into())])?;
    tables.remove(&ATTACHMENT_LINK, &key)
}
