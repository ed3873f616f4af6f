//! Shapes that the statements share, and the facts that all of them start from.

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::{self, Raws};
use crate::{
    domains::{
        chart::{self, Account, Role},
        company::{AccountingBasis, Settings},
        entry,
    },
    engine::{No, Reader, Result},
    model::{AccountType, Currency, Date, Money},
};

/// An account in a statement.
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct AccountAmount {
    /// Account id
    pub account_id: i64,
    /// Account code
    pub code: String,
    /// Account name
    pub name: String,
    /// Positive on the normal side, negative when contra
    pub amount: Money,
}

/// The accounts of one type as answers show them.
pub fn amounts(figures: &[(&Account, i64)], currency: Currency) -> Vec<AccountAmount> {
    let view = |(account, minor): &(&Account, i64)| AccountAmount {
        account_id: account.id,
        code: account.code.clone(),
        name: account.name.clone(),
        amount: currency.money(*minor),
    };
    figures.iter().map(view).collect()
}

/// What stands under every statement.
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct Prepared {
    /// The company's name
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    /// Accounting basis
    pub basis: AccountingBasis,
    /// Today
    pub prepared_on: Date,
    /// What to know about it
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What every statement starts from.
pub struct Facts {
    /// The settings in force.
    pub settings: Settings,
    /// The chart, in code order.
    pub chart: Vec<Account>,
}

impl Facts {
    /// The settings and the chart of this moment.
    pub fn of(books: &Reader<'_>) -> Result<Facts> {
        Ok(Facts {
            settings: Settings::of(books)?,
            chart: chart::all(&books.view())?,
        })
    }

    /// The account with this code and type.
    pub fn account(&self, code: &str, kind: AccountType) -> Option<&Account> {
        self.chart
            .iter()
            .find(|account| account.code == code && account.kind == kind)
    }

    /// What is odd about the owners' accounts that the settings name: by the form of business, and by the chart.
    pub fn owner_notes(&self) -> Vec<String> {
        let mut notes = self.settings.member_notes();
        notes.extend(chart::not_equity(&self.settings, &self.chart));
        notes
    }

    /// What a reader of a statement must know, given what every account stands at on its last day.
    pub fn notes(&self, books: &Reader<'_>, raws: &Raws) -> Result<Vec<String>> {
        if self.settings.accounting_basis == AccountingBasis::Accrual {
            return Ok(Vec::new());
        }
        let mut open = false;
        for role in [Role::Receivable, Role::Payable] {
            let account = chart::account_of(&books.view(), role)?;
            open |= account.is_some_and(|a| rules::is_open(a.id, &self.chart, raws));
        }
        Ok(rules::basis_note(&self.settings, open)
            .into_iter()
            .collect())
    }
}

impl Facts {
    /// What stands under a statement of today with these notes.
    pub fn prepared(&self, books: &Reader<'_>, notes: Vec<String>) -> Prepared {
        Prepared {
            company: self.settings.company.clone(),
            basis: self.settings.accounting_basis,
            prepared_on: books.today(),
            notes,
        }
    }
}

/// The days that a report covers, with today and the first posted entry's day for what is not said.
pub fn days(books: &Reader<'_>, asked: (Option<Date>, Option<Date>)) -> Result<(Date, Date)> {
    let first = entry::first_posted(&books.view())?;
    rules::days(asked, first, books.today()).map_err(No::Usage)
}
