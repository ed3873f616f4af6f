//! `wb call` and `wb ops`: the tools as a script sees them.

use clap::ArgMatches;
use serde_json::{Map, Value, json};

use super::{Exit, Session, Stop, deepest, operate};
use crate::{
    engine::{Caller, No, OpDef, Source, by_tool, from_json, operations},
    faces::repeated,
    model::quoted,
    present::Sheet,
};

/// Runs a tool with the JSON arguments that it takes over MCP and prints its JSON result.
pub fn call(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    if session.csv {
        let why = "`wb call` prints JSON; leave --csv out";
        return Err(No::argument("csv", why).into());
    }
    session.json = true;
    let name = matches
        .get_one::<String>("tool")
        .map(String::as_str)
        .unwrap_or_default();
    let op = find(session, name)?;
    let (call, control) = from_json(op, arguments(matches.get_one::<String>("arguments"))?)?;
    let mut books = operate::open(session, deepest(matches), op.effect)?;
    let caller = Caller {
        answer_bytes_max: Some(crate::faces::mcp::result_bytes_max(op)),
        ..Caller::plain(&session.by)
    };
    let answer = books.call(op, &call, &control, caller)?;
    session
        .console
        .json(&Value::Object(answer.value.clone()))
        .map_err(|stop| operate::unshown(stop, op, &answer))?;
    Ok(Exit::Done)
}

/// The operation of a tool's name, in either spelling.
fn find(session: &Session<'_>, name: &str) -> Result<&'static OpDef, No> {
    by_tool(session.domains, name).ok_or_else(|| {
        No::argument(
            "tool",
            format!("there is no tool {}; `wb ops` lists them", quoted(name)),
        )
    })
}

fn arguments(given: Option<&String>) -> Result<Map<String, Value>, No> {
    let text = match given.map(String::as_str) {
        None => "{}".to_owned(),
        Some("-") => {
            let mut source = Source::Path("-".into());
            source.load(Source::BYTES_MAX)?;
            String::from_utf8(source.bytes().to_vec())
                .map_err(|_| No::argument("arguments", "the arguments are not UTF-8 text"))?
        }
        Some(text) => text.to_owned(),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(_)) if repeated::repeats_a_key(&text) => {
            Err(No::argument("arguments", repeated::SAID))
        }
        Ok(Value::Object(args)) => Ok(args),
        Ok(_) => Err(No::argument(
            "arguments",
            "the arguments are one JSON object",
        )),
        Err(e) => Err(No::argument(
            "arguments",
            format!("the arguments are not JSON: {e}"),
        )),
    }
}

/// Lists every operation.
pub fn list(session: &mut Session<'_>) -> Result<Exit, Stop> {
    let rows: Vec<Value> = operations(session.domains)
        .map(|op| {
            json!({"verb": op.verb, "tool": op.tool, "effect": op.effect.word(), "about": op.description().0})
        })
        .collect();
    let value = json!({ "operations": rows });
    if session.json {
        session.console.json(&value)?;
    } else {
        operate::print_sheet(session, &Sheet::from_value("Verbs and tools", &value))?;
    }
    Ok(Exit::Done)
}
