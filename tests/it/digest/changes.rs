//! What a digest tells of changes to controls and accounts.

use std::fs;

use super::*;

/// The changes that a digest since a day tells, newest first: event, instant and words. Who made them is the test.
fn changes(desk: &mut Desk, since: &str) -> Vec<(i64, String, String)> {
    let digest = desk.ok("books.digest", json!({"since": since}));
    let all = digest["changes"].as_array().expect("changes").clone();
    assert_eq!(digest["changes_total"], json!(all.len()));
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let told = |one: &Value| {
        assert_eq!(one["by"], "test");
        let seq = one["seq"].as_i64().expect("an event");
        (seq, text(&one["at"]), text(&one["description"]))
    };
    all.iter().map(told).collect()
}

/// The words alone.
fn words(desk: &mut Desk) -> Vec<String> {
    let all = changes(desk, "2026-11-01").into_iter();
    all.map(|(_, _, words)| words).collect()
}

/// Something that writes what is in force into the journal.
fn work(desk: &mut Desk) {
    desk.post("2026-11-20", &["1000:dr:1.00", "4000:cr:1.00"]);
}

fn govern(desk: &mut Desk, policy: &str) {
    let text = format!("{{\"receipt_policy\": {{{policy}}}}}");
    fs::write(desk.paths().config(), text).expect("a policy file");
    desk.reopen();
}

/// spec/reliability.md A1: settings that came into force are listed, the newest first, and of a receipt threshold both values;
/// those by which the books were made are no change.
#[test]
fn thresholds_of_the_settings() {
    let mut desk = desk();
    assert_eq!(changes(&mut desk, "2026-11-01"), []);
    desk.settle(&format!("{SETTINGS}receipt_threshold = \"25.00\"\n"));
    // Nothing was written since the edit.
    assert_eq!(changes(&mut desk, "2026-11-01"), []);
    work(&mut desk);
    desk.at("2026-11-30T09:30:00Z");
    desk.settle(&format!("{SETTINGS}receipt_threshold = \"250.00\"\n"));
    work(&mut desk);
    desk.settle(&format!(
        "# By Ada\n{SETTINGS}receipt_threshold = \"250.00\"\n"
    ));
    work(&mut desk);
    let told = |seq, at: &str, what: &str| {
        (
            seq,
            at.to_owned(),
            format!("wanderbooks.toml was edited{what}"),
        )
    };
    let edited = told(14, "2026-11-30T09:30:00Z", "");
    let raised = told(
        12,
        "2026-11-30T09:30:00Z",
        ": receipts are needed above 250.00, before 25.00",
    );
    let set = told(
        10,
        "2026-11-20T10:00:00Z",
        ": receipts are needed above 25.00, before 99999999999.00",
    );
    assert_eq!(
        changes(&mut desk, "2026-11-30"),
        [edited.clone(), raised.clone()]
    );
    assert_eq!(changes(&mut desk, "2026-11-01"), [edited, raised, set]);
}

/// A policy is told as it is in force, whichever file states it: the policy file that takes over from the settings, its lists, and
/// the settings' threshold when it is gone. An edit of both files is told once, with what it came to.
#[test]
fn policies_of_the_policy_file() {
    let mut desk = desk();
    desk.settle(&format!("{SETTINGS}receipt_threshold = \"50.00\"\n"));
    work(&mut desk);
    govern(&mut desk, "\"require_receipts_above\": \"75.00\"");
    work(&mut desk);
    // Not in force while the policy file states a policy.
    desk.settle(&format!("{SETTINGS}receipt_threshold = \"10.00\"\n"));
    work(&mut desk);
    let lists = "\"require_receipts_above\": \"75.00\", \"receipt_required_accounts\": [\"6310\"], \"receipt_exempt_accounts\": [\"6800\"]";
    govern(&mut desk, lists);
    work(&mut desk);
    // Both at once: what the settings say comes into force again, with another threshold and cash accounts.
    let cash = "receipt_threshold = \"90.00\"\ncash_accounts = [\"1000\"]\n";
    fs::write(&desk.paths().settings, format!("{SETTINGS}{cash}")).expect("settings");
    fs::write(desk.paths().config(), "{}").expect("a policy file");
    desk.reopen();
    work(&mut desk);
    assert_eq!(
        words(&mut desk),
        [
            "config.json was edited: receipts are needed above 90.00, before 75.00; receipt_required_accounts lost \"6310\"; \
             receipt_exempt_accounts lost \"6800\"; cash_accounts gained \"1000\"",
            "wanderbooks.toml was edited",
            "config.json was edited: receipt_required_accounts gained \"6310\"; receipt_exempt_accounts gained \"6800\"",
            "wanderbooks.toml was edited",
            "config.json came into force: receipts are needed above 75.00, before 50.00",
            "wanderbooks.toml was edited: receipts are needed above 50.00, before 99999999999.00",
        ]
    );
}

/// Accounts that were renumbered or changed are told, with the codes and the standing that they got; one that was added is not.
#[test]
fn accounts() {
    let mut desk = desk();
    let args = json!({"account": "6800", "code": "6805"});
    desk.ok("books.renumber_account", args);
    let args = json!({"account": "6805", "name": "Old costs", "archived": true});
    desk.ok("books.update_account", args);
    desk.accounts(&["6900 expense -"]);
    assert_eq!(
        words(&mut desk),
        [
            "account \"6805\" was renamed \"Old costs\", archived",
            "account \"6800\" was renumbered to \"6805\"",
        ]
    );
    assert_eq!(changes(&mut desk, "2026-11-20").len(), 2);
    let verified = desk.ok("books.verify", json!({}));
    assert_eq!(verified["status"], "ok", "{verified}");
}

/// spec/reliability.md 8.1: an older state that was accepted is told with the reason and with what had been seen.
#[test]
fn an_older_state_that_was_accepted() {
    let mut desk = desk();
    let database = desk.paths().database();
    desk.close();
    let older = fs::read(&database).expect("a database");
    desk.reopen();
    work(&mut desk);
    desk.close();
    fs::remove_file(desk.paths().mirror()).expect("moved away");
    fs::write(&database, older).expect("an older database");
    desk.reopen();
    let args = json!({"accept": true, "reason": "The disk broke"});
    desk.ok("restore", args);
    assert_eq!(
        words(&mut desk),
        [
            "the books as they stand here were accepted, though event 10 had been seen: \"The disk broke\""
        ]
    );
}

/// Of many changes the newest twenty are named, and all are counted.
#[test]
fn many() {
    let mut desk = desk();
    for n in 0..25 {
        let args = json!({"account": "6800", "name": format!("Costs {n}")});
        desk.ok("books.update_account", args);
    }
    let digest = desk.ok("books.digest", json!({}));
    let shown = digest["changes"].as_array().map(Vec::len);
    assert_eq!((shown, &digest["changes_total"]), (Some(20), &json!(25)));
    let newest = "account \"6800\" was renamed \"Costs 24\"";
    assert_eq!(digest["changes"][0]["description"], newest);
    let sheet = desk.sheet("books.digest", json!({}));
    let last = sheet.tables.last().and_then(|t| t.title.clone());
    assert_eq!(last.as_deref(), Some("Changed: 25, of which the newest 20"));
}
