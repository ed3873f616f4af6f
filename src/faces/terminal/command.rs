//! The clap tree: every operation of the registry as a verb, and the few verbs that are the terminal's own.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, Command, ValueHint, builder::ValueParser, value_parser};

use super::{complete, demo, exit, give, help, init, structured, words};
use crate::{
    engine::{Domain, Effect, OpDef, operations},
    world::World,
};

const GLOBAL: &str = "Global options";
/// Longer lines of help are hard to read, however wide the terminal.
const WIDTH_MAX: usize = 100;

/// The whole tree, in the world as it is.
pub fn command(domains: &'static [&'static Domain]) -> Command {
    command_in(domains, &World::real())
}

/// The whole tree, in a world whose clock says what `today` is.
pub fn command_in(domains: &'static [&'static Domain], world: &World) -> Command {
    let root = Command::new("wb")
        .max_term_width(WIDTH_MAX)
        .about("Double-entry books for small US businesses, from the terminal and over MCP")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .after_help(help::chapters(domains))
        .after_long_help(format!("{}\n\n{}", help::chapters(domains), exit::table()))
        .args(globals());
    let mut groups: BTreeMap<&str, Command> = BTreeMap::new();
    for (name, about) in domains.iter().flat_map(|d| d.groups) {
        let group = Command::new(*name)
            .about(*about)
            .subcommand_required(true)
            .arg_required_else_help(true);
        groups.insert(name, group);
    }
    let mut alone = Vec::new();
    for op in operations(domains) {
        match op.group_and_word() {
            (None, word) => alone.push(verb(op, word, world)),
            (Some(group), word) => {
                let holder = groups.remove(group).unwrap_or_else(|| {
                    Command::new(group)
                        .subcommand_required(true)
                        .arg_required_else_help(true)
                });
                groups.insert(group, holder.subcommand(verb(op, word, world)));
            }
        }
    }
    root.subcommands(own(domains))
        .subcommands(groups.into_values())
        .subcommands(alone)
}

fn globals() -> Vec<Arg> {
    let global = |name: &'static str| Arg::new(name).long(name).global(true).help_heading(GLOBAL);
    vec![
        global("books")
            .env("WB_BOOKS")
            .hide_env_values(true)
            .value_name("DIR")
            .value_hint(ValueHint::DirPath)
            .value_parser(ValueParser::path_buf())
            .help("The books folder [default: the nearest upward that holds wanderbooks.toml]"),
        global("data-dir")
            .value_name("DIR")
            .value_hint(ValueHint::DirPath)
            .value_parser(ValueParser::path_buf())
            .help("The folder of the database, when it is not `data` in the books folder"),
        global("books-toml")
            .value_name("FILE")
            .value_hint(ValueHint::FilePath)
            .value_parser(ValueParser::path_buf())
            .help("The settings file, when it is not `wanderbooks.toml` in the books folder"),
        global("json")
            .action(ArgAction::SetTrue)
            .help("Print the result as JSON, exactly what the MCP tool returns"),
        global("csv")
            .action(ArgAction::SetTrue)
            .conflicts_with("json")
            .help(
                "Print the result's table as CSV; a statement's company and period stand in --json",
            ),
        global("no-input")
            .action(ArgAction::SetTrue)
            .help("Never ask, as when no person is at the terminal"),
        global("quiet").short('q').action(ArgAction::SetTrue).help(
            "Print no result of a change and no progress; what is read or previewed is printed",
        ),
        global("color")
            .value_name("WHEN")
            .value_parser(["auto", "always", "never"])
            .hide_possible_values(true)
            .help("Colour: auto, always or never"),
    ]
}

/// An operation as a verb: its own arguments, the engine's, its examples.
fn verb(op: &OpDef, word: &'static str, world: &World) -> Command {
    let mut command = (op.augment)(Command::new(word));
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .action(ArgAction::SetTrue)
            .help(help)
    };
    if op.effect == Effect::Confirm {
        command = command
            .arg(flag(
                "confirm",
                "Do it; without this only a preview is shown",
            ))
            .arg(
                Arg::new("if-preview")
                    .long("if-preview")
                    .value_name("DIGEST")
                    .help("Do it only if the outcome is still the one of this preview"),
            );
    }
    if op.writes() {
        command = command
            .arg(flag("preview", "Show the outcome and change nothing"))
            .arg(
                Arg::new("request-key")
                    .long("request-key")
                    .value_name("KEY")
                    .help("A key of your own: the same call repeated under it is done once"),
            );
    }
    // In place: taking an argument out and putting it back would move it behind the others, words without a dash too.
    command = command.mut_args(|arg| match value_name(&arg).as_str() {
        "DATE" => words::takes_dates(arg, world),
        "ACCOUNT" => arg.add(complete::accounts()),
        "ENTRY" => arg.add(complete::entries()),
        "FILE" => arg.value_hint(ValueHint::FilePath),
        _ => arg,
    });
    command = structured::augment(op, command);
    command = give::augment(op, command);
    command.after_long_help(examples(op))
}

/// What stands for an argument's value in the help.
fn value_name(arg: &Arg) -> String {
    let first = arg.get_value_names().and_then(|names| names.first());
    first.map(ToString::to_string).unwrap_or_default()
}

fn examples(op: &OpDef) -> String {
    let lines: Vec<String> = op
        .examples
        .iter()
        .map(|e| {
            format!("  wb {} {}", op.verb, shown(e.words))
                .trim_end()
                .to_owned()
        })
        .collect();
    format!("Examples:\n{}", lines.join("\n"))
}

/// An example with numbers where it names "some draft" or "some posted entry".
pub fn shown(words: &str) -> String {
    words.replace("{draft}", "5").replace("{posted}", "4")
}

/// The terminal's own verbs.
fn own(domains: &'static [&'static Domain]) -> Vec<Command> {
    let serve = Command::new("serve")
        .about("Serve the operations over standard input and output")
        .arg(
            Arg::new("tools")
                .long("tools")
                .value_name("GROUP")
                .value_delimiter(',')
                .add(complete::toolsets(domains))
                .help("Only the tools of these groups, separated by commas"),
        )
        .arg(Arg::new("read-only").long("read-only").action(ArgAction::SetTrue).help("Only tools that change nothing"))
        .arg(
            Arg::new("tool-names")
                .long("tool-names")
                .value_name("STYLE")
                .value_parser(["dots", "underscore"])
                .default_value("dots")
                .help("How tools are named: books.post_entry, or books_post_entry for clients that refuse dots"),
        );
    vec![
        init::command(),
        demo::command(),
        Command::new("call")
            .about("Call a tool with the JSON arguments that it takes over MCP, and print its JSON result")
            .arg(Arg::new("tool").value_name("TOOL").required(true).add(complete::tools(domains)).help("The tool's name, such as books.chart"))
            .arg(Arg::new("arguments").value_name("JSON").help("Its arguments, or - for standard input [default: {}]")),
        Command::new("ops").about("List every operation: verb, tool, effect and what it does"),
        Command::new("help")
            .about("Explain a verb, a group of verbs or a chapter; alone, list the chapters")
            .arg(Arg::new("words").value_name("WORDS").num_args(0..).add(complete::topics(domains)).help("What to explain, such as `entry` or `entry post`")),
        Command::new("mcp")
            .about("Serve the operations to MCP clients")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(serve),
        Command::new("generate").hide(true).about("Write the generated pages of the repository").arg(
            Arg::new("dir").value_name("DIR").value_parser(value_parser!(std::path::PathBuf)).required(true),
        ),
    ]
}
