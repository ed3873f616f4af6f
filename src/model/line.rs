//! A line: what an entry moves on one account. Not the entry, nor what the account is.

use serde::Serialize;

use crate::model::{CurrencyCode, Money, Rate};

/// What an entry moves on one account.
///
/// Who makes a line from another keeps what is not its business (`..line`); who writes one down takes it apart whole, so that
/// a further fact about a line cannot be forgotten there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Line {
    /// The account's id.
    pub account_id: i64,
    /// The amount in minor units of the books' currency, debit positive.
    pub amount_minor: i64,
    /// The class it is tagged with.
    pub class_id: Option<i64>,
    /// What it was in another currency, for reference: the books are kept in `amount_minor`.
    pub foreign: Option<Foreign>,
}

/// What a line was in another currency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Foreign {
    /// The currency.
    pub currency: CurrencyCode,
    /// The amount in it with all its decimals, debit positive.
    pub amount: Money,
    /// What one unit of it was worth in the books' currency.
    pub rate: Rate,
}

impl Foreign {
    /// The same on the other side.
    fn swapped(self) -> Foreign {
        Foreign {
            amount: self.amount.negated(),
            ..self
        }
    }
}

impl Line {
    /// A line of which nothing is known but what it moves where.
    pub const fn of(account_id: i64, amount_minor: i64) -> Line {
        Line {
            account_id,
            amount_minor,
            class_id: None,
            foreign: None,
        }
    }

    /// The same line, tagged with a class.
    pub const fn in_class(self, class_id: Option<i64>) -> Line {
        Line { class_id, ..self }
    }

    /// The same line on the other side.
    pub fn swapped(self) -> Line {
        Line {
            amount_minor: -self.amount_minor,
            foreign: self.foreign.map(Foreign::swapped),
            ..self
        }
    }
}
