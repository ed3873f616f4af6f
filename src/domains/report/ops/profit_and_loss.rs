//! The profit and loss statement.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    rules::{self, Branch, PartTotals, Raws},
    sheets::{Amounts, statement},
    views::{self, AccountAmount, Facts, Prepared},
};
use crate::{
    domains::{
        chart::{Account, Part},
        class::{self, Class, ClassRef},
        company::AccountingBasis,
        entry,
    },
    engine::{Example, Operation, Page, Read, Reader, Result},
    model::{AccountType, Currency, Date, Money},
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
    /// Only its lines
    #[arg(long, value_name = "CLASS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassRef>,
}

/// An account in the statement.
#[derive(Serialize, JsonSchema, Debug)]
pub struct PartAmount {
    /// The account
    #[serde(flatten)]
    pub account: AccountAmount,
    /// Where it stands
    pub part: Part,
}

impl PartAmount {
    fn all(figures: &[(&Account, i64)], currency: Currency) -> Vec<PartAmount> {
        let amounts = views::amounts(figures, currency).into_iter();
        let parts = figures.iter().map(|(account, _)| rules::part(account));
        amounts
            .zip(parts)
            .map(|(account, part)| PartAmount { account, part })
            .collect()
    }
}

/// A profit and loss statement.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Earnings {
    /// First day
    pub start: Date,
    /// Last day
    pub end: Date,
    /// The class whose lines these are
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_id: Option<i64>,
    /// Its name
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Total revenue
    pub revenue: Money,
    /// Total expenses
    pub expenses: Money,
    /// Revenue less cost of goods, where there are any
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gross_profit: Option<Money>,
    /// Before what stands beside the business, if anything does
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operating_income: Option<Money>,
    /// Revenue less expenses; negative is a loss
    pub net_income: Money,
    /// Revenue accounts in code order
    pub revenue_accounts: Vec<PartAmount>,
    /// Expense accounts in code order
    pub expense_accounts: Vec<PartAmount>,
    /// What stands under it
    #[serde(flatten)]
    pub prepared: Prepared,
    #[serde(skip)]
    outline: Outline,
}

/// What the page needs besides: the accounts of each part as they nest, and the subtotals in minor units.
#[derive(Debug)]
struct Outline {
    parts: BTreeMap<Part, Vec<Branch>>,
    totals: PartTotals,
    subtotals: Subtotals,
    net_minor: i64,
}

/// The subtotals that the parts there are make meaningful, in minor units.
#[derive(Clone, Copy, Debug)]
struct Subtotals {
    gross: Option<i64>,
    operating: Option<i64>,
}

impl Outline {
    fn of(chart: &[Account], whole: &[(&Account, i64)], net_minor: i64) -> Result<Outline> {
        let totals = PartTotals::of(whole)?;
        let nested = |part: Part| {
            let of_part = whole.iter().filter(|f| rules::part(f.0) == part);
            let of_part: Vec<_> = of_part.copied().collect();
            (part, rules::nest_part(chart, &of_part, whole))
        };
        Ok(Outline {
            parts: Part::ALL.iter().copied().map(nested).collect(),
            subtotals: Subtotals {
                gross: totals.gross_profit()?,
                operating: totals.operating_income()?,
            },
            totals,
            net_minor,
        })
    }

    /// The rows, in the order of the parts. Without cost of goods there is no gross profit, without anything beside the
    /// business no operating income, without income taxes no income before them.
    fn table(&self) -> Result<Amounts> {
        let totals = &self.totals;
        let plain = !totals.has(Part::CostOfGoods) && !totals.beside();
        let mut table = Amounts::new();
        let mut terms = Vec::new();
        for part in Part::ALL.iter().copied() {
            let always = matches!(part, Part::Revenue | Part::Operating);
            if part == Part::IncomeTax && totals.has(part) {
                terms = subtotal(&mut table, "Income before income taxes", terms)?.1;
            }
            if always || totals.has(part) {
                terms.push(self.part(&mut table, part, names(part, plain))?);
            }
            let (text, minor) = match part {
                Part::CostOfGoods => ("Gross profit", self.subtotals.gross),
                Part::Disposal => ("Operating income (loss)", self.subtotals.operating),
                _ => continue,
            };
            if let Some(minor) = minor {
                let (row, next) = subtotal(&mut table, text, terms)?;
                table.must_be(row, text, minor)?;
                terms = next;
            }
        }
        let net = table.sum(RowKind::StatementTotal, "Net income (loss)", terms)?;
        table.must_be(net, "net income", self.net_minor)?;
        Ok(table)
    }

    /// One part under its heading, with its total, as a term of what follows.
    fn part(&self, table: &mut Amounts, part: Part, names: (&str, &str)) -> Result<Term> {
        table.heading(names.0);
        let branches = self.parts.get(&part).map_or(&[][..], Vec::as_slice);
        let rows = table.accounts(branches)?;
        let total = table.total(RowKind::Total, names.1, rows)?;
        table.blank();
        Ok(match part {
            Part::Revenue | Part::Disposal | Part::OtherIncome => Term::plus(total),
            Part::CostOfGoods | Part::Operating | Part::OtherExpense | Part::IncomeTax => {
                Term::minus(total)
            }
        })
    }
}

/// A part's heading and the name of its total; in a `plain` statement there are no expenses but those of operation.
fn names(part: Part, plain: bool) -> (&'static str, &'static str) {
    match part {
        Part::Revenue => ("Revenue", "Total revenue"),
        Part::CostOfGoods => ("Cost of goods sold", "Total cost of goods sold"),
        Part::Operating if plain => ("Expenses", "Total expenses"),
        Part::Operating => ("Operating expenses", "Total operating expenses"),
        Part::Disposal => ("Disposal of property", "Total gain (loss) on disposal"),
        Part::OtherIncome => ("Other income", "Total other income"),
        Part::OtherExpense => ("Other expenses", "Total other expenses"),
        Part::IncomeTax => ("Income taxes", "Total income taxes"),
    }
}

/// A sum of what stands above it, and the terms on which the next one builds.
fn subtotal(table: &mut Amounts, text: &str, terms: Vec<Term>) -> Result<(RowId, Vec<Term>)> {
    let row = table.sum(RowKind::Total, text, terms)?;
    table.blank();
    Ok((row, vec![Term::plus(row)]))
}

impl Operation for ProfitAndLoss {
    const VERB: &'static str = "report profit-and-loss";
    const TOOL: &'static str = "books.profit_and_loss";
    const RESOURCE: Option<&'static str> = Some("books://reports/profit-and-loss{?start,end}");
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
        let class = self
            .class
            .map(|class| class::resolve(&books.view(), &class));
        let class = class.transpose()?;
        let raws = moved(books, (start, end), class.as_ref())?;
        let chart = &facts.chart;
        let currency = books.currency();
        let revenue = rules::figures(chart, AccountType::Revenue, &raws);
        let expenses = rules::figures(chart, AccountType::Expense, &raws);
        let revenue_minor = rules::total(chart, AccountType::Revenue, &raws)?;
        let expenses_minor = rules::total(chart, AccountType::Expense, &raws)?;
        let net_minor = rules::difference(revenue_minor, expenses_minor)?;
        let mut notes = match facts.settings.accounting_basis {
            AccountingBasis::Cash => {
                facts.notes(books, &entry::balances_as_of(&books.view(), end)?)?
            }
            AccountingBasis::Accrual => Vec::new(),
        };
        let year = end.fiscal_year_start(facts.settings.fiscal_year_start);
        if self.start.is_none() && start < year {
            notes.push(format!(
                "From the first posted entry; the fiscal year to date starts on {year}."
            ));
        }
        let only = class.as_ref().map(|class| class.name.as_str());
        notes.extend(only.map(|name| format!("Only lines of the class {name}.")));
        let whole = [revenue.as_slice(), expenses.as_slice()].concat();
        let outline = Outline::of(chart, &whole, net_minor)?;
        let Subtotals { gross, operating } = outline.subtotals;
        Ok(Earnings {
            start,
            end,
            class_id: class.as_ref().map(|class| class.id),
            class: class.map(|class| class.name),
            revenue: currency.money(revenue_minor),
            expenses: currency.money(expenses_minor),
            gross_profit: gross.map(|minor| currency.money(minor)),
            operating_income: operating.map(|minor| currency.money(minor)),
            net_income: currency.money(net_minor),
            revenue_accounts: PartAmount::all(&revenue, currency),
            expense_accounts: PartAmount::all(&expenses, currency),
            prepared: facts.prepared(books, notes),
            outline,
        })
    }
}

/// What every account moved between two days, closing entries left out: by all lines, or by those of one class.
fn moved(books: &Reader<'_>, days: (Date, Date), class: Option<&Class>) -> Result<Raws> {
    let view = books.view();
    let Some(class) = class else {
        return entry::movements_between(&view, days.0, days.1);
    };
    let mut classes = entry::class_movements(&view, days, Some(class.id))?;
    Ok(classes.remove(&class.id).unwrap_or_default())
}
