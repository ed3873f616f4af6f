//! The page of events: type, version, what happened, and the fields of the data, as the samples show them.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::{
    fault,
    markdown::{code, plain, table},
    samples::SAMPLES,
};
use crate::engine::{Domain, ENGINE, EventDef, Result};

const OPENING: &str = "# Events

What the journal can say, one row an event. A line of the journal holds `seq`; `txn`, the first line of its command;
`\"more\":true` where another line of its command follows; `at`, `by`; with a request key also `key`, `args_sha256` and `answer`,
on the first line of the command; then `type`, `v`, `data` and `prev`. This page is about `data`. An event's shape never changes: another shape is
another version. Amounts are signed decimals, debit positive; accounts stand by id and by the code they had. A field with
`?` is left out where it says nothing.

";

/// The page.
pub fn page(domains: &[&Domain]) -> Result<String> {
    let events = || {
        let all = std::iter::once(&ENGINE).chain(domains.iter().copied());
        all.flat_map(|domain| domain.events)
    };
    let mut rows = Vec::new();
    let mut shown = String::new();
    for event in events() {
        let (name, samples) = samples(event)?;
        let fields = fields(&samples);
        rows.push(vec![
            code(event.kind),
            event.v.to_string(),
            plain(event.about),
            fields,
        ]);
        if let Some(sample) = samples.first() {
            // Writing to a String cannot fail.
            let _ = write!(
                shown,
                "\n`{name}`\n\n```json\n{}\n```\n",
                Value::Object(sample.clone())
            );
        }
    }
    let all = table(&["Type", "Version", "What happened", "Data"], &rows);
    Ok(format!("{OPENING}{all}## Examples of data\n{shown}"))
}

/// The data of an event's samples.
fn samples(event: &EventDef) -> Result<(String, Vec<Map<String, Value>>)> {
    let name = format!("{}.v{}", event.kind, event.v);
    let text = SAMPLES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, text)| *text)
        .ok_or_else(|| {
            fault(
                "writing the page of events",
                format!("{name} has no sample"),
            )
        })?;
    let data = |line: &str| {
        let line: Value = serde_json::from_str(line).map_err(|e| fault(&name, e))?;
        match line.get("data") {
            Some(Value::Object(data)) => Ok(data.clone()),
            _ => Err(fault(&name, "a sample without data")),
        }
    };
    let data = text.lines().map(data).collect::<Result<Vec<_>>>()?;
    Ok((name, data))
}

/// The fields of these values, in the order in which they first appear; `?` after one that not all have.
fn fields(values: &[Map<String, Value>]) -> String {
    let mut names: Vec<&String> = Vec::new();
    for name in values.iter().flat_map(Map::keys) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let field = |name: &&String| {
        let given: Vec<&Value> = values.iter().filter_map(|value| value.get(*name)).collect();
        let mark = if given.len() < values.len() { "?" } else { "" };
        let inner: Vec<Map<String, Value>> = given
            .iter()
            .flat_map(|value| objects(value))
            .cloned()
            .collect();
        let list = given.iter().any(|value| value.is_array());
        let list = if list { "[]" } else { "" };
        let shown = code(&format!("{name}{list}{mark}"));
        if inner.is_empty() {
            shown
        } else {
            format!("{shown} ({})", fields(&inner))
        }
    };
    names.iter().map(field).collect::<Vec<_>>().join(", ")
}

/// The objects that a field holds: itself, or the members of its list.
fn objects(value: &Value) -> Vec<&Map<String, Value>> {
    match value {
        Value::Object(map) => vec![map],
        Value::Array(items) => items.iter().filter_map(Value::as_object).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields come in order, with their lists' inner fields, and a mark on those that some samples leave out.
    #[test]
    fn lists_fields() {
        let text = [
            r#"{"id":1,"lines":[{"a":1,"b":2},{"a":1}]}"#,
            r#"{"id":2,"lines":[],"note":"x"}"#,
        ];
        let values: Vec<_> = text
            .iter()
            .map(|t| serde_json::from_str(t).expect("an object"))
            .collect();
        assert_eq!(fields(&values), "`id`, `lines[]` (`a`, `b?`), `note?`");
    }
}
