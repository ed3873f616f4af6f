//! Account types, sides and codes: what a debit means for each type, what a code may be, and nothing about any one account.

use crate::{
    model::{Refusal, quoted},
    wire_enum,
};

/// The most characters of an account's code.
pub const CODE_CHARS_MAX: usize = 20;

/// What a code may be, in words.
pub const CODE_TAKES: &str = "a code has 1 to 20 letters a-z, digits, full stops and hyphens, and begins with a letter or digit, \
     such as 1000 or 6310.2";

/// An account's code: trimmed, 1 to 20 ASCII letters, digits, full stops and hyphens, a letter or digit first.
///
/// Refuses: everything else, so that a code can be typed, sorted and named in a message on every face; one that begins with a
/// hyphen would be read as an option, and `..` as a folder.
pub fn code_ok(code: &str) -> Result<String, Refusal> {
    let trimmed = code.trim();
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    if trimmed.len() <= CODE_CHARS_MAX
        && trimmed.starts_with(|c: char| c.is_ascii_alphanumeric())
        && trimmed.chars().all(legal)
    {
        return Ok(trimmed.to_owned());
    }
    let value: String = code.chars().take(200).collect();
    let message = format!("{} is not an account code: {CODE_TAKES}", quoted(code));
    Err(Refusal::new("bad_code", message)
        .with("field", "code")
        .with("account_code", value)
        .hint("give another code; nothing was changed"))
}

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
    pub const fn normal_side(self) -> Side {
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

#[cfg(test)]
mod code_tests {
    use super::*;

    /// Codes: letters, digits, full stops and hyphens, at most twenty, and none that a command line takes for an option or a
    /// path.
    #[test]
    fn codes() {
        for good in ["1", "1000", "6310.2", "A-1", "a..b", "12345678901234567890"] {
            assert_eq!(code_ok(good).as_deref(), Ok(good));
        }
        assert_eq!(code_ok(" 1000 ").as_deref(), Ok("1000"));
        let bad = [
            "",
            " ",
            "1 0",
            "123456789012345678901",
            "a_b",
            "é",
            "１",
            "=1",
            "a/b",
            "1\u{200b}",
            "-",
            "--",
            "-x",
            "-1000",
            "--help",
            ".",
            "..",
            ".5",
            " -x",
        ];
        for bad in bad {
            assert_eq!(code_ok(bad).map_err(|r| r.code), Err("bad_code"), "{bad:?}");
        }
        let refusal = code_ok("--help").expect_err("an option").to_value();
        assert_eq!(
            (
                &refusal["field"],
                &refusal["account_code"],
                refusal["remedy_hint"].is_string()
            ),
            (&"code".into(), &"--help".into(), true)
        );
    }
}
