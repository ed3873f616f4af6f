//! What is no file where one must be, whichever part of the books it is: named with what to do about it, before anything is
//! written.

use std::os::unix::fs::symlink;

use super::*;

/// Puts a folder, a link to a device, links in a circle or a pipe in the place of a file.
fn put(kind: &str, path: &std::path::Path) {
    let taken = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
    taken.expect("room");
    match kind {
        "folder" => fs::create_dir(path).expect("a folder"),
        "device" => symlink("/dev/zero", path).expect("a link"),
        "circle" => symlink(path, path).expect("a link"),
        "file" => fs::write(path, "x").expect("a file"),
        _ => {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.expect("mkfifo").success());
        }
    }
}

/// The names in the folder around the books, and in their data folder.
fn around(desk: &Desk) -> Vec<String> {
    let names = |folder: PathBuf| {
        let listed = fs::read_dir(folder).expect("a folder");
        listed.map(|e| {
            e.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
    };
    let mut all: Vec<String> = names(desk.folder.path().to_owned()).collect();
    all.extend(names(data(desk)).filter(|name| !name.contains("-wal") && !name.contains("-shm")));
    all.sort();
    all
}

fn unfit((word, refusal): (&str, Value), path: &std::path::Path, case: &str) {
    assert_eq!(
        (word, &refusal["code"]),
        ("unavailable", &json!("unavailable")),
        "{case}: {refusal}"
    );
    let message = refusal["message"].as_str().expect("a message");
    let name = path.to_string_lossy();
    assert!(message.contains(&*name), "{case}: {message}");
    assert!(refusal["remedy_hint"].is_string(), "{case}: {refusal}");
}

/// A settings or policy file that is a folder, a device, a pipe or a circle of links, and a folder that is a file, keep a backup and a
/// drill from beginning: the answer names it and says what to do, and nothing is made anywhere.
#[test]
fn backups() {
    let cases = [
        ("wanderbooks.toml", ["folder", "device", "circle", "pipe"]),
        ("data/config.json", ["folder", "device", "circle", "pipe"]),
        ("data/blobs", ["file", "device", "circle", "pipe"]),
        ("inbox", ["file", "device", "circle", "pipe"]),
        ("vault", ["file", "device", "circle", "pipe"]),
    ];
    for (name, kinds) in cases {
        for kind in kinds {
            let mut desk = small();
            let path = desk.paths().root.join(name);
            put(kind, &path);
            let before = around(&desk);
            let target = desk.folder.path().join("copy");
            for args in [
                json!({"target": target}),
                json!({"target": target, "drill": true}),
                json!({"drill": true}),
            ] {
                let case = format!("{name} is a {kind}: {args}");
                unfit(desk.no("backup", args), &path, &case);
                assert_eq!(around(&desk), before, "{case}");
            }
        }
    }
}

/// A mirror that is no file keeps a repair from beginning, and is named; so is what stands in the way of the new database, and of
/// the mirror's own temporary file.
#[test]
fn repairs() {
    for kind in ["folder", "device", "circle", "pipe"] {
        let mut desk = small();
        desk.close();
        let mirror = desk.paths().mirror();
        put(kind, &mirror);
        fs::remove_file(desk.paths().database()).expect("no database");
        let before = around(&desk);
        unfit(desk.unrepaired(), &mirror, kind);
        assert_eq!(around(&desk), before, "{kind}");
    }
    let mut desk = small();
    desk.close();
    fs::remove_file(desk.paths().database()).expect("no database");
    let new = data(&desk).join("wanderbooks.rebuilding.db");
    put("folder", &new);
    unfit(desk.unrepaired(), &new, "rebuilding");
    fs::remove_dir(&new).expect("away");
    fs::create_dir(desk.paths().database()).expect("a folder");
    unfit(desk.unrepaired(), &desk.paths().database(), "database");
}

/// A mirror that is a folder is named whatever opens the books.
#[test]
fn mirrors() {
    for kind in ["folder", "circle", "pipe"] {
        let mut desk = small();
        desk.close();
        put(kind, &desk.paths().mirror());
        let (word, refusal) = desk.unopened();
        let message = refusal["message"].as_str().expect("a message");
        assert_eq!(word, "unavailable", "{kind}");
        assert!(message.contains("journal.jsonl"), "{kind}: {message}");
    }
}

/// A backup whose folder or manifest is none is named; nothing is made of it.
#[test]
fn restores() {
    let mut desk = small();
    let copy = desk.folder.path().join("copy");
    desk.ok("backup", json!({"target": copy}));
    let into = desk.folder.path().join("again");
    let file = desk.folder.path().join("file");
    put("file", &file);
    let circle = desk.folder.path().join("circle");
    put("circle", &circle);
    for path in [&file, &circle] {
        let args = json!({"backup": path, "into": into});
        let no = desk.on_site("restore", args).err().expect("a refusal");
        let value = no.to_value();
        assert!(
            matches!(no, wanderbooks::engine::No::Unavailable(_)),
            "{value}"
        );
        let message = value["message"].as_str().expect("a message");
        assert!(message.contains(&*path.to_string_lossy()), "{message}");
        assert!(!into.exists());
    }
    put("folder", &copy.join("MANIFEST.json"));
    let args = json!({"backup": copy, "into": into});
    let no = desk.on_site("restore", args).err().expect("a refusal");
    assert_eq!(no.to_value()["code"], "backup_damaged");
    assert!(!into.exists());
}

/// A stored file in whose place something else stands is a lost one, in a verification and in a backup.
#[test]
fn stored_files() {
    for kind in ["folder", "device", "pipe"] {
        let mut desk = small();
        let text = "Zm9v";
        desk.ok(
            "receipt attach",
            json!({"file_name": "a.txt", "mime_type": "text/plain", "content_base64": text}),
        );
        let blobs = desk.paths().blobs();
        let name = fs::read_dir(&blobs)
            .expect("a folder")
            .map(|e| {
                e.expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .find(|name| name.len() == 64)
            .expect("a stored file");
        put(kind, &blobs.join(&name));
        let (word, refusal) = desk.no("books.verify", json!({}));
        assert_eq!(
            (word, &refusal["sha256"]),
            ("damaged", &json!([name])),
            "{kind}"
        );
        let target = desk.folder.path().join("copy");
        let made = desk.ok("backup", json!({"target": target}));
        assert_eq!(made["lost"], json!([name]), "{kind}: {made}");
    }
}
