//! What the program tells people to type can be typed: commands in hints, remedies and chapters stand in the command tree.

use clap::Command;
use wanderbooks::{faces::terminal, registry::DOMAINS};

use crate::{
    stage::Stage,
    tidy::{self, token::Kind},
};

/// What is wrong with the words after `wb`, read as far as they are words of the tree and options.
fn fault(tree: &Command, line: &str) -> Option<String> {
    let mut at = tree;
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.peek() {
        let Some(inner) = at.find_subcommand(word) else {
            break;
        };
        at = inner;
        words.next();
    }
    let named = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase());
    if at.has_subcommands() && words.peek().is_some_and(|word| named(word)) {
        return Some(format!("no verb {:?} in `wb {line}`", words.peek()));
    }
    for word in words {
        let Some(option) = word.strip_prefix("--").filter(|o| named(o)) else {
            continue;
        };
        let option = option.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let option = option.split('=').next().unwrap_or_default();
        let own = at.get_arguments().chain(tree.get_arguments());
        let known = own
            .filter_map(clap::Arg::get_long)
            .any(|long| long == option);
        if !known && !["help", "version"].contains(&option) {
            return Some(format!("no option --{option} in `wb {line}`"));
        }
    }
    None
}

/// The commands that a text names: between backticks, and on the lines of its examples.
fn commands(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let shown = text.lines().filter(|line| line.starts_with("    wb "));
    let shown = shown.map(|line| line.split(" # ").next().unwrap_or_default());
    quoted
        .chain(shown)
        .filter_map(|words| words.trim().strip_prefix("wb "))
        .map(|words| {
            words
                .split([';', '|'])
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// Every command that the sources or the chapters name is in the tree, with its options.
#[test]
fn commands_that_are_named_can_be_typed() {
    let tree = terminal::command(DOMAINS);
    let mut wrong = Vec::new();
    let mut count = 0;
    let sources = tidy::project();
    let texts = sources
        .iter()
        .filter(|source| !source.test && source.path.starts_with("src/"));
    for source in texts {
        for token in source
            .tokens
            .iter()
            .filter(|token| token.kind == Kind::Text)
        {
            for line in commands(&token.text) {
                count += 1;
                wrong.extend(fault(&tree, &line).map(|why| format!("{}: {why}", source.path)));
            }
        }
    }
    for domain in DOMAINS {
        for line in commands(domain.about) {
            count += 1;
            wrong.extend(fault(&tree, &line).map(|why| format!("{}: {why}", domain.name)));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(count > 30, "only {count} commands were found");
}

/// Every tool that a refusal offers is a tool.
#[test]
fn remedies_are_tools() {
    let tools: Vec<&str> = DOMAINS
        .iter()
        .flat_map(|d| d.operations)
        .map(|op| op.tool)
        .collect();
    let mut offered = 0;
    for source in tidy::project().iter().filter(|source| !source.test) {
        for w in source.tokens.windows(3) {
            if w[0].text == "remedy" && w[1].text == "(" && w[2].kind == Kind::Text {
                offered += 1;
                assert!(
                    tools.contains(&w[2].text.as_str()),
                    "{}: {}",
                    source.path,
                    w[2].text
                );
            }
        }
    }
    assert!(offered > 10, "only {offered} remedies were found");
}

/// The check sees a verb and an option that do not exist.
#[test]
fn wrong_commands_are_seen() {
    let tree = terminal::command(DOMAINS);
    for line in [
        "entry pst 5",
        "entry post 5 --confrm",
        "frob",
        "verify --loud",
    ] {
        assert!(fault(&tree, line).is_some(), "{line}");
    }
    for line in [
        "entry post 5 --confirm",
        "init",
        "help entry",
        "entry draft --help",
        "import bank-csv FILE --account 1000",
    ] {
        assert_eq!(fault(&tree, line), None);
    }
}

/// A starter chart is proposed where there are no books yet, and what needs books still says how to make some.
#[test]
fn a_chart_is_proposed_without_books() {
    let (with, without) = (Stage::small(), Stage::empty());
    let line = "chart template partnership --owner Ada=60% --owner Grace=40% --json";
    let (theirs, ours) = (with.must(line).json(), without.must(line).json());
    assert_eq!(theirs["csv"], ours["csv"]);
    // Books know the company's name; nothing else is theirs, but the advice to set it.
    let named = |settings: &serde_json::Value| {
        let text = settings["settings_toml"].as_str().unwrap_or_default();
        let lines = text
            .lines()
            .filter(|line| !line.contains("name = \"the") && *line != "name = \"Acorn\"");
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(named(&theirs), named(&ours));
    assert_eq!(ours.get("seq"), None);
    let said = without.wb("chart list");
    assert_eq!(said.exit, 1, "{said:?}");
    assert!(said.err.contains("wb init"), "{said:?}");
}
