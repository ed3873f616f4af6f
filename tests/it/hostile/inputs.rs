//! Every hostile text through every argument of every operation, on both faces: taken or refused, and no answer the worse for it.

use serde_json::{Value, json};
use wanderbooks::{
    engine::{Effect, OpDef, input_schema},
    faces::terminal,
    registry::DOMAINS,
};

use super::corpus::{corpus, must_be_harmless, must_be_own, must_be_plain};
use crate::stage::{Stage, split};

/// Of the texts, one in so many goes through each word of a command line, all of them through neighbouring words.
const STRIDE: usize = 10;

fn operations() -> impl Iterator<Item = &'static OpDef> {
    DOMAINS.iter().flat_map(|domain| domain.operations)
}

/// Whether a text in this argument came from a file and not from who calls.
fn from_outside(place: &[String]) -> bool {
    ["csv_text", "file_name", "content_base64", "file"].contains(&place[0].as_str())
}

/// Every place in arguments that holds one value, as a path; `0` is an item of a list, `*key` and `*value` those of a map.
fn places(schema: &Value, path: &[String], found: &mut Vec<Vec<String>>) {
    let mut go = |schema: &Value, step: &str| {
        let path = [path, &[step.to_owned()]].concat();
        places(schema, &path, found);
    };
    if let Some(properties) = schema["properties"].as_object() {
        properties.iter().for_each(|(key, schema)| go(schema, key));
    } else if schema["items"].is_object() {
        go(&schema["items"], "0");
    } else if schema["additionalProperties"].is_object() || schema["type"] == json!("object") {
        go(&Value::Null, "*key");
        go(&schema["additionalProperties"], "*value");
    } else {
        found.push(path.to_vec());
    }
}

/// Puts a text in a place of arguments.
fn put(args: &mut Value, place: &[String], text: &str) {
    let Some((step, rest)) = place.split_first() else {
        *args = text.into();
        return;
    };
    match step.as_str() {
        "*key" => *args = json!({text: "6800"}),
        "*value" => *args = json!({"HARDWARE": text}),
        "0" => {
            if args.get(0).is_none() {
                *args = json!([null]);
            }
            put(&mut args[0], rest, text);
        }
        key => put(&mut args[key], rest, text),
    }
}

/// The ids of a draft and of a posted entry of the demo's books.
fn ids(stage: &Stage) -> (String, String) {
    let id = |status: &str| {
        let found = stage.must(&format!("entry search --status {status} --limit 1 --json"));
        found.json()["entries"][0]["entry_id"].to_string()
    };
    (id("draft"), id("posted"))
}

/// T17, A1: no text in any argument of any tool makes a fault, shows a hidden character, or, where it came from a file, is
/// spoken by the program itself. Whatever is taken is previewed, so that every text meets the same books.
#[test]
fn every_argument_of_every_tool() {
    let stage = Stage::demo();
    let (draft, posted) = ids(&stage);
    let texts = corpus();
    let (mut calls, mut told) = (Vec::new(), Vec::new());
    for op in operations().filter(|op| op.is_tool()) {
        let mut found = Vec::new();
        places(&Value::Object(input_schema(op)), &[], &mut found);
        let example = op.examples[0].json;
        let example = example
            .replace("{draft}", &draft)
            .replace("{posted}", &posted);
        let mut args: Value = serde_json::from_str(&example).expect("an example is JSON");
        let map = args.as_object_mut().expect("an object");
        map.remove("confirmed");
        if op.writes() {
            map.insert("preview".to_owned(), true.into());
        }
        for place in &found {
            for (number, text) in texts.iter().enumerate() {
                let mut args = args.clone();
                put(&mut args, place, text);
                let call = json!({"name": op.tool, "arguments": args});
                calls.push(("tools/call", call));
                let what = format!("{} {}, text {number}", op.tool, place.join("."));
                told.push((what, from_outside(place)));
            }
        }
    }
    assert!(told.len() > 4_000, "{} calls", told.len());
    let lines = stage.asked(calls);
    for (line, (what, outside)) in lines.iter().zip(&told) {
        must_be_harmless(line, *outside, what);
    }
}

/// The words of an example, the options first, each with its value, then those that have no name.
fn words_of(
    command: &clap::Command,
    words: &[String],
) -> (Vec<(String, Option<String>)>, Vec<String>) {
    let (mut options, mut bare) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(long) = word.strip_prefix("--") else {
            bare.push(word.clone());
            continue;
        };
        let arg = command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(long));
        let takes = arg.is_some_and(|arg| arg.get_action().takes_values());
        let value = takes.then(|| words.next().expect("a value").clone());
        options.push((long.to_owned(), value));
    }
    (options, bare)
}

/// The command lines of an operation, each with one of its words replaced by a text.
fn lines_of(op: &OpDef, words: &[String], texts: &[String], first: &mut usize) -> Vec<Vec<String>> {
    let mut command = terminal::command(DOMAINS);
    command.build();
    let mut inner = &command;
    for word in split(op.verb) {
        inner = inner.find_subcommand(&word).expect("a verb");
    }
    let (options, bare) = words_of(inner, words);
    let mut lines = Vec::new();
    for arg in inner.get_arguments() {
        // Other books than the stage's, and what serves, are no business of texts.
        if !arg.get_action().takes_values() || arg.get_long() == Some("books") {
            continue;
        }
        *first += 1;
        for text in texts.iter().skip(*first % STRIDE).step_by(STRIDE) {
            let (mut options, mut bare) = (options.clone(), bare.clone());
            if let Some(long) = arg.get_long() {
                options.retain(|(name, _)| name != long);
                options.push((long.to_owned(), Some(text.clone())));
            } else {
                let place = arg.get_index().expect("a place") - 1;
                bare.truncate(place.max(bare.len().min(place + 1)));
                bare.truncate(place);
                bare.push(text.clone());
            }
            let mut line = split(op.verb);
            line.extend(options.into_iter().map(|(name, value)| match value {
                Some(value) => format!("--{name}={value}"),
                None => format!("--{name}"),
            }));
            line.push("--".to_owned());
            line.extend(bare);
            lines.push(line);
        }
    }
    lines
}

/// T17, A1: no text in any word of any command shows a hidden character on standard output or standard error, in text or in
/// JSON, and none makes a fault.
#[test]
fn every_word_of_every_command() {
    let stage = Stage::demo();
    let (draft, posted) = ids(&stage);
    let (texts, mut first) = (corpus(), 0);
    let beside = stage.here().to_owned();
    for op in operations().filter(|op| !["backup", "restore", "repair"].contains(&op.verb)) {
        let words = op.examples[0].words;
        let words = words
            .replace("{draft}", &draft)
            .replace("{posted}", &posted);
        let mut words = split(&words);
        words.retain(|word| word != "--confirm");
        if op.writes() && op.effect != Effect::Upkeep {
            words.push("--preview".to_owned());
        }
        for (number, line) in lines_of(op, &words, &texts, &mut first)
            .into_iter()
            .enumerate()
        {
            let mut line = [vec!["--books".to_owned()], line].concat();
            line.insert(1, stage.books().to_string_lossy().into_owned());
            // What a command writes has its place beside the books, whatever it is called.
            for word in &mut line {
                if let Some(text) = word.strip_prefix("--output=") {
                    *word = format!("--output={}/{text}", beside.display());
                }
            }
            if number % 2 == 0 {
                line.insert(0, "--json".to_owned());
            }
            let what = format!("{:?}", line.join(" ").chars().take(300).collect::<String>());
            let said = stage.run(line);
            must_be_plain(&said.out, &what);
            must_be_plain(&said.err, &what);
            if let Ok(answer) = serde_json::from_str::<Value>(&said.out) {
                must_be_own(&answer, false, &what);
                must_be_own(&answer["error"], false, &what);
            }
        }
    }
}
