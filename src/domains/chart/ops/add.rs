//! Adding an account, for the operation and for imports of whole charts.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    super::{
        Account, AccountRef, Role, Usage, account_archived,
        events::AccountAdded,
        guard_code,
        levels::{self, LEVELS_MAX},
        table, tax,
    },
    role_assign,
};
use crate::{
    domains::company::Settings,
    engine::{Example, Operation, Page, Result, Write, Writer},
    model::{AccountType, NAME_CHARS_MAX, Refusal, code_ok, quoted, typed},
    present::{Cell, Field, Sheet},
};

/// Add an account to the chart
///
/// Refused: a used code; a parent of another type or with lines; a control role's code on the wrong type.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Add {
    /// Letters, digits, dots, hyphens; at most 20
    #[arg(value_name = "CODE")]
    pub code: String,
    /// Its name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Its type
    #[arg(long, value_name = "TYPE")]
    pub r#type: AccountType,
    /// Its parent
    #[arg(long, value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<AccountRef>,
    /// Only groups others
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub placeholder: bool,
}

/// An account as an answer shows it.
#[derive(Serialize, JsonSchema, Debug)]
pub struct AccountView {
    /// Its id
    pub id: i64,
    /// Its code
    pub code: String,
    /// Its name
    pub name: String,
    /// Its type
    pub r#type: AccountType,
    /// The code of the account it stands under
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Whether it only groups others
    pub placeholder: bool,
    /// Whether it is out of use
    pub archived: bool,
}

impl AccountView {
    /// An account of the chart as it stands.
    pub fn of(books: &Writer<'_>, account: Account) -> Result<AccountView> {
        let view = books.view();
        let parent = account
            .parent_id
            .map(|id| table::by_id(&view, id))
            .transpose()?;
        Ok(AccountView::under(parent.map(|p| p.code), account))
    }

    /// An account that stands under the one with this code.
    pub fn under(parent: Option<String>, account: Account) -> AccountView {
        AccountView {
            id: account.id,
            placeholder: account.groups(),
            code: account.code,
            name: account.name,
            r#type: account.kind,
            parent,
            archived: account.archived,
        }
    }
}

/// The page of an account that was changed, under what was done to it.
pub(super) fn page_of(view: &AccountView, page: &Page, done: &str) -> Sheet {
    let became = if page.preview {
        "· preview: nothing has changed"
    } else {
        done
    };
    let title = format!("Account {} {} {became}", view.code, view.name);
    let mut sheet = Sheet::new("", title, page.currency);
    let mut field = |label: &str, text: &str| {
        sheet.fields.push(Field {
            label: label.to_owned(),
            cell: Cell::Text(text.to_owned()),
        });
    };
    field("Type", view.r#type.word());
    if let Some(parent) = &view.parent {
        field("Under", parent);
    }
    if view.placeholder {
        field("Lines", "none: it only groups others");
    }
    if view.archived {
        field("In use", "no: it is archived");
    }
    sheet
}

impl Operation for Add {
    const VERB: &'static str = "account add";
    const TOOL: &'static str = "books.add_account";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "6870 'Web Hosting' --type expense",
        r#"{"code":"6870","name":"Web Hosting","type":"expense"}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["id"];
    type Output = AccountView;

    fn sheet(output: &AccountView, page: &Page) -> Result<Option<Sheet>> {
        Ok(Some(page_of(output, page, "added")))
    }
}

impl Write for Add {
    fn run(self, books: &mut Writer<'_>) -> Result<AccountView> {
        let parent = self
            .parent
            .map(|p| table::resolve(&books.view(), &p))
            .transpose()?;
        let new = NewAccount {
            code: self.code,
            name: self.name,
            kind: self.r#type,
            parent,
            placeholder: self.placeholder,
            tax_category: None,
        };
        let id = add(books, new)?;
        AccountView::of(books, table::by_id(&books.view(), id)?)
    }
}

/// An account that is to be added.
pub struct NewAccount {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: AccountType,
    /// The account it stands under.
    pub parent: Option<Account>,
    /// Whether it only groups others.
    pub placeholder: bool,
    /// Where it lands on the income tax return.
    pub tax_category: Option<String>,
}

/// Adds an account and gives its id.
pub fn add(books: &mut Writer<'_>, new: NewAccount) -> Result<i64> {
    let code = code_ok(&new.code)?;
    let name = typed(&new.name, "name", NAME_CHARS_MAX)?;
    may_take(books, &code, new.kind)?;
    if let Some(parent) = &new.parent {
        may_hold(books, parent, new.kind)?;
        levels::fits(&parent.code, level(books, parent)?, 1)?;
    }
    if let Some(key) = &new.tax_category {
        warn_of_category(books, &code, key)?;
    }
    let account_id = table::next_id(&books.view())?;
    books.record(&AccountAdded {
        account_id,
        code,
        name,
        kind: new.kind,
        parent_id: new.parent.map(|p| p.id),
        placeholder: new.placeholder,
        tax_category: new.tax_category,
    })?;
    Ok(account_id)
}

/// On which level an account stands, as far as it matters: what is deeper than any may be counts as one level too deep.
fn level(books: &Writer<'_>, account: &Account) -> Result<usize> {
    let (mut above, mut level) = (account.parent_id, 1);
    while let Some(id) = above.filter(|_| level <= LEVELS_MAX) {
        above = table::by_id(&books.view(), id)?.parent_id;
        level += 1;
    }
    Ok(level)
}

/// Warns of a tax category that the company's return does not have: legal, and likely a slip.
fn warn_of_category(books: &mut Writer<'_>, code: &str, key: &str) -> Result<()> {
    let form = Settings::of(&books.reader())?.tax_form;
    let found = tax::category(key).filter(|category| !category.is_offered_for(form));
    if let (Some(category), Some(form)) = (found, form) {
        books.warn(format!(
            "account {code}: tax category {} is not on the return {form} that the settings name",
            category.key
        ));
    }
    Ok(())
}

/// Refuses a code that an account has, and one of a role that takes another type.
pub(super) fn may_take(books: &Writer<'_>, code: &str, kind: AccountType) -> Result<()> {
    match table::by_code(&books.view(), code)? {
        None => {
            let filled = table::assigned(&books.view())?;
            guard_code(code, kind, |role| filled.contains(&role))?;
            must_not_move(books, code, &filled)
        }
        Some(other) => Err(Refusal::new(
            "code_in_use",
            format!("account id {} has the code {}", other.id, quoted(code)),
        )
        .with("account_code", code)
        .with("account_id", other.id)
        .remedy(
            "books.renumber_account",
            "choose another code, or renumber that account",
        )
        .into()),
    }
}

/// Refuses a code that would take a role away from an account with a balance: the role goes with its default code.
fn must_not_move(books: &Writer<'_>, code: &str, assigned: &[Role]) -> Result<()> {
    let mut by_default = Role::ALL.iter().filter(|role| role.default_code() == code);
    let Some(role) = by_default.next().filter(|role| !assigned.contains(role)) else {
        return Ok(());
    };
    match table::account_of(&books.view(), *role)? {
        Some(account) if account.code != code => {
            Ok(role_assign::holds(books, *role, &account)?.map_or(Ok(()), Err)?)
        }
        _ => Ok(()),
    }
}

/// Refuses a parent of another type, out of use, or with lines of its own.
pub(super) fn may_hold(books: &Writer<'_>, parent: &Account, kind: AccountType) -> Result<()> {
    let refuse = |code, message: String| {
        Err(Refusal::new(code, message)
            .with("parent", parent.code.as_str())
            .into())
    };
    if parent.kind != kind {
        return refuse(
            "parent_type_differs",
            format!(
                "account {} is of type {}; one under it must be too, not {kind}",
                quoted(&parent.code),
                parent.kind
            ),
        );
    }
    if parent.archived {
        return Err(account_archived(&parent.code).into());
    }
    if !parent.groups() {
        only_groups(books, parent)?;
    }
    Ok(())
}

/// Refuses to make a grouping account of one that has lines: its balance would stand where nothing can be posted.
pub(super) fn only_groups(books: &Writer<'_>, account: &Account) -> Result<()> {
    let usage = Usage::of(books, account)?;
    if usage.posted == 0 && usage.drafted == 0 {
        return Ok(());
    }
    Err(Refusal::new(
        "account_has_lines",
        format!(
            "account {} has lines of its own, so it cannot become one that only groups others",
            quoted(&account.code)
        ),
    )
    .with("account", account.code.as_str())
    .remedy(
        "books.add_account",
        format!(
            "add a new grouping account and put this one under it with `wb account update {} --parent NEW`",
            account.code
        ),
    )
    .into())
}
