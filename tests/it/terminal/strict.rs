//! JSON typed at the terminal is held to what the MCP face holds it to.

use serde_json::{Value, json};

use crate::stage::Stage;

/// A key that stands twice in a call's JSON, at any depth and however it is spelled, is refused, and nothing is done.
#[test]
fn repeated_keys_are_refused() {
    let stage = Stage::small();
    let events = stage.events();
    let calls = [
        r#"{"date":"2026-01-05","description":"a","description":"b"}"#,
        r#"{"date":"2026-01-05","description":"a","\u0064escription":"b"}"#,
        r#"{"date":"2026-01-05","description":"a","lines":[{"account":"1000","side":"debit","amount":"1.00","amount":"2.00"}]}"#,
    ];
    for call in calls {
        let said = stage.wb(&format!("call books.draft_entry '{call}'"));
        let error = &said.json()["error"];
        assert_eq!(
            (said.exit, &error["code"], &error["message"]),
            (
                2,
                &json!("invalid_arguments"),
                &json!("a key stands twice in arguments")
            ),
            "{call}"
        );
    }
    stage.put(
        "lines.json",
        r#"[{"account":"1000","side":"debit","amount":"1.00","amount":"2.00"}]"#,
    );
    let said =
        stage.wb("entry draft --date 2026-01-05 Paper --lines-json {here}/lines.json --json");
    let error = &said.json()["error"];
    assert_eq!((said.exit, &error["field"]), (2, &json!("lines-json")));
    assert_eq!(stage.events(), events);
}

/// Lists of values with parts may come from a file, as the schema announces them, and read as the words do.
#[test]
fn lists_come_from_files() {
    let stage = Stage::small();
    let lines = json!([
        {"account": "6800", "side": "debit", "amount": "24.99"},
        {"account": "1000", "side": "credit", "amount": "24.99"},
    ]);
    stage.put("lines.json", lines.to_string());
    let draft = "entry draft --date 2026-01-05 Paper --preview --json";
    let words = stage.must(&format!(
        "{draft} --line 6800:dr:24.99 --line 1000:cr:24.99"
    ));
    let file = stage.must(&format!("{draft} --lines-json {{here}}/lines.json"));
    assert_eq!(words.out, file.out);
    let lines: &Value = &file.json()["lines"];
    assert_eq!(lines.as_array().map(Vec::len), Some(2), "{file:?}");
}

/// A preview under a request key that stood for another call is refused as its run would be; under its own it is shown.
#[test]
fn previews_hold_to_their_key() {
    let stage = Stage::small();
    let paper = "entry draft --date 2026-01-05 Paper --request-key k --json";
    let ink = "entry draft --date 2026-01-05 Ink --request-key k --json";
    stage.must(paper);
    let events = stage.events();
    let run = stage.wb(ink);
    let preview = stage.wb(&format!("{ink} --preview"));
    assert_eq!(run.json()["error"]["code"], json!("request_key_reused"));
    assert_eq!((run.exit, &run.out), (preview.exit, &preview.out));
    let own = stage.must(&format!("{paper} --preview"));
    assert_eq!(own.json()["status"], json!("preview"));
    assert_eq!(stage.events(), events);
}

/// The words for days are read by the clock of the books' world, not by another.
#[test]
fn today_is_the_worlds_day() {
    let stage = Stage::small();
    for (word, day) in [("today", "2026-01-15"), ("yesterday", "2026-01-14")] {
        let said = stage.must(&format!("entry draft --date {word} Paper --preview --json"));
        assert_eq!(said.json()["date"], json!(day));
    }
}

/// A list as JSON stands beside a file that is an argument itself: the file is read as it is, and the list as it says.
#[test]
fn lists_beside_a_file() {
    let stage = Stage::small();
    stage.put("lease.txt", "Lease of the shop\n");
    stage.put(
        "links.json",
        r#"[{"kind":"company"},{"kind":"account","id":"1000"}]"#,
    );
    stage.put("wrong.json", r#"[{"kind":"planet"}]"#);
    let file = "document file {here}/lease.txt --category contract --link-to-json {here}";
    let said = stage.wb(&format!("{file}/links.json --json"));
    let answer = said.json();
    assert_eq!(
        answer["links"].as_array().map(Vec::len),
        Some(2),
        "{answer}"
    );
    assert_eq!(answer["file_name"], "lease.txt");
    let said = stage.wb(&format!("{file}/wrong.json --json"));
    assert_eq!(
        (said.exit, &said.json()["error"]["code"]),
        (1, &serde_json::json!("unknown_subject_kind"))
    );
    let said = stage.wb("receipt attach {here}/lease.txt --link-to-json {here}/links.json --json");
    assert_eq!(said.exit, 0, "{}", said.err);
}
