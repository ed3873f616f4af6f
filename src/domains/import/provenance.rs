//! Where an imported entry comes from: the row of the bank's file as its event holds it. It is what `entry show` adds.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    events::{BankImported, BankRowImported},
    table, twins,
};
use crate::engine::{Facts, No, Reader, Result, Thing, value_schema};

/// What an entry shows of the bank row it was made of.
pub const FACTS: Facts = Facts {
    of: "entry",
    keys: || {
        let mut keys = twins::keys();
        keys.insert(IMPORTED.to_owned(), value_schema::<Imported>());
        keys
    },
};

const IMPORTED: &str = "imported";

/// The bank row it was made of
#[derive(Serialize, JsonSchema, Debug)]
struct Imported {
    /// The import
    batch_id: i64,
    /// The file's own name
    #[serde(skip_serializing_if = "Option::is_none")]
    file_name: Option<String>,
    /// The line on which the row begins
    file_line: u64,
    /// The bank's description
    bank_description: String,
    /// The check's number
    #[serde(skip_serializing_if = "Option::is_none")]
    check_number: Option<String>,
    /// The row as it stood in the file
    raw: String,
}

/// Under `imported`, the file, line and text of the bank row that an entry was made of.
pub fn details(books: &Reader<'_>, thing: Thing) -> Result<Map<String, Value>> {
    if thing.kind != FACTS.of {
        return Ok(Map::new());
    }
    let Some((row, batch)) = table::origin(&books.view(), thing.id)? else {
        return Ok(Map::new());
    };
    let row: BankRowImported = books.fact(row)?;
    let batch: BankImported = books.fact(batch)?;
    let imported = serde_json::to_value(Imported {
        batch_id: row.batch_id,
        file_name: batch.file_name,
        file_line: row.file_line,
        bank_description: row.description,
        check_number: row.check_number,
        raw: row.raw,
    });
    let imported = imported.map_err(|e| No::Fault(format!("writing a bank row: {e}")))?;
    let mut facts = twins::details(books, thing.id)?;
    facts.insert(IMPORTED.to_owned(), imported);
    Ok(facts)
}
