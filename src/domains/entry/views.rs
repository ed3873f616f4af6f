//! Entries as answers show them.

use std::collections::{BTreeMap, btree_map::Entry};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    post::Posted,
    rules,
    table::{self, Header},
};
use crate::{
    domains::chart::{self, Account},
    engine::{No, Reader, Result},
    model::{Currency, Date, Line, Money, Origin, Side},
    present::Cell,
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

/// What a line moves: a positive amount on one side.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Movement {
    /// Its side
    pub side: Side,
    /// Its amount, over zero
    pub amount: Money,
    /// The account's balance after it, on its normal side
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<Money>,
}

impl Movement {
    /// What a signed amount moves, debit positive, and the balance that it leads to if that is told.
    pub fn of(currency: Currency, amount_minor: i64, balance_minor: Option<i64>) -> Movement {
        Movement {
            side: Side::of(amount_minor),
            // Amounts have at most 14 digits.
            amount: currency.money(amount_minor.saturating_abs()),
            balance: balance_minor.map(|minor| currency.money(minor)),
        }
    }

    /// Its cells in a column of debits, one of credits, and one of balances.
    pub fn cells(&self) -> Result<[Cell; 3]> {
        let amount = cell(self.amount)?;
        let balance = self.balance.map(cell).transpose()?.unwrap_or(Cell::Empty);
        Ok(match self.side {
            Side::Debit => [amount, Cell::Empty, balance],
            Side::Credit => [Cell::Empty, amount, balance],
        })
    }
}

/// An amount in a column. Answers only hold amounts that were made from minor units, with every decimal.
///
/// Faults: an amount that was not.
pub fn cell(money: Money) -> Result<Cell> {
    money.written_minor().map(Cell::Money).ok_or_else(|| {
        No::Fault(format!(
            "{money} has more digits than an amount of the books"
        ))
    })
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
    /// What it moves
    #[serde(flatten)]
    pub moves: Movement,
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
    #[schemars(with = "String")]
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
        lines: &[Line],
        balances: bool,
    ) -> Result<Vec<LineView>> {
        let mut views = Vec::with_capacity(lines.len());
        for (line_index, line) in lines.iter().enumerate() {
            let balance = balances
                .then(|| table::balance(&books.view(), line.account_id))
                .transpose()?;
            let account = self.get(books, line.account_id)?;
            let balance = balance.map(|raw| account.kind.shown(raw));
            views.push(LineView {
                line_index,
                account_id: account.id,
                account_code: account.code.clone(),
                account_name: account.name.clone(),
                moves: Movement::of(books.currency(), line.amount_minor, balance),
            });
        }
        Ok(views)
    }

    /// An entry as answers show it.
    pub fn entry(&mut self, books: &Reader<'_>, header: Header) -> Result<EntryView> {
        let stored = table::lines(&books.view(), header.id)?;
        let (debits, credits) = rules::totals(&stored);
        let money = |sum: i128| {
            // At most 1,000 lines of 14 digits each, which fit.
            i64::try_from(sum)
                .map(|minor| books.currency().money(minor))
                .map_err(|_| No::Fault(format!("entry {} sums to {sum} minor units", header.id)))
        };
        Ok(EntryView {
            entry_id: header.id,
            status: header.status,
            date: header.date,
            description: header.description,
            origin: header.origin,
            total_debit: money(debits)?,
            total_credit: money(credits)?,
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

/// A posting: of a draft, or of a reversal.
#[derive(Serialize, JsonSchema, Debug)]
pub struct PostedView {
    /// Whether it was posted
    pub status: EntryStatus,
    /// The entry's id
    pub entry_id: i64,
    /// The entry it reverses
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverses: Option<i64>,
    /// Its day
    pub date: Date,
    /// Its description
    pub description: String,
    /// Sum of its debits
    pub total: Money,
    /// Its lines, with the resulting balances
    pub lines: Vec<LineView>,
    /// What other domains asked about it, each under the keys it has told: whether a receipt is required, and is there
    #[serde(flatten)]
    #[schemars(skip)]
    pub checklist: Map<String, Value>,
}

impl PostedView {
    /// What was posted, as it stands now.
    pub fn of(books: &Reader<'_>, posted: Posted) -> Result<PostedView> {
        let entry = table::entry(&books.view(), posted.entry_id)?;
        Ok(PostedView {
            status: entry.status,
            entry_id: entry.id,
            reverses: entry.reverses,
            date: entry.date,
            description: entry.description,
            total: books.currency().money(posted.total_minor),
            lines: Accounts::default().lines(books, &posted.lines, true)?,
            checklist: posted.checklist,
        })
    }
}
