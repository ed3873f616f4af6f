//! The chart of accounts on disk, and the questions asked of it.

use super::{Account, AccountRef};
use crate::{
    engine::{No, Result},
    model::{AccountType, Refusal, quoted},
    store::{Column, Row, StoreResult, Table, Val, View},
};

/// The accounts.
pub static ACCOUNT: Table = Table {
    name: "account",
    columns: &[
        Column::int("id"),
        Column::text("code"),
        Column::text("name"),
        Column::text("type"),
        Column::int_or_null("parent_id").references("account"),
        Column::int("placeholder"),
        Column::int("archived"),
        Column::text_or_null("tax_category"),
    ],
    key: 1,
    indexes: &[
        "CREATE UNIQUE INDEX account_code ON account(code)",
        "CREATE INDEX account_parent ON account(parent_id) WHERE parent_id IS NOT NULL",
    ],
};

const SELECT: &str = "SELECT id, code, name, type, parent_id, placeholder, archived, tax_category, \
    EXISTS(SELECT 1 FROM account c WHERE c.parent_id = account.id) FROM account";

fn account(row: &Row<'_>) -> StoreResult<Account> {
    let kind = row.text(3)?;
    Ok(Account {
        id: row.int(0)?,
        code: row.text(1)?,
        name: row.text(2)?,
        kind: AccountType::from_word(&kind).ok_or_else(|| {
            crate::store::StoreError::Damaged(format!("an account of type {}", quoted(&kind)))
        })?,
        parent_id: row.int_or_none(4)?,
        placeholder: row.truth(5)?,
        archived: row.truth(6)?,
        tax_category: row.text_or_none(7)?,
        has_children: row.truth(8)?,
    })
}

/// Every account, in code order.
pub fn all(view: &View<'_>) -> Result<Vec<Account>> {
    Ok(view.rows(&format!("{SELECT} ORDER BY code"), &[], account)?)
}

/// The account with this id.
pub fn by_id(view: &View<'_>, id: i64) -> Result<Account> {
    one(view, "id", id.into())?
        .ok_or_else(|| No::Fault(format!("account id {id} is in a line but not in the chart")))
}

/// The account with this code.
pub fn by_code(view: &View<'_>, code: &str) -> Result<Option<Account>> {
    one(view, "code", code.into())
}

fn one(view: &View<'_>, column: &str, value: Val<'_>) -> Result<Option<Account>> {
    Ok(view.first(&format!("{SELECT} WHERE {column}=?"), &[value], account)?)
}

/// The account that a reference names: a code or an id, never guessed where it could be either.
///
/// Refuses: what names no account, and a number that is one account's code and another's id.
pub fn resolve(view: &View<'_>, reference: &AccountRef) -> Result<Account> {
    let text = reference.as_str();
    let by_code = by_code(view, text)?;
    let by_id = match text.parse::<i64>() {
        Ok(id) if text == id.to_string() => one(view, "id", id.into())?,
        _ => None,
    };
    match (by_code, by_id) {
        (Some(a), Some(b)) if a.id != b.id => Err(Refusal::new(
            "ambiguous_account",
            format!(
                "{} is the code of one account and the id of another (code {})",
                quoted(text),
                quoted(&b.code)
            ),
        )
        .with("account", text)
        .hint("give the other account's code, or renumber one of the two")
        .into()),
        (Some(found), _) | (None, Some(found)) => Ok(found),
        (None, None) => Err(Refusal::new(
            "unknown_account",
            format!("no account has the code or id {}", quoted(text)),
        )
        .with("account", text)
        .remedy("books.chart", "look the account up with `wb chart list`")
        .into()),
    }
}

/// The id that the next account gets.
pub fn next_id(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(id) FROM account", &[])? + 1)
}
