//! Sessions as a person sees them: command lines with what they print, run in process and compared exactly.
//!
//! `$ wb …` is a command, and what follows is its standard output; `! ` begins a line of standard error, `? ` the exit code
//! where it is not 0. `+ NAME` puts the lines that follow into a file. Twenty hex digits in a row are the head or a preview,
//! which random ids make another one every time: they are written `<20 hex>`.

use crate::stage::Stage;

/// A command and what it must say.
pub struct Step {
    pub command: String,
    pub expected: String,
}

/// The steps of a session's text; files that it gives are put beside the books as they come.
pub fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        if line.starts_with("$ ") || line.starts_with("+ ") {
            let command = line.to_owned();
            let expected = String::new();
            steps.push(Step { command, expected });
        } else if let Some(step) = steps.last_mut() {
            step.expected.push_str(line);
            step.expected.push('\n');
        }
    }
    for step in &mut steps {
        let kept = step.expected.trim_end().len();
        step.expected.truncate(kept);
        step.expected.push('\n');
    }
    steps
}

/// Runs a step and gives what it said, in the form in which a session has it.
pub fn play(stage: &Stage, step: &Step) -> String {
    if let Some(name) = step.command.strip_prefix("+ ") {
        stage.put(name, &step.expected);
        return step.expected.clone();
    }
    let words = step.command.strip_prefix("$ wb ");
    let said = stage.wb(words.unwrap_or_else(|| panic!("no command of wb: {}", step.command)));
    let mut text = said.out;
    for line in said.err.lines() {
        text.push_str(&format!("! {line}\n"));
    }
    if said.exit != 0 {
        text.push_str(&format!("? {}\n", said.exit));
    }
    let here = stage.here().to_string_lossy().into_owned();
    let text = without_hex(&text.replace(&here, "{here}"));
    let lines: Vec<String> = text.lines().map(without_head).collect();
    format!("{}\n", lines.join("\n").trim_end())
}

/// A line without white space at its end; in the last line of a statement, the head stands in groups of four.
fn without_head(line: &str) -> String {
    match line.rsplit_once(" · ") {
        Some((before, head)) if before.contains(" · journal ") && head.len() == 24 => {
            format!("{before} · <20 hex>")
        }
        _ => line.trim_end().to_owned(),
    }
}

/// The text with every run of exactly twenty hex digits made equal.
fn without_hex(text: &str) -> String {
    let (mut out, mut run) = (String::new(), String::new());
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() || ('a'..='f').contains(&c) {
            run.push(c);
            continue;
        }
        let hex = run.len() == 20;
        out.push_str(if hex { "<20 hex>" } else { &run });
        run.clear();
        out.push(c);
    }
    out.pop();
    out
}
