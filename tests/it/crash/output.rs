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
