//! What is wrong with the lines of a file that was refused, in words. It knows the shape of a refusal's `faults`, and no file.

use serde_json::Value;

use crate::model::quoted;

/// The most faults that are told.
const FAULTS_SHOWN_MAX: usize = 20;

/// The faults that a refusal lists, a line each, and how many more there are; then the columns that were seen in the file,
/// and the layouts that there are.
///
/// A fault's text is the file's own and stands last, in quotes.
pub fn lines(refusal: &Value) -> Vec<String> {
    let list = |name: &str| {
        refusal
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let mut lines: Vec<String> = list("faults").take(FAULTS_SHOWN_MAX).map(fault).collect();
    let total = refusal
        .get("faults_total")
        .and_then(Value::as_u64)
        .unwrap_or(0);
    let shown = lines.len() as u64;
    if total > shown && shown > 0 {
        lines.push(format!("and {} more", total - shown));
    }
    lines.extend(files(refusal));
    let columns: Vec<&str> = list("columns_seen").filter_map(Value::as_str).collect();
    if !columns.is_empty() {
        lines.push(format!("columns seen: {}", columns.join(", ")));
    }
    let layouts: Vec<&str> = list("layouts").filter_map(Value::as_str).collect();
    if !layouts.is_empty() {
        lines.push(format!("layouts: {}", layouts.join(", ")));
    }
    lines
}

/// The files that a refusal is about, each with the receipts that it is. A name came from outside and stands last, in quotes.
fn files(refusal: &Value) -> Vec<String> {
    let named = refusal.get("file").filter(|file| file.is_string());
    let list = refusal.get("files").and_then(Value::as_array);
    let all: Vec<&Value> = named
        .into_iter()
        .chain(list.into_iter().flatten())
        .collect();
    let told = all.iter().take(FAULTS_SHOWN_MAX).map(|file| {
        let Some(path) = file.get("file").and_then(Value::as_str) else {
            return quoted(file.as_str().unwrap_or_default());
        };
        let receipts = file.get("receipts").and_then(Value::as_array);
        let receipt = |receipt: &Value| {
            let id = receipt.get("attachment_id").map(Value::to_string);
            let name = receipt.get("file_name").and_then(Value::as_str);
            let (id, name) = (id.unwrap_or_default(), quoted(name.unwrap_or_default()));
            match receipt.get("entry_id").and_then(Value::as_i64) {
                Some(entry) => format!("receipt {id} of entry {entry} {name}"),
                None => format!("receipt {id} {name}"),
            }
        };
        let receipts: Vec<String> = receipts.into_iter().flatten().map(receipt).collect();
        match receipts.is_empty() {
            true => path.to_owned(),
            false => format!("{path}: {}", receipts.join(", ")),
        }
    });
    let mut told: Vec<String> = told.collect();
    if all.len() > told.len() {
        told.push(format!("and {} more", all.len() - told.len()));
    }
    told
}

fn fault(fault: &Value) -> String {
    let text = |name: &str| fault.get(name).and_then(Value::as_str).unwrap_or_default();
    let line = fault.get("line").map(Value::to_string).unwrap_or_default();
    let place = match text("field") {
        "" | "row" | "line" => format!("line {line}"),
        field => format!("line {line}, {field}"),
    };
    match text("text") {
        "" => format!("{place}: {}", text("message")),
        found => format!("{place}: {}: \"{found}\"", text("message")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Each fault is told with its line, and what is left out is counted.
    #[test]
    fn told() {
        let date =
            json!({"line": 3, "field": "date", "message": "this is not a date", "text": "x"});
        let row = json!({"line": 4, "field": "row", "message": "the row has no amount"});
        let refusal = json!({"code": "c", "faults": [date, row], "faults_total": 5});
        let expected = [
            "line 3, date: this is not a date: \"x\"",
            "line 4: the row has no amount",
            "and 3 more",
        ];
        assert_eq!(lines(&refusal), expected);
        let many: Vec<Value> = (0..30).map(|_| row_of(1)).collect();
        let told = lines(&json!({"faults": many, "faults_total": 30}));
        assert_eq!((told.len(), told[20].as_str()), (21, "and 10 more"));
        let seen = json!({"columns_seen": ["When", "What"]});
        assert_eq!(lines(&seen), ["columns seen: When, What"]);
        let layouts = json!({"layouts": ["chase_card", "us_bank"]});
        assert_eq!(lines(&layouts), ["layouts: chase_card, us_bank"]);
        assert_eq!(lines(&json!({"code": "c"})), Vec::<String>::new());
    }

    fn row_of(line: u64) -> Value {
        json!({"line": line, "field": "row", "message": "m"})
    }
}
