//! A sample of every event ever shipped, each folded on top of small books: `tests/events/TYPE.vN.jsonl`, a line a sample,
//! on top of `base.jsonl`. Data in them is written by hand and never changes: the format is for ever.

use std::{collections::BTreeMap, fs, path::Path, rc::Rc};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use wanderbooks::{
    engine::{ENGINE, projection},
    registry::DOMAINS,
    store::{
        Envelope, FoldError, Line, Paths, Projection, Store, StoreError, StoreResult, Writing,
    },
};

/// An event as a sample file gives it.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
struct Sample {
    #[serde(rename = "type")]
    kind: String,
    v: u32,
    data: Box<RawValue>,
}

const BASE: &str = "base";
/// The first event, which stands on nothing.
const FIRST: &str = "books.created";

fn read(text: &str) -> Vec<Sample> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

/// The samples by their file's name without `.jsonl`.
fn samples() -> BTreeMap<String, Vec<Sample>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/events");
    let mut samples = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder of samples") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        assert_eq!(
            path.extension().and_then(|e| e.to_str()),
            Some("jsonl"),
            "{name}"
        );
        samples.insert(name, read(&fs::read_to_string(&path).expect("a sample")));
    }
    samples
}

fn file_name(kind: &str, v: u32) -> String {
    format!("{kind}.v{v}")
}

/// Appends an event of a command and folds it as a replay would.
fn happen(
    change: &mut Writing<'_>,
    projection: &Projection,
    more: bool,
    (kind, v, data): (&str, u32, &str),
) -> StoreResult<()> {
    let line = Line {
        more,
        at: "2026-11-30T08:51:40Z",
        by: r#"{"face":"terminal","user":"tester"}"#,
        request: None,
        kind,
        v,
        data,
    };
    let head = change.append(&line)?;
    let body = change
        .view()
        .line(head.seq)?
        .expect("the line just appended");
    let envelope: Envelope<'_> = serde_json::from_str(&body).expect("a line of the journal");
    change.fold(|tables| (projection.fold)(&envelope, tables))
}

/// Makes books of the base and then one more event; gives what verification says of them, or why it did not fold.
fn books_with(base: &[Sample], (kind, v, data): (&str, u32, &str)) -> StoreResult<Vec<String>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let projection: Rc<Projection> = projection(DOMAINS);
    let paths = Paths::within(&folder.path().join("books"));
    let mut store = Store::create(paths, Rc::clone(&projection), None)?;
    let mut change = store.write()?;
    for event in base.iter().filter(|_| kind != FIRST) {
        let event = (event.kind.as_str(), event.v, event.data.get());
        happen(&mut change, &projection, true, event)?;
    }
    happen(&mut change, &projection, false, (kind, v, data))?;
    change.commit()?;
    let found = store.verify(wanderbooks::store::Depth::Rows)?;
    let damage = found.damage.map(|d| d.why);
    Ok(damage
        .into_iter()
        .chain(found.drift.into_iter().map(|d| d.what))
        .collect())
}

/// Every registered event has its samples, and every sample is of a registered event.
#[test]
fn every_event_has_a_sample() {
    let mut expected: Vec<String> = std::iter::once(&ENGINE)
        .chain(DOMAINS.iter().copied())
        .flat_map(|domain| domain.events)
        .map(|event| file_name(event.kind, event.v))
        .chain([BASE.to_owned()])
        .collect();
    expected.sort();
    let samples = samples();
    assert_eq!(samples.keys().cloned().collect::<Vec<_>>(), expected);
    for (name, events) in samples.iter().filter(|(name, _)| *name != BASE) {
        assert!(!events.is_empty(), "{name} holds no sample");
        for event in events {
            assert_eq!(*name, file_name(&event.kind, event.v));
        }
    }
}

/// Every sample folds on top of the base, and the books verify after it.
#[test]
fn samples_fold() {
    let samples = samples();
    let base = &samples[BASE];
    for event in samples
        .iter()
        .filter(|(name, _)| *name != BASE)
        .flat_map(|(_, e)| e)
    {
        let found = books_with(base, (&event.kind, event.v, event.data.get()));
        let found = found.unwrap_or_else(|e| panic!("{} {}: {e}", event.kind, event.data));
        assert_eq!(found, Vec::<String>::new(), "{} {}", event.kind, event.data);
    }
}

/// The places of the objects in a value.
fn objects(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                objects(inner, format!("{place}/{key}"), found);
            }
            found.push(place);
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                objects(inner, format!("{place}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn unreadable(base: &[Sample], event: &Sample, data: &Value) -> bool {
    let found = books_with(base, (&event.kind, event.v, &data.to_string()));
    matches!(found, Err(StoreError::Fold(FoldError::Unreadable { .. })))
}

/// An event with an unknown field, at the top or inside, is refused, never half read; so is one without a field that all
/// its samples have.
#[test]
fn samples_are_read_strictly() {
    let samples = samples();
    let base = &samples[BASE];
    for (name, events) in samples.iter().filter(|(name, _)| *name != BASE) {
        let all: Vec<Value> = events
            .iter()
            .map(|e| serde_json::from_str(e.data.get()).expect("data"))
            .collect();
        for (event, data) in events.iter().zip(&all) {
            let mut places = Vec::new();
            objects(data, String::new(), &mut places);
            for place in places {
                let mut more = data.clone();
                more.pointer_mut(&place).expect("an object")["unheard_of"] = 1.into();
                assert!(
                    unreadable(base, event, &more),
                    "{name}: an unknown field at {place:?}"
                );
            }
            for key in data.as_object().expect("an object").keys() {
                let mut less = data.clone();
                less.as_object_mut().expect("an object").shift_remove(key);
                let needed = all.iter().all(|other| other.get(key).is_some());
                assert!(
                    !needed || unreadable(base, event, &less),
                    "{name}: without {key}"
                );
            }
        }
    }
}
