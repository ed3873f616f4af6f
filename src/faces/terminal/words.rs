//! Words that only the terminal takes: `today` and `yesterday` for dates, and tools' names for verbs.

use std::ffi::{OsStr, OsString};

use clap::{Arg, Command, builder::TypedValueParser, error::ErrorKind};

use crate::{
    engine::{Domain, by_tool},
    model::Date,
    world::World,
};

/// Reads a date, or the word for one, by the clock of this world.
#[derive(Clone)]
struct DateWords(World);

/// An argument that takes a date, and says in its help how one is written.
pub fn takes_dates(arg: Arg, world: &World) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.value_parser(DateWords(world.clone()))
        .help(format!("{help} (YYYY-MM-DD, `today` or `yesterday`)"))
}

impl TypedValueParser for DateWords {
    type Value = Date;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Date, clap::Error> {
        let text = value.to_string_lossy();
        let today = || self.0.today();
        let read = match text.as_ref() {
            "today" => Ok(today()),
            "yesterday" => today()
                .plus_days(-1)
                .ok_or_else(|| "there is no day before today".to_owned()),
            other => other.parse::<Date>(),
        };
        read.map_err(|why| {
            let name = arg.map(ToString::to_string).unwrap_or_default();
            command.clone().error(
                ErrorKind::ValueValidation,
                format!("invalid value for {name}: {why}"),
            )
        })
    }
}

/// Options before the verb that take a value of their own.
const WITH_VALUE: &[&str] = &["--books", "--data-dir", "--books-toml", "--color"];

/// The command line with a tool's name in the verb's place turned into the verb.
pub fn verbs_for_tools(args: Vec<OsString>, domains: &[&Domain]) -> Vec<OsString> {
    let mut place = 1;
    while let Some(arg) = args.get(place).and_then(|a| a.to_str()) {
        if !arg.starts_with('-') {
            break;
        }
        place += if WITH_VALUE.contains(&arg) { 2 } else { 1 };
    }
    let tool = args.get(place).and_then(|a| a.to_str()).unwrap_or_default();
    let op = by_tool(domains, tool);
    let Some(op) = op else {
        return args;
    };
    let (before, after) = args.split_at(place);
    let verb = op.verb.split(' ').map(OsString::from);
    before
        .iter()
        .cloned()
        .chain(verb)
        .chain(after[1..].iter().cloned())
        .collect()
}
