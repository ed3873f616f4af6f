//! Backups: made, read back, refused.

use super::*;

/// A backup is a whole copy: it opens, verifies and has the same numbers, and its manifest names every file.
#[test]
fn backup() {
    let mut desk = small();
    let target = desk.folder.path().join("copy");
    let answer = desk.ok("backup", json!({"target": target}));
    let want = json!({"target": target, "seq": 7, "head": head_at(&desk, EVENTS), "files": 2});
    assert_eq!(pick(&answer, &["target", "seq", "head", "files"]), want);
    let manifest = fs::read(target.join("MANIFEST.json")).expect("a manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    assert_eq!(manifest["books_id"], answer["books_id"]);
    let bytes: u64 = ["data/wanderbooks.db", "wanderbooks.toml"]
        .iter()
        .map(|name| fs::metadata(target.join(name)).expect("a file").len())
        .sum();
    assert_eq!(answer["bytes"], bytes);
    let mut copy = desk.elsewhere(target);
    assert_eq!(trial_total(&mut copy), "300.00");
    let verified = copy.ok("books.verify", json!({}));
    assert_eq!(
        pick(&verified, &["status", "head"]),
        json!({"status": "ok", "head": answer["head"]})
    );
}

/// A target that exists, lies inside the books or has no parent is refused, and nothing is made.
#[test]
fn backup_targets() {
    let mut desk = small();
    let folder = desk.folder.path().to_owned();
    let taken = folder.join("taken");
    fs::create_dir(&taken).expect("a folder");
    let cases = [
        (taken, "backup_target_exists"),
        (folder.join("books").join("copy"), "backup_target_inside"),
        (folder.join("books/data/copy"), "backup_target_inside"),
        (
            folder.join("nowhere").join("copy"),
            "backup_target_has_no_parent",
        ),
    ];
    for (target, code) in cases {
        let before = target.exists();
        let (kind, refusal) = desk.no("backup", json!({"target": target}));
        assert_eq!((kind, &refusal["code"]), ("refused", &json!(code)));
        assert_eq!(target.exists(), before);
    }
}

/// Books that are damaged or differ from their journal are not copied as if they were good, and no half a backup is left.
#[test]
fn backup_of_damaged() {
    let changes = [
        format!("{LET_EVENTS_CHANGE} UPDATE event SET body=body||' ' WHERE seq=3;"),
        "UPDATE line SET amount=amount+1 WHERE entry_id=2 AND idx=0".to_owned(),
    ];
    for change in changes {
        let mut desk = small();
        desk.tamper(&change);
        let target = desk.folder.path().join("copy");
        let (kind, _) = desk.no("backup", json!({"target": target}));
        assert_eq!(kind, "damaged", "{change}");
        assert!(!target.exists(), "{change}");
    }
}

/// The names in a folder.
pub(super) fn names(place: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(place)
        .expect("a folder")
        .map(|f| {
            f.expect("an entry")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    names
}

/// What killed backups left is swept by the next backup beside it, which says so; what a living process holds, what is no
/// folder and what has another name stay.
#[test]
fn backup_after_killed_ones() {
    let mut desk = small();
    let place = desk.folder.path().join("copies");
    for n in [1, 2, 17] {
        let left = place.join(format!(".wb-backup-unfinished-{n}"));
        fs::create_dir_all(left.join("data")).expect("what was left");
        fs::write(left.join("data/wanderbooks.db"), "half").expect("what was left");
    }
    fs::create_dir(place.join(".wb-backup-unfinished-mine")).expect("a folder");
    let elsewhere = desk.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    fs::write(elsewhere.join("kept"), "kept").expect("a file");
    std::os::unix::fs::symlink(&elsewhere, place.join(".wb-backup-unfinished-5")).expect("a link");
    let held = fs::File::open(place.join(".wb-backup-unfinished-2")).expect("a folder");
    rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).expect("held");
    let target = place.join("copy");
    let answer = desk.ok("backup", json!({"target": target}));
    assert_eq!(
        answer["notes"],
        json!([
            "2 folders named .wb-backup-unfinished-…, left beside the target by backups that were cut off, removed",
            "1 folder named .wb-backup-unfinished-… beside the target may be of a backup that was cut off, or still growing; remove by hand what no backup is at",
        ])
    );
    let stay = [
        ".wb-backup-unfinished-2",
        ".wb-backup-unfinished-5",
        ".wb-backup-unfinished-mine",
        "copy",
    ];
    assert_eq!(names(&place), stay);
    assert!(elsewhere.join("kept").exists());
    assert!(target.join("MANIFEST.json").exists());
    let (_, refusal) = desk.no("backup", json!({"target": target}));
    assert_eq!(refusal["code"], "backup_target_exists");
    drop(held);
    fs::remove_file(place.join(".wb-backup-unfinished-5")).expect("the link");
    desk.ok("backup", json!({"target": place.join("copy-2")}));
    let answer = desk.ok("backup", json!({"target": place.join("copy-3")}));
    assert_eq!(answer["notes"], Value::Null);
    assert_eq!(
        names(&place),
        [".wb-backup-unfinished-mine", "copy", "copy-2", "copy-3"]
    );
}
