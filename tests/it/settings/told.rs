//! What the journal is told of the settings: when, once, in which command, and with which hashes.

use super::*;

/// The hash of a file by another program.
fn sha256sum(path: &Path) -> String {
    let said = Command::new("sha256sum")
        .arg(path)
        .output()
        .expect("coreutils");
    let said = String::from_utf8(said.stdout).expect("ASCII");
    said.split_whitespace().next().expect("a hash").to_owned()
}

/// The first journal tells the settings right after the making of the books, in the same command, with the file's own hash.
#[test]
fn the_first_journal_tells_the_settings() {
    let stage = Stage::empty();
    stage.must("init {books} --company Acorn --entity sole_proprietorship --owner Ada");
    let journal = journal(&stage);
    assert_eq!(journal[0]["type"], "books.created");
    let data = json!({"file": "wanderbooks.toml", "sha256": sha256sum(&file(&stage)), "text": text(&stage)});
    let told = (
        &journal[1]["type"],
        &journal[1]["v"],
        &journal[1]["txn"],
        &journal[1]["data"],
    );
    assert_eq!(
        told,
        (&json!("settings.changed"), &json!(1), &json!(1), &data)
    );
    let later = journal
        .iter()
        .skip(2)
        .filter(|e| e["type"] == "settings.changed");
    assert_eq!(later.count(), 0);
}

/// An edit stands in the journal before the events of the next change, in its command and once; previews and refusals write
/// nothing of it. Its hashes are those of the files.
#[test]
fn the_next_change_tells_an_edit() {
    let stage = Stage::small();
    let before = sha256sum(&file(&stage));
    rename(&stage, "Oak");
    let after = sha256sum(&file(&stage));
    let events = stage.events();
    stage.must("report balance-sheet");
    stage.must("account add 1010 Savings --type asset --preview");
    assert_eq!(stage.wb("entry post 99 --confirm").exit, 1);
    assert_eq!(stage.events(), events);
    stage.must("account add 1010 Savings --type asset");
    stage.must("account add 1020 Cash --type asset");
    let journal = journal(&stage);
    let told: Vec<(&Value, &Value, &Value)> = journal[usize::try_from(events).expect("a count")..]
        .iter()
        .map(|e| (&e["type"], &e["seq"], &e["txn"]))
        .collect();
    let (n, changed, added) = (events, json!("settings.changed"), json!("account.added"));
    let want = [
        (&changed, json!(n + 1), json!(n + 1)),
        (&added, json!(n + 2), json!(n + 1)),
        (&added, json!(n + 3), json!(n + 3)),
    ];
    let want: Vec<(&Value, &Value, &Value)> = want.iter().map(|(a, b, c)| (*a, b, c)).collect();
    assert_eq!(told, want);
    let data = json!({"file": "wanderbooks.toml", "before_sha256": before, "sha256": after, "text": text(&stage)});
    assert_eq!(
        journal[usize::try_from(events).expect("a count")]["data"],
        data
    );
    stage.must("verify");
}

/// A policy file that came is told like the settings; one that is gone is told as a fault, and the last good one stays in force.
#[test]
fn the_policy_file_is_told() {
    let stage = Stage::small();
    let config = Paths::within(&stage.books()).config();
    fs::write(&config, "{}\n").expect("a policy");
    let hash = sha256sum(&config);
    stage.must("account add 1010 Savings --type asset");
    fs::remove_file(&config).expect("it goes");
    let said = stage.wb("account add 1020 Cash --type asset");
    assert_eq!(said.exit, 0, "{said:?}");
    assert!(
        said.err.contains("config.json\": it is not there any more"),
        "{said:?}"
    );
    let shown = stage.wb("settings show --json").json();
    let problem = shown["reload_error"].as_str().expect("a fault");
    assert!(problem.contains("({} states no policy)"), "{problem}");
    let told: Vec<Value> = journal(&stage)
        .iter()
        .filter(|e| e["type"] == "settings.changed" && e["data"]["file"] == "config.json")
        .map(|e| e["data"].clone())
        .collect();
    let came = json!({"file": "config.json", "sha256": hash, "text": "{}\n"});
    assert_eq!(told, [came]);
}

/// With a request key the edit is told once, the key stands on the first event of the command, and the same call again is
/// answered with the first answer although the settings were edited in between.
#[test]
fn a_request_key_stands_first() {
    let stage = Stage::small();
    rename(&stage, "Oak");
    let events = stage.events();
    let line = "account add 1010 Savings --type asset --request-key k1 --json";
    let first = stage.must(line).json();
    rename(&stage, "Elm");
    let again = stage.must(line).json();
    assert_eq!(
        (&again["replayed"], &again["account"]),
        (&json!(true), &first["account"])
    );
    let journal = journal(&stage);
    let at = usize::try_from(events).expect("a count");
    let told: Vec<(&Value, Option<&Value>)> = journal[at..]
        .iter()
        .map(|e| (&e["type"], e.get("key")))
        .collect();
    let (changed, added, key) = (
        json!("settings.changed"),
        json!("account.added"),
        json!("k1"),
    );
    assert_eq!(told, [(&changed, Some(&key)), (&added, None)]);
    // The head that the answer gave is that of its command.
    assert_eq!(
        (&first["seq"], &again["seq"]),
        (&json!(events + 2), &json!(events + 2))
    );
    stage.must("verify");
}
