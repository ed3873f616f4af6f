//! Refusals in the words of a client: where a hint names a verb of the terminal, the tool that is the same operation. What
//! only the terminal offers keeps its verb.

use serde_json::Value;

use crate::engine::{Domain, operations};

/// The refusal with tools for verbs in its sentences, and in those of the refusals beside it.
pub(super) fn for_client(mut refusal: Value, domains: &[&Domain]) -> Value {
    for key in ["message", "remedy_hint", "why"] {
        if let Some(Value::String(text)) = refusal.get_mut(key) {
            *text = named(text, domains);
        }
    }
    if let Some(Value::Array(also)) = refusal.get_mut("also") {
        for other in also {
            *other = for_client(other.take(), domains);
        }
    }
    refusal
}

/// A sentence in which `wb VERB …` between backticks is the tool's name.
fn named(text: &str, domains: &[&Domain]) -> String {
    let mut pieces: Vec<String> = text.split('`').map(str::to_owned).collect();
    for piece in pieces.iter_mut().skip(1).step_by(2) {
        let Some(line) = piece.strip_prefix("wb ") else {
            continue;
        };
        let begins = |verb: &str| {
            let rest = line.strip_prefix(verb);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let tools = operations(domains).filter(|op| op.is_tool());
        if let Some(op) = tools.into_iter().find(|op| begins(op.verb)) {
            *piece = op.tool.to_owned();
        }
    }
    pieces.join("`")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::registry::DOMAINS;

    /// Hints name tools, with their options left out; verbs without a tool stay.
    #[test]
    fn hints_name_tools() {
        let hint = "add the other side with `wb entry add-line`, or see `wb import bank-csv FILE --account 1000`";
        let other = json!({"code": "b", "message": "m", "remedy_hint": "run `wb backup`"});
        let told =
            json!({"code": "a", "message": "m", "remedy_hint": hint, "also": [other.clone()]});
        let ours = "add the other side with `books.add_line`, or see `books.import_bank_csv`";
        let expected = json!({"code": "a", "message": "m", "remedy_hint": ours, "also": [other]});
        assert_eq!(for_client(told, DOMAINS), expected);
    }
}
