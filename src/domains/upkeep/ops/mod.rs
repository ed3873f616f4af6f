//! The operations of upkeep, one a file.

pub mod backup;
pub mod repair;
pub mod restore;
pub mod verify;

use serde_json::{Map, Value};

use crate::engine::{Books, Result};

/// Why books that were just made can only be read, where that is so, and what settles it.
fn only_readable(books: &Books) -> Option<String> {
    let (sentences, remedy) = books.alarm()?.sentences();
    Some(format!(
        "The books can only be read: {}. To settle it: {}.",
        sentences.join("; "),
        remedy.unwrap_or_default()
    ))
}

/// The sums of the trial balance, debits and credits, by which a person knows their books again.
fn totals(books: &mut Books) -> Result<(String, String)> {
    let answer = books.house().ask("books.trial_balance", Map::new())?;
    let text = |key: &str| {
        let sum = answer.value.get(key).and_then(Value::as_str);
        sum.unwrap_or_default().to_owned()
    };
    Ok((text("total_debit"), text("total_credit")))
}
