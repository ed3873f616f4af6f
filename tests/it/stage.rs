//! A stage for tests of the faces: demo books made once and copied, both faces in process in a world that stands still, and
//! a picture of everything that a command could have changed.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::OsString,
    fs,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    rc::Rc,
    sync::OnceLock,
    thread,
};

use rusqlite::{Connection, types::Value as Cell};
use serde_json::{Value, json};
use tempfile::TempDir;
use wanderbooks::{
    faces::{
        mcp::{Options, serve_over, wire},
        terminal::{self, Console},
    },
    model::Date,
    registry::DOMAINS,
    store::Paths,
    world::World,
};

/// A folder with `books` and `state` in it, and room beside them.
pub struct Stage {
    folder: TempDir,
}

/// What a command line was answered.
#[derive(PartialEq, Eq, Debug)]
pub struct Said {
    pub exit: u8,
    pub out: String,
    pub err: String,
}

impl Said {
    /// The standard output, which is one JSON value.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// A stream whose bytes the test reads afterwards.
#[derive(Clone, Default)]
pub struct Kept(Rc<RefCell<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Kept {
    /// What was written so far.
    pub fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).expect("UTF-8")
    }
}

impl Stage {
    /// No books yet.
    pub fn empty() -> Stage {
        let folder = tempfile::tempdir().expect("a folder");
        Stage { folder }
    }

    /// Books of a sole proprietorship with four accounts: 1000 bank, 3000 equity, 4000 revenue, 6800 expense.
    pub fn small() -> Stage {
        let stage = Stage::empty();
        let init =
            "init {books} --company Acorn --entity sole_proprietorship --owner Ada --no-chart";
        stage.must(init);
        let chart = "code,name,type,parent_code\n1000,Bank,asset,\n3000,Equity,equity,\n4000,Sales,revenue,\n6800,Supplies,expense,\n";
        stage.put("chart.csv", chart);
        stage.must("chart import {here}/chart.csv");
        stage
    }

    /// A copy of the demo's books, which are made once.
    pub fn demo() -> Stage {
        static DEMO: OnceLock<Stage> = OnceLock::new();
        let demo = DEMO.get_or_init(|| {
            let stage = Stage::empty();
            stage.must("demo {books} --quiet");
            stage
        });
        let stage = Stage::empty();
        copy(demo.here(), stage.here());
        stage
    }

    /// The folder that everything is in.
    pub fn here(&self) -> &Path {
        self.folder.path()
    }

    /// The books folder.
    pub fn books(&self) -> PathBuf {
        self.here().join("books")
    }

    /// Puts a file beside the books.
    pub fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.here().join(name), text).expect("a file is written");
    }

    /// The settings file with more lines at its end.
    pub fn settle(&self, more: &str) {
        let path = self.books().join("wanderbooks.toml");
        let text = fs::read_to_string(&path).expect("settings");
        fs::write(path, format!("{text}\n{more}")).expect("settings are written");
    }

    fn world(&self) -> World {
        let today = Date::new(2026, 1, 15).expect("a day");
        World::fixed(
            "2026-01-15T12:00:00Z",
            today,
            Some(self.here().join("state")),
        )
    }

    /// Runs `wb --books BOOKS` with these words. `{here}` and `{books}` in them are the folders.
    pub fn wb(&self, line: &str) -> Said {
        let mut words = vec!["--books".to_owned(), self.filled("{books}")];
        words.extend(split(line).iter().map(|word| self.filled(word)));
        self.run(words)
    }

    /// Runs `wb --books BOOKS` with these words, on a screen of a width or into a pipe.
    pub fn on(&self, screen: Option<usize>, line: &str) -> Said {
        let mut words = vec!["--books".to_owned(), self.filled("{books}")];
        words.extend(split(line).iter().map(|word| self.filled(word)));
        self.played(words, screen)
    }

    /// Runs `wb` with these words alone.
    pub fn run(&self, words: Vec<String>) -> Said {
        self.played(words, None)
    }

    fn played(&self, words: Vec<String>, screen: Option<usize>) -> Said {
        let (out, err) = (Kept::default(), Kept::default());
        let mut console = Console::kept(Box::new(out.clone()), Box::new(err.clone()));
        if let Some(width) = screen {
            console = console.as_screen(width);
        }
        let mut args = vec![OsString::from("wb")];
        args.extend(words.into_iter().map(OsString::from));
        let exit = terminal::run(args, DOMAINS, &self.world(), &mut console);
        Said {
            exit: exit.code(),
            out: out.text(),
            err: err.text(),
        }
    }

    /// The same, where it must succeed.
    pub fn must(&self, line: &str) -> Said {
        let said = self.wb(line);
        assert_eq!((said.exit, said.err.as_str()), (0, ""), "{line}: {said:?}");
        said
    }

    fn filled(&self, word: &str) -> String {
        let here = self.here().to_string_lossy();
        let books = self.books();
        word.replace("{books}", &books.to_string_lossy())
            .replace("{here}", &here)
    }

    /// Calls tools of an MCP server, one after another, and gives the `result` of each.
    pub fn tools(&self, calls: &[(&str, Value)]) -> Vec<Value> {
        let call =
            |(tool, args): &(&str, Value)| ("tools/call", json!({"name": tool, "arguments": args}));
        let lines = self.asked(calls.iter().map(call).collect());
        let result = |(id, line): (usize, &String)| {
            let answer: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(answer["id"], json!(id), "{answer}");
            answer["result"].clone()
        };
        lines.iter().enumerate().map(result).collect()
    }

    /// Asks an MCP server, one request after another, each a method and its parameters; gives the lines that it writes.
    pub fn asked(&self, requests: Vec<(&str, Value)>) -> Vec<String> {
        let (theirs, mut input) = io::pipe().expect("a pipe");
        let (output, ours) = io::pipe().expect("a pipe");
        let options = Options {
            paths: Paths::within(&self.books()),
            domains: DOMAINS,
            tools: None,
            read_only: false,
            underscore: false,
        };
        let world = self.world();
        let server = thread::spawn(move || {
            let wire = wire::Wire::new(theirs, ours, wire::LINE_BYTES_MAX).expect("threads");
            serve_over(options, world, wire)
        });
        let mut output = BufReader::new(output);
        let mut lines = Vec::new();
        for (id, (method, mut params)) in requests.into_iter().enumerate() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
            });
            let call = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            writeln!(input, "{call}").expect("the server reads");
            let mut line = String::new();
            output.read_line(&mut line).expect("the server writes");
            lines.push(line);
        }
        drop(input);
        let ended = server.join().expect("the server does not panic");
        ended.expect("the end of the input is no error");
        lines
    }

    /// Everything that a command could have changed: every row of every table, every other file byte for byte.
    pub fn picture(&self) -> BTreeMap<String, String> {
        let mut picture = BTreeMap::new();
        for path in files(self.here()) {
            let name = path.strip_prefix(self.here()).expect("beneath it");
            let name = name.to_string_lossy().into_owned();
            match path.extension().and_then(|e| e.to_str()) {
                Some("db") => rows(&path, &name, &mut picture),
                // SQLite's own: pages on their way into the database, which its tables show.
                Some("db-wal" | "db-shm") => {}
                _ => {
                    let bytes = fs::read(&path).expect("a file");
                    picture.insert(name, bytes.escape_ascii().to_string());
                }
            }
        }
        picture
    }

    /// How many events the journal has.
    pub fn events(&self) -> i64 {
        let path = Paths::within(&self.books()).database();
        let db = Connection::open(path).expect("a database");
        db.query_row("SELECT count(*) FROM event", [], |row| row.get(0))
            .expect("a count")
    }
}

fn rows(path: &Path, name: &str, picture: &mut BTreeMap<String, String>) {
    let db = Connection::open(path).expect("a database");
    let mut tables = db
        .prepare(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        )
        .expect("a question");
    let tables: Vec<(String, String)> = tables
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("tables")
        .collect::<Result<_, _>>()
        .expect("tables");
    for (table, sql) in tables {
        let mut select = db
            .prepare(&format!("SELECT * FROM \"{table}\" ORDER BY 1, 2"))
            .expect("a question");
        let columns = select.column_count();
        let mut found = select.query([]).expect("rows");
        let mut text = sql;
        while let Some(row) = found.next().expect("a row") {
            let cells: Vec<Cell> = (0..columns)
                .map(|place| row.get(place).expect("a cell"))
                .collect();
            text.push_str(&format!("\n{cells:?}"));
        }
        picture.insert(format!("{name}:{table}"), text);
    }
}

/// Every file of a folder and beneath it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let place = to.join(path.strip_prefix(from).expect("beneath it"));
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::copy(&path, place).expect("a copy");
    }
}

/// A command line as a shell cuts it into words; quotes are the only signs that it knows.
pub fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut open, mut any) = (Vec::new(), String::new(), None, false);
    for c in line.chars() {
        match (open, c) {
            (Some(quote), c) if c == quote => open = None,
            (None, '\'' | '"') => (open, any) = (Some(c), true),
            (None, ' ') => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (_, c) => word.push(c),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    assert_eq!(open, None, "a quote is left open: {line}");
    words
}
