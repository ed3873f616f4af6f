//! Completion of values out of the books. What cannot be read completes to nothing.

use std::ffi::OsStr;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use serde_json::{Map, Value, json};

use super::place;
use crate::{
    engine::{Books, Caller, from_json},
    registry::DOMAINS,
    world::World,
};

/// Completes an account's code, showing its name.
pub fn accounts() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| candidates(&typed.to_string_lossy()).unwrap_or_default())
}

fn candidates(typed: &str) -> Option<Vec<CompletionCandidate>> {
    let world = World::real();
    let paths = place::find(&place::Places::default(), &world).ok()?;
    let mut books = Books::open(paths, DOMAINS, world).ok()?;
    let op = DOMAINS
        .iter()
        .flat_map(|d| d.operations)
        .find(|op| op.tool == "books.chart")?;
    let (call, control) = from_json(op, Map::new()).ok()?;
    let by = json!({"face": "completion"}).to_string();
    let answer = books
        .call(
            op,
            &call,
            &control,
            Caller {
                by: &by,
                previews: None,
                answer_bytes_max: None,
            },
        )
        .ok()?;
    let wanted = typed.to_lowercase();
    let text = |account: &Value, key: &str| {
        account
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let accounts = answer.value.get("accounts")?.as_array()?;
    let matching = accounts.iter().filter_map(|account| {
        let (code, name) = (text(account, "code"), text(account, "name"));
        let fits =
            code.to_lowercase().starts_with(&wanted) || name.to_lowercase().starts_with(&wanted);
        fits.then(|| CompletionCandidate::new(code).help(Some(name.into())))
    });
    Some(matching.collect())
}
