//! Listing exchange rates.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{given::foreign_currency, table};
use crate::{
    engine::{Example, Extent, No, Operation, Page, Read, Reader, Result},
    model::{CurrencyCode, Date, Rate},
    present::{Cell, ColKind, Column, Sheet, TableBuilder},
};

/// The most rates of one page.
const RATES_MAX: u32 = 500;

/// List the exchange rates that were set, latest day first
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ListRates {
    /// Only this one
    #[arg(long, value_name = "CODE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<CurrencyCode>,
    /// First day
    #[arg(long = "start", value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_from: Option<Date>,
    /// Last day
    #[arg(long = "end", value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_to: Option<Date>,
    /// At most 500 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Rates to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// A day's rate.
#[derive(Serialize, JsonSchema, Debug)]
pub struct RateView {
    /// The currency
    pub currency: CurrencyCode,
    /// The day
    pub date: Date,
    /// Units of the books' currency for one of it
    pub rate: Rate,
}

/// Exchange rates.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Listed {
    /// The rates, the latest day first
    pub rates: Vec<RateView>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for ListRates {
    const VERB: &'static str = "fx list-rates";
    const TOOL: &'static str = "books.fx_rates";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "--currency EUR --start 2026-01-01",
        r#"{"currency":"EUR","date_from":"2026-01-01"}"#,
    )];
    type Output = Listed;

    fn sheet(output: &Listed, page: &Page) -> Result<Option<Sheet>> {
        let words = |weight| ColKind::Text { weight };
        let base = page.currency.code();
        let mut table = TableBuilder::new(vec![
            Column::new("date", "Date", ColKind::Date),
            Column::new("currency", "Currency", words(1)),
            Column::new("rate", format!("{base} for 1"), words(2)),
        ]);
        for rate in &output.rates {
            let cells = vec![
                Cell::Date(rate.date),
                Cell::Text(rate.currency.to_string()),
                Cell::Text(rate.rate.to_string()),
            ];
            table.line(0, cells)?;
        }
        let title = format!("Exchange rates: {}", output.extent.total);
        let mut sheet = Sheet::new("fx_rates", title, page.currency);
        sheet.tables.push(table.finish());
        let note = output.extent.note(output.rates.len(), "rates");
        sheet.notes.extend(note);
        Ok(Some(sheet))
    }
}

impl Read for ListRates {
    fn run(self, books: &Reader<'_>) -> Result<Listed> {
        if let Some(currency) = self.currency {
            foreign_currency(currency, books.currency())?;
        }
        if let (Some(from), Some(to)) = (self.date_from, self.date_to)
            && from > to
        {
            return Err(No::argument(
                "date_from",
                format!("the first day {from} is after the last day {to}"),
            ));
        }
        let window = books.window(self.limit, self.offset, RATES_MAX);
        let days = (self.date_from, self.date_to);
        let (found, total) = table::page(&books.view(), self.currency, days, window)?;
        let extent = window.extent(found.len(), total);
        let view = |found: table::DayRate| RateView {
            currency: found.currency,
            date: found.date,
            rate: found.rate,
        };
        Ok(Listed {
            rates: found.into_iter().map(view).collect(),
            extent,
        })
    }
}
