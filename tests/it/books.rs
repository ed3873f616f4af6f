//! Real books in a temporary folder, worked through the engine as a face works them, in a world that stands still.

use std::{fs, path::PathBuf};

use clap::Args;
use rusqlite::Connection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use wanderbooks::{
    domains::entry,
    engine::{
        Answer, BackupStanding, Books, Caller, Domain, Effect, Example, No, OpDef, Operation,
        Result, Site, Write, Writer, from_json,
    },
    model::{Currency, Date, Origin},
    present::Sheet,
    registry::DOMAINS,
    store::Paths,
    world::World,
};

const BY: &str = r#"{"face":"test"}"#;
/// The instant at which the world stands still where a test does not say another.
const NOW: &str = "2026-11-30T08:51:40Z";

/// Books and the folder they lie in.
pub struct Desk {
    /// Holds the books, the remembered heads and whatever a test puts beside them.
    pub folder: TempDir,
    today: Date,
    now: String,
    paged: bool,
    books: Option<Books>,
}

/// What a test posts with: any origin, so that closing entries can be made before there is an operation for them.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct PostAs {
    #[arg(long)]
    date: Date,
    #[arg(long)]
    origin: Origin,
    #[arg(long)]
    lines: Vec<entry::EntryLine>,
}

/// The entry that was made.
#[derive(Serialize, JsonSchema, Debug)]
struct Made {
    entry_id: i64,
}

impl Operation for PostAs {
    const VERB: &'static str = "test post";
    const TOOL: &'static str = "test.post";
    const EXAMPLES: &'static [Example] = &[];
    type Output = Made;
}

impl Write for PostAs {
    fn run(self, books: &mut Writer<'_>) -> Result<Made> {
        let lines = self.lines.iter().map(|line| line.resolve(&books.reader()));
        let lines = lines.collect::<Result<Vec<_>>>()?;
        let new = entry::NewEntry {
            date: self.date,
            description: "Test entry",
            origin: self.origin,
            lines,
            reverses: None,
        };
        let posted = entry::post(books, new)?;
        Ok(Made {
            entry_id: posted.entry_id,
        })
    }
}

static POST_AS: OpDef = OpDef::write::<PostAs>();

fn operation(name: &str) -> &'static OpDef {
    DOMAINS
        .iter()
        .flat_map(|domain| domain.operations)
        .find(|op| op.tool == name || op.verb == name)
        .expect("the operation is listed")
}

fn object(args: Value) -> Map<String, Value> {
    match args {
        Value::Object(map) => map,
        other => panic!("arguments are an object, not {other}"),
    }
}

/// Settings with a threshold that no posting is above, for tests of something else than receipts.
pub fn without_receipts(settings: &str) -> String {
    let threshold = "receipt_threshold = \"99999999999\"\n";
    if settings.contains("[books]\n") {
        return settings.replacen("[books]\n", &format!("[books]\n{threshold}"), 1);
    }
    format!("{settings}\n[books]\n{threshold}")
}

/// The word for a kind of no.
pub fn kind(no: &No) -> &'static str {
    match no {
        No::Usage(_) => "usage",
        No::Refused(_) => "refused",
        No::Unavailable(_) => "unavailable",
        No::Damaged(_) => "damaged",
        No::OutcomeUnknown(_) => "outcome_unknown",
        No::Fault(_) => "fault",
    }
}

impl Desk {
    /// New books in a currency, with the settings text given, on the day `today`. No posting needs a receipt.
    pub fn new(currency: &str, settings: &str, today: &str) -> Desk {
        Desk::governed(currency, &without_receipts(settings), today)
    }

    /// New books in which the settings text alone says which postings need a receipt.
    pub fn governed(currency: &str, settings: &str, today: &str) -> Desk {
        Desk::made(currency, settings, (today, NOW))
    }

    /// New books in dollars, made at an instant of UTC, whose day is today. No posting needs a receipt.
    pub fn made_at(settings: &str, now: &str) -> Desk {
        Desk::made("USD", &without_receipts(settings), (&now[..10], now))
    }

    fn made(currency: &str, settings: &str, (today, now): (&str, &str)) -> Desk {
        let mut desk = Desk {
            folder: TempDir::new().expect("a temporary folder"),
            today: today.parse().expect("a date"),
            now: now.to_owned(),
            paged: false,
            books: None,
        };
        let currency = Currency::from_code(currency).expect("a currency");
        let made = Books::create(
            desk.paths(),
            DOMAINS,
            desk.world(),
            (currency, settings, BY),
        );
        desk.books = Some(made.expect("new books"));
        // As every command does after the one that made the books.
        desk.reopen();
        desk
    }

    /// Where the books lie.
    pub fn paths(&self) -> Paths {
        Paths::within(&self.folder.path().join("books"))
    }

    /// The world that these books are opened in.
    pub fn world(&self) -> World {
        let state = self.folder.path().join("state");
        World::fixed(&self.now, self.today, Some(state))
    }

    /// Sets the clock, forward or back: the books are closed and opened again at this instant of UTC, and it is its day.
    pub fn at(&mut self, now: &str) {
        now.clone_into(&mut self.now);
        self.today = now[..10].parse().expect("a date");
        self.reopen();
    }

    /// Writes the settings file, as a person edits it, and opens the books again.
    pub fn settle(&mut self, text: &str) {
        fs::write(self.paths().settings, text).expect("settings are written");
        self.reopen();
    }

    /// Lists come in pages from now on, as over MCP.
    pub fn in_pages(&mut self) {
        self.paged = true;
    }

    /// Closes the books, so that a test can work on their files.
    pub fn close(&mut self) {
        self.books = None;
    }

    /// Opens the books as they lie.
    pub fn reopen(&mut self) {
        self.close();
        let opened = Books::open(self.paths(), DOMAINS, self.world());
        self.books = Some(opened.expect("books that open"));
    }

    /// Calls an operation that works on closed books, by its verb, and gives its answer and the books that came of it.
    pub fn on_site(&mut self, name: &str, args: Value) -> Result<(Value, Books)> {
        self.close();
        let (call, _) = from_json(operation(name), object(args))?;
        let (paths, world) = (self.paths(), self.world());
        let find = || Ok(paths.clone());
        let (answer, books) = call.on_site(&Site::new(&find, DOMAINS, &world))?;
        Ok((Value::Object(answer.value), books))
    }

    /// Repairs the books as they lie from their mirror, and opens them.
    pub fn repaired(&mut self) -> Value {
        let (value, books) = self
            .on_site("repair", json!({"from_mirror": true}))
            .expect("repaired books");
        self.books = Some(books);
        value
    }

    /// Why the books as they lie are not repaired from their mirror.
    pub fn unrepaired(&mut self) -> (&'static str, Value) {
        let no = self
            .on_site("repair", json!({"from_mirror": true}))
            .err()
            .expect("a refusal");
        (kind(&no), no.to_value())
    }

    /// Other books in this place, with the same memory of heads.
    pub fn beside(&self, books: Books) -> Desk {
        Desk {
            folder: TempDir::new().expect("a temporary folder"),
            today: self.today,
            now: self.now.clone(),
            paged: false,
            books: Some(books),
        }
    }

    /// How the books stand to their backups.
    pub fn backup_standing(&self) -> BackupStanding {
        let books = self.books.as_ref().expect("open books");
        let standing = books.glance().backup_standing();
        standing.expect("a standing")
    }

    /// Why the books can only be read, when that is so.
    pub fn alarm(&self) -> Option<String> {
        let alarm = self.books.as_ref().expect("open books").alarm();
        alarm.map(|no| {
            no.to_value()["code"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
    }

    /// Opens the books as they lie, if they open.
    pub fn try_reopen(&mut self) -> Result<()> {
        self.close();
        self.books = Some(Books::open(self.paths(), DOMAINS, self.world())?);
        Ok(())
    }

    /// Why the books as they lie do not open.
    pub fn unopened(&mut self) -> (&'static str, Value) {
        self.close();
        let no = Books::open(self.paths(), DOMAINS, self.world())
            .err()
            .expect("books that do not open");
        (kind(&no), no.to_value())
    }

    /// Opens the books as they lie, with other domains than the registry's.
    pub fn reopened_with(mut self, domains: &'static [&'static Domain]) -> Desk {
        self.close();
        let opened = Books::open(self.paths(), domains, self.world());
        self.books = Some(opened.expect("books that open"));
        self
    }

    /// Opens other books, in a world that has not seen them.
    pub fn elsewhere(&self, root: PathBuf) -> Desk {
        let world = World::fixed(&self.now, self.today, None);
        let opened = Books::open(Paths::within(&root), DOMAINS, world);
        Desk {
            folder: TempDir::new().expect("a temporary folder"),
            today: self.today,
            now: self.now.clone(),
            paged: false,
            books: Some(opened.expect("books that open")),
        }
    }

    /// Works on the closed database behind the program's back, then opens the books again.
    pub fn tamper(&mut self, sql: &str) {
        self.close();
        let db = Connection::open(self.paths().database()).expect("a database");
        db.execute_batch(sql).expect("the tampering works");
        drop(db);
        self.reopen();
    }

    fn answer(&mut self, op: &OpDef, args: Value) -> Result<Answer> {
        let mut args = object(args);
        if op.effect == Effect::Confirm {
            args.insert("confirmed".to_owned(), true.into());
        }
        let (call, control) = from_json(op, args)?;
        let caller = Caller {
            by: BY,
            previews: None,
            answer_bytes_max: self.paged.then_some(usize::MAX),
        };
        let books = self.books.as_mut().expect("open books");
        books.call(op, &call, &control, caller)
    }

    /// Calls an operation, or that of the tests, with these arguments and no confirmation of its own.
    pub fn raw(&mut self, name: &str, args: Value) -> Result<Value> {
        let op = match name {
            PostAs::TOOL => &POST_AS,
            name => operation(name),
        };
        self.run(op, args)
    }

    /// Calls an operation, which may be a test's own, with these arguments and no confirmation of its own.
    pub fn run(&mut self, op: &OpDef, args: Value) -> Result<Value> {
        let (call, control) = from_json(op, object(args))?;
        let caller = Caller {
            by: BY,
            previews: None,
            answer_bytes_max: None,
        };
        let books = self.books.as_mut().expect("open books");
        let answer = books.call(op, &call, &control, caller)?;
        Ok(Value::Object(answer.value))
    }

    /// Calls an operation by its tool's name or its verb; what it refuses is the test's to look at.
    pub fn call(&mut self, name: &str, args: Value) -> Result<Value> {
        let answer = self.answer(operation(name), args)?;
        Ok(Value::Object(answer.value))
    }

    /// Calls an operation that must succeed.
    pub fn ok(&mut self, name: &str, args: Value) -> Value {
        self.call(name, args).expect("an answer")
    }

    /// Calls an operation that must refuse, and gives the kind of no and its code.
    pub fn no(&mut self, name: &str, args: Value) -> (&'static str, Value) {
        let no = self.call(name, args).expect_err("a refusal");
        (kind(&no), no.to_value())
    }

    /// The page of an operation's result.
    pub fn sheet(&mut self, name: &str, args: Value) -> Sheet {
        let answer = self.answer(operation(name), args).expect("an answer");
        let page = self
            .books
            .as_ref()
            .expect("open books")
            .page()
            .expect("a page");
        answer.sheet(name, &page).expect("a sheet")
    }

    /// The rows of the page's table as a spreadsheet gets them.
    pub fn rows(&mut self, name: &str, args: Value) -> Vec<String> {
        let sheet = self.sheet(name, args);
        let csv = wanderbooks::present::csv::render(&sheet).expect("one main table");
        csv.lines().map(str::to_owned).collect()
    }

    /// Debits on this account need no receipt, however large they are.
    pub fn exempt(&mut self, code: &str) {
        let policy = json!({"receipt_policy": {"receipt_exempt_accounts": [code]}});
        fs::write(self.paths().config(), policy.to_string()).expect("a policy file");
        self.reopen();
    }

    /// Adds accounts, each `CODE TYPE PARENT` with `-` for no parent; the name is the code's.
    pub fn accounts(&mut self, list: &[&str]) {
        for account in list {
            let words: Vec<&str> = account.split(' ').collect();
            let [code, kind, parent] = words.as_slice() else {
                panic!("an account is CODE TYPE PARENT: {account}");
            };
            let mut args = json!({"code": code, "name": format!("A{code}"), "type": kind});
            if *parent != "-" {
                args["parent"] = (*parent).into();
            }
            self.ok("books.add_account", args);
        }
    }

    /// Posts an entry: `ACCOUNT:SIDE:AMOUNT` lines.
    pub fn post(&mut self, date: &str, lines: &[&str]) -> i64 {
        self.post_as(date, lines, "manual")
    }

    /// Posts an entry that brings balances in.
    pub fn post_opening(&mut self, date: &str, lines: &[&str]) -> i64 {
        self.post_as(date, lines, "opening")
    }

    /// Posts an entry as a close does.
    pub fn post_closing(&mut self, date: &str, lines: &[&str]) -> i64 {
        self.post_as(date, lines, "closing")
    }

    /// Why an entry is not posted.
    pub fn unposted(&mut self, date: &str, lines: &[&str]) -> (&'static str, Value) {
        self.unposted_as(date, lines, "manual")
    }

    /// Why an entry that brings balances in is not posted.
    pub fn unopened_balance(&mut self, date: &str, lines: &[&str]) -> (&'static str, Value) {
        self.unposted_as(date, lines, "opening")
    }

    fn unposted_as(&mut self, date: &str, lines: &[&str], origin: &str) -> (&'static str, Value) {
        let lines: Vec<entry::EntryLine> =
            lines.iter().map(|l| l.parse().expect("a line")).collect();
        let args = json!({"date": date, "origin": origin, "lines": lines});
        let no = self.answer(&POST_AS, args).err().expect("a refusal");
        (kind(&no), no.to_value())
    }

    fn post_as(&mut self, date: &str, lines: &[&str], origin: &str) -> i64 {
        let lines: Vec<entry::EntryLine> =
            lines.iter().map(|l| l.parse().expect("a line")).collect();
        let args = json!({"date": date, "origin": origin, "lines": lines});
        let answer = self.answer(&POST_AS, args).expect("a posting");
        answer.value["entry_id"].as_i64().expect("an id")
    }
}

/// Some keys of an object, for comparing what a test is about.
pub fn pick(value: &Value, keys: &[&str]) -> Value {
    let map = keys
        .iter()
        .map(|key| ((*key).to_owned(), value[*key].clone()));
    Value::Object(map.collect())
}
