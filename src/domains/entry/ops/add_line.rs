//! Adding a line to a draft.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    EntryLine, post, rules, sheets, table,
    told::{self, Now},
    views::Changed,
};
use crate::{
    domains::{chart::AccountRef, class::ClassRef},
    engine::{Example, Operation, Page, Result, Write, Writer},
    model::{CurrencyCode, Money, OverZero, Rate, Side},
    present::Sheet,
};

/// Add a line to a draft
///
/// A refused line adds nothing.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct AddLine {
    /// The draft's id
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
    /// Code or id
    #[arg(long, value_name = "ACCOUNT")]
    pub account: AccountRef,
    /// Its side
    #[arg(long, value_name = "SIDE")]
    pub side: Side,
    /// Over zero; not needed with a foreign one
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OverZero>")]
    pub amount: Option<Money>,
    /// Name or id
    #[arg(long, value_name = "CLASS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassRef>,
    /// Like EUR
    #[arg(long, value_name = "CODE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign_currency: Option<CurrencyCode>,
    /// In it
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OverZero>")]
    pub foreign_amount: Option<Money>,
    /// Base units for one
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fx_rate: Option<Rate>,
}

impl Operation for AddLine {
    const VERB: &'static str = "entry add-line";
    const TOOL: &'static str = "books.add_line";
    const EXAMPLES: &'static [Example] = &[
        Example::new(
            "{draft} --account 6800 --side debit --amount 12.50",
            r#"{"entry_id":{draft},"account":"6800","side":"debit","amount":"12.50"}"#,
        ),
        Example::new(
            "{draft} --account 6800 --side debit --foreign-currency EUR --foreign-amount 10.00 --fx-rate 1.0825",
            r#"{"entry_id":{draft},"account":"6800","side":"debit","foreign_currency":"EUR","foreign_amount":"10.00","fx_rate":"1.0825"}"#,
        ),
    ];
    type Output = Changed;

    fn sheet(output: &Changed, page: &Page) -> Result<Option<Sheet>> {
        sheets::changed(page, &output.entry, "line added").map(Some)
    }
}

impl Write for AddLine {
    fn run(self, books: &mut Writer<'_>) -> Result<Changed> {
        let draft = table::entry(&books.view(), self.entry_id)?;
        post::must_be_draft(&draft, "changed")?;
        let new = EntryLine {
            account: self.account,
            side: self.side,
            amount: self.amount,
            class: self.class,
            foreign_currency: self.foreign_currency,
            foreign_amount: self.foreign_amount,
            fx_rate: self.fx_rate,
        };
        let mut lines = table::lines(&books.view(), draft.id)?;
        lines.push(new.resolve(&books.reader())?);
        rules::too_many(lines.len())?;
        post::warn_of_cancelling(books, &lines)?;
        told::change(books, &draft, &Now::with(&draft, &lines))
    }
}
