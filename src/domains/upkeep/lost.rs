//! Which receipts stored files are, by their hashes: for whoever has lost some. Not what became of them.

use serde_json::{Value, json};

use crate::{
    domains::attachment,
    engine::{House, Reader, Result},
    model::quoted,
};

/// The most files that are told of one by one.
const FILES_MAX: usize = 1_000;

/// The stored files of these hashes: where each belongs, and the receipts that it is, with their names and entries.
pub fn files(house: &House<'_>, hashes: &[String]) -> Result<Vec<Value>> {
    house.look(|books| {
        let known = hashes.iter().take(FILES_MAX);
        known.map(|sha256| file(books, sha256)).collect()
    })
}

fn file(books: &Reader<'_>, sha256: &str) -> Result<Value> {
    let receipts = attachment::of_bytes(&books.view(), sha256)?;
    let receipts: Vec<Value> = receipts
        .into_iter()
        .map(|receipt| {
            let mut told = json!({"attachment_id": receipt.id, "file_name": receipt.file_name});
            if let (Some(entry), Some(map)) = (receipt.entry_id, told.as_object_mut()) {
                map.insert("entry_id".to_owned(), entry.into());
            }
            told
        })
        .collect();
    Ok(json!({"file": format!("data/blobs/{sha256}"), "receipts": receipts}))
}

/// The same in words: the file, and what receipts it is. A name came from outside and stands last, in quotes.
pub fn line(file: &Value) -> String {
    let path = file.get("file").and_then(Value::as_str).unwrap_or_default();
    let receipts = file.get("receipts").and_then(Value::as_array);
    let receipts = receipts.into_iter().flatten().map(|receipt| {
        let id = receipt.get("attachment_id").map(Value::to_string);
        let name = receipt.get("file_name").and_then(Value::as_str);
        format!(
            "receipt {} {}",
            id.unwrap_or_default(),
            quoted(name.unwrap_or_default())
        )
    });
    let receipts: Vec<String> = receipts.collect();
    match receipts.is_empty() {
        true => path.to_owned(),
        false => format!("{path}: {}", receipts.join(", ")),
    }
}
