//! Settings that are edited while they are in use: what is in force when, and what is said of it. What the journal is told
//! is in `told.rs`.

mod told;

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use rusqlite::Connection;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wanderbooks::store::Paths;

use crate::{
    stage::Stage,
    wire::client::{Client, Era},
};

fn file(stage: &Stage) -> PathBuf {
    Paths::within(&stage.books()).settings
}

fn text(stage: &Stage) -> String {
    fs::read_to_string(file(stage)).expect("settings")
}

/// The settings file with another company's name.
fn rename(stage: &Stage, name: &str) {
    let old = text(stage);
    let lines = old.lines().map(|line| match line.starts_with("name = ") {
        true => format!("name = \"{name}\"\n"),
        false => format!("{line}\n"),
    });
    fs::write(file(stage), lines.collect::<String>()).expect("settings are written");
}

/// The journal, as its mirror has it.
fn journal(stage: &Stage) -> Vec<Value> {
    let mirror = fs::read_to_string(Paths::within(&stage.books()).mirror()).expect("a mirror");
    let line = |line| serde_json::from_str(line).expect("a line of JSON");
    mirror.lines().map(line).collect()
}

fn settings(client: &mut Client) -> Value {
    client.tool("books.settings", json!({})).expect("settings")
}

fn draft(description: &str) -> Value {
    json!({"date": "2026-01-05", "description": description})
}

const LAST_GOOD: &str = "the last good settings are in force";

/// An edit is in force at the next call of a server that runs, for every tool, and is counted.
#[test]
fn an_edit_is_in_force_at_once() {
    let stage = Stage::small();
    for era in [Era::Handshake, Era::Stateless] {
        rename(&stage, "Acorn");
        let mut client = Client::of(&stage, era);
        let of = |settings: &Value| {
            (
                settings["company"].clone(),
                settings["loads"].clone(),
                settings.get("reload_error").cloned(),
            )
        };
        assert_eq!(of(&settings(&mut client)), (json!("Acorn"), json!(1), None));
        rename(&stage, "Oak");
        let sheet = client
            .tool("books.balance_sheet", json!({}))
            .expect("a balance sheet");
        assert_eq!(sheet["company"], "Oak");
        assert_eq!(of(&settings(&mut client)), (json!("Oak"), json!(2), None));
        // The same content written again is no edit.
        fs::write(file(&stage), text(&stage)).expect("settings are written");
        assert_eq!(of(&settings(&mut client)), (json!("Oak"), json!(2), None));
        assert_eq!(client.leave(), "");
    }
}

/// A way to spoil a file, and what is then told of it.
type Spoiled = (&'static str, Option<Vec<u8>>, &'static str);

/// What can be wrong with the settings file, as bytes (none: it is gone), and a part of the reason.
fn spoiled() -> Vec<Spoiled> {
    let head = "[company]\nname = \"Big\"\n#";
    let over = format!("{head}{}", "x".repeat((1 << 20) + 1 - head.len()));
    vec![
        (
            "broken TOML",
            Some(b"[company]\nname = \n".to_vec()),
            "line 2",
        ),
        (
            "an unknown key",
            Some(b"[company]\ncolour = \"red\"\n".to_vec()),
            "colour",
        ),
        (
            "a wrong value",
            Some(b"[books]\nreceipt_threshold = \"-1\"\n".to_vec()),
            "receipt_threshold",
        ),
        (
            "bytes that are no text",
            Some(b"[company]\nname = \"\xff\"\n".to_vec()),
            "it is not UTF-8 text",
        ),
        (
            "more than is read",
            Some(over.into_bytes()),
            "over 1048576 bytes long",
        ),
        ("no file", None, "it is not there any more"),
    ]
}

/// The same of the policy file, which may be absent.
fn spoiled_policy() -> [Spoiled; 2] {
    let over = vec![b' '; (1 << 20) + 1];
    [
        (
            "a policy that is no text",
            Some(vec![0xff]),
            "it is not UTF-8 text",
        ),
        ("too much policy", Some(over), "over 1048576 bytes long"),
    ]
}

fn put(path: &Path, bytes: Option<&Vec<u8>>) {
    match bytes {
        Some(bytes) => fs::write(path, bytes).expect("a file is written"),
        None => fs::remove_file(path).expect("a file is taken away"),
    }
}

/// Whatever is wrong with an edit, the last good settings stay in force: the answer names the file and the reason, changes go
/// on, standard error tells it once; what is mended is in force again and counted.
#[test]
fn a_bad_edit_leaves_the_last_good() {
    let stage = Stage::small();
    let good = text(&stage).into_bytes();
    let path = file(&stage);
    let config = Paths::within(&stage.books()).config();
    let mut edits: Vec<(PathBuf, Spoiled)> = Vec::new();
    edits.extend(spoiled().into_iter().map(|s| (path.clone(), s)));
    edits.extend(spoiled_policy().map(|s| (config.clone(), s)));
    let mut client = Client::of(&stage, Era::Stateless);
    client.works();
    let mut loads = 1;
    let count = edits.len();
    for (file, (what, bytes, why)) in edits {
        put(&file, bytes.as_ref());
        for _ in 0..2 {
            let found = settings(&mut client);
            let error = found["reload_error"].as_str().expect("an error");
            assert!(
                error.contains(&*file.to_string_lossy()) && error.contains(why),
                "{what}: {error}"
            );
            assert_eq!(
                (&found["company"], &found["loads"]),
                (&json!("Acorn"), &json!(loads)),
                "{what}"
            );
            assert_eq!(found["books_toml_exists"], json!(path.exists()), "{what}");
        }
        let before = stage.events();
        client
            .tool("books.draft_entry", draft(what))
            .expect("a draft");
        assert_eq!(
            stage.events(),
            before + 1,
            "{what}: the last good settings are no news"
        );
        let digest = client.tool("books.digest", json!({})).expect("a digest");
        let told = digest["settings_problems"][0].as_str().expect("a problem");
        assert!(told.contains(why), "{what}: {told}");
        if file == config {
            put(&config, None);
        } else {
            put(&path, Some(&good));
        }
        loads += 1;
        let found = settings(&mut client);
        assert_eq!(
            (found.get("reload_error"), &found["loads"]),
            (None, &json!(loads)),
            "{what}"
        );
    }
    let told = client.leave();
    assert_eq!(told.lines().count(), count, "{told}");
    assert!(told.lines().all(|line| line.ends_with(LAST_GOOD)), "{told}");
    stage.must("verify");
}

/// A settings file of exactly a mebibyte is read; one byte more is not, which [`spoiled`] has.
#[test]
fn a_mebibyte_is_read() {
    let stage = Stage::small();
    let text = text(&stage);
    let padding = "#".repeat((1 << 20) - text.len());
    fs::write(file(&stage), format!("{text}{padding}")).expect("settings are written");
    let found = stage.must("settings show --json").json();
    assert_eq!(
        (&found["company"], found.get("reload_error")),
        (&json!("Acorn"), None)
    );
}

/// A verb that meets settings that make no sense warns and goes by the last good ones, which stand in the journal; a change
/// is made by them and says nothing of the bad ones.
#[test]
fn verbs_go_by_the_last_good() {
    for (what, bytes, why) in spoiled() {
        let stage = Stage::small();
        put(&file(&stage), bytes.as_ref());
        let said = stage.wb("report balance-sheet --json");
        assert_eq!(
            (said.exit, &said.json()["company"]),
            (0, &json!("Acorn")),
            "{what}: {said:?}"
        );
        let warning = said.err.trim_end();
        let whole = warning.starts_with("wb: warning: ")
            && warning.ends_with(LAST_GOOD)
            && warning.contains(why);
        assert!(whole && warning.lines().count() == 1, "{what}: {warning}");
        let before = stage.events();
        let said = stage.wb("entry draft Paper --date 2026-01-05");
        assert_eq!(
            (said.exit, stage.events()),
            (0, before + 1),
            "{what}: {said:?}"
        );
    }
}

/// Settings that were in force when another process saw them, and never written into the journal, are not the last good ones
/// of a new process: those of the journal are.
#[test]
fn the_journal_keeps_the_last_good() {
    let stage = Stage::small();
    rename(&stage, "Oak");
    stage.must("entry draft Paper --date 2026-01-05");
    put(&file(&stage), None);
    let found = stage.wb("settings show --json").json();
    assert_eq!(
        (&found["company"], &found["loads"]),
        (&json!("Oak"), &json!(0))
    );
    assert_eq!(found["books_toml_exists"], json!(false));
}

/// A server that meets a bad edit goes by what is good and last in the journal, also where another process wrote it there after
/// the server had looked at the file; it does not write its own older settings down again.
#[test]
fn the_last_good_of_all_processes() {
    let stage = Stage::small();
    let mut client = Client::of(&stage, Era::Handshake);
    assert_eq!(settings(&mut client)["company"], "Acorn");
    rename(&stage, "Elm");
    stage.must("account add 1010 Savings --type asset");
    put(&file(&stage), Some(&b"[company\n".to_vec()));
    assert_eq!(settings(&mut client)["company"], "Elm");
    let before = stage.events();
    client
        .tool("books.draft_entry", draft("Paper"))
        .expect("a draft");
    assert_eq!(stage.events(), before + 1);
    assert!(client.leave().contains(LAST_GOOD));
    assert_eq!(stage.wb("verify").exit, 0);
}

/// Books whose journal tells of no settings, as the first ones did, with a database and a mirror that agree.
fn untold() -> Stage {
    let stage = Stage::empty();
    stage.must("init {books} --company Acorn --entity sole_proprietorship --owner Ada --no-chart");
    let paths = Paths::within(&stage.books());
    let db = Connection::open(paths.database()).expect("a database");
    let body: String = db
        .query_row("SELECT body FROM event WHERE seq=1", [], |row| row.get(0))
        .expect("the first event");
    let body = body.replace("\"more\":true,", "");
    let hash = Sha256::digest(format!("{body}\n"));
    let triggers: Vec<String> = ["event_no_update", "event_no_delete"]
        .map(|name| {
            let sql = "SELECT sql FROM sqlite_schema WHERE name=?";
            db.query_row(sql, [name], |row| row.get(0))
                .expect("a trigger")
        })
        .into();
    db.execute_batch("DROP TRIGGER event_no_update; DROP TRIGGER event_no_delete; DELETE FROM event WHERE seq>1; DELETE FROM setting;")
        .expect("the later events go");
    db.execute("UPDATE event SET body=?, hash=?", (&body, hash.as_slice()))
        .expect("the first event ends its command");
    db.execute("UPDATE state SET applied=1, head=?", [hash.as_slice()])
        .expect("the state follows");
    db.execute_batch(&triggers.join(";")).expect("triggers");
    drop(db);
    fs::write(paths.mirror(), format!("{body}\n")).expect("a mirror");
    fs::remove_dir_all(stage.here().join("state")).expect("remembered heads go");
    stage
}

/// Where nothing is in force and the journal knows of nothing, a broken file refuses every call but upkeep's, on both faces;
/// good settings are then told by the first change.
#[test]
fn nothing_in_force() {
    let stage = untold();
    let good = text(&stage);
    stage.must("verify");
    put(&file(&stage), Some(&b"[company\n".to_vec()));
    for line in [
        "chart list --json",
        "entry draft Paper --date 2026-01-05 --json",
    ] {
        let said = stage.wb(line);
        assert_eq!(
            (said.exit, &said.json()["error"]["code"]),
            (4, &json!("settings_unreadable")),
            "{said:?}"
        );
    }
    assert_eq!(stage.wb("verify").exit, 0);
    let served = Command::new(env!("CARGO_BIN_EXE_wb"))
        .arg("--books")
        .arg(stage.books())
        .args(["mcp", "serve"])
        .env_clear()
        .output()
        .expect("the program starts");
    assert_eq!(served.status.code(), Some(4), "{served:?}");
    fs::write(file(&stage), good).expect("settings are written");
    stage.must("entry draft Paper --date 2026-01-05");
    let kinds: Vec<Value> = journal(&stage).iter().map(|e| e["type"].clone()).collect();
    assert_eq!(
        kinds,
        ["books.created", "settings.changed", "entry.drafted"]
    );
}

/// A server that saw a bad edit and ends is followed by one that goes by the journal; neither writes the bad text down.
#[test]
fn bad_text_never_stands_in_the_journal() {
    let stage = Stage::small();
    let mut client = Client::of(&stage, Era::Handshake);
    client.works();
    put(
        &file(&stage),
        Some(&b"[company]\nname = \"Thistle\nbad\n".to_vec()),
    );
    client
        .tool("books.draft_entry", draft("One"))
        .expect("a draft");
    assert!(client.leave().contains(LAST_GOOD));
    let mut client = Client::of(&stage, Era::Handshake);
    client
        .tool("books.draft_entry", draft("Two"))
        .expect("a draft");
    assert_eq!(settings(&mut client)["loads"], json!(0));
    assert_eq!(client.leave().lines().count(), 1);
    let told = journal(&stage)
        .iter()
        .any(|e| e.to_string().contains("Thistle"));
    assert!(!told);
}

/// A file that may not be read is not a file that is not there, and not an empty one. Root may read everything, so another kind
/// of file stands in for one without permission here; `crash/permission.rs` has the other user.
#[test]
fn a_folder_is_no_settings_file() {
    let stage = Stage::small();
    let path = file(&stage);
    fs::remove_file(&path).expect("it goes");
    fs::create_dir(&path).expect("a folder");
    fs::set_permissions(&path, Permissions::from_mode(0o700)).expect("a mode");
    let said = stage.wb("settings show --json");
    let found = said.json();
    assert_eq!(
        (&found["company"], &found["books_toml_exists"]),
        (&json!("Acorn"), &json!(true))
    );
    let error = found["reload_error"].as_str().expect("an error");
    assert!(error.contains("not a regular file"), "{error}");
}
