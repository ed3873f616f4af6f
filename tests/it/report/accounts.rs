//! The chart with balances and the register of an account, on real books.

use serde_json::{Value, json};

use super::*;

/// The chart gives every account with its balance as of today on its normal side, in code order and in pages.
#[test]
fn chart() {
    let mut desk = quarter();
    let answer = desk.ok("books.chart", json!({}));
    let accounts = answer["accounts"].as_array().expect("accounts");
    let balances: Vec<(&str, &str)> = accounts
        .iter()
        .map(|a| {
            let text = |key: &str| a[key].as_str().expect("text");
            (text("code"), text("balance"))
        })
        .collect();
    let want = [
        ("1000", "13600.00"),
        ("1500", "0.00"),
        ("1510", "2000.00"),
        ("1590", "-55.56"),
        ("2000", "300.25"),
        ("3000", "10000.00"),
        ("3100", "-500.00"),
        ("3999", "5000.00"),
        ("4000", "1200.00"),
        ("4900", "-100.00"),
        ("6500", "55.56"),
        ("6800", "300.25"),
    ];
    assert_eq!(balances, want);
    let want = json!({
        "id": 3, "code": "1510", "name": "A1510", "type": "asset", "parent": "1500", "placeholder": false,
        "archived": false, "balance": "2000.00",
    });
    assert_eq!(accounts[2], want);
    assert_eq!(accounts[1]["placeholder"], true);
    assert_eq!(
        pick(&answer, &["total", "truncated", "next_offset"]),
        json!({"total": 12, "truncated": false, "next_offset": null})
    );
    let page = desk.ok("books.chart", json!({"limit": 5, "offset": 5}));
    assert_eq!(page["accounts"][0]["code"], "3000");
    assert_eq!(
        pick(&page, &["total", "truncated", "next_offset"]),
        json!({"total": 12, "truncated": true, "next_offset": 10})
    );
    let rows = desk.rows("books.chart", json!({"limit": 3}));
    let want = [
        "code,id,name,type,standing,balance",
        "1000,1,A1000,asset,,13600.00",
        "1500,2,A1500,asset,group,",
        "1510,3,A1510,asset,,2000.00",
    ];
    assert_eq!(rows, want);
}

/// An archived account is left out of the chart, unless it is asked for.
#[test]
fn archived() {
    let mut desk = quarter();
    desk.accounts(&["6870 expense -"]);
    desk.ok(
        "books.update_account",
        json!({"account": "6870", "archived": true}),
    );
    let count = |answer: Value| answer["total"].as_i64();
    assert_eq!(count(desk.ok("books.chart", json!({}))), Some(12));
    let all = desk.ok("books.chart", json!({"archived": true}));
    assert_eq!(all["accounts"][12]["archived"], true);
    assert_eq!(count(all), Some(13));
}

fn register_lines(answer: &Value) -> Vec<String> {
    let lines = answer["lines"].as_array().expect("lines");
    let text = |l: &Value, key: &str| l[key].as_str().expect("text").to_owned();
    lines
        .iter()
        .map(|l| {
            let [date, side, amount, balance] =
                ["date", "side", "amount", "balance"].map(|key| text(l, key));
            format!("{date} {side} {amount} {balance}")
        })
        .collect()
}

/// A register runs from its opening to its closing balance over both end days, drafts and later entries left out.
#[test]
fn register() {
    let mut desk = quarter();
    desk.ok(
        "books.draft_entry",
        json!({"date": "2026-02-15", "description": "Not posted",
               "lines": [{"account": "1000", "side": "debit", "amount": "77.00"}]}),
    );
    let args = json!({"account": "1000", "start": "2026-01-31", "end": "2026-03-05"});
    let answer = desk.ok("books.account_register", args.clone());
    let keys = [
        "account_code",
        "type",
        "start",
        "end",
        "opening_balance",
        "closing_balance",
        "total",
        "truncated",
    ];
    let want = json!({
        "account_code": "1000", "type": "asset", "start": "2026-01-31", "end": "2026-03-05",
        "opening_balance": "15000.00", "closing_balance": "14100.00", "total": 3, "truncated": false,
    });
    assert_eq!(pick(&answer, &keys), want);
    let want = [
        "2026-01-31 debit 1200.00 16200.00",
        "2026-02-10 credit 2000.00 14200.00",
        "2026-03-05 credit 100.00 14100.00",
    ];
    assert_eq!(register_lines(&answer), want);
    let rows = desk.rows("books.account_register", args);
    let want = [
        "date,entry_id,description,debit,credit,balance",
        "2026-01-31,3,Test entry,1200.00,,16200.00",
        "2026-02-10,5,Test entry,,2000.00,14200.00",
        "2026-03-05,7,Test entry,,100.00,14100.00",
    ];
    assert_eq!(rows, want);
    let whole = desk.ok("books.account_register", json!({"account": "1000"}));
    let want = json!({
        "start": "2025-12-31", "end": "2026-03-31", "opening_balance": "0.00", "closing_balance": "13600.00", "total": 6,
    });
    let keys = [
        "start",
        "end",
        "opening_balance",
        "closing_balance",
        "total",
    ];
    assert_eq!(pick(&whole, &keys), want);
    let contra = desk.ok("books.account_register", json!({"account": "3100"}));
    assert_eq!(register_lines(&contra), ["2026-03-10 debit 500.00 -500.00"]);
    let (kind, refusal) = desk.no("books.account_register", json!({"account": "9999"}));
    assert_eq!(
        (kind, &refusal["code"]),
        ("refused", &json!("unknown_account"))
    );
}

/// Whatever page of a register is asked for, its first running balance goes on from the lines before it.
#[test]
fn register_pages() {
    let mut desk = quarter();
    let all = desk.ok("books.account_register", json!({"account": "1000"}));
    let all = register_lines(&all);
    for limit in 1..=7_usize {
        let mut seen = Vec::new();
        let mut offset = 0;
        loop {
            let args = json!({"account": "1000", "limit": limit, "offset": offset});
            let page = desk.ok("books.account_register", args);
            assert_eq!(page["closing_balance"], "13600.00");
            assert_eq!(page["total"], 6);
            seen.extend(register_lines(&page));
            match page["next_offset"].as_u64() {
                Some(next) => offset = next,
                None => break,
            }
        }
        assert_eq!(seen, all, "pages of {limit}");
    }
    let beyond = desk.ok(
        "books.account_register",
        json!({"account": "1000", "offset": 50}),
    );
    assert_eq!(register_lines(&beyond), Vec::<String>::new());
    assert_eq!(beyond["truncated"], false);
}

/// Over MCP a register comes in pages of at most 400 lines even when none was asked for.
#[test]
fn register_cap() {
    let mut desk = Desk::new("USD", "", "2026-03-31");
    desk.accounts(&["1000 asset -", "3000 equity -"]);
    let lines: Vec<&str> = [["1000:dr:1.00", "3000:cr:1.00"]; 201].concat();
    desk.post("2026-01-01", &lines);
    desk.post("2026-01-02", &lines);
    let whole = desk.ok("books.account_register", json!({"account": "1000"}));
    assert_eq!(register_lines(&whole).len(), 402);
    desk.in_pages();
    let page = desk.ok("books.account_register", json!({"account": "1000"}));
    assert_eq!(register_lines(&page).len(), 400);
    assert_eq!(page["next_offset"], 400);
    let rest = desk.ok(
        "books.account_register",
        json!({"account": "1000", "offset": 400}),
    );
    let want = [
        "2026-01-02 debit 1.00 401.00",
        "2026-01-02 debit 1.00 402.00",
    ];
    assert_eq!(register_lines(&rest), want);
}

/// The register of an account that only groups others says so, in the answer and on the page.
#[test]
fn register_of_a_group() {
    let mut desk = quarter();
    let args = json!({"account": "1500"});
    let answer = desk.ok("books.account_register", args.clone());
    assert_eq!(
        pick(&answer, &["placeholder", "closing_balance", "total"]),
        json!({"placeholder": true, "closing_balance": "0.00", "total": 0})
    );
    let note =
        "Account 1500 only groups others and has no postings: look at the accounts under it.";
    assert_eq!(desk.sheet("books.account_register", args).notes, [note]);
    let answer = desk.ok("books.account_register", json!({"account": "1510"}));
    assert_eq!(answer["placeholder"], Value::Null);
}
