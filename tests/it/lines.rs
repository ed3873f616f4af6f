//! What a line carries besides its account and amount: a class, and what it was in another currency.

mod classes;
mod currencies;
mod foreign;
mod histories;

use serde_json::{Value, json};

use crate::books::Desk;

const CHART: &[&str] = &[
    "1000 asset -",
    "1200 asset -",
    "2000 liability -",
    "3000 equity -",
    "4000 revenue -",
    "6100 expense -",
    "6200 expense -",
    "7200 revenue -",
];

fn desk(currency: &str) -> Desk {
    let mut desk = Desk::new(currency, "", "2026-11-30");
    desk.accounts(CHART);
    desk
}

/// Lines in words, as JSON.
fn lines(words: &[&str]) -> Value {
    let line = |words: &&str| words.parse().expect("a line");
    let all: Vec<wanderbooks::domains::entry::EntryLine> = words.iter().map(line).collect();
    json!(all)
}

fn draft(desk: &mut Desk, words: &[&str]) -> Value {
    desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-10", "description": "Test", "lines": lines(words)}),
    )
}

/// The code of the refusal of a draft with these lines, and those of the further reasons.
fn refused(desk: &mut Desk, line: Value) -> Vec<String> {
    let args = json!({"date": "2026-10-10", "description": "Test", "lines": [line]});
    let (kind, no) = desk.no("books.draft_entry", args);
    assert_eq!(kind, "refused", "{no}");
    let also = no["also"].as_array().into_iter().flatten();
    let codes = std::iter::once(&no)
        .chain(also)
        .map(|no| no["code"].as_str().expect("a code"));
    codes.map(str::to_owned).collect()
}
