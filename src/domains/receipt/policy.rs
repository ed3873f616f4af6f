//! The receipt policy in force: where it is stated, what it asks, and how it agrees with the chart.

use schemars::JsonSchema;
use serde::Serialize;

use super::config;
pub use super::config::{EXEMPT, REQUIRED};
use crate::{
    domains::{chart, company::Settings},
    engine::{No, Reader, Result},
    model::{Currency, Money, quoted},
    wire_enum,
};

/// The amount above which a receipt is needed where nothing is stated, in hundredths of the base currency: 25.00.
///
/// A stricter house rule than the law's 75.00 (Reg. §1.274-5(c)(2)(iii)).
const DEFAULT_HUNDREDTHS: i64 = 25_00;

/// The list of accounts among which moving money needs no receipt.
pub const CASH: &str = "cash_accounts";

wire_enum! {
    /// Where the receipt policy is stated.
    pub enum PolicySource {
        /// In `data/config.json`
        Config = "config.json",
        /// As `[books] receipt_threshold` in `wanderbooks.toml`
        Settings = "wanderbooks.toml",
        /// Nowhere
        Default = "default",
    }
}

/// The receipt policy in force.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ReceiptRule {
    /// Where it is stated
    pub source: PolicySource,
    /// Strictly more needs a receipt
    pub require_receipts_above: Money,
    /// The amount is the default
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub default_amount: bool,
    /// Any debit on these needs one
    pub receipt_required_accounts: Vec<String>,
    /// Debits on these do not count
    pub receipt_exempt_accounts: Vec<String>,
}

impl ReceiptRule {
    /// The policy that a policy file's statement, the settings and the default come to, in this order.
    ///
    /// A policy file that states a policy states all of it: what it leaves out has its default.
    fn of(stated: Option<config::Stated>, threshold: Option<Money>) -> ReceiptRule {
        let default = Money::from_minor(DEFAULT_HUNDREDTHS, 2);
        match (stated, threshold) {
            (Some(stated), _) => ReceiptRule {
                source: PolicySource::Config,
                require_receipts_above: stated.above.unwrap_or(default),
                default_amount: stated.above.is_none(),
                receipt_required_accounts: stated.required,
                receipt_exempt_accounts: stated.exempt,
            },
            (None, threshold) => ReceiptRule {
                source: threshold.map_or(PolicySource::Default, |_| PolicySource::Settings),
                require_receipts_above: threshold.unwrap_or(default),
                default_amount: threshold.is_none(),
                receipt_required_accounts: Vec::new(),
                receipt_exempt_accounts: Vec::new(),
            },
        }
    }

    /// The same, with the decimals of the currency where they are enough.
    fn with_decimals(mut self, currency: Currency) -> ReceiptRule {
        if let Some(minor) = self.require_receipts_above.to_minor(currency.exponent()) {
            self.require_receipts_above = currency.money(minor);
        }
        self
    }

    /// Whether an amount is strictly greater than the threshold.
    ///
    /// Units: minor units of `currency`. Exact, whatever decimals the threshold has.
    pub fn exceeded(&self, amount_minor: i128, currency: Currency) -> bool {
        // What sums to more than can be kept is greater than any threshold.
        i64::try_from(amount_minor).map_or(true, |minor| {
            currency.money(minor) > self.require_receipts_above
        })
    }

    /// Where the amount is stated.
    pub fn amount_source(&self) -> PolicySource {
        match self.default_amount {
            true => PolicySource::Default,
            false => self.source,
        }
    }

    /// The policy in words, as refusals state it.
    pub fn words(&self) -> String {
        format!("strictly greater than {}", self.require_receipts_above)
    }

    /// Whether any debit on an account needs a receipt.
    pub fn requires(&self, code: &str) -> bool {
        self.receipt_required_accounts.iter().any(|c| c == code)
    }

    /// Whether debits on an account do not count.
    pub fn exempts(&self, code: &str) -> bool {
        self.receipt_exempt_accounts.iter().any(|c| c == code)
    }
}

/// The receipt policy in force for these books.
pub fn receipt_rule(books: &Reader<'_>) -> Result<ReceiptRule> {
    in_force(books).map(|(rule, _)| rule)
}

/// The policy in force, with the settings that it was read beside.
pub fn in_force(books: &Reader<'_>) -> Result<(ReceiptRule, Settings)> {
    let settings = Settings::of(books)?;
    // The text was checked when it came into force.
    let stated = match &books.settings().config {
        Some(text) => config::read(text).map_err(No::Refused)?,
        None => None,
    };
    let rule = ReceiptRule::of(stated, settings.receipt_threshold).with_decimals(books.currency());
    Ok((rule, settings))
}

/// The policy that the texts of the settings file and the policy file come to, with the cash accounts; `None` where one of them
/// cannot be read.
pub fn of_texts(
    (settings, config): (Option<&str>, Option<&str>),
    currency: Currency,
) -> Option<(ReceiptRule, Vec<String>)> {
    let settings = Settings::parse(settings.unwrap_or_default()).ok()?;
    let stated = config.map(config::read).transpose().ok()?.flatten();
    let rule = ReceiptRule::of(stated, settings.receipt_threshold).with_decimals(currency);
    Some((rule, settings.cash_accounts))
}

/// The file that holds a list of the policy, and the list's name in it.
pub fn place_of(list: &'static str) -> (&'static str, &'static str) {
    match list {
        CASH => ("wanderbooks.toml", "[books] cash_accounts"),
        list => ("config.json", list),
    }
}

/// What a person should change in the policy: accounts that are not in the chart, and what is stated to no effect.
pub fn receipt_rule_problems(books: &Reader<'_>) -> Result<Vec<String>> {
    let (rule, settings) = in_force(books)?;
    let mut problems = Vec::new();
    let lists = [
        (REQUIRED, &rule.receipt_required_accounts),
        (EXEMPT, &rule.receipt_exempt_accounts),
    ];
    for (name, codes) in lists {
        for code in codes {
            let fault = match chart::by_code(&books.view(), code)? {
                None => "which is not in the chart: correct the code or take it out",
                Some(account) if account.groups() => {
                    "which only groups other accounts: nothing is posted to it, so this does nothing; name the accounts under it"
                }
                Some(_) => continue,
            };
            problems.push(format!(
                "{name} in config.json names account {}, {fault}",
                quoted(code)
            ));
        }
    }
    for code in &rule.receipt_exempt_accounts {
        if rule.requires(code) {
            problems.push(format!(
                "account {} is in both lists of the receipt policy; required beats exempt: take it out of one",
                quoted(code)
            ));
        }
    }
    if rule.source == PolicySource::Config && settings.receipt_threshold.is_some() {
        problems.push(
            "[books] receipt_threshold in wanderbooks.toml is not used, because config.json states a receipt policy: \
             take it out of one"
                .to_owned(),
        );
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str) -> Money {
        text.parse().expect("an amount")
    }

    /// The policy file beats the settings, which beat the default of 25.00; a policy file that says no amount means the default.
    #[test]
    fn precedence() {
        let rule = |stated: Option<&str>, toml: Option<&str>| {
            let stated = stated.map(|above| config::Stated {
                above: above.parse().ok(),
                ..config::Stated::default()
            });
            let rule = ReceiptRule::of(stated, toml.map(money));
            (rule.source, rule.require_receipts_above.to_string())
        };
        let by = |stated: config::Stated| ReceiptRule::of(Some(stated), None).amount_source();
        let above = config::Stated {
            above: Some(money("10.00")),
            ..config::Stated::default()
        };
        assert_eq!(by(above), PolicySource::Config);
        // Lists alone state no amount.
        assert_eq!(by(config::Stated::default()), PolicySource::Default);
        let said = |source, amount: &str| (source, amount.to_owned());
        assert_eq!(rule(None, None), said(PolicySource::Default, "25.00"));
        assert_eq!(rule(None, Some("75")), said(PolicySource::Settings, "75"));
        assert_eq!(
            rule(Some("10.00"), Some("75")),
            said(PolicySource::Config, "10.00")
        );
        assert_eq!(
            rule(Some(""), Some("75")),
            said(PolicySource::Config, "25.00")
        );
    }

    /// Strictly greater, exactly, in currencies of none, two and three decimals.
    #[test]
    fn strictly_greater() {
        let exceeded = |above: &str, minor: i128, code: &str| {
            let rule = ReceiptRule::of(None, Some(money(above)));
            rule.exceeded(minor, Currency::from_code(code).expect("a currency"))
        };
        assert!(!exceeded("25.00", 2_500, "USD"));
        assert!(exceeded("25.00", 2_501, "USD"));
        assert!(!exceeded("25.00", 25, "JPY"));
        assert!(exceeded("25.00", 26, "JPY"));
        assert!(exceeded("25.50", 26, "JPY"));
        assert!(!exceeded("25.005", 2_500, "USD"));
        assert!(exceeded("25.005", 2_501, "USD"));
        assert!(!exceeded("25", 25_000, "KWD"));
        assert!(exceeded("25", 25_001, "KWD"));
        assert!(!exceeded("0", 0, "USD"));
        assert!(exceeded("0", 1, "USD"));
    }
}
