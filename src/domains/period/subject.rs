//! Periods as what files are linked to.

use super::table;
use crate::engine::{Reader, Result, SubjectKey, SubjectKind};

const PERIOD: &str = "period";

/// Periods, by id.
pub const SUBJECT: SubjectKind = SubjectKind {
    kind: PERIOD,
    find,
    label,
};

fn find(books: &Reader<'_>, key: SubjectKey<'_>) -> Result<i64> {
    Ok(table::by_id(&books.view(), key.id(PERIOD)?)?.id)
}

/// Its name and its days.
fn label(books: &Reader<'_>, id: i64) -> Result<String> {
    let period = table::by_id(&books.view(), id)?;
    Ok(format!(
        "{}, {} to {}",
        period.name, period.start, period.end
    ))
}
