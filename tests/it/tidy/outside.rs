//! What only some rooms may touch: SQL, files, the clock, the terminal, the network, other programs.

use super::{
    Check, Rule,
    arrows::object,
    source::{Name, Source},
    token::Kind,
};

/// The rules of this page.
pub const RULES: &[Rule] = &[
    Rule {
        name: "SQLite's library is named in store only",
        check: Check::File(sqlite),
        caught: &[("src/domains/entry/table.rs", "use rusqlite::Connection;")],
        passed: &[("src/store/view.rs", "use rusqlite::Connection;")],
    },
    Rule {
        name: "SQL stands in store and in tables only",
        check: Check::File(sql),
        caught: &[
            (
                "src/domains/entry/ops/show.rs",
                "const A: &str = \"SELECT id FROM entry\";",
            ),
            ("src/engine/road.rs", "fn a() { b(\"delete from entry\") }"),
            (
                "src/domains/report/ops/x.rs",
                "const A: &str = include_str!(\"../table/sums.sql\");",
            ),
        ],
        passed: &[
            (
                "src/domains/entry/table/find.rs",
                "const A: &str = \"SELECT id FROM entry\";",
            ),
            (
                "src/domains/entry/ops/show.rs",
                "const A: &str = \"Select an account from the chart\";",
            ),
        ],
    },
    Rule {
        name: "files are touched in world and store only",
        check: Check::File(files),
        caught: &[
            (
                "src/engine/books.rs",
                "use std::{fs::File, io}; fn a() { File::open(p) }",
            ),
            (
                "src/faces/terminal/mod.rs",
                "fn a(p: &Path) { p.canonicalize() }",
            ),
        ],
        passed: &[
            ("src/world/files.rs", "use std::fs;"),
            ("src/engine/books.rs", "use std::path::Path;"),
        ],
    },
    Rule {
        name: "clock, environment and randomness are asked in world only",
        check: Check::File(world),
        caught: &[
            (
                "src/engine/road.rs",
                "use std::time::{Duration, Instant}; fn a() { Instant::now() }",
            ),
            ("src/store/heal.rs", "fn a() { chrono::Utc::now() }"),
            (
                "src/faces/terminal/mod.rs",
                "use std::env; fn a() { env::var(\"HOME\") }",
            ),
            ("src/domains/fx/rules.rs", "fn a() { getrandom::fill(b) }"),
            (
                "src/engine/source.rs",
                "use std::io; fn a() { io::stdin().lock() }",
            ),
        ],
        passed: &[
            ("src/world/mod.rs", "use chrono::Utc;"),
            (
                "src/engine/books.rs",
                "use std::time::Duration; const A: &str = env!(\"CARGO_PKG_VERSION\");",
            ),
            ("src/main.rs", "fn main() { std::env::args_os() }"),
        ],
    },
    Rule {
        name: "no other program is started and no network is spoken to",
        check: Check::File(reach),
        caught: &[
            (
                "src/faces/terminal/pager.rs",
                "use std::process::{self, Command};",
            ),
            (
                "src/world/mod.rs",
                "fn a() { std::net::TcpStream::connect(b) }",
            ),
        ],
        passed: &[("src/main.rs", "fn main() -> std::process::ExitCode {}")],
    },
    Rule {
        name: "only faces print",
        check: Check::File(printing),
        caught: &[
            ("src/engine/road.rs", "fn a() { println!(\"b\") }"),
            (
                "src/store/open.rs",
                "fn a() { std::io::stderr().write_all(b) }",
            ),
        ],
        passed: &[
            (
                "src/faces/terminal/console.rs",
                "fn a() { println!(\"b\") }",
            ),
            (
                "src/engine/road.rs",
                "// println!(\"b\")\n const A: &str = \"println!\";",
            ),
        ],
    },
    Rule {
        name: "the terminal face prints in its console page, where it has one",
        check: Check::Tree(one_console),
        caught: &[
            (
                "src/faces/terminal/console.rs",
                "fn a() { println!(\"b\") }",
            ),
            ("src/faces/terminal/run.rs", "fn a() { eprintln!(\"b\") }"),
        ],
        passed: &[(
            "src/faces/terminal/console.rs",
            "fn a() { println!(\"b\") }",
        )],
    },
    Rule {
        name: "protocol, terminal and exit codes are known to faces only",
        check: Check::File(audience),
        caught: &[
            ("src/domains/entry/post.rs", "use std::process::ExitCode;"),
            ("src/engine/road.rs", "use rmcp::model::Tool;"),
            ("src/engine/road.rs", "fn a() { dialoguer::Confirm::new() }"),
        ],
        passed: &[
            ("src/faces/mcp/tools.rs", "use rmcp::model::Tool;"),
            ("src/present/text.rs", "use comfy_table::Table;"),
        ],
    },
];

fn tables(source: &Source) -> bool {
    let parts = source.parts();
    source.room() == "store" || parts.contains(&"table") || source.test
}

fn sqlite(source: &Source) -> Vec<String> {
    if source.room() == "store" || source.test {
        return Vec::new();
    }
    object(
        source,
        |name| name.is_in("rusqlite"),
        "SQLite is the store's own",
    )
}

/// How statements begin, word by word. Prose in capitals does not have the second word.
const STATEMENTS: &[(&str, &str)] = &[
    ("SELECT", " FROM "),
    ("INSERT", " INTO "),
    ("UPDATE", " SET "),
    ("DELETE", " FROM "),
    ("CREATE", " TABLE "),
    ("CREATE", " INDEX "),
    ("DROP", " TABLE "),
    ("ALTER", " TABLE "),
    ("PRAGMA", " "),
    ("WITH", " AS ("),
    ("VACUUM", ""),
    ("BEGIN IMMEDIATE", ""),
];

fn speaks_sql(text: &str) -> bool {
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let lower = text.to_lowercase();
    STATEMENTS.iter().any(|(first, then)| {
        let (capitals, small) = (
            text.starts_with(first),
            lower.starts_with(&first.to_lowercase()),
        );
        // Either in SQL's usual capitals, or all in small letters; "Select an account from" is prose.
        capitals && text.contains(then)
            || small
                && text == lower
                && text.contains(then.to_lowercase().as_str())
                && !then.trim().is_empty()
    })
}

fn sql(source: &Source) -> Vec<String> {
    if tables(source) {
        return Vec::new();
    }
    let texts = source.tokens.iter().filter(|t| t.kind == Kind::Text);
    let said = texts.filter(|t| speaks_sql(&t.text) || t.text.ends_with(".sql"));
    said.map(|t| format!("{}: SQL outside store and tables", source.at(t.line)))
        .collect()
}

fn files(source: &Source) -> Vec<String> {
    if ["world", "store"].contains(&source.room()) || source.test {
        return Vec::new();
    }
    let places = [
        "std::fs",
        "tokio::fs",
        "rustix::fs",
        "std::os::unix::fs",
        "tempfile",
    ];
    let mut found = object(
        source,
        |name| places.iter().any(|place| name.is_in(place)),
        "files are the world's and the store's",
    );
    let asking = [
        "canonicalize",
        "read_dir",
        "symlink_metadata",
        "metadata",
        "try_exists",
        "is_file",
        "is_dir",
        "read_link",
    ];
    for w in source.tokens.windows(3) {
        if w[0].text == "." && asking.contains(&w[1].text.as_str()) && w[2].text == "(" {
            found.push(format!(
                "{}: `{}` asks the file system",
                source.at(w[1].line),
                w[1].text
            ));
        }
    }
    found
}

fn world(source: &Source) -> Vec<String> {
    if source.room() == "world" || source.test {
        return Vec::new();
    }
    let outside = [
        "std::env",
        "std::time::SystemTime",
        "std::time::Instant",
        "tokio::time::Instant",
        "chrono::Utc",
        "chrono::Local",
        "getrandom",
        "rand",
        "uuid",
        "rustix::process",
        "std::process::id",
        "std::io::stdin",
        "std::hash::RandomState",
        "std::collections::hash_map::RandomState",
    ];
    // The words of the command and its input are what a face is given, not something it goes and asks.
    let faces = source.room() == "faces" || source.path == "src/main.rs";
    let given = ["std::env::args", "std::env::args_os", "std::io::stdin"];
    let words = |name: &Name| faces && given.iter().any(|place| name.is_in(place));
    let wrong = |name: &Name| outside.iter().any(|place| name.is_in(place)) && !words(name);
    object(
        source,
        wrong,
        "what differs between two runs is asked in world",
    )
}

fn reach(source: &Source) -> Vec<String> {
    if source.test {
        return Vec::new();
    }
    let out = [
        "std::process::Command",
        "tokio::process",
        "std::net",
        "tokio::net",
        "hyper",
        "reqwest",
        "ureq",
        "std::os::unix::net",
    ];
    object(
        source,
        |name| out.iter().any(|place| name.is_in(place)),
        "nothing leaves the books",
    )
}

fn prints(source: &Source) -> Vec<String> {
    let macros = ["println", "eprintln", "print", "eprint"];
    let mut found = object(
        source,
        |name| name.is_in("std::io::stdout") || name.is_in("std::io::stderr"),
        "prints",
    );
    for w in source.tokens.windows(2) {
        if macros.contains(&w[0].text.as_str()) && w[1].text == "!" && w[0].kind == Kind::Word {
            found.push(format!(
                "{}: `{}!`: prints",
                source.at(w[0].line),
                w[0].text
            ));
        }
    }
    found
}

fn printing(source: &Source) -> Vec<String> {
    if source.room() == "faces" || source.test {
        Vec::new()
    } else {
        prints(source)
    }
}

fn one_console(sources: &[Source]) -> Vec<String> {
    let console = "src/faces/terminal/console";
    let place = |s: &&Source| s.path.starts_with(console);
    if !sources.iter().any(|s| place(&s)) {
        return Vec::new();
    }
    let terminal = sources
        .iter()
        .filter(|s| s.path.starts_with("src/faces/terminal/") && !s.test);
    terminal.filter(|s| !place(s)).flat_map(prints).collect()
}

fn audience(source: &Source) -> Vec<String> {
    if source.room() == "faces" || source.path == "src/main.rs" || source.test {
        return Vec::new();
    }
    let theirs = [
        "rmcp",
        "tokio",
        "dialoguer",
        "indicatif",
        "clap_complete",
        "clap_mangen",
        "std::process::exit",
        "std::process::abort",
        "std::process::ExitCode",
    ];
    let wrong = |name: &Name| theirs.iter().any(|place| name.is_in(place));
    object(source, wrong, "the audience is the faces' concern")
}
