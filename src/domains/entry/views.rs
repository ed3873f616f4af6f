//! Entries as answers show them.

use std::collections::{BTreeMap, btree_map::Entry};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    events::{Called, LineData},
    post::Posted,
    rules,
    table::{self, Header},
};
use crate::{
    domains::{
        chart::{self, Account},
        class::{self, Class},
    },
    engine::{No, Reader, Result},
    model::{Currency, CurrencyCode, Date, Line, Money, Origin, Rate, Side},
    present::{Cell, ColKind, Column},
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
    /// What else there is to it
    #[serde(flatten)]
    pub tags: Tags,
}

/// What only some lines have: a class, an amount in another currency.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Tags {
    /// Class id
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_id: Option<i64>,
    /// Class name
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The currency it was originally in
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreign_currency: Option<CurrencyCode>,
    /// Its amount in that currency, over zero
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreign_amount: Option<Money>,
    /// Units of the books' currency for one of it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fx_rate: Option<Rate>,
}

impl Tags {
    /// What a line has, with the name of its class.
    pub fn of(line: Line, class: Option<&Class>) -> Tags {
        let Line {
            account_id: _,
            amount_minor: _,
            class_id,
            foreign,
        } = line;
        Tags {
            class_id,
            class: class.map(|class| class.name.clone()),
            foreign_currency: foreign.map(|foreign| foreign.currency),
            foreign_amount: foreign.map(|foreign| foreign.amount.magnitude()),
            fx_rate: foreign.map(|foreign| foreign.rate),
        }
    }

    /// The amount in another currency, in words.
    fn original(&self) -> Option<String> {
        let currency = self.foreign_currency?;
        let (amount, rate) = (self.foreign_amount?, self.fx_rate?);
        Some(format!("{currency} {amount} at {rate}"))
    }
}

/// The columns for what only some lines have.
#[derive(Clone, Copy, Debug)]
pub struct TagColumns {
    class: bool,
    foreign: bool,
}

impl TagColumns {
    /// The columns that some of these lines fill.
    pub fn of<'l>(lines: impl Iterator<Item = &'l Tags> + Clone) -> TagColumns {
        TagColumns {
            class: lines.clone().any(|tags| tags.class.is_some()),
            foreign: lines.clone().any(|tags| tags.foreign_currency.is_some()),
        }
    }

    /// The columns.
    pub fn columns(self) -> impl Iterator<Item = Column> {
        let text = |key: &str, title: &str| Column::new(key, title, ColKind::Text { weight: 2 });
        let class = self.class.then(|| text("class", "Class"));
        let foreign = self.foreign.then(|| text("foreign", "Foreign"));
        class.into_iter().chain(foreign)
    }

    /// A line's cells in them.
    pub fn cells(self, tags: &Tags) -> impl Iterator<Item = Cell> {
        let cell = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
        let class = self.class.then(|| cell(tags.class.clone()));
        let foreign = self.foreign.then(|| cell(tags.original()));
        class.into_iter().chain(foreign)
    }
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

/// Accounts and classes looked up once for many lines.
#[derive(Default)]
pub struct Names {
    accounts: BTreeMap<i64, Account>,
    classes: BTreeMap<i64, Class>,
}

impl Names {
    /// The account with this id.
    pub fn account(&mut self, books: &Reader<'_>, id: i64) -> Result<&Account> {
        match self.accounts.entry(id) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => Ok(new.insert(chart::by_id(&books.view(), id)?)),
        }
    }

    /// Looks up the account and the class of a line.
    fn of(&mut self, books: &Reader<'_>, line: &Line) -> Result<(&Account, Option<&Class>)> {
        self.account(books, line.account_id)?;
        if let Some(id) = line.class_id
            && let Entry::Vacant(new) = self.classes.entry(id)
        {
            new.insert(class::by_id(&books.view(), id)?);
        }
        let account = self.accounts.get(&line.account_id);
        let account = account.ok_or_else(|| No::Fault("an account was not kept".to_owned()))?;
        let class = line.class_id.and_then(|id| self.classes.get(&id));
        Ok((account, class))
    }

    /// The lines as the journal keeps them.
    pub fn data(&mut self, books: &Reader<'_>, lines: &[Line]) -> Result<Vec<LineData>> {
        let mut data = Vec::with_capacity(lines.len());
        for line in lines {
            let (account, class) = self.of(books, line)?;
            let called = Called {
                account: &account.code,
                class: class.map(|class| class.name.as_str()),
            };
            data.push(LineData::of(*line, called, books.currency()));
        }
        Ok(data)
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
            let (account, class) = self.of(books, line)?;
            let balance = balance.map(|raw| account.kind.shown(raw));
            views.push(LineView {
                line_index,
                account_id: account.id,
                account_code: account.code.clone(),
                account_name: account.name.clone(),
                moves: Movement::of(books.currency(), line.amount_minor, balance),
                tags: Tags::of(*line, class),
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
    Names::default().entry(books, table::entry(&books.view(), id)?)
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
            lines: Names::default().lines(books, &posted.lines, true)?,
            checklist: posted.checklist,
        })
    }
}
