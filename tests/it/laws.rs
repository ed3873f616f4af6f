//! Laws over the whole registry: what holds of every operation, whoever writes it.

use std::collections::BTreeMap;

use wanderbooks::{
    engine::{Effect, OpDef},
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
