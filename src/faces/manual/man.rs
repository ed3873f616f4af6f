//! Man pages, one for the program and one a verb, and the scripts by which shells ask the program for completions.

use clap::Command;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};
use clap_mangen::Man;

use super::{Page, fault};
use crate::{engine::Result, faces::terminal::Exit};

/// A man page for every command of the tree that is not hidden.
pub fn pages(mut command: Command) -> Result<Vec<Page>> {
    command.build();
    let mut pages = Vec::new();
    walk(&command, &mut pages)?;
    Ok(pages)
}

fn walk(command: &Command, pages: &mut Vec<Page>) -> Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let page = format!("man/{name}.1").into();
    let mut bytes = Vec::new();
    // The synopsis is the usage line of the help, and the examples get a section that says what they are.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let own = command
        .clone()
        .override_usage(usage)
        .after_help(None::<&str>)
        .after_long_help(None::<&str>);
    // No date and no version: the page is the same until what it says changes.
    Man::new(own)
        .date("")
        .source("wb")
        .manual("wb manual")
        .render(&mut bytes)
        .map_err(|e| fault("writing a man page", e))?;
    bytes.extend(more(command).into_bytes());
    pages.push((page, bytes));
    // clap adds a `help` of its own to every group; a page for each would say nothing.
    let spoken = |c: &&Command| !c.is_hide_set() && (c.get_name() != "help" || name == "wb");
    for inner in command.get_subcommands().filter(spoken) {
        walk(inner, pages)?;
    }
    Ok(())
}

/// What follows the options: examples, where a verb has some, and how every command ends.
fn more(command: &Command) -> String {
    let mut text = String::new();
    let after = command.get_after_long_help().map(ToString::to_string);
    let after = after.unwrap_or_default();
    if let Some(examples) = after.strip_prefix("Examples:\n") {
        text.push_str(".SH EXAMPLES\n.nf\n");
        for line in examples.lines() {
            text.push_str(&roff(line.trim_start()));
            text.push('\n');
        }
        text.push_str(".fi\n");
    }
    text.push_str(".SH \"EXIT STATUS\"\n");
    for exit in Exit::ALL {
        text.push_str(&format!(".TP\n{}\n{}\n", exit.code(), roff(exit.meaning())));
    }
    text
}

/// A line of text as roff takes it: no word of it is a request.
fn roff(line: &str) -> String {
    let escaped = line
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('\'', "\\(aq");
    if escaped.starts_with('.') {
        format!("\\&{escaped}")
    } else {
        escaped
    }
}

/// Shells, and the file that each looks for.
const SHELLS: &[(&dyn EnvCompleter, &str)] = &[
    (&Bash, "completions/wb.bash"),
    (&Zsh, "completions/_wb"),
    (&Fish, "completions/wb.fish"),
    (&Powershell, "completions/wb.ps1"),
    (&Elvish, "completions/wb.elv"),
];

/// The scripts that make a shell ask `wb` itself for completions. They belong to the version of the program.
pub fn completions() -> Result<Vec<Page>> {
    let script = |(shell, path): &(&dyn EnvCompleter, &str)| {
        let mut bytes = Vec::new();
        shell
            .write_registration("COMPLETE", "wb", "wb", "wb", &mut bytes)
            .map_err(|e| fault("writing a completion script", e))?;
        Ok(((*path).into(), bytes))
    };
    SHELLS.iter().map(script).collect()
}
