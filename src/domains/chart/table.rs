//! The chart of accounts on disk, and the questions asked of it.

use super::{Account, AccountRef, Role};
use crate::{
    engine::Result,
    model::{AccountType, Refusal, quoted},
    store::{Column, Holds, Row, StoreError, StoreResult, Table, Val, View},
};

/// The accounts.
pub static ACCOUNT: Table = Table {
    name: "account",
    columns: &[
        Column::int("id"),
        Column::text("code").unique(),
        Column::text("name"),
        Column::text("type"),
        Column::int_or_null("parent_id")
            .references("account")
            .parent(),
        Column::int("placeholder"),
        Column::int("archived"),
        Column::text_or_null("tax_category"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[
        "CREATE UNIQUE INDEX account_code ON account(code)",
        "CREATE INDEX account_parent ON account(parent_id) WHERE parent_id IS NOT NULL",
    ],
};

/// The codes that accounts were given, so that what followed a code can follow the account. `seq` is the event that gave it.
pub static CODE_GIVEN: Table = Table {
    name: "code_given",
    columns: &[
        Column::int("seq"),
        Column::text("code"),
        Column::int("account_id").references("account"),
    ],
    key: 1,
    indexes: &[
        "CREATE INDEX code_given_code ON code_given(code, seq)",
        "CREATE INDEX code_given_account ON code_given(account_id, seq)",
    ],
    holds: Holds::Rows,
};

/// The accounts that fill control roles by assignment; a role without a row is filled by its default code.
pub static ROLE: Table = Table {
    name: "control_role",
    columns: &[
        Column::text("role"),
        Column::int("account_id").references("account"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};

const SELECT: &str = "SELECT id, code, name, type, parent_id, placeholder, archived, tax_category, \
    EXISTS(SELECT 1 FROM account c WHERE c.parent_id = account.id) FROM account";

fn account(row: &Row<'_>) -> StoreResult<Account> {
    let kind = row.text(3)?;
    Ok(Account {
        id: row.int(0)?,
        code: row.text(1)?,
        name: row.text(2)?,
        kind: AccountType::from_word(&kind)
            .ok_or_else(|| StoreError::Damaged(format!("an account of type {}", quoted(&kind))))?,
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

/// The account with this id, which something in the books names.
pub fn by_id(view: &View<'_>, id: i64) -> Result<Account> {
    let found = one(view, "id", id.into())?;
    Ok(found.ok_or_else(|| {
        StoreError::Damaged(format!("account id {id} is named but not in the chart"))
    })?)
}

/// The account that was assigned to a role, if one was.
pub fn assigned_to(view: &View<'_>, role: Role) -> Result<Option<Account>> {
    let sql = "SELECT account_id FROM control_role WHERE role=?";
    let id = view.first(sql, &[role.word().into()], |row| row.int(0))?;
    id.map(|id| by_id(view, id)).transpose()
}

/// The roles to which an account was assigned.
pub fn assigned(view: &View<'_>) -> Result<Vec<Role>> {
    let role = |row: &Row<'_>| {
        let word = row.text(0)?;
        Role::from_word(&word).ok_or_else(|| {
            StoreError::Damaged(format!("an account fills the role {}", quoted(&word)))
        })
    };
    Ok(view.rows("SELECT role FROM control_role", &[], role)?)
}

/// The account that fills a role: the one assigned to it, else the one with the role's default code, else the one that gave
/// this code up last.
///
/// `None` where no account of the role's type is any of them. Every question about roles comes here.
pub fn account_of(view: &View<'_>, role: Role) -> Result<Option<Account>> {
    match assigned_to(view, role)? {
        None => default_account(view, role),
        assigned => Ok(assigned),
    }
}

/// The account that fills a role while none is assigned.
pub fn default_account(view: &View<'_>, role: Role) -> Result<Option<Account>> {
    let default = role.default_of();
    let found = match by_code(view, default.default_code)? {
        None => {
            // A code is one account's at a time: who was given it last gave it up last.
            let sql = "SELECT account_id FROM code_given WHERE code=? ORDER BY seq DESC LIMIT 1";
            let id = view.first(sql, &[default.default_code.into()], |row| row.int(0))?;
            id.map(|id| by_id(view, id)).transpose()?
        }
        found => found,
    };
    Ok(found.filter(|account| account.kind == default.account_type))
}

/// The code that an account had before event `seq`.
pub fn code_before(view: &View<'_>, account_id: i64, seq: i64) -> Result<String> {
    let sql = "SELECT code FROM code_given WHERE account_id=? AND seq<? ORDER BY seq DESC LIMIT 1";
    let found = view.first(sql, &[account_id.into(), seq.into()], |row| row.text(0))?;
    Ok(found.ok_or_else(|| {
        StoreError::Damaged(format!(
            "account id {account_id} had no code before event {seq}"
        ))
    })?)
}

/// The account with this code.
pub fn by_code(view: &View<'_>, code: &str) -> Result<Option<Account>> {
    one(view, "code", code.into())
}

fn one(view: &View<'_>, column: &str, value: Val<'_>) -> Result<Option<Account>> {
    Ok(view.first(&format!("{SELECT} WHERE {column}=?"), &[value], account)?)
}

/// The account that a reference names.
///
/// Refuses: what names no account. A code that is another account's id is not taken for it; the hint says how to write it.
pub fn resolve(view: &View<'_>, reference: &AccountRef) -> Result<Account> {
    let by_id = |id: i64| one(view, "id", id.into());
    let (found, other) = match reference.id() {
        Some(id) => (by_id(id)?, by_code(view, &id.to_string())?),
        None => {
            // Text is a code, whatever id it could be.
            let text = reference.as_str();
            let id = text.parse().ok().filter(|id: &i64| id.to_string() == text);
            (by_code(view, text)?, id.map(by_id).transpose()?.flatten())
        }
    };
    match (&found, &other) {
        // A number in JSON may be a code that its writer left without quotation marks.
        (Some(by_id), Some(by_code)) if reference.id().is_some() && by_id.id != by_code.id => {
            Err(ambiguous(by_id, by_code).into())
        }
        _ => found.ok_or_else(|| unknown(reference, other.is_some()).into()),
    }
}

fn ambiguous(by_id: &Account, by_code: &Account) -> Refusal {
    let text = by_id.id.to_string();
    let message = format!(
        "{text} is the id of account {} and the code of {}",
        quoted(&by_id.code),
        quoted(&by_code.name)
    );
    Refusal::new("ambiguous_account", message)
        .with("account", text)
        .with("code_of_id", by_id.code.as_str())
        .hint("name the account by its code; in JSON as text")
}

/// There is no such account; `otherwise` says that there is one when the number is read the other way.
fn unknown(reference: &AccountRef, otherwise: bool) -> Refusal {
    let text = reference.as_str();
    let (message, hint) = match reference.id() {
        Some(id) => (
            format!("no account has the id {id}"),
            format!("account {id} by its code is written {id} in words and \"{id}\" in JSON"),
        ),
        None => (
            format!("no account has the code {}", quoted(text)),
            format!("the account with this id is written id:{text} in words and {text} in JSON"),
        ),
    };
    let refusal = Refusal::new("unknown_account", message).with("account", text);
    match otherwise {
        true => refusal.hint(hint),
        false => refusal.remedy("books.chart", "look the account up with `wb chart list`"),
    }
}

/// The id that the next account gets.
pub fn next_id(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(id) FROM account", &[])? + 1)
}
