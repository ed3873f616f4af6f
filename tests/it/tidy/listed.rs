//! Written but not listed compiles silently: files that no module declares, operations that no domain lists.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Check, Rule,
    source::Source,
    token::{Kind, Token},
};

const POST: &str = "impl Operation for Post {
    const VERB: &'static str = \"entry post\"; const TOOL: &'static str = \"books.post_entry\"; }";

/// The rules of this page.
pub const RULES: &[Rule] = &[
    Rule {
        name: "every file is declared by its module",
        check: Check::Tree(declared),
        caught: &[
            ("src/lib.rs", "mod model;"),
            ("src/model/mod.rs", ""),
            ("src/model/date.rs", ""),
        ],
        passed: &[
            ("src/lib.rs", "mod model;"),
            ("src/main.rs", ""),
            ("src/model/mod.rs", "#[cfg(test)] mod date;"),
            ("src/model/date.rs", "mod day;"),
            ("src/model/date/day.rs", ""),
        ],
    },
    Rule {
        name: "every operation of ops/ is listed at its domain's door",
        check: Check::Tree(operations),
        caught: &[
            (
                "src/domains/entry/mod.rs",
                "static D: X = &[OpDef::write::<ops::draft::Draft>()];",
            ),
            ("src/domains/entry/ops/post.rs", POST),
        ],
        passed: &[
            (
                "src/domains/entry/mod.rs",
                "static D: X = &[OpDef::write::<ops::post::Post>()];",
            ),
            ("src/domains/entry/ops/post.rs", POST),
        ],
    },
    Rule {
        name: "one operation a file of ops/, and none elsewhere",
        check: Check::File(one_a_file),
        caught: &[
            ("src/domains/entry/ops/post.rs", "fn a() {}"),
            ("src/domains/entry/post.rs", POST),
        ],
        passed: &[
            ("src/domains/entry/ops/post.rs", POST),
            ("src/domains/entry/ops/post/lines.rs", ""),
        ],
    },
    Rule {
        name: "a file of ops/ is named for its verb, and its tool is a tool of the books",
        check: Check::File(named),
        caught: &[
            ("src/domains/entry/ops/publish.rs", POST),
            (
                "src/domains/entry/ops/post.rs",
                "impl Operation for Post { const VERB: S = \"entry post\"; const TOOL: S = \"entry.post\"; }",
            ),
        ],
        passed: &[("src/domains/entry/ops/post.rs", POST)],
    },
    Rule {
        name: "no verb and no tool is defined twice",
        check: Check::Tree(twice),
        caught: &[
            ("src/domains/entry/ops/post.rs", POST),
            ("src/domains/entry/ops/other.rs", POST),
        ],
        passed: &[("src/domains/entry/ops/post.rs", POST)],
    },
];

fn declared(sources: &[Source]) -> Vec<String> {
    let declared: BTreeSet<&str> = sources
        .iter()
        .flat_map(|s| s.declares.keys().map(String::as_str))
        .collect();
    let roots = ["src/lib.rs", "src/main.rs", "tests/it/main.rs"];
    let orphan = |source: &&Source| {
        let stem = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
        !roots.contains(&source.path.as_str()) && !declared.contains(stem)
    };
    let orphans = sources.iter().filter(orphan);
    orphans
        .map(|s| format!("{}: no module declares it", s.path))
        .collect()
}

/// Whether a file holds one operation: `domains/NAME/ops/FILE.rs`.
fn in_ops(source: &Source) -> Option<&str> {
    match source.parts()[..] {
        ["domains", _, "ops", file] => Some(file),
        _ => None,
    }
}

/// The types that a file makes operations of.
fn made(source: &Source) -> Vec<&Token> {
    let made = source
        .tokens
        .windows(4)
        .filter(|w| w[0].text == "impl" && w[1].text == "Operation" && w[2].text == "for");
    made.map(|w| &w[3]).collect()
}

fn operations(sources: &[Source]) -> Vec<String> {
    let doors: BTreeMap<&str, &Source> = sources
        .iter()
        .filter(|s| s.parts().len() == 2)
        .filter_map(|s| Some((s.domain()?, s)))
        .collect();
    let mut found = Vec::new();
    for source in sources {
        let (Some(file), Some(domain)) = (in_ops(source), source.domain()) else {
            continue;
        };
        for kind in made(source) {
            let path = ["ops", "::", file, "::", kind.text.as_str()];
            let listed = doors.get(domain).is_some_and(|door| lists(door, &path));
            if !listed {
                let at = source.at(kind.line);
                found.push(format!("{at}: `{}` is not in `{domain}`'s list", kind.text));
            }
        }
    }
    found
}

/// Whether a door says `OpDef::…::<PATH>()`.
fn lists(door: &Source, path: &[&str]) -> bool {
    door.tokens.windows(path.len() + 5).any(|w| {
        let begins =
            w[0].text == "OpDef" && w[1].text == "::" && w[3].text == "::" && w[4].text == "<";
        begins
            && w[5..]
                .iter()
                .zip(path)
                .all(|(token, part)| token.text == *part)
    })
}

fn one_a_file(source: &Source) -> Vec<String> {
    if source.room() != "domains" || source.test {
        return Vec::new();
    }
    let count = made(source).len();
    let wanted = usize::from(in_ops(source).is_some());
    let wrong = count != wanted;
    wrong
        .then(|| format!("{}: {count} operations, not {wanted}", source.path))
        .into_iter()
        .collect()
}

/// The text that a constant of a file is given.
fn constant<'s>(source: &'s Source, name: &str) -> Option<&'s Token> {
    let at = source
        .tokens
        .windows(2)
        .position(|w| w[0].text == "const" && w[1].text == name)?;
    source.tokens[at..].iter().find(|t| t.kind == Kind::Text)
}

fn named(source: &Source) -> Vec<String> {
    let Some(file) = in_ops(source).filter(|_| !made(source).is_empty()) else {
        return Vec::new();
    };
    let (verb, tool) = (constant(source, "VERB"), constant(source, "TOOL"));
    let (Some(verb), Some(tool)) = (verb, tool) else {
        return vec![format!("{}: no verb and tool", source.path)];
    };
    let mut found = Vec::new();
    let whole = verb.text.replace([' ', '-'], "_");
    // Two groups of one domain may have the same word: `chart list` is `list.rs` or `chart_list.rs`.
    if whole != file && !whole.ends_with(&format!("_{file}")) {
        found.push(format!(
            "{}: `wb {}` in `{file}.rs`",
            source.at(verb.line),
            verb.text
        ));
    }
    if tool.text != "-" && !tool.text.starts_with("books.") {
        found.push(format!(
            "{}: `{}` is no tool of the books",
            source.at(tool.line),
            tool.text
        ));
    }
    found
}

fn twice(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for name in ["VERB", "TOOL"] {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        for source in sources.iter().filter(|s| in_ops(s).is_some()) {
            let Some(text) = constant(source, name).filter(|t| t.text != "-") else {
                continue;
            };
            if let Some(other) = seen.insert(&text.text, &source.path) {
                found.push(format!(
                    "{}: `{}` is also in {other}",
                    source.at(text.line),
                    text.text
                ));
            }
        }
    }
    found
}
