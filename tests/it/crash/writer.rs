//! The writer: this test program, started again as a process of its own, that changes books and notes what it was answered.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use wanderbooks::engine::Books;

use super::{
    acks::{Ask, Note, Noted, Notes},
    bundle,
    chance::Chance,
    ground::{self, Ground},
};

const ORDER: &str = "CRASH_WRITER";

/// What a writer is told.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Order {
    /// Its name: no other writer to the same books may have it.
    pub who: String,
    /// The seed of its choices.
    pub seed: u64,
    /// How many calls to make; without it, until it is killed.
    pub turns: Option<u32>,
    /// Whether to post and nothing but what posting needs.
    pub posts_only: bool,
    /// Whether to make each call by a `wb` process, not through the library.
    pub through_wb: bool,
}

/// The files of the books, told beside the order.
#[derive(Serialize, Deserialize)]
struct Told {
    order: Order,
    books: PathBuf,
    state: PathBuf,
    notes: PathBuf,
}

/// A writer that was started, in a process group of its own with whatever it starts.
pub struct Started {
    child: Child,
    /// The file of its notes.
    pub notes: PathBuf,
}

/// Starts a writer.
pub fn start(ground: &Ground, order: &Order, preload: Option<&PathBuf>) -> Started {
    use std::os::unix::process::CommandExt;
    let notes = ground.notes.join(format!("{}.notes", order.who));
    let told = Told {
        order: order.clone(),
        books: ground.books.clone(),
        state: ground.state.clone(),
        notes: notes.clone(),
    };
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    ground.surround(&mut command);
    command
        .args([
            "--exact",
            "crash::writer::writes_when_ordered",
            "--nocapture",
        ])
        .env(
            ORDER,
            serde_json::to_string(&told).expect("an order is JSON"),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .process_group(0);
    if let Some(library) = preload {
        command.env("LD_PRELOAD", library);
    }
    let child = command.spawn().expect("a writer starts");
    Started { child, notes }
}

impl Started {
    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until its books are open.
    pub fn wait_ready(&self) {
        super::wait_until("a writer", || {
            std::fs::metadata(&self.notes).is_ok_and(|m| m.len() > 0)
        });
    }

    /// Sends a signal to it and to whatever it started.
    pub fn signal(&self, signal: Signal) {
        let group = Pid::from_child(&self.child);
        kill_process_group(group, signal).expect("a process group of ours");
    }

    /// Waits for its end and reads its notes.
    pub fn noted(&mut self) -> Noted {
        self.child.wait().expect("a child of ours");
        Noted::read(&self.notes)
    }

    /// Waits for its end, which must be a good one, and reads its notes.
    pub fn finished(&mut self) -> Noted {
        super::wait_until("a writer's end", || {
            self.child.try_wait().expect("a child of ours").is_some()
        });
        let status = self.child.wait().expect("a child of ours");
        assert!(status.success(), "a writer ended with {status}");
        Noted::read(&self.notes)
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.signal(Signal::KILL);
            self.child.wait().expect("a child of ours");
        }
    }
}

/// A writer writes when the environment orders it to; as a test of its own it has nothing to do.
#[test]
fn writes_when_ordered() {
    let Ok(told) = std::env::var(ORDER) else {
        return;
    };
    let told: Told = serde_json::from_str(&told).expect("an order");
    let ground = Ground::at(&told.books, &told.state, &told.notes);
    let mut notes = Notes::begin(&told.notes);
    let mut hand = Hand::of(&told.order, ground);
    notes.add(&Note::Ready);
    let mut mix = Mix::of(&told.order);
    for n in 0..told.order.turns.unwrap_or(u32::MAX) {
        let ask = mix.next(n);
        notes.add(&Note::Asks(n, ask.clone()));
        match hand.ask(&ask) {
            Ok(answer) => {
                mix.learn(&ask, &answer);
                notes.add(&Note::Answered(n, answer));
            }
            Err((kind, no)) => notes.add(&Note::Refused(n, kind, no)),
        }
    }
}

/// How a writer reaches the books.
enum Hand {
    Library(Box<Books>),
    Program(Ground),
}

impl Hand {
    fn of(order: &Order, ground: Ground) -> Hand {
        if order.through_wb {
            Hand::Program(ground)
        } else {
            Hand::Library(Box::new(ground.open().expect("the books open")))
        }
    }

    fn ask(&mut self, ask: &Ask) -> Result<Map<String, Value>, (String, Value)> {
        match self {
            Hand::Library(books) => match ground::ask(books, ask) {
                Ok(answer) => Ok(answer.value),
                Err(no) => Err((format!("{no:?}"), no.to_value())),
            },
            Hand::Program(ground) => {
                let ran = ground.call(&ask.tool, &Value::Object(ask.args.clone()));
                if ran.code == 0 {
                    Ok(ran.json())
                } else {
                    Err((format!("exit {}", ran.code), Value::String(ran.out)))
                }
            }
        }
    }
}

/// What a writer asks for, call by call.
struct Mix {
    order: Order,
    chance: Chance,
    drafts: Vec<i64>,
    posted: Vec<i64>,
}

impl Mix {
    fn of(order: &Order) -> Mix {
        Mix {
            order: order.clone(),
            chance: Chance::of(order.seed),
            drafts: Vec::new(),
            posted: Vec::new(),
        }
    }

    fn next(&mut self, n: u32) -> Ask {
        let mark = format!("{}.{n}", self.order.who);
        let roll = self.chance.between(0, 9);
        let (tool, mut args) = match roll {
            _ if self.order.posts_only => match self.drafts.pop() {
                Some(id) => post(id),
                None => ("books.draft_entry", ground::draft(&mark)),
            },
            0..=3 => match self.drafts.pop() {
                Some(id) => post(id),
                None => ("books.draft_entry", ground::draft(&mark)),
            },
            4..=5 => match self.posted.pop() {
                Some(id) => reverse(id),
                None => ("books.draft_entry", ground::draft(&mark)),
            },
            6 => account(&mark),
            7 if !self.order.through_wb => (bundle::TOOL, object(json!({"mark": mark}))),
            _ => ("books.draft_entry", ground::draft(&mark)),
        };
        if self.chance.between(0, 1) == 1 {
            args.insert("request_key".to_owned(), mark.into());
        }
        Ask {
            tool: tool.to_owned(),
            args,
        }
    }

    fn learn(&mut self, ask: &Ask, answer: &Map<String, Value>) {
        let Some(id) = answer.get("entry_id").and_then(Value::as_i64) else {
            return;
        };
        match ask.tool.as_str() {
            "books.draft_entry" => self.drafts.push(id),
            "books.post_entry" => self.posted.push(id),
            _ => {}
        }
    }
}

fn post(id: i64) -> (&'static str, Map<String, Value>) {
    (
        "books.post_entry",
        object(json!({"entry_id": id, "confirmed": true})),
    )
}

fn reverse(id: i64) -> (&'static str, Map<String, Value>) {
    (
        "books.reverse_entry",
        object(json!({"entry_id": id, "date": "2026-12-31", "confirmed": true})),
    )
}

fn account(mark: &str) -> (&'static str, Map<String, Value>) {
    (
        "books.add_account",
        object(json!({"code": mark, "name": format!("Account {mark}"), "type": "expense"})),
    )
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}
