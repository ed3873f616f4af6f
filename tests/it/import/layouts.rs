//! Every layout of the samples on real books, and the texts and currencies that need care.

use serde_json::json;

use super::{
    Desk,
    bank::{COUNTS, arguments, file, import},
    pick, sample,
};

/// What a sample must become: file, account, layout, drafts/skipped, in/out: how each row moves the account, in file order.
const SAMPLES: &[&str] = &[
    "american_express_short 2050 american_express 5/0 462.50/402.40: -320.00 450.00 -18.40 12.50 -64.00",
    "american_express_medium 2050 american_express 4/0 462.50/1338.40: -1320.00 450.00 -18.40 12.50",
    "american_express_long 2050 american_express 4/0 462.50/82.40: -18.40 450.00 -64.00 12.50",
    "american_express_uk 2050 american_express_uk 4/0 100.00/55.00: -48.60 100.00 -3.20 -3.20",
    "apple_card 2050 apple_card 4/0 504.59/1299.00: -1299.00 500.00 4.50 0.09",
    "bank_of_america_card 2050 bank_of_america_card 4/0 500.00/227.50: -210.00 500.00 -8.75 -8.75",
    "bank_of_america_deposit 1000 bank_of_america_deposit 4/6 2500.00/1350.25: -15.25 2500.00 -1200.00 -135.00",
    "capital_one_360 1000 capital_one_360 3/0 664.92/21.00: 664.50 -21.00 0.42",
    "capital_one_card 2050 capital_one_card 3/1 200.00/61.35: -54.20 200.00 -7.15",
    "chase_card 2050 chase_card 4/0 169.99/341.40: -312.40 150.00 19.99 -29.00",
    "chase_deposit 1000 chase_deposit 4/1 1620.00/205.50: 1500.00 -200.00 120.00 -5.50",
    "citi_card 2050 citi_card 3/1 307.49/220.00: -220.00 300.00 7.49",
    "discover_card 2050 discover_card 4/0 125.00/68.35: -64.10 120.00 5.00 -4.25",
    "quickbooks_four 1000 quickbooks 4/0 462.99/1161.30: 450.00 -61.30 12.99 -1100.00",
    "quickbooks_three 1000 quickbooks 5/1 3700.00/95.12: 2500.00 -86.12 -4.50 -4.50 1200.00",
    "us_bank 1000 us_bank 4/0 600.00/49.92: -42.17 600.00 -4.00 -3.75",
    "wells_fargo 1000 wells_fargo 4/0 1850.00/351.17: -42.17 1850.00 -300.00 -9.00",
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
        let mut desk = Desk::furnished("USD");
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
/// The lines of a row that moves an account by this much.
fn lines(account: &str, moved: &str) -> Vec<String> {
    match moved.strip_prefix('-') {
        Some(out) => vec![
            format!("debit 6999 {out}"),
            format!("credit {account} {out}"),
        ],
        None => vec![
            format!("debit {account} {moved}"),
            format!("credit 6999 {moved}"),
        ],
    }
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
