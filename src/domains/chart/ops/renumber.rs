//! Giving an account another code.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    super::{ACCOUNT, AccountRef, events::AccountRenumbered, table},
    add::may_take,
};
use crate::{
    engine::{Example, Operation, Page, Result, Thing, Write, Writer},
    model::code_ok,
    present::Sheet,
};

/// Give an account another code
///
/// Balances and reports do not move. `config_mentions` lists the settings that still name the old code. Refused: a code in use,
/// a control role's default on the wrong type, leaving or joining a list of the receipt policy.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Renumber {
    /// Code or id
    #[arg(value_name = "ACCOUNT")]
    pub account: AccountRef,
    /// New code
    #[arg(value_name = "CODE")]
    pub code: String,
}

/// The account with its codes before and now.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Renumbered {
    /// The account's id
    pub id: i64,
    /// The code it had
    pub previous_code: String,
    /// The code it has
    pub code: String,
    /// Settings that still name the old code
    pub config_mentions: Vec<String>,
}

impl Operation for Renumber {
    const VERB: &'static str = "account renumber";
    const TOOL: &'static str = "books.renumber_account";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "6800 6805",
        r#"{"account":"6800","code":"6805"}"#,
    )];
    type Output = Renumbered;

    fn sheet(output: &Renumbered, page: &Page) -> Result<Option<Sheet>> {
        let became = if page.preview { "would be" } else { "is now" };
        let title = format!("Account {} {became} {}", output.previous_code, output.code);
        let mut sheet = Sheet::new("", title, page.currency);
        let mentions = output.config_mentions.iter();
        let mentions = mentions.map(|at| format!("The settings still name the old code: {at}."));
        sheet.notes.extend(mentions);
        Ok(Some(sheet))
    }
}

impl Write for Renumber {
    fn run(self, books: &mut Writer<'_>) -> Result<Renumbered> {
        let account = table::resolve(&books.view(), &self.account)?;
        let code = code_ok(&self.code)?;
        if code != account.code {
            may_take(books, &code, account.kind)?;
            let thing = Thing {
                kind: ACCOUNT,
                id: account.id,
            };
            books.may_renumber(thing, &code)?;
            books.record(&AccountRenumbered {
                account_id: account.id,
                code: code.clone(),
            })?;
        }
        let config_mentions = books.reader().settings().mentions(&account.code);
        Ok(Renumbered {
            id: account.id,
            previous_code: account.code,
            code,
            config_mentions,
        })
    }
}
