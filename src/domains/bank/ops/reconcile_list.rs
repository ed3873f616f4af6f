//! Listing reconciliations.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    sheets, table,
    views::{self, ROWS_MAX, ReconciliationView},
};
use crate::{
    domains::chart::AccountRef,
    engine::{Example, Extent, Operation, Page, Read, Reader, Result},
    present::Sheet,
};

/// List reconciliations, the newest first, voided ones included
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Reconciliations {
    /// Of this account
    #[arg(long, value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountRef>,
    /// At most 50 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Reconciliations to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// Reconciliations.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Listed {
    /// The reconciliations, the newest first
    pub reconciliations: Vec<ReconciliationView>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for Reconciliations {
    const VERB: &'static str = "reconcile list";
    const TOOL: &'static str = "books.reconciliations";
    const EXAMPLES: &'static [Example] = &[Example::new("--account 1000", r#"{"account":"1000"}"#)];
    type Output = Listed;

    fn sheet(output: &Listed, page: &Page) -> Result<Option<Sheet>> {
        sheets::reconciliations(&output.reconciliations, &output.extent, page).map(Some)
    }
}

impl Read for Reconciliations {
    fn run(self, books: &Reader<'_>) -> Result<Listed> {
        let account = views::account(books, self.account.as_ref())?;
        let window = books.window(self.limit, self.offset, ROWS_MAX);
        let (found, total) = table::reconciliations(&books.view(), account.map(|a| a.id), window)?;
        let extent = window.extent(found.len(), total);
        let shown = found
            .into_iter()
            .map(|one| ReconciliationView::of(books, one));
        Ok(Listed {
            reconciliations: shown.collect::<Result<_>>()?,
            extent,
        })
    }
}
