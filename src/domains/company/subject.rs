//! The company as what files are linked to.

use super::Settings;
use crate::engine::{No, Reader, Result, SubjectKey, SubjectKind};

/// The company, of which there is one.
pub const SUBJECT: SubjectKind = SubjectKind {
    kind: "company",
    find,
    label,
};

fn find(_: &Reader<'_>, key: SubjectKey<'_>) -> Result<i64> {
    match key {
        SubjectKey::None => Ok(SubjectKind::ONLY),
        _ => Err(No::argument(
            "subject",
            "there is one company; leave the id out",
        )),
    }
}

/// Its name, where the settings say one.
fn label(books: &Reader<'_>, _: i64) -> Result<String> {
    let name = Settings::of(books)?.company;
    Ok(name.unwrap_or_else(|| "the company".to_owned()))
}
