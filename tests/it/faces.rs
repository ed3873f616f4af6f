//! Laws over the whole registry that hold the two faces to one another: the same arguments, the same answers, and nothing
//! changed by what must change nothing.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use wanderbooks::{
    engine::{Effect, Example, OpDef, from_json, full_output_schema, input_schema, output_schema},
    faces::terminal,
    registry::DOMAINS,
};

use crate::stage::{Said, Stage, split};

/// Result keys that the engine gives; no operation may give them itself.
const RESERVED: &[&str] = &["seq", "head", "preview", "replayed", "warnings"];

fn operations() -> impl Iterator<Item = &'static OpDef> {
    DOMAINS.iter().flat_map(|domain| domain.operations)
}

fn examples() -> impl Iterator<Item = (&'static OpDef, &'static Example)> {
    operations().flat_map(|op| op.examples.iter().map(move |example| (op, example)))
}

/// The examples of what can be done to sound books that lie open: restoring and repairing have tests of their own, with books that
/// are hurt.
fn examples_on_sound_books() -> impl Iterator<Item = (&'static OpDef, &'static Example)> {
    examples().filter(|(op, _)| !["restore", "repair"].contains(&op.verb))
}

/// An example with real ids and a place for what it makes.
struct Played {
    words: String,
    json: Value,
}

impl Played {
    fn on(stage: &Stage, example: &Example) -> Played {
        let id = |status: &str| {
            let found = stage.must(&format!("entry search --status {status} --limit 1 --json"));
            found.json()["entries"][0]["entry_id"].to_string()
        };
        let (draft, posted) = (id("draft"), id("posted"));
        let target = stage.here().join("books-backup");
        let filled = |text: &str| {
            text.replace("{draft}", &draft)
                .replace("{posted}", &posted)
                .replace("books-backup", &target.to_string_lossy())
        };
        Played {
            words: filled(example.words),
            json: serde_json::from_str(&filled(example.json)).expect("an example is JSON"),
        }
    }

    fn run(&self, stage: &Stage, op: &OpDef, more: &str) -> Said {
        stage.wb(&format!("{} {} --json {more}", op.verb, self.words))
    }

    /// The words without the confirmation.
    fn unconfirmed(&self) -> Played {
        let mut json = self.json.clone();
        json.as_object_mut().expect("an object").remove("confirmed");
        Played {
            words: self.words.replace("--confirm", ""),
            json,
        }
    }
}

/// The arguments that an example's words make.
fn from_words(op: &OpDef, words: &str) -> Value {
    let line = [vec!["wb".to_owned()], split(op.verb), split(words)].concat();
    let matches = terminal::command(DOMAINS)
        .try_get_matches_from(&line)
        .unwrap_or_else(|e| panic!("{line:?}: {e}"));
    let mut inner = &matches;
    while let Some((_, next)) = inner.subcommand() {
        inner = next;
    }
    let call = op.call_from_words(inner, &Default::default());
    call.unwrap_or_else(|no| panic!("{line:?}: {no:?}")).args
}

/// Every example makes the same arguments from its words and from its JSON. A file's content is compared by its hash, which
/// is how it stands among the arguments.
#[test]
fn examples_read_the_same_on_both_faces() {
    let stage = Stage::demo();
    for (op, example) in examples() {
        let played = Played::on(&stage, example);
        let args = played.json.as_object().cloned().expect("an object");
        let (call, _) = from_json(op, args).unwrap_or_else(|no| panic!("{}: {no:?}", op.tool));
        assert_eq!(from_words(op, &played.words), call.args, "{}", op.verb);
    }
}

/// Every example does what it says on the demo's books: reading leaves all as it was, and writing adds to the journal.
#[test]
fn examples_run() {
    for (op, example) in examples_on_sound_books() {
        let stage = Stage::demo();
        let played = Played::on(&stage, example);
        let (before, events) = (stage.picture(), stage.events());
        let said = played.run(&stage, op, "");
        assert_eq!(
            (said.exit, said.err.as_str()),
            (0, ""),
            "{}: {said:?}",
            op.verb
        );
        let mut after = stage.picture();
        after.retain(|name, _| {
            !name.starts_with("books-backup/") && !name.starts_with("state/backup-")
        });
        if op.writes() {
            assert!(stage.events() > events, "{} wrote nothing", op.verb);
        } else {
            assert_eq!(
                changed(&before, &after),
                Vec::<String>::new(),
                "{}",
                op.verb
            );
        }
    }
}

/// Every result of an example, and every preview, is what the schema of its operation says.
#[test]
fn results_are_what_the_schemas_say() {
    for (op, example) in examples_on_sound_books() {
        let stage = Stage::demo();
        let played = Played::on(&stage, example);
        let schema = Value::Object(full_output_schema(op, DOMAINS));
        let schema = jsonschema::validator_for(&schema).expect("a schema");
        let holds = |said: &Said| {
            let value = said.json();
            let faults: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
            assert_eq!(faults, Vec::<String>::new(), "{}: {value}", op.verb);
        };
        if op.writes() {
            let preview = played.run(&stage, op, "--preview");
            assert_eq!(preview.json()["status"], json!("preview"), "{}", op.verb);
            holds(&preview);
        }
        holds(&played.run(&stage, op, ""));
    }
}

/// What the terminal prints with `--json` is, byte for byte, what the tool gives on an equal copy of the books, previews too.
///
/// Only the head differs, because each face writes its own name into the journal, and where the books lie: both are made equal
/// before they are compared.
#[test]
fn the_faces_give_the_same_bytes() {
    for (op, example) in examples().filter(|(op, _)| op.is_tool()) {
        let (terminal, tools) = (Stage::demo(), Stage::demo());
        let played = Played::on(&terminal, example);
        let mut calls = Vec::new();
        let mut said = Vec::new();
        // Confirming over MCP needs a preview before it.
        if op.effect == Effect::Confirm {
            let preview = played.unconfirmed();
            let shown = preview.run(&terminal, op, "");
            assert_eq!(shown.exit, 3, "{}", op.verb);
            said.push(shown.out);
            calls.push((op.tool, preview.json));
        }
        said.push(played.run(&terminal, op, "").out);
        calls.push((op.tool, played.json));
        for (said, result) in said.iter().zip(tools.tools(&calls)) {
            assert_eq!(result["isError"], json!(false), "{}: {result}", op.tool);
            let text = result["content"][0]["text"].as_str().expect("a text");
            let structured = result["structuredContent"].to_string();
            let mut told = result["structuredContent"].clone();
            if let (Some(gives), Some(told)) = (op.gives, told.as_object_mut()) {
                // The bytes of a file stand once; the text says what is known of it.
                told.shift_remove(gives.content).expect("the file");
            }
            assert_eq!(text, told.to_string(), "{}", op.tool);
            let said = headless(&elsewhere(said.trim_end(), &terminal));
            let structured = headless(&elsewhere(&structured, &tools));
            assert_eq!(said, structured, "{}", op.tool);
        }
    }
}

/// The text of a result with the stage's own folder left out.
fn elsewhere(text: &str, stage: &Stage) -> String {
    text.replace(&*stage.here().to_string_lossy(), "")
}

/// The text of a result with the digits of its head, when it wrote, made equal.
fn headless(text: &str) -> String {
    let value: Value = serde_json::from_str(text).expect("JSON");
    match value["head"].as_str() {
        Some(head) => text.replace(head, &"0".repeat(head.len())),
        None => text.to_owned(),
    }
}

/// Reading answers the same head on both faces: nothing of who asks is in it.
#[test]
fn reading_is_of_the_same_moment_on_both_faces() {
    let stage = Stage::demo();
    for (op, example) in examples().filter(|(op, _)| op.effect == Effect::Read && op.is_tool()) {
        let played = Played::on(&stage, example);
        let said = played.run(&stage, op, "");
        let results = stage.tools(&[(op.tool, played.json)]);
        let structured = results[0]["structuredContent"].to_string();
        assert_eq!(said.out, format!("{structured}\n"), "{}", op.tool);
    }
}

/// A preview, asked for or for want of a confirmation, on either face, leaves everything as it was.
#[test]
fn previews_change_nothing() {
    let stage = Stage::demo();
    stage.must("verify");
    for (op, example) in examples().filter(|(op, _)| op.writes()) {
        let played = Played::on(&stage, example);
        let before = stage.picture();
        let asked = played.run(&stage, op, "--preview");
        assert_eq!(asked.exit, 0, "{}: {asked:?}", op.verb);
        assert_eq!(
            changed(&before, &stage.picture()),
            Vec::<String>::new(),
            "{}",
            op.verb
        );
        if op.effect == Effect::Confirm {
            let shown = played.unconfirmed().run(&stage, op, "");
            assert_eq!((shown.exit, &shown.out), (3, &asked.out), "{}", op.verb);
        }
        if op.is_tool() {
            let mut json = played.unconfirmed().json;
            json["preview"] = true.into();
            let result = &stage.tools(&[(op.tool, json)])[0];
            assert_eq!(result["isError"], json!(false), "{}: {result}", op.tool);
        }
        assert_eq!(
            changed(&before, &stage.picture()),
            Vec::<String>::new(),
            "{}",
            op.verb
        );
    }
}

/// A call that is refused after its work was done, because its key stood for another call or its outcome is another one,
/// leaves everything as it was.
#[test]
fn refusals_change_nothing() {
    let stage = Stage::demo();
    stage.must("account add 1999 Spare --type asset --request-key used");
    for (op, example) in examples_on_sound_books() {
        let played = Played::on(&stage, example);
        let before = stage.picture();
        let refused = |more: &str, exit: u8, code: &str| {
            let said = played.run(&stage, op, more);
            let found = (said.exit, said.json()["error"]["code"].clone());
            assert_eq!(found, (exit, json!(code)), "{}: {said:?}", op.verb);
        };
        if op.writes() {
            refused("--request-key used", 1, "request_key_reused");
        }
        if op.effect == Effect::Confirm {
            refused("--if-preview 00000000000000000000", 1, "preview_stale");
        }
        if op.is_tool() {
            let mut json = played.json.clone();
            json["surplus"] = 1.into();
            let result = &stage.tools(&[(op.tool, json)])[0];
            assert_eq!(result["isError"], json!(true), "{}: {result}", op.tool);
        }
        assert_eq!(
            changed(&before, &stage.picture()),
            Vec::<String>::new(),
            "{}",
            op.verb
        );
    }
}

/// What differs between two pictures.
fn changed(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let names = before.keys().chain(after.keys());
    let mut changed: Vec<String> = names
        .filter(|name| before.get(*name) != after.get(*name))
        .cloned()
        .collect();
    changed.sort();
    changed.dedup();
    changed
}

/// Every argument, the engine's own too, is described to those who type and to those who call.
#[test]
fn every_field_is_described() {
    let mut bare = Vec::new();
    for op in operations() {
        let command = terminal::command(DOMAINS);
        let mut inner = &command;
        for word in split(op.verb) {
            inner = inner.find_subcommand(&word).expect("a verb");
        }
        let silent = inner.get_arguments().filter(|arg| {
            arg.get_help()
                .is_none_or(|help| help.to_string().is_empty())
        });
        bare.extend(silent.map(|arg| format!("wb {}: {}", op.verb, arg.get_id())));
        for (name, property) in input_schema(op)["properties"]
            .as_object()
            .expect("properties")
        {
            if property["description"].as_str().is_none_or(str::is_empty) {
                bare.push(format!("{}: {name}", op.tool));
            }
        }
    }
    assert_eq!(bare, Vec::<String>::new());
}

/// No operation gives a key that is the engine's; each keeps the meaning that the engine gives it.
#[test]
fn reserved_keys_are_the_engines() {
    let given: BTreeMap<&str, Value> = BTreeMap::from([
        ("preview", json!({"type": "string"})),
        ("replayed", json!({"type": "boolean"})),
        ("warnings", json!({"type": "array"})),
        ("seq", json!({"type": "integer"})),
        ("head", json!({"type": "string"})),
    ]);
    for op in operations().filter(|op| op.effect != Effect::Upkeep) {
        let schema = output_schema(op, DOMAINS);
        let required = schema.get("required").and_then(Value::as_array);
        for key in RESERVED {
            // A property of the operation's own would be required, described, or of another kind.
            let found = schema["properties"].get(*key);
            if op.writes() || ["seq", "head"].contains(key) {
                assert_eq!(found, given.get(key), "{}: {key}", op.verb);
            } else {
                assert_eq!(found, None, "{}: {key}", op.verb);
            }
            let needed = required.is_some_and(|all| all.iter().any(|name| name == key));
            assert!(!needed, "{} gives {key} itself", op.verb);
        }
    }
}

/// No schema holds a reference, a title, a `null`, or a combinator at its top.
#[test]
fn schemas_are_plain() {
    for op in operations() {
        for schema in [input_schema(op), output_schema(op, DOMAINS)] {
            for combinator in ["oneOf", "anyOf", "allOf", "not", "if", "$ref", "$defs"] {
                assert_eq!(schema.get(combinator), None, "{}", op.verb);
            }
            assert_eq!(schema["additionalProperties"], json!(false), "{}", op.verb);
            let mut faults = Vec::new();
            plain(&Value::Object(schema), false, &mut faults);
            assert_eq!(faults, Vec::<String>::new(), "{}", op.verb);
        }
    }
}

/// Walks a schema. Under `properties` the keys are names, so a field may be called `title`.
fn plain(schema: &Value, names: bool, faults: &mut Vec<String>) {
    match schema {
        Value::Null => faults.push("null".to_owned()),
        Value::String(text) if text == "null" => faults.push("null".to_owned()),
        Value::Array(items) => items.iter().for_each(|item| plain(item, false, faults)),
        Value::Object(map) => {
            for (key, value) in map {
                if !names && ["$ref", "$defs", "definitions", "title"].contains(&key.as_str()) {
                    faults.push(key.clone());
                }
                if names || key != "description" {
                    plain(value, !names && key == "properties", faults);
                }
            }
        }
        _ => {}
    }
}
