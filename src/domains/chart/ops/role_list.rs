//! Listing the control roles with the accounts that fill them.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{Role, roles::ROLES, table};
use crate::{
    engine::{Example, Operation, Page, Read, Reader, Result},
    model::AccountType,
    present::{Cell, ColKind, Column, Sheet, TableBuilder},
    store::View,
};

/// List the control roles
///
/// The accounts that the books post to by themselves.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct RoleList {}

/// A control role and what fills it.
#[derive(Serialize, JsonSchema, Debug)]
pub struct RoleView {
    /// The role
    pub role: Role,
    /// What it is for
    pub purpose: String,
    /// The type that may fill it
    pub account_type: AccountType,
    /// What fills it unassigned
    pub default_code: String,
    /// Whether an account was assigned
    pub assigned: bool,
    /// What fills it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_code: Option<String>,
    /// Its name
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_name: Option<String>,
}

/// Every control role.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Roles {
    /// The roles
    pub roles: Vec<RoleView>,
}

impl Roles {
    /// The roles as they are filled now.
    pub fn of(view: &View<'_>) -> Result<Roles> {
        let role = |entry: &super::super::roles::RoleDefault| {
            let account = table::account_of(view, entry.role)?;
            Ok(RoleView {
                role: entry.role,
                purpose: entry.role.purpose(),
                account_type: entry.account_type,
                default_code: entry.default_code.to_owned(),
                assigned: table::assigned_to(view, entry.role)?.is_some(),
                account_code: account.as_ref().map(|account| account.code.clone()),
                account_name: account.map(|account| account.name),
            })
        };
        Ok(Roles {
            roles: ROLES.iter().map(role).collect::<Result<_>>()?,
        })
    }

    /// The roles as a page.
    pub fn sheet(&self, title: &str, page: &Page) -> Result<Sheet> {
        let mut sheet = Sheet::new("roles", title, page.currency);
        let mut table = TableBuilder::new(vec![
            Column::new("role", "Role", ColKind::Label { weight: 1 }),
            Column::new("purpose", "Purpose", ColKind::Label { weight: 2 }),
            Column::new("account_type", "Type", ColKind::Label { weight: 1 }),
            Column::new("account", "Account", ColKind::Label { weight: 2 }),
            Column::new("by", "By", ColKind::Label { weight: 1 }),
        ]);
        for role in &self.roles {
            let account = match (&role.account_code, &role.account_name) {
                (Some(code), Some(name)) => format!("{code} {name}"),
                _ => format!("none; {} would", role.default_code),
            };
            let by = if role.assigned { "assigned" } else { "default" };
            table.line(
                0,
                vec![
                    Cell::Text(role.role.word().to_owned()),
                    Cell::Text(role.purpose.clone()),
                    Cell::Text(role.account_type.word().to_owned()),
                    Cell::Text(account),
                    Cell::Text(by.to_owned()),
                ],
            )?;
        }
        sheet.tables.push(table.finish());
        Ok(sheet)
    }
}

impl Operation for RoleList {
    const VERB: &'static str = "role list";
    const TOOL: &'static str = "books.roles";
    const EXAMPLES: &'static [Example] = &[Example::new("", "{}")];
    type Output = Roles;

    fn sheet(output: &Roles, page: &Page) -> Result<Option<Sheet>> {
        output.sheet("Control roles", page).map(Some)
    }
}

impl Read for RoleList {
    fn run(self, books: &Reader<'_>) -> Result<Roles> {
        Roles::of(&books.view())
    }
}
