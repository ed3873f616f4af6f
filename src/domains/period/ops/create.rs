//! Creating a period.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{events::PeriodCreated, rules, sheets, table, views::PeriodView};
use crate::{
    engine::{Example, No, Operation, Page, Result, Write, Writer},
    model::{Date, NAME_CHARS_MAX, typed},
    present::Sheet,
};

/// Create a period
///
/// Both days included. Periods share no days; they close in order.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// Its name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// First day
    #[arg(long, value_name = "DATE")]
    pub start: Date,
    /// Last day
    #[arg(long, value_name = "DATE")]
    pub end: Date,
}

/// A period that was created.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Created {
    /// Its id
    pub period_id: i64,
    /// Its name
    pub name: String,
    /// First day
    pub start: Date,
    /// Last day
    pub end: Date,
}

impl Operation for Create {
    const VERB: &'static str = "period create";
    const TOOL: &'static str = "books.create_period";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "2031 --start 2031-01-01 --end 2031-12-31",
        r#"{"name":"2031","start":"2031-01-01","end":"2031-12-31"}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["period_id"];
    type Output = Created;

    fn sheet(output: &Created, page: &Page) -> Result<Option<Sheet>> {
        let view = PeriodView {
            id: output.period_id,
            name: output.name.clone(),
            start: output.start,
            end: output.end,
            status: rules::Standing::Open,
            closing_entry: None,
        };
        let title = match page.preview {
            true => "Period · preview: nothing has changed".to_owned(),
            false => format!("Period {} created", output.period_id),
        };
        sheets::list(title, &[view], page).map(Some)
    }
}

impl Write for Create {
    fn run(self, books: &mut Writer<'_>) -> Result<Created> {
        let name = typed(&self.name, "name", NAME_CHARS_MAX)?;
        let others = table::all(&books.view())?;
        let refusals = rules::may_be(&name, (self.start, self.end), &others);
        if !refusals.is_empty() {
            return Err(No::Refused(refusals));
        }
        let created = PeriodCreated {
            period_id: table::next_id(&books.view())?,
            name,
            start: self.start,
            end: self.end,
        };
        books.record(&created)?;
        let PeriodCreated {
            period_id,
            name,
            start,
            end,
        } = created;
        Ok(Created {
            period_id,
            name,
            start,
            end,
        })
    }
}
