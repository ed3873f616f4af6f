//! Posting, for this domain's operations and for every other domain that must post: one constructor, one set of rules.

use super::{
    events::EntryPosted,
    line, rules,
    rules::Balanced,
    table::{self, Header, StoredLine},
};
use crate::{
    domains::chart,
    engine::{No, Posting, Result, Writer},
    model::{Date, Refusal, TEXT_CHARS_MAX, typed},
};

/// Account id and signed amount of each line.
pub type Lines = Vec<(i64, i64)>;

/// An entry that is posted at once.
pub struct NewEntry<'a> {
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: &'a str,
    /// What posts it.
    pub origin: &'static str,
    /// Its lines.
    pub lines: Lines,
    /// The entry that it reverses.
    pub reverses: Option<i64>,
}

/// What was posted.
pub struct Posted {
    /// The entry.
    pub entry_id: i64,
    /// Its lines.
    pub lines: Vec<StoredLine>,
    /// The sum of its debits, in minor units.
    pub total_minor: i64,
    /// What the posting hooks looked at.
    pub checklist: serde_json::Map<String, serde_json::Value>,
}

/// Posts a new entry.
///
/// Refuses: lines that do not balance, accounts that cannot be posted to, whatever a posting hook objects to.
pub fn post(books: &mut Writer<'_>, new: NewEntry<'_>) -> Result<Posted> {
    let description = typed(new.description, "description", TEXT_CHARS_MAX)?;
    let entry_id = table::next_id(&books.view())?;
    let balanced = hold(books, &new.lines)?;
    let event = EntryPosted {
        entry_id,
        date: new.date,
        description,
        origin: new.origin.to_owned(),
        drafted: false,
        lines: Vec::new(),
        reverses: new.reverses,
        reinstates: new
            .reverses
            .map(|id| reinstated(books, id))
            .transpose()?
            .flatten(),
    };
    record(books, event, &balanced)
}

/// Posts a draft.
///
/// Refuses: what is no draft, and everything that [`post`] refuses.
pub fn post_draft(books: &mut Writer<'_>, draft: &Header) -> Result<Posted> {
    must_be_draft(draft, "posted")?;
    let stored = table::lines(&books.view(), draft.id)?;
    let lines: Lines = stored
        .iter()
        .map(|line| (line.account_id, line.amount_minor))
        .collect();
    let balanced = hold(books, &lines)?;
    let event = EntryPosted {
        entry_id: draft.id,
        date: draft.date,
        description: draft.description.clone(),
        origin: draft.origin.clone(),
        drafted: true,
        lines: Vec::new(),
        reverses: None,
        reinstates: None,
    };
    record(books, event, &balanced)
}

/// Refuses an entry that is no draft any more.
pub fn must_be_draft(entry: &Header, what: &str) -> Result<()> {
    if entry.status == "draft" {
        return Ok(());
    }
    let message = format!(
        "entry {} is {}, not a draft, so it cannot be {what}",
        entry.id, entry.status
    );
    let refusal = Refusal::new("entry_not_draft", message)
        .with("entry_id", entry.id)
        .with("status", entry.status.as_str());
    Err(match entry.status.as_str() {
        "posted" => refusal.remedy(
            "books.reverse_entry",
            "posted entries never change; correct one by reversing it",
        ),
        _ => refusal,
    }
    .into())
}

/// Lines that balance, on accounts that can be posted to. Every rule they break is named.
fn hold(books: &Writer<'_>, lines: &[(i64, i64)]) -> Result<Balanced> {
    let view = books.view();
    let mut refusals = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (account_id, _) in lines.iter().filter(|(id, _)| seen.insert(*id)) {
        match line::postable(&chart::by_id(&view, *account_id)?) {
            Err(No::Refused(reasons)) => refusals.extend(reasons),
            other => other?,
        }
    }
    match Balanced::of(lines.to_vec(), books.currency()) {
        Ok(balanced) if refusals.is_empty() => Ok(balanced),
        Ok(_) => Err(No::Refused(refusals)),
        Err(reasons) => Err(No::Refused(reasons.into_iter().chain(refusals).collect())),
    }
}

/// The entry that stands again when the reversal `reversed` is itself reversed.
fn reinstated(books: &Writer<'_>, reversed: i64) -> Result<Option<i64>> {
    Ok(table::entry(&books.view(), reversed)?.reverses)
}

fn record(books: &mut Writer<'_>, event: EntryPosted, balanced: &Balanced) -> Result<Posted> {
    let posting = Posting {
        entry_id: event.entry_id,
        date: event.date,
        description: &event.description,
        origin: &event.origin,
        reverses: event.reverses,
        lines: balanced.lines(),
    };
    let checklist = books.ask_about(&posting)?;
    let lines: Vec<StoredLine> = balanced
        .lines()
        .iter()
        .map(|(account_id, amount_minor)| StoredLine {
            account_id: *account_id,
            amount_minor: *amount_minor,
        })
        .collect();
    let data = line::data(&books.reader(), &lines)?;
    let event = EntryPosted {
        lines: data,
        ..event
    };
    books.record(&event)?;
    Ok(Posted {
        entry_id: event.entry_id,
        lines,
        total_minor: balanced.total_minor(),
        checklist,
    })
}

/// Refuses a reversal that the rules do not allow.
pub fn must_be_reversible(original: &Header, date: Date) -> Result<()> {
    if original.status != "posted" {
        let message = format!(
            "entry {} is {}, not posted, so there is nothing to reverse",
            original.id, original.status
        );
        return Err(Refusal::new("entry_not_posted", message)
            .with("entry_id", original.id)
            .with("status", original.status.as_str())
            .remedy("books.discard_draft", "a draft is discarded, not reversed")
            .into());
    }
    if let Some(by) = original.reversed_by {
        return Err(Refusal::new(
            "already_reversed",
            format!("entry {} is already reversed by entry {by}", original.id),
        )
        .with("entry_id", original.id)
        .with("reversed_by", by)
        .remedy(
            "books.reverse_entry",
            format!("to reinstate it, reverse entry {by}"),
        )
        .into());
    }
    Ok(rules::reversal_date(original.date, date)?)
}
