//! Importing a history from another system: posted entries, one JSON object a line.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    super::{
        days::UnlikelyDays,
        events::JournalImported,
        faults::Faults,
        history::{Entries, EntryText, LINE_BYTES_MAX, LineText, Sums},
        overlap::Overlap,
        table,
    },
    bank_csv::file_name,
};
use crate::{
    domains::{
        chart::{self, AccountRef},
        class::{self, ClassRef},
        entry::{self, NewEntry, PostingRun},
    },
    engine::{Confirm, Example, No, Operation, Result, Source, Stake, Writer},
    model::{Date, Line, LineFault, Money, Origin, Refusal, TEXT_CHARS_MAX, clean},
};

/// After how many lines the progress is told.
const PROGRESS_LINES: u64 = 1_000;
const FAULTS: &str = "journal_faults";
const HINT: &str =
    "correct the lines and import the whole file again; `wb help import` shows the form";

/// Import a history from another system
///
/// Each line of the file is one entry in JSON: {"date":"2025-03-31","description":"Rent","lines":[{"account":"6400",
/// "amount":"900.00"},{"account":"1000","amount":"-900.00"}]}, debits positive. The accounts must exist: import the chart first.
/// All or nothing. Without confirmation it is a preview; nothing changes. The same file is refused a second time.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Journal {
    /// The history
    #[arg(value_name = "FILE")]
    pub file: Source,
}

/// An imported history.
#[derive(Serialize, JsonSchema, Debug)]
pub struct History {
    /// Entries posted
    pub entries: i64,
    /// Their lines
    pub lines: i64,
    /// Earliest day
    pub first_date: Date,
    /// Latest day
    pub last_date: Date,
    /// Sum of debits
    pub total: Money,
    /// Descriptions that lost unseen or surplus characters
    pub text_cleaned: i64,
    /// First entry
    pub first_entry_id: i64,
    /// Last entry
    pub last_entry_id: i64,
}

impl Operation for Journal {
    const VERB: &'static str = "import journal";
    const TOOL: &'static str = "-";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "examples/journal/history.jsonl --confirm",
        concat!(
            r#"{"file":"{\"date\":\"2025-03-31\",\"description\":\"Rent, March\",\"lines\":[{\"account\":\"6400\",\"amount\":\"900.00\"},{\"account\":\"1000\",\"amount\":\"-900.00\"}]}\n"#,
            r#"{\"date\":\"2025-04-02\",\"description\":\"Card sales, less fees\",\"lines\":[{\"account\":\"1000\",\"amount\":\"970.70\"},{\"account\":\"5100\",\"amount\":\"29.30\"},{\"account\":\"4000\",\"amount\":\"-1000.00\"}]}\n","confirmed":true}"#
        ),
    )];
    const ALLOTTED: &'static [&'static str] = &["first_entry_id", "last_entry_id"];
    type Output = History;

    fn sources(&mut self) -> Vec<&mut Source> {
        vec![&mut self.file]
    }
}

impl Confirm for Journal {
    fn run(self, books: &mut Writer<'_>) -> Result<(History, Stake)> {
        let sha256 = self.file.sha256();
        if let Some((first, last)) = table::history(&books.view(), &sha256)? {
            return Err(already(first, last));
        }
        let entries = Entries::of(self.file.bytes())?;
        let mut intake = Intake {
            run: PostingRun::begin(books)?,
            accounts: BTreeMap::new(),
            classes: BTreeMap::new(),
            faults: Faults::default(),
            posted: Sums::default(),
            text_cleaned: 0,
            overlap: Overlap::default(),
            days: UnlikelyDays::on(books.today()),
        };
        let surveyed = Sums::survey(&entries, books.currency());
        if let Some((_, days)) = surveyed {
            intake.overlap = Overlap::between(&books.view(), days)?;
        }
        // What is imported stands before what it brings, so that a reader of the journal knows what follows.
        let imported = surveyed
            .map(|(sums, days)| self.imported(books, sha256, (sums, days)))
            .transpose()?;
        if let Some((imported, _)) = &imported {
            books.record(imported)?;
        }
        intake.read(books, &entries)?;
        intake.faults.settle(FAULTS, HINT)?;
        let (imported, sums) = imported.ok_or_else(|| {
            Refusal::new("journal_empty", "the file holds no entry")
                .hint("export the history again")
        })?;
        if intake.posted != sums {
            return Err(No::Fault(
                "a history was posted otherwise than it was read".to_owned(),
            ));
        }
        let doubts = [intake.overlap.verdict(sums.entries)?, intake.days.warning()];
        for warning in doubts.into_iter().flatten() {
            books.warn(warning);
        }
        let stake = Stake::of(&json!({
            "sha256": imported.sha256, "entries": imported.entry_count, "lines": imported.line_count,
            "total": imported.total, "first_date": imported.first_date, "last_date": imported.last_date,
        }))?;
        let output = History {
            entries: imported.entry_count,
            lines: imported.line_count,
            first_date: imported.first_date,
            last_date: imported.last_date,
            total: imported.total,
            text_cleaned: intake.text_cleaned,
            first_entry_id: imported.first_entry_id,
            last_entry_id: imported.last_entry_id,
        };
        Ok((output, stake))
    }
}

impl Journal {
    /// The event that precedes the entries.
    fn imported(
        &self,
        books: &Writer<'_>,
        sha256: String,
        (sums, (first_date, last_date)): (Sums, (Date, Date)),
    ) -> Result<(JournalImported, Sums)> {
        let total = i64::try_from(sums.debits).map_err(|_| {
            Refusal::new(
                "amount_too_large",
                "the sum of the debits has more digits than can be kept",
            )
        })?;
        let first_entry_id = entry::next_id(&books.view())?;
        let (entry_count, line_count) = (count(sums.entries)?, count(sums.lines)?);
        let imported = JournalImported {
            sha256,
            file_name: file_name(&self.file),
            entry_count,
            line_count,
            first_date,
            last_date,
            total: books.currency().money(total),
            first_entry_id,
            last_entry_id: first_entry_id + entry_count - 1,
        };
        Ok((imported, sums))
    }
}

fn count(things: usize) -> Result<i64> {
    i64::try_from(things).map_err(|_| No::Fault("more entries than a number can count".to_owned()))
}

fn already(first: i64, last: i64) -> No {
    let message = format!("this very file was imported before, as entries {first} to {last}");
    Refusal::new("journal_already_imported", message)
        .with("first_entry_id", first)
        .with("last_entry_id", last)
        .remedy("books.search_entries", "look at the entries that are there")
        .into()
}

/// The file on its way into postings, a line at a time.
struct Intake {
    run: PostingRun,
    /// The ids of the accounts named so far; `None` for what names none.
    accounts: BTreeMap<AccountRef, Option<i64>>,
    /// The same of classes.
    classes: BTreeMap<ClassRef, Option<i64>>,
    faults: Faults,
    posted: Sums,
    text_cleaned: i64,
    overlap: Overlap,
    days: UnlikelyDays,
}

impl Intake {
    fn read(&mut self, books: &mut Writer<'_>, entries: &Entries<'_>) -> Result<()> {
        for (line, text) in entries.iter() {
            self.line(books, line, text)?;
            if line % PROGRESS_LINES == 0 {
                books.progress(line, entries.total.max(line));
            }
        }
        books.progress(entries.total, entries.total);
        Ok(())
    }

    fn line(&mut self, books: &mut Writer<'_>, line: u64, text: &[u8]) -> Result<()> {
        let Some(read) = self.parse(line, text) else {
            return Ok(());
        };
        let (description, cleaned) = clean(&read.description, TEXT_CHARS_MAX);
        if description.is_empty() {
            let message = "the description is empty; write at least one character";
            self.faults
                .push(LineFault::new(line, "description", message, ""));
        }
        let Some(lines) = self.resolve(books, line, &read.lines)? else {
            return Ok(());
        };
        if description.is_empty() {
            return Ok(());
        }
        self.overlap.look(read.date, &description, &lines);
        self.days.look(line, read.date);
        let new = NewEntry {
            date: read.date,
            description: &description,
            origin: Origin::Migrated,
            lines,
            reverses: None,
        };
        match self.run.post(books, new) {
            Ok(posted) => {
                self.posted
                    .add(posted.lines.len(), i128::from(posted.total_minor));
                self.text_cleaned += i64::from(cleaned);
            }
            Err(no) => self.faults.take(line, "lines", no)?,
        }
        Ok(())
    }

    /// The entry of a line. What the parser says may repeat the file's words, so it stands in the fault's text.
    fn parse(&mut self, line: u64, text: &[u8]) -> Option<EntryText> {
        if text.len() > LINE_BYTES_MAX {
            let message = format!(
                "the line has {} bytes; at most {LINE_BYTES_MAX}",
                text.len()
            );
            self.faults.push(LineFault::new(line, "line", message, ""));
            return None;
        }
        match serde_json::from_slice(text) {
            Ok(read) => Some(read),
            Err(e) => {
                let message = if e.is_data() {
                    "the JSON is not an entry: date, description and lines of account and amount"
                } else {
                    "the line is not JSON"
                };
                self.faults
                    .push(LineFault::new(line, "line", message, &e.to_string()));
                None
            }
        }
    }

    /// Lines of the books; `None` when a line has a fault, which is told.
    fn resolve(
        &mut self,
        books: &Writer<'_>,
        line: u64,
        lines: &[LineText],
    ) -> Result<Option<Vec<Line>>> {
        let mut resolved = Vec::with_capacity(lines.len());
        for part in lines {
            let id = self.account(books, &part.account)?;
            if id.is_none() {
                let message = "no account has this code or id";
                let text = part.account.as_str();
                self.faults
                    .push(LineFault::new(line, "account", message, text));
            }
            let class = part.class.as_ref().map(|class| self.class(books, class));
            let class = class.transpose()?;
            if let (Some(None), Some(named)) = (class, &part.class) {
                let message =
                    "no class has this name or id, or one has it as name and another as id";
                let text = named.as_str();
                self.faults
                    .push(LineFault::new(line, "class", message, text));
            }
            let moved = part.moved(books.currency());
            for refusal in moved.as_ref().err().into_iter().flatten() {
                let text = part.amounts();
                self.faults
                    .push(LineFault::new(line, "amount", amount_fault(refusal), &text));
            }
            if let (Some(account_id), Ok(moved)) = (id, moved)
                && class != Some(None)
            {
                resolved.push(Line {
                    account_id,
                    amount_minor: moved.amount_minor,
                    class_id: class.flatten(),
                    foreign: moved.foreign,
                });
            }
        }
        Ok((resolved.len() == lines.len()).then_some(resolved))
    }

    fn account(&mut self, books: &Writer<'_>, reference: &AccountRef) -> Result<Option<i64>> {
        if let Some(known) = self.accounts.get(reference) {
            return Ok(*known);
        }
        let id = match chart::resolve(&books.view(), reference) {
            Ok(account) => Some(account.id),
            Err(No::Refused(_)) => None,
            Err(other) => return Err(other),
        };
        self.accounts.insert(reference.clone(), id);
        Ok(id)
    }

    fn class(&mut self, books: &Writer<'_>, reference: &ClassRef) -> Result<Option<i64>> {
        if let Some(known) = self.classes.get(reference) {
            return Ok(*known);
        }
        let id = match class::resolve(&books.view(), reference) {
            Ok(class) => Some(class.id),
            Err(No::Refused(_)) => None,
            Err(other) => return Err(other),
        };
        self.classes.insert(reference.clone(), id);
        Ok(id)
    }
}

/// What is wrong with a line's amounts, in words of ours: the numbers stand in the fault's text.
fn amount_fault(refusal: &Refusal) -> &'static str {
    match refusal.code {
        "foreign_incomplete" => {
            "foreign_currency, foreign_amount and fx_rate stand together or not at all"
        }
        "foreign_amount_differs" => {
            "the amount is not what the foreign amount comes to at its rate"
        }
        "amount_rounds_to_zero" => "the foreign amount comes to zero in the books' currency",
        "unknown_currency" => "ISO 4217 lists no such currency",
        "currency_is_base" => "the foreign currency is the books' own",
        _ if refusal.fields.get("field") == Some(&json!("foreign_amount")) => {
            "not an amount in the foreign currency: too many decimals or digits"
        }
        _ => "not an amount in the books' currency: missing, or too many decimals or digits",
    }
}
