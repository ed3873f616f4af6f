//! Setting a day's exchange rate.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{events::RateSet, given::foreign_currency, table};
use crate::{
    engine::{Example, Operation, Page, Result, Write, Writer},
    model::{CurrencyCode, Date, Rate},
    present::Sheet,
};

/// Set a currency's rate of a day, for reference
///
/// Lines keep the rate they were entered with. Setting a day's rate again replaces it.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct SetRate {
    /// Like EUR
    #[arg(value_name = "CURRENCY")]
    pub currency: CurrencyCode,
    /// The day
    #[arg(value_name = "DATE")]
    pub date: Date,
    /// Base units for one
    #[arg(value_name = "RATE", allow_negative_numbers = true)]
    pub rate: Rate,
}

/// A rate that was set.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Set {
    /// It stands
    pub ok: bool,
    /// The currency
    pub currency: CurrencyCode,
    /// The day
    pub date: Date,
    /// Units of the books' currency for one of it
    pub rate: Rate,
    /// The rate that it replaced
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_rate: Option<Rate>,
}

impl Operation for SetRate {
    const VERB: &'static str = "fx set-rate";
    const TOOL: &'static str = "books.set_fx_rate";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "EUR 2026-10-10 1.0825",
        r#"{"currency":"EUR","date":"2026-10-10","rate":"1.0825"}"#,
    )];
    const IDEMPOTENT: bool = true;
    type Output = Set;

    fn sheet(output: &Set, page: &Page) -> Result<Option<Sheet>> {
        let became = if page.preview {
            " · preview: nothing has changed"
        } else {
            ""
        };
        let base = page.currency.code();
        let Set {
            currency,
            date,
            rate,
            ..
        } = output;
        let title = format!("{date}: 1 {currency} = {rate} {base}{became}");
        let mut sheet = Sheet::new("fx_rate", title, page.currency);
        let replaced = output.previous_rate.map(|rate| format!("It was {rate}."));
        sheet.notes.extend(replaced);
        Ok(Some(sheet))
    }
}

impl Write for SetRate {
    fn run(self, books: &mut Writer<'_>) -> Result<Set> {
        let SetRate {
            currency,
            date,
            rate,
        } = self;
        foreign_currency(currency, books.currency())?;
        let previous = table::rate(&books.view(), currency, date)?;
        if previous != Some(rate) {
            books.record(&RateSet {
                currency,
                date,
                rate,
            })?;
        }
        Ok(Set {
            ok: true,
            currency,
            date,
            rate,
            previous_rate: previous.filter(|previous| *previous != rate),
        })
    }
}
