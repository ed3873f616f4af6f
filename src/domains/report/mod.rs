//! The door of reports: the chart with balances, registers, and the statements. Reads only.

mod flows;
mod ops;
mod rules;
mod sheets;
mod views;

use crate::engine::{Domain, Hooks, OpDef};

/// The reports' place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "report",
    about: include_str!("about.md"),
    groups: &[(
        "report",
        "Statements: trial balance, balance sheet, profit and loss, cash flow",
    )],
    operations: &[
        OpDef::read::<ops::chart_list::ChartList>(),
        OpDef::read::<ops::register::AccountRegister>(),
        OpDef::read::<ops::trial_balance::TrialBalance>(),
        OpDef::read::<ops::balance_sheet::BalanceSheet>(),
        OpDef::read::<ops::profit_and_loss::ProfitAndLoss>(),
        OpDef::read::<ops::cash_flow::CashFlow>(),
        OpDef::read::<ops::by_class::ProfitAndLossByClass>(),
    ],
    events: &[],
    tables: &[],
    fold_version: 0,
    hooks: Hooks::NONE,
};
