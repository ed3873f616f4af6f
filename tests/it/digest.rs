//! The digest on real books: what was posted since a day of the journal's clock, and what else a human should look at.

mod changes;

use serde_json::{Value, json};

use crate::books::{Desk, pick};

const SETTINGS: &str =
    "[company]\nname = \"Acorn\"\ntax_form = \"schedule_c\"\n[books]\nclose_into = \"3000\"\n";

/// Books with an entry of March posted on 1 November and one posted on 20 November, 10:00 UTC each; and then a draft.
/// Events: 1 and 2 make the books, 3 to 6 the accounts, 7 and 8 post entries 1 and 2, 9 drafts entry 3.
fn desk() -> Desk {
    let mut desk = Desk::made_at(SETTINGS, "2026-11-01T10:00:00Z");
    desk.accounts(&[
        "1000 asset -",
        "3000 equity -",
        "4000 revenue -",
        "6800 expense -",
    ]);
    desk.post("2026-03-15", &["1000:dr:500.00", "3000:cr:500.00"]);
    desk.at("2026-11-20T10:00:00Z");
    desk.post("2026-11-19", &["1000:dr:80.00", "4000:cr:80.00"]);
    desk.ok(
        "books.draft_entry",
        json!({"date": "2026-11-20", "description": "Paper"}),
    );
    desk
}

fn ids(digest: &Value) -> Vec<i64> {
    let entries = digest["entries_posted"].as_array().expect("entries");
    let id = |entry: &Value| entry["entry_id"].as_i64().expect("an id");
    entries.iter().map(id).collect()
}

/// An entry counts by the day on which it was posted, whatever its own day; the answer holds who posted it, what the entries
/// come to on each account, and what waits.
#[test]
fn since_a_day_of_the_journal() {
    let mut desk = desk();
    desk.at("2026-11-30T09:30:00Z");
    desk.post("2026-02-01", &["6800:dr:30.25", "1000:cr:30.25"]);
    let digest = desk.ok("books.digest", json!({"since": "2026-11-20"}));
    let posted = |(id, date, total, at, seq): (i64, &str, &str, &str, i64)| {
        json!({"seq": seq, "at": at, "by": "test", "entry_id": id, "date": date, "description": "Test entry", "total": total,
            "origin": "manual"})
    };
    let total = |(code, debits, credits, net): (&str, &str, &str, &str)| json!({"code": code, "name": format!("A{code}"), "debits": debits, "credits": credits, "net": net, "side": if code == "4000" { "credit" } else { "debit" }});
    let entries = [
        posted((4, "2026-02-01", "30.25", "2026-11-30T09:30:00Z", 10)),
        posted((2, "2026-11-19", "80.00", "2026-11-20T10:00:00Z", 8)),
    ];
    // Net: 80.00 − 30.25 debit on the bank; revenue and expense on their normal sides.
    let totals = [
        total(("1000", "80.00", "30.25", "49.75")),
        total(("4000", "0.00", "80.00", "80.00")),
        total(("6800", "30.25", "0.00", "30.25")),
    ];
    let mut want = json!({
        "since": "2026-11-20", "entries_posted": entries, "total": 2, "truncated": false, "totals_by_account": totals,
        "drafts_waiting": [{"entry_id": 3, "date": "2026-11-20", "description": "Paper"}], "drafts_total": 1,
        "changes": [], "changes_total": 0, "settings_problems": [], "stale_rules": [], "unreconciled_accounts": [], "backup_due": true, "seq": 10,
    });
    want["head"] = digest["head"].clone();
    assert_eq!(digest, want);
    assert_eq!(digest["head"].as_str().map(str::len), Some(20));
    let all = desk.ok("books.digest", json!({"since": "2026-11-01"}));
    assert_eq!(ids(&all), [4, 2, 1]);
    // Between two days on which something was written, the next one begins.
    let later = desk.ok("books.digest", json!({"since": "2026-11-21"}));
    assert_eq!(ids(&later), [4]);
    // Without a day, the last week counts: from 23 November.
    let week = desk.ok("books.digest", json!({}));
    assert_eq!(
        (ids(&week), &week["since"]),
        (vec![4], &json!("2026-11-23"))
    );
}

/// A draft that was posted has gone from what waits, and counts on the day on which it was posted; a reversal counts as it is.
#[test]
fn drafts_and_reversals() {
    let mut desk = desk();
    desk.at("2026-11-30T09:30:00Z");
    for (account, side) in [("6800", "debit"), ("1000", "credit")] {
        let line = json!({"entry_id": 3, "account": account, "side": side, "amount": "7.00"});
        desk.ok("books.add_line", line);
    }
    desk.ok("books.post_entry", json!({"entry_id": 3}));
    desk.ok(
        "books.reverse_entry",
        json!({"entry_id": 2, "date": "2026-11-30"}),
    );
    let digest = desk.ok("books.digest", json!({"since": "2026-11-30"}));
    let origins: Vec<&str> = digest["entries_posted"]
        .as_array()
        .expect("entries")
        .iter()
        .filter_map(|entry| entry["origin"].as_str())
        .collect();
    assert_eq!(
        (ids(&digest), origins),
        (vec![4, 3], vec!["reversal", "manual"])
    );
    assert_eq!(
        pick(&digest, &["drafts_waiting", "drafts_total"]),
        json!({"drafts_waiting": [], "drafts_total": 0})
    );
}

/// Entries come in pages, and the totals are those of all of them.
#[test]
fn pages() {
    let mut desk = desk();
    let args = json!({"since": "2026-11-01", "limit": 1});
    let first = desk.ok("books.digest", args);
    let extent = pick(&first, &["total", "truncated", "next_offset"]);
    assert_eq!(
        extent,
        json!({"total": 2, "truncated": true, "next_offset": 1})
    );
    assert_eq!(ids(&first), [2]);
    let bank = &first["totals_by_account"][0];
    let want = json!({"code": "1000", "debits": "580.00", "credits": "0.00"});
    assert_eq!(pick(bank, &["code", "debits", "credits"]), want);
    let second = desk.ok(
        "books.digest",
        json!({"since": "2026-11-01", "limit": 1, "offset": 1}),
    );
    assert_eq!(
        (ids(&second), &second["truncated"]),
        (vec![1], &json!(false))
    );
    for n in 0..12 {
        let draft = json!({"date": "2026-11-20", "description": format!("Draft {n}")});
        desk.ok("books.draft_entry", draft);
    }
    let many = desk.ok("books.digest", json!({"since": "2026-11-20"}));
    let shown = many["drafts_waiting"].as_array().map(Vec::len);
    assert_eq!((&many["drafts_total"], shown), (&json!(13), Some(10)));
    assert_eq!(many["drafts_waiting"][0]["description"], "Paper");
}

/// spec/reliability.md E6: what was written while the clock was set back follows in the journal's order and is not lost, and
/// a clock that stands before what is written is told.
#[test]
fn clocks_set_back() {
    let mut desk = desk();
    desk.at("2026-01-05T10:00:00Z");
    let digest = desk.ok("books.digest", json!({"since": "2026-01-05"}));
    let warning = digest["clock_warning"].as_str().expect("a warning");
    assert!(
        warning.starts_with("The clock stands at 2026-01-05T10:00:00Z, but event 9, the last one, was written at 2026-11-20T10:00:00Z."),
        "{warning}"
    );
    desk.post("2026-01-04", &["1000:dr:1.00", "4000:cr:1.00"]);
    // The day of the posting is in January; it follows what was written on 20 November.
    let digest = desk.ok("books.digest", json!({"since": "2026-11-20"}));
    assert_eq!(ids(&digest), [4, 2]);
    let warning = digest["clock_warning"].as_str().expect("a warning");
    assert!(
        warning.starts_with("Event 8 was written on 2026-11-20,"),
        "{warning}"
    );
    desk.at("2026-11-30T09:30:00Z");
    let digest = desk.ok("books.digest", json!({"since": "2026-11-20"}));
    assert_eq!(
        (ids(&digest), digest.get("clock_warning")),
        (vec![4, 2], None)
    );
    // Both ways to the tables agree: as it happened, and folded again from the journal.
    let verified = desk.ok("books.verify", json!({}));
    assert_eq!(verified["status"], "ok", "{verified}");
}

/// A day that has not come yet is refused: an answer would say that nothing was done.
#[test]
fn days_to_come() {
    let mut desk = desk();
    let (kind, refused) = desk.no("books.digest", json!({"since": "2026-11-21"}));
    assert_eq!(
        (kind, &refused["field"]),
        ("usage", &json!("since")),
        "{refused}"
    );
    let message = refused["message"].as_str().expect("a message");
    assert!(
        message.contains("2026-11-21 has not come yet; today is 2026-11-20"),
        "{message}"
    );
}

/// An edit that is not in force stands first among the problems of the settings, which the digest repeats.
#[test]
fn problems_of_settings() {
    let mut desk = desk();
    desk.settle(&SETTINGS.replace("3000", "3001"));
    desk.post("2026-11-20", &["1000:dr:1.00", "4000:cr:1.00"]);
    let problem = "The settings close into 3001, which is no equity account of the chart. Name an equity account of the chart, or \
                   add this one.";
    let of = |desk: &mut Desk| desk.ok("books.digest", json!({}))["settings_problems"].clone();
    assert_eq!(of(&mut desk), json!([problem]));
    desk.settle("[company\n");
    let found = of(&mut desk);
    let error = desk.ok("books.settings", json!({}))["reload_error"].clone();
    assert_eq!(found, json!([error, problem]));
    // The terminal tells why before every page, so the page does not tell it again.
    let notes = desk.sheet("books.digest", json!({})).notes;
    let said = error.as_str().expect("an error");
    assert!(!notes.iter().any(|note| note == said), "{notes:?}");
    assert!(
        notes
            .iter()
            .any(|note| note.starts_with("The last good settings are in force")),
        "{notes:?}"
    );
    let file = desk.paths().settings;
    let error = error.as_str().expect("an error");
    assert!(
        error.contains(&*file.to_string_lossy()) && error.contains("line 1"),
        "{error}"
    );
}

/// The page has a section for each part that has something to say.
#[test]
fn the_page() {
    let mut desk = desk();
    desk.settle(&format!("{SETTINGS}receipt_threshold = \"25.00\"\n"));
    desk.post("2026-11-20", &["1000:dr:1.00", "4000:cr:1.00"]);
    let sheet = desk.sheet("books.digest", json!({"since": "2026-11-20"}));
    let titles: Vec<&str> = sheet
        .tables
        .iter()
        .filter_map(|t| t.title.as_deref())
        .collect();
    let want = ["Posted", "By account", "Drafts waiting: 1", "Changed: 1"];
    assert_eq!(
        (sheet.title.as_str(), titles.as_slice()),
        ("Digest since 2026-11-20", want.as_slice())
    );
    let due = "No backup of these books is known here. One is due: `wb backup`.";
    assert_eq!(sheet.notes, [due]);
    let none =
        Desk::new("USD", "", "2026-11-30").sheet("books.digest", json!({"since": "2026-11-30"}));
    assert_eq!(
        (none.tables.len(), none.notes),
        (0, vec!["Nothing was posted since 2026-11-30.".to_owned()])
    );
}
