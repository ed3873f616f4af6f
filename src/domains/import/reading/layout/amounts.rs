//! Where a row's amount stands: by column name in a layout, by column index in a file. It reads no cell.

/// Where a row's amount stands, by column name.
pub(in crate::domains::import::reading) enum AmountRule {
    /// One column with a sign.
    Signed(&'static str),
    /// Two columns of which one is filled; the column decides, not the sign.
    Pair {
        /// The name of the debit column.
        debit: &'static str,
        /// The name of the credit column.
        credit: &'static str,
    },
    /// An amount whose sign stands in another column.
    Typed {
        /// The column of the amount.
        amount: &'static str,
        /// The column of the word.
        kind: &'static str,
        /// The words, in lower case.
        words: KindWords,
    },
    /// Three amounts with signs: the net moves the account, and is gross and fee together.
    Net {
        /// What was paid or received before the fee.
        gross: &'static str,
        /// The fee, negative where it was paid.
        fee: &'static str,
        /// What moved the account.
        net: &'static str,
    },
    /// An amount with a sign, and the fee that the account pays beside it.
    FeeBeside {
        /// What was paid or received without the fee.
        amount: &'static str,
        /// The fee, positive where it was paid.
        fee: &'static str,
    },
    /// The two ends of a transfer, without signs; a word tells which of them is the account's.
    Ends(Ends<&'static str>),
}

/// The columns of a transfer between two ends, each in a currency of its own: by name in a layout, by index in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::domains::import::reading) struct Ends<C> {
    /// `IN`, `OUT`, or `NEUTRAL` between the owner's own balances.
    pub direction: C,
    /// Where the money came from.
    pub source: End<C>,
    /// Where it went to.
    pub target: End<C>,
    /// What the source paid beside its amount.
    pub fee: End<C>,
}

/// An amount and its currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::domains::import::reading) struct End<C> {
    /// The column of the amount, which has no sign.
    pub amount: C,
    /// The column of the currency.
    pub currency: C,
}

/// Words of a type column.
#[derive(Clone, Copy, Debug)]
pub(in crate::domains::import::reading) struct KindWords {
    /// Those of amounts that count as positive.
    pub positive: &'static [&'static str],
    /// Those of amounts that count as negative.
    pub negative: &'static [&'static str],
}

/// Where a row's amount stands, by column index.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::domains::import::reading) enum AmountColumns {
    /// One column with a sign.
    Signed(usize),
    /// Debit and credit.
    Pair(usize, usize),
    /// Amount and type; the words are the plan's.
    Typed(usize, usize),
    /// Gross, fee and net.
    Net {
        /// Before the fee.
        gross: usize,
        /// The fee.
        fee: usize,
        /// What moved the account.
        net: usize,
    },
    /// Amount, and the fee beside it.
    FeeBeside(usize, usize),
    /// The two ends of a transfer.
    Ends(Ends<usize>),
}

impl AmountRule {
    /// The columns of the amounts in one file; `None` where one is missing.
    pub fn placed(&self, at: impl Fn(&str) -> Option<usize>) -> Option<AmountColumns> {
        let end = |end: &End<&str>| {
            Some(End {
                amount: at(end.amount)?,
                currency: at(end.currency)?,
            })
        };
        Some(match self {
            AmountRule::Signed(amount) => AmountColumns::Signed(at(amount)?),
            AmountRule::Pair { debit, credit } => AmountColumns::Pair(at(debit)?, at(credit)?),
            AmountRule::Typed { amount, kind, .. } => AmountColumns::Typed(at(amount)?, at(kind)?),
            AmountRule::Net { gross, fee, net } => AmountColumns::Net {
                gross: at(gross)?,
                fee: at(fee)?,
                net: at(net)?,
            },
            AmountRule::FeeBeside { amount, fee } => {
                AmountColumns::FeeBeside(at(amount)?, at(fee)?)
            }
            AmountRule::Ends(ends) => AmountColumns::Ends(Ends {
                direction: at(ends.direction)?,
                source: end(&ends.source)?,
                target: end(&ends.target)?,
                fee: end(&ends.fee)?,
            }),
        })
    }
}

impl AmountColumns {
    /// The columns that hold amounts, that of the row's own amount first.
    pub fn amounts(self) -> impl Iterator<Item = usize> {
        let columns = match self {
            AmountColumns::Signed(a) | AmountColumns::Typed(a, _) => [Some(a), None, None],
            AmountColumns::Pair(a, b) | AmountColumns::FeeBeside(a, b) => [Some(a), Some(b), None],
            AmountColumns::Net { gross, fee, net } => [Some(net), Some(gross), Some(fee)],
            AmountColumns::Ends(ends) => {
                [ends.source, ends.target, ends.fee].map(|end| Some(end.amount))
            }
        };
        columns.into_iter().flatten()
    }

    /// The columns beside the amounts without which these cannot be read.
    pub fn beside(self) -> impl Iterator<Item = usize> {
        let columns = match self {
            AmountColumns::Typed(_, kind) => [Some(kind), None, None, None],
            AmountColumns::Ends(ends) => [
                Some(ends.direction),
                Some(ends.source.currency),
                Some(ends.target.currency),
                Some(ends.fee.currency),
            ],
            _ => [None; 4],
        };
        columns.into_iter().flatten()
    }
}
