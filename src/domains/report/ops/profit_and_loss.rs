//! The profit and loss statement.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    rules::{self, Branch},
    sheets::{Amounts, statement},
    views::{self, AccountAmount, Facts},
};
use crate::{
    domains::{company::AccountingBasis, entry},
    engine::{Example, Operation, Page, Read, Reader, Result},
    model::{AccountType, Date, Money},
    present::{Period, RowKind, Sheet, Term},
};

/// Show the profit and loss statement
///
/// What was earned and spent from one day through another. Closing entries are left out, so a closed period still shows what
/// it earned.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ProfitAndLoss {
    /// First day, by default the first posted entry's
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Date>,
    /// Last day, by default today
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Date>,
}

/// A profit and loss statement.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Earnings {
    /// First day
    pub start: Date,
    /// Last day
    pub end: Date,
    /// Total revenue
    pub revenue: Money,
    /// Total expenses
    pub expenses: Money,
    /// Revenue less expenses; negative is a loss
    pub net_income: Money,
    /// Revenue accounts in code order
    pub revenue_accounts: Vec<AccountAmount>,
    /// Expense accounts in code order
    pub expense_accounts: Vec<AccountAmount>,
    /// Accounting basis
    pub basis: AccountingBasis,
    /// Today
    pub prepared_on: Date,
    /// What to know about it
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip)]
    outline: Outline,
}

/// What the page needs besides: the accounts as they nest, and the totals in minor units.
#[derive(Debug)]
struct Outline {
    revenue: (Vec<Branch>, i64),
    expenses: (Vec<Branch>, i64),
    net_minor: i64,
}

impl Operation for ProfitAndLoss {
    const VERB: &'static str = "report profit-and-loss";
    const TOOL: &'static str = "books.profit_and_loss";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "--start 2026-01-01 --end 2026-03-31",
        r#"{"start":"2026-01-01","end":"2026-03-31"}"#,
    )];
    type Output = Earnings;

    fn sheet(output: &Earnings, page: &Page) -> Result<Option<Sheet>> {
        let mut table = Amounts::new();
        let mut totals = Vec::new();
        let sections = [
            ("Revenue", "Total revenue", &output.outline.revenue),
            ("Expenses", "Total expenses", &output.outline.expenses),
        ];
        for (heading, total, (branches, minor)) in sections {
            table.heading(heading);
            let rows = table.accounts(branches)?;
            let row = table.total(RowKind::Total, total, rows)?;
            table.must_be(row, heading, *minor)?;
            table.blank();
            totals.push(row);
        }
        let terms = vec![Term::plus(totals[0]), Term::minus(totals[1])];
        let net = table.sum(RowKind::StatementTotal, "Net income (loss)", terms)?;
        table.must_be(net, "net income", output.outline.net_minor)?;
        let (start, end) = (output.start, output.end);
        let mut sheet = statement(
            ("profit_and_loss", "Profit and Loss"),
            Period::Range { start, end },
            (output.basis, output.prepared_on),
            page,
        )?;
        table.onto(&mut sheet);
        sheet.notes.clone_from(&output.notes);
        Ok(Some(sheet))
    }
}

impl Read for ProfitAndLoss {
    fn run(self, books: &Reader<'_>) -> Result<Earnings> {
        let facts = Facts::of(books)?;
        let (start, end) = views::days(books, (self.start, self.end))?;
        let raws = entry::movements_between(&books.view(), start, end)?;
        let chart = &facts.chart;
        let currency = books.currency();
        let revenue = rules::figures(chart, AccountType::Revenue, &raws);
        let expenses = rules::figures(chart, AccountType::Expense, &raws);
        let revenue_minor = rules::total(chart, AccountType::Revenue, &raws)?;
        let expenses_minor = rules::total(chart, AccountType::Expense, &raws)?;
        let net_minor = rules::difference(revenue_minor, expenses_minor)?;
        let notes = match facts.settings.accounting_basis {
            AccountingBasis::Cash => facts.notes(&entry::balances_as_of(&books.view(), end)?),
            AccountingBasis::Accrual => Vec::new(),
        };
        Ok(Earnings {
            start,
            end,
            revenue: currency.money(revenue_minor),
            expenses: currency.money(expenses_minor),
            net_income: currency.money(net_minor),
            revenue_accounts: views::amounts(&revenue, currency),
            expense_accounts: views::amounts(&expenses, currency),
            basis: facts.settings.accounting_basis,
            prepared_on: books.today(),
            notes,
            outline: Outline {
                revenue: (rules::nest(chart, &revenue), revenue_minor),
                expenses: (rules::nest(chart, &expenses), expenses_minor),
                net_minor,
            },
        })
    }
}
