//! Nothing that reaches a screen can move its cursor, turn its words around or hide among them.

use serde_json::{Value, json};
use wanderbooks::model::has_hostile;

use crate::stage::Stage;

/// One of each kind: a control, an escape, a C1 code, a reversal, a zero width, a tag.
const HOSTILE: &[char] = &[
    '\u{7}',
    '\u{1b}',
    '\u{9b}',
    '\u{202e}',
    '\u{200b}',
    '\u{e0041}',
];

fn clean(text: &str) -> bool {
    text.lines().all(|line| !has_hostile(line))
}

/// Whatever is typed wrong is repeated visibly: verbs, options, values, dates, paths; also as JSON on a screen.
#[test]
fn wrong_command_lines_are_shown() {
    let stage = Stage::small();
    for c in HOSTILE {
        let lines = [
            format!("en{c}try"),
            format!("entry sh{c}ow"),
            format!("entry show {c}5"),
            format!("entry draft --date 2026{c} x"),
            format!("entry draft --da{c}te 2026-01-05 x"),
            format!("entry draft --date 2026-01-05 x --line {c}"),
            format!("report trial-balance --as-of {c}[31m"),
            format!("help {c}"),
            format!("call {c}"),
            format!("call books.chart {c}"),
            format!("chart import {{here}}/{c}"),
            format!("backup {{books}}/{c}/../../books/x{c}/y --surplus{c}"),
        ];
        for line in &lines {
            for screen in [None, Some(80)] {
                let said = stage.on(screen, line);
                assert!(said.exit != 0, "{line:?}: {said:?}");
                assert!(clean(&said.err), "{line:?}: {said:?}");
            }
            let said = stage.on(Some(80), &format!("{line} --json"));
            assert!(clean(&said.out) && clean(&said.err), "{line:?}: {said:?}");
        }
    }
}

/// What was typed is repeated with its hidden letters written out, not left out.
#[test]
fn hidden_letters_are_written_out() {
    let stage = Stage::small();
    let said = stage.on(None, "entry sh\u{1b}[31mow");
    assert!(said.err.contains("sh\\u{1b}[31mow"), "{said:?}");
    let said = stage.on(Some(80), "help \u{202e}x --json");
    assert!(said.out.contains("\\\\u{202e}x"), "{said:?}");
}

/// A value of the books that hides something is escaped in the JSON of a screen, and is the same value as in a pipe.
#[test]
fn json_of_a_screen_is_the_same_value() {
    let stage = Stage::small();
    let line = "chart list --json";
    let (piped, screen) = (stage.on(None, line), stage.on(Some(40), line));
    assert_eq!(piped, screen);
    let hidden = format!("call books.get_entry {}", json!({"entry_id": "\u{202e}1"}));
    let hidden = hidden.replace('{', "'{").replace('}', "}'");
    let (piped, screen) = (stage.on(None, &hidden), stage.on(Some(40), &hidden));
    assert!(clean(&screen.out), "{screen:?}");
    let value = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    assert_eq!(value(&piped.out), value(&screen.out));
}
