//! Amounts in other currencies: the worked figures of spec/domain.md §9.2 and §9.3, and the rates that are kept.

use serde_json::{Value, json};

use super::{desk, draft, refused};
use crate::books::{Desk, pick};

const PARTS: &[&str] = &["amount", "foreign_currency", "foreign_amount", "fx_rate"];

/// A line as JSON, with these further members.
fn line(more: Value) -> Value {
    let mut line = json!({"account": "1200", "side": "debit"});
    for (key, value) in more.as_object().expect("an object") {
        line[key] = value.clone();
    }
    line
}

/// spec/domain.md §9.3: the base amounts of the vectors, half away from zero, on both sides of an entry.
#[test]
fn vectors() {
    let mut desk = desk("USD");
    for (foreign, rate, base) in [
        ("EUR1000.00", "1.0825", "1082.50"),
        ("EUR333.33", "1.08254", "360.84"),
        ("EUR19.99", "1.2345", "24.68"),
        ("EUR100.00", "0.00675", "0.68"),
        ("EUR1.00", "0.005", "0.01"),
        ("JPY250000", "0.0067123", "1678.08"),
    ] {
        for side in ["debit", "credit"] {
            let made = draft(&mut desk, &[&format!("1200:{side}:{foreign}@{rate}")]);
            let line = &made["lines"][0];
            let (currency, amount) = foreign.split_at(3);
            let want = json!({"amount": base, "foreign_currency": currency, "foreign_amount": amount, "fx_rate": rate});
            assert_eq!(pick(line, PARTS), want);
            assert_eq!(line["side"], side);
        }
    }
}

/// spec/domain.md §9.3: lines are rounded one by one, so EUR 0.50 twice at 1.01 is 0.01 more than EUR 1.00: refused with the
/// way out, a line on 7200; nothing is adjusted silently.
#[test]
fn rounded_apart() {
    let mut desk = desk("USD");
    let words = [
        "1200:dr:EUR0.50@1.01",
        "1200:dr:EUR0.50@1.01",
        "4000:cr:EUR1.00@1.01",
    ];
    let made = draft(&mut desk, &words);
    let args = json!({"entry_id": made["entry_id"], "confirmed": true});
    let (_, no) = desk.no("books.post_entry", args.clone());
    let keys = ["code", "debits", "credits", "difference", "remedy_tool"];
    let want = json!({"code": "entry_unbalanced", "debits": "1.02", "credits": "1.01", "difference": "0.01", "remedy_tool": "books.add_line"});
    assert_eq!(pick(&no, &keys), want);
    let hint = no["remedy_hint"].as_str().expect("a hint");
    assert!(hint.contains("7200"), "{hint}");
    desk.ok("books.add_line", json!({"entry_id": made["entry_id"], "account": "7200", "side": "credit", "amount": "0.01"}));
    desk.ok("books.post_entry", args);
    // A difference that no rounding makes is not told so.
    let made = draft(&mut desk, &["1200:dr:EUR0.50@1.01", "4000:cr:0.50"]);
    let (_, no) = desk.no(
        "books.post_entry",
        json!({"entry_id": made["entry_id"], "confirmed": true}),
    );
    let hint = no["remedy_hint"].as_str().expect("a hint");
    assert!(!hint.contains("7200"), "{hint}");
}

/// spec/domain.md §9.3: realised gains of an invoice and a loss on a bill, each in base, with the difference on 7200.
#[test]
fn realised() {
    let mut desk = desk("USD");
    desk.post(
        "2026-10-01",
        &["1200:dr:EUR1000.00@1.0825", "4000:cr:1082.50"],
    );
    desk.post(
        "2026-10-31",
        &[
            "1000:dr:EUR1000.00@1.1010",
            "1200:cr:1082.50",
            "7200:cr:18.50",
        ],
    );
    desk.post(
        "2026-10-02",
        &["6100:dr:541.25", "2000:cr:EUR500.00@1.0825"],
    );
    desk.post(
        "2026-10-31",
        &["2000:dr:541.25", "7200:dr:9.25", "1000:cr:EUR500.00@1.1010"],
    );
    let trial = desk.ok("books.trial_balance", json!({"as_of": "2026-10-31"}));
    let balances: Vec<String> = trial["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|l| {
            format!(
                "{} {} {}",
                l["account_code"].as_str().expect("a code"),
                l["debit"].as_str().expect("text"),
                l["credit"].as_str().expect("text")
            )
        })
        .collect();
    assert_eq!(
        balances,
        [
            "1000 550.50 0.00",
            "4000 0.00 1082.50",
            "6100 541.25 0.00",
            "7200 0.00 9.25"
        ]
    );
}

/// spec/domain.md §9.2: the three parts stand together or not at all; the currency is listed and not the base; amounts have their
/// own currency's decimals; what comes to zero is refused, and so is an amount that differs from the one computed.
#[test]
fn refusals() {
    let mut desk = desk("USD");
    let eur = |amount: &str, rate: &str| json!({"foreign_currency": "EUR", "foreign_amount": amount, "fx_rate": rate});
    let of = |code: &str, amount: &str| json!({"foreign_currency": code, "foreign_amount": amount, "fx_rate": "1.5"});
    for (more, want) in [
        (json!({}), "bad_amount"),
        (json!({"foreign_currency": "EUR"}), "foreign_incomplete"),
        (
            json!({"foreign_currency": "EUR", "foreign_amount": "1.00"}),
            "foreign_incomplete",
        ),
        (
            json!({"amount": "1.00", "fx_rate": "1.0825"}),
            "foreign_incomplete",
        ),
        (of("USD", "1.00"), "currency_is_base"),
        (of("XYZ", "1.00"), "unknown_currency"),
        (of("XAU", "1.00"), "unknown_currency"),
        (of("JPY", "1.5"), "bad_amount"),
        (of("EUR", "1.005"), "bad_amount"),
        (of("BHD", "1.0005"), "bad_amount"),
        (of("EUR", "-1.00"), "bad_amount"),
        (of("EUR", "0.00"), "bad_amount"),
        (eur("0.01", "0.4"), "amount_rounds_to_zero"),
        (eur("999999999999.99", "2"), "amount_too_large"),
    ] {
        assert_eq!(refused(&mut desk, line(more.clone()))[0], want, "{more}");
    }
    for good in [of("JPY", "1"), of("BHD", "1.005"), eur("0.01", "0.5")] {
        let args = json!({"date": "2026-10-10", "description": "Test", "lines": [line(good)]});
        desk.ok("books.draft_entry", args);
    }
    let mut told = eur("1000.00", "1.0825");
    told["amount"] = "1082.49".into();
    let args = json!({"date": "2026-10-10", "description": "Test", "lines": [line(told.clone())]});
    let (_, no) = desk.no("books.draft_entry", args);
    let want =
        json!({"code": "foreign_amount_differs", "amount": "1082.49", "computed": "1082.50"});
    assert_eq!(pick(&no, &["code", "amount", "computed"]), want);
    told["amount"] = "1082.5".into();
    let args = json!({"date": "2026-10-10", "description": "Test", "lines": [line(told)]});
    desk.ok("books.draft_entry", args);
    for (key, value) in [
        ("fx_rate", "0"),
        ("fx_rate", "-1"),
        ("fx_rate", "1e2"),
        ("foreign_currency", "eur"),
        ("foreign_currency", "EURO"),
    ] {
        let mut bad = eur("1.00", "1.5");
        bad[key] = value.into();
        let args = json!({"date": "2026-10-10", "description": "Test", "lines": [line(bad)]});
        assert_eq!(desk.no("books.draft_entry", args).0, "usage", "{value}");
    }
}

/// A line added to a draft keeps its original; so does the posting, and the reversal has it on the other side.
#[test]
fn kept() {
    let mut desk = desk("USD");
    let made = draft(&mut desk, &["4000:cr:1082.50"]);
    let id = made["entry_id"].clone();
    let more = json!({"entry_id": id, "account": "1200", "side": "debit", "foreign_currency": "EUR", "foreign_amount": "1000", "fx_rate": "1.0825"});
    desk.ok("books.add_line", more);
    let posted = desk.ok(
        "books.post_entry",
        json!({"entry_id": id, "confirmed": true}),
    );
    let want = json!({"amount": "1082.50", "foreign_currency": "EUR", "foreign_amount": "1000.00", "fx_rate": "1.0825"});
    assert_eq!(pick(&posted["lines"][1], PARTS), want);
    let reversal = desk.ok(
        "books.reverse_entry",
        json!({"entry_id": id, "date": "2026-10-31", "confirmed": true}),
    );
    assert_eq!(pick(&reversal["lines"][1], PARTS), want);
    assert_eq!(reversal["lines"][1]["side"], "credit");
    let journal =
        std::fs::read_to_string(desk.paths().data.join("journal.jsonl")).expect("a mirror");
    let last = journal.lines().last().expect("a line");
    assert!(last.contains(r#""amount":"-1082.50","foreign_currency":"EUR","foreign_amount":"-1000.00","fx_rate":"1.0825""#), "{last}");
    let rows = desk.rows("books.account_register", json!({"account": "1200"}));
    assert!(
        rows.iter().any(|row| row.contains("EUR 1000.00 at 1.0825")),
        "{rows:?}"
    );
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}

fn rates(desk: &mut Desk, args: Value) -> Vec<String> {
    let list = desk.ok("books.fx_rates", args);
    let text = |rate: &Value| {
        let part = |key: &str| rate[key].as_str().expect("text").to_owned();
        format!("{} {} {}", part("date"), part("currency"), part("rate"))
    };
    list["rates"]
        .as_array()
        .expect("rates")
        .iter()
        .map(text)
        .collect()
}

/// A day's rate is kept, setting it again replaces it, and the list shows the latest, the latest day first, in pages.
#[test]
fn rates_are_kept() {
    let mut desk = desk("USD");
    for (currency, date, rate) in [
        ("EUR", "2026-10-10", "1.0825"),
        ("JPY", "2026-10-10", "0.0067123"),
        ("EUR", "2026-10-11", "1.09"),
    ] {
        desk.ok(
            "books.set_fx_rate",
            json!({"currency": currency, "date": date, "rate": rate}),
        );
    }
    let again = json!({"currency": "EUR", "date": "2026-10-10", "rate": "1.0826"});
    let set = desk.ok("books.set_fx_rate", again.clone());
    assert_eq!(
        pick(&set, &["ok", "rate", "previous_rate"]),
        json!({"ok": true, "rate": "1.0826", "previous_rate": "1.0825"})
    );
    // The same once more changes nothing.
    let before = set["seq"].clone();
    assert_eq!(desk.ok("books.set_fx_rate", again)["seq"], before);
    let all = [
        "2026-10-11 EUR 1.09",
        "2026-10-10 EUR 1.0826",
        "2026-10-10 JPY 0.0067123",
    ];
    assert_eq!(rates(&mut desk, json!({})), all);
    assert_eq!(
        rates(
            &mut desk,
            json!({"currency": "EUR", "date_to": "2026-10-10"})
        ),
        [all[1]]
    );
    assert_eq!(
        rates(&mut desk, json!({"date_from": "2026-10-11"})),
        [all[0]]
    );
    assert_eq!(rates(&mut desk, json!({"limit": 1, "offset": 2})), [all[2]]);
    let set = |currency: &str| json!({"currency": currency, "date": "2026-10-10", "rate": "1"});
    assert_eq!(
        desk.no("books.set_fx_rate", set("USD")).1["code"],
        "currency_is_base"
    );
    assert_eq!(
        desk.no("books.set_fx_rate", set("XYZ")).1["code"],
        "unknown_currency"
    );
    assert_eq!(
        desk.no("books.fx_rates", json!({"currency": "USD"})).1["code"],
        "currency_is_base"
    );
    let (kind, _) = desk.no(
        "books.fx_rates",
        json!({"date_from": "2026-10-11", "date_to": "2026-10-10"}),
    );
    assert_eq!(kind, "usage");
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}
