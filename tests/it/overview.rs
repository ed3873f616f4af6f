//! The settings in force as the books answer them: the whole answer, and what in it disagrees with the chart.

use serde_json::{Value, json};

use crate::books::Desk;

const SETTINGS: &str = r#"
[company]
name = "Harbor & Pine"
fiscal_year_start = "07-01"
tax_form = "1065"

[[company.members]]
name = "Ada"
share = "0.6"
capital_account = "3010"
distribution_account = "3015"

[[company.members]]
name = "Grace"
share = "40%"
capital_account = "3020"

[books]
accounting_basis = "cash"
cash_accounts = ["1000", "1010"]
financing_accounts = ["2600"]
investing_accounts = ["1700", "1000"]
"#;

fn desk(settings: &str) -> Desk {
    let mut desk = Desk::new("USD", settings, "2026-11-30");
    desk.accounts(&[
        "1000 asset -",
        "1700 asset -",
        "2600 liability -",
        "3010 equity -",
        "3015 equity -",
        "4000 revenue -",
    ]);
    desk
}

/// The answer holds every setting in force under the reference's names, where the files are, and every problem: one that the
/// law may have with the fiscal year, two roles of one account, and accounts that the chart does not have.
#[test]
fn the_whole_answer() {
    let mut desk = desk(SETTINGS);
    let answer = desk.ok("books.settings", json!({}));
    let file = desk.paths().settings.to_string_lossy().into_owned();
    let year = "a partnership normally takes its majority partners' tax year, else the calendar year (IRC §706(b)(1)(B)); ask the \
                CPA whether this fiscal year is permitted";
    let twice = "account 1000 is in both cash_accounts and investing_accounts; the cash flow statement takes it in one only: \
                 remove it from one";
    let cash = "cash_accounts names 1010, which is no asset account of the chart. Name the accounts that hold cash, or add this \
                one.";
    let capital = "The capital account 3020 of member \"Grace\" is no equity account of the chart. Name an equity account of the \
                   chart, or add this one.";
    let want = json!({
        "books_toml": file, "books_toml_exists": true, "loads": 1, "company": "Harbor & Pine", "fiscal_year_start": "07-01",
        "tax_form": "1065", "basis": "cash",
        "receipt_rule": {"source": "wanderbooks.toml", "require_receipts_above": "99999999999.00",
            "receipt_required_accounts": [], "receipt_exempt_accounts": []},
        "members": [
            {"name": "Ada", "share": "60%", "capital_account": "3010", "distribution_account": "3015"},
            {"name": "Grace", "share": "40%", "capital_account": "3020"},
        ],
        "cash_accounts": ["1000", "1010"], "financing_accounts": ["2600"], "investing_accounts": ["1700", "1000"],
        "close_sweep": [], "problems": [year, twice, cash, capital],
        "seq": answer["seq"], "head": answer["head"],
    });
    assert_eq!(answer, want);
}

/// Without settings the defaults are told, and the policy file only where there is one.
#[test]
fn defaults() {
    let mut desk = desk("[books]\nclose_into = \"3010\"\nclose_sweep = [\"3015\"]\n");
    let answer = desk.ok("books.settings", json!({}));
    let keys = ["company", "tax_form", "config_json", "reload_error"];
    assert!(
        keys.iter().all(|key| answer.get(*key).is_none()),
        "{answer}"
    );
    let facts = crate::books::pick(
        &answer,
        &[
            "fiscal_year_start",
            "basis",
            "members",
            "close_into",
            "close_sweep",
            "problems",
        ],
    );
    let want = json!({"fiscal_year_start": "01-01", "basis": "accrual", "members": [], "close_into": "3010",
        "close_sweep": ["3015"], "problems": []});
    assert_eq!(facts, want);
    let config = desk.paths().config();
    std::fs::write(&config, "{}").expect("a file");
    desk.reopen();
    let answer = desk.ok("books.settings", json!({}));
    assert_eq!(answer["config_json"], json!(config.to_string_lossy()));
}

/// A code that was renumbered away is a problem until the settings no longer name it.
#[test]
fn renumbered_accounts() {
    let mut desk = desk("[books]\ncash_accounts = [\"1000\"]\n");
    let problems = |desk: &mut Desk| desk.ok("books.settings", json!({}))["problems"].clone();
    assert_eq!(problems(&mut desk), json!([]));
    desk.settle("[books]\ncash_accounts = [\"1000\", \"1001\"]\n");
    desk.ok(
        "books.renumber_account",
        json!({"account": "1000", "code": "1001"}),
    );
    let gone = "cash_accounts names 1000, which is no asset account of the chart. Name the accounts that hold cash, or add this one.";
    assert_eq!(problems(&mut desk), json!([gone]));
    desk.settle("[books]\ncash_accounts = [\"1001\"]\n");
    assert_eq!(problems(&mut desk), json!([]));
}

/// The page tells facts, owners and problems, and an edit that is not in force before the problems.
#[test]
fn the_page() {
    let mut desk = desk(SETTINGS);
    desk.settle("[company\n");
    let sheet = desk.sheet("books.settings", json!({}));
    let labels: Vec<&str> = sheet.fields.iter().map(|f| f.label.as_str()).collect();
    let want = [
        "Settings file",
        "Company",
        "Fiscal year starts",
        "Tax return",
        "Basis",
        "Receipts needed",
        "Receipts always needed on",
        "Receipts never needed for",
        "Cash accounts",
        "Financing accounts",
        "Investing accounts",
    ];
    assert_eq!(labels, want);
    assert_eq!(sheet.tables[0].rows.len(), 2);
    assert!(
        sheet.notes[0].starts_with("The last good settings are in force"),
        "{:?}",
        sheet.notes
    );
    assert_eq!(sheet.notes.len(), 5);
    let exists = desk.ok("books.settings", json!({}))["books_toml_exists"].clone();
    assert_eq!(exists, Value::Bool(true));
}
