//! Imports on real books in a temporary folder: bank files, charts and histories, and what a replay makes of them.

mod bank;
mod chart;
mod journal;
mod layouts;
mod twins;

use crate::books::without_receipts;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use wanderbooks::{
    engine::{Books, Caller, No, OpDef, from_json},
    model::{Currency, Date},
    registry::DOMAINS,
    store::Paths,
    world::World,
};

/// Books in a folder of their own.
struct Desk {
    books: Books,
    folder: TempDir,
}

impl Desk {
    /// Books without accounts.
    fn empty(currency: &str) -> Desk {
        let folder = TempDir::new().expect("a folder");
        let today = Date::new(2026, 11, 30).expect("a day");
        let world = World::fixed("2026-11-30T12:00:00Z", today, None);
        let currency = Currency::from_code(currency).expect("a currency");
        let paths = Paths::within(&folder.path().join("books"));
        let settings = without_receipts("");
        let made = Books::create(paths, DOMAINS, world, (currency, &settings, "{}"));
        let books = made.expect("books");
        Desk { books, folder }
    }

    /// Books with a partnership's starter chart.
    fn furnished(currency: &str) -> Desk {
        let mut desk = Desk::empty(currency);
        let owners = json!({"entity_type": "partnership", "owners": ["Ada=60%", "Grace=40%"]});
        let chart = desk.call("chart template", owners);
        desk.call("chart import", json!({"csv_text": chart["csv"]}));
        desk
    }

    /// Runs an operation by its JSON arguments.
    fn try_call(&mut self, verb: &str, args: Value) -> Result<Map<String, Value>, No> {
        let op = operation(verb);
        let Value::Object(args) = args else {
            panic!("arguments are an object");
        };
        let (call, control) = from_json(op, args)?;
        let caller = Caller {
            by: "{}",
            previews: None,
            answer_bytes_max: None,
        };
        Ok(self.books.call(op, &call, &control, caller)?.value)
    }

    fn call(&mut self, verb: &str, args: Value) -> Map<String, Value> {
        let told = args.to_string();
        self.try_call(verb, args)
            .unwrap_or_else(|no| panic!("{verb} {told}: {no:?}"))
    }

    /// The refusal of an operation that must refuse and change nothing.
    fn refused(&mut self, verb: &str, args: Value) -> Value {
        let before = self.head();
        let no = self.try_call(verb, args).expect_err("a refusal");
        assert_eq!(self.head(), before, "the journal moved");
        self.verify();
        no.to_value()
    }

    /// Sequence number and hash of the journal's last event.
    fn head(&self) -> (i64, String) {
        let page = self.books.page().expect("a head");
        (page.seq, page.head)
    }

    /// Holds every table to a replay of the journal.
    fn verify(&mut self) {
        let found = self
            .books
            .house()
            .verify(wanderbooks::store::Depth::Rows)
            .expect("a verification");
        assert!(found.damage.is_none(), "{:?}", found.damage);
        assert!(found.drift.is_empty(), "{:?}", found.drift);
    }

    /// An entry's lines, `debit 1000 5.00`, behind its date, origin and description.
    fn entry(&mut self, id: i64) -> Vec<String> {
        let entry = self.call("entry show", json!({"entry_id": id}));
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let head = format!(
            "{} {} {}",
            word(&entry["date"]),
            word(&entry["origin"]),
            word(&entry["description"])
        );
        let lines = entry["lines"].as_array().cloned().unwrap_or_default();
        let lines = lines.iter().map(|line| {
            format!(
                "{} {} {}",
                word(&line["side"]),
                word(&line["account_code"]),
                word(&line["amount"])
            )
        });
        std::iter::once(head).chain(lines).collect()
    }
}

fn operation(verb: &str) -> &'static OpDef {
    let mut all = DOMAINS.iter().flat_map(|d| d.operations);
    all.find(|op| op.verb == verb).expect("an operation")
}

/// The values of some keys, in order.
fn pick(value: &Map<String, Value>, keys: &[&str]) -> Value {
    let picked = keys.iter().map(|key| value.get(*key).cloned());
    Value::Array(picked.map(|v| v.unwrap_or(Value::Null)).collect())
}

fn sample(name: &str) -> String {
    let path = format!("{}/examples/bank/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a sample")
}
/// Every example means the same in words and in JSON, and runs on books with a starter chart.
#[test]
fn examples() {
    for op in wanderbooks::domains::import::DOMAIN.operations {
        for example in op.examples {
            let words = example.words.replace(" --confirm", "");
            let words = std::iter::once("x").chain(words.split(' '));
            let command = (op.augment)(clap::Command::new("x"));
            let matches = command.try_get_matches_from(words).expect("words");
            let by_words = op
                .call_from_words(&matches, &Default::default())
                .expect("a call")
                .args;
            let args: Value = serde_json::from_str(example.json).expect("JSON");
            let (call, _) =
                from_json(op, args.as_object().expect("arguments").clone()).expect("a call");
            assert_eq!(by_words, call.args, "{}", op.verb);
            let mut desk = Desk::furnished("USD");
            let inbox = desk.folder.path().join("books/inbox");
            std::fs::create_dir_all(&inbox).expect("a folder");
            std::fs::write(inbox.join("lease.txt"), "Lease\n").expect("a file");
            desk.call(op.verb, args);
            desk.verify();
        }
    }
}
