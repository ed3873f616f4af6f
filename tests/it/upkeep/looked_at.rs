//! Backups that are opened as books, and backups with damaged files: looked at, and never spoiled.

use std::{path::Path, process::Command};

use data_encoding::BASE64;

use super::*;
use crate::stage::{Said, Stage};

/// Everything in a folder, by its path, with the bytes.
fn picture(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => all.push((path.clone(), fs::read(&path).expect("a file"))),
            }
        }
    }
    all.sort();
    all
}

/// A backup that is opened as books answers and verifies, takes no change, and says how to restore it; not a byte of it changes, no
/// file comes, whatever was seen of the books since, and it is restored afterwards.
#[test]
fn a_backup_is_only_looked_at() {
    let stage = Stage::small();
    stage.must("backup {here}/copy");
    stage.must("account add 1010 Savings --type asset");
    let copy = stage.here().join("copy");
    let before = picture(&copy);
    for words in [
        "chart list",
        "verify",
        "settings show",
        "digest",
        "report trial-balance",
    ] {
        let said = at(&stage, &copy, words);
        assert_eq!(said.exit, 0, "{words}: {said:?}");
    }
    for words in [
        "entry draft Paper --date 2026-01-10",
        "account add 1020 Cash --type asset",
        "restore --accept --reason x",
        "repair --from-mirror",
    ] {
        let said = at(&stage, &copy, words);
        assert_eq!(said.exit, 4, "{words}: {said:?}");
        assert!(
            said.err
                .contains("this is a backup; restore it with `wb restore"),
            "{said:?}"
        );
    }
    assert_eq!(picture(&copy), before);
    stage.must("restore {here}/copy --into {here}/back");
    let back = stage.here().join("back");
    assert_eq!(at(&stage, &back, "chart list").exit, 0);
}

/// The same of a process of its own, which another may kill: nothing is left beside the database.
#[test]
fn nothing_is_left_beside_it() {
    let stage = Stage::small();
    stage.must("backup {here}/copy");
    let copy = stage.here().join("copy");
    let before = picture(&copy);
    let ran = Command::new(env!("CARGO_BIN_EXE_wb"))
        .env_clear()
        .env("HOME", stage.here())
        .arg("--books")
        .arg(&copy)
        .arg("verify")
        .output()
        .expect("it runs");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(picture(&copy), before);
}

/// Runs `wb` with these words on the books of a folder.
fn at(stage: &Stage, books: &Path, line: &str) -> Said {
    let books = books.to_string_lossy().into_owned();
    let mut words = vec!["--books".to_owned(), books];
    words.extend(line.split_whitespace().map(str::to_owned));
    stage.run(words)
}

const PDF: &[u8] = b"%PDF-1.4\nTaxi 12.00\n";
const OTHER: &[u8] = b"%PDF-1.4\nTrain 9.00\n";

/// Books with two receipts, and the hashes of their files.
fn with_receipts() -> (Desk, [String; 2]) {
    let mut desk = small();
    let hashes = [("taxi.pdf", PDF), ("train.pdf", OTHER)].map(|(name, bytes)| {
        let file = json!({"file_name": name, "content_base64": BASE64.encode(bytes)});
        let filed = desk.ok("books.attach_receipt", file);
        filed["sha256"].as_str().expect("a hash").to_owned()
    });
    (desk, hashes)
}

/// A backup of which only stored files are damaged or gone is refused naming them, with the way out; with that way, books are made
/// of all the rest, the files and the receipts that they are named, and the books tell them as lost. What else is damaged is
/// refused all the same.
#[test]
fn without_damaged_files() {
    let (mut desk, [taxi, train]) = with_receipts();
    let backup = desk.folder.path().join("copy");
    desk.ok("backup", json!({"target": backup}));
    let blobs = backup.join("data/blobs");
    fs::write(blobs.join(&taxi), "x").expect("damaged");
    fs::remove_file(blobs.join(&train)).expect("gone");
    let into = desk.folder.path().join("back");
    let args = json!({"backup": backup, "into": into});
    let no = desk
        .on_site("restore", args)
        .err()
        .expect("a refusal")
        .to_value();
    let files = json!([format!("data/blobs/{train}"), format!("data/blobs/{taxi}")]);
    assert_eq!(
        (&no["code"], &no["files"]),
        (&json!("backup_damaged"), &files)
    );
    assert!(
        no["remedy_hint"]
            .to_string()
            .contains("--without-damaged-files"),
        "{no}"
    );
    let args = json!({"backup": backup, "into": into, "without_damaged_files": true});
    let (answer, books) = desk.on_site("restore", args.clone()).expect("books");
    let told = |sha256: &str, id: i64, name: &str| json!({"file": format!("data/blobs/{sha256}"), "receipts": [{"attachment_id": id, "file_name": name}]});
    let mut want = [told(&taxi, 1, "taxi.pdf"), told(&train, 2, "train.pdf")];
    want.sort_by_key(|file| file["file"].to_string());
    assert_eq!(answer["left_out"], json!(want));
    assert_eq!(answer["files"], 2);
    let mut back = desk.beside(books);
    let (_, no) = back.no("books.verify", json!({}));
    assert_eq!(
        (&no["code"], &no["files"]),
        (&json!("stored_files_damaged"), &json!(want))
    );
    fs::remove_dir_all(&into).expect("removed");
    fs::write(backup.join("wanderbooks.toml"), "x").expect("damaged");
    let no = desk
        .on_site("restore", args)
        .err()
        .expect("a refusal")
        .to_value();
    assert_eq!(
        (&no["code"], &no["file"]),
        (&json!("backup_damaged"), &json!("wanderbooks.toml"))
    );
}

/// A lost file is mended by attaching the same bytes once more: both receipts have it. Until then verification names it, also where
/// heads that were seen are answered, and no hint leads to the mirror, which holds no files.
#[test]
fn attached_once_more() {
    let (mut desk, [taxi, _]) = with_receipts();
    let blob = desk.paths().blobs().join(&taxi);
    fs::remove_file(&blob).expect("gone");
    let head = format!("3:{}", head_at(&desk, 3));
    let (_, no) = desk.no("books.verify", json!({"expect_head": [head]}));
    assert_eq!(no["expected"], json!([{"seq": 3, "answer": "extends"}]));
    let message = no["message"].as_str().expect("a message");
    assert!(
        message.ends_with("; the journal goes on from event 3 as it was seen"),
        "{message}"
    );
    let (_, unread) = desk.no("books.get_receipt", json!({"attachment_id": 1}));
    for no in [no, unread] {
        let hint = no["remedy_hint"].as_str().expect("a hint");
        assert!(
            !hint.contains("repair") && hint.contains("data/blobs"),
            "{hint}"
        );
    }
    let file = json!({"file_name": "again.pdf", "content_base64": BASE64.encode(PDF)});
    desk.ok("books.attach_receipt", file);
    assert_eq!(fs::read(blob).expect("a file"), PDF);
    assert_eq!(mended(&mut desk), sound());
    desk.ok("books.get_receipt", json!({"attachment_id": 1}));
}

/// At the terminal a damaged file of a backup and a lost file of the books are named, the latter with its receipt.
#[test]
fn files_are_named_at_the_terminal() {
    let stage = Stage::small();
    stage.put("taxi.pdf", PDF);
    stage.must("receipt attach {here}/taxi.pdf");
    stage.must("backup {here}/copy");
    let blobs = |books: &str| {
        let folder = stage.here().join(books).join("data/blobs");
        let mut names = fs::read_dir(folder).expect("a folder");
        names.next().expect("a file").expect("an entry").path()
    };
    fs::write(blobs("copy"), "x").expect("damaged");
    let said = stage.wb("restore {here}/copy --into {here}/back");
    let name = blobs("copy")
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    assert!(
        said.err.contains(&format!("\n    \"data/blobs/{name}\"\n")),
        "{said:?}"
    );
    fs::remove_file(blobs("books")).expect("gone");
    let said = stage.wb("verify");
    assert_eq!(said.exit, 5);
    assert!(
        said.err.contains(&format!(
            "\n    data/blobs/{name}: receipt 1 \"taxi.pdf\"\n"
        )),
        "{said:?}"
    );
}
