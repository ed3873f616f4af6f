//! The terminal face: words in, sheets and exit codes out.

mod command;
mod complete;
mod console;
mod demo;
mod exit;
mod faults;
mod give;
mod help;
mod init;
mod operate;
mod options;
mod place;
mod question;
mod serve;
mod structured;
mod tools;
mod words;

use std::ffi::OsString;

use clap::{
    ArgMatches, Command,
    builder::Styles,
    error::{ContextKind, ContextValue},
};
use serde_json::json;

use crate::{
    engine::{Domain, No, OpDef, plain_numbers},
    model::{has_hostile, visible},
    world::World,
};

pub use command::{command, command_in, shown};
pub use console::Console;
use console::Stop;
pub use exit::Exit;

/// What a verb of the terminal works with.
pub(crate) struct Session<'s> {
    pub domains: &'static [&'static Domain],
    pub world: &'s World,
    pub console: &'s mut Console,
    pub json: bool,
    pub csv: bool,
    pub quiet: bool,
    pub may_ask: bool,
    /// Who is at the terminal, for the journal.
    pub by: String,
    /// The operation that is run, in whose words a refusal is told.
    pub op: Option<&'static OpDef>,
    /// The file that the result was written to, when it was.
    pub written: Option<String>,
}

/// Runs a command line and gives its exit code.
pub fn run(
    args: Vec<OsString>,
    domains: &'static [&'static Domain],
    world: &World,
    console: &mut Console,
) -> Exit {
    let args = words::verbs_for_tools(args, domains);
    let wants_json = args.iter().any(|a| a == "--json");
    let matches = match command_in(domains, world).try_get_matches_from(&args) {
        Ok(matches) => matches,
        Err(error) => {
            let tree = || command_in(domains, world);
            let exit = usage(&error, wants_json, (&args, tree), console);
            let verbs = mistaken(&error).and_then(|word| help::like(domains, &word));
            if let Some(verbs) = verbs.filter(|_| !wants_json) {
                console.note(&format!("    there is {verbs}"));
            }
            return exit;
        }
    };
    console.set_colour(matches.get_one::<String>("color").map(String::as_str));
    let flag = |name| deepest(&matches).get_flag(name);
    let mut session = Session {
        domains,
        world,
        json: flag("json"),
        csv: flag("csv"),
        quiet: flag("quiet"),
        may_ask: console.interactive() && !flag("no-input") && !flag("json"),
        by: json!({"face": "terminal", "user": world.user()}).to_string(),
        op: None,
        written: None,
        console,
    };
    match verb(&mut session, &matches) {
        Ok(exit) => exit,
        Err(Stop::PipeClosed) => Exit::Done,
        Err(Stop::No(no)) => report(&no, session.op, session.json, session.console),
    }
}

/// The matches of the verb itself, where clap keeps the global options too.
fn deepest(matches: &ArgMatches) -> &ArgMatches {
    matches
        .subcommand()
        .map_or(matches, |(_, inner)| deepest(inner))
}

fn verb(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    let (name, inner) = matches
        .subcommand()
        .ok_or_else(|| No::Fault("no verb".to_owned()))?;
    match name {
        "init" => init::carry_out(session, inner),
        "demo" => demo::carry_out(session, inner),
        "call" => tools::call(session, inner),
        "ops" => tools::list(session),
        "help" => help::run(session, inner),
        "mcp" => serve::serve(session, inner),
        "generate" => serve::generate(session, inner),
        _ => operate::operation(session, matches),
    }
}

/// Says no on the stream and in the form that was asked for.
fn report(no: &No, op: Option<&OpDef>, json: bool, console: &mut Console) -> Exit {
    let exit = Exit::from(no);
    if json {
        let said = console.json(&json!({ "error": no.to_value() }));
        // A refusal that cannot be written as JSON is said in words; if nobody reads any more, the exit code still says it.
        if !matches!(said, Err(Stop::No(_))) {
            return exit;
        }
    }
    let (sentences, remedy) = no.sentences();
    let typed = |text: &str| visible(&options::typed(text, op)).into_owned();
    for sentence in sentences {
        console.note(&format!("wb: {}", typed(&sentence)));
    }
    for line in faults::lines(&no.to_value()) {
        console.note(&format!("    {}", visible(&line)));
    }
    if let Some(remedy) = remedy {
        console.note(&format!("    {}", typed(&remedy)));
    }
    exit
}

/// clap's own words about a wrong command line, or the help that was asked for.
///
/// clap repeats what was typed as it was typed. Where that could hide something, the words are made again without colour, so
/// that every control character in them came from outside and is shown.
fn usage(
    error: &clap::Error,
    json: bool,
    (args, tree): (&[OsString], impl FnOnce() -> Command),
    console: &mut Console,
) -> Exit {
    if !error.use_stderr() {
        let help = error.render();
        let text = if console.style().colour {
            help.ansi().to_string()
        } else {
            help.to_string()
        };
        return match console.print(&text) {
            Ok(()) | Err(Stop::PipeClosed) => Exit::Done,
            Err(Stop::No(no)) => report(&no, None, false, console),
        };
    }
    let typed: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let hides = typed.iter().any(|arg| has_hostile(arg));
    let plain = if hides {
        let tree = tree().styles(Styles::plain());
        let again = tree.try_get_matches_from(args).err();
        again.map_or_else(String::new, |e| e.render().ansi().to_string())
    } else {
        error.render().to_string()
    };
    let plain = plain_numbers(&plain);
    if json {
        let shown: Vec<_> = plain.trim_end().split('\n').map(visible).collect();
        return report(&No::argument("", shown.join("\n")), None, true, console);
    }
    if hides || !console.colours_notes() {
        console.note(plain.trim_end());
    } else if !console.fits(&plain) {
        // A line that must be broken is broken between words, for which it has to be without colour.
        console.note(plain.trim_end());
    } else {
        let coloured = plain_numbers(&error.render().ansi().to_string());
        console.coloured_note(coloured.trim_end());
    }
    Exit::Usage
}

/// The word that stood where a verb was expected.
fn mistaken(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    }
}
