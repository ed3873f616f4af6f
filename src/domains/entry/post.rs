//! Posting, for this domain's operations and for every other domain that must post: one constructor, one set of rules.

use super::{
    events::{EntryPosted, ReversalNow},
    line, rules,
    rules::Balanced,
    table::{self, Header},
    told::must_be_as_told,
    views::{EntryStatus, Names},
};
use crate::{
    domains::chart,
    engine::{No, Posting, Result, Writer, not_as_told},
    model::{Date, Line, Origin, Refusal, TEXT_CHARS_MAX, quoted, typed},
};

/// An entry that is posted at once.
pub struct NewEntry<'a> {
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: &'a str,
    /// What posts it.
    pub origin: Origin,
    /// Its lines.
    pub lines: Vec<Line>,
    /// The entry that it reverses.
    pub reverses: Option<i64>,
}

/// What was posted.
pub struct Posted {
    /// The entry.
    pub entry_id: i64,
    /// Its lines.
    pub lines: Vec<Line>,
    /// The sum of its debits, in minor units.
    pub total_minor: i64,
    /// What the posting hooks looked at.
    pub checklist: serde_json::Map<String, serde_json::Value>,
}

/// Warns of a day that is likely a slip of the keyboard.
pub fn warn_of_day(books: &mut Writer<'_>, date: Date) {
    if let Some(warning) = rules::unlikely_day(date, books.today()) {
        books.warn(warning);
    }
}

/// Warns of a debit and a credit of one amount on one account, which move nothing.
pub fn warn_of_cancelling(books: &mut Writer<'_>, lines: &[Line]) -> Result<()> {
    if let Some(line) = rules::cancelling(lines) {
        let account = chart::by_id(&books.view(), line.account_id)?;
        let amount = books.currency().money(line.amount_minor);
        books.warn(format!(
            "account {} is debited and credited with the same {amount}, which cancel",
            quoted(&account.code)
        ));
    }
    Ok(())
}

/// Posts a new entry.
///
/// Refuses: lines that do not balance, accounts that cannot be posted to, whatever a posting hook objects to.
pub fn post(books: &mut Writer<'_>, new: NewEntry<'_>) -> Result<Posted> {
    PostingRun::begin(books)?.post(books, new)
}

/// Postings made one after another, each by the rules of [`post`].
///
/// Accounts and classes are looked up once and entry ids are counted, so that a long history costs no questions a line. It holds while
/// nothing else makes entries or changes accounts in between.
pub struct PostingRun {
    next_id: i64,
    names: Names,
}

impl PostingRun {
    /// A run that goes on from the last entry there is.
    pub fn begin(books: &Writer<'_>) -> Result<PostingRun> {
        Ok(PostingRun {
            next_id: table::next_id(&books.view())?,
            names: Names::default(),
        })
    }

    /// Posts a new entry. Refuses what [`post`] refuses, and is then as it was.
    pub fn post(&mut self, books: &mut Writer<'_>, new: NewEntry<'_>) -> Result<Posted> {
        let description = typed(new.description, "description", TEXT_CHARS_MAX)?;
        let balanced = hold(books, new.lines, (new.origin, &mut self.names))?;
        let event = EntryPosted {
            entry_id: self.next_id,
            date: new.date,
            description,
            origin: new.origin,
            drafted: false,
            lines: Vec::new(),
            reverses: new.reverses,
            reversals: new
                .reverses
                .map(|id| reversals_now(books, id))
                .transpose()?
                .unwrap_or_default(),
        };
        let posted = record(books, event, (&balanced, &mut self.names))?;
        self.next_id += 1;
        Ok(posted)
    }
}

/// Posts a draft.
///
/// Refuses: what is no draft, and everything that [`post`] refuses.
pub fn post_draft(books: &mut Writer<'_>, draft: &Header) -> Result<Posted> {
    must_be_draft(draft, "posted")?;
    must_be_as_told(books, draft)?;
    let lines = table::lines(&books.view(), draft.id)?;
    let mut names = Names::default();
    let balanced = hold(books, lines, (draft.origin, &mut names))?;
    let event = EntryPosted {
        entry_id: draft.id,
        date: draft.date,
        description: draft.description.clone(),
        origin: draft.origin,
        drafted: true,
        lines: Vec::new(),
        reverses: None,
        reversals: Vec::new(),
    };
    record(books, event, (&balanced, &mut names))
}

/// Refuses opening balances after activity: what is brought in stands before all that happens, so that it cannot be taken for
/// a way around what binds other entries.
pub fn must_come_first(books: &mut Writer<'_>, origin: Origin, date: Date) -> Result<()> {
    if origin != Origin::Opening {
        return Ok(());
    }
    let Some((first, entry_id)) = table::first_activity(&books.view())? else {
        return Ok(());
    };
    if date <= first {
        books.warn(
            "the books have activity already: opening balances need no receipt and are no cash flow, so nothing that happened \
             may be among them",
        );
        return Ok(());
    }
    let message = format!(
        "opening balances of {date} would stand after entry {entry_id} of {first}, and must not be later than the first activity"
    );
    Err(Refusal::new("opening_after_activity", message)
        .with("date", date.to_string())
        .with("first_activity", first.to_string())
        .with("entry_id", entry_id)
        .hint("date it on or before that day, or draft an ordinary entry")
        .into())
}

/// Refuses an entry that is no draft any more.
pub fn must_be_draft(entry: &Header, what: &str) -> Result<()> {
    if entry.status == EntryStatus::Draft {
        return Ok(());
    }
    let message = format!(
        "entry {} is {}, not a draft, so it cannot be {what}",
        entry.id, entry.status
    );
    let refusal = Refusal::new("entry_not_draft", message)
        .with("entry_id", entry.id)
        .with("status", entry.status.word());
    Err(match entry.status {
        EntryStatus::Posted => refusal.remedy(
            "books.reverse_entry",
            "posted entries never change; correct one by reversing it",
        ),
        _ => refusal,
    }
    .into())
}

/// Lines that balance, on accounts that can be posted to. Every rule they break is named. A close brings to zero what an
/// account stood at on its day, whether the account is still in use or not.
fn hold(
    books: &Writer<'_>,
    lines: Vec<Line>,
    (origin, names): (Origin, &mut Names),
) -> Result<Balanced> {
    let reader = books.reader();
    let mut refusals = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let held = lines.iter().filter(|_| origin != Origin::Closing);
    for line in held.filter(|line| seen.insert(line.account_id)) {
        match line::postable(names.account(&reader, line.account_id)?) {
            Err(No::Refused(reasons)) => refusals.extend(reasons),
            other => other?,
        }
    }
    match Balanced::of(lines, books.currency()) {
        Ok(balanced) if refusals.is_empty() => Ok(balanced),
        Ok(_) => Err(No::Refused(refusals)),
        Err(reasons) => Err(No::Refused(reasons.into_iter().chain(refusals).collect())),
    }
}

/// How the entries up the chain stand when `reversed` is reversed: what it reverses stands again, what that reverses is
/// reversed again, and so on.
///
/// Refuses: an entry that would be reversed again although another reversal of it is live.
fn reversals_now(books: &Writer<'_>, reversed: i64) -> Result<Vec<ReversalNow>> {
    let view = books.view();
    let mut now = Vec::new();
    let mut at = table::entry(&view, reversed)?;
    let mut live = false;
    while let Some(target) = at.reverses {
        let target = table::entry(&view, target)?;
        if let Some(other) = target.reversed_by.filter(|other| live && *other != at.id) {
            let message = format!(
                "this would reverse entry {} again by entry {}, but entry {other} reverses it already",
                target.id, at.id
            );
            return Err(Refusal::new("already_reversed", message)
                .with("entry_id", target.id)
                .with("reversed_by", other)
                .remedy(
                    "books.reverse_entry",
                    format!("reverse entry {other} first, if it is the wrong one"),
                )
                .into());
        }
        must_be_as_told(books, &target)?;
        now.push(ReversalNow {
            entry_id: target.id,
            reversed_by: live.then_some(at.id),
        });
        live = !live;
        at = target;
    }
    Ok(now)
}

/// Refuses a posting with which a report could no longer be summed. It names the account of the largest line, where a slip
/// of the keyboard would be.
fn must_be_summable(books: &Writer<'_>, balanced: &Balanced, names: &mut Names) -> Result<()> {
    let posted_minor = table::turnover(&books.view())?;
    let Err(refusal) = rules::turnover(posted_minor, balanced, books.currency()) else {
        return Ok(());
    };
    let largest = balanced
        .lines()
        .iter()
        .rev()
        .max_by_key(|line| line.amount_minor.abs());
    Err(match largest {
        Some(line) => {
            let account = names.account(&books.reader(), line.account_id)?;
            refusal.with("account", account.code.as_str())
        }
        None => refusal,
    }
    .into())
}

fn record(
    books: &mut Writer<'_>,
    event: EntryPosted,
    (balanced, names): (&Balanced, &mut Names),
) -> Result<Posted> {
    let posting = Posting {
        entry_id: event.entry_id,
        date: event.date,
        description: &event.description,
        origin: event.origin,
        reverses: event.reverses,
        lines: balanced.lines(),
    };
    must_come_first(books, event.origin, event.date)?;
    must_be_summable(books, balanced, names)?;
    let checklist = books.ask_about(&posting)?;
    let event = EntryPosted {
        lines: names.data(&books.reader(), balanced.lines())?,
        ..event
    };
    books.record(&event)?;
    Ok(Posted {
        entry_id: event.entry_id,
        lines: balanced.lines().to_vec(),
        total_minor: balanced.total_minor(),
        checklist,
    })
}

/// Refuses a reversal that the rules do not allow, and what is not as the journal tells it.
pub fn must_be_reversible(books: &Writer<'_>, original: &Header, date: Date) -> Result<()> {
    if original.status != EntryStatus::Posted {
        let stands = match original.status {
            EntryStatus::Draft => "a draft",
            other => other.word(),
        };
        let message = format!(
            "entry {} is {stands}, not posted, so there is nothing to reverse",
            original.id
        );
        return Err(Refusal::new("entry_not_posted", message)
            .with("entry_id", original.id)
            .with("status", original.status.word())
            .remedy("books.discard_draft", "a draft is discarded, not reversed")
            .into());
    }
    if original.origin == Origin::Closing {
        let message = format!(
            "entry {} closed a period, and a closed period is not opened again",
            original.id
        );
        return Err(Refusal::new("closing_entry", message)
            .with("entry_id", original.id)
            .remedy(
                "books.draft_entry",
                "correct what was wrong by an entry in the open period",
            )
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
    if let Some(other) = table::live_reversal(&books.view(), original.id)? {
        let why = format!("entry {other} reverses it");
        return Err(not_as_told(&format!("entry {}", original.id), why));
    }
    rules::reversal_date(original.date, date)?;
    must_be_as_told(books, original)
}
