//! A command of five events, made of what the domains publish, so that "all of a command or none of it" has something to
//! bite on. It belongs to this test program only and brings no events or tables of its own.

use std::sync::LazyLock;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wanderbooks::{
    domains::{chart, entry},
    engine::{Domain, Hooks, OpDef, Operation, Result, Write, Writer},
    model::{AccountType, Date, Line, Origin},
    registry::DOMAINS,
};

/// How many events one bundle records.
pub const EVENTS: usize = 5;
/// Its tool's name.
pub const TOOL: &str = "test.bundle";

/// Two accounts and three postings between them
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// A mark that no other bundle has, and the start of its codes
    pub mark: String,
}

/// What was made.
#[derive(Serialize, JsonSchema)]
pub struct Made {
    /// The entries
    pub entries: Vec<i64>,
}

impl Operation for Bundle {
    const VERB: &'static str = "test bundle";
    const TOOL: &'static str = TOOL;
    const EXAMPLES: &'static [wanderbooks::engine::Example] = &[];
    type Output = Made;
}

impl Write for Bundle {
    fn run(self, books: &mut Writer<'_>) -> Result<Made> {
        let account = |end: &str| chart::NewAccount {
            code: format!("{}-{end}", self.mark),
            name: format!("Bundle {} {end}", self.mark),
            kind: AccountType::Asset,
            parent: None,
            placeholder: false,
            tax_category: None,
        };
        let (from, to) = (
            chart::add(books, account("a"))?,
            chart::add(books, account("b"))?,
        );
        let date = Date::new(2026, 6, 30).expect("a day");
        let mut entries = Vec::new();
        for amount_minor in [100, 200, 300] {
            let posted = entry::post(
                books,
                entry::NewEntry {
                    date,
                    description: &format!("Bundle {}", self.mark),
                    origin: Origin::Manual,
                    lines: vec![Line::of(to, amount_minor), Line::of(from, -amount_minor)],
                    reverses: None,
                },
            )?;
            entries.push(posted.entry_id);
        }
        Ok(Made { entries })
    }
}

static DOMAIN: Domain = Domain {
    name: "test",
    about: "",
    groups: &[],
    operations: &[OpDef::write::<Bundle>()],
    events: &[],
    tables: &[],
    fold_version: 0,
    hooks: Hooks::NONE,
};

static ALL: LazyLock<Vec<&'static Domain>> =
    LazyLock::new(|| DOMAINS.iter().copied().chain([&DOMAIN]).collect());

/// The program's domains, and the bundle.
pub fn domains() -> &'static [&'static Domain] {
    &ALL
}
