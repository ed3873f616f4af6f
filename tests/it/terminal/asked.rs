//! Questions at the terminal: what is asked, which answers are taken, and that nothing happens without one.

use std::{ffi::OsString, io::Cursor, path::Path};

use wanderbooks::{
    faces::terminal::{self, Console},
    model::Date,
    registry::DOMAINS,
    world::World,
};

use crate::stage::{Kept, Stage};

/// Runs `wb` with someone who answers: exit code, what was printed, what was asked and said.
fn asked(here: &Path, words: &[&str], answers: &'static str) -> (u8, String, String) {
    let (out, err) = (Kept::default(), Kept::default());
    let console = Console::kept(Box::new(out.clone()), Box::new(err.clone()));
    let mut console = console.answered(Box::new(Cursor::new(answers)));
    let today = Date::new(2026, 1, 15).expect("a day");
    let world = World::fixed("2026-01-15T12:00:00Z", today, Some(here.join("state")));
    let args = std::iter::once("wb").chain(words.iter().copied());
    let args = args.map(OsString::from).collect();
    let exit = terminal::run(args, DOMAINS, &world, &mut console).code();
    (exit, out.text(), err.text())
}

/// A posting is done after a yes in words, and not after a no, another word or the end of the input.
#[test]
fn a_posting_waits_for_yes() {
    let stage = Stage::small();
    stage.must("entry draft Paper --date 2026-01-10 --line 6800:debit:5 --line 1000:credit:5");
    let books = stage.books().to_string_lossy().into_owned();
    let post = ["--books", &books, "entry", "post", "1"];
    for answers in ["", "\n", "n\n", "NO\n", "perhaps\n", "yess\nno\n"] {
        let (exit, _, said) = asked(stage.here(), &post, answers);
        assert_eq!(exit, 3, "{answers:?}: {said}");
        assert!(said.contains("nothing has changed"), "{said}");
    }
    let (exit, out, said) = asked(stage.here(), &post, "maybe\nYes\n");
    assert_eq!(exit, 0, "{said}");
    assert_eq!(said, "Do it? [y/N]   Answer yes or no.\nDo it? [y/N] ");
    assert!(out.contains("Entry 1 · posted"), "{out}");
}

/// Nobody is asked to confirm what is certain to be refused: the preview ends with the refusal and its remedy, once.
#[test]
fn a_missing_receipt_is_not_asked_about() {
    let stage = Stage::small();
    stage.must("entry draft Paper --date 2026-01-10 --line 6800:debit:85 --line 1000:credit:85");
    let books = stage.books().to_string_lossy().into_owned();
    let post = ["--books", &books, "entry", "post", "1"];
    let (exit, out, said) = asked(stage.here(), &post, "yes\n");
    assert!(out.contains("Entry 1 · preview"), "{out}");
    let message =
        "wb: entry 1 has debits of 85.00, strictly greater than 25.00; it has no receipt\n";
    assert_eq!((exit, said.matches(message).count()), (1, 1), "{said}");
    assert!(said.contains("wb receipt attach FILE --entry 1"), "{said}");
    assert!(!said.contains("Do it?"), "{said}");
}

/// `wb init` asks a sole proprietor for no owners, keeps a default after an error, and says where to go on.
#[test]
fn init_asks_what_it_needs() {
    let stage = Stage::empty();
    let dir = stage.books().to_string_lossy().into_owned();
    let answers = "\nAcorn\nllc\n\n7-1\n\n\nno\n";
    let (exit, out, said) = asked(stage.here(), &["init", &dir], answers);
    assert_eq!(exit, 0, "{said}");
    assert!(!said.contains("wner:"), "{said}");
    assert_eq!(
        said.matches("Its number or name [1]: ").count(),
        2,
        "{said}"
    );
    assert_eq!(said.matches("begins [01-01]: ").count(), 2, "{said}");
    assert!(out.contains(&format!("cd {dir}\n")), "{out}");
    let (exit, _, said) = asked(stage.here(), &["init", &dir], "Acorn\n");
    assert_eq!(exit, 1);
    assert!(!said.contains("Company name"), "{said}");
}

/// The end of the input in the middle of the questions makes nothing.
#[test]
fn an_unfinished_init_makes_nothing() {
    let stage = Stage::empty();
    let dir = stage.books().to_string_lossy().into_owned();
    let (exit, out, said) = asked(stage.here(), &["init", &dir], "Acorn\n2\n");
    assert_eq!((exit, out.as_str()), (2, ""), "{said}");
    assert!(said.ends_with("Owners: \nwb: nothing was made\n"), "{said}");
    assert!(!stage.books().exists());
}
