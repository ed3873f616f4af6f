//! Showing an entry.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use serde_json::{Map, Value};

use super::super::{
    sheets,
    views::{self, EntryView},
};
use crate::engine::{Example, Operation, Page, Read, Reader, Result, Thing};
use crate::present::Sheet;

/// Show an entry with its lines and where it came from
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// The entry's id
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
}

/// An entry, with what other domains know of it.
#[derive(Serialize, JsonSchema, Debug)]
pub struct EntryShown {
    /// The entry
    #[serde(flatten)]
    pub entry: EntryView,
    /// What other domains know of it, each under the keys it has told
    #[serde(flatten)]
    #[schemars(skip)]
    pub details: Map<String, Value>,
}

impl Operation for Show {
    const VERB: &'static str = "entry show";
    const TOOL: &'static str = "books.get_entry";
    const EXAMPLES: &'static [Example] = &[Example::new("1", r#"{"entry_id":1}"#)];
    const SHOWS: &'static [&'static str] = &["entry"];
    type Output = EntryShown;

    fn sheet(output: &EntryShown, page: &Page) -> Result<Option<Sheet>> {
        let mut sheet = sheets::of_view(page, &output.entry, false)?;
        for detail in &output.details {
            if detail.1.is_object() {
                let told = Sheet::from_value("", detail.1);
                sheet.fields.extend(told.fields);
            } else {
                let told = sheets::told(page, detail);
                sheet.fields.extend(told.map(sheets::field));
            }
        }
        Ok(Some(sheet))
    }
}

impl Read for Show {
    fn run(self, books: &Reader<'_>) -> Result<EntryShown> {
        let entry = views::entry(books, self.entry_id)?;
        let thing = Thing {
            kind: "entry",
            id: entry.entry_id,
        };
        let details = books.details(thing)?;
        Ok(EntryShown { entry, details })
    }
}
