//! `wb help`: a verb's long help, or a domain's chapter.

use clap::ArgMatches;

use super::{Exit, Session, Stop, command_in};
use crate::{
    engine::{Domain, No},
    model::quoted,
    present::text::prose,
};

/// Explains what the words name.
pub fn run(session: &mut Session<'_>, matches: &ArgMatches) -> Result<Exit, Stop> {
    let words: Vec<&String> = matches.get_many("words").into_iter().flatten().collect();
    if let [word] = words.as_slice()
        && let Some(domain) = session
            .domains
            .iter()
            .find(|d| d.name == word.as_str() && !d.about.is_empty())
    {
        let text = prose(domain.about, session.console.style());
        session.console.print(&text)?;
        return Ok(Exit::Done);
    }
    let mut at = command_in(session.domains, session.world);
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

/// The chapters, a line each, for the end of the program's own help.
pub fn chapters(domains: &[&Domain]) -> String {
    let title = |domain: &&&Domain| {
        let first = domain.about.lines().next().unwrap_or_default();
        let title = first.trim_start_matches('#').trim();
        format!("  {:<8} {title}", domain.name)
    };
    let told = domains.iter().filter(|d| !d.about.is_empty());
    let lines: Vec<String> = told.map(|d| title(&d)).collect();
    format!(
        "Chapters, shown by `wb help CHAPTER`:\n{}",
        lines.join("\n")
    )
}
