//! What a closing entry is made of: the lines that bring income and sweeps to zero, and where they go. Pure.

use crate::{
    domains::{chart::Account, company::Share},
    model::{AccountType, Line, Refusal, allocate},
};

/// Who takes a share of net income.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taker {
    /// The account that takes it.
    pub account_id: i64,
    /// The share, in the weights of [`Share`].
    pub weight: u64,
}

/// An account that is emptied into another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// The account that is emptied.
    pub from: i64,
    /// The account that takes its balance.
    pub into: i64,
}

/// The sole taker of all.
pub fn sole(account_id: i64) -> Taker {
    let whole = Share::from_bps(10_000).map_or(1, Share::weight);
    Taker {
        account_id,
        weight: whole,
    }
}

/// A closing entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closing {
    /// Its lines, by account code; those of net income before those of sweeps. Empty where there is nothing to close.
    pub lines: Vec<Line>,
    /// Net income, negative for a loss, in minor units.
    pub net_minor: i64,
}

/// The closing entry of a chart whose accounts stand at `raw` (debits less credits) on the last day.
///
/// Refuses: sums beyond 64 bits.
pub fn closing(
    chart: &[Account],
    raw: impl Fn(i64) -> i64,
    takers: &[Taker],
    sweeps: &[Sweep],
) -> Result<Closing, Refusal> {
    let too_large = || Refusal::too_large("the net income of the period");
    let mut lines = Vec::new();
    let mut net = 0_i128;
    for account in chart {
        let temporary = matches!(account.kind, AccountType::Revenue | AccountType::Expense);
        let stands = raw(account.id);
        if temporary && stands != 0 {
            net -= i128::from(stands);
            lines.push(Line::of(
                account.id,
                stands.checked_neg().ok_or_else(too_large)?,
            ));
        }
    }
    let net_minor = i64::try_from(net).map_err(|_| too_large())?;
    let weights: Vec<u64> = takers.iter().map(|taker| taker.weight).collect();
    if net_minor != 0 {
        let parts = allocate(net_minor, &weights).ok_or_else(too_large)?;
        for (taker, part) in takers.iter().zip(parts) {
            lines.push(Line::of(taker.account_id, -part));
        }
    }
    for sweep in sweeps {
        let stands = raw(sweep.from);
        lines.push(Line::of(
            sweep.from,
            stands.checked_neg().ok_or_else(too_large)?,
        ));
        lines.push(Line::of(sweep.into, stands));
    }
    lines.retain(|line| line.amount_minor != 0);
    // A stable order, so that net income stands before the sweep on an account that takes both.
    let place = |line: &Line| {
        chart
            .iter()
            .position(|account| account.id == line.account_id)
    };
    lines.sort_by_cached_key(place);
    Ok(Closing { lines, net_minor })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(id: i64, kind: AccountType) -> Account {
        Account {
            id,
            code: format!("{id}"),
            name: String::new(),
            kind,
            parent_id: None,
            placeholder: false,
            archived: false,
            tax_category: None,
            has_children: false,
        }
    }

    fn chart() -> Vec<Account> {
        let of = |(id, kind): &(i64, AccountType)| account(*id, *kind);
        [
            (1000, AccountType::Asset),
            (3000, AccountType::Equity),
            (3010, AccountType::Equity),
            (3020, AccountType::Equity),
            (3100, AccountType::Equity),
            (4000, AccountType::Revenue),
            (6500, AccountType::Expense),
            (6600, AccountType::Expense),
            (6700, AccountType::Expense),
            (6999, AccountType::Expense),
            (7100, AccountType::Revenue),
        ]
        .iter()
        .map(of)
        .collect()
    }

    fn close(raws: &[(i64, i64)], takers: &[Taker], sweeps: &[Sweep]) -> Closing {
        let raw = |id| {
            raws.iter()
                .find(|(of, _)| *of == id)
                .map_or(0, |(_, raw)| *raw)
        };
        closing(&chart(), raw, takers, sweeps).expect("small amounts")
    }

    fn lines(lines: &[(i64, i64)]) -> Vec<Line> {
        lines
            .iter()
            .map(|(id, minor)| Line::of(*id, *minor))
            .collect()
    }

    /// spec/domain.md §1.3, the worked entry of a single owner: every line, and totals of 42,793.88.
    #[test]
    fn section_1_3_single_owner() {
        let raws = [
            (4000, -3_450_000),
            (7100, -29_388),
            (6500, 337_721),
            (6600, 100_000),
            (6700, 45_000),
            (6999, 1_400_000),
            (3100, 800_000),
        ];
        let sweep = Sweep {
            from: 3100,
            into: 3000,
        };
        let closing = close(&raws, &[sole(3000)], &[sweep]);
        let want = lines(&[
            (3000, -1_596_667),
            (3000, 800_000),
            (3100, -800_000),
            (4000, 3_450_000),
            (6500, -337_721),
            (6600, -100_000),
            (6700, -45_000),
            (6999, -1_400_000),
            (7100, 29_388),
        ]);
        assert_eq!(closing.lines, want);
        assert_eq!(closing.net_minor, 1_596_667);
        let debits: i64 = closing.lines.iter().map(|l| l.amount_minor.max(0)).sum();
        assert_eq!(debits, 4_279_388);
        assert_eq!(closing.lines.iter().map(|l| l.amount_minor).sum::<i64>(), 0);
    }

    /// spec/domain.md §1.4: a loss of 100.01 at 60 and 40 percent is 60.01 and 40.00 of debits; a member's draws go into that
    /// member's capital, and a member who drew nothing has no line for it.
    #[test]
    fn section_1_4_members() {
        let takers =
            [(3010, 6_000), (3020, 4_000)].map(|(account_id, weight)| Taker { account_id, weight });
        let sweeps = [(3100, 3010), (3000, 3020)].map(|(from, into)| Sweep { from, into });
        let closing = close(&[(6999, 10_001), (3100, 5_000)], &takers, &sweeps);
        let want = lines(&[
            (3010, 6_001),
            (3010, 5_000),
            (3020, 4_000),
            (3100, -5_000),
            (6999, -10_001),
        ]);
        assert_eq!(closing.lines, want);
        assert_eq!(closing.net_minor, -10_001);
    }

    /// A net of zero closes the accounts against one another; nothing to close makes no lines; a share of nothing no line.
    #[test]
    fn section_1_3_nothing() {
        let closing = close(&[(4000, -10), (6999, 10)], &[sole(3000)], &[]);
        assert_eq!(closing.lines, lines(&[(4000, 10), (6999, -10)]));
        assert_eq!(closing.net_minor, 0);
        let none = close(
            &[(1000, 5), (3000, -5)],
            &[sole(3000)],
            &[Sweep {
                from: 3100,
                into: 3000,
            }],
        );
        assert_eq!(none.lines, []);
        let takers =
            [(3010, 1), (3020, 1)].map(|(account_id, weight)| Taker { account_id, weight });
        let cent = close(&[(4000, -1)], &takers, &[]);
        assert_eq!(cent.lines, lines(&[(3010, -1), (4000, 1)]));
    }
}
