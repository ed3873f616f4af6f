//! Removing a line from a draft.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    post, sheets, table,
    told::{self, Now},
    views::Changed,
};
use crate::{
    engine::{Example, Operation, Page, Result, Write, Writer},
    model::Refusal,
    present::Sheet,
};

/// Remove a line from a draft
///
/// Lines are counted from 0; those after it move up.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct RemoveLine {
    /// The draft's id
    #[arg(value_name = "ENTRY")]
    pub entry_id: i64,
    /// Its place, from 0
    #[arg(value_name = "LINE_INDEX")]
    pub line_index: u32,
}

impl Operation for RemoveLine {
    const VERB: &'static str = "entry remove-line";
    const TOOL: &'static str = "books.remove_line";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "{draft} 0",
        r#"{"entry_id":{draft},"line_index":0}"#,
    )];
    type Output = Changed;

    fn sheet(output: &Changed, page: &Page) -> Result<Option<Sheet>> {
        sheets::changed(page, &output.entry, "line removed").map(Some)
    }
}

impl Write for RemoveLine {
    fn run(self, books: &mut Writer<'_>) -> Result<Changed> {
        let draft = table::entry(&books.view(), self.entry_id)?;
        post::must_be_draft(&draft, "changed")?;
        let mut lines = table::lines(&books.view(), draft.id)?;
        let index = self.line_index as usize;
        if index >= lines.len() {
            let there = match lines.len() {
                0 => "it has none".to_owned(),
                count => format!("its last is {}", count - 1),
            };
            let message = format!("entry {} has no line {index}; {there}", draft.id);
            return Err(Refusal::new("unknown_line", message)
                .with("entry_id", draft.id)
                .with("line_index", index)
                .with("lines", lines.len())
                .remedy(
                    "books.get_entry",
                    format!("look at the entry with `wb entry show {}`", draft.id),
                )
                .into());
        }
        lines.remove(index);
        told::change(books, &draft, &Now::with(&draft, &lines))
    }
}
