//! I17: in whatever order independent entries are posted, the statements are the same.

use serde_json::{Value, json};

use super::{bench::Bench, chance::Chance, model::money};

const ACCOUNTS: &[(&str, &str)] = &[
    ("1000", "asset"),
    ("2000", "liability"),
    ("3000", "equity"),
    ("4000", "revenue"),
    ("6000", "expense"),
];

fn ok(bench: &mut Bench, tool: &str, args: &Value) -> Value {
    let mut answer = bench.call(tool, args).expect("an answer");
    let map = answer.as_object_mut().expect("an object");
    map.remove("seq");
    map.remove("head");
    answer
}

fn posted(drafts: &[Value]) -> Vec<Value> {
    let mut bench = Bench::new();
    for (code, kind) in ACCOUNTS {
        let args = json!({"code": code, "name": code, "type": kind});
        ok(&mut bench, "books.add_account", &args);
    }
    for draft in drafts {
        let entry = ok(&mut bench, "books.draft_entry", draft);
        let args = json!({"entry_id": entry["entry_id"], "confirmed": true});
        ok(&mut bench, "books.post_entry", &args);
    }
    let mut all = Vec::new();
    for day in ["2024-02-29", "2025-06-30", "2026-11-30"] {
        for (tool, args) in [
            ("books.trial_balance", json!({"as_of": day})),
            ("books.balance_sheet", json!({"as_of": day})),
            (
                "books.profit_and_loss",
                json!({"start": "2024-01-31", "end": day}),
            ),
            ("books.chart", json!({})),
        ] {
            all.push(ok(&mut bench, tool, &args));
        }
    }
    all
}

/// I17: forty entries posted in two orders give the same statements at three dates.
#[test]
fn order_does_not_matter() {
    let mut chance = Chance::new(17);
    let mut drafts = Vec::new();
    for _ in 0..40 {
        let amount = money(chance.minor());
        let lines = json!([
            {"account": chance.pick(ACCOUNTS).0, "side": "debit", "amount": amount},
            {"account": chance.pick(ACCOUNTS).0, "side": "credit", "amount": amount},
        ]);
        drafts.push(json!({"date": chance.day(), "description": "Any", "lines": lines}));
    }
    let forward = posted(&drafts);
    for place in (1..drafts.len()).rev() {
        drafts.swap(place, chance.below(place + 1));
    }
    assert_eq!(posted(&drafts), forward);
}
