//! The profit and loss statement.

use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    rules::{self, Branch, Part},
    sheets::{Amounts, statement},
    views::{self, AccountAmount, Facts, Prepared},
};
use crate::{
    domains::{chart::Account, company::AccountingBasis, entry},
    engine::{Example, Operation, Page, Read, Reader, Result},
    model::{AccountType, Date, Money},
    present::{Period, RowId, RowKind, Sheet, Term},
};

/// Show the profit and loss statement
///
/// From one day through another. Closing entries are left out, so a closed period still shows what it earned.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ProfitAndLoss {
    /// Default: the first posted entry's
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Date>,
    /// Default: today
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
    /// What stands under it
    #[serde(flatten)]
    pub prepared: Prepared,
    #[serde(skip)]
    outline: Outline,
}

/// What the page needs besides: the accounts of each part as they nest, and the net in minor units.
#[derive(Debug)]
struct Outline {
    parts: BTreeMap<Part, Section>,
    net_minor: i64,
}

/// The accounts of a part, those of revenue and those of expense, which count against them.
#[derive(Debug, Default)]
struct Section {
    revenue: Vec<Branch>,
    expense: Vec<Branch>,
}

impl Outline {
    fn of(chart: &[Account], figures: [&[(&Account, i64)]; 2], net_minor: i64) -> Outline {
        let mut parts: BTreeMap<Part, Section> = BTreeMap::new();
        let all = figures.iter().flat_map(|list| list.iter());
        let present: BTreeSet<Part> = all.map(|(account, _)| rules::part(account)).collect();
        for part in present {
            let nested = |list: &[(&Account, i64)]| {
                let of_part = list.iter().filter(|f| rules::part(f.0) == part);
                rules::nest(chart, &of_part.copied().collect::<Vec<_>>())
            };
            let section = Section {
                revenue: nested(figures[0]),
                expense: nested(figures[1]),
            };
            parts.insert(part, section);
        }
        Outline { parts, net_minor }
    }

    /// The rows, with the subtotals that the parts there are make meaningful: without cost of goods there is no gross
    /// profit, without anything beside the business no operating income.
    fn table(&self) -> Result<Amounts> {
        let has = |part| self.parts.contains_key(&part);
        let beside = has(Part::OtherIncome) || has(Part::OtherExpense);
        let plain = !has(Part::CostOfGoods) && !beside;
        let mut table = Amounts::new();
        let income = self.part(&mut table, Part::Revenue, ("Revenue", "Total revenue"))?;
        let mut terms = vec![Term::plus(income)];
        if has(Part::CostOfGoods) {
            let names = ("Cost of goods sold", "Total cost of goods sold");
            let cost = self.part(&mut table, Part::CostOfGoods, names)?;
            terms.push(Term::minus(cost));
            terms = subtotal(&mut table, "Gross profit", terms)?;
        }
        terms.extend(self.disposals(&mut table)?);
        let names = match plain {
            true => ("Expenses", "Total expenses"),
            false => ("Operating expenses", "Total operating expenses"),
        };
        let expenses = self.part(&mut table, Part::Operating, names)?;
        terms.push(Term::minus(expenses));
        if beside {
            terms = subtotal(&mut table, "Operating income (loss)", terms)?;
        }
        if has(Part::OtherIncome) {
            let names = ("Other income", "Total other income");
            let other = self.part(&mut table, Part::OtherIncome, names)?;
            terms.push(Term::plus(other));
        }
        if has(Part::OtherExpense) {
            let names = ("Other expenses", "Total other expenses");
            let other = self.part(&mut table, Part::OtherExpense, names)?;
            terms.push(Term::minus(other));
        }
        let net = table.sum(RowKind::StatementTotal, "Net income (loss)", terms)?;
        table.must_be(net, "net income", self.net_minor)?;
        Ok(table)
    }

    /// One part under its heading, with its total.
    fn part(&self, table: &mut Amounts, part: Part, names: (&str, &str)) -> Result<RowId> {
        table.heading(names.0);
        let of_revenue = matches!(part, Part::Revenue | Part::OtherIncome);
        let branches = self.parts.get(&part).map(|section| match of_revenue {
            true => section.revenue.as_slice(),
            false => section.expense.as_slice(),
        });
        let rows = table.accounts(branches.unwrap_or_default())?;
        let total = table.total(RowKind::Total, names.1, rows)?;
        table.blank();
        Ok(total)
    }

    /// What disposals of property brought or lost, if there were any.
    fn disposals(&self, table: &mut Amounts) -> Result<Option<Term>> {
        let gains = self
            .parts
            .get(&Part::Operating)
            .map(|s| s.revenue.as_slice());
        let Some(gains) = gains.filter(|branches| !branches.is_empty()) else {
            return Ok(None);
        };
        table.heading("Disposal of property");
        let rows = table.accounts(gains)?;
        let total = table.total(RowKind::Total, "Total gain (loss) on disposal", rows)?;
        table.blank();
        Ok(Some(Term::plus(total)))
    }
}

/// A sum of what stands above it, on which the next one builds.
fn subtotal(table: &mut Amounts, text: &str, terms: Vec<Term>) -> Result<Vec<Term>> {
    let row = table.sum(RowKind::Total, text, terms)?;
    table.blank();
    Ok(vec![Term::plus(row)])
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
        let (start, end) = (output.start, output.end);
        let mut sheet = statement(
            ("profit_and_loss", "Profit and Loss"),
            Period::Range { start, end },
            &output.prepared,
            page,
        )?;
        output.outline.table()?.onto(&mut sheet);
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
        let mut notes = match facts.settings.accounting_basis {
            AccountingBasis::Cash => facts.notes(&entry::balances_as_of(&books.view(), end)?),
            AccountingBasis::Accrual => Vec::new(),
        };
        let year = end.fiscal_year_start(facts.settings.fiscal_year_start);
        if self.start.is_none() && start < year {
            notes.push(format!(
                "From the first posted entry; the fiscal year to date starts on {year}."
            ));
        }
        Ok(Earnings {
            start,
            end,
            revenue: currency.money(revenue_minor),
            expenses: currency.money(expenses_minor),
            net_income: currency.money(net_minor),
            revenue_accounts: views::amounts(&revenue, currency),
            expense_accounts: views::amounts(&expenses, currency),
            prepared: facts.prepared(books, notes),
            outline: Outline::of(chart, [&revenue, &expenses], net_minor),
        })
    }
}
