//! Books made of backups, and backups that are refused: manipulated in every part, or with a target in the way.

use std::{os::unix::fs::PermissionsExt, path::Path};

use sha2::{Digest, Sha256};
use wanderbooks::model::hex;

use super::*;

/// A desk with a backup beside it, made after what `more` does.
fn backed_up(more: impl FnOnce(&mut Desk)) -> (Desk, PathBuf) {
    let mut desk = small();
    more(&mut desk);
    let target = desk.folder.path().join("copy");
    desk.ok("backup", json!({"target": target}));
    (desk, target)
}

fn restore(desk: &mut Desk, backup: &Path) -> Result<(Value, Desk), (&'static str, Value)> {
    let into = desk.folder.path().join("back");
    match desk.on_site("restore", json!({"backup": backup, "into": into})) {
        Ok((value, books)) => Ok((value, desk.beside(books))),
        Err(no) => Err((crate::books::kind(&no), no.to_value())),
    }
}

/// Everything in a folder by its path: mode, and of a file the bytes.
fn picture(folder: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let found = fs::symlink_metadata(&path).expect("an entry");
            let bytes = if found.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).expect("a file")
            };
            let name = path.strip_prefix(folder).expect("inside").to_owned();
            all.push((name, found.permissions().mode() & 0o7777, bytes));
        }
    }
    all.sort();
    all
}

/// Settings, policy file, sealed records and inbox come back with the books, private whatever they were; the books verify, can
/// be written to, and the answer holds head, sums and what was checked.
#[test]
fn everything_comes_back() {
    let (mut desk, backup) = backed_up(|desk| {
        let root = desk.paths().root;
        fs::create_dir_all(root.join("vault/v1")).expect("a folder");
        fs::write(root.join("vault/v1/record"), "sealed").expect("a record");
        fs::write(root.join("inbox/January statement.csv"), "a,b\n").expect("a file");
        fs::write(desk.paths().config(), "{}").expect("a policy file");
    });
    let (answer, mut back) = restore(&mut desk, &backup).expect("books");
    let head = head_at(&desk, EVENTS);
    let want = json!({
        "status": "restored", "seq": 7, "head": head, "last_at": "2026-11-30T08:51:40Z", "backup_at": "2026-11-30T08:51:40Z",
        "files": 5, "total_debit": "300.00", "total_credit": "300.00", "missing": null, "notes": null,
        "checked": [
            "manifest: every file's length and hash, and that there is no other file",
            "journal: the hash chain of 7 events",
            "tables: every row and the schema against a replay of the journal",
            "stored files: the hash of every one that the books name",
        ],
    });
    let keys = [
        "status",
        "seq",
        "head",
        "last_at",
        "backup_at",
        "files",
        "total_debit",
        "total_credit",
        "missing",
        "notes",
        "checked",
    ];
    assert_eq!(pick(&answer, &keys), want);
    let root = desk.folder.path().join("back");
    let read = |name: &str| fs::read_to_string(root.join(name)).expect(name);
    assert_eq!(read("vault/v1/record"), "sealed");
    assert_eq!(read("inbox/January statement.csv"), "a,b\n");
    assert_eq!(read("data/config.json"), "{}");
    let settings = crate::books::without_receipts("[company]\nname = \"Harbor Books\"\n");
    assert_eq!(read("wanderbooks.toml"), settings);
    let mirror = fs::read_to_string(desk.paths().mirror()).expect("a mirror");
    assert_eq!(read("data/journal.jsonl"), mirror);
    for (path, mode, _) in picture(&root) {
        let want = if root.join(&path).is_dir() {
            0o700
        } else {
            0o600
        };
        assert_eq!(mode, want, "{}", path.display());
    }
    assert_eq!(mended(&mut back), sound());
    back.post("2026-03-20", &["1000:dr:1.00", "3000:cr:1.00"]);
    assert_eq!(trial_total(&mut back), "301.00");
}

/// A target that exists or has no parent, a folder that is no backup, and words that say nothing are refused; nothing is made.
#[test]
fn targets() {
    let (mut desk, backup) = backed_up(|_| {});
    let place = desk.folder.path().to_owned();
    let before = picture(&backup);
    let cases = [
        (
            json!({"backup": backup, "into": place.join("books")}),
            "refused",
            "restore_target_exists",
        ),
        (
            json!({"backup": backup, "into": place.join("no/where")}),
            "refused",
            "restore_target_has_no_parent",
        ),
        (
            json!({"backup": backup, "into": backup.join("back")}),
            "refused",
            "restore_target_inside",
        ),
        (
            json!({"backup": place.join("books"), "into": place.join("back")}),
            "refused",
            "not_a_backup",
        ),
        (
            json!({"backup": place.join("none"), "into": place.join("back")}),
            "refused",
            "not_a_backup",
        ),
        (json!({"backup": backup}), "usage", "invalid_arguments"),
        (
            json!({"into": place.join("back")}),
            "usage",
            "invalid_arguments",
        ),
        (json!({}), "usage", "invalid_arguments"),
        (
            json!({"backup": backup, "into": place.join("back"), "reason": "x"}),
            "usage",
            "invalid_arguments",
        ),
    ];
    for (args, word, code) in cases {
        let no = desk
            .on_site("restore", args.clone())
            .err()
            .expect("a refusal");
        let found = (crate::books::kind(&no), no.to_value()["code"].clone());
        assert_eq!(found, (word, json!(code)), "{args}");
    }
    assert_eq!(picture(&backup), before);
    assert!(!place.join("back").exists());
}

/// What someone did to a backup, by its name.
type Change = fn(&Path, &mut Value);

fn file(manifest: &mut Value, path: &str, bytes: &[u8]) {
    let files = manifest["files"].as_array_mut().expect("files");
    files.retain(|f| f["path"] != path);
    files.push(json!({"path": path, "bytes": bytes.len(), "sha256": hex(&Sha256::digest(bytes))}));
}

/// Changes a backup's database by SQL and makes its manifest fit.
fn resealed(backup: &Path, manifest: &mut Value, sql: &str) {
    let path = backup.join("data/wanderbooks.db");
    let db = Connection::open(&path).expect("a database");
    db.execute_batch(sql).expect("changed");
    drop(db);
    file(
        manifest,
        "data/wanderbooks.db",
        &fs::read(path).expect("a database"),
    );
}

/// Every part of a backup, not as it was made.
static CHANGES: &[(&str, Change)] = &[
    ("settings changed", |b, _| {
        fs::write(b.join("wanderbooks.toml"), "x").expect("written")
    }),
    ("settings gone", |b, _| {
        fs::remove_file(b.join("wanderbooks.toml")).expect("removed")
    }),
    ("database gone", |b, _| {
        fs::remove_file(b.join("data/wanderbooks.db")).expect("removed")
    }),
    ("a file more", |b, _| {
        fs::write(b.join("vault/more"), "x").expect("written")
    }),
    ("a log beside the database", |b, _| {
        fs::write(b.join("data/wanderbooks.db-wal"), "").expect("written")
    }),
    ("a link in a file's place", |b, _| {
        fs::rename(b.join("wanderbooks.toml"), b.join("../settings")).expect("moved");
        std::os::unix::fs::symlink("../settings", b.join("wanderbooks.toml")).expect("a link");
    }),
    ("a folder in a file's place", |b, _| {
        fs::remove_file(b.join("wanderbooks.toml")).expect("removed");
        fs::create_dir(b.join("wanderbooks.toml")).expect("a folder");
    }),
    ("another length", |_, m| m["files"][0]["bytes"] = 1.into()),
    ("another hash", |_, m| {
        m["files"][0]["sha256"] = "0".repeat(64).into()
    }),
    ("a file outside", |b, m| {
        fs::write(b.join("../outside"), "x").expect("written");
        file(m, "../outside", b"x");
    }),
    ("an absolute path", |_, m| file(m, "/etc/hostname", b"x")),
    ("no part of books", |b, m| {
        fs::write(b.join("data/journal.jsonl"), "x").expect("written");
        file(m, "data/journal.jsonl", b"x");
    }),
    ("a file twice", |_, m| {
        let first = m["files"][0].clone();
        m["files"].as_array_mut().expect("files").push(first);
    }),
    ("no database named", |_, m| m["files"] = json!([])),
    ("an unknown key", |_, m| m["more"] = 1.into()),
    ("a missing key", |_, m| {
        drop(m.as_object_mut().expect("an object").remove("head"))
    }),
    ("lost things that are none", |_, m| {
        m["lost"] = json!(["../x"])
    }),
    ("other books", |_, m| m["books_id"] = "0".repeat(32).into()),
    ("another moment", |_, m| m["seq"] = 5.into()),
    ("another head", |_, m| m["head"] = "0".repeat(64).into()),
    ("a cent changed, manifest made to fit", |b, m| {
        resealed(b, m, "UPDATE line SET amount=amount+1 WHERE entry_id=2")
    }),
    ("a trigger planted, manifest made to fit", |b, m| {
        resealed(
            b,
            m,
            "CREATE TRIGGER t AFTER INSERT ON line BEGIN DELETE FROM line; END",
        );
    }),
    ("an event changed, manifest made to fit", |b, m| {
        resealed(
            b,
            m,
            &format!(
                "{LET_EVENTS_CHANGE} UPDATE event SET body=replace(body,'100.00','900.00') WHERE seq=6"
            ),
        );
    }),
    ("the last event dropped, manifest made to fit", |b, m| {
        resealed(
            b,
            m,
            &format!("{LET_EVENTS_CHANGE} DELETE FROM event WHERE seq=7"),
        );
    }),
    ("no journal, manifest made to fit", |b, m| {
        resealed(b, m, &format!("{LET_EVENTS_CHANGE} DELETE FROM event"))
    }),
    ("not a database, manifest made to fit", |b, m| {
        fs::write(b.join("data/wanderbooks.db"), "not a database at all").expect("written");
        file(m, "data/wanderbooks.db", b"not a database at all");
    }),
    ("an empty database, manifest made to fit", |b, m| {
        fs::write(b.join("data/wanderbooks.db"), "").expect("written");
        file(m, "data/wanderbooks.db", b"");
    }),
];

/// spec/reliability.md 6.7 and 8.2: every part of a backup that is not as it was made is refused as `backup_damaged` and no
/// books are made: files changed, gone or added, a manifest that lies, and a database that lies under a manifest made to fit.
#[test]
fn manipulated() {
    for (what, change) in CHANGES {
        let (mut desk, backup) = backed_up(|_| {});
        let path = backup.join("MANIFEST.json");
        let text = fs::read_to_string(&path).expect("a manifest");
        let mut manifest: Value = serde_json::from_str(&text).expect("JSON");
        change(&backup, &mut manifest);
        fs::write(&path, manifest.to_string()).expect("written");
        let Err((word, refusal)) = restore(&mut desk, &backup) else {
            panic!("{what}: restored");
        };
        assert_eq!(
            (word, &refusal["code"]),
            ("damaged", &json!("backup_damaged")),
            "{what}: {refusal}"
        );
        let left: Vec<_> = fs::read_dir(desk.folder.path())
            .expect("a folder")
            .collect();
        let made = left.iter().flatten().any(|e| {
            let name = e.file_name().to_string_lossy().into_owned();
            name == "back" || name.starts_with(".wb-")
        });
        assert!(!made, "{what}: something was made");
    }
}

/// Every byte of a manifest flipped, and every truncation of it, is refused, or reads as a manifest that says the same of
/// every file and of the books.
#[test]
fn every_byte_of_a_manifest() {
    let (mut desk, backup) = backed_up(|_| {});
    let path = backup.join("MANIFEST.json");
    let good = fs::read(&path).expect("a manifest");
    let (mut refused, mut harmless) = (0, 0);
    let flips = (0..good.len()).map(|at| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    });
    let cuts = (0..good.len()).map(|at| good[..at].to_vec());
    for bytes in flips.chain(cuts) {
        fs::write(&path, &bytes).expect("written");
        match restore(&mut desk, &backup) {
            Err((word, refusal)) => {
                assert_eq!(
                    (word, &refusal["code"]),
                    ("damaged", &json!("backup_damaged"))
                );
                refused += 1;
            }
            Ok((answer, _)) => {
                assert_eq!(answer["head"], head_at(&desk, EVENTS));
                fs::remove_dir_all(desk.folder.path().join("back")).expect("removed");
                harmless += 1;
            }
        }
    }
    // The time and the version say nothing of the files; white space between members is none of anyone's business.
    assert!(
        harmless < 60,
        "{harmless} changes were not noticed, {refused} were"
    );
}

/// What killed restores left is swept by the next one beside it.
#[test]
fn after_killed_ones() {
    let (mut desk, backup) = backed_up(|_| {});
    let left = desk.folder.path().join(".wb-restore-unfinished-3");
    fs::create_dir_all(left.join("data")).expect("what was left");
    let (answer, _) = restore(&mut desk, &backup).expect("books");
    let note = "1 folder named .wb-restore-unfinished-…, left beside the target by restores that were cut off, removed";
    assert_eq!(answer["notes"], json!([note]));
    assert!(!left.exists());
}

/// What was seen of the books after the backup is named, with its events and when it was seen; the books that came of it can
/// only be read while the newer ones may be had.
#[test]
fn newer_books_were_seen() {
    let (mut desk, backup) = backed_up(|_| {});
    for amount in ["1.00", "2.00"] {
        let (dr, cr) = (format!("1000:dr:{amount}"), format!("3000:cr:{amount}"));
        desk.post("2026-03-20", &[&dr, &cr]);
    }
    let newer = head_at(&desk, 9);
    let (answer, mut back) = restore(&mut desk, &backup).expect("books");
    let want = json!({"from_seq": 8, "to_seq": 9, "head": newer, "at": "2026-11-30T08:51:40Z"});
    assert_eq!(answer["missing"], want);
    let notes = answer["notes"].as_array().expect("notes");
    assert_eq!(notes.len(), 2, "{notes:?}");
    let first = "2 events, 8 to 9, are not here: these books were last seen with event 9, written 2026-11-30T08:51:40Z.";
    assert_eq!(notes[0], first);
    assert_eq!(back.alarm().as_deref(), Some("rolled_back"));
    assert_eq!(trial_total(&mut back), "300.00");
    let args = json!({"code": "6000", "name": "X", "type": "expense"});
    let (word, _) = back.no("books.add_account", args);
    assert_eq!(word, "damaged");
}
