//! What the policy's lists of accounts hold: accounts that are renumbered, and what counts as cash.

use super::policy::LISTS;
use super::*;

fn renumber(desk: &mut Desk, account: &str, code: &str) -> Result<Value, Value> {
    let args = json!({"account": account, "code": code});
    let renumbered = desk.call("books.renumber_account", args);
    renumbered.map_err(|no| no.to_value())
}

fn state(desk: &mut Desk, required: &str, exempt: &str) {
    let text = format!(
        r#"{{"receipt_policy": {{"receipt_required_accounts": [{required}], "receipt_exempt_accounts": [{exempt}]}}}}"#
    );
    fs::write(desk.paths().config(), text).expect("a policy file");
    desk.reopen();
}

/// No account leaves a list of the policy, or comes under one, by another code: the refusal names the file, the list and what a
/// person can do.
#[test]
fn renumbered_out_and_in() {
    let mut desk = stated(LISTS);
    let refused = renumber(&mut desk, "6310", "6311").expect_err("a refusal");
    let want = json!({
        "code": "account_in_policy", "account": "6310",
        "message": "account \"6310\" would leave receipt_required_accounts of config.json by the code \"6311\"",
        "new_code": "6311", "file": "config.json", "list": "receipt_required_accounts",
        "remedy_hint": "a person names both codes in receipt_required_accounts of config.json, then renumber, then take the old code out",
    });
    assert_eq!(refused, want);
    let out = |desk: &mut Desk, account: &str, code: &str| {
        let refused = renumber(desk, account, code).expect_err("a refusal");
        let mut all = vec![refused["message"].clone()];
        let also = refused["also"].as_array().into_iter().flatten();
        all.extend(also.map(|no| no["message"].clone()));
        json!(all)
    };
    assert_eq!(
        out(&mut desk, "6840", "6310x"),
        json!([
            "account \"6840\" would leave receipt_exempt_accounts of config.json by the code \"6310x\""
        ])
    );
    assert_eq!(
        out(&mut desk, "1010", "1011"),
        json!([
            "account \"1010\" would leave [books] cash_accounts of wanderbooks.toml by the code \"1011\""
        ])
    );
    // A code that a list names and no account has.
    state(&mut desk, "\"6310\"", "\"6899\"");
    assert_eq!(
        out(&mut desk, "6800", "6899"),
        json!([
            "account \"6800\" would come under receipt_exempt_accounts of config.json by the code \"6899\""
        ])
    );
    assert_eq!(
        out(&mut desk, "6310", "6899"),
        json!([
            "account \"6310\" would leave receipt_required_accounts of config.json by the code \"6899\"",
            "account \"6310\" would come under receipt_exempt_accounts of config.json by the code \"6899\""
        ])
    );
    renumber(&mut desk, "6800", "6801").expect("no list names either code");
}

/// With both codes in the list an account is renumbered, and the old one is taken out afterwards; meanwhile the settings' problems
/// name the code that no account has.
#[test]
fn renumbered_within_a_list() {
    let mut desk = stated(LISTS);
    state(&mut desk, "\"6310\", \"6311\"", "");
    let renumbered = renumber(&mut desk, "6310", "6311").expect("both are named");
    let mentions = json!(["config.json receipt_policy.receipt_required_accounts"]);
    assert_eq!(renumbered["config_mentions"], mentions);
    let problems = desk.ok("books.settings", json!({}))["problems"].clone();
    let problem = "receipt_required_accounts in config.json names account \"6310\", which is not in the chart: correct the \
                   code or take it out";
    assert_eq!(problems, json!([problem]));
    state(&mut desk, "\"6311\"", "");
    let id = draft(
        &mut desk,
        ("2026-10-10", "Lunch"),
        &["6311:dr:8.00", "1000:cr:8.00"],
    );
    let refused = post(&mut desk, id).expect_err("a refusal");
    assert_eq!(refused["required_accounts"], json!(["6311"]));
}

/// Only assets are cash: a card among `cash_accounts` is a problem of the settings, and what is charged to it needs its receipt.
#[test]
fn only_assets_are_cash() {
    let mut desk = desk("[books]\ncash_accounts = [\"1000\", \"2100\"]\n");
    desk.accounts(&["2100 liability -", "2101 liability -"]);
    let settings = desk.ok("books.settings", json!({}));
    let problem = "cash_accounts names 2100, which is no asset account of the chart. Name the accounts that hold cash, or add this one.";
    assert_eq!(settings["problems"], json!([problem]));
    let id = draft(
        &mut desk,
        ("2026-10-10", "Card paid"),
        &["2100:dr:80.00", "1000:cr:80.00"],
    );
    let refused = post(&mut desk, id).expect_err("a refusal");
    assert_eq!(refused["code"], json!("receipt_required"));
    // It is no cash by either code, so nothing moves.
    renumber(&mut desk, "2100", "2102").expect("it does not count as cash");
}
