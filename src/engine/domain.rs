//! What a domain offers to the engine: its operations, events, tables and hooks. The registry lists the domains.

use std::collections::BTreeMap;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{No, OpDef, Reader, Result, SubjectKind, Unlinking, Writer};
use crate::{
    model::{Currency, Date, Line, Origin, Refusal},
    store::{Check, Envelope, Fold, FoldError, FoldResult, Table, View},
};

/// A domain's door for the engine.
pub struct Domain {
    /// Its name, which is also its chapter's.
    pub name: &'static str,
    /// The chapter: what it is, its rules, a worked example. It is what `wb help NAME` shows.
    pub about: &'static str,
    /// The groups of verbs that it introduces, each with one line about it.
    pub groups: &'static [(&'static str, &'static str)],
    /// Its operations.
    pub operations: &'static [OpDef],
    /// What can have happened in it.
    pub events: &'static [EventDef],
    /// Its tables, referenced ones first.
    pub tables: &'static [&'static Table],
    /// Changes when the meaning of one of its folds changes.
    pub fold_version: u32,
    /// What it does at other domains' occasions.
    pub hooks: Hooks,
}

/// Every operation of some domains, in their order.
pub fn operations<'d>(domains: &'d [&'d Domain]) -> impl Iterator<Item = &'static OpDef> + 'd {
    domains.iter().flat_map(|domain| domain.operations)
}

/// The operation of a tool's name, in either spelling; none for what only the terminal offers.
pub fn by_tool<'d>(domains: &'d [&'d Domain], name: &str) -> Option<&'static OpDef> {
    operations(domains).find(|op| op.is_tool() && (op.tool == name || op.underscored() == name))
}

/// What a domain does at occasions that are not its own.
pub struct Hooks {
    /// Asked before any entry is posted.
    pub posting: Option<fn(&Writer<'_>, &Posting<'_>) -> Result<Verdict>>,
    /// Asked whether the settings make sense, when the books are opened.
    pub settings: Option<CheckSettings>,
    /// The same for the policy file.
    pub config: Option<CheckSettings>,
    /// Asked what in the settings disagrees with the books, or deserves a person's eye.
    pub problems: Option<FindProblems>,
    /// Proposes what new books start from.
    pub founding: Option<Found>,
    /// Asked how a thing of a lower domain is used.
    pub uses: Option<fn(&View<'_>, Thing) -> Result<Uses>>,
    /// Asked before a thing of a lower domain gets another code, by which settings name it.
    pub renumbering: Option<CheckCode>,
    /// Types of events that it looks back at: [`Reader::watched_since`] finds them without reading the journal.
    pub watches: &'static [&'static str],
    /// Adds what it knows of a thing of a lower domain to the page that shows the thing whole: facts under one name.
    pub details: Option<Details>,
    /// The kinds of things of its own that stored files can be linked to.
    pub subjects: &'static [SubjectKind],
    /// Asked whether a stored file may be taken off what it is linked to: every reason why not.
    pub unlinking: Option<AskUnlinking>,
    /// Does what must precede a command's first event.
    pub before_write: Option<fn(&mut Writer<'_>) -> Result<()>>,
    /// Sums that must agree, asked by verification.
    pub check: Option<Check>,
    /// What it adds to results about things of other domains: the keys that its answers to `posting` and `details` use.
    pub facts: &'static [Facts],
}

/// Keys that a domain adds to every result about a kind of thing, so that the domain of the thing need not know them.
pub struct Facts {
    /// The kind of thing: `entry`, or `posting` for what is asked before one.
    pub of: &'static str,
    /// Each key and the schema of what stands under it.
    pub keys: fn() -> Map<String, Value>,
}

/// The keys that domains add to results about a kind of thing, with their schemas.
pub(super) fn facts_of(kind: &str, domains: &[&Domain]) -> Map<String, Value> {
    domains
        .iter()
        .flat_map(|d| d.hooks.facts)
        .filter(|facts| facts.of == kind)
        .flat_map(|facts| (facts.keys)())
        .collect()
}

/// Holds what a domain adds to the keys that it has told, which every schema is made of.
pub(super) fn must_be_told(domain: &Domain, kind: &str, added: &Map<String, Value>) -> Result<()> {
    if added.is_empty() {
        return Ok(());
    }
    let told = facts_of(kind, &[domain]);
    match added.keys().find(|key| !told.contains_key(*key)) {
        None => Ok(()),
        Some(key) => Err(No::Fault(format!(
            "{} adds {key} to every {kind}, but has not told its schema",
            domain.name
        ))),
    }
}

impl Hooks {
    /// A domain that minds its own business.
    pub const NONE: Hooks = Hooks {
        posting: None,
        settings: None,
        config: None,
        problems: None,
        founding: None,
        uses: None,
        renumbering: None,
        watches: &[],
        details: None,
        subjects: &[],
        unlinking: None,
        before_write: None,
        check: None,
        facts: &[],
    };
}

/// Says what is wrong with a settings file's text, of books in this currency.
pub type CheckSettings = fn(&str, Currency) -> std::result::Result<(), Vec<Refusal>>;

/// Finds what in the settings a person should look at, a sentence each.
pub type FindProblems = fn(&Reader<'_>) -> Result<Vec<String>>;

/// Says every reason why a file may not be taken off what it is linked to.
pub type AskUnlinking = fn(&Reader<'_>, &Unlinking<'_>) -> Result<Vec<Refusal>>;

/// Proposes what new books start from, given what a person said of them. What there is to say, and under which names, is
/// between the domain and who asks the person.
pub type Found = fn(Map<String, Value>) -> Result<Foundation>;

/// Gives facts about a thing, under a name that the operation which shows the thing has a place for.
pub type Details = fn(&Reader<'_>, Thing) -> Result<Map<String, Value>>;

/// Says why a thing must keep its code and not get this one.
pub type CheckCode = fn(&Reader<'_>, Thing, &str) -> Result<Vec<Refusal>>;

/// A thing of some domain, by kind and id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thing {
    /// What it is: `account`, `entry`.
    pub kind: &'static str,
    /// Which.
    pub id: i64,
}

/// How a thing is used by what stands above it: sums, under the names that the thing's domain has for them.
pub type Uses = BTreeMap<&'static str, i64>;

/// What new books start from.
#[derive(Clone, Debug)]
pub struct Foundation {
    /// The text of the settings file.
    pub settings: String,
    /// What fills the books.
    pub filling: Filling,
    /// What the human should look at.
    pub notes: Vec<String>,
}

/// The call that fills new books.
#[derive(Clone, Debug)]
pub struct Filling {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments.
    pub args: Map<String, Value>,
    /// How many things it makes.
    pub makes: usize,
}

/// A posting about to be made, as the hooks see it.
#[derive(Clone, Copy, Debug)]
pub struct Posting<'a> {
    /// The entry.
    pub entry_id: i64,
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: &'a str,
    /// What made it.
    pub origin: Origin,
    /// The entry that it reverses, if it is a reversal.
    pub reverses: Option<i64>,
    /// Its lines.
    pub lines: &'a [Line],
}

/// What a hook thinks of a posting.
#[derive(Default)]
pub struct Verdict {
    /// What it looked at, for the preview and the answer.
    pub checklist: Map<String, Value>,
    /// What is still asked of the human, such as a receipt: it refuses the posting, and warns in the preview of a `confirm`
    /// operation, after which it can be supplied.
    pub missing: Vec<Refusal>,
    /// Why the posting may not be made, whatever is supplied: a preview is refused as well.
    pub refusals: Vec<Refusal>,
    /// What a person should look at, though nothing stands against the posting.
    pub warnings: Vec<String>,
}

/// Where and when an event stands, for its fold.
pub struct Occasion<'a> {
    /// Its sequence number.
    pub seq: i64,
    /// The first sequence number of its command.
    pub txn: i64,
    /// When it was written, UTC.
    pub at: &'a str,
    /// Who wrote it, as JSON.
    pub by: &'a str,
}

/// Something that has happened. The shape is for ever: another shape is another version.
pub trait Event: Serialize + DeserializeOwned + 'static {
    /// Its type in the journal, past tense: `entry.posted`.
    const KIND: &'static str;
    /// The version of its shape.
    const V: u32;
    /// The oldest version that reads as this shape: later ones only added members that have defaults.
    const SINCE: u32 = Self::V;
    /// One sentence for the table of events.
    const ABOUT: &'static str;

    /// Turns the fact into rows. Decides nothing and refuses nothing that was once accepted.
    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult;
}

/// An event type with its Rust type erased.
pub struct EventDef {
    /// Its type in the journal.
    pub kind: &'static str,
    /// The version of its shape.
    pub v: u32,
    /// The oldest version that reads as this shape.
    pub since: u32,
    /// One sentence for the table of events.
    pub about: &'static str,
    pub(super) fold: fn(&Envelope<'_>, &mut Fold<'_>) -> FoldResult,
}

impl EventDef {
    /// The definition of an event type.
    pub const fn of<E: Event>() -> EventDef {
        EventDef {
            kind: E::KIND,
            v: E::V,
            since: E::SINCE,
            about: E::ABOUT,
            fold: fold_line::<E>,
        }
    }
}

fn fold_line<E: Event>(line: &Envelope<'_>, tables: &mut Fold<'_>) -> FoldResult {
    let event: E = serde_json::from_str(line.data).map_err(|e| FoldError::Unreadable {
        kind: E::KIND.to_owned(),
        v: E::V,
        why: e.to_string(),
    })?;
    let occasion = Occasion {
        seq: line.seq,
        txn: line.txn,
        at: &line.at,
        by: line.by,
    };
    event.fold(&occasion, tables)
}
