//! Books under the machine: called as a face calls them, and looked at from outside, byte for byte.

use std::{collections::BTreeMap, fs, path::Path};

use clap::Args;
use rusqlite::{Connection, OpenFlags, types::Value as Cell};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tempfile::TempDir;
use wanderbooks::{
    engine::{Books, Caller, Example, No, OpDef, Operation, Write, Writer, from_json},
    model::Currency,
    registry::DOMAINS,
    store::Paths,
    world::World,
};

use crate::books::kind;

const BY: &str = r#"{"face":"test"}"#;

/// The day on which the machine stands still.
pub const TODAY: &str = "2026-11-30";

/// A change of nothing.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct Nothing {}

/// What it gives.
#[derive(Serialize, JsonSchema)]
struct Done {
    ok: bool,
}

impl Operation for Nothing {
    const VERB: &'static str = "test nothing";
    const TOOL: &'static str = "test.nothing";
    const EXAMPLES: &'static [Example] = &[];
    type Output = Done;
}

impl Write for Nothing {
    fn run(self, _: &mut Writer<'_>) -> Result<Done, No> {
        Ok(Done { ok: true })
    }
}

static NOTHING: OpDef = OpDef::write::<Nothing>();

/// Books in a temporary folder.
pub struct Bench {
    folder: TempDir,
    books: Option<Books>,
    eye: Option<Connection>,
}

/// Where the journal ends, as the file has it: the least and the greatest number, how many, and the last hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The first event's number.
    pub first: i64,
    /// The last event's number.
    pub last: i64,
    /// How many there are.
    pub count: i64,
    /// The last hash in hex.
    pub head: String,
}

fn operation(tool: &str) -> &'static OpDef {
    let all = DOMAINS.iter().flat_map(|domain| domain.operations);
    all.into_iter()
        .find(|op| op.tool == tool)
        .expect("the tool is listed")
}

impl Bench {
    /// New books in dollars, in which no posting needs a receipt until the policy says another.
    pub fn new() -> Bench {
        let folder = TempDir::new().expect("a temporary folder");
        let usd = Currency::from_code("USD").expect("dollars");
        let mut bench = Bench {
            folder,
            books: None,
            eye: None,
        };
        let settings = "[company]\nname = \"Machine\"\n";
        let made = Books::create(bench.paths(), DOMAINS, bench.world(), (usd, settings, BY));
        drop(made.expect("new books"));
        // No amount that the machine posts is above it.
        let policy = r#"{"receipt_policy": {"require_receipts_above": "9999999999999999"}}"#;
        fs::write(bench.paths().config(), policy).expect("a policy file");
        bench.reopen();
        // The first change writes the policy into the journal, before the machine counts events.
        bench.settle("settled");
        bench
    }

    /// Makes a change that changes nothing, before which what is in force is written into the journal.
    fn settle(&mut self, key: &str) {
        let mut args = Map::new();
        args.insert("request_key".to_owned(), key.into());
        let (call, control) = from_json(&NOTHING, args).expect("arguments");
        let books = self.books.as_mut().expect("open books");
        let done = books.call(&NOTHING, &call, &control, Caller::plain(BY));
        done.expect("a change");
    }

    /// Writes the policy file, as a person edits it, which a change under a new key then writes into the journal.
    pub fn govern(&mut self, policy: &str, key: &str) {
        fs::write(self.paths().config(), policy).expect("a policy file");
        let books = self.books.as_mut().expect("open books");
        let fault = books.reread_settings();
        assert!(fault.is_none(), "{fault:?}");
        self.settle(key);
    }

    /// The stored files, by name, whatever their folders are.
    pub fn blobs(&self) -> BTreeMap<String, Vec<u8>> {
        let (mut all, folder) = (BTreeMap::new(), self.paths().blobs());
        if folder.exists() {
            files(&folder, &mut all);
        }
        // A folder stands in the list with no bytes, and no receipt is empty.
        all.retain(|_, bytes| !bytes.is_empty());
        all
    }

    /// The names of everything among the stored files.
    pub fn names(&self) -> Vec<String> {
        let (mut all, folder) = (Vec::new(), self.paths().blobs());
        if folder.exists() {
            names(&folder, &mut all);
        }
        all.sort();
        all
    }

    fn world(&self) -> World {
        let state = self.folder.path().join("state");
        let today = TODAY.parse().expect("a date");
        World::fixed("2026-11-30T08:51:40Z", today, Some(state))
    }

    /// Where the books lie.
    pub fn paths(&self) -> Paths {
        Paths::within(&self.folder.path().join("books"))
    }

    /// A free path beside the books.
    pub fn beside(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Closes the books and opens them again.
    pub fn reopen(&mut self) {
        self.eye = None;
        self.books = None;
        let opened = Books::open(self.paths(), DOMAINS, self.world());
        self.books = Some(opened.expect("books that open"));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let eye = Connection::open_with_flags(self.paths().database(), flags);
        self.eye = Some(eye.expect("a database"));
    }

    /// Calls a tool; a no is its kind and its JSON.
    pub fn call(&mut self, tool: &str, args: &Value) -> Result<Value, (&'static str, Value)> {
        let op = operation(tool);
        let args: Map<String, Value> = args.as_object().expect("an object").clone();
        let caller = Caller {
            by: BY,
            previews: None,
            answer_bytes_max: None,
        };
        let books = self.books.as_mut().expect("open books");
        from_json(op, args)
            .and_then(|(call, control)| books.call(op, &call, &control, caller))
            .map(|answer| Value::Object(answer.value))
            .map_err(|no| (kind(&no), no.to_value()))
    }

    /// Where the journal ends.
    pub fn end(&self) -> End {
        let eye = self.eye.as_ref().expect("an eye on the books");
        let sql = "SELECT min(seq), max(seq), count(*), (SELECT lower(hex(hash)) FROM event ORDER BY seq DESC LIMIT 1) FROM event";
        let end = eye.query_row(sql, [], |row| {
            Ok(End {
                first: row.get(0)?,
                last: row.get(1)?,
                count: row.get(2)?,
                head: row.get(3)?,
            })
        });
        end.expect("a journal")
    }

    /// Everything there is: every row of every table, and every other file but SQLite's two companions.
    pub fn dump(&self) -> BTreeMap<String, Vec<u8>> {
        let mut all = BTreeMap::new();
        files(self.folder.path(), &mut all);
        let eye = self.eye.as_ref().expect("an eye on the books");
        let mut tables = eye
            .prepare("SELECT name, sql FROM sqlite_schema WHERE type='table' ORDER BY name")
            .expect("a schema");
        let names = tables
            .query_map([], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))
            })
            .expect("tables");
        for table in names {
            let (name, sql) = table.expect("a table");
            let text = format!("{sql:?}\n{}", rows(eye, &name));
            all.insert(format!("table {name}"), text.into_bytes());
        }
        all
    }
}

fn rows(eye: &Connection, table: &str) -> String {
    let mut all = eye
        .prepare(&format!("SELECT * FROM \"{table}\""))
        .expect("a table");
    let width = all.column_count();
    let lines = all.query_map([], |row| {
        let cells: Result<Vec<Cell>, _> = (0..width).map(|i| row.get(i)).collect();
        Ok(format!("{:?}", cells?))
    });
    let mut lines: Vec<String> = lines
        .expect("rows")
        .map(|line| line.expect("a row"))
        .collect();
    lines.sort();
    lines.join("\n")
}

fn names(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        all.push(path.to_string_lossy().into_owned());
        if path.is_dir() {
            names(&path, all);
        }
    }
}

fn files(folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            all.insert(name, Vec::new());
            files(&path, all);
        } else if !name.ends_with("-wal") && !name.ends_with("-shm") && !name.ends_with(".db") {
            all.insert(name, fs::read(&path).expect("a file"));
        }
    }
}
