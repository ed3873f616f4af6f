//! Surroundings that are stale or hostile: what should be a file is missing, empty, or something else.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{
    disk,
    ground::{self, Ground, Ran},
    skip,
};

/// A command that waits for what never comes takes longer.
const AT_ONCE: Duration = Duration::from_secs(5);

fn data(ground: &Ground, name: &str) -> PathBuf {
    ground.books.join("data").join(name)
}

fn read(ground: &Ground) -> Ran {
    let ran = ground::run(&mut ground.wb(&["entry", "search", "--json"]));
    assert!(ran.took < AT_ONCE, "{ran:?}");
    ran
}

/// Both a read and a write end with this exit code and this refusal.
fn both(ground: &Ground, wanted: (i32, &str)) {
    for ran in [read(ground), ground.draft("more")] {
        assert_eq!((ran.code, ran.refusal().as_str()), wanted, "{ran:?}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|f| {
            f.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

fn fifo(path: &Path) {
    let ran = ground::run(Command::new("/usr/bin/mkfifo").arg(path));
    assert_eq!(ran.code, 0, "{ran:?}");
}

/// A database that is gone or empty beside a mirror is damage: nothing is created, not even by `wb init`.
#[test]
fn database_gone_beside_a_mirror() {
    for empty in [false, true] {
        let mut ground = Ground::new();
        let database = data(&ground, "wanderbooks.db");
        fs::remove_file(&database).expect("gone");
        if empty {
            fs::write(&database, "").expect("empty");
        }
        let before = names(&ground.books.join("data"));
        both(&ground, (5, "damaged"));
        // The mirror says so even to who never saw these books.
        ground.state = ground.notes.join("new-state");
        both(&ground, (5, "damaged"));
        fs::remove_file(ground.books.join("wanderbooks.toml")).expect("no settings");
        let init = ground::run(&mut ground.init());
        assert_eq!(
            (init.code, init.refusal().as_str()),
            (5, "damaged"),
            "{init:?}"
        );
        assert_eq!(names(&ground.books.join("data")), before);
        assert!(!ground.books.join("wanderbooks.toml").exists());
    }
}

/// A database that is gone or empty without a trace beside it is damage to who remembers the books.
#[test]
fn database_gone_but_remembered() {
    for empty in [false, true] {
        let ground = Ground::new();
        fs::remove_dir_all(ground.books.join("data")).expect("gone");
        if empty {
            fs::create_dir(ground.books.join("data")).expect("a folder");
            fs::write(data(&ground, "wanderbooks.db"), "").expect("empty");
        }
        both(&ground, (5, "damaged"));
    }
}

/// A file that is no database, a database of something else, a folder and a pipe in the database's place are damage.
#[test]
fn not_a_database() {
    let ground = Ground::new();
    let database = data(&ground, "wanderbooks.db");
    fs::write(
        &database,
        "not a database, but long enough to be taken for one ".repeat(20),
    )
    .expect("written");
    both(&ground, (5, "damaged"));
    fs::remove_file(&database).expect("gone");
    rusqlite::Connection::open(&database)
        .and_then(|db| db.execute_batch("CREATE TABLE recipe(name TEXT)"))
        .expect("another database");
    both(&ground, (5, "damaged"));
    fs::remove_file(&database).expect("gone");
    fs::create_dir(&database).expect("a folder");
    both(&ground, (5, "damaged"));
    fs::remove_dir(&database).expect("gone");
    fifo(&database);
    both(&ground, (5, "damaged"));
}

/// A folder or a pipe in the mirror's place makes the books unavailable at once, and nothing is changed before it is moved.
#[test]
fn no_file_for_a_mirror() {
    let ground = Ground::new();
    let mirror = data(&ground, "journal.jsonl");
    let kept = ground.journal(0);
    fs::remove_file(&mirror).expect("gone");
    fs::create_dir(&mirror).expect("a folder");
    both(&ground, (4, "unavailable"));
    fs::remove_dir(&mirror).expect("gone");
    fifo(&mirror);
    both(&ground, (4, "unavailable"));
    fs::remove_file(&mirror).expect("gone");
    ground.draft("after").good();
    assert_eq!(ground.journal(0)[..kept.len()], kept[..]);
    assert_eq!(ground.mirror_differs(), None);
}

/// A pipe, a folder and a broken text as settings file are not waited for: both a read and a write go by the last good settings,
/// and say so.
#[test]
fn no_file_for_settings() {
    let ground = Ground::new();
    let settings = ground.books.join("wanderbooks.toml");
    let by_the_last_good = || {
        for ran in [read(&ground), ground.draft("more")] {
            // A change says so in its answer, what only reads beside it; neither says it twice.
            let said = format!("{}{}", ran.out, ran.err);
            let told = said.matches("the last good settings are in force").count();
            assert_eq!((ran.code, told), (0, 1), "{ran:?}");
        }
    };
    fs::remove_file(&settings).expect("gone");
    by_the_last_good();
    fifo(&settings);
    by_the_last_good();
    fs::remove_file(&settings).expect("gone");
    fs::create_dir(&settings).expect("a folder");
    by_the_last_good();
    fs::remove_dir(&settings).expect("gone");
    fs::write(&settings, "[company\nname=").expect("broken");
    by_the_last_good();
}

/// A state folder that cannot be used: a pipe as remembered head is unavailable at once; a file in the folder's place costs a
/// warning after a change that stands.
#[test]
fn hostile_state() {
    let ground = Ground::new();
    let state = ground.state.join("wanderbooks");
    let names = names(&state);
    for name in &names {
        let file = state.join(name);
        let kept = fs::read(&file).expect("a memory");
        fs::remove_file(&file).expect("gone");
        fifo(&file);
        both(&ground, (4, "unavailable"));
        fs::remove_file(&file).expect("gone");
        fs::write(&file, kept).expect("back");
    }
    assert_eq!(names.len(), 2);
    fs::remove_dir_all(&ground.state).expect("gone");
    fs::write(&ground.state, "no folder").expect("a file");
    let ran = ground.draft("more");
    if ran.code == 0 {
        assert_eq!(
            ran.json()["warnings"].as_array().map(Vec::len),
            Some(1),
            "{ran:?}"
        );
    } else {
        assert_eq!(
            (ran.code, ran.refusal().as_str()),
            (4, "unavailable"),
            "{ran:?}"
        );
    }
}

/// Books whose folder has vanished are absent to a stranger and an alarm to who has seen them.
#[test]
fn vanished_folder() {
    let mut ground = Ground::new();
    fs::remove_dir_all(&ground.books).expect("gone");
    both(&ground, (5, "damaged"));
    ground.state = ground.notes.join("new-state");
    both(&ground, (1, "no_books"));
    assert!(!ground.books.exists());
}

/// A process that holds books open while their folder vanishes refuses or fails; it makes nothing anew and says nothing is done
/// that is not.
#[test]
fn vanished_under_a_process() {
    let ground = Ground::new();
    let mut books = ground.open().expect("the books open");
    fs::remove_dir_all(&ground.books).expect("gone");
    let ask = super::acks::Ask {
        tool: "books.draft_entry".to_owned(),
        args: ground::draft("into nothing"),
    };
    if let Ok(answer) = ground::ask(&mut books, &ask) {
        assert!(answer.value.contains_key("warnings"), "{:?}", answer.value);
    }
    assert!(!ground.books.exists());
}

/// `wb init` where no folder can be is unavailable, with what is wrong, and makes nothing.
#[test]
fn init_where_no_folder_can_be() {
    let ground = Ground::bare();
    let long = ground.notes.join("n".repeat(256));
    for place in [
        "/dev/null/books",
        "/proc/books",
        long.to_str().expect("text"),
    ] {
        let mut command = ground.wb(&["init", place]);
        command.args(ground::INIT);
        let ran = ground::run(&mut command);
        assert_eq!(
            (ran.code, ran.refusal().as_str()),
            (4, "unavailable"),
            "{ran:?}"
        );
    }
}

/// Tables that were dropped, and accounts that are their own parents, are damage, and verification mends them.
#[test]
fn tampered_tables() {
    for sql in [
        "DROP TABLE entry_text",
        "DROP TABLE draft_line",
        "DROP TABLE account",
        "DROP TABLE state",
        "DROP TABLE request",
        "UPDATE account SET parent_id=id",
        "UPDATE entry SET origin='unheard of'",
    ] {
        let ground = Ground::new();
        ground.draft("one").good();
        rusqlite::Connection::open(data(&ground, "wanderbooks.db"))
            .and_then(|db| db.execute_batch(&format!("PRAGMA foreign_keys=OFF; {sql}")))
            .expect("tampered");
        for words in [
            &["entry", "search", "one"][..],
            &["entry", "show", "1"],
            &["chart", "list"],
            &["report", "trial-balance"],
        ] {
            let ran = ground::run(ground.wb(words).arg("--json"));
            assert!(matches!(ran.code, 0 | 2 | 5), "{sql}: {words:?}: {ran:?}");
            // A word that no entry can have is never taken for another.
            let shown = words.starts_with(&["entry", "show"]);
            assert!(
                !sql.contains("origin") || !shown || ran.code == 5,
                "{ran:?}"
            );
        }
        let ran = ground.draft("two");
        // An account that is its own parent only groups others, for all that a draft can see.
        assert!(matches!(ran.code, 0 | 1 | 5), "{sql}: {ran:?}");
        let verified = ground::run(&mut ground.wb(&["verify", "--json"])).good();
        assert_eq!(verified["status"], "healed", "{sql}");
        ground.draft("three").good();
        assert_eq!(ground.faults(), Vec::<String>::new(), "{sql}");
    }
}

/// Books whose journal breaks are damaged also where another version of the program would fold the tables again.
#[test]
fn damaged_and_to_be_folded_again() {
    for change in [
        "UPDATE event SET body=body||' ' WHERE seq=(SELECT max(seq) FROM event)",
        "UPDATE event SET hash=zeroblob(32) WHERE seq=2",
        "UPDATE event SET body=replace(body, '\"type\":\"account.', '\"type\":\"accounts.') WHERE seq=3",
    ] {
        let ground = Ground::new();
        ground.draft("one").good();
        let sql = format!("DROP TRIGGER event_no_update; UPDATE state SET projector='x'; {change}");
        rusqlite::Connection::open(data(&ground, "wanderbooks.db"))
            .and_then(|db| db.execute_batch(&sql))
            .expect("tampered");
        both(&ground, (5, "damaged"));
        let ran = ground::run(&mut ground.wb(&["verify", "--json"]));
        assert_eq!(ran.code, 5, "{ran:?}");
    }
}

/// Of two copies of the same books the older one is closed as soon as the newer one was seen, and says where that one is.
#[test]
fn newer_copy_elsewhere() {
    let ground = Ground::new();
    let copy = ground.notes.join("copy");
    let copied = ground::run(
        Command::new("/bin/cp")
            .arg("-a")
            .arg(&ground.books)
            .arg(&copy),
    );
    assert_eq!(copied.code, 0, "{copied:?}");
    let other = Ground::at(&copy, &ground.state, &ground.notes);
    other.draft("elsewhere").good();
    let ran = ground.draft("here");
    assert_eq!(
        (ran.code, ran.refusal().as_str()),
        (5, "rolled_back"),
        "{ran:?}"
    );
    let message = ran.json()["error"]["message"]
        .as_str()
        .expect("a message")
        .to_owned();
    let says = format!(
        "another copy of these books, at \"{}\", is newer",
        copy.display()
    );
    assert!(message.contains(&says), "{message}");
    let hint = ran.json()["error"]["remedy_hint"].to_string();
    let first = format!(
        "\"go on with that copy (--books \\\"{}\\\");",
        copy.display()
    );
    assert!(hint.starts_with(&first), "{hint}");
}

/// A folder with no inodes left refuses changes as unavailable and can be read.
#[test]
fn no_inodes() {
    let mounted = match disk::mount_small("4m,nr_inodes=40") {
        Ok(mounted) => mounted,
        Err(why) => return skip(&format!("no inodes: {why}")),
    };
    let (ground, _elsewhere) = Ground::on(&mounted.point);
    let filler = |n: i32| mounted.point.join(format!("filler-{n}"));
    let full = (0..100).find(|n| fs::File::create(filler(*n)).is_err());
    assert!(full.is_some(), "the disk does not run out of inodes");
    assert_eq!(read(&ground).good()["total"], 0);
    let ran = ground.draft("none");
    assert_eq!(
        (ran.code, ran.refusal().as_str()),
        (4, "unavailable"),
        "{ran:?}"
    );
    (0..100).for_each(|n| drop(fs::remove_file(filler(n))));
    ground.draft("room again").good();
    assert_eq!(ground.faults(), Vec::<String>::new());
}
