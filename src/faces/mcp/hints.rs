//! Refusals in the words of a client: where one names a verb of the terminal, the tool that is the same operation, under the
//! name that this server lists. What only the terminal offers keeps its verb.

use serde_json::Value;

use crate::engine::{Domain, OpDef, operations};

/// How a server names its operations.
#[derive(Clone, Copy)]
pub(super) struct Names {
    pub domains: &'static [&'static Domain],
    /// Whether tools are listed with underscores for dots.
    pub underscore: bool,
}

impl Names {
    /// The name of an operation's tool.
    pub(super) fn of(self, op: &OpDef) -> String {
        if self.underscore {
            op.underscored()
        } else {
            op.tool.to_owned()
        }
    }

    fn tools(self) -> impl Iterator<Item = &'static OpDef> {
        operations(self.domains).filter(|op| op.is_tool())
    }

    /// The refusal with this server's tools in its sentences and for its remedy, and in the refusals beside it.
    pub(super) fn told(self, mut refusal: Value) -> Value {
        for key in ["message", "remedy_hint", "why", "remedy_tool"] {
            if let Some(Value::String(text)) = refusal.get_mut(key) {
                *text = self.listed(&self.for_verbs(text));
            }
        }
        if let Some(Value::Array(also)) = refusal.get_mut("also") {
            for other in also {
                *other = self.told(other.take());
            }
        }
        refusal
    }

    /// A sentence in which `wb VERB …` between backticks is the tool's name.
    fn for_verbs(self, text: &str) -> String {
        let mut pieces: Vec<String> = text.split('`').map(str::to_owned).collect();
        for piece in pieces.iter_mut().skip(1).step_by(2) {
            let Some(line) = piece.strip_prefix("wb ") else {
                continue;
            };
            let begins = |verb: &str| {
                let rest = line.strip_prefix(verb);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            if let Some(op) = self.tools().find(|op| begins(op.verb)) {
                *piece = op.tool.to_owned();
            }
        }
        pieces.join("`")
    }

    /// A sentence in which every tool has the name that is listed. What someone typed stands in quotes and stays.
    fn listed(self, text: &str) -> String {
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let named = |word: &str| self.tools().find(|op| op.tool == word);
        let mut said = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(in_name) {
            let (before, from) = rest.split_at(start);
            let (word, after) = from.split_at(from.find(|c| !in_name(c)).unwrap_or(from.len()));
            let name = word.trim_end_matches('.');
            said.push_str(before);
            match named(name).filter(|_| !before.ends_with('"')) {
                Some(op) => said.extend([&self.of(op), &word[name.len()..]]),
                None => said.push_str(word),
            }
            rest = after;
        }
        said + rest
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::registry::DOMAINS;

    /// Hints name tools, with their options left out, as the server lists them; verbs without a tool, and what was typed, stay.
    #[test]
    fn hints_name_tools() {
        let hint = "add the other side with `wb entry add-line`, or see `wb import bank-csv FILE --account 1000`";
        let message = "books.post_entry failed; \"books.chart\" is no account. Ask books.chart.";
        let other = json!({"code": "b", "message": "m", "remedy_hint": "run `wb backup`"});
        let refusal = json!({"code": "a", "message": message, "remedy_tool": "books.add_line", "remedy_hint": hint,
            "also": [other]});
        let expected = |dot: &str| {
            let hint = format!(
                "add the other side with `books{dot}add_line`, or see `books{dot}import_bank_csv`"
            );
            let message = format!(
                "books{dot}post_entry failed; \"books.chart\" is no account. Ask books{dot}chart."
            );
            json!({"code": "a", "message": message, "remedy_tool": format!("books{dot}add_line"), "remedy_hint": hint,
                "also": [other]})
        };
        for (underscore, dot) in [(false, "."), (true, "_")] {
            let names = Names {
                domains: DOMAINS,
                underscore,
            };
            assert_eq!(names.told(refusal.clone()), expected(dot));
        }
    }
}
