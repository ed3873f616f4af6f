//! Where an imported entry comes from: the row of the bank's file as its event holds it. It is what `entry show` adds.

use serde_json::{Map, Value, json};

use super::{
    events::{BankImported, BankRowImported},
    table,
};
use crate::engine::{Reader, Result, Thing};

/// Under `imported`, the file, line and text of the bank row that an entry was made of.
pub fn details(books: &Reader<'_>, thing: Thing) -> Result<Map<String, Value>> {
    let mut details = Map::new();
    if thing.kind != "entry" {
        return Ok(details);
    }
    let Some((row, batch)) = table::origin(&books.view(), thing.id)? else {
        return Ok(details);
    };
    let row: BankRowImported = books.fact(row)?;
    let batch: BankImported = books.fact(batch)?;
    let mut imported = Map::new();
    let mut tell = |name: &str, value: Value| {
        if !value.is_null() {
            imported.insert(name.to_owned(), value);
        }
    };
    tell("batch_id", row.batch_id.into());
    tell("file_name", json!(batch.file_name));
    tell("file_line", row.file_line.into());
    tell("bank_description", row.description.into());
    tell("check_number", json!(row.check_number));
    tell("raw", row.raw.into());
    details.insert("imported".to_owned(), imported.into());
    Ok(details)
}
