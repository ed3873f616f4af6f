//! The rules of the receipt policy: which postings it binds, what amount it measures, and what is one purchase split. Pure.
//! Source: spec of the domain, section 11 (the house's policy; the law's floor is Reg. §1.274-5(c)(2)(iii)).

use crate::model::Origin;

/// Whether the policy binds postings of this origin.
///
/// What was posted in another system stands on that system's evidence, and a close derives from entries that have theirs. A
/// reversal is judged as its original is.
pub fn binds(origin: Origin) -> bool {
    match origin {
        Origin::Manual | Origin::Imported | Origin::Reversal => true,
        Origin::Migrated | Origin::Opening | Origin::Closing => false,
    }
}

/// What the policy says of an account.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Standing {
    /// Any debit on it needs a receipt.
    pub required: bool,
    /// Debits on it do not count.
    pub exempt: bool,
    /// It is a cash account.
    pub cash: bool,
}

/// What the policy measures of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Measured {
    /// The debits that count, in minor units.
    pub minor: i128,
    /// Whether a receipt is needed at any amount.
    pub required: bool,
}

/// Measures an entry's lines: signed amounts in minor units, debit positive, each with what the policy says of its account.
///
/// Debits on exempt accounts drop out; a debit on a required account needs a receipt at any amount, exempt or not. An entry that
/// only moves money among cash accounts measures nothing.
pub fn measure(lines: &[(i64, Standing)]) -> Measured {
    let debits = || lines.iter().filter(|(amount, _)| *amount > 0);
    let transfer = lines.iter().all(|(_, account)| account.cash);
    let counted = debits().filter(|(_, account)| !account.exempt);
    Measured {
        minor: if transfer {
            0
        } else {
            counted.map(|(amount, _)| i128::from(*amount)).sum()
        },
        required: debits().any(|(_, account)| account.required),
    }
}

/// A description as it is compared to tell one purchase split from two: lower case, trimmed, white space collapsed.
pub fn normalised(description: &str) -> String {
    let words: Vec<&str> = description.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Standing = Standing {
        required: false,
        exempt: false,
        cash: false,
    };
    const REQUIRED: Standing = Standing {
        required: true,
        ..PLAIN
    };
    const EXEMPT: Standing = Standing {
        exempt: true,
        ..PLAIN
    };
    const CASH: Standing = Standing {
        cash: true,
        ..PLAIN
    };

    /// spec/domain.md §11: exempt debits drop out, required beats exempt, transfers among cash accounts measure nothing.
    #[test]
    fn measured() {
        let found = |lines: &[(i64, Standing)]| {
            let Measured { minor, required } = measure(lines);
            (minor, required)
        };
        assert_eq!(found(&[(2_501, PLAIN), (-2_501, CASH)]), (2_501, false));
        assert_eq!(found(&[(800, REQUIRED), (-800, CASH)]), (800, true));
        assert_eq!(found(&[(3_500, EXEMPT), (-3_500, CASH)]), (0, false));
        let mixed = [(2_000, PLAIN), (3_500, EXEMPT), (-5_500, CASH)];
        assert_eq!(found(&mixed), (2_000, false));
        assert_eq!(found(&[(500_000, CASH), (-500_000, CASH)]), (0, false));
        let both = Standing {
            exempt: true,
            ..REQUIRED
        };
        assert_eq!(found(&[(800, both), (-800, CASH)]), (0, true));
        let cash_required = Standing {
            cash: true,
            ..REQUIRED
        };
        assert_eq!(found(&[(800, cash_required), (-800, CASH)]), (0, true));
        // Money that comes in is a debit of cash, but no transfer; a credit on a required account asks nothing.
        assert_eq!(found(&[(9_000, CASH), (-9_000, REQUIRED)]), (9_000, false));
    }

    /// Case and white space do not tell descriptions apart, accents do.
    #[test]
    fn descriptions() {
        for same in ["Staples", " STAPLES ", "staples\t", "sTaPlEs"] {
            assert_eq!(normalised(same), "staples");
        }
        assert_eq!(normalised("ÉCLAIR  du\u{a0}jour"), "éclair du jour");
        assert_ne!(normalised("cafe"), normalised("café"));
    }
}
