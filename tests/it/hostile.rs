//! What hostile text may not do to any answer, and a hostile or changed database file not to running or newly opened books.

mod corpus;
mod inputs;
mod outside;
mod settings;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::books::Desk;

fn desk() -> Desk {
    let mut desk = Desk::new("USD", "", "2026-11-30");
    desk.accounts(&["1000 asset -", "4000 revenue -"]);
    desk.post("2026-10-10", &["1000:dr:10.00", "4000:cr:10.00"]);
    desk
}

fn draft() -> Value {
    json!({"date": "2026-10-11", "description": "Paper"})
}

/// A trigger planted in the file never runs: nothing is written beside it, and verification makes the schema anew.
#[test]
fn planted_triggers_do_not_run() {
    let plants = [
        "CREATE TRIGGER x AFTER INSERT ON entry BEGIN UPDATE account SET archived=1-archived; END",
        "CREATE VIEW v AS SELECT 1",
        "DROP TRIGGER event_no_delete",
    ];
    for plant in plants {
        let mut desk = desk();
        desk.tamper(plant);
        desk.reopen();
        let (kind, refused) = desk.no("books.draft_entry", draft());
        assert_eq!(
            (kind, &refused["code"]),
            ("damaged", &json!("damaged")),
            "{plant}"
        );
        assert_eq!(
            desk.ok("books.trial_balance", json!({}))["total_debit"],
            "10.00"
        );
        assert_eq!(
            desk.ok("books.verify", json!({}))["status"],
            "healed",
            "{plant}"
        );
        desk.ok("books.draft_entry", draft());
        assert_eq!(
            desk.ok("books.verify", json!({}))["status"],
            "ok",
            "{plant}"
        );
        assert_eq!(desk.ok("books.chart", json!({}))["total"], 2, "{plant}");
    }
}

/// A trigger planted while the books are open is noticed by the next change.
#[test]
fn triggers_planted_under_open_books() {
    let mut desk = desk();
    let beside = Connection::open(desk.paths().database()).expect("a database");
    beside
        .execute_batch("CREATE TRIGGER x AFTER INSERT ON entry BEGIN DELETE FROM draft_line; END")
        .expect("planted");
    let (kind, _) = desk.no("books.draft_entry", draft());
    assert_eq!(kind, "damaged");
}

/// A file put in the database's place while the books are open gets no acknowledged change.
#[test]
fn a_replaced_database_takes_no_change() {
    let mut desk = desk();
    let database = desk.paths().database();
    let copy = database.with_extension("copy");
    std::fs::copy(&database, &copy).expect("a copy");
    std::fs::rename(&copy, &database).expect("put in its place");
    let (kind, refused) = desk.no("books.draft_entry", draft());
    assert_eq!((kind, &refused["code"]), ("damaged", &json!("rolled_back")));
    std::fs::remove_file(&database).expect("taken away");
    let (kind, _) = desk.no("books.draft_entry", draft());
    assert_eq!(kind, "damaged");
}

/// Another version of the program that folds the tables under open books ends their writing.
#[test]
fn another_version_folds_under_open_books() {
    let mut desk = desk();
    let beside = Connection::open(desk.paths().database()).expect("a database");
    beside
        .execute_batch("UPDATE state SET projector='newer'")
        .expect("as a newer version would");
    let (kind, _) = desk.no("books.draft_entry", draft());
    assert_eq!(kind, "unavailable");
}
