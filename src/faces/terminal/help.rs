//! `wb help`: a verb's long help, or a domain's chapter.

use clap::ArgMatches;

use super::{Exit, Session, Stop, command};
use crate::{engine::No, model::quoted};

/// Explains what the words name.
pub fn run(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    let words: Vec<&String> = matches.get_many("words").into_iter().flatten().collect();
    if let [word] = words.as_slice()
        && let Some(domain) = session
            .domains
            .iter()
            .find(|d| d.name == word.as_str() && !d.about.is_empty())
    {
        session.console.print(domain.about)?;
        return Ok(Exit::Done);
    }
    let mut at = command(session.domains);
    at.build();
    for word in &words {
        let next = at.find_subcommand(word.as_str()).cloned();
        at = next.ok_or_else(|| {
            No::argument(
                "words",
                format!(
                    "there is no verb or chapter {}; `wb --help` lists them",
                    quoted(word)
                ),
            )
        })?;
    }
    let help = at.render_long_help();
    let text = if session.console.style().colour {
        help.ansi().to_string()
    } else {
        help.to_string()
    };
    session.console.print(&text)?;
    Ok(Exit::Done)
}
