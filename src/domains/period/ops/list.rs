//! Listing periods.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{sheets, table, views::PeriodView};
use crate::{
    engine::{Example, Extent, Operation, Page, Read, Reader, Result},
    present::Sheet,
};

/// The most periods of one page.
const PERIODS_MAX: u32 = 100;

/// List the periods, in date order
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// At most 100 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Periods to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// Periods.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Listed {
    /// The periods
    pub periods: Vec<PeriodView>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for List {
    const VERB: &'static str = "period list";
    const TOOL: &'static str = "books.list_periods";
    const EXAMPLES: &'static [Example] = &[Example::new("", "{}")];
    type Output = Listed;

    fn sheet(output: &Listed, page: &Page) -> Result<Option<Sheet>> {
        sheets::list("Periods".to_owned(), &output.periods, page).map(Some)
    }
}

impl Read for List {
    fn run(self, books: &Reader<'_>) -> Result<Listed> {
        let window = books.window(self.limit, self.offset, PERIODS_MAX);
        let (found, total) = table::page(&books.view(), window)?;
        let extent = window.extent(found.len(), total);
        Ok(Listed {
            periods: found.into_iter().map(PeriodView::from).collect(),
            extent,
        })
    }
}
