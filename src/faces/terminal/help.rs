//! `wb help`: a verb's long help, or a domain's chapter.

use clap::ArgMatches;

use super::{Exit, Session, Stop, command_in};
use crate::{
    engine::{Domain, No, operations},
    model::{Refusal, quoted},
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
        at = next.ok_or_else(|| unknown(session.domains, word))?;
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

/// The most verbs that are suggested.
const SUGGESTED_MAX: usize = 6;

fn unknown(domains: &[&Domain], word: &str) -> No {
    let message = format!(
        "there is no verb or chapter {}; `wb --help` lists them",
        quoted(word)
    );
    let refusal = Refusal::new("invalid_arguments", message).with("field", "words");
    No::Usage(match like(domains, word) {
        Some(verbs) => refusal.hint(format!("there is {verbs}")),
        None => refusal,
    })
}

/// The verbs that contain a word, as they are typed.
pub fn like(domains: &[&Domain], word: &str) -> Option<String> {
    let wanted = word.to_lowercase();
    let has = |verb: &str| verb.split([' ', '-']).any(|part| part == wanted);
    let verbs = operations(domains).filter(|op| has(op.verb));
    let verbs = verbs
        .take(SUGGESTED_MAX)
        .map(|op| format!("`wb {}`", op.verb));
    let verbs: Vec<String> = verbs.collect();
    (!verbs.is_empty()).then(|| verbs.join(", "))
}

/// The chapters, a line each, for the end of the program's own help.
pub fn chapters(domains: &[&Domain]) -> String {
    let told = || domains.iter().filter(|d| !d.about.is_empty());
    let width = told().map(|d| d.name.len()).max().unwrap_or_default();
    let title = |domain: &&&Domain| {
        let first = domain.about.lines().next().unwrap_or_default();
        let title = first.trim_start_matches('#').trim();
        format!("  {:<width$} {title}", domain.name)
    };
    let lines: Vec<String> = told().map(|d| title(&d)).collect();
    format!(
        "Chapters, shown by `wb help CHAPTER`:\n{}",
        lines.join("\n")
    )
}
