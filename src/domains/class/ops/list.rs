//! Listing classes.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{super::table, add::ClassView};
use crate::{
    engine::{Example, Extent, Operation, Page, Read, Reader, Result},
    present::{Cell, ColKind, Column, Sheet, TableBuilder},
};

/// The most classes of one page.
const CLASSES_MAX: u32 = 500;

/// List the classes
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// At most 500 over MCP
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Classes to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// Classes.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Listed {
    /// The classes, in the order in which they were added
    pub classes: Vec<ClassView>,
    /// How many there are
    #[serde(flatten)]
    pub extent: Extent,
}

impl Operation for List {
    const VERB: &'static str = "class list";
    const TOOL: &'static str = "books.list_classes";
    const EXAMPLES: &'static [Example] = &[Example::new("", "{}")];
    type Output = Listed;

    fn sheet(output: &Listed, page: &Page) -> Result<Option<Sheet>> {
        let words = |weight| ColKind::Text { weight };
        let mut table = TableBuilder::new(vec![
            Column::new("id", "Id", words(1)),
            Column::new("name", "Class", words(4)),
        ]);
        for class in &output.classes {
            let cells = vec![
                Cell::Text(class.id.to_string()),
                Cell::Text(class.name.clone()),
            ];
            table.line(0, cells)?;
        }
        let title = format!("Classes: {}", output.extent.total);
        let mut sheet = Sheet::new("classes", title, page.currency);
        sheet.tables.push(table.finish());
        let note = output.extent.note(output.classes.len(), "classes");
        sheet.notes.extend(note);
        Ok(Some(sheet))
    }
}

impl Read for List {
    fn run(self, books: &Reader<'_>) -> Result<Listed> {
        let window = books.window(self.limit, self.offset, CLASSES_MAX);
        let (found, total) = table::page(&books.view(), window)?;
        let extent = window.extent(found.len(), total);
        let view = |class: table::Class| ClassView {
            id: class.id,
            name: class.name,
        };
        Ok(Listed {
            classes: found.into_iter().map(view).collect(),
            extent,
        })
    }
}
