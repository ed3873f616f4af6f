//! Charts from CSV.

use serde_json::{Value, json};

use super::{Desk, pick};

/// spec/domain.md §8: the starter chart of every kind of business imports whole, and a replay agrees.
#[test]
fn starter_charts() {
    for (entity, owners) in [
        ("sole_proprietorship", json!([])),
        ("partnership", json!(["Ada", "Grace"])),
        ("s_corporation", json!([])),
        ("c_corporation", json!([])),
    ] {
        let mut desk = Desk::empty("USD");
        let chart = desk.call(
            "chart template",
            json!({"entity_type": entity, "owners": owners}),
        );
        let csv = chart["csv"].as_str().expect("a chart");
        let accounts = csv.lines().count() - 1;
        let done = desk.call("chart import", json!({"csv_text": csv}));
        assert_eq!(
            pick(
                &done,
                &["created", "first_account_id", "last_account_id", "notes"]
            ),
            json!([accounts, 1, accounts, []]),
            "{entity}"
        );
        desk.verify();
        let refusal = desk.refused("chart import", json!({"csv_text": csv}));
        assert_eq!(
            pick(
                refusal.as_object().expect("an object"),
                &["code", "faults_total"]
            ),
            json!(["chart_csv_faults", accounts]),
            "{entity}"
        );
    }
}

fn faults(desk: &mut Desk, csv: &str) -> Vec<(Option<i64>, Option<String>)> {
    let refusal = desk.refused("chart import", json!({"csv_text": csv}));
    let faults = refusal["faults"].as_array().expect("faults");
    let field = |f: &Value| f["field"].as_str().map(str::to_owned);
    faults
        .iter()
        .map(|f| (f["line"].as_i64(), field(f)))
        .collect()
}

/// Every fault is named with its line, whichever rule finds it, and nothing is added.
#[test]
fn faults_have_lines() {
    let mut desk = Desk::furnished("USD");
    let csv = "code,name,type,parent_code\n7000,A,expense,\n1000,B,asset,\n7001,,expense,9999\n";
    let expected = [(3, "code"), (4, "name"), (4, "parent_code")];
    let expected: Vec<_> = expected
        .iter()
        .map(|(l, f)| (Some(*l), Some((*f).to_owned())))
        .collect();
    assert_eq!(faults(&mut desk, csv), expected);
}

/// A control role's default code is kept for the role's type, and a parent with lines of its own is refused, each by line.
#[test]
fn what_the_books_object_to() {
    let mut desk = Desk::empty("USD");
    let csv = "code,name,type,parent_code\n10,Cash,asset,\n1200,Snacks,expense,\n1201,Sweets,expense,1200\n2000,Prizes,asset,\n";
    let refusal = desk.refused("chart import", json!({"csv_text": csv}));
    assert_eq!(
        refusal["message"],
        "the file has 2 faults, on lines 3 and 5; nothing was imported"
    );
    assert_eq!(
        refusal["faults"][0],
        json!({"line": 3, "field": "row",
            "message": "code 1200 is the default of the control role receivable, which takes an account of type asset, not expense"})
    );
    let mut desk = Desk::furnished("USD");
    desk.call(
        "entry draft",
        json!({"date": "2026-10-01", "description": "Tea",
        "lines": [{"account": "6800", "side": "debit", "amount": "1.00"}]}),
    );
    let csv = "code,name,type,parent_code\n6875,Web,expense,\n6876,Paper,expense,6800\n";
    assert_eq!(faults(&mut desk, csv), [(Some(3), Some("row".to_owned()))]);
}

/// Rows may stand before their parents and under accounts of the chart; a long chart lists its first hundred accounts.
#[test]
fn long_charts() {
    let mut desk = Desk::furnished("USD");
    let mut csv = "code,name,type,parent_code\n".to_owned();
    for n in 0..1_500 {
        csv.push_str(&format!(
            "X{n},Account {n},expense,{}\n",
            if n % 3 == 0 { "" } else { "Y" }
        ));
    }
    csv.push_str("Y,Group,expense,\n");
    let done = desk.call("chart import", json!({"csv_text": csv}));
    assert_eq!(done["created"], 1_501);
    assert_eq!(done["accounts"].as_array().map(Vec::len), Some(100));
    assert_eq!(
        done["accounts"][0],
        json!({"code": "X0", "name": "Account 0", "type": "expense"})
    );
    assert_eq!(
        done["accounts"][1],
        json!({"code": "Y", "name": "Group", "type": "expense"})
    );
    desk.verify();
}

/// A chart is read from UTF-16 by its mark, and from Windows-1252 with a note.
#[test]
fn encodings() {
    let text = "code,name,type,parent_code\r\n6100,Café,expense,\r\n";
    let wide: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let western: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
    for (bytes, notes) in [(wide, 0), (western, 1)] {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("chart.csv");
        std::fs::write(&path, bytes).expect("a file");
        let mut desk = Desk::empty("USD");
        let op = super::operation("chart import");
        let words = ["x", path.to_str().expect("a path")];
        let command = (op.augment)(clap::Command::new("x"));
        let matches = command.try_get_matches_from(words).expect("words");
        let call = op
            .call_from_words(&matches, &Default::default())
            .expect("a call");
        let caller = wanderbooks::engine::Caller {
            by: "{}",
            previews: None,
            answer_bytes_max: None,
        };
        let control = wanderbooks::engine::Control::default();
        let done = desk
            .books
            .call(op, &call, &control, caller)
            .expect("a chart");
        assert_eq!(done.value["accounts"][0]["name"], "Café");
        assert_eq!(done.value["notes"].as_array().map(Vec::len), Some(notes));
    }
}

/// What is no text is refused by its own reason: nothing at all, and bytes that no text has.
#[test]
fn no_text() {
    let mut desk = Desk::empty("USD");
    let mut code =
        |text: &str| desk.refused("chart import", json!({"csv_text": text}))["code"].clone();
    assert_eq!(code(" \r\n"), "chart_csv_empty");
    assert_eq!(code("code,name\u{0}"), "chart_csv_not_text");
}
