//! The cash flow statement by the indirect method: which section every line belongs to, and what moves between them. Pure.
//!
//! Every entry balances, so what its lines off cash credit less what they debit is what its lines on cash gain. Every such line
//! is given to one section, and what is moved between sections, or left out of two, is moved whole: the sections sum to the
//! change in cash by construction. Source: spec/domain.md §4.2 (ASC 230-10-45).

mod case;
mod place;

use std::collections::{BTreeMap, BTreeSet};

use super::{Raws, kept};
use crate::model::Refusal;

pub use case::{Case, Effect};
pub use place::{Mark, Named, Places, Section, check};

/// An inflow or an outflow, which are never netted (ASC 230-10-45-7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// Cash came in by it.
    In,
    /// Cash went out by it.
    Out,
}

/// What one account brought in, or what it took, in minor units; cash in positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    /// The account.
    pub account: i64,
    /// Which of the two.
    pub way: Way,
    /// How much.
    pub minor: i64,
}

/// A line of the operating section under net income.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjustment {
    /// An account whose change took or gave no cash yet, or gives it from another time.
    Change(i64),
    /// What was written off on an accumulated depreciation account.
    Depreciation(i64),
    /// The gains and losses that stand in investing.
    Disposals,
    /// What was booked to retained earnings beside operating accounts.
    Retained,
    /// What was earned or spent against an investing or financing account, without cash.
    WithoutCash(i64),
}

/// What took place without cash, and is therefore in no section: an amount between two accounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noncash {
    /// The account that it was acquired or settled on.
    pub debit: i64,
    /// The account that it was acquired by.
    pub credit: i64,
    /// The amount, in minor units; negative where reversals exceed.
    pub minor: i64,
}

/// A cash flow statement in minor units, cash in positive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flows {
    /// Revenue less expenses.
    pub net_income: i64,
    /// What leads from net income to operating cash, none of them zero.
    pub adjustments: Vec<(Adjustment, i64)>,
    /// The sum of the operating section.
    pub operating: i64,
    /// What investing accounts brought and took, in code order, none of them zero.
    pub investing_lines: Vec<Flow>,
    /// Their sum.
    pub investing: i64,
    /// The same for financing.
    pub financing_lines: Vec<Flow>,
    /// Their sum.
    pub financing: i64,
    /// What took place without cash, by accounts.
    pub noncash: Vec<Noncash>,
    /// Interest booked against cash.
    pub interest_paid: i64,
    /// Income taxes booked against cash.
    pub income_taxes_paid: i64,
    /// Receivables on which property was sold.
    pub sold_on: BTreeSet<i64>,
    /// Payables on which property was bought.
    pub bought_on: BTreeSet<i64>,
}

impl Flows {
    /// The change in cash that the sections come to.
    pub fn net_change(&self) -> Result<i64, Refusal> {
        super::sum([self.operating, self.investing, self.financing])
    }
}

/// The statement of a range: `moved` is what every account moved in it (debits less credits, closing and opening entries left
/// out), `cases` every entry of the range that has a line on an investing, a financing or an equity account, or on one that is
/// marked, once each.
///
/// Refuses: sums beyond 64 bits.
pub fn flows(places: &Places<'_>, moved: &Raws, cases: &[Case]) -> Result<Flows, Refusal> {
    let mut total = Effect::default();
    for case in cases {
        total.add(case.effect(places));
    }
    let mut net = 0_i128;
    let mut operating: BTreeMap<i64, i128> = BTreeMap::new();
    for (account, raw) in moved {
        let place = places.of(*account);
        match place.section {
            Section::Earnings => net -= i128::from(*raw),
            Section::Current | Section::Payable => {
                operating.insert(*account, -i128::from(*raw));
            }
            Section::Cash | Section::Investing | Section::Financing | Section::Retained => {}
        }
    }
    for (account, minor) in &total.left_operating {
        *operating.entry(*account).or_default() -= minor;
    }
    let mut adjustments = Vec::new();
    let depreciation = |account: i64| places.of(account).mark == Mark::Accumulated;
    let by_code = places.by_code(operating.keys().copied());
    let (written_off, changed): (Vec<i64>, Vec<i64>) = by_code
        .into_iter()
        .partition(|account| depreciation(*account));
    let of = |account: &i64| operating.get(account).copied().unwrap_or(0);
    adjustments.extend(
        written_off
            .iter()
            .map(|a| (Adjustment::Depreciation(*a), of(a))),
    );
    adjustments.push((Adjustment::Disposals, -total.gains));
    adjustments.push((Adjustment::Retained, total.retained));
    for account in places.by_code(total.without_cash.keys().copied()) {
        let minor = total.without_cash.get(&account).copied().unwrap_or(0);
        adjustments.push((Adjustment::WithoutCash(account), minor));
    }
    adjustments.extend(changed.iter().map(|a| (Adjustment::Change(*a), of(a))));
    adjustments.retain(|(_, minor)| *minor != 0);
    let operating = net + adjustments.iter().map(|(_, minor)| minor).sum::<i128>();
    let (investing_lines, investing) = section(places, &total.investing)?;
    let (financing_lines, financing) = section(places, &total.financing)?;
    let adjustments = adjustments
        .into_iter()
        .map(|(what, minor)| Ok((what, kept(minor)?)));
    Ok(Flows {
        net_income: kept(net)?,
        adjustments: adjustments.collect::<Result<_, Refusal>>()?,
        operating: kept(operating)?,
        investing_lines,
        investing,
        financing_lines,
        financing,
        noncash: noncash(places, &total.noncash)?,
        interest_paid: kept(total.interest_paid)?,
        income_taxes_paid: kept(total.income_taxes_paid)?,
        sold_on: standing(&total.sold_on),
        bought_on: standing(&total.bought_on),
    })
}

/// The accounts whose amounts no reversal has taken back.
fn standing(amounts: &BTreeMap<i64, i128>) -> BTreeSet<i64> {
    let left = amounts.iter().filter(|(_, minor)| **minor != 0);
    left.map(|(account, _)| *account).collect()
}

/// A section's lines in code order, money in before money out, and their sum.
fn section(
    places: &Places<'_>,
    flows: &BTreeMap<(i64, Way), i128>,
) -> Result<(Vec<Flow>, i64), Refusal> {
    let accounts: BTreeSet<i64> = flows.keys().map(|(account, _)| *account).collect();
    let mut lines = Vec::new();
    for account in places.by_code(accounts) {
        for way in [Way::In, Way::Out] {
            let minor = flows.get(&(account, way)).copied().unwrap_or(0);
            if minor != 0 {
                lines.push(Flow {
                    account,
                    way,
                    minor: kept(minor)?,
                });
            }
        }
    }
    let sum = super::sum(lines.iter().map(|flow| flow.minor))?;
    Ok((lines, sum))
}

/// What took place without cash, in the order of the accounts' codes.
fn noncash(
    places: &Places<'_>,
    amounts: &BTreeMap<(i64, i64), i128>,
) -> Result<Vec<Noncash>, Refusal> {
    let mut all = Vec::new();
    for ((debit, credit), minor) in amounts {
        if *minor != 0 {
            all.push(Noncash {
                debit: *debit,
                credit: *credit,
                minor: kept(*minor)?,
            });
        }
    }
    all.sort_by_key(|one| (places.of(one.debit).code, places.of(one.credit).code));
    Ok(all)
}
