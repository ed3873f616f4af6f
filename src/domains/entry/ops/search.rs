//! Searching entries.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    sheets, table,
    views::{EntryStatus, EntryView, Names},
};
use crate::{
    domains::chart::{self, AccountRef},
    engine::{Example, Extent, No, Operation, Page, Read, Reader, Result},
    model::{Date, Money, fold_for_search},
    present::Sheet,
};

/// The most entries of one page.
const ENTRIES_MAX: u32 = 100;

/// Search entries, newest first
///
/// All conditions must hold. Case and accents of text do not count. Discarded drafts only by status.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Part of the description
    #[arg(value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// On this account
    #[arg(long, value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountRef>,
    /// First day
    #[arg(long = "start", value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_from: Option<Date>,
    /// Last day
    #[arg(long = "end", value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_to: Option<Date>,
    /// Least amount of a line
    #[arg(long, value_name = "AMOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_min: Option<Money>,
    /// Greatest amount
    #[arg(long, value_name = "AMOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_max: Option<Money>,
    /// Where it stands
    #[arg(long, value_name = "STATUS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<EntryStatus>,
    /// At most 100 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Entries to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// Entries found.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Found {
    /// The entries, newest first
    pub entries: Vec<EntryView>,
    /// How many match
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for Search {
    const VERB: &'static str = "entry search";
    const TOOL: &'static str = "books.search_entries";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "rent --account 6400 --start 2026-01-01 --limit 2",
        r#"{"text":"rent","account":"6400","date_from":"2026-01-01","limit":2}"#,
    )];
    type Output = Found;

    fn sheet(output: &Found, page: &Page) -> Result<Option<Sheet>> {
        sheets::list(page, &output.entries, output.extent).map(Some)
    }
}

impl Read for Search {
    fn run(self, books: &Reader<'_>) -> Result<Found> {
        let minor = |money: Option<Money>, field: &str| {
            money.map(|m| books.currency().minor(m, field)).transpose()
        };
        if let (Some(from), Some(to)) = (self.date_from, self.date_to)
            && from > to
        {
            return Err(No::argument(
                "date_from",
                format!("the first day {from} is after the last day {to}"),
            ));
        }
        let account = self
            .account
            .map(|a| chart::resolve(&books.view(), &a))
            .transpose()?;
        let wanted = table::Wanted {
            text: self
                .text
                .map(|t| fold_for_search(&t))
                .filter(|t| !t.is_empty()),
            account_id: account.map(|a| a.id),
            days: (self.date_from, self.date_to),
            amounts_minor: (
                minor(self.amount_min, "amount_min")?,
                minor(self.amount_max, "amount_max")?,
            ),
            status: self.status.map(EntryStatus::word),
        };
        let window = books.window(self.limit, self.offset, ENTRIES_MAX);
        let (ids, total) = table::find(&books.view(), &wanted, window)?;
        let mut names = Names::default();
        let mut entries = Vec::new();
        for id in ids {
            entries.push(names.entry(books, table::entry(&books.view(), id)?)?);
        }
        let extent = window.extent(entries.len(), total);
        Ok(Found { entries, extent })
    }
}
