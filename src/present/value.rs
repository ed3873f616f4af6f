//! The page of an operation that has no sheet of its own: its JSON result, laid out so that no value is lost.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::model::Currency;
use crate::present::{Cell, ColKind, Column, Field, Numeral, Row, RowKind, Sheet, Table};

const NOTHING: &str = "none";

impl Sheet {
    /// The page of a JSON result.
    ///
    /// Single values become fields named after their keys (`entry_id`: "Entry id"), those of objects within after the whole
    /// way to them; lists of objects become tables with every key that occurs, in order; lists of single values one field,
    /// of sentences a line each.
    /// Decimal strings (`-?digits.digits`) become numbers, in a table only where the whole column holds such; booleans
    /// become `yes` and `no`; what is empty or null `none` in a field and nothing in a table.
    /// The page holds numbers but no amounts, so its currency says nothing.
    pub fn from_value(title: &str, value: &Value) -> Sheet {
        let currency = Currency::from_code("USD").expect("ISO 4217 lists USD");
        let mut sheet = Sheet::new("", title, currency);
        sheet.place(&mut Vec::new(), value);
        sheet
    }

    fn place<'v>(&mut self, path: &mut Vec<&'v str>, value: &'v Value) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                for (key, member) in members {
                    path.push(key);
                    self.place(path, member);
                    path.pop();
                }
            }
            Value::Array(items) if !items.is_empty() && items.iter().all(has_members) => {
                let title = (!path.is_empty()).then(|| label_of(path));
                self.tables.push(table_of(title, items));
            }
            Value::Array(items) if items.iter().any(is_compound) => self.place_mixed(path, items),
            single => self.fields.push(Field {
                label: if path.is_empty() {
                    "Result".to_owned()
                } else {
                    label_of(path)
                },
                cell: field_cell(single),
            }),
        }
    }

    /// A list in which objects, lists and single values stand side by side: each item under its number.
    fn place_mixed(&mut self, path: &[&str], items: &[Value]) {
        for (index, item) in items.iter().enumerate() {
            let number = (index + 1).to_string();
            let mut path = path.to_vec();
            path.push(&number);
            // A path of its own, because the number does not live as long as the keys of the caller's.
            self.place(&mut path, item);
        }
    }
}

fn has_members(value: &Value) -> bool {
    value.as_object().is_some_and(|members| !members.is_empty())
}

fn is_compound(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// A key's words, `entry_id` as `entry id`; keys that are not in snake case stay as they are.
fn words(key: &str) -> String {
    let snake = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    if key.bytes().all(snake) {
        key.replace('_', " ")
    } else {
        key.to_owned()
    }
}

/// The name of a value for people, from the keys on the way to it: `Party: legal name`.
fn label_of(path: &[&str]) -> String {
    let way: Vec<String> = path.iter().map(|key| words(key)).collect();
    let way = way.join(": ");
    let mut chars = way.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

fn field_cell(value: &Value) -> Cell {
    match value {
        Value::Array(items) if is_prose(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            Cell::Text(items.join("\n"))
        }
        Value::Number(number) => Cell::Number(Numeral::from_json(number)),
        Value::String(text) => match Numeral::from_decimal_text(text) {
            Some(numeral) => Cell::Number(numeral),
            None => Cell::Text(text.clone()),
        },
        other => Cell::Text(inline(other)),
    }
}

/// Whether a list holds sentences, which would run into one another: each then stands on a line of its own.
fn is_prose(items: &[Value]) -> bool {
    let sentence = |item: &Value| {
        let text = item.as_str().unwrap_or_default();
        text.contains([',', ';', ':', '.']) && text.contains(' ')
    };
    items.len() > 1 && items.iter().any(sentence)
}

/// Any value in one line: `Code 1000, amount 12.00; Code 4000, amount -12.00`.
fn inline(value: &Value) -> String {
    match value {
        Value::Null => NOTHING.to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => NOTHING.to_owned(),
        Value::Object(members) if members.is_empty() => NOTHING.to_owned(),
        Value::Array(items) => {
            let between = if items.iter().any(is_compound) {
                "; "
            } else {
                ", "
            };
            let items: Vec<String> = items.iter().map(inline).collect();
            items.join(between)
        }
        Value::Object(members) => inline_members(members),
    }
}

fn inline_members(members: &Map<String, Value>) -> String {
    let members = members.iter().map(|(key, value)| {
        let key = words(key);
        if is_compound(value) {
            format!("{key} ({})", inline(value))
        } else {
            format!("{key} {}", inline(value))
        }
    });
    members.collect::<Vec<_>>().join(", ")
}

/// The columns of a list of objects, found while its rows are read.
#[derive(Default)]
struct Columns<'v> {
    paths: Vec<Vec<&'v str>>,
    places: HashMap<Vec<&'v str>, usize>,
}

impl<'v> Columns<'v> {
    fn place(&mut self, path: &[&'v str]) -> usize {
        if let Some(place) = self.places.get(path) {
            return *place;
        }
        let place = self.paths.len();
        self.paths.push(path.to_vec());
        self.places.insert(path.to_vec(), place);
        place
    }

    /// Reads one object into the values of a row, objects within it column by column.
    fn read(
        &mut self,
        path: &mut Vec<&'v str>,
        members: &'v Map<String, Value>,
        row: &mut Vec<(usize, &'v Value)>,
    ) {
        for (key, value) in members {
            path.push(key);
            match value {
                Value::Object(inner) if !inner.is_empty() => self.read(path, inner, row),
                single => row.push((self.place(path), single)),
            }
            path.pop();
        }
    }

    /// The keys for programs, `party.name`; made different where two ways spell the same.
    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::with_capacity(self.paths.len());
        for path in &self.paths {
            let mut key = path.join(".");
            while keys.contains(&key) {
                key.push('_');
            }
            keys.push(key);
        }
        keys
    }
}

fn table_of(title: Option<String>, items: &[Value]) -> Table {
    let mut columns = Columns::default();
    let mut found: Vec<Vec<(usize, &Value)>> = Vec::with_capacity(items.len());
    for members in items.iter().filter_map(Value::as_object) {
        let mut row = Vec::with_capacity(members.len());
        columns.read(&mut Vec::new(), members, &mut row);
        found.push(row);
    }
    let keys = columns.keys();
    let mut all_numbers = vec![true; keys.len()];
    let mut any_number = vec![false; keys.len()];
    for (place, value) in found.iter().flatten() {
        let number = match value {
            Value::Null => continue,
            Value::Number(_) => true,
            Value::String(text) => Numeral::from_decimal_text(text).is_some(),
            _ => false,
        };
        all_numbers[*place] &= number;
        any_number[*place] |= number;
    }
    let is_number = |place: usize| all_numbers[place] && any_number[place];
    let rows = found.iter().map(|values| {
        let mut cells = vec![Cell::Empty; keys.len()];
        for (place, value) in values {
            cells[*place] = table_cell(value, is_number(*place));
        }
        Row {
            kind: RowKind::Line,
            depth: 0,
            caption: None,
            cells,
            account: None,
            repeat: false,
        }
    });
    let rows = rows.collect();
    let columns = keys.iter().zip(&columns.paths).enumerate();
    let columns = columns.map(|(place, (key, path))| {
        let kind = if is_number(place) {
            ColKind::Number
        } else {
            ColKind::Text { weight: 1 }
        };
        Column::new(key, label_of(path), kind)
    });
    Table {
        title,
        columns: columns.collect(),
        rows,
    }
}

/// Text in a column of words stays text even where it could be a number: a memo of `12.50` is no amount.
fn table_cell(value: &Value, in_number_column: bool) -> Cell {
    match value {
        Value::Null => Cell::Empty,
        Value::String(text) if !in_number_column => Cell::Text(text.clone()),
        other => field_cell(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(words: &str) -> Cell {
        Cell::Text(words.to_owned())
    }

    fn number(digits: &str) -> Cell {
        let integer = || {
            digits
                .parse()
                .map(|n: i64| Numeral::from_json(&n.into()))
                .ok()
        };
        Cell::Number(
            Numeral::from_decimal_text(digits)
                .or_else(integer)
                .expect("a number"),
        )
    }

    fn fields(value: &Value) -> Vec<(String, Cell)> {
        let sheet = Sheet::from_value("", value);
        assert_eq!(sheet.tables, []);
        sheet
            .fields
            .into_iter()
            .map(|field| (field.label, field.cell))
            .collect()
    }

    fn field(label: &str, cell: Cell) -> (String, Cell) {
        (label.to_owned(), cell)
    }

    /// Single values become fields under their keys' words, with the way to those of objects within.
    #[test]
    fn fields_of_nested_objects() {
        let value = json!({
            "entry_id": 5, "posted": true, "void": false, "memo": null, "amount": "-1234.50", "code": "1000",
            "party": { "name": "Łódź", "address": { "zip_code": "02101" }, "w9": {} },
            "tags": ["a", "b"], "seen": [], "Rent_2": "x",
        });
        let expected = vec![
            field("Entry id", number("5")),
            field("Posted", text("yes")),
            field("Void", text("no")),
            field("Memo", text("none")),
            field("Amount", number("-1234.50")),
            field("Code", text("1000")),
            field("Party: name", text("Łódź")),
            field("Party: address: zip code", text("02101")),
            field("Party: w9", text("none")),
            field("Tags", text("a, b")),
            field("Seen", text("none")),
            field("Rent_2", text("x")),
        ];
        assert_eq!(fields(&value), expected);
    }

    /// A list of objects becomes a table with every key that occurs; a column is numeric when all its values are.
    #[test]
    fn tables() {
        let value = json!({ "total": "7.00", "open_items": [
            { "id": 1, "due": "5.00", "ref": "12.50", "party": { "name": "A" } },
            { "id": 2, "due": null, "ref": "INV-1", "late": true,
              "lines": [{ "code": "1000", "amount": "2.00" }, { "code": "4000", "by": ["x"] }] },
        ]});
        let sheet = Sheet::from_value("T", &value);
        assert_eq!(sheet.check(), Ok(()));
        assert_eq!(sheet.fields.len(), 1);
        let [table] = sheet.tables.as_slice() else {
            panic!("one list, one table");
        };
        assert_eq!(table.title.as_deref(), Some("Open items"));
        let words = ColKind::Text { weight: 1 };
        let columns = [
            Column::new("id", "Id", ColKind::Number),
            Column::new("due", "Due", ColKind::Number),
            Column::new("ref", "Ref", words),
            Column::new("party.name", "Party: name", words),
            Column::new("late", "Late", words),
            Column::new("lines", "Lines", words),
        ];
        assert_eq!(table.columns, columns);
        let first = [
            number("1"),
            number("5.00"),
            text("12.50"),
            text("A"),
            Cell::Empty,
            Cell::Empty,
        ];
        assert_eq!(table.rows[0].cells, first);
        let lines = "code 1000, amount 2.00; code 4000, by (x)";
        let second = [
            number("2"),
            Cell::Empty,
            text("INV-1"),
            Cell::Empty,
            text("yes"),
            text(lines),
        ];
        assert_eq!(table.rows[1].cells, second);
    }

    /// Values that fit no pattern are kept all the same.
    #[test]
    fn odd_shapes() {
        assert_eq!(fields(&json!("done")), [field("Result", text("done"))]);
        assert_eq!(fields(&json!({})), [field("Result", text("none"))]);
        let mixed = json!({ "mixed": [1, { "a": "x" }, [2, 3], {}] });
        let expected = [
            field("Mixed: 1", number("1")),
            field("Mixed: 2: a", text("x")),
            field("Mixed: 3", text("2, 3")),
            field("Mixed: 4", text("none")),
        ];
        assert_eq!(fields(&mixed), expected);
        let twins = Sheet::from_value("", &json!([{ "a.b": 1, "a": { "b": 2 } }]));
        let keys: Vec<&str> = twins.tables[0]
            .columns
            .iter()
            .map(|c| c.key.as_str())
            .collect();
        assert_eq!(keys, ["a.b", "a.b_"]);
        assert_eq!(twins.tables[0].rows[0].cells, [number("1"), number("2")]);
    }
}
