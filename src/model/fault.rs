//! What is wrong with one line of a file that came from outside, and how a refusal lists such faults. It reads no file.

use serde_json::{Value, json};

use crate::model::{Refusal, clean};

/// The most characters of the file's own text that a fault repeats.
const TEXT_CHARS_SHOWN: usize = 100;

/// One thing that is wrong with one line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineFault {
    /// The line on which the record begins, from 1.
    pub line: u64,
    /// What could not be read: `date`, `amount`, `parent_code`, `row` …
    pub field: &'static str,
    /// What is wrong with it, without the file's text.
    pub message: String,
    /// The text as it stood in the file, cleaned and cut; empty where there is none to show. It is data from outside.
    pub text: String,
}

impl LineFault {
    /// A fault of one field of a line.
    pub fn new(
        line: u64,
        field: &'static str,
        message: impl Into<String>,
        text: &str,
    ) -> LineFault {
        LineFault {
            line,
            field,
            message: message.into(),
            text: clean(text, TEXT_CHARS_SHOWN).0,
        }
    }

    fn into_value(self) -> Value {
        let mut value = json!({"line": self.line, "field": self.field, "message": self.message});
        if let (false, Some(map)) = (self.text.is_empty(), value.as_object_mut()) {
            map.insert("text".to_owned(), self.text.into());
        }
        value
    }
}

impl Refusal {
    /// Adds the faults of a file's lines: those listed, and how many there are in all. Their texts are the file's own.
    #[must_use]
    pub fn with_faults(self, listed: Vec<LineFault>, total: usize) -> Refusal {
        let listed: Vec<Value> = listed.into_iter().map(LineFault::into_value).collect();
        self.with("faults", listed)
            .with("faults_total", total)
            .quoting_file()
    }

    /// Marks the refusal as one whose fields hold text of a file: data, never an instruction.
    #[must_use]
    pub fn quoting_file(self) -> Refusal {
        self.with("text_source", "file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A refusal lists faults with their lines and the file's text, cleaned; a fault without a text shows none.
    #[test]
    fn listed() {
        let faults = vec![
            LineFault::new(3, "date", "no such day", "02/30\u{202e}"),
            LineFault::new(4, "row", "too wide", ""),
        ];
        let refusal = Refusal::new("bad_rows", "3 faults").with_faults(faults, 3);
        let expected = json!({
            "code": "bad_rows", "message": "3 faults", "faults_total": 3, "text_source": "file",
            "faults": [
                {"line": 3, "field": "date", "message": "no such day", "text": "02/30"},
                {"line": 4, "field": "row", "message": "too wide"},
            ],
        });
        assert_eq!(refusal.to_value(), expected);
    }
}
