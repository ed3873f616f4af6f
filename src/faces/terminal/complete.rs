//! Completion of values out of the books and the registry. What cannot be read completes to nothing.

use std::{ffi::OsStr, path::PathBuf};

use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate};
use serde_json::{Map, Value, json};

use super::place;
use crate::{
    engine::{Books, Caller, Domain, by_tool, from_json, operations},
    faces::mcp::toolset,
    model::visible,
    registry::DOMAINS,
    world::World,
};

/// The most entries that are offered, the newest.
const ENTRIES_MAX: u32 = 200;

/// Completes an account's code, showing its name; the beginning of a name does too.
pub fn accounts() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let list = ("books.chart", Map::new(), "accounts");
        let candidates = values(list, "code", &["name"]).unwrap_or_default();
        fitting(candidates, typed)
    })
}

/// Completes an entry's id, drafts first, showing its day and description.
pub fn entries() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let of = |status: &str| {
            let args = json!({"status": status, "limit": ENTRIES_MAX});
            let args = args.as_object().cloned().unwrap_or_default();
            let list = ("books.search_entries", args, "entries");
            values(list, "entry_id", &["status", "date", "description"]).unwrap_or_default()
        };
        let all = of("draft").into_iter().chain(of("posted"));
        fitting(all.collect(), typed)
    })
}

/// Completes a tool's name, showing what it does.
pub fn tools(domains: &'static [&'static Domain]) -> ArgValueCandidates {
    ArgValueCandidates::new(move || {
        operations(domains)
            .filter(|op| op.is_tool())
            .map(|op| CompletionCandidate::new(op.tool).help(Some(op.description().0.into())))
            .collect()
    })
}

/// Completes the name of a set of tools.
pub fn toolsets(domains: &'static [&'static Domain]) -> ArgValueCandidates {
    ArgValueCandidates::new(move || {
        let tools = operations(domains).filter(|op| op.is_tool());
        let mut names: Vec<&str> = tools.map(toolset).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().map(CompletionCandidate::new).collect()
    })
}

/// Completes what `wb help` explains: chapters, groups and the verbs that stand alone.
pub fn topics(domains: &'static [&'static Domain]) -> ArgValueCandidates {
    ArgValueCandidates::new(move || {
        let chapters = domains.iter().filter(|d| !d.about.is_empty());
        let chapters = chapters.map(|d| d.name);
        let groups = domains.iter().flat_map(|d| d.groups).map(|(name, _)| *name);
        // A verb of a group is the second word, behind its group's.
        let alone = operations(domains).filter(|op| op.group_and_word().0.is_none());
        let alone = alone.map(|op| op.verb);
        let mut all: Vec<&str> = chapters.chain(groups).chain(alone).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(CompletionCandidate::new).collect()
    })
}

/// Candidates whose value or explanation begins as what was typed.
fn fitting(candidates: Vec<CompletionCandidate>, typed: &OsStr) -> Vec<CompletionCandidate> {
    let wanted = typed.to_string_lossy().to_lowercase();
    let begins = |text: &str| text.to_lowercase().starts_with(&wanted);
    let fits = |candidate: &CompletionCandidate| {
        begins(&candidate.get_value().to_string_lossy())
            || candidate
                .get_help()
                .is_some_and(|help| begins(&help.to_string()))
    };
    candidates.into_iter().filter(fits).collect()
}

/// The values that stand under `key` in the list that a tool gives, explained by what stands beside them.
fn values(
    (tool, args, list): (&str, Map<String, Value>, &str),
    key: &str,
    beside: &[&str],
) -> Option<Vec<CompletionCandidate>> {
    let world = World::real();
    let books = world.option("--books").map(PathBuf::from);
    let books = books.or_else(|| world.books_folder());
    let places = place::Places {
        books,
        data: world.option("--data-dir").map(PathBuf::from),
        settings: world.option("--books-toml").map(PathBuf::from),
    };
    let paths = place::find(&places, &world).ok()?;
    let mut books = Books::open(paths, DOMAINS, world).ok()?;
    let op = by_tool(DOMAINS, tool)?;
    let (call, control) = from_json(op, args).ok()?;
    let by = json!({"face": "completion"}).to_string();
    let caller = Caller::plain(&by);
    let answer = books.call(op, &call, &control, caller).ok()?;
    let text = |row: &Value, key: &str| match row.get(key) {
        Some(Value::String(text)) => visible(text).into_owned(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let rows = answer.value.get(list)?.as_array()?;
    let candidate = |row: &Value| {
        let help: Vec<String> = beside.iter().map(|key| text(row, key)).collect();
        CompletionCandidate::new(text(row, key)).help(Some(help.join(" ").into()))
    };
    Some(rows.iter().map(candidate).collect())
}
