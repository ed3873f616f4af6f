//! Adding a class.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{events::ClassAdded, reference::ID, table};
use crate::{
    engine::{Example, Operation, Page, Result, Write, Writer},
    model::{NAME_CHARS_MAX, Refusal, fold_for_search, quoted, typed},
    present::Sheet,
};

/// Add a class to tag lines with
///
/// Names are unique; case and accents do not count.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Add {
    /// Its name
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// A class.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ClassView {
    /// Its id
    pub id: i64,
    /// Its name
    pub name: String,
}

impl Operation for Add {
    const VERB: &'static str = "class add";
    const TOOL: &'static str = "books.add_class";
    const EXAMPLES: &'static [Example] = &[Example::new("Rondo", r#"{"name":"Rondo"}"#)];
    const ALLOTTED: &'static [&'static str] = &["id"];
    type Output = ClassView;

    fn sheet(output: &ClassView, page: &Page) -> Result<Option<Sheet>> {
        let title = if page.preview {
            format!("Class {} · preview: nothing has changed", output.name)
        } else {
            format!("Class {} added, id {}", output.name, output.id)
        };
        Ok(Some(Sheet::new("class", title, page.currency)))
    }
}

impl Write for Add {
    fn run(self, books: &mut Writer<'_>) -> Result<ClassView> {
        let name = fit(&self.name)?;
        if let Some(other) = table::by_name(&books.view(), &name)? {
            return Err(taken(&name, &other).into());
        }
        let class_id = table::next_id(&books.view())?;
        let event = ClassAdded { class_id, name };
        books.record(&event)?;
        Ok(ClassView {
            id: class_id,
            name: event.name,
        })
    }
}

/// A name that a class can have.
///
/// Refuses, besides what [`typed`] refuses: a name of which nothing can be compared, that of no class, and one that reads as an id.
fn fit(name: &str) -> Result<String, Refusal> {
    let name = typed(name, "name", NAME_CHARS_MAX)?;
    let why = if fold_for_search(&name).is_empty() {
        "has nothing but accents; write at least one letter or digit".to_owned()
    } else if fold_for_search(&name) == "unclassified" {
        "is what reports call lines without a class; choose another".to_owned()
    } else if name.starts_with(ID) {
        format!("begins with {ID}, which stands before an id; leave it out")
    } else {
        return Ok(name);
    };
    Err(Refusal::new("bad_text", format!("name {why}")).with("field", "name"))
}

fn taken(name: &str, other: &table::Class) -> Refusal {
    let message = format!(
        "{} is the name of class id {}, {}; case, accents and blanks make no difference",
        quoted(name),
        other.id,
        quoted(&other.name)
    );
    Refusal::new("class_name_in_use", message)
        .with("name", name)
        .with("class_id", other.id)
        .remedy(
            "books.list_classes",
            "use that class, or choose another name",
        )
}
