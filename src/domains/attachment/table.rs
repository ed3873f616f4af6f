//! Stored files on disk: a row an attachment. The bytes are not here.

use crate::{
    engine::{Result, Window},
    model::Refusal,
    store::{Column, Holds, Row, StoreError, StoreResult, Table, Val, View},
};

/// Attachments. `entry_id` is the entry that one is a receipt of; entries are a higher domain's, so it is only a number here.
/// `seq` is the last event that changed it.
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
        Column::int("seq"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[
        "CREATE INDEX attachment_entry ON attachment(entry_id, id)",
        "CREATE INDEX attachment_sha256 ON attachment(sha256)",
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
    /// The entry that it is a receipt of.
    pub entry_id: Option<i64>,
}

const COLUMNS: &str =
    "SELECT id, sha256, file_name, mime_type, bytes, description, entry_id FROM attachment";

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
    })
}

/// The attachment with this id.
///
/// Refuses: an id that none has.
pub fn by_id(view: &View<'_>, id: i64) -> Result<Attachment> {
    let sql = format!("{COLUMNS} WHERE id=?");
    view.first(&sql, &[id.into()], attachment)?.ok_or_else(|| {
        Refusal::new("unknown_attachment", format!("there is no attachment {id}"))
            .with("attachment_id", id)
            .remedy("books.list_receipts", "look it up with `wb receipt list`")
            .into()
    })
}

/// The attachments of an entry, in the order in which they were filed.
pub fn on_entry(view: &View<'_>, entry_id: i64) -> Result<Vec<Attachment>> {
    let sql = format!("{COLUMNS} WHERE entry_id=? ORDER BY id");
    Ok(view.rows(&sql, &[entry_id.into()], attachment)?)
}

/// A part of all attachments, or of an entry's, in the order in which they were filed; and how many there are in all.
pub fn list(
    view: &View<'_>,
    entry_id: Option<i64>,
    window: Window,
) -> Result<(Vec<Attachment>, i64)> {
    let (test, mut values): (&str, Vec<Val<'_>>) = match entry_id {
        Some(id) => (" WHERE entry_id=?", vec![id.into()]),
        None => ("", Vec::new()),
    };
    let total = view.number(&format!("SELECT count(*) FROM attachment{test}"), &values)?;
    // SQLite takes a negative limit for none.
    values.push(window.limit.map_or(-1, i64::from).into());
    values.push(i64::from(window.offset).into());
    let sql = format!("{COLUMNS}{test} ORDER BY id LIMIT ? OFFSET ?");
    Ok((view.rows(&sql, &values, attachment)?, total))
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
