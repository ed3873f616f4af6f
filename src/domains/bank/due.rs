//! Which accounts are due for reconciliation, for the digest.

use std::collections::BTreeMap;

use super::table;
use crate::{
    domains::{
        chart::{self, Account},
        company::Settings,
    },
    engine::{Reader, Result},
    model::{AccountType, Date},
};

/// An account that is due for reconciliation.
pub struct Due {
    /// The account.
    pub account: Account,
    /// The day through which it is reconciled, if it is.
    pub reconciled_through: Option<Date>,
    /// The day through which it should be.
    pub due_through: Date,
    /// What to do, in words.
    pub next_step: String,
}

/// The cash accounts, and the liabilities with a recorded statement, that have posted lines through the end of last month and
/// are not reconciled through it. In the order of their codes.
pub fn due(books: &Reader<'_>) -> Result<Vec<Due>> {
    let Some(through) = books.today().month_start().plus_days(-1) else {
        return Ok(Vec::new());
    };
    let view = books.view();
    let mut accounts = BTreeMap::new();
    for code in Settings::of(books)?.cash_accounts {
        if let Some(account) = chart::by_code(&view, &code)? {
            accounts.insert(account.code.clone(), account);
        }
    }
    for id in table::accounts_with_statements(&view)? {
        let account = chart::by_id(&view, id)?;
        if account.kind == AccountType::Liability {
            accounts.insert(account.code.clone(), account);
        }
    }
    let mut due = Vec::new();
    for account in accounts.into_values() {
        let last = table::last_live(&view, account.id)?.map(|last| last.date);
        if last.is_some_and(|date| date >= through)
            || !table::has_lines_through(&view, account.id, through)?
        {
            continue;
        }
        due.push(Due {
            next_step: next_step(books, &account, last)?,
            reconciled_through: last,
            due_through: through,
            account,
        });
    }
    Ok(due)
}

fn next_step(books: &Reader<'_>, account: &Account, last: Option<Date>) -> Result<String> {
    let after = last.and_then(|last| last.plus_days(1));
    let waiting = table::waiting(&books.view(), account.id, after)?;
    Ok(match waiting {
        Some(statement) => format!(
            "mark what statement {} shows, then reconcile it",
            statement.attachment_id
        ),
        None => format!(
            "file the next statement as a document of the category statement, then record what it says of account {}",
            account.code
        ),
    })
}
