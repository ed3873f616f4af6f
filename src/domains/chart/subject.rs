//! Accounts as what files are linked to.

use super::{ACCOUNT, AccountRef, by_id, resolve};
use crate::engine::{No, Reader, Result, SubjectKey, SubjectKind};

/// Accounts, by code or id.
pub const SUBJECT: SubjectKind = SubjectKind {
    kind: ACCOUNT,
    find,
    label,
};

fn find(books: &Reader<'_>, key: SubjectKey<'_>) -> Result<i64> {
    let reference = match key {
        SubjectKey::Name(code) => AccountRef::new(code),
        SubjectKey::Id(id) => AccountRef::of_id(id),
        SubjectKey::None => {
            return Err(No::argument("subject", "say which account, by its code"));
        }
    };
    Ok(resolve(&books.view(), &reference)?.id)
}

/// Its code and its name.
fn label(books: &Reader<'_>, id: i64) -> Result<String> {
    let account = by_id(&books.view(), id)?;
    Ok(format!("{} {}", account.code, account.name))
}
