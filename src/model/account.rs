//! Account types and sides: what a debit means for each, and nothing about any one account.

use crate::wire_enum;

wire_enum! {
    /// One of the five kinds of account that double entry knows.
    pub enum AccountType {
        /// What the business owns
        Asset = "asset",
        /// What it owes
        Liability = "liability",
        /// The owners' share
        Equity = "equity",
        /// What it earns
        Revenue = "revenue",
        /// What earning costs
        Expense = "expense",
    }
}

wire_enum! {
    /// The side of an entry that a line stands on.
    pub enum Side {
        /// Left
        Debit = "debit" | "dr",
        /// Right
        Credit = "credit" | "cr",
    }
}

impl Side {
    /// The signed amount of `magnitude_minor` on this side: debits positive.
    pub const fn signed(self, magnitude_minor: i64) -> i64 {
        match self {
            Side::Debit => magnitude_minor,
            Side::Credit => -magnitude_minor,
        }
    }

    /// The side on which a signed amount stands. Zero counts as a debit.
    pub const fn of(amount_minor: i64) -> Side {
        if amount_minor < 0 {
            Side::Credit
        } else {
            Side::Debit
        }
    }

    /// The opposite side.
    pub const fn other(self) -> Side {
        match self {
            Side::Debit => Side::Credit,
            Side::Credit => Side::Debit,
        }
    }
}

impl AccountType {
    /// The side on which accounts of this type increase.
    const fn normal_side(self) -> Side {
        match self {
            AccountType::Asset | AccountType::Expense => Side::Debit,
            AccountType::Liability | AccountType::Equity | AccountType::Revenue => Side::Credit,
        }
    }

    /// A raw balance (debits minus credits) as it is shown: positive on the normal side.
    ///
    /// Units: minor units in and out. An abnormal balance stays negative.
    pub const fn shown(self, raw_minor: i64) -> i64 {
        self.normal_side().signed(raw_minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// spec/domain.md §1.1: each type grows on its normal side and is shown positive there.
    #[test]
    fn normal_sides() {
        let credit_types = [
            AccountType::Liability,
            AccountType::Equity,
            AccountType::Revenue,
        ];
        for t in AccountType::ALL {
            let credit = credit_types.contains(t);
            assert_eq!(t.normal_side() == Side::Credit, credit, "{t}");
            assert_eq!(t.shown(500), if credit { -500 } else { 500 }, "{t}");
        }
    }

    /// A side's sign and a sign's side are each other's inverse, and the short words are read.
    #[test]
    fn sides() {
        assert_eq!((Side::Debit.signed(7), Side::Credit.signed(7)), (7, -7));
        assert_eq!(
            (Side::of(-1), Side::of(0), Side::of(1)),
            (Side::Credit, Side::Debit, Side::Debit)
        );
        assert_eq!(
            (Side::Debit.other(), Side::Credit.other()),
            (Side::Credit, Side::Debit)
        );
        assert_eq!("cr".parse(), Ok(Side::Credit));
        assert_eq!(Side::from_word("cr"), None);
    }
}
