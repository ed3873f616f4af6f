//! Classes: their names, how they are named, and the profit and loss by them.

use serde_json::{Value, json};

use super::{desk, draft, refused};
use crate::books::{Desk, pick};

fn classes(desk: &mut Desk, names: &[&str]) {
    for name in names {
        desk.ok("books.add_class", json!({"name": name}));
    }
}

fn rows(answer: &Value) -> Vec<String> {
    let text = |row: &Value, key: &str| row[key].as_str().expect("text").to_owned();
    let row = |row: &Value| {
        let figures = ["revenue", "expenses", "net_income"].map(|key| text(row, key));
        format!("{}: {}", text(row, "class"), figures.join(" "))
    };
    answer["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(row)
        .collect()
}

/// Names are unique ignoring case, accents and the blanks around them; an id cannot be a name.
#[test]
fn names() {
    let mut desk = desk("USD");
    let added = desk.ok("books.add_class", json!({"name": " Café Nord "}));
    assert_eq!(
        pick(&added, &["id", "name"]),
        json!({"id": 1, "name": "Café Nord"})
    );
    for name in ["CAFE NORD", "café  nord", " Cafe\u{301} nord"] {
        let (_, no) = desk.no("books.add_class", json!({"name": name}));
        assert_eq!(
            pick(&no, &["code", "class_id"]),
            json!({"code": "class_name_in_use", "class_id": 1})
        );
    }
    for name in ["", "  ", "a\u{202e}b", "\u{301}", "id:3"] {
        let (_, no) = desk.no("books.add_class", json!({"name": name}));
        assert_eq!(no["code"], "bad_text", "{name:?}");
    }
    classes(&mut desk, &["Sud"]);
    let list = desk.ok("books.list_classes", json!({"limit": 1, "offset": 1}));
    let want = json!({"classes": [{"id": 2, "name": "Sud"}], "total": 2, "truncated": false});
    assert_eq!(pick(&list, &["classes", "total", "truncated"]), want);
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}

/// A class is named by name or id; a number that is one's id and another's name is refused, and `id:` always is an id.
#[test]
fn references() {
    let mut desk = desk("USD");
    classes(&mut desk, &["Rondo", "1", "2026"]);
    let of = |desk: &mut Desk, class: Value| {
        let mut line =
            json!({"account": "6100", "side": "debit", "amount": "1.00", "class": class});
        let args = json!({"date": "2026-10-10", "description": "Test", "lines": [line.take()]});
        let answer = desk.call("books.draft_entry", args);
        match answer {
            Ok(answer) => answer["lines"][0]["class_id"].clone(),
            Err(no) => no.to_value()["code"].clone(),
        }
    };
    for (class, want) in [
        (json!("RONDO "), json!(1)),
        (json!("id:1"), json!(1)),
        (json!("id:2"), json!(2)),
        (json!(2), json!(2)),
        (json!("2"), json!(2)),
        (json!("2026"), json!(3)),
        (json!(2026), json!(3)),
        (json!(1), json!("ambiguous_class")),
        (json!("1"), json!("ambiguous_class")),
        (json!("Waltz"), json!("unknown_class")),
        (json!(4), json!("unknown_class")),
        (json!("id:2026"), json!("unknown_class")),
    ] {
        assert_eq!(of(&mut desk, class.clone()), want, "{class}");
    }
    let line = json!({"account": "none", "side": "debit", "amount": "0", "class": "Waltz"});
    let all = ["unknown_account", "unknown_class", "bad_amount"];
    assert_eq!(refused(&mut desk, line), all);
}

/// Books with two classes at work and one that moves no income, a close, and an entry that was taken back.
fn two_classes() -> Desk {
    let mut desk = desk("USD");
    classes(&mut desk, &["Rondo", "Waltz", "Idle"]);
    desk.post(
        "2026-01-10",
        &["1000:dr:500.00", "4000:cr:300.00:Rondo", "4000:cr:200.00"],
    );
    desk.post(
        "2026-02-28",
        &[
            "6100:dr:80.00:Waltz",
            "6200:dr:20.00:Rondo",
            "1000:cr:100.00:Idle",
        ],
    );
    desk.post("2026-03-15", &["6200:dr:7.50", "1000:cr:7.50"]);
    desk.post_closing("2026-03-31", &["4000:dr:500.00", "3000:cr:500.00"]);
    let taken_back = desk.post("2026-03-20", &["6100:dr:9.99:Waltz", "1000:cr:9.99"]);
    let args = json!({"entry_id": taken_back, "date": "2026-04-01", "confirmed": true});
    let reversal = desk.ok("books.reverse_entry", args);
    assert_eq!(reversal["lines"][0]["class"], "Waltz");
    desk
}

/// Two classes and lines without one: the rows sum to the profit and loss, closing entries are left out, and an entry with its
/// reversal is nothing in its class.
#[test]
fn profit_and_loss() {
    let mut desk = two_classes();
    let year = json!({"start": "2026-01-01", "end": "2026-12-31"});
    let by_class = desk.ok("books.profit_and_loss_by_class", year.clone());
    assert_eq!(
        rows(&by_class),
        [
            "Rondo: 300.00 20.00 280.00",
            "Waltz: 0.00 80.00 -80.00",
            "Idle: 0.00 0.00 0.00",
            "Unclassified: 200.00 7.50 192.50"
        ]
    );
    let keys = ["revenue", "expenses", "net_income"];
    let whole = desk.ok("books.profit_and_loss", year);
    assert_eq!(pick(&by_class, &keys), pick(&whole, &keys));
    assert_eq!(by_class["net_income"], "392.50");
}

/// Parts of months on both ends count their own days only, and one class alone is its row and its statement.
#[test]
fn parts_and_one_class() {
    let mut desk = two_classes();
    let keys = ["revenue", "expenses", "net_income"];
    let part = json!({"start": "2026-01-11", "end": "2026-03-20"});
    let by_class = desk.ok("books.profit_and_loss_by_class", part.clone());
    assert_eq!(
        rows(&by_class),
        [
            "Rondo: 0.00 20.00 -20.00",
            "Waltz: 0.00 89.99 -89.99",
            "Idle: 0.00 0.00 0.00",
            "Unclassified: 0.00 7.50 -7.50"
        ]
    );
    let mut only = part;
    only["class"] = "waltz".into();
    let by_class = desk.ok("books.profit_and_loss_by_class", only.clone());
    assert_eq!(rows(&by_class), ["Waltz: 0.00 89.99 -89.99"]);
    let alone = desk.ok("books.profit_and_loss", only.clone());
    assert_eq!(alone["class"], "Waltz");
    assert_eq!(alone["expense_accounts"][0]["amount"], "89.99");
    assert_eq!(pick(&alone, &keys), pick(&by_class, &keys));
    only["class"] = "Polka".into();
    for tool in ["books.profit_and_loss", "books.profit_and_loss_by_class"] {
        assert_eq!(desk.no(tool, only.clone()).1["code"], "unknown_class");
    }
    let page = desk.rows(
        "books.profit_and_loss_by_class",
        json!({"start": "2026-01-01"}),
    );
    assert!(
        page.last()
            .is_some_and(|row| row.ends_with("500.00,107.50,392.50")),
        "{page:?}"
    );
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}

/// An entry, a list, a register and a page show the class of a line; drafts keep it through a change.
#[test]
fn shown() {
    let mut desk = desk("USD");
    classes(&mut desk, &["Rondo"]);
    let made = draft(&mut desk, &["6100:dr:5.00:Rondo", "1000:cr:5.00"]);
    let id = made["entry_id"].clone();
    desk.ok(
        "books.update_draft",
        json!({"entry_id": id, "date": "2026-10-11"}),
    );
    let posted = desk.ok(
        "books.post_entry",
        json!({"entry_id": id, "confirmed": true}),
    );
    let entry = desk.ok("books.get_entry", json!({"entry_id": id}));
    let found = desk.ok("books.search_entries", json!({}));
    let register = desk.ok("books.account_register", json!({"account": "6100"}));
    for line in [
        &posted["lines"][0],
        &entry["lines"][0],
        &found["entries"][0]["lines"][0],
        &register["lines"][0],
    ] {
        assert_eq!(
            pick(line, &["class_id", "class"]),
            json!({"class_id": 1, "class": "Rondo"})
        );
    }
    assert_eq!(entry["lines"][1].get("class"), None);
    for (tool, args) in [
        ("books.get_entry", json!({"entry_id": id})),
        ("books.search_entries", json!({})),
        ("books.account_register", json!({"account": "6100"})),
    ] {
        let rows = desk.rows(tool, args);
        assert!(
            rows.iter().any(|row| row.contains("Rondo")),
            "{tool}: {rows:?}"
        );
    }
}

/// A class that is not the journal's is seen: a change of the draft is refused, and verification mends the tables.
#[test]
fn tampered() {
    for sql in [
        "UPDATE draft_line SET class_id=2 WHERE idx=0",
        "UPDATE draft_line SET class_id=NULL WHERE idx=0",
        "UPDATE draft_line SET fx_rate='1.2' WHERE idx=1",
        "UPDATE draft_line SET foreign_amount='3.99' WHERE idx=1",
        "UPDATE draft_line SET foreign_currency='CHF' WHERE idx=1",
    ] {
        let mut desk = desk("USD");
        classes(&mut desk, &["Rondo", "Waltz"]);
        let made = draft(&mut desk, &["6100:dr:5.00:Rondo", "1000:cr:EUR4.00@1.25"]);
        desk.tamper(sql);
        let args = json!({"entry_id": made["entry_id"], "confirmed": true});
        let (kind, no) = desk.no("books.post_entry", args);
        assert_eq!(
            (kind, &no["code"]),
            ("damaged", &json!("tables_differ")),
            "{sql}"
        );
        assert_eq!(
            desk.ok("books.verify", json!({}))["status"],
            "healed",
            "{sql}"
        );
    }
    for sql in [
        "UPDATE class_month SET amount=amount+1 WHERE class_id=1",
        "DELETE FROM class_month",
        "UPDATE line SET class_id=2 WHERE idx=0",
    ] {
        let mut desk = desk("USD");
        classes(&mut desk, &["Rondo", "Waltz"]);
        desk.post("2026-10-10", &["6100:dr:5.00:Rondo", "1000:cr:5.00"]);
        desk.tamper(sql);
        assert_eq!(
            desk.ok("books.verify", json!({}))["status"],
            "healed",
            "{sql}"
        );
    }
}
