//! A line: what an entry moves on one account. Not the entry, nor what the account is.

use serde::Serialize;

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
}

impl Line {
    /// A line of which nothing is known but what it moves where.
    pub const fn of(account_id: i64, amount_minor: i64) -> Line {
        Line {
            account_id,
            amount_minor,
        }
    }

    /// The same line on the other side.
    pub const fn swapped(self) -> Line {
        Line {
            amount_minor: -self.amount_minor,
            ..self
        }
    }
}
