//! How the parts of a cash flow statement are called, and its lines as answers show them.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::cash_flow::{Adjustment, Flow, Flows, Named, Noncash, Way};
use crate::{
    domains::chart::Account,
    model::{AccountType, Currency, Money},
};

/// A line of a section.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FlowLine {
    /// Account code
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What it is
    pub label: String,
    /// Negative: cash out
    pub amount: Money,
}

/// What took place without cash.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct NoncashLine {
    /// The debited account's code
    pub code: String,
    /// The credited account's code
    pub against: String,
    /// What it is
    pub label: String,
    /// The amount
    pub amount: Money,
}

/// How the parts of a statement are called.
pub struct Names<'a> {
    /// The chart.
    pub chart: &'a [Account],
    /// The accounts in their roles.
    pub named: &'a Named,
    /// The books' currency.
    pub currency: Currency,
}

impl Names<'_> {
    fn name(&self, id: i64) -> &str {
        account(self.chart, id).map_or("", |account| &account.name)
    }

    fn line(&self, id: Option<i64>, label: String, minor: i64) -> FlowLine {
        FlowLine {
            code: id.map(|id| code(self.chart, id).to_owned()),
            label,
            amount: self.currency.money(minor),
        }
    }

    /// What leads from net income to operating cash.
    pub fn adjustment(&self, (what, minor): (Adjustment, i64)) -> FlowLine {
        let (id, label) = match what {
            Adjustment::Change(id) => (Some(id), self.name(id).to_owned()),
            Adjustment::Depreciation(id) => {
                let name = self.name(id);
                let label = if name.to_lowercase().contains("amortization") {
                    "Amortization"
                } else {
                    "Depreciation"
                };
                (Some(id), label.to_owned())
            }
            Adjustment::WithoutCash(id) => {
                let label = format!("{}, without cash", self.name(id));
                (Some(id), label)
            }
            Adjustment::Disposals => (None, "Loss (gain) on disposal".to_owned()),
            Adjustment::Retained => (
                self.named.retained,
                "Adjustments to retained earnings".to_owned(),
            ),
        };
        self.line(id, label, minor)
    }

    /// A flow by the account's own nature: property is bought and sold, loans are taken and repaid, owners pay in and draw.
    pub fn flow(&self, flow: &Flow) -> FlowLine {
        let Flow {
            account: id,
            way,
            minor,
        } = *flow;
        let name = self.name(id);
        let Some(account) = account(self.chart, id) else {
            return self.line(None, String::new(), minor);
        };
        let named = self.named;
        let label = match (account.kind, way) {
            (AccountType::Asset, Way::In) if named.investing.contains(&id) => "collected",
            (AccountType::Asset, Way::Out) if named.investing.contains(&id) => "paid out",
            (AccountType::Asset, Way::In) => "sold",
            (AccountType::Asset, Way::Out) => "purchased",
            (AccountType::Liability, Way::In) => "borrowed",
            (AccountType::Liability, Way::Out) => "repaid",
            (_, Way::In) => "paid in",
            (_, Way::Out) => "paid out",
        };
        self.line(Some(id), format!("{name}, {label}"), minor)
    }

    /// What took place without cash.
    pub fn noncash(&self, one: &Noncash) -> NoncashLine {
        NoncashLine {
            code: code(self.chart, one.debit).to_owned(),
            against: code(self.chart, one.credit).to_owned(),
            label: format!("{}, by {}", self.name(one.debit), self.name(one.credit)),
            amount: self.currency.money(one.minor),
        }
    }

    /// What the way of booking makes wrong later, and which account mends it.
    pub fn warnings(&self, flows: &Flows) -> Vec<String> {
        let codes = |ids: &BTreeSet<i64>| {
            let codes: Vec<&str> = ids.iter().map(|id| code(self.chart, *id)).collect();
            codes.join(", ")
        };
        let mut notes = Vec::new();
        if !flows.sold_on.is_empty() {
            notes.push(format!(
                "Property was sold on account ({}): its collection will show as operating. Book such sales to an account of \
                 their own, such as \"Receivable from asset sales\", and name it as an investing account in the settings.",
                codes(&flows.sold_on)
            ));
        }
        if !flows.bought_on.is_empty() {
            notes.push(format!(
                "Property was bought on account ({}): its payment will show as operating. Book such purchases to an account of \
                 their own, such as \"Payable for equipment\", and name it as an investing account in the settings.",
                codes(&flows.bought_on)
            ));
        }
        notes
    }
}

/// An account's code.
fn code(chart: &[Account], id: i64) -> &str {
    account(chart, id).map_or("", |account| &account.code)
}

fn account(chart: &[Account], id: i64) -> Option<&Account> {
    chart.iter().find(|account| account.id == id)
}
