//! What the statements say of roles and members that are not as the defaults have them, on real books.

use serde_json::{Value, json};

use super::*;

const CASH: &str = "[books]\naccounting_basis = \"cash\"\n";

fn basis_notes(desk: &mut Desk) -> [bool; 3] {
    let tools = [
        "books.trial_balance",
        "books.balance_sheet",
        "books.profit_and_loss",
    ];
    tools.map(|tool| {
        let notes = desk.ok(tool, json!({}))["notes"].to_string();
        notes.contains("labelled cash basis")
    })
}

/// spec/domain.md §13.3: receivables and payables are open wherever they lie under the role's account, also where they cancel.
#[test]
fn cash_basis_with_sub_accounts() {
    let mut desk = Desk::new("USD", CASH, "2026-03-31");
    desk.accounts(&[
        "1000 asset -",
        "1200 asset -",
        "1210 asset 1200",
        "1211 asset 1210",
        "1220 asset 1200",
        "2000 liability -",
        "2010 liability 2000",
        "4000 revenue -",
        "6800 expense -",
    ]);
    desk.post("2026-01-01", &["1000:dr:5.00", "4000:cr:5.00"]);
    assert_eq!(basis_notes(&mut desk), [false; 3]);
    desk.post("2026-01-02", &["1211:dr:5.00", "1220:cr:5.00"]);
    assert_eq!(basis_notes(&mut desk), [true; 3]);
    desk.post("2026-01-03", &["1220:dr:5.00", "1211:cr:5.00"]);
    assert_eq!(basis_notes(&mut desk), [false; 3]);
    desk.post("2026-01-04", &["6800:dr:7.00", "2010:cr:7.00"]);
    assert_eq!(basis_notes(&mut desk), [true; 3]);
}

/// A role follows its account through every renumbering, until another account takes the default code, which it can when the first
/// has no balance.
#[test]
fn roles_follow_accounts() {
    let mut desk = Desk::new("USD", CASH, "2026-03-31");
    desk.accounts(&[
        "1000 asset -",
        "1200 asset -",
        "3999 equity -",
        "4000 revenue -",
    ]);
    desk.post("2025-01-01", &["1000:dr:3.00", "3999:cr:3.00"]);
    desk.post("2026-01-01", &["1200:dr:5.00", "4000:cr:5.00"]);
    for (account, code) in [("1200", "1250"), ("1250", "1251"), ("3999", "3900")] {
        desk.ok(
            "books.renumber_account",
            json!({"account": account, "code": code}),
        );
    }
    assert_eq!(basis_notes(&mut desk), [true; 3]);
    let answer = desk.ok("books.balance_sheet", json!({}));
    assert_eq!(answer["retained_earnings"], "3.00");
    assert_eq!(
        desk.rows("books.balance_sheet", json!({}))[8],
        "line,1,3900,3900 A3999,3.00"
    );
    let new = json!({"code": "1200", "name": "New", "type": "asset"});
    let (_, refusal) = desk.no("books.add_account", new.clone());
    assert_eq!(refusal["code"], "role_account_has_balance");
    desk.post("2026-02-01", &["1000:dr:5.00", "1251:cr:5.00"]);
    desk.ok("books.add_account", new);
    desk.post("2026-03-01", &["1251:dr:5.00", "4000:cr:5.00"]);
    assert_eq!(basis_notes(&mut desk), [false; 3]);
}

fn partnership(form: &str, members: &[(&str, &str, &str)], tail: &str) -> Desk {
    let mut settings = format!("[company]\nname = \"Pine\"\ntax_form = \"{form}\"\n");
    for (name, share, capital) in members {
        settings += &format!(
            "[[company.members]]\nname = \"{name}\"\nshare = \"{share}\"\ncapital_account = \"{capital}\"\n"
        );
    }
    let mut desk = Desk::new("USD", &format!("{settings}{tail}"), "2026-12-31");
    desk.accounts(&[
        "1000 asset -",
        "3010 equity -",
        "3020 equity -",
        "3999 equity -",
        "4000 revenue -",
    ]);
    desk
}

const TWO: &[(&str, &str, &str)] = &[("Ada", "60%", "3010"), ("Grace", "40%", "3020")];

fn notes(desk: &mut Desk) -> Vec<String> {
    let answer = desk.ok("books.balance_sheet", json!({}));
    let notes = answer["notes"].as_array().cloned().unwrap_or_default();
    let text = |note: &Value| note.as_str().expect("text").to_owned();
    notes.iter().map(text).collect()
}

/// What is not yet allocated and was earned before this fiscal year is told, until a close takes it.
#[test]
fn earned_before_the_year() {
    let mut desk = partnership("1065", TWO, "");
    desk.post("2026-02-01", &["1000:dr:30.00", "4000:cr:30.00"]);
    assert_eq!(notes(&mut desk), Vec::<String>::new());
    desk.post("2025-02-01", &["1000:dr:1200.00", "4000:cr:1200.00"]);
    let want = "Of the net income not yet allocated, 1,200.00 was earned before 2026-01-01.";
    assert_eq!(notes(&mut desk), [want]);
    let answer = desk.ok("books.balance_sheet", json!({}));
    let want = json!({"retained_earnings": "0.00", "net_income": "1230.00", "current_earnings": "1230.00"});
    let keys = ["retained_earnings", "net_income", "current_earnings"];
    assert_eq!(pick(&answer, &keys), want);
    desk.post_closing(
        "2026-02-28",
        &["4000:dr:1230.00", "3010:cr:738.00", "3020:cr:492.00"],
    );
    desk.post("2026-03-01", &["1000:dr:8.00", "4000:cr:8.00"]);
    assert_eq!(notes(&mut desk), Vec::<String>::new());
}

/// A corporation keeps retained earnings and net income of the year, whatever members are listed, and says so.
#[test]
fn corporations_with_members() {
    for form in ["1120", "1120-S"] {
        let mut desk = partnership(form, TWO, "");
        desk.post("2025-02-01", &["1000:dr:20.00", "4000:cr:20.00"]);
        desk.post("2026-02-01", &["1000:dr:30.00", "4000:cr:30.00"]);
        let answer = desk.ok("books.balance_sheet", json!({}));
        let want = json!({"retained_earnings": "20.00", "net_income": "30.00"});
        assert_eq!(pick(&answer, &["retained_earnings", "net_income"]), want);
        assert!(notes(&mut desk)[0].contains("a corporation keeps retained earnings"));
    }
}

/// Members that do not suit the form, the chart or the closing accounts are noted on the balance sheet.
#[test]
fn odd_members() {
    let one: &[(&str, &str, &str)] = &[("Ada", "100%", "3010")];
    let close = "[books]\nclose_into = \"3999\"\n";
    let lost: &[(&str, &str, &str)] = &[("Ada", "60%", "3011"), ("Grace", "40%", "1000")];
    let cases = [
        ("schedule_c", one, "", ["has one owner"].as_slice()),
        ("1065", one, "", &["two or more owners"]),
        ("1065", TWO, close, &["not used while members are listed"]),
        (
            "1065",
            lost,
            "",
            &[
                "The capital account 3011 of member \"Ada\" is no equity account of the chart.",
                "The capital account 1000 of member \"Grace\" is no equity account of the chart.",
            ],
        ),
        ("1065", TWO, "", &[]),
    ];
    for (form, members, tail, want) in cases {
        let mut desk = partnership(form, members, tail);
        let found = notes(&mut desk);
        assert_eq!(found.len(), want.len(), "{form}: {found:?}");
        let told = found
            .iter()
            .zip(want)
            .all(|(note, text)| note.contains(text));
        assert!(told, "{form}: {found:?}");
    }
}
