//! The arithmetic of statements: sums, how net income divides from retained earnings, how accounts nest, what equity is
//! called, which days a report covers. Pure.

pub mod cash_flow;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    domains::{
        chart::{self, Account, Part},
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
    i64::try_from(total).map_err(|_| Refusal::too_large("a total of the statement"))
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

/// What of the `unclosed` income was earned before the fiscal year, given what stood `earlier` on its eve and what the `year`
/// earned; `None` where it is nothing.
///
/// A close within the year takes all history to its day with it, so that the two no longer sum to what is left.
pub fn unclosed_before(earlier: i64, unclosed: i64, year: i64) -> Option<i64> {
    let whole = i128::from(earlier) + i128::from(year) == i128::from(unclosed);
    Some(earlier).filter(|minor| *minor != 0 && whole)
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
    /// Whether some of the statement's accounts under it stand in another part, so that a total here would be no total of
    /// the group.
    pub partial: bool,
}

/// Accounts with amounts as they nest in the chart; accounts without any, all the way down, are left out.
///
/// An account whose parent is not among them, or is of another type, stands at the root; so does one whose parents lead back to
/// it in a damaged chart, or are more than [`LEVELS_MAX`], so that none is lost and nothing nests without end.
pub fn nest(chart: &[Account], figures: &[(&Account, i64)]) -> Vec<Branch> {
    nest_part(chart, figures, figures)
}

/// The accounts of `part`, some of the statement's `whole`, as [`nest`] nests them; groups that stand elsewhere as well are
/// marked partial.
pub fn nest_part(
    chart: &[Account],
    part: &[(&Account, i64)],
    whole: &[(&Account, i64)],
) -> Vec<Branch> {
    let amounts: BTreeMap<i64, i64> = part.iter().map(|(a, minor)| (a.id, *minor)).collect();
    let by_id: BTreeMap<i64, &Account> = chart.iter().map(|a| (a.id, a)).collect();
    let elsewhere = whole.iter().filter(|(a, _)| !amounts.contains_key(&a.id));
    let split: BTreeSet<i64> = elsewhere
        .flat_map(|(a, _)| std::iter::once(a.id).chain(above(a, &by_id)))
        .collect();
    let kinds: BTreeMap<i64, AccountType> = chart.iter().map(|a| (a.id, a.kind)).collect();
    let mut under: BTreeMap<Option<i64>, Vec<&Account>> = BTreeMap::new();
    for account in chart {
        let parent = account
            .parent_id
            .filter(|id| kinds.get(id) == Some(&account.kind))
            .filter(|_| above(account, &by_id).count() < LEVELS_MAX);
        under.entry(parent).or_default().push(account);
    }
    branches(None, &under, (&amounts, &split))
}

fn branches(
    parent: Option<i64>,
    under: &BTreeMap<Option<i64>, Vec<&Account>>,
    (amounts, split): (&BTreeMap<i64, i64>, &BTreeSet<i64>),
) -> Vec<Branch> {
    let accounts = under.get(&parent).map_or(&[][..], Vec::as_slice);
    accounts
        .iter()
        .map(|account| Branch {
            code: account.code.clone(),
            name: account.name.clone(),
            own_minor: amounts.get(&account.id).copied().unwrap_or(0),
            under: branches(Some(account.id), under, (amounts, split)),
            partial: split.contains(&account.id),
        })
        .filter(|branch| branch.own_minor != 0 || !branch.under.is_empty())
        .collect()
}

/// Whether an account, or one under it all the way down, does not stand at zero. Two that cancel are open all the same.
pub fn is_open(root: i64, chart: &[Account], raws: &Raws) -> bool {
    let by_id: BTreeMap<i64, &Account> = chart.iter().map(|a| (a.id, a)).collect();
    chart
        .iter()
        .filter(|account| raws.get(&account.id).is_some_and(|raw| *raw != 0))
        .any(|account| {
            std::iter::once(account.id)
                .chain(above(account, &by_id))
                .any(|id| id == root)
        })
}

/// The most accounts above one that are looked at.
const LEVELS_MAX: usize = u8::MAX as usize;

/// The accounts that an account stands under, the nearest first.
fn above<'a>(
    account: &Account,
    chart: &'a BTreeMap<i64, &'a Account>,
) -> impl Iterator<Item = i64> + use<'a> {
    let known = |id: Option<i64>| id.and_then(|id| chart.get(&id)).copied();
    // The chart is no circle; the bound holds even where a damaged one is.
    std::iter::successors(known(account.parent_id), move |a| known(a.parent_id))
        .take(LEVELS_MAX)
        .map(|account| account.id)
}

/// How deep an account stands in the chart: 0 at the root.
pub fn depth(account: &Account, chart: &BTreeMap<i64, &Account>) -> u8 {
    u8::try_from(above(account, chart).count()).unwrap_or(u8::MAX)
}

/// Where an account stands in the profit and loss statement: where its tax category says; without one revenue is revenue and
/// an expense is an operating one.
pub fn part(account: &Account) -> Part {
    let category = account.tax_category.as_deref().and_then(chart::category);
    match (category, account.kind) {
        (Some(category), _) => category.part,
        (None, AccountType::Revenue) => Part::Revenue,
        (None, _) => Part::Operating,
    }
}

/// What the parts of a profit and loss statement sum to, positive on the normal side of each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartTotals(BTreeMap<Part, i64>);

impl PartTotals {
    /// The totals of the parts that these accounts make.
    pub fn of(figures: &[(&Account, i64)]) -> Result<PartTotals, Refusal> {
        let mut parts: BTreeMap<Part, Vec<i64>> = BTreeMap::new();
        for (account, minor) in figures {
            parts.entry(part(account)).or_default().push(*minor);
        }
        let totals = parts.into_iter().map(|(part, all)| Ok((part, sum(all)?)));
        Ok(PartTotals(totals.collect::<Result<_, Refusal>>()?))
    }

    /// Whether any account stands in this part.
    pub fn has(&self, part: Part) -> bool {
        self.0.contains_key(&part)
    }

    /// Whether anything stands below operating income.
    pub fn beside(&self) -> bool {
        [Part::OtherIncome, Part::OtherExpense, Part::IncomeTax]
            .into_iter()
            .any(|part| self.has(part))
    }

    fn minor(&self, part: Part) -> i64 {
        self.0.get(&part).copied().unwrap_or(0)
    }

    /// Revenue less cost of goods; `None` where nothing stands in cost of goods.
    pub fn gross_profit(&self) -> Result<Option<i64>, Refusal> {
        let gross = difference(self.minor(Part::Revenue), self.minor(Part::CostOfGoods))?;
        Ok(Some(gross).filter(|_| self.has(Part::CostOfGoods)))
    }

    /// That less operating expenses, plus what disposals brought; `None` where nothing stands below it.
    ///
    /// Source: a gain or loss on disposal stands inside any operating subtotal (ASC 360-10-45-5).
    pub fn operating_income(&self) -> Result<Option<i64>, Refusal> {
        let plus = sum([self.minor(Part::Revenue), self.minor(Part::Disposal)])?;
        let minus = sum([self.minor(Part::CostOfGoods), self.minor(Part::Operating)])?;
        let income = difference(plus, minus)?;
        Ok(Some(income).filter(|_| self.beside()))
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
pub fn basis_note(settings: &Settings, open: bool) -> Option<String> {
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
