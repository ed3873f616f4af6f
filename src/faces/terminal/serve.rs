//! `wb mcp serve` and the hidden `wb generate`: the other faces, started from the terminal.

use std::path::PathBuf;

use clap::ArgMatches;

use super::{Exit, Session, Stop, command, place};
use crate::{
    engine::No,
    faces::{manual, mcp},
    model::Refusal,
};

/// Serves the operations to an MCP client until it goes.
pub fn serve(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    let (_, matches) = matches
        .subcommand()
        .ok_or_else(|| No::Fault("mcp without a verb".to_owned()))?;
    let tools: Option<Vec<String>> = matches
        .get_many::<String>("tools")
        .map(|t| t.cloned().collect());
    let options = mcp::Options {
        paths: place::find(&place::Places::of(matches), session.world)?,
        domains: session.domains,
        tools,
        read_only: matches.get_flag("read-only"),
        underscore: matches
            .get_one::<String>("tool-names")
            .is_some_and(|style| style == "underscore"),
    };
    if session.console.interactive() {
        session
            .console
            .note("wb: waiting for an MCP client on standard input; Ctrl-C ends it");
    }
    mcp::serve(options, session.world.clone())?;
    Ok(Exit::Done)
}

/// Writes the generated pages into a copy of the repository.
pub fn generate(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    let root = matches
        .get_one::<PathBuf>("dir")
        .cloned()
        .unwrap_or_default();
    let pages = manual::files(command(session.domains), session.domains)?;
    for (name, bytes) in &pages {
        let path = root.join(name);
        crate::world::files::replace(&path, bytes).map_err(|e| {
            let why = format!("writing {}: {e}", path.display());
            No::Unavailable(Refusal::new("output_failed", why))
        })?;
    }
    session
        .console
        .note(&format!("wb: {} pages written", pages.len()));
    Ok(Exit::Done)
}
