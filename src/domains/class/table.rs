//! Classes on disk, and the questions asked of them.

use super::ClassRef;
use crate::{
    engine::{Result, Window},
    model::{Refusal, fold_for_search, quoted},
    store::{Column, Holds, Row, StoreError, StoreResult, Table, Val, View},
};

/// The classes. `folded` is the name as names are compared.
///
/// No index makes it unique: by a later version of Unicode two names of old could be one, and must fold all the same.
pub static CLASS: Table = Table {
    name: "class",
    columns: &[
        Column::int("id"),
        Column::text("name"),
        Column::text("folded"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &["CREATE INDEX class_folded ON class(folded)"],
};

/// A class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Its id, which never changes.
    pub id: i64,
    /// Its name.
    pub name: String,
}

fn class(row: &Row<'_>) -> StoreResult<Class> {
    Ok(Class {
        id: row.int(0)?,
        name: row.text(1)?,
    })
}

const SELECT: &str = "SELECT id, name FROM class";

fn one(view: &View<'_>, column: &str, value: Val<'_>) -> Result<Option<Class>> {
    let sql = format!("{SELECT} WHERE {column}=? ORDER BY id");
    Ok(view.first(&sql, &[value], class)?)
}

/// The class with this id, which something in the books names.
pub fn by_id(view: &View<'_>, id: i64) -> Result<Class> {
    let found = one(view, "id", id.into())?;
    Ok(found.ok_or_else(|| {
        StoreError::Damaged(format!(
            "class id {id} is named but is not among the classes"
        ))
    })?)
}

/// The class with this name, in which case, accents and blanks around it make no difference.
pub fn by_name(view: &View<'_>, name: &str) -> Result<Option<Class>> {
    one(view, "folded", (&fold_for_search(name)).into())
}

/// Every class, by id.
pub fn all(view: &View<'_>) -> Result<Vec<Class>> {
    Ok(view.rows(&format!("{SELECT} ORDER BY id"), &[], class)?)
}

/// A page of the classes, by id, and how many there are.
pub fn page(view: &View<'_>, window: Window) -> Result<(Vec<Class>, i64)> {
    let total = view.number("SELECT count(*) FROM class", &[])?;
    // SQLite takes a negative limit for none.
    let limit = window.limit.map_or(-1, i64::from);
    let sql = format!("{SELECT} ORDER BY id LIMIT ?1 OFFSET ?2");
    let values = [limit.into(), i64::from(window.offset).into()];
    Ok((view.rows(&sql, &values, class)?, total))
}

/// The id that the next class gets.
pub fn next_id(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(id) FROM class", &[])? + 1)
}

/// The class that a reference names.
///
/// Refuses: what names no class, and a number that is the id of one class and the name of another.
pub fn resolve(view: &View<'_>, reference: &ClassRef) -> Result<Class> {
    let id = reference.possible_id();
    let by_id = id.map(|id| one(view, "id", id.into())).transpose()?;
    let named = match reference.id() {
        Some(_) => None,
        None => by_name(view, reference.as_str())?,
    };
    match (by_id.flatten(), named) {
        (Some(by_id), Some(named)) if by_id.id != named.id => {
            Err(ambiguous(reference, &by_id, &named).into())
        }
        (Some(found), _) | (None, Some(found)) => Ok(found),
        (None, None) => Err(unknown(reference).into()),
    }
}

fn ambiguous(reference: &ClassRef, by_id: &Class, named: &Class) -> Refusal {
    let text = reference.as_str();
    let message = format!(
        "{text} is the id of class {} and the name of class id {}",
        quoted(&by_id.name),
        named.id
    );
    Refusal::new("ambiguous_class", message)
        .with("class", text)
        .with("class_id", by_id.id)
        .with("named_class_id", named.id)
        .hint(format!("write id:{} or id:{}", by_id.id, named.id))
}

fn unknown(reference: &ClassRef) -> Refusal {
    let text = reference.as_str();
    let message = format!("no class has the name or id {}", quoted(text));
    Refusal::new("unknown_class", message)
        .with("class", text)
        .remedy(
            "books.list_classes",
            "look the class up with `wb class list`",
        )
}
