//! What the books say when they refuse, as a value: code, numbers, remedy.

use serde_json::{Map, Value};

use crate::model::visible;

/// One reason why nothing was changed.
///
/// `message` holds the numbers and never text that came from outside; such text may only stand in `fields`.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// Stable snake_case name, for programs.
    pub code: &'static str,
    /// One sentence for people, with the values.
    pub message: String,
    /// The values again, for programs.
    pub fields: Box<Map<String, Value>>,
    /// The tool that would help.
    pub remedy_tool: Option<&'static str>,
    /// What to do with it, or what to do instead.
    pub remedy_hint: Option<String>,
}

impl Refusal {
    /// A refusal with its code and its sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            message: message.into(),
            fields: Box::default(),
            remedy_tool: None,
            remedy_hint: None,
        }
    }

    /// A sum of more digits than the books keep. `what` names it: "the entry's total".
    pub fn too_large(what: &str) -> Refusal {
        let message = format!("{what} has more digits than can be kept");
        Refusal::new("amount_too_large", message)
    }

    /// Adds a value under `name`, which is none of the refusal's own names.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Refusal {
        debug_assert!(
            !matches!(name, "code" | "message" | "remedy_tool" | "remedy_hint"),
            "a field would hide the refusal's own {name}"
        );
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// Names the tool that would help and how.
    #[must_use]
    pub fn remedy(mut self, tool: &'static str, hint: impl Into<String>) -> Refusal {
        self.remedy_tool = Some(tool);
        self.remedy_hint = Some(hint.into());
        self
    }

    /// Says what to do where no tool of the books helps.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Refusal {
        self.remedy_hint = Some(hint.into());
        self
    }

    /// The refusal as every face hands it on.
    pub fn to_value(&self) -> Value {
        let mut value = Map::new();
        value.insert("code".to_owned(), self.code.into());
        value.insert("message".to_owned(), self.message.clone().into());
        value.extend(self.fields.as_ref().clone());
        if let Some(tool) = self.remedy_tool {
            value.insert("remedy_tool".to_owned(), tool.into());
        }
        if let Some(hint) = &self.remedy_hint {
            value.insert("remedy_hint".to_owned(), hint.clone().into());
        }
        Value::Object(value)
    }
}

const QUOTED_CHARS_MAX: usize = 200;

/// A value that someone typed, fit to stand in a message: in quotes, control characters visible, cut at 200 characters.
pub fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(QUOTED_CHARS_MAX).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("\"{}{more}\"", visible(&cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A refusal's JSON is its code, its message, its numbers and its remedy, in this order.
    #[test]
    fn as_json() {
        let refusal = Refusal::new("too_late", "the day is over")
            .with("hour", 18)
            .remedy("books.chart", "come earlier");
        assert_eq!(
            refusal.to_value().to_string(),
            r#"{"code":"too_late","message":"the day is over","hour":18,"remedy_tool":"books.chart","remedy_hint":"come earlier"}"#
        );
    }

    /// A quoted value shows what is invisible and is cut, so that it cannot flood or forge a message.
    #[test]
    fn quoting() {
        assert_eq!(quoted("a\u{1b}[2Jb\u{202e}"), "\"a\\u{1b}[2Jb\\u{202e}\"");
        assert_eq!(
            quoted(&"x".repeat(300)),
            format!("\"{}…\"", "x".repeat(200))
        );
    }
}
