//! Whether rows stand in another account's imports too: the same file, or the other side of a transfer. It only warns: nobody
//! but the human knows whether two rows are one movement of money.

use std::collections::HashSet;

use super::{
    reading::BankRow,
    rules::{OtherSide, can_be_transfer},
    table::{self, Moved},
};
use crate::{
    domains::{
        chart,
        entry::{self, EntryStatus},
    },
    engine::{Result, Writer},
    model::{AccountType, Currency, Date, Line, quoted},
    store::View,
};

/// How many days may lie between the two sides of a transfer.
const DAYS_APART_MAX: i64 = 3;
/// The most pairs, and the most twins of one entry, that are named.
const NAMED_MAX: usize = 5;

/// An entry made of another account's row that looks like the other side of this one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Twin {
    /// Its id.
    pub entry_id: i64,
    /// Where it stands.
    pub status: EntryStatus,
    /// Its day.
    pub date: Date,
    /// What its row moved, in minor units; positive is money in.
    pub amount_minor: i64,
    /// The bank account on which it did.
    pub account_code: String,
}

/// The entries that may be the other side of an imported one, if that still counts; the first few.
pub fn twins(view: &View<'_>, entry_id: i64) -> Result<Vec<Twin>> {
    let mut twins = Vec::new();
    let Some(own) = table::moved(view, entry_id)? else {
        return Ok(twins);
    };
    let header = entry::by_id(view, entry_id)?;
    if header.status == EntryStatus::Discarded || header.reversed_by.is_some() {
        return Ok(twins);
    }
    let lines = entry::lines(view, entry_id)?;
    for other in opposite(view, own)? {
        if twins.len() < NAMED_MAX && may_be_one(view, (own, &lines), other)? {
            twins.push(Twin {
                entry_id: other.entry_id,
                status: entry::by_id(view, other.entry_id)?.status,
                date: other.date,
                amount_minor: other.amount_minor,
                account_code: chart::by_id(view, other.account_id)?.code,
            });
        }
    }
    Ok(twins)
}

/// What an entry with such twins looks like, each amount as `write` writes minor units; none where it has none.
pub fn likeness(twins: &[Twin], write: impl Fn(i64) -> String) -> Option<String> {
    let named: Vec<String> = twins
        .iter()
        .map(|twin| {
            format!(
                "entry {} ({}, {}, {} on account {})",
                twin.entry_id,
                twin.status,
                twin.date,
                write(twin.amount_minor),
                quoted(&twin.account_code)
            )
        })
        .collect();
    (!named.is_empty()).then(|| {
        format!(
            "looks like the other side of {}; if they are one transfer, post one and discard the other",
            named.join(" or ")
        )
    })
}

/// The rows of other accounts that moved the contrary amount within a few days and still count.
fn opposite(view: &View<'_>, own: Moved) -> Result<Vec<Moved>> {
    let day = |days| own.date.plus_days(days).unwrap_or(own.date);
    let days = (day(-DAYS_APART_MAX), day(DAYS_APART_MAX));
    table::moved_elsewhere(view, own.account_id, -own.amount_minor, days)
}

/// Whether a row's draft, as its lines are, and another row's can be the two sides of one transfer.
fn may_be_one(view: &View<'_>, (own, lines): (Moved, &[Line]), other: Moved) -> Result<bool> {
    let of_own = side(view, (own, lines), other.account_id)?;
    let lines = entry::lines(view, other.entry_id)?;
    let of_other = side(view, (other, &lines), own.account_id)?;
    Ok(can_be_transfer(of_own, of_other))
}

/// What the other side of a row's draft is to another bank account. Beside a fee, the largest line tells.
fn side(view: &View<'_>, (row, lines): (Moved, &[Line]), bank_id: i64) -> Result<OtherSide> {
    let others = || {
        lines
            .iter()
            .filter(|line| line.account_id != row.account_id)
    };
    if others().any(|line| line.account_id == bank_id) {
        return Ok(OtherSide::TheBank);
    }
    let largest = others().max_by_key(|line| line.amount_minor.unsigned_abs());
    let Some(largest) = largest.filter(|line| line.account_id != row.offset_id) else {
        return Ok(OtherSide::Open);
    };
    Ok(match chart::by_id(view, largest.account_id)?.kind {
        AccountType::Revenue | AccountType::Expense => OtherSide::Result,
        AccountType::Asset | AccountType::Liability | AccountType::Equity => OtherSide::Elsewhere,
    })
}

/// Looks for the other sides of a file's rows.
pub struct Transfers {
    account_id: i64,
    /// The account for rows that no rule claims.
    offset_id: i64,
    currency: Currency,
    /// Whether any other account has rows at all.
    looks: bool,
    /// The entries found so far: each is the other side of one row only.
    taken: HashSet<i64>,
    /// The first pairs, in words.
    named: Vec<String>,
}

impl Transfers {
    /// For the rows of this bank account, booked against this account where no rule claims them.
    pub fn of(books: &Writer<'_>, account_id: i64, offset_id: i64) -> Result<Transfers> {
        Ok(Transfers {
            account_id,
            offset_id,
            currency: books.currency(),
            looks: table::others(&books.view(), account_id)?,
            taken: HashSet::new(),
            named: Vec::new(),
        })
    }

    /// Looks for the other side of a new row that is booked against this account.
    pub fn look(&mut self, books: &Writer<'_>, row: &BankRow, booked_id: i64) -> Result<()> {
        if !self.looks {
            return Ok(());
        }
        let view = books.view();
        let own = Moved {
            entry_id: 0,
            account_id: self.account_id,
            offset_id: self.offset_id,
            date: row.date,
            amount_minor: row.amount_minor,
        };
        let lines = [Line::of(booked_id, -row.amount_minor)];
        for other in opposite(&view, own)? {
            if self.taken.contains(&other.entry_id) || !may_be_one(&view, (own, &lines), other)? {
                continue;
            }
            self.taken.insert(other.entry_id);
            if self.named.len() < NAMED_MAX {
                self.named.push(format!(
                    "line {}, {}, {} and entry {}, {}, {}",
                    row.line,
                    row.date,
                    self.currency.money(row.amount_minor),
                    other.entry_id,
                    other.date,
                    self.currency.money(other.amount_minor)
                ));
            }
            break;
        }
        Ok(())
    }

    /// The warning about what was found.
    pub fn warning(&self) -> Option<String> {
        let mut pairs = self.named.clone();
        match self.taken.len() - pairs.len() {
            0 => {}
            more => pairs.push(format!("{more} more")),
        }
        (!pairs.is_empty()).then(|| {
            format!(
                "the other side of a transfer may be in the books already ({}); post only one of each two",
                pairs.join("; ")
            )
        })
    }
}

/// The warning about a file that was imported into another account before.
pub fn same_file(books: &Writer<'_>, account_id: i64, sha256: &str) -> Result<Option<String>> {
    let view = books.view();
    let Some((other, first, last)) = table::elsewhere(&view, account_id, sha256)? else {
        return Ok(None);
    };
    let code = chart::by_id(&view, other)?.code;
    let entries = if first == last {
        format!("entry {first}")
    } else {
        format!("entries {first} to {last}")
    };
    Ok(Some(format!(
        "this very file was imported into account {} before, as {entries}",
        quoted(&code)
    )))
}
