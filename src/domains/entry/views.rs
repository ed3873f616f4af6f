//! Entries as answers show them.

use std::collections::{BTreeMap, btree_map::Entry};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    rules,
    table::{self, Header, StoredLine},
};
use crate::{
    domains::chart::{self, Account},
    engine::{Reader, Result},
    model::{Date, Money, Origin, Side},
    wire_enum,
};

wire_enum! {
    /// Where an entry stands.
    pub enum EntryStatus {
        /// Not in any balance yet
        Draft = "draft",
        /// In the books for good
        Posted = "posted",
        /// Thrown away
        Discarded = "discarded",
    }
}

/// A line of an entry.
#[derive(Serialize, JsonSchema, Debug)]
pub struct LineView {
    /// Its place, from 0
    pub line_index: usize,
    /// Account id
    pub account_id: i64,
    /// Account code
    pub account_code: String,
    /// Account name
    pub account_name: String,
    /// Its side
    pub side: Side,
    /// Positive amount
    pub amount: Money,
    /// The account's balance after the posting, positive on its normal side
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<Money>,
}

/// An entry.
#[derive(Serialize, JsonSchema, Debug)]
pub struct EntryView {
    /// Its id
    pub entry_id: i64,
    /// Where it stands
    pub status: EntryStatus,
    /// Its day
    pub date: Date,
    /// Its description
    pub description: String,
    /// What made it
    pub origin: Origin,
    /// Sum of debits
    pub total_debit: Money,
    /// Sum of credits
    pub total_credit: Money,
    /// Its lines
    pub lines: Vec<LineView>,
    /// The entry it reverses
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverses: Option<i64>,
    /// The entry that reverses it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversed_by: Option<i64>,
}

/// Accounts looked up once for many lines.
#[derive(Default)]
pub struct Accounts(BTreeMap<i64, Account>);

impl Accounts {
    /// The account with this id.
    pub fn get(&mut self, books: &Reader<'_>, id: i64) -> Result<&Account> {
        match self.0.entry(id) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => Ok(new.insert(chart::by_id(&books.view(), id)?)),
        }
    }

    /// The lines as answers show them, with each account's balance now if wanted.
    pub fn lines(
        &mut self,
        books: &Reader<'_>,
        lines: &[StoredLine],
        balances: bool,
    ) -> Result<Vec<LineView>> {
        let mut views = Vec::with_capacity(lines.len());
        for (line_index, line) in lines.iter().enumerate() {
            let balance = balances
                .then(|| table::balance(&books.view(), line.account_id))
                .transpose()?;
            let account = self.get(books, line.account_id)?;
            views.push(LineView {
                line_index,
                account_id: account.id,
                account_code: account.code.clone(),
                account_name: account.name.clone(),
                side: Side::of(line.amount_minor),
                amount: books.currency().money(line.amount_minor.abs()),
                balance: balance.map(|raw| books.currency().money(account.kind.shown(raw))),
            });
        }
        Ok(views)
    }

    /// An entry as answers show it.
    pub fn entry(&mut self, books: &Reader<'_>, header: Header) -> Result<EntryView> {
        let stored = table::lines(&books.view(), header.id)?;
        let pairs: Vec<(i64, i64)> = stored
            .iter()
            .map(|l| (l.account_id, l.amount_minor))
            .collect();
        let (debits, credits) = rules::totals(&pairs);
        let money = |sum: i128| {
            books
                .currency()
                .money(i64::try_from(sum).unwrap_or(i64::MAX))
        };
        Ok(EntryView {
            entry_id: header.id,
            status: EntryStatus::from_word(&header.status).unwrap_or(EntryStatus::Discarded),
            date: header.date,
            description: header.description,
            origin: header.origin,
            total_debit: money(debits),
            total_credit: money(credits),
            lines: self.lines(books, &stored, false)?,
            reverses: header.reverses,
            reversed_by: header.reversed_by,
        })
    }
}

/// The entry with this id, as answers show it.
pub fn entry(books: &Reader<'_>, id: i64) -> Result<EntryView> {
    Accounts::default().entry(books, table::entry(&books.view(), id)?)
}

/// An entry after a change to it.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Changed {
    /// The change was made
    pub ok: bool,
    /// The entry as it is now
    #[serde(flatten)]
    pub entry: EntryView,
}

impl Changed {
    /// The entry with this id, changed.
    pub fn of(books: &Reader<'_>, id: i64) -> Result<Changed> {
        Ok(Changed {
            ok: true,
            entry: entry(books, id)?,
        })
    }
}
