//! The digest.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{changes, rules, sheet, views};
use crate::{
    domains::{
        bank::{self, Due},
        chart::{self, Account},
        entry::{self, PostedEntry, Turnover, WaitingDraft},
    },
    engine::{Example, Extent, LastBackup, No, Operation, Page, Read, Reader, Result},
    model::{Date, Money, Origin, Side},
    present::Sheet,
    store::StoreError,
};

/// The most entries of one page.
const ENTRIES_MAX: u32 = 100;
/// How many of the oldest drafts are named.
const DRAFTS_MAX: u32 = 10;
/// How far back a digest goes when no day is said.
const DAYS: i64 = 7;

/// Tell what was done to the books lately
///
/// Entries posted on or after a day of the journal's clock (UTC), whatever their own day, and who posted them; drafts; changes of
/// settings, accounts, history.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Lately {
    /// Default: a week ago
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Date>,
    /// At most 100 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Entries to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// Something that was done, or that waits.
#[derive(Serialize, JsonSchema, Default, Debug)]
pub struct Deed {
    /// Its event
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<i64>,
    /// When, UTC
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Who, by their own word
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The entry
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<i64>,
    /// The entry's own day
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// What it is
    pub description: String,
    /// Sum of debits
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<Money>,
    /// What made the entry
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub origin: Option<Origin>,
    #[serde(skip)]
    pub(in super::super) total_minor: i64,
}

/// What the entries come to on an account.
#[derive(Serialize, JsonSchema, Debug)]
pub struct AccountTotal {
    /// Account code
    pub code: String,
    /// Account name
    pub name: String,
    /// Sum of debits
    pub debits: Money,
    /// Sum of credits
    pub credits: Money,
    /// Positive on `side`
    pub net: Money,
    /// The normal side
    pub side: Side,
    /// Debits, credits and net
    #[serde(skip)]
    pub(in super::super) minor: (i64, i64, i64),
}

/// A legal amount that may no longer be known. None is used yet.
#[derive(Serialize, JsonSchema, Debug)]
pub struct StaleRule {}

/// An account that is due for reconciliation.
#[derive(Serialize, JsonSchema, Debug)]
pub struct UnreconciledView {
    /// Account code
    pub code: String,
    /// Account name
    pub name: String,
    /// The last day reconciled
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reconciled_through: Option<Date>,
    /// The day it is due through
    pub due_through: Date,
    /// What to do
    pub next_step: String,
}

impl From<Due> for UnreconciledView {
    fn from(due: Due) -> UnreconciledView {
        UnreconciledView {
            code: due.account.code,
            name: due.account.name,
            reconciled_through: due.reconciled_through,
            due_through: due.due_through,
            next_step: due.next_step,
        }
    }
}

/// A backup.
#[derive(Serialize, JsonSchema, Debug)]
pub struct LastBackupView {
    /// When, UTC
    pub at: String,
    /// Events since
    pub behind: i64,
    /// When a drill last found one good, UTC
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drilled: Option<String>,
}

impl From<LastBackup> for LastBackupView {
    fn from(last: LastBackup) -> LastBackupView {
        LastBackupView {
            at: last.at,
            behind: last.behind,
            drilled: last.drilled,
        }
    }
}

/// What was done lately.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Digest {
    /// First day of the journal's clock
    pub since: Date,
    /// The last posted first
    pub entries_posted: Vec<Deed>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
    /// Over all of them, by code
    pub totals_by_account: Vec<AccountTotal>,
    /// The oldest drafts, in no balance yet
    pub drafts_waiting: Vec<Deed>,
    /// How many there are
    pub drafts_total: i64,
    /// What moved controls or accounts, the newest first
    pub changes: Vec<Deed>,
    /// How many there are
    pub changes_total: i64,
    /// What to change
    pub settings_problems: Vec<String>,
    /// Whether the first of them is that the files are not in force, for the page
    #[serde(skip)]
    pub(in super::super) unforced: bool,
    /// Legal amounts to look up
    pub stale_rules: Vec<StaleRule>,
    /// Cash and card accounts due for reconciliation
    pub unreconciled_accounts: Vec<UnreconciledView>,
    /// The last known here
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_backup: Option<LastBackupView>,
    /// Whether one is due
    pub backup_due: bool,
    /// Why days may be wrong
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_warning: Option<String>,
}

impl Operation for Lately {
    const VERB: &'static str = "digest";
    const TOOL: &'static str = "books.digest";
    const RESOURCE: Option<&'static str> = Some("books://digest{?since}");
    const EXAMPLES: &'static [Example] = &[Example::new(
        "--since 2026-01-01 --limit 20",
        r#"{"since":"2026-01-01","limit":20}"#,
    )];
    type Output = Digest;

    fn sheet(output: &Digest, page: &Page) -> Result<Option<Sheet>> {
        sheet::digest(output, page).map(Some)
    }
}

impl Read for Lately {
    fn run(self, books: &Reader<'_>) -> Result<Digest> {
        let view = books.view();
        let latest = books.latest_event_day()?;
        let since = first_day(self.since, books.today(), latest)?;
        // Without an event on that day or later there is nothing from the end on.
        let from = books.first_event_since(since)?.unwrap_or(i64::MAX);
        let window = books.window(self.limit, self.offset, ENTRIES_MAX);
        let (posted, total) = entry::posted_since(&view, from, window)?;
        let extent = window.extent(posted.len(), total);
        let mut entries_posted = Vec::with_capacity(posted.len());
        for entry in posted {
            entries_posted.push(posted_view(books, entry)?);
        }
        let head = books.head()?;
        let last = (head.seq, books.written(head.seq)?.at);
        let fault = books.settings_standing().fault;
        let mut settings_problems: Vec<String> =
            fault.map(|why| why.message.clone()).into_iter().collect();
        settings_problems.extend(books.settings_problems()?);
        let backups = books.backup_standing()?;
        settings_problems.extend(backups.fault);
        let (drafts_waiting, drafts_total) = waiting(books)?;
        let (changes, changes_total) = changes::since(books, from)?;
        Ok(Digest {
            since,
            entries_posted,
            extent,
            totals_by_account: totals(books, from)?,
            drafts_waiting,
            drafts_total,
            changes,
            changes_total,
            settings_problems,
            unforced: fault.is_some(),
            stale_rules: Vec::new(),
            unreconciled_accounts: bank::due(books)?.into_iter().map(Into::into).collect(),
            last_backup: backups.last.map(LastBackupView::from),
            backup_due: backups.due,
            clock_warning: rules::clock_warning(&books.now(), (last.0, &last.1), latest),
        })
    }
}

/// The day that the digest begins with.
///
/// Refuses: one that nothing can have been written on, or it would say that nothing was done.
fn first_day(asked: Option<Date>, today: Date, latest: Option<(i64, i64)>) -> Result<Date> {
    let Some(since) = asked else {
        return Ok(today.plus_days(-DAYS).unwrap_or(today));
    };
    let last = latest.map_or(0, |(day, _)| day).max(today.number());
    if since.number() > last {
        let message = format!("{since} has not come yet; today is {today}");
        return Err(No::argument("since", message));
    }
    Ok(since)
}

fn posted_view(books: &Reader<'_>, entry: PostedEntry) -> Result<Deed> {
    let told = books.written(entry.seq)?;
    Ok(Deed {
        seq: Some(entry.seq),
        at: Some(told.at),
        by: Some(views::by(&told.by)),
        entry_id: Some(entry.id),
        date: Some(entry.date),
        description: entry.description,
        total: Some(books.currency().money(entry.total_minor)),
        origin: Some(entry.origin),
        total_minor: entry.total_minor,
    })
}

fn totals(books: &Reader<'_>, from: i64) -> Result<Vec<AccountTotal>> {
    let turnovers = entry::turnover_since(&books.view(), from)?;
    let mut by_id: BTreeMap<i64, Turnover> =
        turnovers.into_iter().map(|t| (t.account_id, t)).collect();
    let chart = chart::all(&books.view())?;
    let totals = chart.iter().filter_map(|account| {
        let turnover = by_id.remove(&account.id)?;
        Some(account_total(books, account, turnover))
    });
    totals.collect()
}

fn account_total(
    books: &Reader<'_>,
    account: &Account,
    turnover: Turnover,
) -> Result<AccountTotal> {
    let (debits, credits) = (turnover.debits_minor, turnover.credits_minor);
    let net = debits.checked_sub(credits).ok_or_else(|| {
        let what = format!(
            "what moved account id {} is too large to be kept",
            account.id
        );
        No::from(StoreError::Damaged(what))
    })?;
    let net = account.kind.shown(net);
    let money = |minor| books.currency().money(minor);
    Ok(AccountTotal {
        code: account.code.clone(),
        name: account.name.clone(),
        debits: money(debits),
        credits: money(credits),
        net: money(net),
        side: account.kind.normal_side(),
        minor: (debits, credits, net),
    })
}

fn waiting(books: &Reader<'_>) -> Result<(Vec<Deed>, i64)> {
    let (drafts, total) = entry::drafts(&books.view(), DRAFTS_MAX)?;
    let oldest = drafts.into_iter().map(|draft: WaitingDraft| Deed {
        entry_id: Some(draft.id),
        date: Some(draft.date),
        description: draft.description,
        ..Deed::default()
    });
    Ok((oldest.collect(), total))
}
