//! What the policy files state, as it is told: what is in force, and what a person should change in them.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wanderbooks::{
    domains::receipt::{ReceiptRule, receipt_rule, receipt_rule_problems},
    engine::{Example, OpDef, Operation, Read, Reader, Result as Answered},
};

use super::*;

/// What a test asks of the policy, as higher domains do.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct Ask {}

#[derive(Serialize, JsonSchema)]
struct Told {
    rule: ReceiptRule,
    problems: Vec<String>,
}

impl Operation for Ask {
    const VERB: &'static str = "test policy";
    const TOOL: &'static str = "test.policy";
    const EXAMPLES: &'static [Example] = &[];
    type Output = Told;
}

impl Read for Ask {
    fn run(self, books: &Reader<'_>) -> Answered<Told> {
        Ok(Told {
            rule: receipt_rule(books)?,
            problems: receipt_rule_problems(books)?,
        })
    }
}

static ASK: OpDef = OpDef::read::<Ask>();

/// The policy in force can be asked for, with where it is stated; what disagrees with the chart is a problem, in words.
#[test]
fn the_policy_is_told() {
    let policy = r#"{"receipt_policy": {"receipt_required_accounts": ["6310", "9999"], "receipt_exempt_accounts": ["6310"]}}"#;
    let mut desk = desk("[books]\nreceipt_threshold = \"50\"\n");
    let told = desk.run(&ASK, json!({})).expect("an answer");
    let want = json!({"source": "wanderbooks.toml", "require_receipts_above": "50.00",
        "receipt_required_accounts": [], "receipt_exempt_accounts": []});
    assert_eq!((&told["rule"], &told["problems"]), (&want, &json!([])));
    fs::write(desk.paths().config(), policy).expect("a file");
    desk.reopen();
    let told = desk.run(&ASK, json!({})).expect("an answer");
    let want = json!({"source": "config.json", "require_receipts_above": "25.00", "default_amount": true,
        "receipt_required_accounts": ["6310", "9999"], "receipt_exempt_accounts": ["6310"]});
    let problems = json!([
        "receipt_required_accounts in config.json names account \"9999\", which is not in the chart: correct the code or take it out",
        "account \"6310\" is in both lists of the receipt policy; required beats exempt: take it out of one",
        "[books] receipt_threshold in wanderbooks.toml is not used, because config.json states a receipt policy: take it out of one",
    ]);
    assert_eq!((&told["rule"], &told["problems"]), (&want, &problems));
}

/// A policy file that is gone after it was in force is told by name, and the last good one stays in force, as with settings; `{}`
/// states no policy.
#[test]
fn a_policy_file_that_is_gone() {
    let mut desk = stated(r#"{"receipt_policy": {"require_receipts_above": "10.00"}}"#);
    let lines = ["6800:dr:20.00", "1000:cr:20.00"];
    let id = draft(&mut desk, ("2026-10-10", "Paper"), &lines);
    fs::remove_file(desk.paths().config()).expect("it goes");
    desk.reopen();
    assert_eq!(previewed(&mut desk, id)["receipt_required"], json!(true));
    let shown = desk.ok("books.settings", json!({}));
    let fault = shown["reload_error"].as_str().expect("a fault");
    assert!(
        fault.contains("config.json\": it is not there any more"),
        "{fault}"
    );
    fs::write(desk.paths().config(), "{}").expect("a file");
    desk.reopen();
    assert_eq!(previewed(&mut desk, id)["receipt_required"], json!(false));
}

/// An account that only groups others is a problem by name in both lists: no line ever stands on it.
#[test]
fn a_group_in_a_list() {
    for list in ["receipt_required_accounts", "receipt_exempt_accounts"] {
        let mut desk = stated(&format!(r#"{{"receipt_policy": {{"{list}": ["6000"]}}}}"#));
        desk.ok(
            "books.add_account",
            json!({"code": "6000", "name": "Costs", "type": "expense"}),
        );
        let args = json!({"code": "6001", "name": "Ink", "type": "expense", "parent": "6000"});
        desk.ok("books.add_account", args);
        let told = desk.run(&ASK, json!({})).expect("an answer");
        let want = format!(
            "{list} in config.json names account \"6000\", which only groups other accounts: nothing is posted to it, so this does \
             nothing; name the accounts under it"
        );
        assert_eq!(told["problems"], json!([want]));
    }
}

/// A threshold with more decimals than the books' currency has is refused, in either file; trailing zeros are none.
#[test]
fn decimals_of_the_threshold() {
    let mut desk = desk("");
    let fault = |desk: &mut Desk| desk.ok("books.settings", json!({}))["reload_error"].clone();
    for (amount, refused) in [("25.001", true), ("25.000", false), ("25.01", false)] {
        let policy = format!(r#"{{"receipt_policy": {{"require_receipts_above": "{amount}"}}}}"#);
        fs::write(desk.paths().config(), policy).expect("a file");
        desk.reopen();
        let told = fault(&mut desk);
        let named = told
            .as_str()
            .is_some_and(|told| told.contains("is \"25.001\"; USD has 2 decimals"));
        assert_eq!(
            (named, told.is_null()),
            (refused, !refused),
            "{amount}: {told}"
        );
    }
    desk.settle("[books]\nreceipt_threshold = \"25.001\"\n");
    let told = fault(&mut desk);
    let named = told
        .as_str()
        .is_some_and(|told| told.contains("books.receipt_threshold is 25.001; USD has 2 decimals"));
    assert!(named, "{told}");
}

/// A policy file with a byte order mark is read as one without.
#[test]
fn a_byte_order_mark() {
    let text = r#"{"receipt_policy": {"require_receipts_above": "10.00", "receipt_required_accounts": ["6310"]}}"#;
    let mut desk = stated(&format!("\u{feff}{text}"));
    let rule = desk.run(&ASK, json!({})).expect("an answer")["rule"].clone();
    assert_eq!(rule["require_receipts_above"], "10.00");
    let (_, refusal) = desk.no(
        "books.renumber_account",
        json!({"account": "6310", "code": "6311"}),
    );
    assert!(refusal.to_string().contains("config.json"), "{refusal}");
}
