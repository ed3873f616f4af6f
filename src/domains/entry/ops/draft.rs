//! Making a draft.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    EntryLine,
    events::EntryDrafted,
    line, post, sheets, table,
    views::{self, EntryView, Names},
};
use crate::{
    engine::{Example, Operation, Page, Result, Write, Writer},
    model::{Date, Origin, TEXT_CHARS_MAX, typed},
    present::Sheet,
};

/// Draft an entry, with its lines if you have them
///
/// It is in no balance until posted, and may be unbalanced. When unsure, draft and ask.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct DraftEntry {
    /// The day it happened
    #[arg(long, value_name = "DATE")]
    pub date: Date,
    /// What happened
    #[arg(value_name = "DESCRIPTION")]
    pub description: String,
    /// Its lines
    #[arg(
        long = "line",
        value_name = "LINE",
        help = "ACCOUNT:SIDE:AMOUNT[:CLASS], repeatable",
        long_help = "Its lines; ACCOUNT:SIDE:AMOUNT[:CLASS], repeatable. SIDE is debit, dr, credit or cr; AMOUNT a plain decimal such as 24.99, or EUR10.00@1.0825 in another currency"
    )]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<EntryLine>,
    /// Balances brought in, from before any activity
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opening: bool,
}

impl Operation for DraftEntry {
    const VERB: &'static str = "entry draft";
    const TOOL: &'static str = "books.draft_entry";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "--date 2026-10-10 'Printer paper' --line 6800:debit:24.99 --line 1000:credit:24.99",
        r#"{"date":"2026-10-10","description":"Printer paper","lines":[{"account":"6800","side":"debit","amount":"24.99"},{"account":"1000","side":"credit","amount":"24.99"}]}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["entry_id"];
    type Output = EntryView;

    fn sheet(output: &EntryView, page: &Page) -> Result<Option<Sheet>> {
        sheets::of_view(page, output, true).map(Some)
    }
}

impl Write for DraftEntry {
    fn run(self, books: &mut Writer<'_>) -> Result<EntryView> {
        let description = typed(&self.description, "description", TEXT_CHARS_MAX)?;
        let stored = line::resolve_all(&books.reader(), &self.lines)?;
        post::warn_of_day(books, self.date);
        post::warn_of_cancelling(books, &stored)?;
        let entry_id = table::next_id(&books.view())?;
        let origin = match self.opening {
            true => Origin::Opening,
            false => Origin::Manual,
        };
        post::must_come_first(books, origin, self.date)?;
        let lines = Names::default().data(&books.reader(), &stored)?;
        books.record(&EntryDrafted {
            entry_id,
            date: self.date,
            description,
            origin,
            lines,
        })?;
        views::entry(&books.reader(), entry_id)
    }
}
