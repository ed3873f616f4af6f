//! Every layout of the samples on real books, and the texts and currencies that need care.

use serde_json::json;

use super::{
    Desk,
    bank::{COUNTS, arguments, file, import},
    pick, sample,
};

/// What a sample must become: file, account, layout, drafts/skipped, in/out: how each row moves the account, in file order. A
/// row with a fee is written as what moves the account, what it is before the fee, and the fee.
const SAMPLES: &[&str] = &[
    "american_express_short 2050 american_express 5/0 462.50/402.40: -320.00 450.00 -18.40 12.50 -64.00",
    "american_express_medium 2050 american_express 4/0 462.50/1338.40: -1320.00 450.00 -18.40 12.50",
    "american_express_long 2050 american_express 4/0 462.50/82.40: -18.40 450.00 -64.00 12.50",
    "american_express_uk 2050 american_express_uk 4/0 100.00/55.00: -48.60 100.00 -3.20 -3.20",
    "apple_card 2050 apple_card 4/0 504.59/1299.00: -1299.00 500.00 4.50 0.09",
    "bank_of_america_card 2050 bank_of_america_card 4/0 500.00/227.50: -210.00 500.00 -8.75 -8.75",
    "bank_of_america_deposit 1000 bank_of_america_deposit 4/6 2500.00/1350.25: -15.25 2500.00 -1200.00 -135.00",
    "brex_cash 1000 brex_cash 3/2 950.00/834.75: 950.00 -84.75 -750.00",
    "capital_one_360 1000 capital_one_360 3/0 664.92/21.00: 664.50 -21.00 0.42",
    "capital_one_card 2050 capital_one_card 3/1 200.00/61.35: -54.20 200.00 -7.15",
    "chase_card 2050 chase_card 4/0 169.99/341.40: -312.40 150.00 19.99 -29.00",
    "chase_deposit 1000 chase_deposit 4/1 1620.00/205.50: 1500.00 -200.00 120.00 -5.50",
    "citi_card 2050 citi_card 3/1 307.49/220.00: -220.00 300.00 7.49",
    "discover_card 2050 discover_card 4/0 125.00/68.35: -64.10 120.00 5.00 -4.25",
    "mercury 1000 mercury 4/3 1200.85/329.50: 1200.00 -300.00 -29.50 0.85",
    "monzo 1000 monzo 4/1 500.00/113.20: 500.00 -3.20 -86.00 -24.00",
    "n26 1000 n26 3/0 1200.50/868.37: -850.00 1200.50 -18.37",
    "paypal 1000 paypal 4/3 1206.60/1270.30: 1206.60=1250.00-43.40 -29.00 -241.30=-250.00+8.70 -1000.00",
    "quickbooks_four 1000 quickbooks 4/0 462.99/1161.30: 450.00 -61.30 12.99 -1100.00",
    "quickbooks_three 1000 quickbooks 5/1 3700.00/95.12: 2500.00 -86.12 -4.50 -4.50 1200.00",
    "revolut 1000 revolut 4/3 1000.00/219.89: 1000.00 -12.40 -201.50=-200.00-1.50 -5.99",
    "stripe_payouts 1000 stripe_payouts 2/4 1023.45/153.20: 1023.45 -153.20",
    "us_bank 1000 us_bank 4/0 600.00/49.92: -42.17 600.00 -4.00 -3.75",
    "venmo 1000 venmo 3/6 50.00/60.00: 50.00 -20.00 -40.00",
    "wells_fargo 1000 wells_fargo 4/0 1850.00/351.17: -42.17 1850.00 -300.00 -9.00",
    "wise_history 1000 wise_history 4/3 1000.00/325.22: -201.35=-200.00-1.35 1000.00 -23.32 -100.55=-100.00-0.55",
    "wise_statement 1000 wise_statement 3/0 1009.00/209.85: -201.35 -8.50 1009.00",
];

struct Sample {
    name: &'static str,
    account: &'static str,
    layout: &'static str,
    counts: [i64; 2],
    sums: [&'static str; 2],
    moves: Vec<&'static str>,
}

impl Sample {
    fn of(line: &'static str) -> Sample {
        let (head, moves) = line.split_once(": ").expect("a colon");
        let words: Vec<&str> = head.split(' ').collect();
        let pair = |word: &'static str| word.split_once('/').expect("two parts");
        let (counts, sums) = (pair(words[3]), pair(words[4]));
        let count = |word: &str| word.parse().expect("a count");
        Sample {
            name: words[0],
            account: words[1],
            layout: words[2],
            counts: [count(counts.0), count(counts.1)],
            sums: [sums.0, sums.1],
            moves: moves.split(' ').collect(),
        }
    }
}

/// spec/domain.md §10.2, §10.3: every sample becomes drafts; money in debits the account and money out credits it, a card's
/// payment and purchase too; the same file again makes none.
#[test]
fn every_layout_on_books() {
    for sample_line in SAMPLES {
        let Sample {
            name,
            account,
            layout,
            counts: [imported, skipped],
            sums: [total_in, total_out],
            moves,
        } = Sample::of(sample_line);
        let mut desk = Desk::furnished(match name {
            "n26" => "EUR",
            "monzo" => "GBP",
            _ => "USD",
        });
        let mut more = json!({"bank_account_code": account});
        if name == "american_express_short" {
            more["layout"] = "american_express".into();
        }
        let keys = [
            "layout",
            "imported",
            "skipped",
            "duplicates",
            "total_in",
            "total_out",
            "batch_id",
        ];
        let done = import(&mut desk, &sample(name), more.clone());
        assert_eq!(
            pick(&done, &keys),
            json!([layout, imported, skipped, 0, total_in, total_out, 1]),
            "{name}"
        );
        let first = done["first_entry_id"].as_i64().expect("an id");
        let expected: Vec<Vec<String>> = moves.iter().map(|m| lines(account, m)).collect();
        let found: Vec<Vec<String>> = (first..first + imported)
            .map(|id| desk.entry(id).split_off(1))
            .collect();
        assert_eq!(found, expected, "{name}");
        assert_eq!(done["last_entry_id"], first + imported - 1, "{name}");
        let head = desk.head();
        let again = import(&mut desk, &sample(name), more);
        assert_eq!(
            pick(&again, COUNTS),
            json!([0, imported, skipped]),
            "{name}"
        );
        assert_eq!(again.get("batch_id"), None, "{name}");
        assert_eq!(desk.head(), head, "{name}");
        desk.verify();
    }
}
/// The lines of a row that moves an account by this much, debits first.
fn lines(account: &str, moved: &str) -> Vec<String> {
    let (net, parts) = moved.split_once('=').unwrap_or((moved, moved));
    let cut = parts.rfind(['+', '-']).filter(|at| *at > 0);
    let (gross, fee) = parts.split_at(cut.unwrap_or(parts.len()));
    let (mut debits, mut credits) = (Vec::new(), Vec::new());
    for (code, amount, turned) in [
        (account, net, false),
        ("6999", gross, true),
        ("6999", fee, true),
    ] {
        let digits = amount.trim_start_matches(['+', '-']);
        if digits.is_empty() {
            continue;
        }
        if amount.starts_with('-') == turned {
            debits.push(format!("debit {code} {digits}"));
        } else {
            credits.push(format!("credit {code} {digits}"));
        }
    }
    debits.extend(credits);
    debits
}

/// A rule tells a PayPal sale from its refund by the type; fees go to an account of their own where one is named, and the answer
/// shows each draft with what it was before its fee.
#[test]
fn fees_and_types() {
    let mut desk = Desk::furnished("USD");
    let more = json!({"fee_account_code": "6600",
        "rules": {"A. Buyer, Website": "4000", "Payment Refund": "4900"}});
    let done = import(&mut desk, &sample("paypal"), more);
    let note = "rows with a fee in a column of its own: 2; it is a line of the draft, against account \"6600\"";
    assert_eq!(done["notes"], json!([note]));
    let refund = [
        "2026-10-20 imported A. Buyer, Payment Refund",
        "debit 4900 250.00",
        "credit 1000 241.30",
        "credit 6600 8.70",
    ];
    assert_eq!(desk.entry(3), refund);
    assert_eq!(
        pick(&done, &["imported", "unclaimed", "truncated"]),
        json!([4, 2, false])
    );
    let drafts = done["drafts"].as_array().expect("drafts");
    assert_eq!(drafts.len(), 4);
    assert_eq!(
        drafts[0],
        json!({"entry_id": 1, "line": 2, "date": "2026-10-02", "description": "A. Buyer, Website Payment",
            "amount": "1206.60", "fee": "-43.40",
            "account_code": "4000", "account_name": account_name(&mut desk, "4000"), "rule": "A. Buyer, Website"})
    );
    assert_eq!(drafts[1].get("fee"), None);
    assert_eq!(drafts[1].get("rule"), None);
    let bank = json!({"fee_account_code": "1000"});
    let refused = desk.refused("import bank-csv", arguments(&sample("paypal"), bank));
    assert_eq!(
        (&refused["code"], &refused["field"]),
        (&json!("import_offset_is_bank"), &json!("fee_account_code"))
    );
    desk.verify();
}

fn account_name(desk: &mut Desk, code: &str) -> serde_json::Value {
    let chart = desk.call("chart list", json!({}));
    let accounts = chart["accounts"].as_array().expect("accounts");
    let found = accounts.iter().find(|a| a["code"] == code);
    found.expect("an account")["name"].clone()
}

/// spec/domain.md §9.1, §10.2: the entry of a PayPal sale shows what the customer paid, the fee as a line of its own against the
/// default account, and what moved the balance; a rule takes the sale and not the fee.
#[test]
fn fees_are_lines() {
    let mut desk = Desk::furnished("USD");
    let rules = json!({"rules": {"A. Buyer": "4000"}});
    let done = import(&mut desk, &sample("paypal"), rules);
    let note = "rows with a fee in a column of its own: 2; it is a line of the draft, against account \"6999\"";
    assert_eq!(done["notes"], json!([note]));
    let expected = [
        "2026-10-02 imported A. Buyer, Website Payment",
        "debit 1000 1206.60",
        "debit 6999 43.40",
        "credit 4000 1250.00",
    ];
    assert_eq!(desk.entry(1), expected);
    // A row that is nothing but a fee is what its rule says.
    let rules = json!({"rules": {"plan fee": "5100"}});
    let done = import(&mut desk, &sample("revolut"), rules);
    let last = done["last_entry_id"].as_i64().expect("an id");
    let expected = [
        "2026-10-31 imported Monthly plan fee, FEE",
        "debit 5100 5.99",
        "credit 1000 5.99",
    ];
    assert_eq!(desk.entry(last), expected);
    desk.verify();
}

/// spec/domain.md §10.2, Mercury: a file of several accounts is refused whole, with the first line of each.
#[test]
fn one_account_a_file() {
    let mut desk = Desk::furnished("USD");
    let text = sample("mercury").replace(
        "30-2026,Riverside Hardware,-84.10,Pending,Mercury Checking xx1234",
        "30-2026,Riverside Hardware,-84.10,Sent,Mercury Savings xx5678",
    );
    let refusal = desk.refused("import bank-csv", arguments(&text, json!({})));
    assert_eq!(refusal["code"], "bank_csv_accounts");
    let lines: Vec<_> = refusal["faults"]
        .as_array()
        .expect("faults")
        .iter()
        .map(|f| f["line"].clone())
        .collect();
    assert_eq!(lines, [json!(2), json!(3)]);
}

/// A file of another layout is read by a column map; rows in another currency than the books are passed over with their reason.
#[test]
fn column_map() {
    let mut desk = Desk::furnished("EUR");
    let columns = json!({"date": "Buchungstag", "description": "Verwendungszweck", "amount": "Betrag",
        "balance": "Saldo", "currency": "Währung"});
    let done = import(
        &mut desk,
        &sample("other_bank_with_map"),
        json!({"columns": columns}),
    );
    let keys = ["layout", "imported", "skipped", "total_in", "total_out"];
    assert_eq!(
        pick(&done, &keys),
        json!(["mapped", 3, 1, "2450.50", "1203.20"])
    );
    assert_eq!(
        pick(
            done["skipped_rows"][0].as_object().expect("a row"),
            &["line", "reason"]
        ),
        json!([5, "other_currency"])
    );
    assert_eq!(
        desk.entry(1),
        [
            "2026-10-02 imported Miete Oktober",
            "debit 6999 1200.00",
            "credit 1000 1200.00"
        ]
    );
    desk.verify();
}

/// Yen have no decimals: whole amounts are taken as they are, and a fraction refuses the file.
#[test]
fn yen() {
    let mut desk = Desk::furnished("JPY");
    let done = import(
        &mut desk,
        &file(&["10/01/2026,Coffee,-450", "10/02/2026,Sale,\"12,000\""]),
        json!({}),
    );
    assert_eq!(
        pick(&done, &["total_in", "total_out"]),
        json!(["12000", "450"])
    );
    assert_eq!(
        desk.entry(1),
        [
            "2026-10-01 imported Coffee",
            "debit 6999 450",
            "credit 1000 450"
        ]
    );
    desk.verify();
    let refusal = desk.refused(
        "import bank-csv",
        arguments(&file(&["10/03/2026,Tea,-4.50"]), json!({})),
    );
    assert_eq!(
        pick(
            refusal["faults"][0].as_object().expect("a fault"),
            &["line", "field"]
        ),
        json!([2, "amount"])
    );
}

/// spec/reliability.md §6.11: hostile characters of a bank's text are dropped and counted; the journal keeps the raw row.
#[test]
fn hostile_text() {
    let mut desk = Desk::furnished("USD");
    let rows = [
        "10/01/2026,PAY\u{202e}ROLL\u{200b} \u{1b}[2J,-1.00",
        "10/02/2026,=HYPERLINK(1) ignore all rules,-2.00",
        "10/03/2026,A &amp; B,-3.00",
    ];
    let long = format!("10/04/2026,{},-4.00", "x".repeat(700));
    let text = file(&[rows[0], rows[1], rows[2], &long]);
    let done = import(&mut desk, &text, json!({}));
    assert_eq!(done["text_cleaned"], 2);
    let heads: Vec<String> = (1..=3).map(|id| desk.entry(id)[0].clone()).collect();
    assert_eq!(
        heads,
        [
            "2026-10-01 imported PAYROLL [2J",
            "2026-10-02 imported =HYPERLINK(1) ignore all rules",
            "2026-10-03 imported A & B"
        ]
    );
    assert_eq!(desk.entry(4)[0].len(), "2026-10-04 imported ".len() + 500);
    assert_eq!(
        pick(&import(&mut desk, &text, json!({})), COUNTS),
        json!([0, 4, 0])
    );
    desk.verify();
}
