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
            named.fixed_assets.is_some_and(|root| {
                account.id == root || super::super::above(account, &by_id).any(|id| id == root)
            })
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
    let name = fold_for_search(name);
    ["accumulated", "depreciation", "amortization"]
        .iter()
        .any(|word| name.contains(word))
}

/// Whether a liability is called what is owed to owners: dividends or distributions payable, and nothing more.
fn owed_to_owners(name: &str) -> bool {
    let name = fold_for_search(name);
    let owed = name.strip_suffix(" payable");
    owed.is_some_and(|what| {
        ["distribution", "distributions", "dividend", "dividends"].contains(&what)
    })
}

/// Whether accounts can play the roles that they are named for.
///
/// Refuses: an account that only groups others, one of a type that the role does not take, and one in two roles, because it
/// would be counted twice.
pub fn check(named: &Named, chart: &[Account]) -> Result<(), Vec<Refusal>> {
    type Role<'r> = (&'static str, &'r BTreeSet<i64>, &'static [AccountType]);
    let roles: [Role<'_>; 3] = [
        ("cash_accounts", &named.cash, &[AccountType::Asset]),
        (
            "financing_accounts",
            &named.financing,
            &[AccountType::Liability],
        ),
        (
            "investing_accounts",
            &named.investing,
            &[AccountType::Asset, AccountType::Liability],
        ),
    ];
    let mut refusals = Vec::new();
    for (i, (role, accounts, kinds)) in roles.iter().enumerate() {
        for account in chart
            .iter()
            .filter(|account| accounts.contains(&account.id))
        {
            refusals.extend(unsuited(account, role, kinds));
            for (other, others, _) in &roles[i + 1..] {
                if others.contains(&account.id) {
                    let message = format!(
                        "account {} is in both {role} and {other}, and would be counted twice",
                        account.code
                    );
                    refusals.push(
                        Refusal::new("account_in_two_roles", message)
                            .with("account", account.code.as_str())
                            .with("roles", vec![*role, *other])
                            .hint("name it in one of them only"),
                    );
                }
            }
        }
    }
    if refusals.is_empty() {
        Ok(())
    } else {
        Err(refusals)
    }
}

/// Why an account cannot play a role, by what it is.
fn unsuited(account: &Account, role: &str, kinds: &[AccountType]) -> Option<Refusal> {
    let why = if !kinds.contains(&account.kind) {
        format!("is of type {}", account.kind)
    } else if account.groups() {
        "only groups others; name the accounts under it".to_owned()
    } else {
        return None;
    };
    let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
    let message = format!(
        "account {} is named in {role}, which takes accounts of type {}; it {why}",
        account.code,
        words.join(" or ")
    );
    Some(
        Refusal::new("cash_flow_role_unsuited", message)
            .with("account", account.code.as_str())
            .with("role", role)
            .with("type", account.kind.word())
            .hint("name accounts that hold what the role is for"),
    )
}
