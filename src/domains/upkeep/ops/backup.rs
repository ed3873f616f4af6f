//! Backing the books up, and drilling a backup: making books of it and comparing what both say.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{
    domains::chart,
    engine::{Drilled, Example, House, No, Operation, Page, Reader, Result, Upkeep},
    model::Refusal,
    present::{Cell, Field, Sheet},
    store,
};

/// The tool that gives an account's postings.
const REGISTER: &str = "books.account_register";

/// Copy the books into a new folder, read the copy back and verify it
///
/// Others may go on writing meanwhile. Database, settings, stored files, sealed records and the inbox are copied, the vault's
/// key never. Without its `MANIFEST.json`, written last, a folder is no backup. Refused: a folder that exists or lies inside the
/// books.
///
/// With `--drill`, books are made of the backup in a folder that goes away again, and every statement and register of both is
/// compared byte for byte; without a target the backup goes away too.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// The new folder; none with `--drill` alone
    #[arg(value_name = "TARGET")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<PathBuf>,
    /// Make books of the backup and compare what both say
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drill: bool,
}

/// A backup.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Copied {
    /// Where it is, unless it was made for the drill alone
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
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
    /// SHA-256 of stored files that are missing or not what was stored
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// What a drill compared
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drill: Option<Compared>,
    /// What to know
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a drill compared and found the same.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Compared {
    /// How many answers, each as JSON and as text
    pub answers: usize,
    /// Their bytes, of one side
    pub bytes: u64,
    /// The calls that gave them
    pub calls: Vec<String>,
}

impl Operation for Backup {
    const VERB: &'static str = "backup";
    const TOOL: &'static str = "-";
    const EXAMPLES: &'static [Example] = &[
        Example::new("books-backup", r#"{"target":"books-backup"}"#),
        Example::new("--drill", r#"{"drill":true}"#),
    ];
    type Output = Copied;

    fn sheet(output: &Copied, page: &Page) -> Result<Option<Sheet>> {
        let title = match &output.target {
            Some(target) => format!("Backup made: {target}"),
            None => "Backup drilled, and taken away again".to_owned(),
        };
        let mut sheet = Sheet::new("", title, page.currency);
        let facts = [
            ("Books", output.books_id.clone()),
            ("Last event", output.seq.to_string()),
            ("Head", output.head.clone()),
            ("Files", output.files.to_string()),
            ("Bytes", output.bytes.to_string()),
        ];
        let drill = output.drill.as_ref().map(|drill| {
            let what = format!(
                "{} answers of the books and of books made of the backup are the same, byte for byte ({} bytes)",
                drill.answers, drill.bytes
            );
            ("Drill", what)
        });
        sheet
            .fields
            .extend(facts.into_iter().chain(drill).map(|(label, text)| Field {
                label: label.to_owned(),
                cell: Cell::Text(text),
            }));
        sheet.notes.extend(output.notes.iter().cloned());
        Ok(Some(sheet))
    }
}

impl Upkeep for Backup {
    fn run(self, house: &mut House<'_>) -> Result<Copied> {
        if self.drill {
            let drilled = house.drill(self.target.as_deref(), registers)?;
            let compared = compared(&drilled, self.target.is_some())?;
            return Ok(self.copied(house, (drilled.backup, drilled.notes), Some(compared)));
        }
        let Some(target) = &self.target else {
            let why = "name the new folder of the backup, or take --drill to try one that goes away again";
            return Err(No::argument("target", why));
        };
        let made = house.backup(target)?;
        Ok(self.copied(house, made, None))
    }
}

impl Backup {
    fn copied(
        &self,
        house: &mut House<'_>,
        (made, notes): (store::Backup, Vec<String>),
        drill: Option<Compared>,
    ) -> Copied {
        if !made.lost.is_empty() {
            house.warn(format!(
                "{} stored files are missing or are not what was stored; the backup is whole but for them, and its manifest names them",
                made.lost.len()
            ));
        }
        Copied {
            target: self
                .target
                .as_ref()
                .map(|target| target.to_string_lossy().into_owned()),
            books_id: made.books_id,
            seq: made.seq,
            head: made.head,
            files: made.files.len(),
            bytes: made
                .files
                .iter()
                .fold(0, |sum, file| file.bytes.saturating_add(sum)),
            lost: made.lost,
            drill,
            notes,
        }
    }
}

/// The registers of all accounts, from the first posting on.
fn registers(books: &Reader<'_>) -> Result<Vec<(&'static str, Map<String, Value>)>> {
    let accounts = chart::all(&books.view())?;
    let register = |id: i64| match json!({"account": id}) {
        Value::Object(args) => (REGISTER, args),
        _ => (REGISTER, Map::new()),
    };
    Ok(accounts
        .iter()
        .map(|account| register(account.id))
        .collect())
}

/// What was compared.
///
/// Refuses: a backup whose books say anything else than the books.
fn compared(drilled: &Drilled, kept: bool) -> Result<Compared> {
    if drilled.different.is_empty() {
        return Ok(Compared {
            answers: drilled.same.len(),
            bytes: drilled.bytes,
            calls: drilled.same.clone(),
        });
    }
    let message = format!(
        "{} of {} answers of books made of the backup are not what the books themselves say",
        drilled.different.len(),
        drilled.different.len() + drilled.same.len()
    );
    let hint = if kept {
        "do not rely on this backup; run `wb verify`, then back up into another folder"
    } else {
        "run `wb verify`, then drill again"
    };
    Err(No::Damaged(
        Refusal::new("drill_failed", message)
            .with("calls", drilled.different.clone())
            .hint(hint),
    ))
}
