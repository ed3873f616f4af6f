//! What an event did to the chart, in words for a person. It reads the journal and decides nothing.

use super::{
    events::{AccountRenumbered, AccountUpdated},
    table,
};
use crate::{
    engine::{Event, Reader, Result},
    model::quoted,
};

/// The types of the events that change accounts which are there.
pub const ACCOUNT_CHANGES: [&str; 2] = [AccountRenumbered::KIND, AccountUpdated::KIND];

/// What event `seq`, of this type, changed of an account; `None` of an event that changes none.
///
/// Accounts are named by their code of today; a changed name, place or standing is told as it was then.
pub fn account_change(books: &Reader<'_>, seq: i64, kind: &str) -> Result<Option<String>> {
    if kind == AccountRenumbered::KIND {
        let event = books.fact::<AccountRenumbered>(seq)?;
        let (from, to) = (quoted(&event.previous_code), quoted(&event.code));
        return Ok(Some(format!("account {from} was renumbered to {to}")));
    }
    if kind != AccountUpdated::KIND {
        return Ok(None);
    }
    let event = books.fact::<AccountUpdated>(seq)?;
    let view = books.view();
    let code = |id: i64| table::by_id(&view, id).map(|account| quoted(&account.code));
    let mut told = format!(
        "account {} was changed: {}",
        code(event.account_id)?,
        quoted(&event.name)
    );
    if let Some(parent) = event.parent_id {
        told.push_str(&format!(", under {}", code(parent)?));
    }
    if event.placeholder {
        told.push_str(", only groups others");
    }
    told.push_str(if event.archived {
        ", archived"
    } else {
        ", in use"
    });
    Ok(Some(told))
}
