//! Standard output that cannot be written to.

use std::{
    fs::OpenOptions,
    process::{Command, Stdio},
};

use serde_json::json;

use super::ground::{self, Ground};

/// Runs a command whose output goes to a device, or to a pipe that nobody reads.
fn run_into(command: &mut Command, out: Stdio) -> (i32, String) {
    use std::io::{Read, Seek};
    let mut err = tempfile::tempfile().expect("a file for its notes");
    command
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err.try_clone().expect("a second handle"));
    let (code, _) = ground::wait(command);
    let mut text = String::new();
    err.rewind().expect("a file of ours");
    err.read_to_string(&mut text).expect("UTF-8");
    (code, text)
}

fn full() -> Stdio {
    let device = OpenOptions::new().write(true).open("/dev/full");
    Stdio::from(device.expect("/dev/full"))
}

fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    Stdio::from(writer)
}

const READS: &[&[&str]] = &[
    &["entry", "search"],
    &["entry", "search", "--json"],
    &["entry", "search", "--csv"],
    &["ops"],
    &["--help"],
    &["help", "entry"],
];

/// A full output device is a failure that says so, without a panic.
#[test]
fn full_output() {
    let ground = Ground::new();
    ground.draft("one").good();
    for words in READS {
        let (code, err) = run_into(&mut ground.wb(words), full());
        assert_eq!(code, 4, "{words:?}: {err}");
        assert!(err.contains("writing the result"), "{words:?}: {err}");
        assert!(!err.contains("panicked"), "{words:?}: {err}");
    }
}

/// A pipe that nobody reads any more ends a command quietly.
#[test]
fn closed_pipe() {
    let ground = Ground::new();
    ground.draft("one").good();
    for words in READS {
        let ended = run_into(&mut ground.wb(words), closed());
        assert_eq!(ended, (0, String::new()), "{words:?}");
    }
}

/// A change whose answer cannot be written is not called undone: the note says that it is in the books, and the exit code is
/// none of those that mean "nothing changed".
#[test]
fn full_output_of_a_change() {
    let ground = Ground::new();
    let args = ground::draft("unheard");
    let args = json!(args).to_string();
    let words = ["call", "books.draft_entry", &args, "--json"];
    let (code, err) = run_into(&mut ground.wb(&words), full());
    assert_eq!(code, 70, "{err}");
    assert!(err.contains("the change is in the books"), "{err}");
    let words = ["entry", "draft", "--date", "2026-10-10", "two", "--json"];
    let (code, err) = run_into(&mut ground.wb(&words), full());
    assert_eq!(code, 70, "{err}");
    assert!(err.contains("the change is in the books"), "{err}");
    let found = ground.call("books.search_entries", &json!({})).good();
    assert_eq!(found["total"], 2);
}

/// What was done before its result could not be written is told as done, whatever the verb, in words and as JSON: books that
/// were made, an example, a backup, a verification, a posting, what a tool did. A preview changed nothing and says so.
#[test]
fn full_output_of_what_was_done() {
    let ground = Ground::new();
    ground.draft("one").good();
    let folder = |name: &str| {
        let path = ground.notes.join(name);
        path.to_string_lossy().into_owned()
    };
    let founding = ["--company", "A", "--entity", "sole_proprietorship"];
    let line = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    for json in [None, Some("--json")] {
        let name = |of: &str| folder(&format!("{of}{}", json.unwrap_or_default()));
        let done = [
            (line(&["init", &name("new")]), "the books are made"),
            (line(&["demo", &name("demo")]), "the example books are made"),
            (line(&["backup", &name("copy")]), "backup is done"),
            (line(&["verify"]), "verify is done, with status ok"),
            (
                line(&["entry", "draft", "--date", "2026-10-10", "two"]),
                "the change is in the books",
            ),
        ];
        for (mut words, told) in done {
            if words[0] == "init" {
                words.extend(line(&founding));
            }
            words.extend(json.map(str::to_owned));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (code, err) = run_into(&mut ground.wb(&words), full());
            assert_eq!(code, 70, "{words:?}: {err}");
            assert!(err.contains(told), "{words:?}: {err}");
            assert!(err.contains("writing the result"), "{words:?}: {err}");
        }
        for made in ["new", "demo"] {
            let path = format!("{}/wanderbooks.toml", name(made));
            assert!(std::fs::exists(path).expect("a folder"), "{made}");
        }
        let manifest = format!("{}/MANIFEST.json", name("copy"));
        assert!(std::fs::exists(manifest).expect("a folder"));
    }
    let (code, err) = run_into(
        &mut ground.wb(&["entry", "draft", "--date", "2026-10-10", "x", "--preview"]),
        full(),
    );
    assert_eq!(code, 4, "{err}");
    assert!(!err.contains("is in the books"), "{err}");
}
