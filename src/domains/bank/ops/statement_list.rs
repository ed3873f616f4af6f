//! Listing what statements say.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    sheets, table,
    views::{self, ROWS_MAX, StatementView},
};
use crate::{
    domains::chart::AccountRef,
    engine::{Example, Extent, Operation, Page, Read, Reader, Result},
    present::Sheet,
};

/// List recorded statements by date
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Statements {
    /// Of this account
    #[arg(long, value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountRef>,
    /// At most 50 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Statements to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// Statements.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Listed {
    /// The statements, the earliest first
    pub statements: Vec<StatementView>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for Statements {
    const VERB: &'static str = "statement list";
    const TOOL: &'static str = "books.statements";
    const EXAMPLES: &'static [Example] = &[Example::new("--account 1000", r#"{"account":"1000"}"#)];
    type Output = Listed;

    fn sheet(output: &Listed, page: &Page) -> Result<Option<Sheet>> {
        sheets::statements(&output.statements, &output.extent, page).map(Some)
    }
}

impl Read for Statements {
    fn run(self, books: &Reader<'_>) -> Result<Listed> {
        let account = views::account(books, self.account.as_ref())?;
        let window = books.window(self.limit, self.offset, ROWS_MAX);
        let (found, total) = table::statements(&books.view(), account.map(|a| a.id), window)?;
        let extent = window.extent(found.len(), total);
        let shown = found.iter().map(|one| StatementView::of(books, one));
        Ok(Listed {
            statements: shown.collect::<Result<_>>()?,
            extent,
        })
    }
}
