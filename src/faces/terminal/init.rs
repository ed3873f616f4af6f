//! `wb init`: makes books, by asking or from options. What a chart and settings are is the business of the domain that
//! offers to found books.

mod ask;

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Exit, Session, Stop, operate, place};
use crate::{
    engine::{
        Books, Call, Caller, Control, Domain, Filling, Foundation, No, OpDef, Result, by_tool,
        from_json,
    },
    model::Currency,
    present::{Cell, Field, Sheet},
};

/// Make new books in a folder
///
/// Asks for what was not given, at a terminal; elsewhere, and with --no-input, everything comes from the options. Writes
/// wanderbooks.toml and imports the starter chart of the entity. A folder that already has books is refused.
#[derive(Args, Clone, Debug)]
pub struct Init {
    /// The folder, made if it is not there
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// The company's name
    #[arg(long, value_name = "NAME")]
    pub company: Option<String>,
    /// sole_proprietorship, partnership, s_corporation or c_corporation
    #[arg(long, value_name = "ENTITY", add = ask::completed())]
    pub entity: Option<String>,
    /// An owner, repeatable; with a share as NAME=50%
    #[arg(long = "owner", value_name = "NAME[=SHARE]")]
    pub owners: Vec<String>,
    /// First day of the fiscal year, MM-01 [default: 01-01]
    #[arg(long, value_name = "MM-01")]
    pub fiscal_year_start: Option<String>,
    /// Base currency [default: USD]
    #[arg(long, value_name = "CODE")]
    pub currency: Option<String>,
    /// Import no starter chart
    #[arg(long)]
    pub no_chart: bool,
}

/// What a person said of the business, as the domain that founds books is told it.
#[derive(Serialize, Clone, Debug)]
struct Founding {
    company: String,
    entity: String,
    owners: Vec<String>,
    fiscal_year_start: Option<String>,
}

/// The verb.
pub fn command() -> Command {
    Init::augment_args(Command::new("init"))
}

/// Makes the books that the command line asks for.
pub fn carry_out(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    let mut wanted =
        Init::from_arg_matches(matches).map_err(|e| No::argument("", e.to_string()))?;
    let paths = place::for_new(
        &wanted.dir,
        &place::Places {
            books: None,
            ..place::Places::of(matches)
        },
        session.world,
    )?;
    Books::vacant(&paths)?;
    // What was given is judged before anything is asked, so that no answer is lost.
    if let Some(code) = &wanted.currency {
        Currency::from_code(code)?;
    }
    if session.may_ask {
        ask::ask(session, &mut wanted)?;
    }
    let made = make(session, &wanted, paths)?;
    let shown = if session.json {
        session.console.json(&Value::Object(made))
    } else if session.quiet {
        Ok(())
    } else {
        operate::print_done(session, &page(made))
    };
    shown.map_err(|stop| operate::only_unshown(stop, "the books are made"))?;
    Ok(Exit::Done)
}

/// The page that says what was made; commands stand a line each, as they can be typed.
fn page(mut made: Map<String, Value>) -> Sheet {
    let next = made.shift_remove("next").unwrap_or_default();
    let next = next.as_array().into_iter().flatten();
    let next: Vec<&str> = next.filter_map(Value::as_str).collect();
    let commands = next.join("\n");
    let mut sheet = Sheet::from_value("New books", &Value::Object(made));
    sheet.fields.push(Field {
        label: "Next".to_owned(),
        cell: Cell::Text(commands),
    });
    sheet
}

/// Makes books and says what was made.
pub fn make(
    session: &Session<'_>,
    wanted: &Init,
    paths: crate::store::Paths,
) -> Result<Map<String, Value>> {
    let needed = |value: &Option<String>, name: &str| {
        value
            .clone()
            .filter(|v| !v.trim().is_empty())
            .ok_or_else(|| {
                No::argument(
                    name,
                    format!("--{name} is needed; give it, or answer the questions at a terminal"),
                )
            })
    };
    let founding = Founding {
        company: needed(&wanted.company, "company")?.trim().to_owned(),
        entity: needed(&wanted.entity, "entity")?,
        owners: wanted.owners.clone(),
        fiscal_year_start: wanted.fiscal_year_start.clone(),
    };
    let currency = Currency::from_code(wanted.currency.as_deref().unwrap_or("USD"))?;
    let foundation = found(session.domains, &founding)?;
    let root = paths.root.clone();
    let first = (!wanted.no_chart).then(|| filling_call(session, &foundation.filling));
    let first: Vec<Call> = first.into_iter().collect::<Result<_>>()?;
    let accounts = match first.len() {
        0 => 0,
        _ => foundation.filling.makes,
    };
    // One command: an init that is cut off leaves no books without their chart.
    let settings = foundation.settings.as_str();
    let facts = (currency, settings, session.by.as_str(), first.as_slice());
    Books::create_with(paths, session.domains, session.world.clone(), facts)?;
    let mut made = Map::new();
    made.insert("books".to_owned(), root.to_string_lossy().into());
    made.insert("company".to_owned(), founding.company.into());
    made.insert("currency".to_owned(), currency.code().into());
    made.insert("accounts".to_owned(), accounts.into());
    made.insert("notes".to_owned(), foundation.notes.into());
    made.insert("next".to_owned(), json!(next(&wanted.dir, &root)));
    Ok(made)
}

/// Commands to go on with, as they can be typed from here.
fn next(dir: &Path, root: &Path) -> Vec<String> {
    let here = crate::world::place::resolved(Path::new(".")).ok();
    let cd = (here.as_deref() != Some(root)).then(|| format!("cd {}", in_shell(dir)));
    let commands = [
        "wb chart list",
        "wb entry draft --help",
        "wb import bank-csv --help",
        "wb mcp serve",
    ];
    let commands = commands.map(str::to_owned);
    cd.into_iter().chain(commands).collect()
}

/// A path as a shell takes it for one word.
fn in_shell(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(plain) && !text.starts_with('-') {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn found(domains: &[&Domain], founding: &Founding) -> Result<Foundation> {
    let found = domains.iter().find_map(|d| d.hooks.founding);
    let found = found.ok_or_else(|| No::Fault("no domain offers to found books".to_owned()))?;
    match serde_json::to_value(founding) {
        Ok(Value::Object(said)) => found(said),
        other => Err(No::Fault(format!("telling of new books: {other:?}"))),
    }
}

/// The filling of new books, by the tool that anyone would use.
fn filling_call(session: &Session<'_>, filling: &Filling) -> Result<Call> {
    Ok(asked(session, filling.tool, filling.args.clone().into())?.1)
}

/// A call of a tool by its name.
fn asked(
    session: &Session<'_>,
    name: &str,
    args: Value,
) -> Result<(&'static OpDef, Call, Control)> {
    let found = by_tool(session.domains, name);
    let op = found.ok_or_else(|| No::Fault(format!("there is no tool {name}")))?;
    let (call, control) = from_json(op, args.as_object().cloned().unwrap_or_default())?;
    Ok((op, call, control))
}

/// Calls a tool by its name.
pub fn tool(
    session: &Session<'_>,
    books: &mut Books,
    name: &str,
    args: Value,
) -> Result<Map<String, Value>> {
    let (op, call, control) = asked(session, name, args)?;
    let caller = Caller::plain(&session.by);
    Ok(books.call(op, &call, &control, caller)?.value)
}
