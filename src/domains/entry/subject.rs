//! Entries as what files are linked to.

use super::table;
use crate::engine::{Reader, Result, SubjectKey, SubjectKind};

const ENTRY: &str = "entry";

/// Entries, by id.
pub const SUBJECT: SubjectKind = SubjectKind {
    kind: ENTRY,
    find,
    label,
};

fn find(books: &Reader<'_>, key: SubjectKey<'_>) -> Result<i64> {
    Ok(table::entry(&books.view(), key.id(ENTRY)?)?.id)
}

/// Its day and its description.
fn label(books: &Reader<'_>, id: i64) -> Result<String> {
    let header = table::entry(&books.view(), id)?;
    Ok(format!("{} {}", header.date, header.description))
}
