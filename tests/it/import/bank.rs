//! Bank files end to end.

use serde_json::{Map, Value, json};

use super::{Desk, pick, sample};

const COUNTS: &[&str] = &["imported", "duplicates", "skipped"];

/// Imports a text into checking against general expenses, with more arguments.
fn import(desk: &mut Desk, text: &str, more: Value) -> Map<String, Value> {
    desk.call("import bank-csv", arguments(text, more))
}

fn arguments(text: &str, more: Value) -> Value {
    let mut args =
        json!({"csv_text": text, "bank_account_code": "1000", "default_offset_code": "6999"});
    if let (Some(args), Value::Object(more)) = (args.as_object_mut(), more) {
        args.extend(more);
    }
    args
}

fn file(rows: &[&str]) -> String {
    format!("Date,Description,Amount\n{}\n", rows.join("\n"))
}

/// What a sample must become: file, account, layout, further arguments, counts, sums, and each row's movement of the account.
type Sample = (
    &'static str,
    &'static str,
    &'static str,
    [i64; 2],
    [&'static str; 2],
    &'static [&'static str],
);

const SAMPLES: &[Sample] = &[
    (
        "american_express_short",
        "2050",
        "american_express",
        [5, 0],
        ["462.50", "402.40"],
        &["-320.00", "450.00", "-18.40", "12.50", "-64.00"],
    ),
    (
        "american_express_medium",
        "2050",
        "american_express",
        [4, 0],
        ["462.50", "1338.40"],
        &["-1320.00", "450.00", "-18.40", "12.50"],
    ),
    (
        "american_express_long",
        "2050",
        "american_express",
        [4, 0],
        ["462.50", "82.40"],
        &["-18.40", "450.00", "-64.00", "12.50"],
    ),
    (
        "american_express_uk",
        "2050",
        "american_express_uk",
        [4, 0],
        ["100.00", "55.00"],
        &["-48.60", "100.00", "-3.20", "-3.20"],
    ),
    (
        "apple_card",
        "2050",
        "apple_card",
        [4, 0],
        ["504.59", "1299.00"],
        &["-1299.00", "500.00", "4.50", "0.09"],
    ),
    (
        "bank_of_america_card",
        "2050",
        "bank_of_america_card",
        [4, 0],
        ["500.00", "227.50"],
        &["-210.00", "500.00", "-8.75", "-8.75"],
    ),
    (
        "bank_of_america_deposit",
        "1000",
        "bank_of_america_deposit",
        [4, 6],
        ["2500.00", "1350.25"],
        &["-15.25", "2500.00", "-1200.00", "-135.00"],
    ),
    (
        "capital_one_360",
        "1000",
        "capital_one_360",
        [3, 0],
        ["664.92", "21.00"],
        &["664.50", "-21.00", "0.42"],
    ),
    (
        "capital_one_card",
        "2050",
        "capital_one_card",
        [3, 1],
        ["200.00", "61.35"],
        &["-54.20", "200.00", "-7.15"],
    ),
    (
        "chase_card",
        "2050",
        "chase_card",
        [4, 0],
        ["169.99", "341.40"],
        &["-312.40", "150.00", "19.99", "-29.00"],
    ),
    (
        "chase_deposit",
        "1000",
        "chase_deposit",
        [4, 1],
        ["1620.00", "205.50"],
        &["1500.00", "-200.00", "120.00", "-5.50"],
    ),
    (
        "citi_card",
        "2050",
        "citi_card",
        [3, 1],
        ["307.49", "220.00"],
        &["-220.00", "300.00", "7.49"],
    ),
    (
        "discover_card",
        "2050",
        "discover_card",
        [4, 0],
        ["125.00", "68.35"],
        &["-64.10", "120.00", "5.00", "-4.25"],
    ),
    (
        "quickbooks_four",
        "1000",
        "quickbooks",
        [4, 0],
        ["462.99", "1161.30"],
        &["450.00", "-61.30", "12.99", "-1100.00"],
    ),
    (
        "quickbooks_three",
        "1000",
        "quickbooks",
        [5, 1],
        ["3700.00", "95.12"],
        &["2500.00", "-86.12", "-4.50", "-4.50", "1200.00"],
    ),
    (
        "us_bank",
        "1000",
        "us_bank",
        [4, 0],
        ["600.00", "49.92"],
        &["-42.17", "600.00", "-4.00", "-3.75"],
    ),
    (
        "wells_fargo",
        "1000",
        "wells_fargo",
        [4, 0],
        ["1850.00", "351.17"],
        &["-42.17", "1850.00", "-300.00", "-9.00"],
    ),
];

/// spec/domain.md §10.2, §10.3: every sample becomes drafts; money in debits the account and money out credits it, a card's
/// payment and purchase too; the same file again makes none.
#[test]
fn every_layout_on_books() {
    for (name, account, layout, [imported, skipped], [total_in, total_out], moves) in SAMPLES {
        let mut desk = Desk::furnished("USD");
        let mut more = json!({"bank_account_code": account});
        if *name == "american_express_short" {
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

/// spec/domain.md §10.3: two identical rows are two transactions, and an overlapping export brings only what is new.
#[test]
fn overlapping_exports() {
    let rows = [
        "10/01/2026,Coffee,-4.50",
        "10/01/2026,Coffee,-4.50",
        "10/02/2026,Rent,-900.00",
        "10/03/2026,Sale,120.00",
        "10/04/2026,Coffee,-4.50",
        "10/04/2026,Coffee,-4.50",
        "10/05/2026,Sale,120.00",
        "10/05/2026,Sale,80.00",
    ];
    let mut desk = Desk::furnished("USD");
    let counts = |done: &Map<String, Value>| {
        pick(
            done,
            &["imported", "duplicates", "first_entry_id", "batch_id"],
        )
    };
    assert_eq!(
        counts(&import(&mut desk, &file(&rows[..5]), json!({}))),
        json!([5, 0, 1, 1])
    );
    assert_eq!(
        counts(&import(&mut desk, &file(&rows), json!({}))),
        json!([3, 5, 6, 2])
    );
    assert_eq!(
        counts(&import(&mut desk, &file(&rows), json!({}))),
        json!([0, 8, null, null])
    );
    assert_eq!(
        desk.entry(6),
        [
            "2026-10-04 imported Coffee",
            "debit 6999 4.50",
            "credit 1000 4.50"
        ]
    );
    desk.verify();
}

/// A row is known in the account into which it was imported, and in no other.
#[test]
fn known_by_account() {
    let mut desk = Desk::furnished("USD");
    let text = file(&["10/01/2026,Coffee,-4.50"]);
    import(&mut desk, &text, json!({}));
    let other = import(&mut desk, &text, json!({"bank_account_code": "1010"}));
    assert_eq!(pick(&other, COUNTS), json!([1, 0, 0]));
    desk.verify();
}

/// A row whose draft was discarded stays known; `again` brings it back once, and then it is known by its new draft.
#[test]
fn discarded_rows() {
    let mut desk = Desk::furnished("USD");
    let text = file(&["10/01/2026,Coffee,-4.50", "10/02/2026,Rent,-900.00"]);
    import(&mut desk, &text, json!({}));
    desk.call("entry discard", json!({"entry_id": 1}));
    let known = import(&mut desk, &text, json!({}));
    assert_eq!(pick(&known, COUNTS), json!([0, 2, 0]));
    assert_eq!(
        known["notes"]
            .as_array()
            .and_then(|notes| notes.last())
            .and_then(Value::as_str),
        Some("1 of the duplicates had their draft discarded; `again` brings such rows back")
    );
    let back = import(&mut desk, &text, json!({"again": true}));
    assert_eq!(
        pick(
            &back,
            &["imported", "duplicates", "first_entry_id", "total_out"]
        ),
        json!([1, 1, 3, "4.50"])
    );
    assert_eq!(desk.entry(3)[0], "2026-10-01 imported Coffee");
    let settled = import(&mut desk, &text, json!({"again": true}));
    assert_eq!(pick(&settled, COUNTS), json!([0, 2, 0]));
    desk.call("entry discard", json!({"entry_id": 3}));
    assert_eq!(
        pick(&import(&mut desk, &text, json!({})), COUNTS),
        json!([0, 2, 0])
    );
    assert_eq!(
        import(&mut desk, &text, json!({"again": true}))["first_entry_id"],
        4
    );
    desk.verify();
}

/// A posted row is known, whether its entry stands or was reversed.
#[test]
fn posted_rows() {
    let mut desk = Desk::furnished("USD");
    let text = file(&["10/01/2026,Coffee,-4.50"]);
    import(&mut desk, &text, json!({}));
    desk.call("entry post", json!({"entry_id": 1, "confirmed": true}));
    desk.call(
        "entry reverse",
        json!({"entry_id": 1, "date": "2026-10-02", "confirmed": true}),
    );
    assert_eq!(
        pick(&import(&mut desk, &text, json!({"again": true})), COUNTS),
        json!([0, 1, 0])
    );
    desk.verify();
}

/// The bank's own id says which row it is, whatever else the bank changes in it.
#[test]
fn bank_ids() {
    let mut desk = Desk::furnished("USD");
    let text = sample("bank_of_america_card");
    let card = json!({"bank_account_code": "2050"});
    import(&mut desk, &text, card.clone());
    let renamed = text.replace("NORTHWIND AIR", "NORTHWIND AIRWAYS");
    assert_eq!(
        pick(&import(&mut desk, &renamed, card.clone()), COUNTS),
        json!([0, 4, 0])
    );
    let other = text.replace("24000000000000000000004", "24000000000000000000005");
    assert_eq!(
        pick(&import(&mut desk, &other, card), COUNTS),
        json!([1, 3, 0])
    );
    desk.verify();
}

/// One bad row refuses the whole file: every fault has its line, and nothing changes.
#[test]
fn all_or_nothing() {
    let mut desk = Desk::furnished("USD");
    let text = file(&[
        "10/01/2026,Coffee,-4.50",
        "10/32/2026,Rent,-900.00",
        "10/03/2026,Sale,1e3",
    ]);
    let refusal = desk.refused(
        "import bank-csv",
        arguments(&text, json!({"date_order": "mdy"})),
    );
    assert_eq!(refusal["code"], "bank_csv_rows");
    assert_eq!(
        refusal["message"],
        "the file has 2 faults, on lines 3 and 4; nothing was imported"
    );
    let faults: Vec<(Option<i64>, Option<&str>)> = refusal["faults"]
        .as_array()
        .expect("faults")
        .iter()
        .map(|f| (f["line"].as_i64(), f["field"].as_str()))
        .collect();
    assert_eq!(faults, [(Some(3), Some("date")), (Some(4), Some("amount"))]);
    assert_eq!(refusal["faults_total"], 2);
    assert_eq!(
        pick(
            &import(&mut desk, &file(&["10/01/2026,Coffee,-4.50"]), json!({})),
            COUNTS
        ),
        json!([1, 0, 0])
    );
}

/// spec/domain.md §10.3, rules: the longest match wins; a tie refuses its row with the line; equal texts are refused.
#[test]
fn rules() {
    let mut desk = Desk::furnished("USD");
    let text = file(&[
        "10/01/2026,AMZN Mktp US*2A3,-20.00",
        "10/02/2026,amzn digital,-5.00",
        "10/03/2026,Other,-1.00",
    ]);
    let rules = json!({"rules": {"AMZN": "6800", "amzn mktp": {"account": "6810"}}});
    import(&mut desk, &text, rules);
    let offsets: Vec<String> = (1..=3).map(|id| desk.entry(id)[1].clone()).collect();
    assert_eq!(
        offsets,
        ["debit 6810 20.00", "debit 6800 5.00", "debit 6999 1.00"]
    );
    let tied = file(&["10/05/2026,Fine,-1.00", "10/06/2026,CORAL SHELL,-9.00"]);
    let rules = json!({"rules": {"shell": "6330", "coral": "6320"}});
    let refusal = desk.refused("import bank-csv", arguments(&tied, rules));
    assert_eq!(
        refusal["faults"],
        json!([{"line": 3, "field": "rules", "text": "CORAL SHELL",
            "message": "the rules \"shell\" and \"coral\" match and are equally long; a longer rule settles it"}])
    );
    let twice = json!({"rules": {"shell": "6330", "SHELL": "6320"}});
    assert_eq!(
        desk.refused("import bank-csv", arguments(&tied, twice))["code"],
        "import_rule_twice"
    );
    desk.verify();
}

/// The bank account is an asset or a liability; no row's other side is the bank account; classes are refused until there are any.
#[test]
fn accounts() {
    let mut desk = Desk::furnished("USD");
    let text = file(&["10/01/2026,Coffee,-4.50"]);
    let mut code =
        |more: Value| desk.refused("import bank-csv", arguments(&text, more))["code"].clone();
    assert_eq!(
        code(json!({"bank_account_code": "4000"})),
        "import_account_type"
    );
    assert_eq!(
        code(json!({"bank_account_code": "9999"})),
        "unknown_account"
    );
    assert_eq!(
        code(json!({"bank_account_code": "1500"})),
        "account_is_placeholder"
    );
    assert_eq!(
        code(json!({"default_offset_code": "1000"})),
        "import_offset_is_bank"
    );
    assert_eq!(
        code(json!({"default_offset_code": "3000"})),
        "account_is_placeholder"
    );
    assert_eq!(
        code(json!({"rules": {"coffee": "1000"}})),
        "import_offset_is_bank"
    );
    assert_eq!(
        code(json!({"rules": {"coffee": {"account": "6310", "class": "west"}}})),
        "import_rule_class"
    );
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

/// A preview shows the counts without the numbers that only the real run allots, and changes nothing.
#[test]
fn preview() {
    let mut desk = Desk::furnished("USD");
    let head = desk.head();
    let text = file(&["10/01/2026,Coffee,-4.50"]);
    let shown = import(&mut desk, &text, json!({"preview": true}));
    assert_eq!(
        pick(
            &shown,
            &["status", "imported", "batch_id", "first_entry_id"]
        ),
        json!(["preview", 1, null, null])
    );
    assert_eq!(desk.head(), head);
    desk.verify();
}

/// spec/reliability.md §6.11: a text that was sent has at most 20,000 rows.
#[test]
fn too_many_rows() {
    let mut desk = Desk::furnished("USD");
    let text = file(&["10/01/2026,Coffee,-4.50"]) + &"10/02/2026,Tea,-1.00\n".repeat(20_000);
    let refusal = desk.refused("import bank-csv", arguments(&text, json!({})));
    assert_eq!(
        pick(
            refusal.as_object().expect("an object"),
            &["code", "rows_max"]
        ),
        json!(["bank_csv_too_many_rows", 20_000])
    );
}
