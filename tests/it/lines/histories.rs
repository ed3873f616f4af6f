//! Classes and foreign amounts that come in: in histories of other systems, and by the rules of a bank's import.

use serde_json::{Value, json};

use super::desk;
use crate::books::pick;

fn history(lines: Value) -> String {
    json!({"date": "2025-03-31", "description": "Rent", "lines": lines}).to_string()
}

/// A history's lines carry classes and foreign amounts, signed as their amounts are; what does not fit is a fault of its line.
#[test]
fn of_other_systems() {
    let mut desk = desk("USD");
    desk.ok("books.add_class", json!({"name": "Rondo"}));
    let good = history(json!([
        {"account": "6100", "amount": "10.83", "class": "rondo", "foreign_currency": "EUR", "foreign_amount": "10.00", "fx_rate": "1.0825"},
        {"account": "1000", "foreign_currency": "EUR", "foreign_amount": "-10.00", "fx_rate": "1.0825"},
    ]));
    let done = desk.ok("import journal", json!({"file": good}));
    assert_eq!(
        pick(&done, &["entries", "total"]),
        json!({"entries": 1, "total": "10.83"})
    );
    let entry = desk.ok("books.get_entry", json!({"entry_id": 1}));
    let keys = [
        "side",
        "amount",
        "class",
        "foreign_currency",
        "foreign_amount",
        "fx_rate",
    ];
    assert_eq!(
        pick(&entry["lines"][0], &keys),
        json!({"side": "debit", "amount": "10.83", "class": "Rondo", "foreign_currency": "EUR", "foreign_amount": "10.00", "fx_rate": "1.0825"})
    );
    assert_eq!(
        pick(&entry["lines"][1], &["side", "amount", "foreign_amount"]),
        json!({"side": "credit", "amount": "10.83", "foreign_amount": "10.00"})
    );
    let bad: Vec<String> = [
        json!({"account": "6100", "amount": "1.00", "class": "Waltz"}),
        json!({"account": "6100"}),
        json!({"account": "6100", "amount": "1.00", "fx_rate": "1"}),
        json!({"account": "6100", "amount": "1.00", "foreign_currency": "EUR", "foreign_amount": "-1.00", "fx_rate": "1"}),
        json!({"account": "6100", "foreign_currency": "JPY", "foreign_amount": "1.5", "fx_rate": "1"}),
        json!({"account": "6100", "foreign_currency": "USD", "foreign_amount": "1.5", "fx_rate": "1"}),
        json!({"account": "6100", "foreign_currency": "XYZ", "foreign_amount": "1.5", "fx_rate": "1"}),
        json!({"account": "6100", "foreign_currency": "EUR", "foreign_amount": "0.01", "fx_rate": "0.1"}),
    ]
    .into_iter()
    .map(|line| history(json!([line, {"account": "1000", "amount": "-1.00"}])))
    .collect();
    let (_, no) = desk.no("import journal", json!({"file": bad.join("\n")}));
    let faults = no["faults"].as_array().expect("faults");
    let told: Vec<String> = faults
        .iter()
        .map(|f| {
            format!(
                "{} {} {}",
                f["line"],
                f["field"].as_str().expect("text"),
                f["message"].as_str().expect("text")
            )
        })
        .collect();
    let starts = [
        "1 class no class",
        "2 amount not an amount in the books' currency",
        "3 amount foreign_currency, foreign_amount and fx_rate stand together",
        "4 amount the amount is not what",
        "5 amount not an amount in the foreign currency",
        "6 amount the foreign currency is the books' own",
        "7 amount ISO 4217 lists no such currency",
        "8 amount the foreign amount comes to zero",
    ];
    assert_eq!(told.len(), starts.len(), "{told:?}");
    for (told, start) in told.iter().zip(starts) {
        assert!(told.starts_with(start), "{told}");
    }
}

/// A bank's rule names a class besides the account: the line of the other side carries it, the bank's own does not.
#[test]
fn by_rules_of_a_bank() {
    let mut desk = desk("USD");
    desk.ok("books.add_class", json!({"name": "Rondo"}));
    let csv = "Date,Description,Amount\n10/03/2026,Sail cloth,-24.99\n10/04/2026,Other,-1.00\n";
    let args = |class: &str| {
        json!({"csv_text": csv, "bank_account_code": "1000", "default_offset_code": "6200", "sign": "in_positive", "date_order": "mdy",
            "rules": {"Sail": {"account": "6100", "class": class}}})
    };
    let (_, no) = desk.no("books.import_bank_csv", args("Waltz"));
    assert_eq!(
        pick(&no, &["code", "field", "rule"]),
        json!({"code": "unknown_class", "field": "rules", "rule": "Sail"})
    );
    let rows = desk.sheet("books.import_bank_csv", args("Rondo"));
    let page = wanderbooks::present::json::render(&rows).to_string();
    assert!(page.contains("Rondo"), "{page}");
    let entry = desk.ok("books.get_entry", json!({"entry_id": 1}));
    let lines: Vec<Value> = entry["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|l| pick(l, &["account_code", "class"]))
        .collect();
    assert_eq!(
        lines,
        [
            json!({"account_code": "6100", "class": "Rondo"}),
            json!({"account_code": "1000", "class": null})
        ]
    );
    let other = desk.ok("books.get_entry", json!({"entry_id": 2}));
    assert_eq!(other["lines"][0].get("class"), None);
}
