//! Drills: what is compared, what stays of them, and what is noted of backups.

use super::*;

/// A drill compares every reading tool that needs no argument and every register, leaves nothing behind, and is noted apart
/// from backups; with a target the backup stays.
#[test]
fn drills() {
    let mut desk = small();
    let place = desk.folder.path().to_owned();
    let names = |place: &std::path::Path| {
        let mut names: Vec<String> = fs::read_dir(place)
            .expect("a folder")
            .map(|e| {
                e.expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    };
    let answer = desk.ok("backup", json!({"drill": true}));
    let calls = answer["drill"]["calls"].as_array().expect("calls");
    for call in [
        "report trial-balance",
        "report balance-sheet",
        "report profit-and-loss",
        "chart list",
        "entry search",
        "books.account_register {\"account\":1}",
        "books.account_register {\"account\":2}",
    ] {
        assert!(calls.contains(&json!(call)), "{call}: {calls:?}");
    }
    assert_eq!(answer["drill"]["answers"], calls.len());
    assert_eq!(
        pick(&answer, &["target", "seq"]),
        json!({"target": null, "seq": 7})
    );
    assert_eq!(names(&place), ["books", "state"]);
    let standing = desk.backup_standing();
    assert_eq!((standing.last, standing.fault), (None, None));
    let target = place.join("copy");
    desk.ok("backup", json!({"target": target, "drill": true}));
    assert_eq!(names(&place), ["books", "copy", "state"]);
    let last = desk.backup_standing().last.expect("a backup");
    let at = "2026-11-30T08:51:40Z";
    assert_eq!(
        (
            last.at.as_str(),
            last.seq,
            last.behind,
            last.drilled.as_deref()
        ),
        (at, 7, 0, Some(at))
    );
    desk.post("2026-03-20", &["1000:dr:1.00", "3000:cr:1.00"]);
    let last = desk.backup_standing().last.expect("a backup");
    assert_eq!((last.seq, last.behind), (7, 1));
    let mut copy = desk.elsewhere(target);
    assert_eq!(trial_total(&mut copy), "300.00");
}

/// A backup asks for a target unless it is drilled, and a drill refuses the targets that a backup refuses; notes that cannot be
/// read say so and ask for a backup, and the next one writes them anew.
#[test]
fn refused_and_noted() {
    let mut desk = small();
    let (word, refusal) = desk.no("backup", json!({}));
    assert_eq!((word, &refusal["field"]), ("usage", &json!("target")));
    let books = desk.paths().root;
    for drill in [true, false] {
        let (word, refusal) = desk.no("backup", json!({"target": books, "drill": drill}));
        assert_eq!(
            (word, &refusal["code"]),
            ("refused", &json!("backup_target_exists"))
        );
    }
    desk.ok("backup", json!({"target": desk.folder.path().join("one")}));
    let state = fs::read_dir(desk.folder.path().join("state")).expect("a folder");
    let notes = state
        .flatten()
        .find(|e| e.file_name().to_string_lossy().starts_with("backup-"));
    fs::write(notes.expect("notes").path(), "{").expect("broken");
    let standing = desk.backup_standing();
    assert!(
        standing.last.is_none() && standing.fault.is_some(),
        "{standing:?}"
    );
    desk.ok("backup", json!({"target": desk.folder.path().join("two")}));
    assert!(desk.backup_standing().last.is_some());
}

/// What a killed drill left is swept by the next.
#[test]
fn after_killed_ones() {
    let mut desk = small();
    let left = desk.folder.path().join(".wb-drill-unfinished-1");
    fs::create_dir_all(left.join("restored/data")).expect("what was left");
    let answer = desk.ok("backup", json!({"drill": true}));
    assert_eq!(answer["notes"].as_array().map(Vec::len), Some(1));
    assert!(!left.exists());
}
