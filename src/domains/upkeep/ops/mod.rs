//! The operations of upkeep, one a file.

pub mod backup;
pub mod repair;
pub mod restore;
pub mod verify;

use serde_json::{Map, Value};

use crate::engine::{Books, Result};

/// The sums of the trial balance, debits and credits, by which a person knows their books again.
fn totals(books: &mut Books) -> Result<(String, String)> {
    let answer = books.house().ask("books.trial_balance", Map::new())?;
    let text = |key: &str| {
        let sum = answer.value.get(key).and_then(Value::as_str);
        sum.unwrap_or_default().to_owned()
    };
    Ok((text("total_debit"), text("total_credit")))
}
