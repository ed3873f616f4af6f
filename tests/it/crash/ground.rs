//! Books to be hurt: a folder with books and a folder for remembered heads, `wb` run on them with a limit in time, and the
//! library opened on them to verify.

use std::{
    fs::{self, File},
    io::{Read, Seek},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rusqlite::Connection;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use wanderbooks::{
    engine::{Answer, Books, Caller, No, from_json},
    model::Date,
    store::Paths,
    world::World,
};

use super::{acks::Ask, bundle};

/// The program under test.
pub const WB: &str = env!("CARGO_BIN_EXE_wb");

/// Books and their surroundings.
pub struct Ground {
    /// The books folder.
    pub books: PathBuf,
    /// `XDG_STATE_HOME`.
    pub state: PathBuf,
    /// Where notes and outputs go.
    pub notes: PathBuf,
    _keep: Option<TempDir>,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; a signal is negative.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// How long it took.
    pub took: Duration,
}

impl Ran {
    /// Standard output as JSON.
    pub fn json(&self) -> Map<String, Value> {
        match serde_json::from_str(&self.out) {
            Ok(Value::Object(map)) => map,
            other => panic!("not an object: {other:?} in {self:?}"),
        }
    }
    /// The JSON of success.
    pub fn good(&self) -> Map<String, Value> {
        assert_eq!(self.code, 0, "{self:?}");
        self.json()
    }
    /// The code of a refusal.
    pub fn refusal(&self) -> String {
        let value = self.json();
        let code = value.get("error").and_then(|e| e.get("code"));
        code.and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

impl Ground {
    /// A folder for books that are not made yet.
    pub fn bare() -> Ground {
        let keep = tempfile::Builder::new()
            .prefix("wb-crash-")
            .tempdir()
            .expect("a temporary folder");
        let place = keep.path().canonicalize().expect("its own path");
        Ground {
            books: place.join("books"),
            state: place.join("state"),
            notes: place,
            _keep: Some(keep),
        }
    }

    /// New books with two accounts, made by `wb`.
    pub fn new() -> Ground {
        let ground = Ground::bare();
        ground.found();
        ground
    }

    /// Books in one place with their state in another.
    pub fn at(books: &Path, state: &Path, notes: &Path) -> Ground {
        Ground {
            books: books.to_owned(),
            state: state.to_owned(),
            notes: notes.to_owned(),
            _keep: None,
        }
    }

    /// New books on a disk of their own. Their state and notes are elsewhere, with the second ground, which must be kept.
    pub fn on(disk: &Path) -> (Ground, Ground) {
        let elsewhere = Ground::bare();
        let ground = Ground::at(&disk.join("books"), &elsewhere.state, &elsewhere.notes);
        ground.found();
        (ground, elsewhere)
    }

    /// Makes the books and two accounts. Their codes are no numbers, which an account's id could come to be.
    pub fn found(&self) {
        run(&mut self.init()).good();
        for (code, name, kind) in [
            ("cash", "Cash", "asset"),
            ("supplies", "Supplies", "expense"),
        ] {
            let args = json!({"code": code, "name": name, "type": kind});
            self.call("books.add_account", &args).good();
        }
    }

    /// `wb init` of these books.
    pub fn init(&self) -> Command {
        let mut command = self.wb(&["init"]);
        command.arg(&self.books).args(INIT);
        command
    }

    /// `wb` with words.
    pub fn wb(&self, words: &[&str]) -> Command {
        let mut command = Command::new(WB);
        command.args(words);
        self.surround(&mut command);
        command
    }

    /// Gives a command these books' environment and no other.
    pub fn surround(&self, command: &mut Command) {
        command
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("USER", "tester")
            .env("XDG_STATE_HOME", &self.state)
            .env("WB_BOOKS", &self.books)
            .current_dir("/");
    }

    /// `wb call`.
    pub fn call(&self, tool: &str, args: &Value) -> Ran {
        run(&mut self.wb(&["call", tool, &args.to_string(), "--json"]))
    }

    /// A draft by `wb`.
    pub fn draft(&self, what: &str) -> Ran {
        self.call("books.draft_entry", &Value::Object(draft(what)))
    }

    /// The books through the library, with the bundle among the tools.
    pub fn open(&self) -> Result<Books, No> {
        let today = Date::new(2026, 11, 30).expect("a day");
        let state = self.state.join("wanderbooks");
        let world = World::fixed("2026-11-30T12:00:00Z", today, Some(state));
        Books::open(Paths::within(&self.books), bundle::domains(), world)
    }

    /// What is wrong with the journal and the tables. Opens as anyone would, so nothing was mended by hand.
    pub fn faults(&self) -> Vec<String> {
        let mut books = match self.open() {
            Ok(books) => books,
            Err(no) => return vec![format!("cannot be opened: {no:?}")],
        };
        let mut faults: Vec<String> = books
            .alarm()
            .map(|no| format!("{no:?}"))
            .into_iter()
            .collect();
        match books.house().verify(wanderbooks::store::Depth::Files) {
            Ok(found) => {
                faults.extend(found.damage.map(|d| format!("{d:?}")));
                faults.extend(found.drift.iter().map(|d| format!("{d:?}")));
            }
            Err(no) => faults.push(format!("cannot be verified: {no:?}")),
        }
        faults
    }

    /// The heads that are not in the journal.
    pub fn lost(&self, heads: &[(i64, String)]) -> Vec<(i64, String)> {
        let mut books = self.open().expect("the books open");
        let house = books.house();
        let gone = |(seq, head): &(i64, String)| {
            let there = house.hash_at(*seq).expect("the journal can be read");
            !there.is_some_and(|hash| hash.starts_with(head))
        };
        heads.iter().filter(|h| gone(h)).cloned().collect()
    }

    /// How the mirror differs from the journal, read past the program.
    pub fn mirror_differs(&self) -> Option<String> {
        let database = self.books.join("data/wanderbooks.db");
        let journal: Vec<String> = Connection::open(database)
            .and_then(|db| {
                let mut asked = db.prepare("SELECT body FROM event ORDER BY seq")?;
                asked.query_map([], |row| row.get(0))?.collect()
            })
            .expect("the journal can be read");
        let mirror = fs::read_to_string(self.books.join("data/journal.jsonl")).expect("a mirror");
        let lines: Vec<&str> = mirror.split_inclusive('\n').collect();
        let same = lines.len() == journal.len()
            && lines
                .iter()
                .zip(&journal)
                .all(|(line, body)| line.strip_suffix('\n') == Some(body));
        (!same).then(|| format!("{} lines, {} events", lines.len(), journal.len()))
    }

    /// The mirror's lines after the first `skip`.
    pub fn journal(&self, skip: usize) -> Vec<Value> {
        let text = fs::read_to_string(self.books.join("data/journal.jsonl")).expect("a mirror");
        let lines = text.lines().skip(skip);
        lines
            .map(|l| serde_json::from_str(l).expect("a line of JSON"))
            .collect()
    }

    /// Files that books at rest must not have.
    pub fn strays(&self) -> Vec<String> {
        let names = |folder: &Path| -> Vec<String> {
            let Ok(listed) = fs::read_dir(folder) else {
                return Vec::new();
            };
            listed
                .map(|f| {
                    f.expect("an entry")
                        .file_name()
                        .to_string_lossy()
                        .into_owned()
                })
                .collect()
        };
        let usual = |n: &String| {
            matches!(
                n.as_str(),
                "wanderbooks.db" | "wanderbooks.db-wal" | "wanderbooks.db-shm" | "journal.jsonl"
            )
        };
        let data = names(&self.books.join("data"));
        let state = names(&self.state.join("wanderbooks"));
        data.into_iter()
            .filter(|n| !usual(n))
            .chain(state.into_iter().filter(|n| !n.ends_with(".json")))
            .collect()
    }
}

/// What `wb init` is told about the books.
pub const INIT: &[&str] = &[
    "--no-input",
    "--company",
    "X",
    "--entity",
    "partnership",
    "--owner",
    "Ada=60%",
    "--owner",
    "Grace=40%",
    "--no-chart",
    "--json",
];

/// The arguments of a balanced draft.
pub fn draft(what: &str) -> Map<String, Value> {
    let line =
        |account: &str, side: &str| json!({"account": account, "side": side, "amount": "24.99"});
    let mut args = Map::new();
    args.insert("date".to_owned(), "2026-10-10".into());
    args.insert("description".to_owned(), what.into());
    args.insert(
        "lines".to_owned(),
        json!([line("supplies", "debit"), line("cash", "credit")]),
    );
    args
}

/// Calls a tool through the library.
pub fn ask(books: &mut Books, ask: &Ask) -> Result<Answer, No> {
    let operations = bundle::domains().iter().flat_map(|d| d.operations);
    let op = operations
        .into_iter()
        .find(|op| op.tool == ask.tool)
        .expect("a tool of the registry");
    let (call, control) = from_json(op, ask.args.clone())?;
    let caller = Caller {
        by: "{\"face\":\"test\"}",
        previews: None,
        answer_bytes_max: None,
    };
    books.call(op, &call, &control, caller)
}

/// Runs a command to its end, killing it when it does not come to one.
pub fn run(command: &mut Command) -> Ran {
    let mut out = tempfile::tempfile().expect("a file for its output");
    let mut err = tempfile::tempfile().expect("a file for its notes");
    let copy = |file: &File| Stdio::from(file.try_clone().expect("a second handle"));
    command
        .stdin(Stdio::null())
        .stdout(copy(&out))
        .stderr(copy(&err));
    let (code, took) = wait(command);
    Ran {
        code,
        out: text(&mut out),
        err: text(&mut err),
        took,
    }
}

/// Starts a command, waits for its end and gives its exit code.
pub fn wait(command: &mut Command) -> (i32, Duration) {
    let start = Instant::now();
    let mut child = command.spawn().expect("the command starts");
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            break status;
        }
        if start.elapsed() > super::PATIENCE {
            child.kill().expect("a child of ours");
            child.wait().expect("a child of ours");
            panic!("did not end: {command:?}");
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let code = status
        .code()
        .unwrap_or_else(|| -status.signal().expect("an exit or a signal"));
    (code, start.elapsed())
}

fn text(file: &mut File) -> String {
    let mut text = String::new();
    file.rewind().expect("a file of ours");
    file.read_to_string(&mut text).expect("UTF-8");
    text
}
