//! The control roles: which account fills each, and what keeps it there.

use super::*;

fn role(answer: &Value, name: &str) -> Value {
    let roles = answer["roles"].as_array().expect("roles");
    let found = roles.iter().find(|role| role["role"] == name);
    pick(
        found.expect("the role"),
        &[
            "account_type",
            "default_code",
            "assigned",
            "account_code",
            "account_name",
        ],
    )
}

/// A role is filled by its default code until it is assigned, and again when it no longer is; a close follows it.
#[test]
fn roles() {
    let mut desk = desk("");
    let default = json!({
        "account_type": "equity", "default_code": "3999", "assigned": false, "account_code": "3999",
        "account_name": "Retained Earnings",
    });
    let answer = desk.ok("books.roles", json!({}));
    assert_eq!(role(&answer, "retained_earnings"), default);
    assert_eq!(answer["roles"].as_array().map(Vec::len), Some(14));
    assert!(role(&answer, "wages")["account_code"].is_null());
    let assign = |account: Value| json!({"role": "retained_earnings", "account": account});
    let answer = desk.ok("books.assign_role", assign("3000".into()));
    let want = json!({
        "account_type": "equity", "default_code": "3999", "assigned": true, "account_code": "3000",
        "account_name": "Owner's Capital",
    });
    assert_eq!(role(&answer, "retained_earnings"), want);
    desk.post("2026-01-10", &["1000:dr:30", "4000:cr:30"]);
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    assert_eq!(
        lines(&close(&mut desk, january)),
        ["3000 credit 30.00", "4000 debit 30.00"]
    );
    let (_, refusal) = desk.no("books.assign_role", json!({"role": "retained_earnings"}));
    let want = json!({"code": "role_account_has_balance", "account": "3000", "balance": "30.00", "role": "retained_earnings"});
    assert_eq!(
        pick(&refusal, &["code", "account", "balance", "role"]),
        want
    );
    desk.post("2026-02-10", &["3000:dr:30", "3999:cr:30"]);
    let answer = desk.ok("books.assign_role", json!({"role": "retained_earnings"}));
    assert_eq!(role(&answer, "retained_earnings"), default);
}

/// A role takes no account of another type, none that groups but for the fixed assets, none out of use, and none that fills
/// another role; what is wrong is named together. The default code of a role that is filled elsewhere is free.
#[test]
fn role_refusals() {
    let mut desk = desk("");
    let no = |desk: &mut Desk, role: &str, account: &str| {
        desk.no(
            "books.assign_role",
            json!({"role": role, "account": account}),
        )
        .1
    };
    let refusal = no(&mut desk, "receivable", "1500");
    assert_eq!(code(&refusal), "account_is_placeholder");
    let refusal = no(&mut desk, "receivable", "2000");
    let want =
        json!({"code": "role_of_other_type", "role_type": "asset", "account_type": "liability"});
    assert_eq!(pick(&refusal, &["code", "role_type", "account_type"]), want);
    assert_eq!(refusal["also"][0]["code"], "account_fills_role");
    let refusal = no(&mut desk, "receivable", "88");
    assert_eq!(code(&refusal), "unknown_account");
    desk.ok(
        "books.update_account",
        json!({"account": "1510", "archived": true}),
    );
    let refusal = no(&mut desk, "receivable", "1510");
    assert_eq!(code(&refusal), "account_archived");
    let wages = json!({"code": "6100", "name": "Wages", "type": "asset"});
    assert_eq!(
        code(&desk.no("books.add_account", wages.clone()).1),
        "code_of_role"
    );
    desk.ok(
        "books.assign_role",
        json!({"role": "wages", "account": "6600"}),
    );
    desk.ok("books.add_account", wages);
    let (_, refusal) = desk.no("books.assign_role", json!({"role": "wages"}));
    assert_eq!(code(&refusal), "role_of_other_type");
}

/// An account that was assigned a role stays one to which something can be posted; and the default code of a role is not taken from
/// an account that gave it up and has a balance.
#[test]
fn roles_keep_their_accounts() {
    let mut desk = desk("");
    desk.ok(
        "books.add_account",
        json!({"code": "2400", "name": "Other payables", "type": "liability"}),
    );
    desk.ok(
        "books.assign_role",
        json!({"role": "payable", "account": "2400"}),
    );
    for change in ["archived", "placeholder"] {
        let mut args = json!({"account": "2400"});
        args[change] = true.into();
        let (_, refusal) = desk.no("books.update_account", args);
        assert_eq!(
            pick(&refusal, &["code", "account", "role"]),
            json!({"code": "account_fills_role", "account": "2400", "role": "payable"})
        );
    }
    desk.post("2026-01-10", &["1200:dr:50", "4000:cr:50"]);
    desk.ok(
        "books.renumber_account",
        json!({"account": "1200", "code": "1201"}),
    );
    let new = json!({"code": "1200", "name": "New receivables", "type": "asset"});
    let (_, refusal) = desk.no("books.add_account", new.clone());
    assert_eq!(
        pick(&refusal, &["code", "account", "balance"]),
        json!({"code": "role_account_has_balance", "account": "1201", "balance": "50.00"})
    );
    desk.post("2026-01-11", &["1000:dr:50", "1201:cr:50"]);
    desk.ok("books.add_account", new);
}

/// The fixed assets' role may be filled by an account that groups, and does not leave it while something under it has a balance.
#[test]
fn fixed_assets_role() {
    let mut desk = desk("");
    desk.ok(
        "books.add_account",
        json!({"code": "1600", "name": "Plant", "type": "asset", "placeholder": true}),
    );
    desk.post("2026-01-10", &["1510:dr:30", "1000:cr:30"]);
    let assign = json!({"role": "fixed_assets", "account": "1600"});
    let (_, refusal) = desk.no("books.assign_role", assign.clone());
    assert_eq!(
        pick(&refusal, &["code", "account", "balance"]),
        json!({"code": "role_account_has_balance", "account": "1510", "balance": "30.00"})
    );
    desk.post("2026-01-11", &["1000:dr:30", "1510:cr:30"]);
    desk.ok("books.assign_role", assign);
}
