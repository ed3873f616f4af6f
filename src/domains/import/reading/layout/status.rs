//! What the words of a row decide: whether it is a settled transaction, of which balance, and which way its money went. It reads
//! no amount.

use crate::domains::import::reading::{SkipReason, layout::normal, records::Record};

/// A column whose words tell the direction of a row, though the amount has a sign.
#[derive(Debug)]
pub(in crate::domains::import::reading) struct DirectionWords {
    /// The column.
    pub column: &'static str,
    /// Words of money in, in lower case.
    pub money_in: &'static [&'static str],
    /// Words of money out. Any other word tells nothing.
    pub money_out: &'static [&'static str],
}

/// A column whose words decide whether a row counts.
#[derive(Debug)]
pub(in crate::domains::import::reading) struct StatusRule {
    /// The column.
    pub column: &'static str,
    /// Words of rows that count, in lower case.
    pub settled: &'static [&'static str],
    /// Words of rows that are passed over, and why. Any other word is a fault.
    pub skipped: &'static [(&'static str, SkipReason)],
}

/// A word for a status that means one thing on one kind of row and another on another.
#[derive(Debug)]
pub(in crate::domains::import::reading) struct StatusByKind {
    /// The column of the status.
    pub column: &'static str,
    /// The word, in lower case.
    pub word: &'static str,
    /// The column of the kind.
    pub kind: &'static str,
    /// Kinds of rows that count with this word, in lower case.
    pub settled: &'static [&'static str],
    /// Kinds of rows that are passed over with it, and why. On any other kind the word is not known.
    pub skipped: &'static [(&'static str, SkipReason)],
}

/// Where a row says from which account its money came and to which it went: a wallet also tells payments that another account
/// made, and these do not move its balance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::domains::import::reading) struct OwnBalance<C> {
    /// Where the money came from.
    pub from: C,
    /// Where it went to.
    pub to: C,
    /// The word for the wallet's own balance, in lower case.
    pub word: &'static str,
    /// A word that says nothing, as a blank does.
    pub none: &'static str,
}

impl OwnBalance<&'static str> {
    pub(in crate::domains::import::reading) fn placed(
        self,
        at: impl Fn(&str) -> Option<usize>,
    ) -> Option<OwnBalance<usize>> {
        Some(OwnBalance {
            from: at(self.from)?,
            to: at(self.to)?,
            word: self.word,
            none: self.none,
        })
    }
}

impl OwnBalance<usize> {
    /// Whether another account's money moved: one is named, and the wallet's own balance is not.
    pub(in crate::domains::import::reading) fn is_others(&self, record: &Record<'_>) -> bool {
        let word = |column| normal(record.cells.get(column).unwrap_or_default());
        let (from, to) = (word(self.from), word(self.to));
        let named = !from.is_empty() && from != self.none;
        named && from != self.word && to != self.word
    }
}
