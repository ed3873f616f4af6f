//! The file in which a writer notes what it asks before it asks, and what it was answered after. Kept outside the books; a
//! killed process loses nothing that it wrote here.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A line of the file.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub enum Note {
    /// The books are open.
    Ready,
    /// The tool is about to be called with these arguments.
    Asks(u32, Ask),
    /// It answered.
    Answered(u32, Map<String, Value>),
    /// It said no: the kind, and its JSON.
    Refused(u32, String, Value),
}

/// A call.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Ask {
    /// The tool.
    pub tool: String,
    /// Its arguments, the engine's own among them.
    pub args: Map<String, Value>,
}

impl Ask {
    /// The request key, if it has one.
    pub fn key(&self) -> Option<&str> {
        self.args.get("request_key").and_then(Value::as_str)
    }
}

/// The writer's end.
pub struct Notes(File);

impl Notes {
    /// Begins a file.
    pub fn begin(path: &Path) -> Notes {
        Notes(File::create(path).expect("the notes can be made"))
    }
    /// Adds a line, in one system call.
    pub fn add(&mut self, note: &Note) {
        let line = serde_json::to_string(note).expect("a note is JSON");
        self.0
            .write_all(format!("{line}\n").as_bytes())
            .expect("the notes can be written");
    }
}

/// What a writer noted.
#[derive(Default, Debug)]
pub struct Noted {
    /// Calls by their number.
    pub asked: BTreeMap<u32, Ask>,
    /// Answers by the same number.
    pub answered: BTreeMap<u32, Map<String, Value>>,
    /// Refusals by the same number.
    pub refused: BTreeMap<u32, (String, Value)>,
}

impl Noted {
    /// Reads a file of notes; a line that the kill tore is left out.
    pub fn read(path: &PathBuf) -> Noted {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut noted = Noted::default();
        for line in text.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
            match serde_json::from_str(line).expect("a note") {
                Note::Ready => {}
                Note::Asks(n, ask) => drop(noted.asked.insert(n, ask)),
                Note::Answered(n, answer) => drop(noted.answered.insert(n, answer)),
                Note::Refused(n, kind, no) => drop(noted.refused.insert(n, (kind, no))),
            }
        }
        noted
    }

    /// The call that was never answered, if there is one.
    pub fn unanswered(&self) -> Option<&Ask> {
        let (n, ask) = self.asked.last_key_value()?;
        let open = !self.answered.contains_key(n) && !self.refused.contains_key(n);
        open.then_some(ask)
    }

    /// Where the journal ended after each answer: sequence number and the first digits of the hash.
    pub fn heads(&self) -> Vec<(i64, String)> {
        self.answered.values().map(head).collect()
    }
}

/// The sequence number and head in an answer.
pub fn head(answer: &Map<String, Value>) -> (i64, String) {
    let seq = answer.get("seq").and_then(Value::as_i64);
    let head = answer.get("head").and_then(Value::as_str);
    (
        seq.expect("an answer has seq"),
        head.expect("an answer has head").to_owned(),
    )
}
