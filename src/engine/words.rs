//! What serde and clap say of a value that they cannot read, in the words of these arguments: no type of the program's own
//! language is named. What is wrong is not decided here.

use serde_json::{Map, Value};

/// What serde calls a whole number.
const WHOLE: &[&str] = &["i64", "i32", "u64", "u32", "u16", "u8", "usize"];

/// How clap's reading of numbers says no, and what is said instead.
const NUMBERS: &[(&str, &str)] = &[
    ("invalid digit found in string", "write a whole number"),
    (
        "cannot parse integer from empty string",
        "write a whole number",
    ),
    (
        "number too large to fit in target type",
        "write a smaller number",
    ),
    (
        "number too small to fit in target type",
        "write a larger number",
    ),
];

/// clap's words about a value, without the words of the language that it is written in.
pub fn plain_numbers(text: &str) -> String {
    let change = |text: String, (theirs, ours): &(&str, &str)| text.replace(theirs, ours);
    NUMBERS.iter().fold(text.to_owned(), change)
}

/// serde's words about the argument `field`, whose place in `schema` says what it takes.
pub(super) fn plain_words(message: &str, schema: &Map<String, Value>, field: &str) -> String {
    let found = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|start| message.strip_prefix(start));
    if let Some((found, expected)) = found.and_then(|rest| rest.rsplit_once(", expected ")) {
        return format!(
            "it takes {}, not {}",
            wanted(expected, schema, field),
            given(found)
        );
    }
    if let Some(rest) = message.strip_prefix("unknown field `")
        && let Some((name, known)) = rest.split_once("`, expected ")
    {
        let known = known.trim_start_matches("one of ").replace('`', "");
        return format!("it takes no {name}; it takes {known}");
    }
    if let Some(name) = message.strip_prefix("missing field `") {
        return format!("{} is missing", name.trim_end_matches('`'));
    }
    plain_numbers(message)
}

/// A value as serde describes it: `string "8"`, `integer `8``, `sequence`.
fn given(found: &str) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    let value = value.trim_matches('`');
    match kind {
        "string" => format!("the text {value}"),
        "integer" | "boolean" => value.to_owned(),
        "floating" => value.trim_start_matches("point `").to_owned(),
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        "unit" | "null" => "null".to_owned(),
        _ => found.replace('`', ""),
    }
}

/// What serde wanted. An object is told by its keys.
fn wanted(expected: &str, schema: &Map<String, Value>, field: &str) -> String {
    match expected {
        whole if WHOLE.contains(&whole) => "a whole number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "a borrowed string" => "text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        named if named.starts_with("struct ") => {
            let property = schema.get("properties").and_then(|all| all.get(field));
            let inner = property.map(|p| p.get("items").unwrap_or(p));
            let keys = inner.and_then(|i| i.get("properties")?.as_object());
            let keys: Vec<&str> = keys
                .into_iter()
                .flatten()
                .map(|(k, _)| k.as_str())
                .collect();
            if keys.is_empty() {
                "an object".to_owned()
            } else {
                format!("an object with {}", keys.join(", "))
            }
        }
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Values of the wrong kind are told in words, an object by its keys.
    #[test]
    fn told_in_words() {
        let line =
            json!({"type": "object", "properties": {"account": {}, "side": {}, "amount": {}}});
        let schema =
            json!({"properties": {"lines": {"type": "array", "items": line}, "entry_id": {}}});
        let schema = schema.as_object().cloned().unwrap_or_default();
        let cases = [
            (
                "entry_id",
                "invalid type: string \"8\", expected i64",
                "it takes a whole number, not the text \"8\"",
            ),
            (
                "entry_id",
                "invalid value: integer `-1`, expected u32",
                "it takes a whole number, not -1",
            ),
            (
                "entry_id",
                "invalid type: floating point `1.5`, expected i64",
                "it takes a whole number, not 1.5",
            ),
            (
                "lines",
                "invalid type: string \"x\", expected struct EntryLine",
                "it takes an object with account, side, amount, not the text \"x\"",
            ),
            (
                "lines",
                "invalid type: map, expected a sequence",
                "it takes a list, not an object",
            ),
            (
                "lines",
                "unknown field `memo`, expected one of `account`, `side`, `amount`",
                "it takes no memo; it takes account, side, amount",
            ),
            ("lines", "missing field `side`", "side is missing"),
            (
                "lines",
                "\"x\" is not one of a, b",
                "\"x\" is not one of a, b",
            ),
        ];
        for (field, theirs, ours) in cases {
            assert_eq!(plain_words(theirs, &schema, field), ours);
        }
        let clap = "error: invalid value 'x' for '<ENTRY>': invalid digit found in string";
        let ours = "error: invalid value 'x' for '<ENTRY>': write a whole number";
        assert_eq!(plain_numbers(clap), ours);
    }
}
