//! Verification, mending and backup on real books, damaged behind the program's back.

mod accepted;
mod backups;
mod commands;
mod drills;
mod hurt;
mod journal_table;
mod looked_at;
mod lost;
mod places;
mod planted;
mod repairs;
mod restores;
mod unfit;

use std::{fs, path::PathBuf};

use rusqlite::Connection;
use serde_json::{Value, json};
use wanderbooks::{engine::Books, registry::DOMAINS};

use crate::books::{Desk, pick};

/// Books of seven events: made with their settings, two accounts, three entries.
fn small() -> Desk {
    let mut desk = Desk::new("USD", "[company]\nname = \"Harbor Books\"\n", "2026-03-31");
    desk.accounts(&["1000 asset -", "3000 equity -"]);
    for day in ["2026-01-15", "2026-02-15", "2026-03-15"] {
        desk.post(day, &["1000:dr:100.00", "3000:cr:100.00"]);
    }
    desk
}

const EVENTS: i64 = 7;
const LET_EVENTS_CHANGE: &str = "DROP TRIGGER event_no_update; DROP TRIGGER event_no_delete;";

fn data(desk: &Desk) -> PathBuf {
    desk.paths().data
}

/// The names of the files that mending kept.
fn kept(desk: &Desk) -> Vec<String> {
    let listed = fs::read_dir(data(desk)).expect("the data folder");
    let mut names: Vec<String> = listed
        .map(|entry| {
            let name = entry.expect("an entry").file_name();
            name.into_string().expect("text")
        })
        .filter(|name| name.contains("mismatch"))
        .collect();
    names.sort();
    names
}

fn trial_total(desk: &mut Desk) -> Value {
    desk.ok("books.trial_balance", json!({}))["total_debit"].clone()
}

/// A head as the journal's table has it.
fn head_at(desk: &Desk, seq: i64) -> String {
    let db = Connection::open(desk.paths().database()).expect("a database");
    let sql = "SELECT lower(hex(hash)) FROM event WHERE seq=?";
    db.query_row(sql, [seq], |row| row.get(0))
        .expect("an event")
}

/// Verifies and gives what was mended as `table: what`, with the status.
fn mended(desk: &mut Desk) -> (String, Vec<String>) {
    let answer = desk.ok("books.verify", json!({}));
    let status = answer["status"].as_str().expect("a status").to_owned();
    let tables = answer["healed"]["tables"].as_array();
    let tables = tables.map(Vec::as_slice).unwrap_or_default();
    let text = |v: &Value| v.as_str().expect("text").to_owned();
    let lines = tables
        .iter()
        .map(|t| format!("{}: {}", text(&t["table"]), text(&t["what"])))
        .collect();
    (status, lines)
}

fn healed(lines: &[&str]) -> (String, Vec<String>) {
    let lines = lines.iter().map(|l| (*l).to_owned()).collect();
    ("healed".to_owned(), lines)
}

fn sound() -> (String, Vec<String>) {
    ("ok".to_owned(), Vec::new())
}

/// Whole books verify, and the answer says what was checked and where the journal ends.
#[test]
fn whole() {
    let mut desk = small();
    let answer = desk.ok("books.verify", json!({}));
    let want = json!({
        "status": "ok",
        "events": EVENTS,
        "head": head_at(&desk, EVENTS),
        "blobs_verified": 0,
        "checked": [
            "journal: the hash chain of 7 events",
            "tables: every row and the schema against a replay of the journal",
            "sums: monthly totals against the lines",
            "pages: SQLite's integrity check",
            "head: the last head seen, kept outside the books",
            "mirror: journal.jsonl line for line",
            "stored files: the hashes of 0",
        ],
    });
    assert_eq!(answer, want);
    let without = desk.ok("books.verify", json!({"blobs": false}));
    assert_eq!(without["blobs_verified"], Value::Null);
    assert_eq!(without["checked"].as_array().map(Vec::len), Some(6));
}

/// A file among the stored ones that no event names is none of them.
#[test]
fn stray_files() {
    let mut desk = small();
    let blobs = desk.paths().blobs();
    fs::create_dir(&blobs).expect("a folder");
    fs::write(blobs.join("x"), "x").expect("a file");
    let answer = desk.ok("books.verify", json!({}));
    assert_eq!(
        (&answer["status"], &answer["blobs_verified"]),
        (&json!("ok"), &json!(0))
    );
}

/// spec/reliability.md 5.7: a journal in which one byte was changed is refused with the event's number, nothing is mended,
/// and the books take no more writes.
#[test]
fn damaged_event() {
    for seq in 1..=EVENTS {
        let mut desk = small();
        let before = kept(&desk);
        desk.tamper(&format!(
            "{LET_EVENTS_CHANGE} UPDATE event SET body=replace(body, '2026-11-30T', '2026-11-29T') WHERE seq={seq};"
        ));
        let (kind, refusal) = desk.no("books.verify", json!({}));
        let want = json!({"code": "journal_damaged", "seq": seq, "why": "it does not have its hash", "whole_events": seq - 1});
        let keys = ["code", "seq", "why", "whole_events"];
        assert_eq!((kind, pick(&refusal, &keys)), ("damaged", want));
        let message = refusal["message"].as_str().expect("a message");
        assert!(
            message.contains(&format!("event {seq}: it does not have its hash;")),
            "{message}"
        );
        assert_eq!(kept(&desk), before);
        let args = json!({"code": "6000", "name": "X", "type": "expense"});
        let (kind, _) = desk.no("books.add_account", args);
        assert_eq!(kind, "damaged");
    }
}

/// An event whose hash was made to fit is caught by the line after it; one that was taken out by the gap.
#[test]
fn rewritten_event() {
    let mut desk = small();
    desk.close();
    let db = Connection::open(desk.paths().database()).expect("a database");
    db.execute_batch(LET_EVENTS_CHANGE).expect("no triggers");
    let sql = "SELECT replace(body, '100.00', '900.00') FROM event WHERE seq=5";
    let body: String = db.query_row(sql, [], |row| row.get(0)).expect("an event");
    let hash = wanderbooks::store::line_hash(&body);
    db.execute(
        "UPDATE event SET body=?, hash=? WHERE seq=5",
        rusqlite::params![body, hash],
    )
    .expect("rewritten");
    drop(db);
    desk.reopen();
    let (kind, refusal) = desk.no("books.verify", json!({}));
    assert_eq!((kind, &refusal["seq"]), ("damaged", &json!(6)));
    let mut desk = small();
    desk.tamper(&format!(
        "{LET_EVENTS_CHANGE} DELETE FROM event WHERE seq=3;"
    ));
    let (kind, refusal) = desk.no("books.verify", json!({}));
    assert_eq!((kind, &refusal["seq"]), ("damaged", &json!(3)));
}

/// A cent changed in a line, or anywhere else in the tables, is put right from the journal, and the old file is kept.
#[test]
fn changed_cent() {
    let mut desk = small();
    desk.tamper(
        "UPDATE line SET amount=amount+1 WHERE entry_id=2 AND idx=0;
         UPDATE balance_month SET debits=debits+1 WHERE account_id=1 AND month=202602;
         UPDATE turnover SET debits=debits+1;",
    );
    assert_eq!(trial_total(&mut desk), "300.01");
    let found = mended(&mut desk);
    let want = healed(&[
        "line: row 3 differs from the journal",
        "balance_month: row 2 differs from the journal",
        "turnover: row 1 differs from the journal",
    ]);
    assert_eq!(found, want);
    assert_eq!(trial_total(&mut desk), "300.00");
    assert_eq!(kept(&desk), ["wanderbooks.mismatch.20261130T085140Z.db"]);
    let old = data(&desk).join(&kept(&desk)[0]);
    let old = Connection::open(old).expect("the kept file");
    let sql = "SELECT amount FROM line WHERE entry_id=2 AND idx=0";
    let amount: i64 = old.query_row(sql, [], |row| row.get(0)).expect("a line");
    assert_eq!(amount, 10_001);
    assert_eq!(mended(&mut desk), sound());
    desk.post("2026-03-20", &["1000:dr:1.00", "3000:cr:1.00"]);
    desk.reopen();
    assert_eq!(mended(&mut desk), sound());
}

/// Mending twice within the same second keeps both files.
#[test]
fn two_healings() {
    let mut desk = small();
    for _ in 0..2 {
        desk.tamper("UPDATE account SET name='X' WHERE id=1");
        let want = healed(&["account: row 1 differs from the journal"]);
        assert_eq!(mended(&mut desk), want);
    }
    let want = [
        "wanderbooks.mismatch.20261130T085140Z-2.db",
        "wanderbooks.mismatch.20261130T085140Z.db",
    ];
    assert_eq!(kept(&desk), want);
}

/// Whatever was done to tables, indexes and schema is found and mended: rows taken and added, indexes dropped, triggers,
/// views and tables planted, the journal's own triggers dropped.
#[test]
fn tables_and_schema() {
    let cases = [
        (
            "DELETE FROM line WHERE entry_id=3 AND idx=1",
            "line: the last 1 rows are missing",
        ),
        (
            "DELETE FROM line WHERE entry_id=1 AND idx=0",
            "line: a row before row 1 is missing",
        ),
        (
            "INSERT INTO balance_month VALUES(2, 0, 203001, 5, 5, 1)",
            "balance_month: row 7 is not in the journal",
        ),
        (
            "DROP INDEX line_account",
            "schema: index line_account is missing",
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON line BEGIN UPDATE line SET amount=0; END",
            "schema: a trigger that is not part of the books was added",
        ),
        (
            "CREATE VIEW v AS SELECT 1",
            "schema: a view that is not part of the books was added",
        ),
        (
            "CREATE TABLE x(a)",
            "schema: a table that is not part of the books was added",
        ),
        (
            "CREATE INDEX i ON line(amount)",
            "schema: a index that is not part of the books was added",
        ),
        (
            "DROP TRIGGER event_no_delete",
            "schema: trigger event_no_delete is missing",
        ),
    ];
    found_and_mended(&cases);
}

/// Each statement, run behind the program's back, is found as this last difference, and mended.
fn found_and_mended(cases: &[(&str, &str)]) {
    for (sql, want) in cases {
        let mut desk = small();
        desk.tamper(sql);
        let (status, found) = mended(&mut desk);
        assert_eq!(status, "healed", "{sql}");
        // Sums over lines that are gone are wrong too; the row is what the case is about.
        assert_eq!(found.last().map(String::as_str), Some(*want), "{sql}");
        assert_eq!(kept(&desk).len(), 1, "{sql}");
        assert_eq!(mended(&mut desk), sound(), "{sql}");
        assert_eq!(trial_total(&mut desk), "300.00", "{sql}");
    }
}

/// An index that SQLite itself finds out of step, though every row is right, is made anew.
#[test]
fn index_out_of_step() {
    let mut desk = small();
    desk.close();
    let database = desk.paths().database();
    let schema = |change: &str| {
        let db = Connection::open(&database).expect("a database");
        let sql = format!(
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET {change} WHERE name='line_account';"
        );
        db.execute_batch(&sql).expect("a changed schema");
    };
    schema("sql=sql||' WHERE amount>99999'");
    let db = Connection::open(&database).expect("a database");
    db.execute_batch("REINDEX line_account").expect("emptied");
    drop(db);
    schema("sql=replace(sql, ' WHERE amount>99999', '')");
    desk.reopen();
    let (status, found) = mended(&mut desk);
    assert_eq!(status, "healed");
    // The totals read by that index are wrong, and SQLite misses its rows.
    let words: Vec<&str> = found.iter().filter_map(|f| f.split(": ").next()).collect();
    assert_eq!(words, ["pages", "sums"], "{found:?}");
    assert_eq!(mended(&mut desk), sound());
}

/// An older copy of the database put back is an alarm, and the books take no writes, whether the mirror or only the
/// remembered head knows of the newer state.
#[test]
fn older_copy() {
    for mirror_too in [false, true] {
        let mut desk = small();
        desk.close();
        let paths = desk.paths();
        let old = fs::read(paths.database()).expect("the database");
        let old_mirror = fs::read(paths.mirror()).expect("the mirror");
        desk.reopen();
        desk.post("2026-03-20", &["1000:dr:1.00", "3000:cr:1.00"]);
        desk.close();
        for log in ["wanderbooks.db-wal", "wanderbooks.db-shm"] {
            let log = paths.data.join(log);
            if log.exists() {
                fs::remove_file(log).expect("no log");
            }
        }
        fs::write(paths.database(), &old).expect("put back");
        if mirror_too {
            fs::write(paths.mirror(), &old_mirror).expect("put back");
        }
        desk.reopen();
        let (kind, refusal) = desk.no("books.verify", json!({}));
        assert_eq!((kind, &refusal["code"]), ("damaged", &json!("rolled_back")));
        let args = json!({"code": "6000", "name": "X", "type": "expense"});
        let (kind, refusal) = desk.no("books.add_account", args);
        assert_eq!((kind, &refusal["code"]), ("damaged", &json!("rolled_back")));
        assert_eq!(trial_total(&mut desk), "300.00");
        assert_eq!(kept(&desk), Vec::<String>::new());
    }
}

/// A mirror in which anything before its last line was changed, or whose last line cannot be read, is kept aside and written
/// anew from the journal.
#[test]
fn changed_mirror() {
    let mut desk = small();
    let path = desk.paths().mirror();
    let good = fs::read_to_string(&path).expect("the mirror");
    let cases = [
        (
            good.replacen("100.00", "900.00", 1),
            "the mirror's line 5 is not the journal's",
        ),
        (
            format!("{good}more\n"),
            "the mirror has more lines than the journal",
        ),
        (
            format!("{}\n", &good[..good.len() - 9]),
            "the mirror's line 7 is not the journal's",
        ),
    ];
    for (number, (text, what)) in (1..).zip(cases) {
        desk.close();
        fs::write(&path, &text).expect("changed");
        desk.reopen();
        assert_eq!(mended(&mut desk), healed(&[&format!("mirror: {what}")]));
        assert_eq!(fs::read_to_string(&path).expect("the mirror"), good);
        assert_eq!(kept(&desk).len(), number);
        assert_eq!(mended(&mut desk), sound());
    }
    let first = data(&desk).join("journal.mismatch.20261130T085140Z.jsonl");
    let first = fs::read_to_string(first).expect("the mirror as it was found");
    assert_eq!(first, good.replacen("100.00", "900.00", 1));
}

/// A mirror that is missing, short of its last lines or torn within one is only brought up to the journal.
#[test]
fn mirror_behind() {
    let mut desk = small();
    let path = desk.paths().mirror();
    let good = fs::read_to_string(&path).expect("the mirror");
    let two: usize = good.lines().take(2).map(|line| line.len() + 1).sum();
    for length in [
        None,
        Some(0),
        Some(two),
        Some(two + 30),
        Some(good.len() - 1),
    ] {
        desk.close();
        match length {
            None => fs::remove_file(&path).expect("removed"),
            Some(length) => fs::write(&path, &good[..length]).expect("cut"),
        }
        desk.reopen();
        let answer = desk.ok("books.verify", json!({}));
        assert_eq!(answer["status"], "ok", "{length:?}");
        assert_eq!(
            answer["notes"].as_array().map(Vec::len),
            Some(1),
            "{length:?}"
        );
        assert_eq!(fs::read_to_string(&path).expect("the mirror"), good);
        assert_eq!(kept(&desk), Vec::<String>::new());
        assert_eq!(mended(&mut desk), sound());
    }
}

/// A mirror with an event that the journal lacks shows that an older database stands here.
#[test]
fn mirror_ahead() {
    let mut desk = small();
    let path = desk.paths().mirror();
    let good = fs::read_to_string(&path).expect("the mirror");
    let last = good.lines().last().expect("lines");
    let next = last.replacen("\"seq\":7", "\"seq\":8", 1);
    fs::write(&path, format!("{good}{next}\n")).expect("written");
    let (kind, refusal) = desk.no("books.verify", json!({}));
    assert_eq!((kind, &refusal["code"]), ("damaged", &json!("rolled_back")));
    desk.reopen();
    let (kind, _) = desk.no("books.verify", json!({}));
    assert_eq!(kind, "damaged");
}

/// spec/reliability.md §8.1: heads seen before are answered equal or extends; a journal that ends before one, or has another
/// event there, is refused.
#[test]
fn heads_seen() {
    let mut desk = small();
    let end = head_at(&desk, EVENTS);
    let third = head_at(&desk, 3);
    let heads = json!([
        format!("7:{end}"),
        format!("3:{}", &third[..16]),
        format!("7:{}", end[..20].to_uppercase()),
        format!("journal 7 · {}", &end[..16]),
    ]);
    let answer = desk.ok("books.verify", json!({"expect_head": heads}));
    let want = json!([
        {"seq": 7, "answer": "equal"}, {"seq": 3, "answer": "extends"}, {"seq": 7, "answer": "equal"}, {"seq": 7, "answer": "equal"},
    ]);
    assert_eq!(answer["expected"], want);
    let cases = [
        (
            vec![format!("8:{end}")],
            "history_shorter",
            json!([{"seq": 8, "answer": "shorter"}]),
        ),
        (
            vec![format!("8:{end}"), format!("5:{third}")],
            "history_diverged",
            json!([{"seq": 8, "answer": "shorter"}, {"seq": 5, "answer": "diverged"}]),
        ),
    ];
    for (heads, code, want) in cases {
        let (kind, refusal) = desk.no("books.verify", json!({"expect_head": heads}));
        let found = pick(&refusal, &["code", "events", "head", "expected"]);
        let want = json!({"code": code, "events": 7, "head": end, "expected": want});
        assert_eq!((kind, found), ("damaged", want));
    }
    let (kind, refusal) = desk.no("books.verify", json!({"expect_head": ["6:abc"]}));
    assert_eq!((kind, &refusal["field"]), ("usage", &json!("expect_head")));
}

/// The page of a verification lays out, mended or not.
#[test]
fn verification_page() {
    let mut desk = small();
    desk.sheet("books.verify", json!({}));
    desk.tamper("DROP INDEX line_account");
    desk.sheet("books.verify", json!({}));
}
