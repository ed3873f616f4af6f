//! Proposing a starter chart and its settings.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::{EntityType, Owner, template};
use crate::{
    domains::company::{Settings, Share},
    engine::{Example, Filling, Foundation, No, Operation, Read, Reader, Result},
    model::quoted,
};

/// Propose a starter chart of accounts and the settings that go with it
///
/// Changes nothing: a proposal, to be looked over before its CSV is imported.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ChartTemplate {
    /// A single-member LLC is a sole proprietorship, others partnerships
    #[arg(value_name = "ENTITY")]
    pub entity_type: EntityType,
    /// An owner, repeatable; NAME=50% gives a share
    #[arg(long = "owner", value_name = "NAME[=SHARE]")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<String>,
}

/// A proposal.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Proposal {
    /// The chart, for `books.import_chart_csv`
    pub csv: String,
    /// The text for wanderbooks.toml
    pub settings_toml: String,
    /// What to look at first
    pub notes: Vec<String>,
}

impl Operation for ChartTemplate {
    const VERB: &'static str = "chart template";
    const TOOL: &'static str = "books.chart_template";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "partnership --owner Ada=60% --owner Grace=40%",
        r#"{"entity_type":"partnership","owners":["Ada=60%","Grace=40%"]}"#,
    )];
    type Output = Proposal;
}

impl Read for ChartTemplate {
    const ALONE: Option<fn(Self) -> Result<Proposal>> = Some(|template| template.propose(None));

    fn run(self, books: &Reader<'_>) -> Result<Proposal> {
        let settings = Settings::of(books)?;
        self.propose(settings.company.as_deref())
    }
}

impl ChartTemplate {
    /// A proposal needs no books: it may come before them.
    fn propose(self, company: Option<&str>) -> Result<Proposal> {
        let owners = owners(&self.owners)?;
        let made = template(self.entity_type, &owners, company, None)?;
        Ok(Proposal {
            csv: made.csv,
            settings_toml: made.settings_toml,
            notes: made.notes,
        })
    }
}

fn owners(texts: &[String]) -> Result<Vec<Owner>> {
    texts.iter().map(|text| owner(text)).collect()
}

/// An owner written `NAME` or `NAME=SHARE`.
fn owner(text: &str) -> Result<Owner> {
    let (name, share) = match text.rsplit_once('=') {
        Some((name, share)) => (name, Some(share_of(share)?)),
        None => (text, None),
    };
    Ok(Owner {
        name: name.trim().to_owned(),
        share,
    })
}

fn share_of(text: &str) -> Result<Share> {
    let number = text.trim();
    number.parse().map_err(|why: String| {
        // A fraction is refused above the whole, where only a percent can have been meant.
        let percent = format!("{number}%").parse::<Share>().is_ok();
        let why = if percent {
            format!(
                "{} is not a share; for percent write {number}%",
                quoted(number)
            )
        } else {
            why
        };
        No::argument("owners", why)
    })
}

/// What a person says of a business whose books are to be made.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Founding {
    /// Its name; blank while it has none.
    company: String,
    /// What it is in law, by the word for it.
    entity: String,
    /// Its owners, `NAME` or `NAME=SHARE`.
    owners: Vec<String>,
    /// The first day of its fiscal year, `MM-01`.
    fiscal_year_start: Option<String>,
}

/// The settings and chart that new books start from.
pub fn found(said: Map<String, Value>) -> Result<Foundation> {
    let founding: Founding = serde_json::from_value(said.into())
        .map_err(|e| No::Fault(format!("reading what was said of new books: {e}")))?;
    let entity = founding
        .entity
        .parse::<EntityType>()
        .map_err(|why| No::argument("entity", format!("{}: {why}", quoted(&founding.entity))))?;
    let owners = owners(&founding.owners)?;
    let company = Some(founding.company.as_str()).filter(|c| !c.is_empty());
    let made = template(
        entity,
        &owners,
        company,
        founding.fiscal_year_start.as_deref(),
    )?;
    Ok(Foundation {
        settings: made.settings_toml,
        filling: Filling {
            tool: "books.import_chart_csv",
            makes: made.csv.lines().count().saturating_sub(1),
            args: Map::from_iter([("csv_text".to_owned(), made.csv.into())]),
        },
        notes: made.notes,
    })
}
