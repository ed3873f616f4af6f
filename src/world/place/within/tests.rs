//! What is read from an open folder and what never is, and a race with someone who swaps names.

use std::{fs, os::unix::fs::symlink};

use super::*;

/// A home with an inbox that is open, and what must never be read from it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        let home = Home(tempfile::tempdir().expect("a temporary folder"));
        for folder in ["inbox/deep", "inbox/.git", "vault", "data", "other"] {
            fs::create_dir_all(home.at(folder)).expect("a folder");
        }
        for file in [
            "inbox/a.txt",
            "inbox/deep/b.txt",
            "inbox/.hidden",
            "inbox/.git/config",
            "vault/tin",
            "data/wanderbooks.db",
            "other/c.txt",
            "inbox/master.key",
        ] {
            fs::write(home.at(file), file).expect("a file");
        }
        home
    }
    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn within(&self, open: &[&str]) -> Within {
        Within {
            open: open.iter().map(|name| self.at(name)).collect(),
            by_link: true,
            closed: ["vault", "data", "inbox/master.key", "none"]
                .map(|name| self.at(name))
                .to_vec(),
        }
    }
    /// What is read by a path, or the first words of why not.
    fn read(&self, within: &Within, name: &str) -> String {
        match within.read(&self.at(name), 100) {
            Ok(bytes) => String::from_utf8(bytes).expect("text"),
            Err(fault) => format!("{fault:?}")
                .split([' ', '{'])
                .next()
                .unwrap_or_default()
                .to_owned(),
        }
    }
}

/// spec/reliability.md §6.13: regular files of open folders are read; dot-files, `..`, links, pipes, devices, folders, keys, the
/// vault and the database are not, whatever is open.
#[test]
fn read_and_refused() {
    let home = Home::new();
    symlink(home.at("other"), home.at("inbox/away")).expect("a link");
    symlink(home.at("other/c.txt"), home.at("inbox/c.txt")).expect("a link");
    symlink(home.at("inbox"), home.at("also")).expect("a link");
    let fifo = rustix::fs::mknodat(
        CWD,
        home.at("inbox/fifo"),
        FileType::Fifo,
        Mode::from_raw_mode(0o600),
        0,
    );
    fifo.expect("a pipe");
    fs::write(home.at("inbox/large.txt"), vec![b'a'; 101]).expect("a file");
    let inbox = home.within(&["inbox"]);
    for (path, want) in [
        ("inbox/a.txt", "inbox/a.txt"),
        ("inbox/deep/b.txt", "inbox/deep/b.txt"),
        // The folder itself may be reached by a link: it is the same folder.
        ("also/a.txt", "inbox/a.txt"),
        ("inbox/none.txt", "Absent"),
        ("inbox/none/a.txt", "Absent"),
        ("inbox/.hidden", "Hidden"),
        ("inbox/.git/config", "Hidden"),
        ("inbox/deep/../a.txt", "NoName"),
        ("inbox/a.txt/", "NoName"),
        ("inbox/..", "NoName"),
        ("inbox/a\0.txt", "NoName"),
        ("inbox/c.txt", "Link"),
        ("inbox/away/c.txt", "Link"),
        ("inbox/a.txt/b", "Link"),
        ("inbox/fifo", "NotRegular"),
        ("inbox/deep", "NotRegular"),
        ("inbox/master.key", "Closed"),
        ("inbox/large.txt", "TooLarge"),
        ("other/c.txt", "Outside"),
        ("vault/tin", "Outside"),
        ("none/c.txt", "Outside"),
    ] {
        assert_eq!(home.read(&inbox, path), want, "{path}");
    }
}

/// spec/reliability.md §6.13: whatever is open, the vault, the database and the system's own files are closed.
#[test]
fn closed_whatever_is_open() {
    let home = Home::new();
    symlink(home.at("other/c.txt"), home.at("inbox/c.txt")).expect("a link");
    let inbox = home.within(&["inbox"]);
    let all = home.within(&["", "vault"]);
    for (path, want) in [
        ("other/c.txt", "other/c.txt"),
        ("vault/tin", "Closed"),
        ("data/wanderbooks.db", "Closed"),
        ("inbox/c.txt", "Link"),
    ] {
        assert_eq!(home.read(&all, path), want, "{path}");
    }
    let root = Within {
        open: vec![PathBuf::from("/")],
        by_link: true,
        closed: Vec::new(),
    };
    for path in [
        "/proc/self/environ",
        "/proc/version",
        "/sys/kernel/uevent_seqnum",
    ] {
        let read = root.read(Path::new(path), 1 << 20);
        assert!(
            matches!(
                read,
                Err(WithinFault::Closed | WithinFault::Absent | WithinFault::Link)
            ),
            "{path}: {read:?}"
        );
    }
    let read = root.read(Path::new("/dev/null"), 1 << 20);
    assert!(matches!(read, Err(WithinFault::NotRegular)), "{read:?}");
    let long = format!("inbox/{}", "n".repeat(5_000));
    assert_eq!(home.read(&inbox, &long), "NoName");
    let relative = inbox.read(Path::new(""), 1);
    assert!(matches!(relative, Err(WithinFault::NoName)));
}

/// spec/reliability.md §6.13: while a folder of the inbox is swapped for a link into the vault, and a file for a link to a
/// secret, two thousand readings give what lies in the inbox or nothing.
#[test]
fn raced() {
    const ROUNDS: usize = 2_000;
    let home = Home::new();
    fs::write(home.at("vault/b.txt"), "secret").expect("a file");
    fs::create_dir(home.at("spare")).expect("a folder");
    fs::write(home.at("spare/b.txt"), "inbox/deep/b.txt").expect("a file");
    let inbox = home.within(&["inbox"]);
    let done = std::sync::atomic::AtomicBool::new(false);
    let order = std::sync::atomic::Ordering::Relaxed;
    let (mut read, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (folder, file) = (home.at("inbox/deep"), home.at("inbox/a.txt"));
            let (aside, next) = (home.at("aside"), home.at("next"));
            while !done.load(order) {
                fs::rename(&folder, &aside).expect("a swap");
                symlink(home.at("vault"), &folder).expect("a link");
                fs::remove_file(&folder).expect("the link is gone");
                fs::rename(&aside, &folder).expect("a swap");
                symlink(home.at("vault/b.txt"), &next).expect("a link");
                fs::rename(&next, &file).expect("a swap");
                fs::write(&next, "inbox/a.txt").expect("a file");
                fs::rename(&next, &file).expect("a swap");
            }
        });
        for round in 0..ROUNDS {
            let path = ["inbox/deep/b.txt", "inbox/a.txt"][round % 2];
            match inbox.read(&home.at(path), 100) {
                Ok(bytes) => {
                    assert_eq!(bytes, path.as_bytes(), "{path}");
                    read += 1;
                }
                Err(WithinFault::Absent | WithinFault::Link | WithinFault::Closed) => refused += 1,
                Err(other) => panic!("{path}: {other:?}"),
            }
        }
        done.store(true, order);
    });
    assert_eq!(read + refused, ROUNDS);
    assert!(read > 0, "nothing was read");
}
