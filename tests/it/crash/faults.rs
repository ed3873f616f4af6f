//! Each system call of a change fails in turn: for every n, the n-th call of a kind returns an error, once or from then on.
//!
//! The calls are those that go through the C library, which is all that SQLite and the standard library do. What was answered
//! must be true whatever failed: done is in the journal, not done is not, unknown is settled by the request key.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{
    disk,
    ground::{self, Ground, Ran},
    say, skip,
};

/// Fails the call named by FAIL_CALL at its FAIL_AT-th use (and ever after, with FAIL_ON) with errno FAIL_ERRNO, and leaves
/// the file FAIL_MARK behind as a sign that it did. Only uses below FAIL_DIR count.
const FAILING: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int count;
static int below(const char *path) { const char *d = getenv("FAIL_DIR"); return d && path && !strncmp(path, d, strlen(d)); }
static int open_below(int fd) {
  char link[64], path[4096]; snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1); if (n < 0) return 0; path[n] = 0; return below(path);
}
static int fails(const char *call, int counts) {
  const char *wanted = getenv("FAIL_CALL");
  if (!counts || !wanted || strcmp(wanted, call)) return 0;
  int at = atoi(getenv("FAIL_AT")); ++count;
  if (count != at && !(count > at && getenv("FAIL_ON"))) return 0;
  int mark = syscall(SYS_openat, AT_FDCWD, getenv("FAIL_MARK"), O_CREAT | O_WRONLY, 0600);
  if (mark >= 0) syscall(SYS_close, mark);
  errno = atoi(getenv("FAIL_ERRNO")); return 1;
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_FD(type, name, rest, ...) type name(int fd rest) { if (fails(#name, open_below(fd))) return -1; return REAL(name)(fd __VA_ARGS__); }
#define C ,
ON_FD(ssize_t, write, C const void *b C size_t n, C b C n)
ON_FD(ssize_t, pwrite64, C const void *b C size_t n C off64_t o, C b C n C o)
ON_FD(ssize_t, pread64, C void *b C size_t n C off64_t o, C b C n C o)
ON_FD(ssize_t, read, C void *b C size_t n, C b C n)
ON_FD(int, fsync, , )
ON_FD(int, ftruncate64, C off64_t n, C n)
int unlink(const char *p) { if (fails("unlink", below(p))) return -1; return REAL(unlink)(p); }
int rename(const char *a, const char *b) { if (fails("rename", below(a))) return -1; return REAL(rename)(a, b); }
int open64(const char *p, int f, ...) { va_list a; va_start(a, f); int m = va_arg(a, int); va_end(a);
  if (fails("open64", below(p))) return -1; return REAL(open64)(p, f, m); }
int open(const char *p, int f, ...) { va_list a; va_start(a, f); int m = va_arg(a, int); va_end(a);
  if (fails("open64", below(p))) return -1; return REAL(open)(p, f, m); }
"#;

const CALLS: &[&str] = &[
    "write",
    "pwrite64",
    "pread64",
    "read",
    "fsync",
    "ftruncate64",
    "unlink",
    "rename",
    "open64",
];
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
/// No call of one change is used as often.
const USES_MAX: u32 = 200;

/// One way of failing.
struct Failing<'f> {
    library: &'f Path,
    call: &'f str,
    errno: i32,
    for_ever: bool,
}

impl Failing<'_> {
    /// Drafts under a key while the `at`-th call fails. Gives whether any call did.
    fn draft(&self, ground: &Ground, key: &str, at: u32) -> (Ran, bool) {
        let mark = ground.notes.join(format!("mark-{key}"));
        let args = Value::Object(keyed(key)).to_string();
        let mut command = ground.wb(&["call", "books.draft_entry", &args]);
        command
            .env("LD_PRELOAD", self.library)
            .env("FAIL_CALL", self.call)
            .env("FAIL_AT", at.to_string())
            .env("FAIL_ERRNO", self.errno.to_string())
            .env("FAIL_DIR", &ground.notes)
            .env("FAIL_MARK", &mark);
        if self.for_ever {
            command.env("FAIL_ON", "1");
        }
        (ground::run(&mut command), mark.exists())
    }
}

fn keyed(key: &str) -> serde_json::Map<String, Value> {
    let mut args = ground::draft(key);
    args.insert("request_key".to_owned(), key.into());
    args
}

/// How often the journal holds a key.
fn done(ground: &Ground, key: &str) -> i64 {
    let database = ground.books.join("data/wanderbooks.db");
    rusqlite::Connection::open(database)
        .and_then(|db| {
            let sql = "SELECT count(*) FROM event WHERE json_extract(body,'$.key')=?";
            db.query_row(sql, [key], |row| row.get(0))
        })
        .expect("the journal can be read")
}

/// Whichever system call of a change fails, with whatever error, once or for ever: what was answered is true, the books are
/// whole afterwards, and the request repeated under its key is done once.
#[test]
fn each_call_fails_in_turn() {
    let ground = Ground::new();
    let library = match library(&ground) {
        Ok(library) => library,
        Err(why) => return skip(&format!("failing system calls: {why}")),
    };
    let (mut faults, mut told) = (0, std::collections::BTreeMap::<i32, u32>::new());
    let mut unused = Vec::new();
    for call in CALLS {
        let before = faults;
        for (errno, for_ever) in [(EIO, false), (ENOSPC, true)] {
            let failing = Failing {
                library: &library,
                call,
                errno,
                for_ever,
            };
            for at in 1.. {
                assert!(at < USES_MAX, "{call} has no end");
                let key = format!("{call}-{errno}-{at}");
                let (ran, failed) = failing.draft(&ground, &key, at);
                judge(&ground, &key, &ran);
                *told.entry(ran.code).or_default() += 1;
                if !failed {
                    break;
                }
                faults += 1;
            }
        }
        if faults == before {
            unused.push(*call);
        }
    }
    say(&format!(
        "{faults} failing system calls; exit codes {told:?}"
    ));
    assert!(faults > 100, "too few calls failed: {faults}");
    assert_eq!(unused, Vec::<&str>::new(), "calls that no change makes");
}

/// Runs `wb` under a limit of the system, set in a shell that ignores the signal for files that grow too large.
fn limited(ground: &Ground, key: &str, limit: &str) -> Ran {
    let mut shell = std::process::Command::new("/bin/sh");
    ground.surround(&mut shell);
    let args = Value::Object(keyed(key)).to_string();
    let script = format!("trap '' XFSZ; ulimit {limit}; exec \"$@\"");
    shell.args([
        "-c",
        &script,
        "sh",
        ground::WB,
        "call",
        "books.draft_entry",
        &args,
    ]);
    ground::run(&mut shell)
}

/// Under any limit on the size of files, which tears writes in the middle, and on open files, what was answered is true.
#[test]
fn limits_of_the_system() {
    let ground = Ground::new();
    let mut told = std::collections::BTreeMap::<i32, u32>::new();
    // Blocks of 512 bytes; the database is larger than the log, the log than the mirror.
    let sizes = (1..240).step_by(5).map(|blocks| format!("-f {blocks}"));
    let handles = (5..20).map(|n| format!("-n {n}"));
    for limit in sizes.chain(handles) {
        let key = format!("limit{}", limit.replace(' ', "="));
        let ran = limited(&ground, &key, &limit);
        judge(&ground, &key, &ran);
        *told.entry(ran.code).or_default() += 1;
    }
    say(&format!("limits of the system; exit codes {told:?}"));
    assert!(told.len() > 1, "no limit was hit: {told:?}");
}

fn library(ground: &Ground) -> Result<PathBuf, String> {
    let (source, library) = (ground.notes.join("fail.c"), ground.notes.join("fail.so"));
    fs::write(&source, FAILING).expect("the source");
    let text = |path: &Path| path.to_str().expect("a plain path").to_owned();
    disk::tool(
        "cc",
        &[
            "-shared",
            "-fPIC",
            "-w",
            "-o",
            &text(&library),
            &text(&source),
            "-ldl",
        ],
    )?;
    Ok(library)
}

fn judge(ground: &Ground, key: &str, ran: &Ran) {
    let there = done(ground, key);
    match ran.code {
        0 => assert_eq!(there, 1, "{key}: acknowledged but absent: {ran:?}"),
        6 => assert!(there <= 1, "{key}"),
        4 | 5 | 70 => assert_eq!(there, 0, "{key}: done but denied: {ran:?}"),
        _ => panic!("{key}: {ran:?}"),
    }
    assert!(!ran.err.contains("panicked"), "{key}: {ran:?}");
    assert_eq!(ground.faults(), Vec::<String>::new(), "{key}: {ran:?}");
    let again = ground.call("books.draft_entry", &json!(keyed(key)));
    again.good();
    assert_eq!(done(ground, key), 1, "{key}");
    // The next change brings the mirror up whatever came before.
    ground.draft("next").good();
    assert_eq!(ground.mirror_differs(), None, "{key}: {ran:?}");
    assert_eq!(ground.strays(), Vec::<String>::new(), "{key}: {ran:?}");
}
