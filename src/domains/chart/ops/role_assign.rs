//! Giving a control role an account.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    super::{
        Account, AccountRef, Role, Usage, account_archived, events::RoleAssigned, roles::ROLES,
        table,
    },
    role_list::Roles,
};
use crate::{
    engine::{Example, No, Operation, Page, Result, Write, Writer},
    model::{AccountType, Refusal, quoted},
    present::Sheet,
};

/// Assign a control role an account
///
/// Without an account the role goes back to its default code. Refused: another type, an account that groups (but for
/// fixed_assets), one that fills another role, and moving a balance sheet role while its account holds a balance.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct RoleAssign {
    /// The role
    #[arg(value_name = "ROLE")]
    pub role: Role,
    /// Code or id
    #[arg(value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountRef>,
}

impl Operation for RoleAssign {
    const VERB: &'static str = "role assign";
    const TOOL: &'static str = "books.assign_role";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "bill_expense 6800",
        r#"{"role":"bill_expense","account":"6800"}"#,
    )];
    const IDEMPOTENT: bool = true;
    type Output = Roles;

    fn sheet(output: &Roles, page: &Page) -> Result<Option<Sheet>> {
        output.sheet("Control roles", page).map(Some)
    }
}

impl Write for RoleAssign {
    fn run(self, books: &mut Writer<'_>) -> Result<Roles> {
        let view = books.view();
        let before = table::assigned_to(&view, self.role)?;
        let after = self
            .account
            .map(|reference| table::resolve(&view, &reference))
            .transpose()?;
        if before.as_ref().map(|a| a.id) == after.as_ref().map(|a| a.id) {
            return Roles::of(&view);
        }
        let filled = table::account_of(&view, self.role)?;
        let filling = match &after {
            Some(account) => Some(account.clone()),
            None => match table::by_code(&view, self.role.default_code())? {
                None => table::default_account(&view, self.role)?,
                found => found,
            },
        };
        let mut refusals = Vec::new();
        if let Some(account) = &filling {
            refusals.extend(unsuited(self.role, account));
            refusals.extend(taken(books, self.role, account)?);
        }
        if filled.as_ref().map(|a| a.id) != filling.as_ref().map(|a| a.id)
            && let Some(account) = &filled
        {
            refusals.extend(holds(books, self.role, account)?);
        }
        if !refusals.is_empty() {
            return Err(No::Refused(refusals));
        }
        books.record(&RoleAssigned {
            role: self.role,
            account_id: after.as_ref().map(|account| account.id),
            code: after.map(|account| account.code),
            reassigned: before.is_some(),
        })?;
        Roles::of(&books.view())
    }
}

fn refuse(code: &'static str, role: Role, account: &Account, message: String) -> Refusal {
    Refusal::new(code, message)
        .with("role", role.word())
        .with("account", account.code.as_str())
}

/// Why an account cannot fill a role, by what it is.
fn unsuited(role: Role, account: &Account) -> Vec<Refusal> {
    let (code, want) = (quoted(&account.code), role.default_of().account_type);
    let mut refusals = Vec::new();
    if account.kind != want {
        let message = format!(
            "the role {role} takes an account of type {want}; account {code} is of type {}",
            account.kind
        );
        refusals.push(
            refuse("role_of_other_type", role, account, message)
                .with("role_type", want.word())
                .with("account_type", account.kind.word())
                .remedy("books.chart", "choose an account of that type"),
        );
    }
    if account.groups() && !role.groups() {
        let message = format!("account {code} only groups others, so nothing can be posted to it");
        refusals.push(
            refuse("account_is_placeholder", role, account, message)
                .remedy("books.chart", "choose an account under it"),
        );
    }
    if account.archived {
        refusals.push(account_archived(&account.code));
    }
    refusals
}

/// The other role that an account fills.
fn taken(books: &Writer<'_>, role: Role, account: &Account) -> Result<Option<Refusal>> {
    for other in ROLES
        .iter()
        .map(|entry| entry.role)
        .filter(|other| *other != role)
    {
        if table::account_of(&books.view(), other)?.is_some_and(|a| a.id == account.id) {
            let message = format!(
                "account {} fills the role {other} already, and can fill one only",
                quoted(&account.code)
            );
            let refusal = refuse("account_fills_role", role, account, message)
                .with("other_role", other.word())
                .remedy(
                    "books.assign_role",
                    "assign that role another account first",
                );
            return Ok(Some(refusal));
        }
    }
    Ok(None)
}

/// Why a role cannot leave its account: what is owed or held there would be looked for elsewhere.
pub(super) fn holds(books: &Writer<'_>, role: Role, account: &Account) -> Result<Option<Refusal>> {
    if matches!(account.kind, AccountType::Revenue | AccountType::Expense) {
        return Ok(None);
    }
    let mut accounts = vec![account.clone()];
    if role.groups() {
        let chart = table::all(&books.view())?;
        let mut next = 0;
        while let Some(id) = accounts.get(next).map(|account| account.id) {
            // The chart is no circle; each account stands under one other.
            accounts.extend(chart.iter().filter(|a| a.parent_id == Some(id)).cloned());
            next += 1;
        }
    }
    for held in accounts {
        let minor = Usage::of(books, &held)?.balance_minor;
        if minor != 0 {
            let balance = books.currency().money(held.kind.shown(minor));
            let message = format!(
                "account {} fills the role {role} and has a balance of {balance}; bring it to zero first",
                quoted(&held.code)
            );
            let refusal = refuse("role_account_has_balance", role, &held, message)
                .with("balance", balance.to_string());
            return Ok(Some(refusal));
        }
    }
    Ok(None)
}
