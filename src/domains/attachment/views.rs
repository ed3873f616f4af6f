//! Stored files as answers show them.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    file::Filed,
    subject::{Link, Subject},
    table::{self, Attachment},
};
use crate::engine::{Reader, Result};

/// A stored file, without its bytes.
#[derive(Serialize, JsonSchema, Debug)]
pub struct FileView {
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
    /// Of a document
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether it was retired
    pub withdrawn: bool,
    /// Why
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn_reason: Option<String>,
    /// What it is linked to
    pub links: Vec<Link>,
}

impl FileView {
    /// A stored file as answers show it.
    pub fn of(books: &Reader<'_>, file: Attachment) -> Result<FileView> {
        Ok(FileView {
            links: links(books, &file)?,
            attachment_id: file.id,
            file_name: file.file_name,
            mime_type: file.mime_type,
            bytes: file.bytes,
            sha256: file.sha256,
            description: file.description,
            category: file.category,
            withdrawn: file.withdrawn.is_some(),
            withdrawn_reason: file.withdrawn,
        })
    }
}

/// What a file is linked to, the entry that it is filed on first.
pub fn links(books: &Reader<'_>, file: &Attachment) -> Result<Vec<Link>> {
    let filed_on = file.entry_id.map(Subject::entry);
    let mut subjects = table::subjects(&books.view(), file.id)?;
    subjects.sort_by_key(|subject| filed_on.as_ref() != Some(subject));
    subjects
        .iter()
        .map(|subject| subject.shown(books))
        .collect()
}

/// A file that was filed.
#[derive(Serialize, JsonSchema, Debug)]
pub struct FiledView {
    /// Its id
    pub attachment_id: i64,
    /// Its name as kept
    pub file_name: String,
    /// Some of the name was left out: it cannot be seen
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub text_cleaned: bool,
    /// Of its bytes
    pub sha256: String,
    /// The same bytes were filed before
    pub deduplicated: bool,
    /// What it is linked to
    pub links: Vec<Link>,
    /// Whether it is a document, for the page
    #[serde(skip)]
    pub document: bool,
}

impl FiledView {
    /// What was filed, as answers show it.
    pub fn of(books: &Reader<'_>, filed: Filed) -> Result<FiledView> {
        Ok(FiledView {
            links: links(books, &filed.attachment)?,
            document: filed.attachment.category.is_some(),
            attachment_id: filed.attachment.id,
            file_name: filed.attachment.file_name,
            text_cleaned: filed.text_cleaned,
            sha256: filed.attachment.sha256,
            deduplicated: filed.deduplicated,
        })
    }
}

/// A file whose links were changed.
#[derive(Serialize, JsonSchema, Debug)]
pub struct LinkedView {
    /// Its id
    pub attachment_id: i64,
    /// Its name
    pub file_name: String,
    /// What it is linked to now
    pub links: Vec<Link>,
}

impl LinkedView {
    /// A file with its links now.
    pub fn of(books: &Reader<'_>, id: i64) -> Result<LinkedView> {
        let file = table::by_id(&books.view(), id)?;
        Ok(LinkedView {
            links: links(books, &file)?,
            attachment_id: file.id,
            file_name: file.file_name,
        })
    }
}
