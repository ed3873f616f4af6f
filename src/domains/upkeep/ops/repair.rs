//! Making the database anew from the journal's mirror.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{super::lost, only_readable, totals};
use crate::{
    engine::{Books, Example, House, No, Operation, Page, Result, Site, Upkeep},
    present::{Cell, Field, Sheet},
    store::Torn,
};

/// Make a missing or broken database anew from the journal's mirror
///
/// For a database that is missing, empty, broken, or older than `data/journal.jsonl`. The mirror is held to its hash chain from
/// the first line; one that breaks is named and nothing is made of it. The file that was there is kept aside.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// Take the events from data/journal.jsonl
    #[arg(long, required = true)]
    pub from_mirror: bool,
}

/// A database that was made anew.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Repaired {
    /// What was wrong with the one that was there
    pub why: String,
    /// The last event
    pub seq: i64,
    /// Its hash, 64 hex digits
    pub head: String,
    /// Debits of the trial balance
    pub total_debit: String,
    /// Credits of the trial balance
    pub total_credit: String,
    /// File that keeps the database as it was found
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The end of the mirror that was cut off while it was written
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torn: Option<Cut>,
    /// SHA-256 of stored files that are missing or not what was stored
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// What to know
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What is no part of the journal.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Cut {
    /// Events of a command whose last line is missing
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<i64>,
    /// Bytes of a line without its end
    pub bytes: u64,
    /// File that keeps them
    pub kept: String,
}

impl Operation for Repair {
    const VERB: &'static str = "repair";
    const TOOL: &'static str = "-";
    const EXAMPLES: &'static [Example] =
        &[Example::new("--from-mirror", r#"{"from_mirror":true}"#)];
    type Output = Repaired;

    fn sheet(output: &Repaired, page: &Page) -> Result<Option<Sheet>> {
        let title = "Database made anew from the mirror";
        let mut sheet = Sheet::new("", title, page.currency);
        let sums = format!(
            "debits {}, credits {}",
            output.total_debit, output.total_credit
        );
        let facts = [
            ("Before", Some(output.why.clone())),
            ("Last event", Some(output.seq.to_string())),
            ("Head", Some(output.head.clone())),
            ("Trial balance", Some(sums)),
            ("Kept as", output.kept.clone()),
        ];
        sheet
            .fields
            .extend(facts.into_iter().filter_map(|(label, text)| {
                Some(Field {
                    label: label.to_owned(),
                    cell: Cell::Text(text?),
                })
            }));
        sheet.notes.extend(output.notes.iter().cloned());
        Ok(Some(sheet))
    }
}

impl Upkeep for Repair {
    fn on_site(&self) -> bool {
        true
    }

    fn run(self, _: &mut House<'_>) -> Result<Repaired> {
        Err(No::Fault("repair works on closed books".to_owned()))
    }

    fn run_on_site(self, site: &Site<'_>) -> Result<(Repaired, Books)> {
        if !self.from_mirror {
            let why = "say what the database is made from: --from-mirror";
            return Err(No::argument("from_mirror", why));
        }
        let (rebuilt, mut books) = site.rebuild()?;
        let mut notes: Vec<String> = rebuilt.torn.as_ref().map(torn).into_iter().collect();
        if !rebuilt.lost.is_empty() {
            notes.push(format!(
                "{} stored files are missing or are not what was stored:",
                rebuilt.lost.len()
            ));
            notes.extend(
                lost::files(&books.house(), &rebuilt.lost)?
                    .iter()
                    .map(lost::line),
            );
        }
        notes.extend(only_readable(&books));
        let (total_debit, total_credit) = totals(&mut books)?;
        let repaired = Repaired {
            why: rebuilt.why,
            seq: rebuilt.head.seq,
            head: rebuilt.head.hex(),
            total_debit,
            total_credit,
            kept: rebuilt.kept.as_deref().map(name),
            torn: rebuilt.torn.map(|torn| Cut {
                events: torn.events,
                bytes: torn.bytes,
                kept: name(&torn.kept),
            }),
            lost: rebuilt.lost,
            notes,
        };
        Ok((repaired, books))
    }
}

/// The name of a file that is kept beside the books.
fn name(path: &std::path::Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// What is told of the end of a mirror that is no part of the journal.
fn torn(torn: &Torn) -> String {
    let events: Vec<String> = torn.events.iter().map(ToString::to_string).collect();
    let lines = match events.as_slice() {
        [] => String::new(),
        [one] => format!("event {one}, whose command has no end in it"),
        many => format!("events {}, whose command has no end in it", many.join(", ")),
    };
    let bytes = match torn.bytes {
        0 => String::new(),
        n => format!("{n} bytes of a line without its end"),
    };
    let what: Vec<String> = [lines, bytes]
        .into_iter()
        .filter(|w| !w.is_empty())
        .collect();
    format!(
        "The mirror was cut off while it was written: {} left out, and kept as {}.",
        what.join(", and "),
        name(&torn.kept)
    )
}
