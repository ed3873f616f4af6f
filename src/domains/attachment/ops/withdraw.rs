//! Retiring a file.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{links, table};
use crate::engine::{Example, Operation, Result, Write, Writer};

/// Retire an unlinked receipt or a document
///
/// Hidden and never linked again; its bytes stay.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// The file
    #[arg(value_name = "FILE")]
    pub attachment_id: i64,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

/// A file that was retired.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Withdrawn {
    /// It was retired
    pub ok: bool,
    /// The file
    pub attachment_id: i64,
}

impl Operation for Withdraw {
    const VERB: &'static str = "attachment withdraw";
    const TOOL: &'static str = "books.withdraw_attachment";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "1 --reason 'Filed twice'",
        r#"{"attachment_id":1,"reason":"Filed twice"}"#,
    )];
    type Output = Withdrawn;
}

impl Write for Withdraw {
    fn run(self, books: &mut Writer<'_>) -> Result<Withdrawn> {
        let file = table::by_id(&books.view(), self.attachment_id)?;
        links::withdraw(books, &file, &self.reason)?;
        Ok(Withdrawn {
            ok: true,
            attachment_id: file.id,
        })
    }
}
