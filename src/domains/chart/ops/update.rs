//! Changing an account's name, place or standing.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    super::{Account, AccountRef, Usage, events::AccountUpdated, levels, table},
    add::{AccountView, may_hold, only_groups, page_of},
};
use crate::{
    engine::{Example, No, Operation, Page, Result, Write, Writer},
    model::{NAME_CHARS_MAX, Refusal, quoted, typed},
    present::Sheet,
};

/// Change an account's name, parent, placeholder mark or archived mark
///
/// Give at least one. The type never changes. Only an account with a zero balance and no draft lines can be archived.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Update {
    /// Code or id
    #[arg(value_name = "ACCOUNT")]
    pub account: AccountRef,
    /// New name
    #[arg(long, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Parent; empty for none
    #[arg(long, value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Only groups others
    #[arg(long, value_name = "BOOL")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<bool>,
    /// Out of use
    #[arg(long, value_name = "BOOL")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
}

impl Operation for Update {
    const VERB: &'static str = "account update";
    const TOOL: &'static str = "books.update_account";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "6800 --name 'Office Costs'",
        r#"{"account":"6800","name":"Office Costs"}"#,
    )];
    const IDEMPOTENT: bool = true;
    type Output = AccountView;

    fn sheet(output: &AccountView, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(page_of(output, page, "changed")))
    }
}

impl Write for Update {
    fn run(self, books: &mut Writer<'_>) -> Result<AccountView> {
        let account = table::resolve(&books.view(), &self.account)?;
        if self.name.is_none()
            && self.parent.is_none()
            && self.placeholder.is_none()
            && self.archived.is_none()
        {
            return Err(No::argument(
                "name",
                "give at least one of name, parent, placeholder, archived",
            ));
        }
        let name = self
            .name
            .map(|name| typed(&name, "name", NAME_CHARS_MAX))
            .transpose()?;
        let parent_id = match self.parent.as_deref().map(str::trim) {
            None => account.parent_id,
            Some("") => None,
            Some(text) => {
                let parent = text
                    .parse()
                    .map_err(|why: String| No::argument("parent", why))?;
                Some(new_parent(books, &account, &parent)?)
            }
        };
        let placeholder = self.placeholder.unwrap_or(account.placeholder);
        if placeholder && !account.groups() {
            only_groups(books, &account)?;
        }
        let archived = self.archived.unwrap_or(account.archived);
        if account.archived && !archived {
            // An account in use does not stand under one that is not.
            let parent = parent_id
                .map(|id| table::by_id(&books.view(), id))
                .transpose()?;
            parent
                .map(|p| may_hold(books, &p, account.kind))
                .transpose()?;
        }
        if archived && !account.archived {
            at_rest(books, &account)?;
        }
        if (archived && !account.archived) || (placeholder && !account.groups()) {
            fills_no_role(books, &account)?;
        }
        let account_id = account.id;
        let change = AccountUpdated {
            account_id,
            name: name.filter(|name| *name != account.name),
            parent_id: Some(parent_id).filter(|id| *id != account.parent_id),
            placeholder: Some(placeholder).filter(|is| *is != account.placeholder),
            archived: Some(archived).filter(|is| *is != account.archived),
        };
        if !change.is_empty() {
            books.record(&change)?;
        }
        AccountView::of(books, table::by_id(&books.view(), account_id)?)
    }
}

/// The id of the account to stand under: of the same type, not under this one itself, and with room beneath it.
fn new_parent(books: &Writer<'_>, account: &Account, reference: &AccountRef) -> Result<i64> {
    let view = books.view();
    let parent = table::resolve(&view, reference)?;
    may_hold(books, &parent, account.kind)?;
    let all = table::all(&view)?;
    let chain = levels::chain(&all, parent.id)?;
    if chain.contains(&account.id) {
        return Err(Refusal::new(
            "parent_cycle",
            format!(
                "account {} stands under {} already",
                quoted(&parent.code),
                quoted(&account.code)
            ),
        )
        .with("parent", parent.code)
        .into());
    }
    if account.parent_id != Some(parent.id) {
        levels::fits(&parent.code, chain.len(), levels::height(&all, account.id))?;
    }
    Ok(parent.id)
}

/// Refuses to take an account out of use that was assigned a role, to which the books post by themselves.
fn fills_no_role(books: &Writer<'_>, account: &Account) -> Result<()> {
    let view = books.view();
    for role in table::assigned(&view)? {
        if table::assigned_to(&view, role)?.is_some_and(|a| a.id == account.id) {
            let message = format!(
                "account {} is assigned the role {role}; assign that another account first",
                quoted(&account.code)
            );
            return Err(Refusal::new("account_fills_role", message)
                .with("account", account.code.as_str())
                .with("role", role.word())
                .remedy("books.assign_role", "assign the role another account first")
                .into());
        }
    }
    Ok(())
}

/// Refuses to archive an account that still holds something.
fn at_rest(books: &Writer<'_>, account: &Account) -> Result<()> {
    let view = books.view();
    let refuse = |code, message: String| {
        Err(Refusal::new(code, message)
            .with("account", account.code.as_str())
            .into())
    };
    let usage = Usage::of(books, account)?;
    if usage.balance_minor != 0 {
        let shown = books
            .currency()
            .money(account.kind.shown(usage.balance_minor));
        return refuse(
            "account_has_balance",
            format!(
                "account {} has a balance of {shown}; bring it to zero first",
                quoted(&account.code)
            ),
        );
    }
    if usage.drafted != 0 {
        return refuse(
            "account_has_drafts",
            format!("drafts have lines on account {}", quoted(&account.code)),
        );
    }
    let open = table::all(&view)?
        .into_iter()
        .any(|a| a.parent_id == Some(account.id) && !a.archived);
    if open {
        return refuse(
            "account_has_children",
            format!(
                "accounts in use stand under account {}",
                quoted(&account.code)
            ),
        );
    }
    Ok(())
}
