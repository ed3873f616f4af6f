//! Backing the books up.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    engine::{Example, House, Operation, Page, Result, Upkeep},
    present::{Cell, Field, Sheet},
};

/// Copy the books into a new folder, read the copy back and verify it
///
/// Others may go on writing meanwhile. Database, settings, stored files and sealed records are copied, the vault's key never.
/// Without its `MANIFEST.json`, written last, a folder is no backup. Refused: a folder that exists or lies inside the books.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// The new folder
    #[arg(value_name = "TARGET")]
    pub target: PathBuf,
}

/// A backup.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Copied {
    /// Where it is
    pub target: String,
    /// The books' id
    pub books_id: String,
    /// The last event in it
    pub seq: i64,
    /// Its hash, 64 hex digits
    pub head: String,
    /// How many files it holds besides its manifest
    pub files: usize,
    /// Their bytes
    pub bytes: u64,
    /// What to know
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Operation for Backup {
    const VERB: &'static str = "backup";
    const TOOL: &'static str = "-";
    const EXAMPLES: &'static [Example] =
        &[Example::new("books-backup", r#"{"target":"books-backup"}"#)];
    type Output = Copied;

    fn sheet(output: &Copied, page: &Page) -> Result<Option<Sheet>> {
        let title = format!("Backup made: {}", output.target);
        let mut sheet = Sheet::new("", title, page.currency);
        let facts = [
            ("Books", output.books_id.clone()),
            ("Last event", output.seq.to_string()),
            ("Head", output.head.clone()),
            ("Files", output.files.to_string()),
            ("Bytes", output.bytes.to_string()),
        ];
        sheet.fields.extend(facts.map(|(label, text)| Field {
            label: label.to_owned(),
            cell: Cell::Text(text),
        }));
        sheet.notes.extend(output.notes.iter().cloned());
        Ok(Some(sheet))
    }
}

impl Upkeep for Backup {
    fn run(self, house: &mut House<'_>) -> Result<Copied> {
        let (made, notes) = house.backup(&self.target)?;
        Ok(Copied {
            target: self.target.to_string_lossy().into_owned(),
            books_id: made.books_id,
            seq: made.seq,
            head: made.head,
            files: made.files.len(),
            bytes: made
                .files
                .iter()
                .fold(0, |sum, file| file.bytes.saturating_add(sum)),
            notes,
        })
    }
}
