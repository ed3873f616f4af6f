//! Stored files on disk: a row an attachment, and a row a link. The bytes are not here.

use super::subject::Subject;
use crate::{
    engine::{Result, Window},
    model::Refusal,
    store::{Column, Holds, Row, StoreError, StoreResult, Table, Val, View},
};

/// Attachments. `entry_id` is the entry that one is filed on, `withdrawn` why it was retired; `seq` is the last event that
/// changed it or its links.
pub static ATTACHMENT: Table = Table {
    name: "attachment",
    columns: &[
        Column::int("id"),
        Column::file("sha256"),
        Column::text("file_name"),
        Column::text("mime_type"),
        Column::int("bytes"),
        Column::text_or_null("description"),
        Column::int_or_null("entry_id"),
        Column::text_or_null("category"),
        Column::text_or_null("withdrawn"),
        Column::int("seq"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &["CREATE INDEX attachment_sha256 ON attachment(sha256)"],
};

/// What files are linked to, filed on or linked later. Most things are a higher domain's, so they are only words and numbers.
pub static ATTACHMENT_LINK: Table = Table {
    name: "attachment_link",
    columns: &[
        Column::int("attachment_id").references("attachment"),
        Column::text("kind"),
        Column::int("subject_id"),
        Column::int("seq"),
    ],
    key: 3,
    holds: Holds::Rows,
    indexes: &[
        "CREATE INDEX attachment_link_subject ON attachment_link(kind, subject_id, attachment_id)",
    ],
};

/// A stored file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attachment {
    /// Its id.
    pub id: i64,
    /// The SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Its name, a label.
    pub file_name: String,
    /// What it is, as a media type.
    pub mime_type: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// What it is, in words.
    pub description: Option<String>,
    /// The entry that it is filed on.
    pub entry_id: Option<i64>,
    /// What kind of document it is; none of a receipt.
    pub category: Option<String>,
    /// Why it was retired, if it was.
    pub withdrawn: Option<String>,
}

const COLUMNS: &str = "a.id, a.sha256, a.file_name, a.mime_type, a.bytes, a.description, a.entry_id, a.category, a.withdrawn";

fn attachment(row: &Row<'_>) -> StoreResult<Attachment> {
    let bytes = row.int(4)?;
    Ok(Attachment {
        id: row.int(0)?,
        sha256: row.text(1)?,
        file_name: row.text(2)?,
        mime_type: row.text(3)?,
        bytes: u64::try_from(bytes)
            .map_err(|_| StoreError::Damaged(format!("a stored file of {bytes} bytes")))?,
        description: row.text_or_none(5)?,
        entry_id: row.int_or_none(6)?,
        category: row.text_or_none(7)?,
        withdrawn: row.text_or_none(8)?,
    })
}

/// The attachment with this id.
///
/// Refuses: an id that none has.
pub fn by_id(view: &View<'_>, id: i64) -> Result<Attachment> {
    let sql = format!("SELECT {COLUMNS} FROM attachment a WHERE a.id=?");
    view.first(&sql, &[id.into()], attachment)?.ok_or_else(|| {
        Refusal::new("unknown_attachment", format!("there is no attachment {id}"))
            .with("attachment_id", id)
            .remedy("books.list_receipts", "look it up with `wb receipt list`")
            .into()
    })
}

/// The files of an entry that are not withdrawn, filed on it or linked to it, in the order in which they were filed.
pub fn on_entry(view: &View<'_>, entry_id: i64) -> Result<Vec<Attachment>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM attachment_link l CROSS JOIN attachment a ON a.id=l.attachment_id
         WHERE l.kind=? AND l.subject_id=? AND a.withdrawn IS NULL ORDER BY l.attachment_id"
    );
    let values = [Subject::ENTRY.into(), entry_id.into()];
    Ok(view.rows(&sql, &values, attachment)?)
}

/// A part of all attachments, or of those of a subject, in the order in which they were filed; and how many there are in all.
pub fn list(
    view: &View<'_>,
    (subject, withdrawn): (Option<&Subject>, bool),
    window: Window,
) -> Result<(Vec<Attachment>, i64)> {
    let (from, mut values): (&str, Vec<Val<'_>>) = match subject {
        Some(subject) => (
            "attachment_link l CROSS JOIN attachment a ON a.id=l.attachment_id WHERE l.kind=? AND l.subject_id=?",
            vec![(&subject.kind).into(), subject.id.into()],
        ),
        None => ("attachment a WHERE true", Vec::new()),
    };
    let test = if withdrawn {
        ""
    } else {
        " AND a.withdrawn IS NULL"
    };
    let total = view.number(&format!("SELECT count(*) FROM {from}{test}"), &values)?;
    // SQLite takes a negative limit for none.
    values.push(window.limit.map_or(-1, i64::from).into());
    values.push(i64::from(window.offset).into());
    let sql = format!("SELECT {COLUMNS} FROM {from}{test} ORDER BY a.id LIMIT ? OFFSET ?");
    Ok((view.rows(&sql, &values, attachment)?, total))
}

/// What a file is linked to, in the order in which it was linked.
pub fn subjects(view: &View<'_>, attachment_id: i64) -> Result<Vec<Subject>> {
    let sql = "SELECT kind, subject_id FROM attachment_link WHERE attachment_id=? ORDER BY seq, kind, subject_id";
    Ok(view.rows(sql, &[attachment_id.into()], |row| {
        Ok(Subject {
            kind: row.text(0)?,
            id: row.int(1)?,
        })
    })?)
}

/// The attachments with these bytes, in the order in which they were filed.
pub fn of_bytes(view: &View<'_>, sha256: &str) -> Result<Vec<Attachment>> {
    let sql = format!("SELECT {COLUMNS} FROM attachment a WHERE a.sha256=? ORDER BY a.id");
    Ok(view.rows(&sql, &[sha256.into()], attachment)?)
}

/// Whether a file with these bytes was filed before.
pub fn known(view: &View<'_>, sha256: &str) -> Result<bool> {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM attachment WHERE sha256=? LIMIT 1)";
    Ok(view.number(sql, &[sha256.into()])? > 0)
}

/// The id that the next attachment gets.
pub fn next_id(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(id) FROM attachment", &[])? + 1)
}
