//! Making books of a backup, and accepting that an older or other state of the books is the one to go on with.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use serde_json::Value;

use super::{
    super::{
        expected::{HEADS_BYTES_MAX, heads},
        lost,
        rules::SeenHead,
    },
    only_readable, totals,
};
use crate::{
    engine::{Books, Example, House, No, Operation, Page, Result, Site, Source, Upkeep},
    present::{Cell, Field, Sheet},
    store::{Missing, Restored, Restoring},
    wire_enum,
};

/// Make books of a backup in a new folder, or accept books that were rolled back
///
/// Every file is held to the manifest, the journal to its hash chain, the tables to a replay of the journal. What was seen of
/// these books and is not in the backup is named. A folder that exists is refused; nothing is written over.
///
/// Books that are older or other than what was seen open for reading only, until `--accept --reason` says in the journal, for
/// ever, that they are the ones to go on with. The mirror of the newer state is kept aside. Refused where no such state was seen,
/// and where the mirror goes on from these books: `wb repair --from-mirror` then loses nothing. A machine that saw nothing is told
/// what a printed statement shows with `--expect-head` or `--expect-from`: heads that the books do not have are given up.
///
/// With `--without-damaged-files`, stored files that are missing from a backup or damaged in it are left out; they are named, and
/// the books tell them as lost.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Restore {
    /// The backup's folder
    #[arg(value_name = "BACKUP")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<PathBuf>,
    /// The new books folder
    #[arg(long, value_name = "NEW")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<PathBuf>,
    /// Accept the books as they stand here
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accept: bool,
    /// Why they are accepted
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With `--accept`: a head on paper to be given up, SEQ:HEX or a footer, repeatable
    #[arg(long, value_name = "SEQ:HEX")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect_head: Vec<SeenHead>,
    /// With `--accept`: a file of such heads, footers pasted in, or a head a line
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub expect_from: Option<Source>,
    /// Leave stored files out that are missing or damaged
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_damaged_files: bool,
}

wire_enum! {
    /// What was done.
    pub enum Outcome {
        /// Books were made of a backup
        Restored = "restored",
        /// Books that were rolled back were accepted
        Accepted = "accepted",
    }
}

/// What restoring came to.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Returned {
    /// What was done
    pub status: Outcome,
    /// The books folder
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    /// The books' id
    #[serde(skip_serializing_if = "Option::is_none")]
    pub books_id: Option<String>,
    /// The last event
    pub seq: i64,
    /// Its hash, 64 hex digits
    pub head: String,
    /// When the last event was written, UTC
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_at: Option<String>,
    /// When the backup was made, UTC
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup_at: Option<String>,
    /// Files that came back, the database among them
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
    /// Debits of the trial balance
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_debit: Option<String>,
    /// Credits of the trial balance
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_credit: Option<String>,
    /// What was checked
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<String>,
    /// What was seen of these books and is not here
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Seen>,
    /// SHA-256 of stored files that were lost before the backup
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// Stored files left out, missing from the backup or damaged in it, with the receipts that they are
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Value>,
    /// Heads on paper that were given up, SEQ:HEX
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
    /// File that keeps the mirror of the newer state
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_mirror: Option<String>,
    /// File that keeps the database as it was found, where its tables were mended
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// What to know
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A state that was seen and is not here.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Seen {
    /// The first event that is not here; none where the history is another one
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_seq: Option<i64>,
    /// The last event that was seen
    pub to_seq: i64,
    /// Its hash, 64 hex digits
    pub head: String,
    /// When it was written, UTC
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl Operation for Restore {
    const VERB: &'static str = "restore";
    const TOOL: &'static str = "-";
    const EXAMPLES: &'static [Example] = &[
        Example::new(
            "books-backup --into books",
            r#"{"backup":"books-backup","into":"books"}"#,
        ),
        Example::new(
            "--accept --reason 'The disk failed; this is the last backup'",
            r#"{"accept":true,"reason":"The disk failed; this is the last backup"}"#,
        ),
    ];
    const FILE_BYTES_MAX: u64 = HEADS_BYTES_MAX;
    type Output = Returned;

    fn sources(&mut self) -> Vec<&mut Source> {
        self.expect_from.iter_mut().collect()
    }

    fn sheet(output: &Returned, page: &Page) -> Result<Option<Sheet>> {
        let title = match output.status {
            Outcome::Restored => "Books restored",
            Outcome::Accepted => "Books accepted as they stand here; they can be written to again",
        };
        let mut sheet = Sheet::new("", title, page.currency);
        let totals = output.total_debit.iter().zip(&output.total_credit);
        let facts = [
            ("Folder", output.into.clone()),
            ("Books", output.books_id.clone()),
            ("Last event", Some(output.seq.to_string())),
            ("Written", output.last_at.clone()),
            ("Head", Some(output.head.clone())),
            ("Backup of", output.backup_at.clone()),
            ("Files", output.files.map(|n| n.to_string())),
            ("Mirror kept as", output.kept_mirror.clone()),
            ("Database kept as", output.kept.clone()),
        ];
        let balance = totals.map(|(debit, credit)| {
            let sums = format!("debits {debit}, credits {credit}");
            ("Trial balance", Some(sums))
        });
        let facts = facts.into_iter().chain(balance);
        sheet.fields.extend(facts.filter_map(|(label, text)| {
            Some(Field {
                label: label.to_owned(),
                cell: Cell::Text(text?),
            })
        }));
        sheet.notes.extend(output.notes.iter().cloned());
        Ok(Some(sheet))
    }
}

impl Upkeep for Restore {
    fn on_site(&self) -> bool {
        !self.accept
    }

    fn run_on_site(self, site: &Site<'_>) -> Result<(Returned, Books)> {
        let Restore {
            backup: Some(backup),
            into: Some(into),
            reason: None,
            expect_from: None,
            ..
        } = &self
        else {
            return Err(unclear());
        };
        if !self.expect_head.is_empty() {
            return Err(unclear());
        }
        let (restored, mut books) = site.restore(Restoring {
            folder: backup,
            into,
            without_damaged: self.without_damaged_files,
        })?;
        let returned = returned(into, restored, &mut books)?;
        Ok((returned, books))
    }

    fn run(self, house: &mut House<'_>) -> Result<Returned> {
        if self.backup.is_some() || self.into.is_some() || self.without_damaged_files {
            return Err(unclear());
        }
        let Some(reason) = &self.reason else {
            let why = "say with --reason why these books are the ones to go on with; it stands in the journal for ever";
            return Err(No::argument("reason", why));
        };
        let heads = heads(&self.expect_head, self.expect_from.as_ref())?;
        let papers: Vec<_> = heads
            .iter()
            .map(|head| (head.seq(), head.digits().to_owned()))
            .collect();
        let acceptance = house.accept(reason, &papers)?;
        let head = acceptance.committed.head;
        let accepted = acceptance.accepted.as_ref();
        let name = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned());
        let kept_mirror = accepted.and_then(|accepted| accepted.kept_mirror.as_deref());
        let mut notes = Vec::new();
        if let Some(accepted) = accepted {
            notes.push(format!(
                "The state that was seen, up to event {}, is given up; that stands in the journal as event {}.",
                accepted.seq,
                head.seq - acceptance.given_up.len() as i64
            ));
        }
        let first = head.seq + 1 - acceptance.given_up.len() as i64;
        for (event, (seq, _)) in (first..).zip(&acceptance.given_up) {
            notes.push(format!(
                "The state that ended at event {seq}, which these books do not have, is given up; that stands in the journal as \
                 event {event}."
            ));
        }
        if kept_mirror.is_some() {
            notes.push("The mirror of that state is kept beside the books.".to_owned());
        }
        Ok(Returned {
            status: Outcome::Accepted,
            into: None,
            books_id: None,
            seq: head.seq,
            head: head.hex(),
            last_at: None,
            backup_at: None,
            files: None,
            total_debit: None,
            total_credit: None,
            checked: Vec::new(),
            missing: None,
            lost: Vec::new(),
            left_out: Vec::new(),
            given_up: acceptance
                .given_up
                .iter()
                .map(|(seq, digits)| format!("{seq}:{digits}"))
                .collect(),
            kept_mirror: kept_mirror.and_then(name),
            kept: accepted
                .and_then(|accepted| accepted.kept.as_deref())
                .and_then(name),
            notes,
        })
    }
}

/// The arguments say neither what to restore nor that the books are accepted.
fn unclear() -> No {
    No::argument(
        "backup",
        "name a backup and a new folder: wb restore BACKUP --into NEW; or accept books as they stand: wb restore --accept --reason \
         TEXT, with --expect-head or --expect-from where only paper knows of the newer state",
    )
}

/// What is told of books that were made of a backup.
fn returned(into: &Path, restored: Restored, books: &mut Books) -> Result<Returned> {
    let Restored {
        backup,
        last_at,
        missing,
        left_out,
        mut notes,
    } = restored;
    let (total_debit, total_credit) = totals(books)?;
    if let Some(missing) = &missing {
        notes.push(lost_events(missing, backup.seq));
    }
    if !backup.lost.is_empty() {
        notes.push(format!(
            "{} stored files were lost before the backup was made, and are not in it.",
            backup.lost.len()
        ));
        let lost = lost::files(&books.house(), &backup.lost)?;
        notes.extend(lost.iter().map(lost::line));
    }
    let files = backup.files.len() - left_out.len();
    if !left_out.is_empty() {
        notes.push(format!(
            "{} stored files are missing from the backup or damaged in it, and were left out: the books tell them as lost.",
            left_out.len()
        ));
    }
    let left_out = lost::files(&books.house(), &left_out)?;
    notes.extend(left_out.iter().map(lost::line));
    notes.extend(only_readable(books));
    let folded = match notes.iter().any(|n| n.starts_with("another version")) {
        true => "tables: folded anew from the journal",
        false => "tables: every row and the schema against a replay of the journal",
    };
    Ok(Returned {
        status: Outcome::Restored,
        into: Some(into.to_string_lossy().into_owned()),
        books_id: Some(backup.books_id),
        seq: backup.seq,
        head: backup.head,
        last_at: Some(last_at),
        backup_at: Some(backup.at),
        files: Some(files),
        total_debit: Some(total_debit),
        total_credit: Some(total_credit),
        checked: vec![
            "manifest: every file's length and hash, and that there is no other file".to_owned(),
            format!("journal: the hash chain of {} events", backup.seq),
            folded.to_owned(),
            "stored files: the hash of every one that the books name".to_owned(),
        ],
        missing: missing.map(|missing| Seen {
            from_seq: (!missing.diverged).then_some(backup.seq + 1),
            to_seq: missing.seq,
            head: missing.head,
            at: missing.at,
        }),
        lost: backup.lost,
        left_out,
        given_up: Vec::new(),
        kept_mirror: None,
        kept: None,
        notes,
    })
}

/// What would be lost by going on with books that end at event `seq`.
pub(super) fn lost_events(missing: &Missing, seq: i64) -> String {
    let when = missing
        .at
        .as_ref()
        .map_or_else(String::new, |at| format!(", written {at}"));
    if missing.diverged {
        return format!(
            "These books were seen with another event {}{when}: the history here is another one.",
            missing.seq
        );
    }
    let events = match missing.seq - seq {
        1 => format!("Event {} is", missing.seq),
        n => format!("{n} events, {} to {}, are", seq + 1, missing.seq),
    };
    format!(
        "{events} not here: these books were last seen with event {}{when}.",
        missing.seq
    )
}
