//! What can have happened to a stored file. Which entry it belongs to is only a number here.

use serde::{Deserialize, Serialize};

use super::table::ATTACHMENT;
use crate::{
    engine::{Event, Occasion},
    store::{Fold, FoldError, FoldResult},
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
            at.seq.into(),
        ];
        tables.insert(&ATTACHMENT, &row)
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
        let before = [("entry_id", self.previous_entry_id.into())];
        tables.set_from(&ATTACHMENT, &[self.attachment_id.into()], &before, &changes)
    }
}
