//! Commands of several events: each line but the last says that another follows, so that a journal or a mirror that ends
//! within a command is known for what it is.

use super::*;
use crate::stage::Stage;

/// A history of two entries: a command of three events.
const HISTORY: &str = concat!(
    r#"{"date":"2026-03-01","description":"Rent","lines":[{"account":"3000","amount":"9.00"},{"account":"1000","amount":"-9.00"}]}"#,
    "\n",
    r#"{"date":"2026-03-02","description":"Sale","lines":[{"account":"1000","amount":"5.00"},{"account":"3000","amount":"-5.00"}]}"#,
    "\n",
);

/// Books of ten events: the small ones and a history in one command, with a request key or without.
fn with_history(key: Option<&str>) -> Desk {
    let mut desk = small();
    let mut args = json!({"file": HISTORY});
    if let Some(key) = key {
        args["request_key"] = key.into();
    }
    desk.ok("import journal", args);
    desk
}

fn mirror(desk: &Desk) -> Vec<Value> {
    let text = fs::read_to_string(desk.paths().mirror()).expect("the mirror");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line"))
        .collect()
}

/// Every line of a command but the last says that another follows; the key and the answer stand on the first.
#[test]
fn lines_of_a_command() {
    for key in [None, Some("k1")] {
        let desk = with_history(key);
        let lines = mirror(&desk);
        let places: Vec<Value> = lines
            .iter()
            .map(|line| json!([line["seq"], line["txn"], line["more"]]))
            .collect();
        let made = [json!([1, 1, true]), json!([2, 1, null])];
        let alone = (3..=7).map(|seq| json!([seq, seq, null]));
        let command = [
            json!([8, 8, true]),
            json!([9, 8, true]),
            json!([10, 8, null]),
        ];
        let want = made.into_iter().chain(alone).chain(command);
        assert_eq!(places, want.collect::<Vec<_>>());
        let keys: Vec<&Value> = lines[7..].iter().map(|line| &line["key"]).collect();
        let first = key.map_or(Value::Null, Value::from);
        assert_eq!(keys, [&first, &Value::Null, &Value::Null]);
        assert_eq!(lines[7]["args_sha256"].is_string(), key.is_some());
        assert_eq!(lines[7]["answer"].is_object(), key.is_some());
    }
}

/// A journal cut within a command is damage at the first missing event, for opening and for verifying.
#[test]
fn cut_journal() {
    let mut desk = with_history(None);
    desk.close();
    fs::remove_dir_all(desk.folder.path().join("state")).expect("no memory");
    fs::remove_file(desk.paths().mirror()).expect("no mirror");
    desk.tamper(&format!(
        "{LET_EVENTS_CHANGE} DELETE FROM event WHERE seq=10; UPDATE state SET applied=9, head=(SELECT hash FROM event WHERE seq=9);"
    ));
    let (kind, refusal) = desk.no("books.verify", json!({}));
    let want = json!({
        "code": "journal_damaged", "seq": 10, "whole_events": 9,
        "why": "the command of event 8 goes on, but the journal ends",
    });
    let keys = ["code", "seq", "whole_events", "why"];
    assert_eq!((kind, pick(&refusal, &keys)), ("damaged", want));
    let args = json!({"code": "6000", "name": "X", "type": "expense"});
    let (kind, _) = desk.no("books.add_account", args);
    assert_eq!(kind, "damaged");
}

/// A mirror that ends within a command is brought up to the journal, and verification says how it ended.
#[test]
fn torn_mirror() {
    let mut desk = with_history(None);
    let path = desk.paths().mirror();
    let good = fs::read_to_string(&path).expect("the mirror");
    let nine: usize = good.lines().take(9).map(|line| line.len() + 1).sum();
    for length in [nine, nine + 30] {
        desk.close();
        fs::write(&path, &good[..length]).expect("cut");
        desk.reopen();
        let answer = desk.ok("books.verify", json!({}));
        let note =
            "the mirror ended within a command, before event 10; it was brought up to the journal";
        assert_eq!(answer["notes"], json!([note]));
        assert_eq!(fs::read_to_string(&path).expect("the mirror"), good);
        assert_eq!(mended(&mut desk), sound());
    }
}

/// `wb init` makes the books and their chart in one command: no moment of it leaves books without a chart.
#[test]
fn init_is_one_command() {
    let stage = Stage::empty();
    stage.must(
        "init {books} --no-input --company Acorn --entity partnership --owner Ada --owner Grace",
    );
    let journal = fs::read_to_string(stage.books().join("data/journal.jsonl")).expect("the mirror");
    let lines: Vec<Value> = journal
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(lines.len() > 20, "{}", lines.len());
    for (at, line) in lines.iter().enumerate() {
        let more = (at + 1 < lines.len()).then_some(true);
        assert_eq!((&line["txn"], line["more"].as_bool()), (&json!(1), more));
    }
}
