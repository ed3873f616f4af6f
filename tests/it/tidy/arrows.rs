//! The never-arrows: which room may name which. Each rule comes with a sabotaged sample that it must catch, and a near miss.

use super::{
    Check, Rule,
    source::{Name, Source},
};

/// Domains by shelf, lowest first. A domain uses lower shelves only.
pub const SHELVES: &[&[&str]] = &[
    &["company", "vault"],
    &["chart", "party", "class", "fx", "period", "attachment"],
    &["entry"],
    &[
        "receipt",
        "bank",
        "invoice",
        "bill",
        "payroll",
        "payout",
        "asset",
        "schedule",
        "recurring",
        "budget",
        "goal",
    ],
    &["import", "form1099", "tax"],
    &[
        "report", "overview", "digest", "insight", "closing", "upkeep",
    ],
    &["export"],
];

/// The rules of this page.
pub const RULES: &[Rule] = &[
    Rule {
        name: "model names nothing of ours but itself and macros",
        check: Check::File(model),
        caught: &[("src/model/date.rs", "use crate::{store::View};")],
        passed: &[(
            "src/model/date.rs",
            "use crate::{model::Money, wire_enum}; crate::wire_enum! { }",
        )],
    },
    Rule {
        name: "model reads no JSON text, speaks no SQL, terminal or protocol",
        check: Check::File(model_outside),
        caught: &[(
            "src/model/date.rs",
            "fn f() { serde_json::from_str::<u8>(s) }",
        )],
        passed: &[("src/model/refusal.rs", "use serde_json::{Map, Value};")],
    },
    Rule {
        name: "store, world and present know no engine, domain or face",
        check: Check::File(lower_rooms),
        caught: &[("src/present/csv.rs", "use super::super::engine::Page;")],
        passed: &[("src/store/open.rs", "use crate::world::files;")],
    },
    Rule {
        name: "engine names no domain, no registry and no face",
        check: Check::File(engine),
        caught: &[(
            "src/engine/road.rs",
            "use crate::domains as d; fn f() { d::entry::post() }",
        )],
        passed: &[(
            "src/engine/road.rs",
            "use crate::{store::Head, model::Date};",
        )],
    },
    Rule {
        name: "faces name no domain",
        check: Check::File(faces),
        caught: &[(
            "src/faces/mcp/mod.rs",
            "fn f() { crate::domains::chart::DOMAIN.name }",
        )],
        passed: &[("src/faces/mcp/mod.rs", "use crate::registry::DOMAINS;")],
    },
    Rule {
        name: "a domain names no face, no registry and not the world",
        check: Check::File(domains),
        caught: &[(
            "src/domains/chart/csv.rs",
            "use crate::world::files::read_file;",
        )],
        passed: &[(
            "src/domains/chart/csv.rs",
            "use crate::{engine::Source, present::Sheet};",
        )],
    },
    Rule {
        name: "a domain uses lower shelves only",
        check: Check::File(shelves),
        caught: &[(
            "src/domains/chart/ops/add.rs",
            "use crate::domains::{company, entry};",
        )],
        passed: &[("src/domains/entry/post.rs", "use crate::domains::chart;")],
    },
    Rule {
        name: "a domain uses another through its door",
        check: Check::File(doors),
        caught: &[
            (
                "src/domains/entry/post.rs",
                "use crate::domains::chart; fn f() { chart::table::all() }",
            ),
            ("src/domains/entry/line.rs", "use crate::domains::chart::*;"),
        ],
        passed: &[(
            "src/domains/entry/post.rs",
            "use crate::domains::{chart::{self, AccountRef}}; fn f() { chart::by_id(); AccountRef::new() }",
        )],
    },
    Rule {
        name: "every domain has its shelf and its place in the registry",
        check: Check::Tree(registered),
        caught: &[
            (
                "src/domains/astrology/mod.rs",
                "pub static DOMAIN: Domain = Domain {};",
            ),
            (
                "src/domains/goal/mod.rs",
                "pub static DOMAIN: Domain = Domain {};",
            ),
            (
                "src/registry.rs",
                "use crate::domains::astrology; static D: X = &[&astrology::DOMAIN];",
            ),
        ],
        passed: &[
            (
                "src/domains/goal/mod.rs",
                "pub static DOMAIN: Domain = Domain {};",
            ),
            (
                "src/registry.rs",
                "use crate::domains::goal; static D: X = &[&goal::DOMAIN];",
            ),
        ],
    },
    Rule {
        name: "rules are pure: no store, SQL, JSON, command line, engine's hands or world",
        check: Check::File(rules),
        caught: &[
            (
                "src/domains/entry/rules.rs",
                "use crate::{model::Date, store::View};",
            ),
            (
                "src/domains/import/rules.rs",
                "use serde_json as j; fn f() { j::to_string(&1) }",
            ),
            (
                "src/domains/import/rules/merge.rs",
                "use crate::engine::Writer;",
            ),
        ],
        passed: &[(
            "src/domains/entry/rules.rs",
            "use crate::{engine::Result, model::Refusal};",
        )],
    },
    Rule {
        name: "a fold knows no rules, no clock and no refusal",
        check: Check::File(folds),
        caught: &[
            (
                "src/domains/entry/events.rs",
                "use super::rules; impl Event for A { fn fold(&self) { rules::balance(1) } }",
            ),
            (
                "src/domains/entry/table.rs",
                "use crate::model::Refusal; pub fn fold_lines() -> R { Err(Refusal::new()) }",
            ),
            (
                "src/domains/entry/events.rs",
                "impl Event for A { fn fold(&self) { self.today() } }",
            ),
        ],
        passed: &[(
            "src/domains/entry/table.rs",
            "use super::rules; use crate::model::Refusal;
             fn ask() { rules::sum(Refusal::new()) } fn fold_lines() { t.insert(&A) }",
        )],
    },
];

/// Findings about the names of a file that `wrong` objects to.
pub fn object(source: &Source, wrong: impl Fn(&Name) -> bool, why: &str) -> Vec<String> {
    let bad = source.names.iter().filter(|name| wrong(name));
    bad.map(|name| format!("{}: `{}`: {why}", source.at(name.line), name.spelled()))
        .collect()
}

fn forbid(source: &Source, paths: &[&str], why: &str) -> Vec<String> {
    object(
        source,
        |name| paths.iter().any(|path| name.is_in(path)),
        why,
    )
}

fn model(source: &Source) -> Vec<String> {
    if source.room() != "model" {
        return Vec::new();
    }
    let ours = |name: &Name| name.is_in("crate") && !name.is_in("crate::model");
    let wrong = |name: &Name| ours(name) && !MACROS.contains(&name.spelled().as_str());
    object(source, wrong, "nouns do not know who uses them")
}

/// Macros stand at the root of the crate wherever they are written; these are the model's own.
const MACROS: &[&str] = &["crate::wire_enum", "crate::wire_string"];

/// The functions of `serde_json` that read or write text.
const JSON_TEXT: &[&str] = &[
    "serde_json::from_str",
    "serde_json::from_slice",
    "serde_json::from_reader",
    "serde_json::to_string",
    "serde_json::to_string_pretty",
    "serde_json::to_vec",
    "serde_json::to_vec_pretty",
    "serde_json::to_writer",
];

fn model_outside(source: &Source) -> Vec<String> {
    if source.room() != "model" {
        return Vec::new();
    }
    let mut found = forbid(
        source,
        &["rusqlite", "rmcp", "tokio", "comfy_table"],
        "model is pure",
    );
    found.extend(forbid(
        source,
        JSON_TEXT,
        "model reads and writes no JSON text",
    ));
    found
}

fn lower_rooms(source: &Source) -> Vec<String> {
    if !["store", "world", "present"].contains(&source.room()) {
        return Vec::new();
    }
    let above = [
        "crate::engine",
        "crate::domains",
        "crate::faces",
        "crate::registry",
    ];
    forbid(source, &above, "paper, outside and sheets know no business")
}

fn engine(source: &Source) -> Vec<String> {
    if source.room() != "engine" {
        return Vec::new();
    }
    let above = ["crate::domains", "crate::faces", "crate::registry"];
    forbid(source, &above, "machinery is general")
}

fn faces(source: &Source) -> Vec<String> {
    if source.room() != "faces" {
        return Vec::new();
    }
    forbid(
        source,
        &["crate::domains"],
        "a face that knows a domain is a second home for it",
    )
}

fn domains(source: &Source) -> Vec<String> {
    if source.room() != "domains" {
        return Vec::new();
    }
    let others = ["crate::faces", "crate::registry", "crate::world"];
    forbid(
        source,
        &others,
        "a domain does not know its audience, and reaches outside by the engine",
    )
}

fn shelf(domain: &str) -> Option<usize> {
    SHELVES.iter().position(|shelf| shelf.contains(&domain))
}

/// The other domain that a name lies in.
fn other<'n>(source: &Source, name: &'n Name) -> Option<&'n str> {
    let own = source.domain()?;
    let other = name.path.get(2).filter(|_| name.is_in("crate::domains"))?;
    (other != own).then_some(other.as_str())
}

fn shelves(source: &Source) -> Vec<String> {
    let Some(mine) = source.domain().and_then(shelf) else {
        return Vec::new();
    };
    let high = |name: &Name| {
        other(source, name).is_some_and(|domain| shelf(domain).is_none_or(|theirs| theirs >= mine))
    };
    object(source, high, "not on a lower shelf")
}

fn doors(source: &Source) -> Vec<String> {
    let page = |part: &str| part == "*" || part.starts_with(char::is_lowercase);
    let inside = |name: &Name| {
        // `crate::domains::chart::Account::new` is an item of the door; `crate::domains::chart::table::all` is not.
        let beyond = name
            .path
            .get(3)
            .is_some_and(|item| item == "*" || (page(item) && name.path.len() > 4));
        other(source, name).is_some() && beyond
    };
    object(
        source,
        inside,
        "another domain is used through its door, by name",
    )
}

fn registered(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    let registry = sources.iter().find(|s| s.path == "src/registry.rs");
    for source in sources {
        let (Some(domain), 2) = (source.domain(), source.parts().len()) else {
            continue;
        };
        if shelf(domain).is_none() {
            found.push(format!("{}: `{domain}` stands on no shelf", source.path));
        }
        let has_door = source
            .tokens
            .windows(2)
            .any(|w| w[0].text == "static" && w[1].text == "DOMAIN");
        let door = format!("crate::domains::{domain}::DOMAIN");
        let listed = registry.is_some_and(|r| r.names.iter().any(|name| name.is_in(&door)));
        if has_door && !listed {
            found.push(format!(
                "{}: `{domain}` is not in the registry",
                source.path
            ));
        }
    }
    found
}

fn rules(source: &Source) -> Vec<String> {
    if !source.parts().contains(&"rules") || source.room() != "domains" {
        return Vec::new();
    }
    let impure = [
        "crate::store",
        "crate::world",
        "crate::present",
        "rusqlite",
        "serde_json",
        "clap",
        "toml",
        "crate::engine::Reader",
        "crate::engine::Writer",
        "crate::engine::Books",
        "crate::engine::House",
    ];
    forbid(source, &impure, "accounting stays pure")
}

/// Words that ask the clock or say no.
const DECIDING: &[&str] = &["today", "now", "refuse"];

fn folds(source: &Source) -> Vec<String> {
    if !["engine", "domains"].contains(&source.room()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for body in super::limits::functions(&source.tokens) {
        let folds = body.name == "fold" || body.name.starts_with("fold_");
        if !folds {
            continue;
        }
        let here = |name: &Name| body.span.contains(&name.at);
        let decides = |name: &Name| {
            let last = name.path.last().map_or("", String::as_str);
            name.path.iter().any(|part| part == "rules")
                || name.path.iter().any(|part| part == "Refusal")
                || ["chrono", "crate::world", "std::time"]
                    .iter()
                    .any(|p| name.is_in(p))
                || DECIDING.contains(&last)
        };
        let why = "yesterday's events must fold under tomorrow's rules";
        found.extend(object(source, |name| here(name) && decides(name), why));
        for at in body.span.clone() {
            let asks = source.tokens[at].text == "."
                && source
                    .tokens
                    .get(at + 1)
                    .is_some_and(|t| DECIDING.contains(&t.text.as_str()));
            if asks {
                found.push(format!("{}: {why}", source.at(source.tokens[at].line)));
            }
        }
    }
    found
}
