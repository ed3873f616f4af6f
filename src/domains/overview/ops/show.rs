//! The settings in force.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::sheet;
use crate::{
    domains::{
        company::{AccountingBasis, Settings, Share, TaxForm},
        receipt::{self, ReceiptRule},
    },
    engine::{Example, Operation, Page, Read, Reader, Result},
    present::Sheet,
};

/// Show the settings in force, and what is wrong with them
///
/// Only the human edits the file: ask them. An edit is in force at the next call. `problems` says what to change.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct SettingsShow {}

/// An owner.
#[derive(Serialize, JsonSchema, Debug)]
pub struct MemberView {
    /// Name
    pub name: String,
    /// Share of profit and loss
    pub share: Share,
    /// Code of the capital account
    pub capital_account: String,
    /// Code of the account that distributions are debited to
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution_account: Option<String>,
}

/// The settings in force.
#[derive(Serialize, JsonSchema, Debug)]
pub struct InForce {
    /// The settings file
    pub books_toml: String,
    /// Whether it is there
    pub books_toml_exists: bool,
    /// The policy file, if there is one
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_json: Option<String>,
    /// Why an edit is not in force
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reload_error: Option<String>,
    /// How often settings were taken since the books were opened
    pub loads: u32,
    /// The company's name
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    /// MM-01
    pub fiscal_year_start: String,
    /// The income tax return
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_form: Option<TaxForm>,
    /// Accounting basis
    pub basis: AccountingBasis,
    /// Which postings need a receipt
    pub receipt_rule: ReceiptRule,
    /// The owners
    pub members: Vec<MemberView>,
    /// Codes of cash
    pub cash_accounts: Vec<String>,
    /// Codes of loans
    pub financing_accounts: Vec<String>,
    /// Codes of loans made and investments
    pub investing_accounts: Vec<String>,
    /// Code of the account that a close fills
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close_into: Option<String>,
    /// Codes of the accounts that a close empties
    pub close_sweep: Vec<String>,
    /// What to change
    pub problems: Vec<String>,
}

impl Operation for SettingsShow {
    const VERB: &'static str = "settings show";
    const TOOL: &'static str = "books.settings";
    const EXAMPLES: &'static [Example] = &[Example::new("", "{}")];
    type Output = InForce;

    fn sheet(output: &InForce, page: &Page) -> Result<Option<Sheet>> {
        sheet::settings(output, page).map(Some)
    }
}

impl Read for SettingsShow {
    fn run(self, books: &Reader<'_>) -> Result<InForce> {
        let standing = books.settings_standing();
        let (books_toml_exists, config_exists) = standing.exist;
        let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let settings = Settings::of(books)?;
        let members = settings.members.into_iter().map(|member| MemberView {
            name: member.name,
            share: member.share,
            capital_account: member.capital_account,
            distribution_account: member.distribution_account,
        });
        Ok(InForce {
            books_toml: path(standing.settings),
            books_toml_exists,
            config_json: config_exists.then(|| path(standing.config)),
            reload_error: standing.fault.map(|why| why.message.clone()),
            loads: standing.loads,
            company: settings.company,
            fiscal_year_start: format!("{:02}-01", settings.fiscal_year_start.number()),
            tax_form: settings.tax_form,
            basis: settings.accounting_basis,
            receipt_rule: receipt::receipt_rule(books)?,
            members: members.collect(),
            cash_accounts: settings.cash_accounts,
            financing_accounts: settings.financing_accounts,
            investing_accounts: settings.investing_accounts,
            close_into: settings.close_into,
            close_sweep: settings.close_sweep,
            problems: books.settings_problems()?,
        })
    }
}
