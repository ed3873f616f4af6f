//! What reviews of entries found: chains of reversals, large balances, keys of calls that change nothing, accounts in use.

use serde_json::{Value, json};

use crate::books::{Desk, pick};

fn desk() -> Desk {
    let mut desk = Desk::new("USD", "", "2026-11-30");
    desk.accounts(&["1000 asset -", "4000 revenue -"]);
    desk
}

/// Reverses an entry on a day after all others; the new entry's id, or the refusal's code.
fn reverse(desk: &mut Desk, id: i64) -> Result<i64, Value> {
    let args = json!({"entry_id": id, "date": "2026-11-01", "confirmed": true});
    match desk.call("books.reverse_entry", args) {
        Ok(answer) => Ok(answer["entry_id"].as_i64().expect("an id")),
        Err(no) => Err(no.to_value()["code"].clone()),
    }
}

fn revenue(desk: &mut Desk) -> Value {
    let report = desk.ok(
        "books.profit_and_loss",
        json!({"start": "2026-01-01", "end": "2026-12-31"}),
    );
    report["revenue"].clone()
}

/// spec/domain.md §1.6: an entry has one live reversal. Live alternates up a chain: 89.00 reversed, reinstated and reversed
/// again is 0.00, and the first entry cannot be reversed once more.
#[test]
fn a_chain_of_reversals() {
    let mut desk = desk();
    let first = desk.post("2026-10-10", &["1000:dr:89.00", "4000:cr:89.00"]);
    let second = reverse(&mut desk, first).expect("a reversal");
    let third = reverse(&mut desk, second).expect("a reversal of it");
    assert_eq!(revenue(&mut desk), "89.00");
    let fourth = reverse(&mut desk, third).expect("a reversal of that");
    assert_eq!(revenue(&mut desk), "0.00");
    let shown = desk.ok("books.get_entry", json!({"entry_id": first}));
    assert_eq!(shown["reversed_by"], json!(second));
    assert_eq!(reverse(&mut desk, first), Err(json!("already_reversed")));
    let fifth = reverse(&mut desk, fourth).expect("the chain may go on");
    assert_eq!((revenue(&mut desk), fifth), (json!("89.00"), fourth + 1));
    let verified = desk.ok("books.verify", json!({}));
    assert_eq!(verified["status"], "ok");
}

/// The same by another way: when an entry was reversed anew, its older reversal cannot come back into force beside it.
#[test]
fn two_live_reversals_are_refused() {
    let mut desk = desk();
    let first = desk.post("2026-10-10", &["1000:dr:89.00", "4000:cr:89.00"]);
    let second = reverse(&mut desk, first).expect("a reversal");
    let third = reverse(&mut desk, second).expect("it stands again");
    let fourth = reverse(&mut desk, first).expect("reversed anew");
    assert_eq!(reverse(&mut desk, third), Err(json!("already_reversed")));
    assert_eq!(revenue(&mut desk), "0.00");
    reverse(&mut desk, fourth).expect("the newer one goes");
    assert_eq!(revenue(&mut desk), "89.00");
    reverse(&mut desk, third).expect("now the older one may come back");
    assert_eq!(revenue(&mut desk), "0.00");
}

/// A balance may have more digits than one amount: 999,999,999,999.99 twice is 1,999,999,999,999.98 on the page too.
#[test]
fn large_balances_are_shown() {
    let mut desk = desk();
    let lines = ["1000:dr:999999999999.99", "4000:cr:999999999999.99"];
    desk.post("2026-10-10", &lines);
    desk.post("2026-10-10", &lines);
    let draft = desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-11", "description": "One more", "lines": [
            {"account": "1000", "side": "debit", "amount": "0.01"}, {"account": "4000", "side": "credit", "amount": "0.01"}]}),
    );
    let rows = desk.rows("books.post_entry", json!({"entry_id": draft["entry_id"]}));
    let balances: Vec<&str> = rows.iter().filter_map(|r| r.rsplit(',').next()).collect();
    assert!(balances.contains(&"1999999999999.99"), "{rows:?}");
}

/// A request key stands for its call even when the call changed nothing.
#[test]
fn a_key_of_a_call_that_changes_nothing() {
    let mut desk = desk();
    let draft = desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-10", "description": "Paper"}),
    );
    let id = draft["entry_id"].clone();
    let same = json!({"entry_id": id, "description": "Paper", "request_key": "q"});
    desk.ok("books.update_draft", same.clone());
    let again = desk.ok("books.update_draft", same);
    assert_eq!(again["replayed"], true);
    let (_, refused) = desk.no(
        "books.update_draft",
        json!({"entry_id": id, "description": "Pens", "request_key": "q"}),
    );
    assert_eq!(refused["code"], "request_key_reused");
}

/// An account in use does not stand under an archived one.
#[test]
fn an_archived_parent_comes_back_first() {
    let mut desk = Desk::new("USD", "", "2026-11-30");
    desk.accounts(&["6800 expense -", "6810 expense 6800"]);
    for code in ["6810", "6800"] {
        desk.ok(
            "books.update_account",
            json!({"account": code, "archived": true}),
        );
    }
    let (_, refused) = desk.no(
        "books.update_account",
        json!({"account": "6810", "archived": false}),
    );
    assert_eq!(
        pick(&refused, &["code"]),
        json!({"code": "account_archived"})
    );
    desk.ok(
        "books.update_account",
        json!({"account": "6800", "archived": false}),
    );
    desk.ok(
        "books.update_account",
        json!({"account": "6810", "archived": false}),
    );
}
