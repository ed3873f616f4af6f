//! Proposing a starter chart and its settings.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{EntityType, Owner, template};
use crate::{
    domains::company::{Settings, Share},
    engine::{Example, Foundation, Founding, No, Operation, Read, Reader, Result},
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
        let owners = self
            .owners
            .iter()
            .map(|o| owner(o))
            .collect::<Result<Vec<_>>>()?;
        let made = template(self.entity_type, &owners, company, None)?;
        Ok(Proposal {
            csv: made.csv,
            settings_toml: made.settings_toml,
            notes: made.notes,
        })
    }
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

/// The settings and chart that new books start from.
pub fn found(founding: &Founding) -> Result<Foundation> {
    let entity = founding
        .entity
        .parse::<EntityType>()
        .map_err(|why| No::argument("entity", format!("{}: {why}", quoted(&founding.entity))))?;
    let owner = |(name, share): &(String, Option<String>)| {
        let share = share.as_deref().map(share_of).transpose()?;
        Ok(Owner {
            name: name.clone(),
            share,
        })
    };
    let owners = founding
        .owners
        .iter()
        .map(owner)
        .collect::<Result<Vec<_>>>()?;
    let company = Some(founding.company.as_str()).filter(|c| !c.is_empty());
    let made = template(
        entity,
        &owners,
        company,
        founding.fiscal_year_start.as_deref(),
    )?;
    Ok(Foundation {
        settings: made.settings_toml,
        chart_csv: made.csv,
        notes: made.notes,
    })
}
