//! Books that may only be read, or not even that, by a user who is not root: root passes every permission by, so `wb` is run
//! as another user.

use std::{
    collections::BTreeMap,
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::Command,
};

use rustix::process::Signal;

use super::{
    disk,
    ground::{self, Ground, Ran, WB},
    skip,
    writer::{self, Order},
};

const OTHER: u32 = 65_534;
const SETPRIV: &str = "/usr/bin/setpriv";

/// Books, and another user with a home and a program that they can reach.
struct Stage {
    ground: Ground,
    home: PathBuf,
    program: PathBuf,
}

impl Stage {
    fn new(test: &str) -> Option<Stage> {
        let able = disk::may_mount().and_then(|()| {
            let there = Path::new(SETPRIV).exists();
            there.then_some(()).ok_or_else(|| "no setpriv".to_owned())
        });
        if let Err(why) = able {
            skip(&format!("{test}: {why}"));
            return None;
        }
        let ground = Ground::new();
        ground.draft("one").good();
        mode(&ground.notes, 0o755);
        let home = ground.notes.join("home");
        fs::create_dir(&home).expect("a home");
        chown(&home, Some(OTHER), Some(OTHER)).expect("theirs");
        let program = ground.notes.join("wb");
        // Copied by another process: a file that this one has open to write cannot be run by what it forks meanwhile.
        let copied = ground::run(Command::new("/bin/cp").arg(WB).arg(&program));
        assert_eq!(copied.code, 0, "{copied:?}");
        mode(&program, 0o755);
        Some(Stage {
            ground,
            home,
            program,
        })
    }

    /// `wb` as the other user, with a state folder of theirs.
    fn other(&self, words: &[&str]) -> Ran {
        let mut command = Command::new(SETPRIV);
        self.ground.surround(&mut command);
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(&self.program)
            .args(words)
            .env("HOME", &self.home)
            .env("XDG_STATE_HOME", &self.home);
        ground::run(&mut command)
    }

    fn read(&self) -> Ran {
        self.other(&["entry", "search", "--json"])
    }

    fn write(&self) -> Ran {
        let words = ["entry", "draft", "--date", "2026-10-10", "theirs", "--json"];
        self.other(&words)
    }

    /// Makes the books readable by all and writable by none.
    fn read_only(&self) {
        let data = self.ground.books.join("data");
        for file in files(&self.ground.books).keys() {
            mode(file, 0o444);
        }
        for folder in ["inbox", "vault"] {
            mode(&self.ground.books.join(folder), 0o555);
        }
        mode(&data, 0o555);
        mode(&self.ground.books, 0o555);
    }

    /// Nothing was written, here or elsewhere.
    fn untouched(&self, before: &BTreeMap<PathBuf, Vec<u8>>) {
        assert_eq!(&files(&self.ground.books), before);
        assert_eq!(files(&self.home), BTreeMap::new());
    }
}

fn mode(path: &Path, bits: u32) {
    fs::set_permissions(path, Permissions::from_mode(bits)).expect("a mode");
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = fs::read(&path).expect("a file");
            found.insert(path, bytes);
        }
    }
    found
}

fn unavailable(ran: &Ran) {
    assert_eq!(
        (ran.code, ran.refusal().as_str()),
        (4, "unavailable"),
        "{ran:?}"
    );
}

/// Books at rest that another user may only read are read by them; a change is unavailable, and nothing is written anywhere.
#[test]
fn read_only_books() {
    let Some(stage) = Stage::new("read-only books") else {
        return;
    };
    stage.read_only();
    let before = files(&stage.ground.books);
    assert_eq!(stage.read().good()["total"], 1);
    unavailable(&stage.write());
    verified_unmended(&stage.other(&["verify", "--json"]));
    stage.untouched(&before);
}

/// Verified, and said that nothing was mended.
fn verified_unmended(ran: &Ran) {
    let answer = ran.good();
    assert_eq!(answer["status"], "ok", "{ran:?}");
    let note = "these books can only be read here: nothing was mended or brought up to date";
    assert_eq!(answer["notes"], serde_json::json!([note]), "{ran:?}");
}

/// A log that a killed writer left is not read past: it is read, or the reason is given.
#[test]
fn read_only_books_with_a_log() {
    let Some(stage) = Stage::new("read-only books with a log") else {
        return;
    };
    let order = Order {
        who: "w".to_owned(),
        seed: 7,
        turns: None,
        posts_only: true,
        through_wb: false,
    };
    let mut killed = writer::start(&stage.ground, &order, None);
    super::wait_until("an answer", || {
        super::acks::Noted::read(&killed.notes).answered.len() > 3
    });
    killed.signal(Signal::KILL);
    let answered = killed.noted().answered;
    let drafts = answered.values().filter(|a| a["status"] == "draft").count();
    let log = stage.ground.books.join("data/wanderbooks.db-wal");
    assert!(fs::metadata(&log).expect("a log").len() > 0);
    stage.read_only();
    let before = files(&stage.ground.books);
    let ran = stage.read();
    if ran.code == 0 {
        let total = ran.json()["total"].as_u64().expect("a total");
        let total = usize::try_from(total).expect("a count");
        assert!(total > drafts, "what is in the log is missing: {ran:?}");
    } else {
        unavailable(&ran);
    }
    unavailable(&stage.write());
    for hidden in ["wanderbooks.db-wal", "wanderbooks.db-shm"] {
        mode(&stage.ground.books.join("data").join(hidden), 0o400);
        unavailable(&stage.read());
        unavailable(&stage.write());
    }
    stage.untouched(&before);
}

/// What cannot be read is unavailable and not absent: the database, its folder, the mirror, the settings.
#[test]
fn unreadable_parts() {
    let Some(stage) = Stage::new("unreadable parts") else {
        return;
    };
    let books = &stage.ground.books;
    for part in ["data/wanderbooks.db", "data", "data/journal.jsonl"] {
        stage.read_only();
        mode(&books.join(part), 0o000);
        let before = files(books);
        unavailable(&stage.read());
        unavailable(&stage.write());
        stage.untouched(&before);
    }
    stage.read_only();
    mode(&books.join("wanderbooks.toml"), 0o000);
    let before = files(books);
    // The last good settings stand in the journal, so what only reads goes by them and says so.
    let ran = stage.read();
    let warned = ran.err.contains("wanderbooks.toml") && ran.err.contains("Permission denied");
    let in_force = ran.err.contains("the last good settings are in force\n");
    assert!(ran.code == 0 && warned && in_force, "{ran:?}");
    unavailable(&stage.write());
    stage.untouched(&before);
    mode(books, 0o000);
    for ran in [stage.read(), stage.write()] {
        assert_eq!(ran.code, 4, "{ran:?}");
    }
}

/// Books on a file system that is mounted read-only are read; a change is unavailable.
#[test]
fn read_only_mount() {
    let mounted = match disk::mount_small("4m") {
        Ok(mounted) => mounted,
        Err(why) => return skip(&format!("read-only mount: {why}")),
    };
    let (ground, _elsewhere) = Ground::on(&mounted.point);
    ground.draft("one").good();
    mounted.resize("4m,ro");
    let read = ground::run(&mut ground.wb(&["entry", "search", "--json"]));
    assert_eq!(read.good()["total"], 1);
    unavailable(&ground.draft("two"));
    verified_unmended(&ground::run(&mut ground.wb(&["verify", "--json"])));
    mounted.resize("4m,rw");
    ground.draft("two").good();
}

/// Whatever the umask, folders of the books and of the memory are 0700 and their files 0600.
#[test]
fn modes_whatever_the_umask() {
    for umask in ["000", "077"] {
        let ground = Ground::bare();
        let run = |words: &str| {
            let mut shell = Command::new("/bin/sh");
            ground.surround(&mut shell);
            shell
                .args([
                    "-c",
                    &format!("umask {umask}; exec \"$@\" {words}"),
                    "sh",
                    WB,
                ])
                .env("WB_BOOKS", &ground.books);
            ground::run(&mut shell)
        };
        let books = ground.books.to_str().expect("a plain path");
        run(&format!(
            "init '{books}' --no-input --company X --entity partnership --owner Ada=60% --owner Grace=40% --no-chart --json"
        ))
        .good();
        run("account add 1000 Cash --type asset --json").good();
        for place in [&ground.books, &ground.state.join("wanderbooks")] {
            private(place, umask);
        }
    }
}

fn private(folder: &Path, umask: &str) {
    let bits = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o7777;
    assert_eq!(bits(folder), 0o700, "{} under {umask}", folder.display());
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            private(&path, umask);
        } else {
            assert_eq!(bits(&path), 0o600, "{} under {umask}", path.display());
        }
    }
}
