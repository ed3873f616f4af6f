//! What a journal may hold that someone wrote by hand, with every hash right: no event that cannot follow what came before.

use rusqlite::Connection;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wanderbooks::model::hex;

use crate::books::Desk;

/// Books with one posting (entry 1), a draft (entry 2) and two accounts.
fn desk() -> Desk {
    let mut desk = Desk::new("USD", "", "2026-11-30");
    desk.accounts(&["1000 asset -", "4000 revenue -"]);
    desk.post("2026-10-10", &["1000:dr:10.00", "4000:cr:10.00"]);
    desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-11", "description": "Paper"}),
    );
    desk
}

/// The text of the mirror.
fn mirror(desk: &Desk) -> String {
    std::fs::read_to_string(desk.paths().mirror()).expect("a mirror")
}

/// Appends an event to the journal as a forger would: the chain holds, the tables are not told.
fn forge(desk: &mut Desk, kind: &str, data: &Value) {
    desk.close();
    let db = Connection::open(desk.paths().database()).expect("a database");
    let (seq, hash): (i64, Vec<u8>) = db
        .query_row(
            "SELECT seq+1, hash FROM event ORDER BY seq DESC LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .expect("a journal");
    let body = format!(
        "{{\"seq\":{seq},\"txn\":{seq},\"at\":\"2026-11-30T12:00:00Z\",\"by\":{{\"face\":\"terminal\"}},\"type\":\"{kind}\",\"v\":1,\
         \"data\":{data},\"prev\":\"{}\"}}",
        hex(&hash)
    );
    let hash = Sha256::digest(format!("{body}\n").as_bytes());
    db.execute(
        "INSERT INTO event(seq, body, hash) VALUES(?,?,?)",
        (seq, &body, hash.as_slice()),
    )
    .expect("forged");
}

/// A posting that does not balance, has one line or none, and a change of an entry that can no longer be changed, break
/// the journal where they stand, and no report is made of them.
#[test]
fn events_that_cannot_follow() {
    let line = |account: i64, code: &str, amount: &str| json!({"account": account, "code": code, "amount": amount});
    let posted = |lines: Value| json!({"entry_id": 3, "date": "2026-10-12", "description": "Forged", "origin": "manual", "drafted": false, "lines": lines});
    let good = [line(1, "1000", "5.00"), line(2, "4000", "-5.00")];
    let cases = [
        (
            "entry.posted",
            posted(json!([line(1, "1000", "777.00")])),
            "does not balance",
        ),
        ("entry.posted", posted(json!([])), "does not balance"),
        (
            "entry.posted",
            posted(json!([good[0], line(2, "4000", "-4.99")])),
            "does not balance",
        ),
        ("entry.discarded", json!({"entry_id": 1}), "to change"),
        (
            "entry.changed",
            json!({"entry_id": 1, "date": "2026-01-01", "description": "Other", "origin": "manual", "lines": good}),
            "to change",
        ),
        (
            "entry.changed",
            json!({"entry_id": 2, "date": "2026-10-11", "description": "Draft", "origin": "imported", "lines": good}),
            "to change",
        ),
        (
            "account.added",
            json!({"account_id": 3, "code": "1100", "name": "Loop", "type": "asset", "parent_id": 3, "placeholder": true}),
            "under itself",
        ),
        (
            "account.updated",
            json!({"account_id": 1, "name": "Loop", "parent_id": 1, "placeholder": false, "archived": false}),
            "under itself",
        ),
    ];
    for (kind, data, why) in cases {
        let mut desk = desk();
        forge(&mut desk, kind, &data);
        let (word, refused) = desk.unopened();
        assert_eq!(word, "damaged", "{kind} {data}");
        let message = refused["message"].as_str().expect("a message");
        assert!(message.contains(why), "{kind} {data}: {message}");
    }
    let mut desk = desk();
    forge(&mut desk, "entry.posted", &posted(json!(good)));
    desk.reopen();
    assert_eq!(
        desk.ok("books.trial_balance", json!({}))["total_debit"],
        "15.00"
    );
}

/// Two accounts each under the other break the journal at the event that closes the circle. Tables in which someone made one are
/// read to their end, with every amount, and mended.
#[test]
fn accounts_in_a_circle() {
    let under = |id: i64, parent: i64| json!({"account_id": id, "name": "Loop", "parent_id": parent, "placeholder": true, "archived": false});
    let mut desk = desk();
    desk.accounts(&["1001 asset -"]);
    forge(&mut desk, "account.updated", &under(3, 1));
    desk.reopen();
    forge(&mut desk, "account.updated", &under(1, 3));
    let (word, refused) = desk.unopened();
    let message = refused["message"].as_str().expect("a message");
    assert_eq!(word, "damaged");
    assert!(message.contains("under itself"), "{message}");

    let mut desk = self::desk();
    desk.accounts(&["1001 asset -"]);
    desk.tamper("UPDATE account SET parent_id=3 WHERE id=1; UPDATE account SET parent_id=1 WHERE id=3; UPDATE account SET parent_id=2 WHERE id=2");
    for tool in [
        "books.chart",
        "books.balance_sheet",
        "books.trial_balance",
        "books.profit_and_loss",
    ] {
        desk.sheet(tool, json!({}));
    }
    let args = json!({"account": "1001", "parent": "1000"});
    assert!(desk.call("books.update_account", args).is_err());
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "healed");
}

/// What another program changed in an entry's rows does not get into the journal: every change that builds on them is refused as
/// damage, preview or not, until `wb verify` has mended the tables.
#[test]
fn changed_rows_are_not_built_on() {
    let draft = [
        "UPDATE draft_line SET amount=amount*100",
        "UPDATE draft_line SET account_id=3-account_id",
        "DELETE FROM draft_line",
        "INSERT INTO draft_line(entry_id, idx, account_id, amount) VALUES(3, 4, 1, 5), (3, 5, 1, -5)",
        "INSERT INTO line(entry_id, idx, account_id, date, amount, closing) VALUES(3, 2, 1, 20261011, 5, 0), (3, 3, 1, 20261011, -5, 0)",
        "UPDATE entry SET date=20200101 WHERE id=3",
        "UPDATE entry SET description='Other' WHERE id=3",
        "UPDATE entry SET origin='imported' WHERE id=3",
        "UPDATE entry SET seq=1 WHERE id=3",
        "UPDATE draft_line SET amount=amount*100; UPDATE entry SET seq=999999 WHERE id=3",
        "UPDATE entry SET status='draft' WHERE id=3",
    ];
    let changes = [
        ("books.post_entry", json!({"entry_id": 3})),
        (
            "books.update_draft",
            json!({"entry_id": 3, "date": "2026-10-12"}),
        ),
        (
            "books.add_line",
            json!({"entry_id": 3, "account": "1000", "side": "debit", "amount": "1"}),
        ),
    ];
    for (at, sql) in draft.iter().enumerate() {
        let mut desk = desk();
        let two = json!([{"account": "1000", "side": "debit", "amount": "7"}, {"account": "4000", "side": "credit", "amount": "7"}]);
        desk.ok(
            "books.draft_entry",
            json!({"date": "2026-10-11", "description": "Ink", "lines": two}),
        );
        for (side, account) in [("debit", "1000"), ("credit", "4000")] {
            desk.ok(
                "books.add_line",
                json!({"entry_id": 3, "account": account, "side": side, "amount": "2"}),
            );
        }
        desk.ok(
            "books.update_draft",
            json!({"entry_id": 3, "description": "Blue ink"}),
        );
        if at + 1 == draft.len() {
            desk.ok("books.discard_draft", json!({"entry_id": 3}));
        }
        desk.tamper(sql);
        for (tool, args) in &changes {
            not_as_told(&mut desk, tool, args, sql);
        }
        assert_eq!(desk.ok("books.verify", json!({}))["status"], "healed");
        if at + 1 < draft.len() {
            desk.ok("books.post_entry", json!({"entry_id": 3}));
            desk.ok(
                "books.reverse_entry",
                json!({"entry_id": 3, "date": "2026-10-12"}),
            );
            assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
        }
    }
}

/// A posting whose rows were changed is not reversed by what they say.
#[test]
fn changed_postings_are_not_reversed() {
    for sql in [
        "UPDATE line SET amount=amount*2 WHERE entry_id=1",
        "UPDATE entry SET seq=1 WHERE id=1",
        "UPDATE entry SET description='Other' WHERE id=1",
        "UPDATE entry SET date=20260101 WHERE id=1",
    ] {
        let mut desk = desk();
        desk.tamper(sql);
        let args = json!({"entry_id": 1, "date": "2026-10-12"});
        let (word, no) = desk.no("books.reverse_entry", args);
        assert_eq!(word, "damaged", "{sql}: {no}");
        assert_eq!(desk.ok("books.verify", json!({}))["status"], "healed");
    }
}

/// An entry that someone marked as not reversed is not reversed again; nor does a journal hold two reversals of one entry.
#[test]
fn one_live_reversal() {
    let mut desk = desk();
    let again = json!({"entry_id": 1, "date": "2026-10-12"});
    desk.ok("books.reverse_entry", again.clone());
    desk.tamper("UPDATE entry SET reversed_by=NULL WHERE id=1");
    not_as_told(&mut desk, "books.reverse_entry", &again, "unmarked");
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "healed");
    let lines = json!([{"account": 1, "code": "1000", "amount": "-10.00"}, {"account": 2, "code": "4000", "amount": "10.00"}]);
    let second = json!({"entry_id": 4, "date": "2026-10-12", "description": "Again", "origin": "reversal", "drafted": false, "lines": lines, "reverses": 1});
    forge(&mut desk, "entry.posted", &second);
    let (word, refused) = desk.unopened();
    assert_eq!(word, "damaged", "{refused}");
}

/// Books whose first event is damaged can still be read, and the event is named.
#[test]
fn first_event() {
    let mut desk = desk();
    desk.close();
    let db = Connection::open(desk.paths().database()).expect("a database");
    db.execute_batch("DROP TRIGGER event_no_update; UPDATE event SET body=replace(body, '\"seq\"', '\"req\"') WHERE seq=1")
        .expect("damage");
    drop(db);
    desk.reopen();
    assert_eq!(
        desk.ok("books.trial_balance", json!({}))["total_debit"],
        "10.00"
    );
    let (word, no) = desk.no("books.verify", json!({}));
    assert_eq!((word, &no["seq"]), ("damaged", &json!(1)), "{no}");
    let (word, _) = desk.no(
        "books.draft_entry",
        json!({"date": "2026-10-11", "description": "Paper"}),
    );
    assert_eq!(word, "damaged");
}

/// A change that would build on changed rows is refused as damage with its remedy, and the journal stays as it was.
fn not_as_told(desk: &mut Desk, tool: &str, args: &Value, sql: &str) {
    let before = mirror(desk);
    let (word, no) = desk.no(tool, args.clone());
    let found = (word, &no["code"], &no["remedy_tool"]);
    let want = ("damaged", &json!("tables_differ"), &json!("books.verify"));
    assert_eq!(found, want, "{tool} {sql}");
    assert_eq!(mirror(desk), before, "{tool} {sql}");
}

/// A break that verification found closes the books to writing in every later process, until a verification finds none.
#[test]
fn a_break_is_remembered() {
    let mut desk = desk();
    let body: String = {
        desk.close();
        let db = Connection::open(desk.paths().database()).expect("a database");
        db.query_row("SELECT body FROM event WHERE seq=3", [], |row| row.get(0))
            .expect("a line")
    };
    let trigger = "CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT,'the journal is append-only'); END";
    let change = |body: &str| {
        let body = body.replace('\'', "''");
        format!(
            "DROP TRIGGER event_no_update; UPDATE event SET body='{body}' WHERE seq=3; {trigger}"
        )
    };
    desk.tamper(&change(&body.replace("asset", "equity")));
    let (_, broken) = desk.no("books.verify", json!({}));
    assert_eq!(
        (&broken["code"], &broken["seq"]),
        (&json!("journal_damaged"), &json!(3))
    );
    for _ in 0..2 {
        desk.reopen();
        let (word, _) = desk.no(
            "books.draft_entry",
            json!({"date": "2026-10-11", "description": "Ink"}),
        );
        assert_eq!(word, "damaged");
        desk.ok("books.trial_balance", json!({}));
    }
    desk.tamper(&change(&body));
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
    desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-11", "description": "Ink"}),
    );
    desk.reopen();
    desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-11", "description": "Ink"}),
    );
}

/// A mirror whose last line is whole but not the journal's tells another history: an alarm, and nothing is written over it.
#[test]
fn another_history_in_the_mirror() {
    let mut desk = desk();
    let true_mirror = mirror(&desk);
    let other = true_mirror.replace("Paper", "Vapor");
    desk.close();
    std::fs::write(desk.paths().mirror(), &other).expect("written");
    desk.reopen();
    let (word, no) = desk.no(
        "books.draft_entry",
        json!({"date": "2026-10-11", "description": "Ink"}),
    );
    assert_eq!((word, &no["code"]), ("damaged", &json!("rolled_back")));
    assert_eq!(mirror(&desk), other);
    desk.close();
    std::fs::remove_file(desk.paths().mirror()).expect("moved away");
    desk.reopen();
    desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-11", "description": "Ink"}),
    );
    assert!(mirror(&desk).starts_with(&true_mirror));
}

/// A list in the place of an object is refused, not read in the order of the fields.
#[test]
fn a_list_is_no_object() {
    let mut desk = desk();
    let args =
        json!({"date": "2026-10-11", "description": "Ink", "lines": [["1000", "debit", "1"]]});
    let (word, no) = desk.no("books.draft_entry", args);
    assert_eq!((word, &no["field"]), ("usage", &json!("lines")));
}
