//! Where an account can land on the income tax return: stable keys, never form lines, which move every year.
//!
//! What an entry's amount becomes is the tax summary's; what the law does to the whole return is the CPA's.

mod categories;

use crate::{
    domains::company::TaxForm,
    model::{AccountType, Date, Refusal, quoted},
    wire_enum,
};
use categories::CATEGORIES;

wire_enum! {
    /// Which accounts a tax category is for.
    pub enum TaxKind {
        /// Accounts of type revenue
        Revenue = "revenue",
        /// Accounts of type expense
        Expense = "expense",
    }
}

wire_enum! {
    /// A part of the profit and loss statement, in its order.
    pub enum Part {
        /// What the business lives from, refunds against it
        Revenue = "revenue",
        /// What the things that were sold cost
        CostOfGoods = "cost_of_goods",
        /// What it costs to run
        Operating = "operating",
        /// What disposals of property brought or lost; inside operating income
        Disposal = "disposal",
        /// Interest, dividends, exchange and other income beside the business
        OtherIncome = "other_income",
        /// Interest
        OtherExpense = "other_expense",
        /// Income taxes
        IncomeTax = "income_tax",
    }
}

/// The part of a book amount that the business return takes by default, in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Percent {
    /// The same on every return.
    Flat(u8),
    /// On Schedule C, Form 1065, Form 1120-S and Form 1120, in this order.
    ByReturn([u8; 4]),
    /// `before` on days up to and including the number `through` (`YYYYMMDD`), `after` later.
    ByDate { before: u8, through: i64, after: u8 },
}

/// A tax category.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaxCategory {
    /// The stable key.
    pub key: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// Which accounts it is for.
    pub kind: TaxKind,
    /// Where they stand in the profit and loss statement.
    pub part: Part,
    /// The returns it is offered for.
    pub returns: &'static [TaxForm],
    /// What to know; empty where there is nothing.
    pub note: &'static str,
    /// The section of law that the percent comes from; empty where none limits it.
    pub statute: &'static str,
    percent: Percent,
}

impl TaxCategory {
    /// Whether the category is offered for a return; every category is where the return is not known.
    pub fn is_offered_for(&self, form: Option<TaxForm>) -> bool {
        form.is_none_or(|form| self.returns.contains(&form))
    }

    /// The part of an amount dated `on` that is taxable (revenue) or deductible (expense) on the return, in whole percent.
    ///
    /// Where the return is not known, the least of what the returns allow: a deduction too small is corrected, one too large
    /// is a penalty.
    pub fn percent(&self, form: Option<TaxForm>, on: Date) -> u8 {
        match self.percent {
            Percent::Flat(percent) => percent,
            Percent::ByDate {
                before,
                through,
                after,
            } => {
                if on.number() <= through {
                    before
                } else {
                    after
                }
            }
            Percent::ByReturn([c, p, s, k]) => match form {
                Some(TaxForm::ScheduleC) => c,
                Some(TaxForm::Form1065) => p,
                Some(TaxForm::Form1120S) => s,
                Some(TaxForm::Form1120) => k,
                None => c.min(p).min(s).min(k),
            },
        }
    }
}

/// The category of a key.
pub fn category(key: &str) -> Option<&'static TaxCategory> {
    CATEGORIES.iter().find(|category| category.key == key)
}

/// The category of `key` for an account of `account_type`.
///
/// Refuses: keys that do not exist, and keys for the other type of account; balance sheet accounts have none.
pub fn check_category(
    key: &str,
    account_type: AccountType,
) -> Result<&'static TaxCategory, Refusal> {
    let Some(found) = category(key) else {
        return Err(Refusal::new(
            "unknown_tax_category",
            format!("{} is not a tax category", quoted(key)),
        )
        .with("tax_category", key)
        .hint("the keys and what they are for stand in the chapter: `wb help chart`"));
    };
    if found.kind.word() == account_type.word() {
        return Ok(found);
    }
    Err(Refusal::new(
        "tax_category_of_other_type",
        format!(
            "tax category {} is for accounts of type {}; this account's type is {account_type}",
            found.key, found.kind
        ),
    )
    .with("tax_category", found.key)
    .with("kind", found.kind.word())
    .with("account_type", account_type.word())
    .hint("the keys and what they are for stand in the chapter: `wb help chart`"))
}

#[cfg(test)]
mod tests;
