//! Bank files end to end: what is known again, what is refused. The layouts are in `layouts.rs`.

use serde_json::{Map, Value, json};

use super::{Desk, pick, sample};

pub(super) const COUNTS: &[&str] = &["imported", "duplicates", "skipped"];

/// Imports a text into checking against general expenses, with more arguments.
pub(super) fn import(desk: &mut Desk, text: &str, more: Value) -> Map<String, Value> {
    desk.call("import bank-csv", arguments(text, more))
}

pub(super) fn arguments(text: &str, more: Value) -> Value {
    let mut args =
        json!({"csv_text": text, "bank_account_code": "1000", "default_offset_code": "6999"});
    if let (Some(args), Value::Object(more)) = (args.as_object_mut(), more) {
        args.extend(more);
    }
    args
}

pub(super) fn file(rows: &[&str]) -> String {
    format!("Date,Description,Amount\n{}\n", rows.join("\n"))
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
        Some("1 of the duplicates had its draft discarded; `again` brings such rows back")
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
            "message": "the rules \"shell\" and \"coral\" match and are equally long, and name different accounts or classes; a longer rule settles it"}])
    );
    let hint = "give a longer rule for those rows, or let the rules name one account";
    assert_eq!(refusal["remedy_hint"], hint);
    let both = file(&["10/05/2026,CORAL SHELL,x"]);
    let rules = json!({"rules": {"shell": "6330", "coral": "6320"}});
    let unread = desk.refused("import bank-csv", arguments(&both, rules));
    let hint = unread["remedy_hint"].as_str().expect("a hint");
    assert!(hint.contains("date_order"), "{hint}");
    // Rules that name one account agree, however long they are.
    let agreed = json!({"rules": {"shell": "6330", "coral": "6330"}});
    let done = import(&mut desk, &tied, agreed);
    assert_eq!(done["drafts"][1]["account_code"], "6330");
    let twice = json!({"rules": {"shell": "6330", "SHELL": "6320"}});
    assert_eq!(
        desk.refused("import bank-csv", arguments(&tied, twice))["code"],
        "import_rule_twice"
    );
    desk.verify();
}

/// The bank account is an asset or a liability; no row's other side is the bank account; a rule has no class.
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
        "unknown_class"
    );
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

/// An imported entry tells the file, the line and the text it was made of, also once it is posted, changed or discarded.
#[test]
fn provenance() {
    let mut desk = Desk::furnished("USD");
    import(&mut desk, &sample("wells_fargo"), json!({}));
    let mut imported =
        |id: i64| desk.call("entry show", json!({"entry_id": id}))["imported"].clone();
    let check = json!({
        "batch_id": 1,
        "file_line": 3,
        "bank_description": "CHECK 1044",
        "check_number": "1044",
        "raw": "\"10/20/2026\",\"-300.00\",\"*\",\"1044\",\"CHECK\"",
    });
    assert_eq!(imported(3), check);
    desk.call("entry discard", json!({"entry_id": 3}));
    import(&mut desk, &sample("wells_fargo"), json!({"again": true}));
    let mut imported =
        |id: i64| desk.call("entry show", json!({"entry_id": id}))["imported"].clone();
    assert_eq!(imported(3), check);
    assert_eq!(imported(5)["batch_id"], 2);
    let by_hand = json!({"date": "2026-10-01", "description": "By hand"});
    let drafted = desk.call("entry draft", by_hand);
    let shown = desk.call("entry show", json!({"entry_id": drafted["entry_id"]}));
    assert_eq!(shown.get("imported"), None);
    desk.verify();
}

/// An answer shows every draft where it is taken as data, and the first hundred where lists come in pages; it says so.
#[test]
fn drafts_are_shown() {
    let mut desk = Desk::furnished("USD");
    let rows: Vec<String> = (0..120).map(|n| format!("10/01/2026,a,{n}.50")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let args = arguments(
        &file(&rows),
        json!({"preview": true, "rules": {"a": "4000"}}),
    );
    let whole = desk.call("import bank-csv", args.clone());
    let told = |value: &Map<String, Value>| {
        let shown = value["drafts"].as_array().map(Vec::len);
        (shown, pick(value, &["imported", "unclaimed", "truncated"]))
    };
    assert_eq!(told(&whole), (Some(120), json!([120, 0, false])));
    let op = super::operation("import bank-csv");
    let (call, control) =
        wanderbooks::engine::from_json(op, args.as_object().expect("arguments").clone())
            .expect("a call");
    let caller = wanderbooks::engine::Caller {
        by: "{}",
        previews: None,
        answer_bytes_max: Some(200 * 1024),
    };
    let paged = desk
        .books
        .call(op, &call, &control, caller)
        .expect("an answer");
    assert_eq!(told(&paged.value), (Some(100), json!([120, 0, true])));
}

/// The same file in another account is warned of, naming that account and its entries.
#[test]
fn same_file_elsewhere() {
    let mut desk = Desk::furnished("USD");
    let text = file(&["10/01/2026,Coffee,-4.50", "10/02/2026,Tea,-2.00"]);
    import(&mut desk, &text, json!({}));
    let other = import(&mut desk, &text, json!({"bank_account_code": "1010"}));
    assert_eq!(
        other["warnings"],
        json!(["this very file was imported into account \"1000\" before, as entries 1 to 2"])
    );
    assert_eq!(pick(&other, COUNTS), json!([2, 0, 0]));
    desk.verify();
}

/// A card's file in a bank account is warned of, and a bank account's in a card, by layout and account; files that both may
/// have are not.
#[test]
fn other_kind_of_account() {
    let mut desk = Desk::furnished("USD");
    let card = import(&mut desk, &sample("chase_card"), json!({}));
    assert_eq!(
        card["warnings"],
        json!([
            "the layout chase_card is a card's, and account \"1000\" is an asset; a card is a liability"
        ])
    );
    let to_card = json!({"bank_account_code": "2050"});
    let deposit = import(
        &mut desk,
        &sample("bank_of_america_deposit"),
        to_card.clone(),
    );
    assert_eq!(
        deposit["warnings"],
        json!([
            "the layout bank_of_america_deposit is a bank account's, and account \"2050\" is a liability, as a card is"
        ])
    );
    let mut desk = Desk::furnished("USD");
    let suited = import(&mut desk, &sample("chase_card"), to_card);
    assert_eq!(suited.get("warnings"), None);
    let both = import(&mut desk, &sample("us_bank"), json!({}));
    assert_eq!(both.get("warnings"), None);
    desk.verify();
}

/// Days far ahead or long ago are imported with one warning a file, as `entry post` warns; rows known already are not looked at.
#[test]
fn unlikely_days() {
    let mut desk = Desk::furnished("USD");
    let text = file(&[
        "10/01/2026,Coffee,-4.50",
        "10/02/2062,Rent,-900.00",
        "10/03/1989,Sale,120.00",
    ]);
    let warning = "line 3: the entry is dated 2062-10-02, more than a year after today, 2026-11-30; 1 more line has such a day";
    let shown = import(&mut desk, &text, json!({"preview": true}));
    assert_eq!(shown["warnings"], json!([warning]));
    let done = import(&mut desk, &text, json!({}));
    assert_eq!(done["warnings"], json!([warning]));
    let again = import(&mut desk, &text, json!({}));
    assert_eq!(again.get("warnings"), None);
    desk.verify();
}
