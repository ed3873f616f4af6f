//! The arithmetic of statements: sums, how net income divides from retained earnings, how accounts nest, what equity is
//! called, which days a report covers. Pure.

use std::collections::BTreeMap;

use crate::{
    domains::{
        chart::{self, Account},
        company::{AccountingBasis, Settings, TaxForm},
    },
    model::{AccountType, Date, Refusal},
};

/// Raw amounts (debits minus credits) by account id, in minor units.
pub type Raws = BTreeMap<i64, i64>;

/// The exact sum.
///
/// Units: minor units. Refuses: a sum beyond 64 bits (`amount_too_large`); parts that cancel on the way are not beyond it.
pub fn sum(amounts: impl IntoIterator<Item = i64>) -> Result<i64, Refusal> {
    // Fewer than 2^63 amounts of 64 bits cannot overflow 128.
    kept(amounts.into_iter().map(i128::from).sum())
}

fn kept(total: i128) -> Result<i64, Refusal> {
    i64::try_from(total).map_err(|_| {
        Refusal::new(
            "amount_too_large",
            "a total of the statement has more digits than can be kept",
        )
    })
}

/// What an account stands at, positive on its normal side; zero when it has no lines.
pub fn shown(account: &Account, raws: &Raws) -> i64 {
    account
        .kind
        .shown(raws.get(&account.id).copied().unwrap_or(0))
}

/// The accounts of a type that do not stand at zero, in the chart's order, each with its amount on the normal side.
pub fn figures<'a>(
    chart: &'a [Account],
    kind: AccountType,
    raws: &Raws,
) -> Vec<(&'a Account, i64)> {
    chart
        .iter()
        .filter(|account| account.kind == kind)
        .map(|account| (account, shown(account, raws)))
        .filter(|(_, minor)| *minor != 0)
        .collect()
}

/// The sum of a type's accounts, positive on the normal side.
pub fn total(chart: &[Account], kind: AccountType, raws: &Raws) -> Result<i64, Refusal> {
    sum(figures(chart, kind, raws)
        .into_iter()
        .map(|(_, minor)| minor))
}

/// What revenue exceeds expenses by: net income, negative for a loss.
pub fn earnings(chart: &[Account], raws: &Raws) -> Result<i64, Refusal> {
    let revenue = total(chart, AccountType::Revenue, raws)?;
    let expenses = total(chart, AccountType::Expense, raws)?;
    difference(revenue, expenses)
}

/// `a` minus `b`, refused beyond 64 bits.
pub fn difference(a: i64, b: i64) -> Result<i64, Refusal> {
    kept(i128::from(a) - i128::from(b))
}

/// How a balance sheet divides what was earned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earned {
    /// The line of earlier years: retained earnings, or the account that a close fills.
    pub retained_minor: i64,
    /// The line of this year.
    pub net_minor: i64,
}

/// Divides what was earned into earlier years and the fiscal year to date, whatever was closed when.
///
/// `target` is the balance of the account that a close fills, `unclosed` what the revenue and expense accounts stand at with
/// closing entries, `year` the fiscal year to date without them. The two parts sum to `target + unclosed`.
/// Source: spec/domain.md §1.5; it holds with monthly closes, with years never closed, and with any fiscal year.
pub fn split(target: i64, unclosed: i64, year: i64) -> Result<Earned, Refusal> {
    Ok(Earned {
        retained_minor: difference(sum([target, unclosed])?, year)?,
        net_minor: year,
    })
}

/// An account in a statement with the accounts under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its own amount, zero for one that only groups others.
    pub own_minor: i64,
    /// The accounts under it that have amounts, in code order.
    pub under: Vec<Branch>,
}

/// Accounts with amounts as they nest in the chart; accounts without any, all the way down, are left out.
///
/// An account whose parent is not among them, or is of another type, stands at the root.
pub fn nest(chart: &[Account], figures: &[(&Account, i64)]) -> Vec<Branch> {
    let amounts: BTreeMap<i64, i64> = figures.iter().map(|(a, minor)| (a.id, *minor)).collect();
    let kinds: BTreeMap<i64, AccountType> = chart.iter().map(|a| (a.id, a.kind)).collect();
    let mut under: BTreeMap<Option<i64>, Vec<&Account>> = BTreeMap::new();
    for account in chart {
        let parent = account
            .parent_id
            .filter(|id| kinds.get(id) == Some(&account.kind));
        under.entry(parent).or_default().push(account);
    }
    branches(None, &under, &amounts)
}

fn branches(
    parent: Option<i64>,
    under: &BTreeMap<Option<i64>, Vec<&Account>>,
    amounts: &BTreeMap<i64, i64>,
) -> Vec<Branch> {
    let accounts = under.get(&parent).map_or(&[][..], Vec::as_slice);
    accounts
        .iter()
        .map(|account| Branch {
            code: account.code.clone(),
            name: account.name.clone(),
            own_minor: amounts.get(&account.id).copied().unwrap_or(0),
            under: branches(Some(account.id), under, amounts),
        })
        .filter(|branch| branch.own_minor != 0 || !branch.under.is_empty())
        .collect()
}

/// How deep an account stands in the chart: 0 at the root.
pub fn depth(account: &Account, chart: &BTreeMap<i64, &Account>) -> u8 {
    let mut depth = 0;
    let mut parent = account.parent_id;
    // The chart is no circle; the bound holds even where a damaged one is.
    while let Some(above) = parent.and_then(|id| chart.get(&id))
        && depth < u8::MAX
    {
        depth += 1;
        parent = above.parent_id;
    }
    depth
}

/// A part of the profit and loss statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// What the business lives from, refunds against it.
    Revenue,
    /// What the things that were sold cost.
    CostOfGoods,
    /// What it costs to run, and what a disposal of its property brought or lost.
    Operating,
    /// Interest, dividends, exchange and other income beside the business.
    OtherIncome,
    /// Interest and income taxes.
    OtherExpense,
}

/// Where an account stands in the profit and loss statement, by its tax category; without one revenue is revenue and an
/// expense is an operating one.
///
/// Source: spec/domain.md §13.1; a gain or loss on disposal stands inside the operating subtotal (ASC 360-10-45-5).
pub fn part(account: &Account) -> Part {
    let category = account.tax_category.as_deref().unwrap_or_default();
    match (account.kind, category) {
        (AccountType::Revenue, "gain_loss_business_property") => Part::Operating,
        (
            AccountType::Revenue,
            "interest_income" | "dividend_income" | "capital_gain_loss" | "tax_exempt_income"
            | "other_income",
        ) => Part::OtherIncome,
        (AccountType::Revenue, _) => Part::Revenue,
        (_, "cost_of_goods_sold" | "cogs_labor" | "cogs_materials" | "cogs_other") => {
            Part::CostOfGoods
        }
        (_, "interest_other" | "interest_mortgage" | "state_income_tax" | "federal_income_tax") => {
            Part::OtherExpense
        }
        _ => Part::Operating,
    }
}

/// What the equity section is called.
///
/// Source: spec/domain.md §13.2. A partnership that calls itself an LLC, in its classification or its name, has
/// members.
pub fn equity_heading(settings: &Settings) -> &'static str {
    let is_llc = |text: &Option<String>| text.as_deref().is_some_and(chart::is_llc);
    match settings.tax_form {
        Some(TaxForm::ScheduleC) => "Owner's equity",
        Some(TaxForm::Form1065)
            if is_llc(&settings.tax_classification) || is_llc(&settings.company) =>
        {
            "Members' equity"
        }
        Some(TaxForm::Form1065) => "Partners' capital",
        Some(TaxForm::Form1120S | TaxForm::Form1120) => "Shareholders' equity",
        None => "Equity",
    }
}

/// The note that cash-basis books deserve when receivables or payables are open: the label is then not true.
pub fn basis_note(settings: &Settings, open_minor: [i64; 2]) -> Option<String> {
    let open = open_minor.iter().any(|minor| *minor != 0);
    (settings.accounting_basis == AccountingBasis::Cash && open).then(|| {
        "The books are labelled cash basis, but receivables or payables are open: the amounts are not on the cash basis."
            .to_owned()
    })
}

/// The days of a report: `start` by default the first posted entry's day or `end` if that is earlier, `end` by default today.
///
/// Refuses: a start after the end.
pub fn days(
    (start, end): (Option<Date>, Option<Date>),
    first_posted: Option<Date>,
    today: Date,
) -> Result<(Date, Date), Refusal> {
    let end = end.unwrap_or(today);
    let start = start.unwrap_or_else(|| first_posted.unwrap_or(end).min(end));
    if start <= end {
        return Ok((start, end));
    }
    Err(Refusal::new(
        "invalid_arguments",
        format!("the first day {start} is after the last day {end}"),
    )
    .with("field", "start")
    .with("start", start.to_string())
    .with("end", end.to_string()))
}

#[cfg(test)]
mod tests;
