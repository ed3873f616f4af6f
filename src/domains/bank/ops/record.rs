//! Recording what a filed statement says.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{events::StatementRecorded, rules, table, views::StatementView};
use crate::{
    domains::{
        attachment::{self, Subject},
        chart::{self, AccountRef},
    },
    engine::{Example, No, Operation, Result, Write, Writer},
    model::{Date, Money, Refusal},
};

/// Record what a filed statement says
///
/// Balances as printed: what is owed on a card is positive.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its file
    #[arg(value_name = "FILE")]
    pub attachment_id: i64,
    /// Its account
    #[arg(long, value_name = "ACCOUNT")]
    pub account: AccountRef,
    /// First day
    #[arg(long = "start", value_name = "DATE")]
    pub period_start: Date,
    /// Last day
    #[arg(long = "end", value_name = "DATE")]
    pub period_end: Date,
    /// Before the first day
    #[arg(long = "opening", value_name = "AMOUNT", allow_hyphen_values = true)]
    pub opening_balance: Money,
    /// After the last
    #[arg(long = "closing", value_name = "AMOUNT", allow_hyphen_values = true)]
    pub closing_balance: Money,
}

impl Operation for Record {
    const VERB: &'static str = "statement record";
    const TOOL: &'static str = "books.record_statement";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "1 --account 1000 --start 2025-03-01 --end 2025-03-31 --opening 20000.00 --closing 21000.00",
        r#"{"attachment_id":1,"account":"1000","period_start":"2025-03-01","period_end":"2025-03-31","opening_balance":"20000.00","closing_balance":"21000.00"}"#,
    )];
    type Output = StatementView;
}

impl Write for Record {
    fn run(self, books: &mut Writer<'_>) -> Result<StatementView> {
        let file = attachment::by_id(&books.view(), self.attachment_id)?;
        let account = chart::resolve(&books.view(), &self.account)?;
        let currency = books.currency();
        let mut refusals = Vec::new();
        if file.withdrawn.is_some() {
            refusals.push(attachment::withdrawn(file.id));
        }
        if table::statement(&books.view(), file.id)?.is_some() {
            let message = format!("attachment {} records a statement already", file.id);
            let hint = "what it says is for good; if it was recorded wrongly, file the statement again and record that";
            let refusal = Refusal::new("statement_recorded", message);
            refusals.push(
                refusal
                    .with("attachment_id", file.id)
                    .remedy("books.statements", hint),
            );
        }
        refusals.extend(rules::reconcilable(account.kind, &account.code).err());
        refusals.extend(rules::in_order(self.period_start, self.period_end).err());
        let opening = currency.minor(self.opening_balance, "opening_balance");
        let closing = currency.minor(self.closing_balance, "closing_balance");
        let (opening, closing) = match (opening, closing) {
            (Ok(opening), Ok(closing)) if refusals.is_empty() => (opening, closing),
            (opening, closing) => {
                refusals.extend(opening.err());
                refusals.extend(closing.err());
                return Err(No::Refused(refusals));
            }
        };
        books.record(&StatementRecorded {
            attachment_id: file.id,
            account: account.id,
            code: account.code,
            period_start: self.period_start,
            period_end: self.period_end,
            opening_balance: currency.money(opening),
            closing_balance: currency.money(closing),
        })?;
        attachment::link_to(books, &file, Subject::of(chart::ACCOUNT, account.id))?;
        let statement = table::statement(&books.view(), file.id)?
            .ok_or_else(|| No::Fault("a statement that was recorded is not there".to_owned()))?;
        StatementView::of(&books.reader(), &statement)
    }
}
