//! The sessions of `tests/cases`, each on a stage of its own: exactly what a person types and sees. `UPDATE=1` writes what was
//! seen into them; its numbers are then to be worked by hand before they are believed.

use std::{fmt::Write as _, fs, path::Path};

use crate::{
    script::{play, steps},
    stage::Stage,
};

/// Every session says what it said when it was written.
#[test]
fn sessions_say_what_they_said() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder of sessions")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 6, "sessions are missing");
    let mut wrong = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a session");
        let (about, _) = text
            .split_once("\n\n")
            .expect("a session opens with what it is about");
        let stage = Stage::empty();
        let mut seen = format!("{about}\n");
        for step in steps(&text) {
            let said = play(&stage, &step);
            let said = said.trim_end();
            let gap = if said.is_empty() { "" } else { "\n" };
            write!(seen, "\n{}{gap}{said}\n", step.command).expect("a text grows");
        }
        if seen == text {
            continue;
        }
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, seen).expect("a session is written");
        } else {
            wrong.push(format!("{}:\n{seen}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "not as written:\n{}", wrong.join("\n"));
}
