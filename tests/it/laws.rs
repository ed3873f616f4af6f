//! Laws over the whole registry: what holds of every operation, whoever writes it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use wanderbooks::{
    engine::{CONTROLS, ENGINE, Effect, OpDef, from_json},
    registry::DOMAINS,
};

/// A row of the table of operations, by its verb: tool, effect, stage.
type Row = (&'static str, &'static str, u32);

/// The last stage of the plan whose operations are all there.
const STAGE: u32 = 1;

/// The table of operations: verb, tool, effect, whether it gives sums only, stage.
fn table() -> BTreeMap<&'static str, Row> {
    let mut rows = BTreeMap::new();
    for line in include_str!("../operations.tsv").lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [verb, tool, effect, _, stage] = cells[..] else {
            panic!("a row has five cells: {line}");
        };
        let row = (tool, effect, stage.parse().expect("a stage is a number"));
        assert_eq!(rows.insert(verb, row), None, "{verb} stands twice");
    }
    rows
}

fn operations() -> impl Iterator<Item = &'static OpDef> {
    DOMAINS.iter().flat_map(|domain| domain.operations)
}

fn effect(op: &OpDef) -> &'static str {
    match op.effect {
        Effect::Read => "read",
        Effect::Write => "write",
        Effect::Confirm => "confirm",
        Effect::Upkeep => "upkeep",
    }
}

/// Every operation of the registry is a row of the table, with that tool and that effect.
#[test]
fn registry_holds_only_rows() {
    let table = table();
    for op in operations() {
        let row = table.get(op.verb).map(|(tool, effect, _)| (*tool, *effect));
        assert_eq!(row, Some((op.tool, effect(op))), "{}", op.verb);
    }
}

/// Every row of the stages reached is in the registry, except the terminal's own verbs.
#[test]
fn rows_are_in_the_registry() {
    let registered: Vec<&str> = operations().map(|op| op.verb).collect();
    let due = |row: &Row| row.2 <= STAGE && row.1 != "terminal";
    let missing: Vec<&str> = table()
        .into_iter()
        .filter(|(verb, row)| due(row) && !registered.contains(verb))
        .map(|(verb, _)| verb)
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// No two domains have one name, and no event type has one version twice: the one would be folded as the other.
#[test]
fn folds_are_told_apart() {
    let mut names = BTreeSet::new();
    let mut events = BTreeSet::new();
    for domain in std::iter::once(&ENGINE).chain(DOMAINS.iter().copied()) {
        assert!(names.insert(domain.name), "{} stands twice", domain.name);
        for event in domain.events {
            let known = events.insert((event.kind, event.v));
            assert!(known, "{} v{} stands twice", event.kind, event.v);
        }
    }
}

/// The arguments that an operation is known by under its request key, from JSON.
fn arguments(op: &OpDef, args: &Map<String, Value>) -> Map<String, Value> {
    let (call, _) = from_json(op, args.clone()).expect("arguments that can be read");
    match call.args {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

/// What clap takes when an argument is not given, as JSON.
fn defaults(op: &OpDef) -> Vec<(String, Value)> {
    let mut command = (op.augment)(clap::Command::new(op.verb));
    command.build();
    let default = |arg: &clap::Arg| {
        let value = arg.get_default_values().first()?.to_str()?.to_owned();
        let json = serde_json::from_str(&value).unwrap_or(Value::String(value));
        Some((arg.get_id().to_string(), json))
    };
    command.get_arguments().filter_map(default).collect()
}

/// A call is the same call whether an argument at its default was written out or left out, so that its request key finds it
/// again: what is left out is not in the arguments that are hashed, and neither is a default that is written out.
#[test]
fn defaults_do_not_count() {
    let mut wrong = Vec::new();
    for op in operations().filter(|op| op.writes()) {
        for example in op.examples {
            let text = example
                .json
                .replace("{draft}", "1")
                .replace("{posted}", "2");
            let given: Value = serde_json::from_str(&text).expect("JSON");
            let mut given = given.as_object().expect("an object").clone();
            given.retain(|key, _| !CONTROLS.contains(&key.as_str()));
            let args = arguments(op, &given);
            let unasked = args.keys().filter(|key| !given.contains_key(*key));
            wrong.extend(unasked.map(|key| format!("{}: {key} unasked", op.verb)));
            for (key, value) in defaults(op) {
                if given.contains_key(&key) {
                    continue;
                }
                let mut written = given.clone();
                written.insert(key.clone(), value.clone());
                if arguments(op, &written) != args {
                    wrong.push(format!("{}: {key} {value} written out", op.verb));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
