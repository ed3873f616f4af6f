//! Questions at a real terminal: what a person sees and types, and how the terminal is left.

use std::{os::unix::process::ExitStatusExt, path::Path, process::Command};

use rustix::process::Signal;

use super::pty::Pty;
use crate::stage::Stage;

fn wb(here: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command
        .env_clear()
        .env("HOME", here)
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .current_dir(here)
        .args(words);
    command
}

const ENTITY: &str = "Its number or name [1]:";

/// `wb init` at 40 and at 80 columns: each answer is checked when it is given, the reason goes when the answer is right, a
/// long answer stands once, no word is broken and nothing is coloured.
#[test]
fn init_at_a_terminal() {
    for columns in [40, 80] {
        let stage = Stage::empty();
        let mut pty = Pty::start(wb(stage.here(), &["init", "new"]), columns, "");
        pty.types("Company name:", "\r");
        pty.types("Company name:", "Acorn\u{7f}n Books\r");
        pty.types(ENTITY, "llc\r");
        pty.types(ENTITY, "part\r");
        pty.types("Owners:", "Ada Lovelace=60%\r");
        pty.types("Owners:", "Ada Lovelace=60%, Grace Brewster Hopper=40%\r");
        pty.types("Fiscal year begins [01-01]:", "\r");
        pty.types("Base currency [USD]:", "EUR\r");
        pty.types("Import the starter chart? [Y/n]", "perhaps\r");
        pty.types("Import the starter chart? [Y/n]", "\r");
        let status = pty.ends();
        assert_eq!(status.code(), Some(0), "{}", pty.screen().join("\n"));
        let screen = pty.screen();
        let asked: Vec<&str> = screen
            .iter()
            .map(String::as_str)
            .take_while(|line| !line.starts_with("New books"))
            .collect();
        assert_eq!(asked, expected(columns), "{}", pty.raw);
        assert!(!pty.raw.contains("\u{1b}[?25l") && pty.is_as_found());
        let settings = std::fs::read_to_string(stage.here().join("new/wanderbooks.toml"));
        let settings = settings.expect("settings");
        assert!(settings.contains("Grace Brewster Hopper"), "{settings}");
    }
}

fn expected(columns: u16) -> Vec<&'static str> {
    if columns == 40 {
        return vec![
            "Company name: Acorn Books",
            "What the business is in law:",
            "  1  Sole proprietorship",
            "     One owner, also a single-member LLC",
            "  2  Partnership",
            "     Two or more owners, also a",
            "     multi-member LLC",
            "  3  S corporation",
            "     A corporation, or LLC, that elected",
            "     subchapter S",
            "  4  C corporation",
            "     Every other corporation",
            "Its number or name [1]: part",
            "The owners, separated by commas: Ada,",
            "Grace for equal shares, or Ada=60%,",
            "Grace=40%",
            "Owners: Ada Lovelace=60%, Grace Brewster",
            "Hopper=40%",
            "The fiscal year's first day, as MM-01;",
            "01-01 is the calendar year's",
            "Fiscal year begins [01-01]: 01-01",
            "The currency of every amount, by its",
            "three letters; it cannot be changed",
            "later",
            "Base currency [USD]: EUR",
            "Import the starter chart? [Y/n] yes",
        ];
    }
    vec![
        "Company name: Acorn Books",
        "What the business is in law:",
        "  1  Sole proprietorship: One owner, also a single-member LLC",
        "  2  Partnership: Two or more owners, also a multi-member LLC",
        "  3  S corporation: A corporation, or LLC, that elected subchapter S",
        "  4  C corporation: Every other corporation",
        "Its number or name [1]: part",
        "The owners, separated by commas: Ada, Grace for equal shares, or Ada=60%,",
        "Grace=40%",
        "Owners: Ada Lovelace=60%, Grace Brewster Hopper=40%",
        "The fiscal year's first day, as MM-01; 01-01 is the calendar year's",
        "Fiscal year begins [01-01]: 01-01",
        "The currency of every amount, by its three letters; it cannot be changed later",
        "Base currency [USD]: EUR",
        "Import the starter chart? [Y/n] yes",
    ]
}

/// A terminal that cannot move its cursor, and one too narrow for the prompts, get plain lines.
#[test]
fn plain_terminals_get_plain_lines() {
    for (term, columns) in [("dumb", 80), ("xterm", 30)] {
        let stage = Stage::empty();
        let mut command = wb(stage.here(), &["init", "new", "--currency", "USD"]);
        command.env("TERM", term);
        let mut pty = Pty::start(command, columns, "");
        pty.types_plainly("Company name:", "Acorn\r");
        pty.types_plainly(ENTITY, "9\r");
        pty.types_plainly(ENTITY, "1\r");
        pty.types_plainly("Fiscal year begins [01-01]:", "\u{4}");
        assert_eq!(pty.ends().code(), Some(2), "{}", pty.raw);
        assert!(!pty.raw.contains('\u{1b}'), "{}", pty.raw);
        assert!(!stage.here().join("new").exists() && pty.is_as_found());
    }
}

/// Ctrl-C at a question ends the program as the signal does, with nothing made and the terminal as it was.
#[test]
fn questions_can_be_left() {
    let stage = Stage::small();
    stage.must("entry draft Paper --date 2026-01-10 --line 6800:debit:5 --line 1000:credit:5");
    let books = stage.books().to_string_lossy().into_owned();
    let before = stage.events();
    for (words, prompt) in [
        (vec!["init", "new"], "Company name:"),
        (
            vec!["--books", &books, "entry", "post", "1"],
            "Do it? [y/N]",
        ),
    ] {
        let mut pty = Pty::start(wb(stage.here(), &words), 80, "");
        pty.types(prompt, "y\u{3}");
        assert_eq!(pty.ends().signal(), Some(2), "{}", pty.raw);
        assert!(pty.is_as_found(), "{words:?}");
    }
    assert!(!stage.here().join("new").exists());
    assert_eq!(stage.events(), before);
}

/// A signal that ends the program at a question ends it as everywhere else, with nothing made and the terminal as it was.
#[test]
fn ended_at_a_question() {
    for (signal, number) in [(Signal::TERM, 15), (Signal::HUP, 1)] {
        let stage = Stage::empty();
        let mut pty = Pty::start(wb(stage.here(), &["init", "new"]), 80, "");
        pty.types("Company name:", "Acorn\r");
        pty.signalled(ENTITY, signal);
        assert_eq!(pty.ends().signal(), Some(number), "{}", pty.raw);
        assert!(pty.is_as_found(), "{}", pty.raw);
        assert!(!stage.here().join("new").exists());
    }
}

/// At a terminal a posting is done after a line that says yes, not after one in which a y stands, and not for what was typed
/// before the question.
#[test]
fn a_posting_waits_for_a_yes_typed_after_the_question() {
    let stage = Stage::small();
    stage.must("entry draft Paper --date 2026-01-10 --line 6800:debit:5 --line 1000:credit:5");
    let books = stage.books().to_string_lossy().into_owned();
    let words = ["--books", &books, "entry", "post", "1"];
    let posted = || stage.wb("entry show 1 --json").json()["status"] == "posted";
    let mut pty = Pty::start(wb(stage.here(), &words), 80, "yes\ry");
    pty.types("Do it? [y/N]", "cd my-dir\r");
    pty.types("Do it? [y/N]", "\r");
    assert_eq!(pty.ends().code(), Some(3), "{}", pty.raw);
    assert!(!posted());
    let mut pty = Pty::start(wb(stage.here(), &words), 80, "");
    pty.types("Do it? [y/N]", "Yes\r");
    assert_eq!(pty.ends().code(), Some(0), "{}", pty.raw);
    assert!(posted());
}
