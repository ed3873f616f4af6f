//! How an account is used by what stands above it. Who uses it, and for what, is not known here.

use super::Account;
use crate::engine::{Result, Thing, Uses, Writer};

/// What an account is called among things of all kinds.
pub const ACCOUNT: &str = "account";

/// The names of the sums, for the way through the engine.
const POSTED: &str = "posted";
const DRAFTED: &str = "drafted";
const BALANCE_MINOR: &str = "balance_minor";

/// How an account is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Lines posted to it.
    pub posted: i64,
    /// Lines of drafts on it.
    pub drafted: i64,
    /// Its raw balance, debits positive, in minor units.
    pub balance_minor: i64,
}

impl Usage {
    /// How an account is used by all who use it.
    pub fn of(books: &Writer<'_>, account: &Account) -> Result<Usage> {
        let uses = books.uses(Thing {
            kind: ACCOUNT,
            id: account.id,
        })?;
        let sum = |name| uses.get(name).copied().unwrap_or(0);
        Ok(Usage {
            posted: sum(POSTED),
            drafted: sum(DRAFTED),
            balance_minor: sum(BALANCE_MINOR),
        })
    }
}

impl From<Usage> for Uses {
    fn from(usage: Usage) -> Uses {
        let Usage {
            posted,
            drafted,
            balance_minor,
        } = usage;
        Uses::from([
            (POSTED, posted),
            (DRAFTED, drafted),
            (BALANCE_MINOR, balance_minor),
        ])
    }
}
