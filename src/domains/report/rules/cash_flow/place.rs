//! What an account is to the cash flow statement: the section of its lines, and what may move them.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    domains::chart::{self, Account, Part},
    model::{AccountType, Refusal, fold_for_search},
};

/// Where an account's lines stand before anything is moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// What the statement reconciles to.
    Cash,
    /// Revenue and expenses: in net income.
    Earnings,
    /// Assets of the operating cycle, and accumulated depreciation.
    Current,
    /// Liabilities of the operating cycle.
    Payable,
    /// Fixed assets' cost, loans made, investments bought.
    Investing,
    /// Loans taken, what owners advanced, equity.
    Financing,
    /// Retained earnings, whose section the entry tells.
    Retained,
}

/// What an account is besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Nothing.
    None,
    /// Takes what was written off of fixed assets.
    Accumulated,
    /// Takes what disposals of property gained or lost.
    Gain,
    /// Interest expense.
    Interest,
    /// Income taxes.
    IncomeTax,
}

/// An account's place in the statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// Its code.
    pub code: &'a str,
    /// Its section.
    pub section: Section,
    /// What may move its lines.
    pub mark: Mark,
}

/// The accounts that the settings or a call name for the statement, by id.
#[derive(Clone, Default, Debug)]
pub struct Named {
    /// What the statement reconciles to.
    pub cash: BTreeSet<i64>,
    /// Loans taken and owners' advances.
    pub financing: BTreeSet<i64>,
    /// Loans made, investments bought, what is owed for equipment.
    pub investing: BTreeSet<i64>,
    /// The account of retained earnings.
    pub retained: Option<i64>,
    /// The account that fixed assets stand under.
    pub fixed_assets: Option<i64>,
}

/// Every account's place.
pub struct Places<'a> {
    places: BTreeMap<i64, Place<'a>>,
}

impl<'a> Places<'a> {
    /// The places of a chart's accounts.
    pub fn of_chart(chart: &'a [Account], named: &Named) -> Places<'a> {
        let by_id: BTreeMap<i64, &Account> = chart.iter().map(|a| (a.id, a)).collect();
        let fixed = |account: &Account| {
            named
                .fixed_assets
                .is_some_and(|root| super::super::above(account, &by_id).any(|id| id == root))
        };
        let place = |account: &'a Account| Place {
            code: &account.code,
            section: section(account, named, fixed(account)),
            mark: mark(account),
        };
        Places {
            places: chart.iter().map(|a| (a.id, place(a))).collect(),
        }
    }

    /// An account's place. Every account that has lines is in the chart.
    pub fn of(&self, account: i64) -> Place<'a> {
        self.places.get(&account).copied().unwrap_or(Place {
            code: "",
            section: Section::Current,
            mark: Mark::None,
        })
    }

    /// The accounts whose entries must be looked at one by one: all others' sums say enough.
    pub fn watched(&self) -> Vec<i64> {
        let apart = |place: &Place<'_>| {
            let moves = matches!(
                place.section,
                Section::Investing | Section::Financing | Section::Retained
            );
            moves || matches!(place.mark, Mark::Interest | Mark::IncomeTax)
        };
        let watched = self.places.iter().filter(|(_, place)| apart(place));
        watched.map(|(id, _)| *id).collect()
    }

    /// Accounts in the order of their codes.
    pub fn by_code(&self, accounts: impl IntoIterator<Item = i64>) -> Vec<i64> {
        let mut accounts: Vec<i64> = accounts.into_iter().collect();
        accounts.sort_by_key(|account| self.of(*account).code);
        accounts
    }
}

fn section(account: &Account, named: &Named, fixed: bool) -> Section {
    if named.cash.contains(&account.id) {
        return Section::Cash;
    }
    if named.financing.contains(&account.id) {
        return Section::Financing;
    }
    if named.investing.contains(&account.id) {
        return Section::Investing;
    }
    match account.kind {
        AccountType::Revenue | AccountType::Expense => Section::Earnings,
        AccountType::Equity if named.retained == Some(account.id) => Section::Retained,
        AccountType::Equity => Section::Financing,
        // What was declared and not paid yet is owed to owners, whether the settings name the account or not (45-15).
        AccountType::Liability if owed_to_owners(&account.name) => Section::Financing,
        AccountType::Liability => Section::Payable,
        AccountType::Asset if fixed && !accumulates(&account.name) => Section::Investing,
        AccountType::Asset => Section::Current,
    }
}

fn mark(account: &Account) -> Mark {
    if account.kind == AccountType::Asset && accumulates(&account.name) {
        return Mark::Accumulated;
    }
    let Some(category) = account.tax_category.as_deref().and_then(chart::category) else {
        return Mark::None;
    };
    match (category.part, category.key) {
        (Part::Disposal, _) | (_, "capital_gain_loss") => Mark::Gain,
        (Part::OtherExpense, _) => Mark::Interest,
        (Part::IncomeTax, _) => Mark::IncomeTax,
        _ => Mark::None,
    }
}

/// Whether an asset's name says that it takes what was written off of others.
fn accumulates(name: &str) -> bool {
    fold_for_search(name).contains("accumulated")
}

fn owed_to_owners(name: &str) -> bool {
    let name = fold_for_search(name);
    name.contains("payable") && (name.contains("distribution") || name.contains("dividend"))
}

/// The accounts that stand in two roles, or why the roles will not do.
///
/// Refuses: no cash account at all, and an account in two roles, because it would be counted twice.
pub fn check(named: &Named, code: impl Fn(i64) -> String) -> Result<(), Vec<Refusal>> {
    let roles = [
        ("cash_accounts", &named.cash),
        ("financing_accounts", &named.financing),
        ("investing_accounts", &named.investing),
    ];
    let mut refusals = Vec::new();
    for (i, (name, accounts)) in roles.iter().enumerate() {
        for (other, others) in &roles[i + 1..] {
            for account in accounts.intersection(others) {
                let code = code(*account);
                let message = format!(
                    "account {code} is in both {name} and {other}, and would be counted twice"
                );
                refusals.push(
                    Refusal::new("account_in_two_roles", message)
                        .with("account", code)
                        .with("roles", vec![*name, *other])
                        .hint("name it in one of them only"),
                );
            }
        }
    }
    if refusals.is_empty() {
        Ok(())
    } else {
        Err(refusals)
    }
}
