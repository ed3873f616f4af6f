//! Hostile text in the files that a person edits: the settings and the policy. The books go on working, and show nothing hidden.

use std::fs;

use serde_json::{Value, json};

use super::corpus::{corpus, must_be_harmless, must_be_own, must_be_plain};
use crate::stage::Stage;

/// A text as TOML and JSON both write it, every character that is not plain as its number.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        c => {
            let mut units = [0; 2];
            let units = c.encode_utf16(&mut units);
            units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
        }
    };
    text.chars().map(escape).collect()
}

/// The same where characters beyond the first plane are not written as two.
fn escaped_toml(text: &str) -> String {
    let escape = |c: char| match u32::from(c) {
        beyond @ 0x1_0000.. => format!("\\U{beyond:08x}"),
        _ => escaped(&c.to_string()),
    };
    text.chars().map(escape).collect()
}

/// Looks at the books through both faces.
fn look(stage: &Stage, what: &str) {
    for line in [
        "settings show",
        "report balance-sheet",
        "entry draft --date 2026-01-15 Paper --preview",
    ] {
        for line in [line.to_owned(), format!("{line} --json")] {
            let said = stage.wb(&line);
            must_be_plain(&said.out, what);
            must_be_plain(&said.err, what);
            if let Ok(answer) = serde_json::from_str::<Value>(&said.out) {
                must_be_own(&answer, false, what);
                must_be_own(&answer["error"], false, what);
            }
        }
    }
    let lines = stage.asked(vec![
        ("server/discover", json!({})),
        (
            "tools/call",
            json!({"name": "books.settings", "arguments": {}}),
        ),
        (
            "resources/read",
            json!({"uri": "books://reports/balance-sheet"}),
        ),
    ]);
    for line in &lines {
        must_be_harmless(line, false, what);
    }
}

/// T17: the company's name, an account's code and any other word of `wanderbooks.toml`, written as TOML writes it and as it is.
#[test]
fn the_settings_file() {
    let stage = Stage::small();
    for (number, text) in corpus().iter().enumerate() {
        let own = escaped_toml(text);
        for (way, settings) in [
            format!("[company]\nname = \"{own}\"\n"),
            format!("[company]\nname = \"{text}\"\n"),
            format!("[company]\nname = \"A\"\n\"{own}\" = 1\n[books]\ncash_accounts = [\"{own}\"]\nreceipt_threshold = \"{own}\"\n"),
        ]
        .iter()
        .enumerate()
        {
            fs::write(stage.books().join("wanderbooks.toml"), settings).expect("settings");
            look(&stage, &format!("text {number}, way {way}"));
        }
    }
}

/// T17: any word of `config.json`, written as JSON writes it and as it is.
#[test]
fn the_policy_file() {
    let stage = Stage::small();
    for (number, text) in corpus().iter().enumerate() {
        let own = escaped(text);
        for (way, policy) in [
            format!("{{\"receipt_policy\": {{\"receipt_required_accounts\": [\"{own}\"], \"require_receipts_above\": \"{own}\"}}}}"),
            format!("{{\"receipt_policy\": {{\"{own}\": 1}}, \"{own}\": 2}}"),
            text.clone(),
        ]
        .iter()
        .enumerate()
        {
            fs::write(stage.books().join("data/config.json"), policy).expect("a policy");
            look(&stage, &format!("text {number}, way {way}"));
        }
    }
}
