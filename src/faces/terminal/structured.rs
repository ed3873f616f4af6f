//! Arguments that take a list of values with parts: beside the word for one of them, a file with all of them as JSON. Which
//! arguments those are, an operation's own schema says.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Command, ValueHint, builder::ValueParser};
use serde_json::Value;

use crate::{
    engine::{No, OpDef, Result, Source, input_schema},
    faces::repeated,
};

/// The arguments of an operation whose schema announces a list of objects.
pub fn names(op: &OpDef) -> Vec<String> {
    let schema = input_schema(op);
    let properties = schema.get("properties").and_then(Value::as_object);
    let takes_objects = |property: &Value| {
        let item = property.get("items").and_then(|items| items.get("type"));
        property["type"] == "array" && item.is_some_and(|kind| kind == "object")
    };
    properties
        .into_iter()
        .flatten()
        .filter(|(_, property)| takes_objects(property))
        .map(|(name, _)| name.clone())
        .collect()
}

/// The option that takes the file, for the argument of this name.
pub fn flag(name: &str) -> String {
    format!("{}-json", name.replace('_', "-"))
}

/// The verb with an option for each such argument. Only what may be repeated can be a list, so other verbs need no schema.
pub fn augment(op: &OpDef, command: Command) -> Command {
    let repeated = |arg: &Arg| matches!(arg.get_action(), ArgAction::Append);
    if !command.get_arguments().any(repeated) {
        return command;
    }
    names(op).into_iter().fold(command, |command, name| {
        // clap keeps names for the life of the program; it is a word for each such argument.
        let (flag, own): (&str, &str) = (flag(&name).leak(), name.clone().leak());
        command.arg(
            Arg::new(flag)
                .long(flag)
                .value_name("FILE")
                .value_hint(ValueHint::FilePath)
                .value_parser(ValueParser::path_buf())
                .conflicts_with(own)
                .help(format!(
                    "The {} as a JSON list in a file, or - for standard input",
                    name.replace('_', " ")
                )),
        )
    })
}

/// What such a file holds.
///
/// Refuses: what cannot be read, is not JSON, or has one key twice in an object.
pub fn read(flag: &str, path: &Path) -> Result<Value> {
    let mut source = Source::Path(PathBuf::from(path));
    source.load(Source::BYTES_MAX)?;
    let unfit = |why: String| No::argument(flag, format!("--{flag}: {why}"));
    let text = std::str::from_utf8(source.bytes()).map_err(|_| unfit("not UTF-8".to_owned()))?;
    let value = serde_json::from_str(text).map_err(|e| unfit(format!("not JSON: {e}")))?;
    if repeated::repeats_a_key(text) {
        return Err(unfit(repeated::SAID.to_owned()));
    }
    Ok(value)
}
