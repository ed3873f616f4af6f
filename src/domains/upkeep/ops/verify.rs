//! Verifying the books, and mending what is derived.

use clap::{ArgAction, Args};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    expected::{Expected, HEADS_BYTES_MAX, answers, heads, in_words},
    lost,
    rules::SeenHead,
};
use crate::{
    engine::{Example, House, No, Operation, Result, Source, Upkeep},
    model::Refusal,
    store::{Depth, Drift, Files, Mirror, Verification},
    wire_enum,
};

fn yes() -> bool {
    true
}

/// Verify the books, and mend what is derived
///
/// Follows the journal's hash chain, replays it, compares every table row for row, and checks SQLite's pages and the mirror.
/// Tables that differ are folded again, the old file kept. A damaged journal is named, never mended.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    /// Hash stored files again
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    #[serde(default = "yes")]
    pub blobs: bool,
    /// A head seen before: SEQ:HEX or a footer, repeatable
    #[arg(long, value_name = "SEQ:HEX")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect_head: Vec<SeenHead>,
    /// A file of heads seen before: footers pasted in, or a head a line
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub expect_from: Option<Source>,
}

wire_enum! {
    /// What verification came to.
    pub enum Standing {
        /// Nothing was wrong
        Ok = "ok",
        /// What is derived was mended
        Healed = "healed",
        /// A newer program had folded the tables again
        Upgraded = "upgraded",
    }
}

/// What verification found.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Verified {
    /// What it came to
    pub status: Standing,
    /// Events in the journal
    pub events: i64,
    /// The last event's hash
    pub head: String,
    /// What was mended
    #[serde(skip_serializing_if = "Option::is_none")]
    pub healed: Option<Mended>,
    /// Stored files hashed again
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blobs_verified: Option<u64>,
    /// What was checked
    pub checked: Vec<String>,
    /// What to know
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How the journal stands to the heads seen before
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<Expected>,
}

/// What was mended.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Mended {
    /// Where something differed
    pub tables: Vec<Difference>,
    /// File that keeps the database as it was found
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// File that keeps the mirror as it was found
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_mirror: Option<String>,
}

/// A difference from the journal.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Difference {
    /// Table, `schema`, `sums`, `pages` or `mirror`
    pub table: String,
    /// The first difference
    pub what: String,
}

impl Operation for Verify {
    const VERB: &'static str = "verify";
    const TOOL: &'static str = "books.verify";
    const IDEMPOTENT: bool = true;
    const EXAMPLES: &'static [Example] = &[
        Example::new("", "{}"),
        Example::new("--blobs false", r#"{"blobs":false}"#),
    ];
    const FILE_BYTES_MAX: u64 = HEADS_BYTES_MAX;
    type Output = Verified;

    fn sources(&mut self) -> Vec<&mut Source> {
        self.expect_from.iter_mut().collect()
    }
}

impl Upkeep for Verify {
    fn run(self, house: &mut House<'_>) -> Result<Verified> {
        let heads = heads(&self.expect_head, self.expect_from.as_ref())?;
        let depth = if self.blobs {
            Depth::Files
        } else {
            Depth::Pages
        };
        let mut found = house.verify(depth)?;
        must_be_whole(&found)?;
        let read_only = match house.alarm() {
            None => false,
            Some(No::Unavailable(_)) => true,
            Some(alarm) => return Err(alarm),
        };
        let expected = answers(house, &found, &heads)?;
        let mut report = Report::new(house, &found);
        if house.is_backup() {
            let note = "this is a backup: it is only looked at, and has no mirror; `wb restore BACKUP --into NEW` holds it to its manifest too";
            report.notes.push(note.to_owned());
        } else if read_only {
            let note =
                "these books can only be read here: nothing was mended or brought up to date";
            report.notes.push(note.to_owned());
        }
        report.tables(house, &mut found, (depth, read_only))?;
        if !house.is_backup() {
            report.mirror(house, read_only)?;
        }
        if self.blobs {
            report.files(house, &found.files, &expected)?;
        }
        if !expected.is_empty() {
            report
                .checked
                .push(format!("heads seen before: {}", expected.len()));
            // A history that was written anew can be accepted by who wrote it: a person should look.
            let given_up = expected.iter().filter(|e| e.given_up_by.is_some());
            for warning in given_up.flat_map(|e| in_words(std::slice::from_ref(e))) {
                house.warn(warning);
            }
        }
        Ok(report.finish(house, &found, expected))
    }
}

/// Refuses a journal that breaks: what is after the break cannot be known.
fn must_be_whole(found: &Verification) -> Result<()> {
    let Some(damage) = &found.damage else {
        return Ok(());
    };
    Err(No::Damaged(
        Refusal::new(
            "journal_damaged",
            format!(
                "the journal breaks at event {}: {}; nothing from there on is certain, and nothing was changed",
                damage.seq, damage.why
            ),
        )
        .with("seq", damage.seq)
        .with("why", damage.why.as_str())
        .with("whole_events", found.head.seq)
        .with("whole_head", found.head.hex())
        .hint("`wb repair --from-mirror` makes the database anew where the mirror data/journal.jsonl is whole; else restore a backup"),
    ))
}

/// The answer as it grows.
struct Report {
    checked: Vec<String>,
    notes: Vec<String>,
    mended: Mended,
    blobs_verified: Option<u64>,
}

impl Report {
    fn new(house: &House<'_>, found: &Verification) -> Report {
        let mut checked = vec![
            format!("journal: the hash chain of {} events", found.head.seq),
            "tables: every row and the schema against a replay of the journal".to_owned(),
            "sums: monthly totals against the lines".to_owned(),
            "pages: SQLite's integrity check".to_owned(),
        ];
        if house.world().state_folder().is_some() && !house.is_backup() {
            checked.push("head: the last head seen, kept outside the books".to_owned());
        }
        Report {
            checked,
            notes: Vec::new(),
            mended: Mended {
                tables: Vec::new(),
                kept: None,
                kept_mirror: None,
            },
            blobs_verified: None,
        }
    }

    /// Mends tables, schema and indexes that are not what the journal makes of them, and verifies once more.
    fn tables(
        &mut self,
        house: &mut House<'_>,
        found: &mut Verification,
        (depth, read_only): (Depth, bool),
    ) -> Result<()> {
        if found.drift.is_empty() {
            return Ok(());
        }
        if read_only {
            return Err(differ(
                "tables_differ",
                "the tables are not what the journal makes of them, and these books can only be read: nothing was mended",
                &found.drift,
            ));
        }
        let healed = house.heal(found)?;
        // The files that the tables named before were those of rows that are gone.
        let again = house.verify(depth)?;
        must_be_whole(&again)?;
        if !again.drift.is_empty() {
            return Err(differ(
                "tables_not_mended",
                "the tables were folded again from the journal and still differ from it",
                &again.drift,
            ));
        }
        self.mended.tables.extend(differences(&healed.drift));
        self.mended.kept = healed
            .kept
            .file_name()
            .map(|n| n.to_string_lossy().into_owned());
        (found.head, found.files) = (again.head, again.files);
        Ok(())
    }

    /// Brings the mirror up to the journal; one that differs is kept aside and written anew.
    fn mirror(&mut self, house: &House<'_>, read_only: bool) -> Result<()> {
        self.checked
            .push("mirror: journal.jsonl line for line".to_owned());
        match house.check_mirror()? {
            Mirror::Whole => {}
            Mirror::Behind(what) if read_only => self.notes.push(format!(
                "{what}; these books can only be read, so it stays so"
            )),
            Mirror::Behind(what) => self
                .notes
                .push(format!("{what}; it was brought up to the journal")),
            Mirror::Differs(what) => {
                let drift = [Drift {
                    table: "mirror".to_owned(),
                    what,
                }];
                if read_only {
                    return Err(differ(
                        "mirror_differs",
                        "the mirror is not the journal, and these books can only be read: nothing was mended",
                        &drift,
                    ));
                }
                let kept = house.mend_mirror()?;
                self.mended.kept_mirror =
                    kept.file_name().map(|n| n.to_string_lossy().into_owned());
                self.mended.tables.extend(differences(&drift));
            }
        }
        Ok(())
    }

    /// Refuses stored files that are missing or are not what was stored: they cannot be made again from anything. What else was
    /// asked is answered all the same.
    fn files(&mut self, house: &House<'_>, files: &Files, expected: &[Expected]) -> Result<()> {
        self.blobs_verified = Some(files.checked);
        self.checked
            .push(format!("stored files: the hashes of {}", files.checked));
        if files.faults.is_empty() {
            return Ok(());
        }
        let hashes: Vec<String> = files.faults.iter().map(|f| f.sha256.clone()).collect();
        let message = format!(
            "{} of {} stored files are missing or are not what was stored; the journal and every number are whole",
            hashes.len(),
            files.checked
        );
        let message = in_words(expected)
            .into_iter()
            .fold(message, |all, one| format!("{all}; {one}"));
        let mut refusal = Refusal::new("stored_files_damaged", message)
            .with("sha256", hashes.clone())
            .with("files", lost::files(house, &hashes)?)
            .hint(
                "copy the files of these names into data/blobs from a backup's data/blobs, or attach the same files once more with \
                 `wb receipt attach`, which mends the old ones too",
            );
        if !expected.is_empty() {
            let list = serde_json::to_value(expected)
                .map_err(|e| No::Fault(format!("writing a refusal: {e}")))?;
            refusal = refusal.with("expected", list);
        }
        Err(No::Damaged(refusal))
    }

    fn finish(self, house: &House<'_>, found: &Verification, expected: Vec<Expected>) -> Verified {
        let healed = (!self.mended.tables.is_empty()).then_some(self.mended);
        let status = match &healed {
            Some(_) => Standing::Healed,
            None if house.upgraded() => Standing::Upgraded,
            None => Standing::Ok,
        };
        Verified {
            status,
            events: found.head.seq,
            head: found.head.hex(),
            healed,
            blobs_verified: self.blobs_verified,
            checked: self.checked,
            notes: self.notes,
            expected,
        }
    }
}

fn differences(drift: &[Drift]) -> Vec<Difference> {
    let view = |drift: &Drift| Difference {
        table: drift.table.clone(),
        what: drift.what.clone(),
    };
    drift.iter().map(view).collect()
}

fn differ(code: &'static str, message: &str, drift: &[Drift]) -> No {
    let list = serde_json::to_value(differences(drift)).unwrap_or_default();
    let hint = match code {
        "tables_not_mended" => {
            "put a backup back; the journal is whole, and data/journal.jsonl holds its lines"
        }
        _ => "run `wb verify` as the user who owns the books, or put a backup back",
    };
    No::Damaged(Refusal::new(code, message).with("tables", list).hint(hint))
}
