//! What the program tells people to type can be typed: commands in hints, remedies and chapters stand in the command tree.

use clap::Command;
use serde_json::json;
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

/// What a bank's file leaves open is asked for by each face's own names: options at the terminal, arguments over MCP.
#[test]
fn imports_ask_in_the_callers_names() {
    let header = "Date,Description,Amount\n";
    let cases: [(&str, &str, &[&str]); 6] = [
        ("01/02/2026,a,1.00\n", "", &["date_order"]),
        (
            "2026-10-01,a,12.345\n2026-10-02,b,-1.234\n",
            "",
            &["decimal"],
        ),
        ("2026-10-01,a,x\n", "", &["date_order", "decimal", "layout"]),
        (
            "2026-10-01,Payment thank you,-1.00\n2026-10-02,b,2.00\n2026-10-02,c,2.00\n",
            "",
            &["layout", "sign"],
        ),
        ("2026-10-01,a,1.00\n", "us_bank", &["layout", "columns"]),
        ("2026-10-01,a,1.00\n", "mapped", &["columns"]),
    ];
    let stage = Stage::small();
    for (rows, layout, names) in cases {
        let text = format!("{header}{rows}");
        stage.put("bank.csv", &text);
        let mut line =
            "import bank-csv {here}/bank.csv --account 1000 --offset 6800 --preview".to_owned();
        let mut args = json!({"csv_text": text, "bank_account_code": "1000", "default_offset_code": "6800",
            "preview": true});
        if !layout.is_empty() {
            line.push_str(&format!(" --layout {layout}"));
            args["layout"] = layout.into();
        }
        let typed = stage.wb(&line);
        let typed = typed.out + &typed.err;
        let told = &stage.tools(&[("books.import_bank_csv", args)])[0];
        let told = told["content"][0]["text"].as_str().expect("a text");
        for name in names {
            let option = format!("`--{}`", name.replace('_', "-"));
            assert!(typed.contains(&option), "{rows}{option}: {typed}");
            assert!(!typed.contains(&format!("`{name}`")), "{typed}");
            assert!(told.contains(&format!("`{name}`")), "{name}: {told}");
        }
    }
}

/// A starter chart is proposed in words that fit whoever asked for it.
#[test]
fn proposals_speak_to_anyone() {
    let stage = Stage::small();
    for line in [
        "chart template partnership --owner Ada --owner Grace",
        "chart template --help",
    ] {
        let said = stage.must(line);
        assert!(!said.out.contains("the human"), "{}", said.out);
    }
}

/// Books whose settings file has gone say so beside every answer, and answer all the same; books with an empty one do not.
#[test]
fn missing_settings_are_told() {
    let stage = Stage::small();
    let file = stage.books().join("wanderbooks.toml");
    std::fs::remove_file(&file).expect("settings");
    let plain = warned(&stage, "chart list");
    for line in [
        "chart list --json",
        "call books.chart",
        "entry draft x --date 2026-01-05 --quiet",
        "verify",
    ] {
        assert_eq!(warned(&stage, line), plain, "{line}");
    }
    assert!(plain.starts_with("wb: warning: "), "{plain}");
    assert!(plain.contains("wanderbooks.toml"), "{plain}");
    std::fs::write(&file, "").expect("settings");
    stage.must("chart list");
}

/// What a command that succeeds says on standard error.
fn warned(stage: &Stage, line: &str) -> String {
    let said = stage.wb(line);
    assert_eq!(said.exit, 0, "{line}: {said:?}");
    said.err
}

/// A page shows the first twenty drafts of an import and counts the others; CSV and JSON hold every one.
#[test]
fn drafts_of_an_import() {
    let stage = Stage::small();
    let rows: String = (10..40)
        .map(|n| format!("10/01/2026,a,-{n}.00\n"))
        .collect();
    stage.put("bank.csv", format!("Date,Description,Amount\n{rows}"));
    let line = "import bank-csv {here}/bank.csv --account 1000 --offset 6800 --preview";
    let page = stage.must(line);
    assert!(page.out.contains("\n… and 10 more drafts.\n"), "{page:?}");
    assert!(page.out.contains("30, against 6800 "), "{page:?}");
    let csv = stage.must(&format!("{line} --csv"));
    assert_eq!(csv.out.lines().count(), 31, "{csv:?}");
    let json = stage.must(&format!("{line} --json")).json();
    assert_eq!(json["drafts"].as_array().map(Vec::len), Some(30));
    assert_eq!(json["truncated"], false);
}
