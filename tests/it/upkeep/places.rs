//! Where backups and restored books may be put: names, links, and folders that are swapped meanwhile.

use std::{
    os::unix::fs::symlink,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{backups::names, *};

/// The names in a folder but those of SQLite's side files, which come and go.
fn lasting(place: &Path) -> Vec<String> {
    let aside = |name: &String| name.ends_with("-shm") || name.ends_with("-wal");
    names(place).into_iter().filter(|n| !aside(n)).collect()
}

/// Does something while a link is swapped between targets.
fn while_swapped(
    (link, next): (&Path, &Path),
    targets: &[&PathBuf],
    mut act: impl FnMut() -> usize,
) -> usize {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for target in targets {
                    symlink(target, next).expect("a link");
                    fs::rename(next, link).expect("a swap");
                }
            }
        });
        let made = act();
        done.store(true, Ordering::Relaxed);
        made
    })
}

/// A target is a new name in a folder that is there and lies outside the books, by what the folders are: anything that has the
/// name is in the way, a link is not followed, slashes at the end are none of its name, and what is no name is refused before
/// anything is made.
#[test]
fn backup_names() {
    let mut desk = small();
    let place = desk.folder.path().join("copies");
    fs::create_dir_all(place.join("dir")).expect("folders");
    fs::write(place.join("file"), b"").expect("a file");
    symlink("nowhere", place.join("dangling")).expect("a link");
    symlink(desk.paths().data, place.join("into")).expect("a link");
    let kind = rustix::fs::FileType::Fifo;
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, place.join("fifo"), kind, mode, 0).expect("a pipe");
    let before = names(&place);
    let exists = ("refused", "backup_target_exists");
    let orphan = ("refused", "backup_target_has_no_parent");
    let inside = ("refused", "backup_target_inside");
    let no_name = ("unavailable", "unavailable");
    let long = "n".repeat(256);
    let cases = [
        ("..", exists),
        ("dir/..", exists),
        ("file", exists),
        ("dir/", exists),
        ("dangling", exists),
        ("dangling/", exists),
        ("into", exists),
        ("into/", exists),
        ("fifo", exists),
        ("/dev/null", exists),
        ("/", exists),
        ("none/x", orphan),
        ("file/x", orphan),
        ("dangling/x", orphan),
        ("into/x", inside),
        ("into/x/", inside),
        ("into/../x", inside),
        ("../books/vault/x", inside),
        ("x\0y", no_name),
        (&long, no_name),
    ];
    let books = lasting(&data(&desk));
    fs::create_dir_all(desk.paths().root.join("vault")).expect("a vault");
    for drill in [false, true] {
        for (name, want) in &cases {
            let target = place.join(name);
            let (kind, refusal) = desk.no("backup", json!({"target": target, "drill": drill}));
            let got = (kind, refusal["code"].as_str().expect("a code"));
            assert_eq!(got, *want, "{name:?} {refusal}");
        }
    }
    assert_eq!(names(&place), before);
    assert_eq!(lasting(&data(&desk)), books);
    desk.ok("backup", json!({"target": place.join("slashes//")}));
    assert!(place.join("slashes/MANIFEST.json").exists());
}

/// While the name of the target's folder is swapped between a folder and a link into the books, no backup and no drill is made
/// in the books, and nothing in them changes.
#[test]
fn backup_raced() {
    const ROUNDS: usize = 50;
    let mut desk = small();
    let [open, swapped, next] = ["open", "swapped", "next"].map(|n| desk.folder.path().join(n));
    let (root, inner) = (desk.paths().root, data(&desk));
    fs::create_dir(&open).expect("a folder");
    symlink(&open, &swapped).expect("a link");
    let before = (names(&root), lasting(&inner));
    let targets = [&inner, &open, &root, &open];
    let made = while_swapped((&swapped, &next), &targets, || {
        // A refusal is quick: many may fall into one time slice of the other thread.
        let copies = (0..).filter(|round| {
            let target = swapped.join(format!("copy-{round}"));
            let args = json!({"target": target, "drill": round % 10 == 0});
            desk.call("backup", args).is_ok()
        });
        copies.take(ROUNDS).count()
    });
    assert_eq!(made, ROUNDS);
    assert_eq!((names(&root), lasting(&inner)), before);
    let left = names(&open);
    assert!(
        left.iter().all(|name| name.starts_with("copy-")),
        "{left:?}"
    );
    let sound = desk.ok("books.verify", json!({}));
    assert_eq!(sound["status"], "ok");
}

/// Books are restored to a new name in a folder that is there and lies in no backup and in no books, by what the folders are.
#[test]
fn restore_names() {
    let mut desk = small();
    let place = desk.folder.path().join("copies");
    fs::create_dir_all(place.join("dir")).expect("folders");
    fs::write(place.join("file"), b"").expect("a file");
    symlink("nowhere", place.join("dangling")).expect("a link");
    symlink(data(&desk), place.join("into")).expect("a link");
    let backup = place.join("backup");
    desk.ok("backup", json!({"target": backup}));
    symlink(backup.join("data"), place.join("inside")).expect("a link");
    let before = (names(&place), names(&backup), lasting(&data(&desk)));
    let long = "n".repeat(256);
    let cases = [
        ("dir", "restore_target_exists"),
        ("dir/", "restore_target_exists"),
        ("dir/..", "restore_target_exists"),
        ("file", "restore_target_exists"),
        ("dangling", "restore_target_exists"),
        ("dangling/", "restore_target_exists"),
        ("into", "restore_target_exists"),
        ("none/x", "restore_target_has_no_parent"),
        ("backup/x", "restore_target_inside"),
        ("inside/x", "restore_target_inside"),
        ("into/x", "restore_target_inside"),
        ("../books/x/", "restore_target_inside"),
        (&long, "unavailable"),
    ];
    for (name, code) in cases {
        let args = json!({"backup": backup, "into": place.join(name)});
        let no = desk.on_site("restore", args).err().expect("a refusal");
        assert_eq!(no.to_value()["code"], code, "{name:?}");
    }
    assert_eq!(
        (names(&place), names(&backup), lasting(&data(&desk))),
        before
    );
    let args = json!({"backup": backup, "into": place.join("slashes//")});
    desk.on_site("restore", args).expect("books");
    assert!(place.join("slashes/data/wanderbooks.db").exists());
}

/// While the name of the folder is swapped between a folder and a link into the books, no books are restored into the books, and
/// nothing in them changes.
#[test]
fn restore_raced() {
    const ROUNDS: usize = 30;
    let mut desk = small();
    let [open, swapped, next, backup] =
        ["open", "swapped", "next", "backup"].map(|n| desk.folder.path().join(n));
    desk.ok("backup", json!({"target": backup}));
    let (root, inner) = (desk.paths().root, data(&desk));
    fs::create_dir(&open).expect("a folder");
    symlink(&open, &swapped).expect("a link");
    let before = (names(&root), lasting(&inner), names(&backup));
    let targets = [&inner, &open, &backup, &open, &root, &open];
    let made = while_swapped((&swapped, &next), &targets, || {
        let restored = (0..).filter(|round| {
            let into = swapped.join(format!("back-{round}"));
            let args = json!({"backup": backup, "into": into});
            desk.on_site("restore", args).is_ok()
        });
        restored.take(ROUNDS).count()
    });
    assert_eq!(made, ROUNDS);
    assert_eq!((names(&root), lasting(&inner), names(&backup)), before);
    let left = names(&open);
    assert!(
        left.iter().all(|name| name.starts_with("back-")),
        "{left:?}"
    );
    desk.reopen();
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}
