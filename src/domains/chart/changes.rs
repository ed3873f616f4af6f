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
    let view = books.view();
    if kind == AccountRenumbered::KIND {
        let event = books.fact::<AccountRenumbered>(seq)?;
        let before = table::code_before(&view, event.account_id, seq)?;
        let (from, to) = (quoted(&before), quoted(&event.code));
        return Ok(Some(format!("account {from} was renumbered to {to}")));
    }
    if kind != AccountUpdated::KIND {
        return Ok(None);
    }
    let event = books.fact::<AccountUpdated>(seq)?;
    let code = |id: i64| table::by_id(&view, id).map(|account| quoted(&account.code));
    let mut told = Vec::new();
    if let Some(name) = &event.name {
        told.push(format!("renamed {}", quoted(name)));
    }
    match event.parent_id {
        Some(Some(parent)) => told.push(format!("put under {}", code(parent)?)),
        Some(None) => told.push("put under no account".to_owned()),
        None => {}
    }
    let mut marked = |mark: Option<bool>, yes: &str, no: &str| {
        told.extend(mark.map(|is| if is { yes } else { no }.to_owned()));
    };
    marked(
        event.placeholder,
        "made to group others only",
        "opened to lines of its own",
    );
    marked(event.archived, "archived", "taken back into use");
    let account = code(event.account_id)?;
    Ok(Some(format!("account {account} was {}", told.join(", "))))
}
