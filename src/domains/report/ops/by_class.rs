//! The profit and loss statement by class: a row for each, and one for what has none.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    rules::{self, Raws},
    sheets::{agree, statement},
    views::{self, Facts, Prepared},
};
use crate::{
    domains::{
        class::{self, Class, ClassRef},
        entry,
    },
    engine::{Example, Operation, Page, Read, Reader, Result},
    model::{AccountType, Currency, Date, Money},
    present::{Cell, ColKind, Column, Period, RowKind, Sheet, TableBuilder, Term},
};

/// What the row of lines without a class is called.
const NONE: &str = "Unclassified";

/// Show the profit and loss by class
///
/// A row a class that moved, one for lines without a class; they sum to the profit and loss. With `class` only its row.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ProfitAndLossByClass {
    /// Default: the first posted entry's
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Date>,
    /// Default: today
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Date>,
    /// Name or id
    #[arg(long, value_name = "CLASS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassRef>,
}

/// What a class earned.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ClassEarnings {
    /// Class id; none for lines without a class
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_id: Option<i64>,
    /// Class name, or Unclassified
    pub class: String,
    /// Total revenue
    pub revenue: Money,
    /// Total expenses
    pub expenses: Money,
    /// Revenue less expenses; negative is a loss
    pub net_income: Money,
    #[serde(skip)]
    minor: Figures,
}

/// Revenue, expenses and net income in minor units.
type Figures = [i64; 3];

/// What all classes earned.
#[derive(Serialize, JsonSchema, Debug)]
pub struct EarningsByClass {
    /// First day
    pub start: Date,
    /// Last day
    pub end: Date,
    /// The classes by id, then what has none
    pub rows: Vec<ClassEarnings>,
    /// Revenue of the rows
    pub revenue: Money,
    /// Expenses of the rows
    pub expenses: Money,
    /// Net income of the rows
    pub net_income: Money,
    /// What stands under it
    #[serde(flatten)]
    pub prepared: Prepared,
    #[serde(skip)]
    total: Figures,
}

impl Operation for ProfitAndLossByClass {
    const VERB: &'static str = "report profit-and-loss-by-class";
    const TOOL: &'static str = "books.profit_and_loss_by_class";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "--start 2026-01-01 --end 2026-03-31",
        r#"{"start":"2026-01-01","end":"2026-03-31"}"#,
    )];
    type Output = EarningsByClass;

    fn sheet(output: &EarningsByClass, page: &Page) -> Result<Option<Sheet>> {
        let (start, end) = (output.start, output.end);
        let mut sheet = statement(
            ("profit_and_loss_by_class", "Profit and Loss by Class"),
            Period::Range { start, end },
            &output.prepared,
            page,
        )?;
        let columns = [
            ("revenue", "Revenue"),
            ("expenses", "Expenses"),
            ("net_income", "Net income"),
        ];
        let amounts = columns.map(|(key, title)| Column::new(key, title, ColKind::Money));
        let class = Column::new("class", "Class", ColKind::Label { weight: 4 });
        let mut table = TableBuilder::new(std::iter::once(class).chain(amounts).collect());
        let mut rows = Vec::new();
        for row in &output.rows {
            let amounts = row.minor.map(Cell::Money);
            let cells = std::iter::once(Cell::Text(row.class.clone())).chain(amounts);
            rows.push(table.line(0, cells.collect())?);
        }
        let total = table.sum(RowKind::StatementTotal, "Total", Term::plus_all(&rows))?;
        for ((key, title), minor) in columns.into_iter().zip(output.total) {
            agree(title, table.minor(total, key), minor)?;
        }
        sheet.tables.push(table.finish());
        Ok(Some(sheet))
    }
}

impl Read for ProfitAndLossByClass {
    fn run(self, books: &Reader<'_>) -> Result<EarningsByClass> {
        let facts = Facts::of(books)?;
        let (view, currency) = (books.view(), books.currency());
        let (start, end) = views::days(books, (self.start, self.end))?;
        let asked = self.class.map(|class| class::resolve(&view, &class));
        let asked = asked.transpose()?;
        let only = asked.as_ref().map(|class| class.id);
        let mut moved = entry::class_movements(&view, (start, end), only)?;
        let mut rows = Vec::new();
        let mut total = [0; 3];
        if let Some(class) = asked {
            let raws = moved.remove(&class.id).unwrap_or_default();
            total = figures(&facts, &raws)?;
            rows.push(row(Some(class), total, currency));
        } else {
            let all = entry::movements_between(&view, start, end)?;
            let rest = rest(&all, moved.values())?;
            let classes = class::all(&view)?.into_iter();
            for class in classes {
                let Some(raws) = moved.get(&class.id) else {
                    continue;
                };
                rows.push(row(Some(class), figures(&facts, raws)?, currency));
            }
            rows.push(row(None, figures(&facts, &rest)?, currency));
            for (at, sum) in total.iter_mut().enumerate() {
                *sum = rules::sum(rows.iter().map(|row| row.minor[at]))?;
            }
        }
        let [revenue, expenses, net_income] = total.map(|minor| currency.money(minor));
        Ok(EarningsByClass {
            start,
            end,
            rows,
            revenue,
            expenses,
            net_income,
            prepared: facts.prepared(books, Vec::new()),
            total,
        })
    }
}

/// What lines without a class moved: all of it, less what each class moved.
fn rest<'r>(all: &Raws, classes: impl Iterator<Item = &'r Raws>) -> Result<Raws> {
    let mut rest: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (account, minor) in all {
        rest.entry(*account).or_default().push(*minor);
    }
    for (account, minor) in classes.flatten() {
        let other = rules::difference(0, *minor)?;
        rest.entry(*account).or_default().push(other);
    }
    let sums = rest
        .into_iter()
        .map(|(account, parts)| Ok((account, rules::sum(parts)?)));
    sums.collect()
}

fn figures(facts: &Facts, raws: &Raws) -> Result<Figures> {
    let revenue = rules::total(&facts.chart, AccountType::Revenue, raws)?;
    let expenses = rules::total(&facts.chart, AccountType::Expense, raws)?;
    Ok([revenue, expenses, rules::difference(revenue, expenses)?])
}

fn row(class: Option<Class>, minor: Figures, currency: Currency) -> ClassEarnings {
    let [revenue, expenses, net_income] = minor.map(|minor| currency.money(minor));
    ClassEarnings {
        class_id: class.as_ref().map(|class| class.id),
        class: class.map_or_else(|| NONE.to_owned(), |class| class.name),
        revenue,
        expenses,
        net_income,
        minor,
    }
}
