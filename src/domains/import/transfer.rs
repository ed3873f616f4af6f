//! Whether rows stand in another account's imports too: the same file, or the other end of a transfer. It only warns: nobody
//! but the human knows whether two rows are one movement of money.

use std::collections::HashSet;

use super::{reading::BankRow, table};
use crate::{
    domains::chart,
    engine::{Result, Writer},
    model::quoted,
};

/// How many days may lie between the two ends of a transfer.
const DAYS_APART_MAX: i64 = 3;
/// The most pairs that the warning names.
const NAMED_MAX: usize = 5;

/// Looks for the other ends of a file's rows.
pub struct Transfers {
    account_id: i64,
    /// Whether any other account has rows at all.
    looks: bool,
    /// The entries found so far: each is the other end of one row only.
    taken: HashSet<i64>,
    /// The first rows, by line, each with its entry.
    named: Vec<(u64, i64)>,
}

impl Transfers {
    /// For the rows of this bank account.
    pub fn of(books: &Writer<'_>, account_id: i64) -> Result<Transfers> {
        Ok(Transfers {
            account_id,
            looks: table::others(&books.view(), account_id)?,
            taken: HashSet::new(),
            named: Vec::new(),
        })
    }

    /// Looks for the other end of a new row.
    pub fn look(&mut self, books: &Writer<'_>, row: &BankRow) -> Result<()> {
        if !self.looks {
            return Ok(());
        }
        let day = |days| row.date.plus_days(days).unwrap_or(row.date);
        let days = (day(-DAYS_APART_MAX), day(DAYS_APART_MAX));
        let (view, amount) = (books.view(), -row.amount_minor);
        let found = table::moved_elsewhere(&view, self.account_id, amount, days)?;
        let free = found.into_iter().find(|id| !self.taken.contains(id));
        if let Some(entry_id) = free {
            self.taken.insert(entry_id);
            if self.named.len() < NAMED_MAX {
                self.named.push((row.line, entry_id));
            }
        }
        Ok(())
    }

    /// The warning about what was found.
    pub fn warning(&self) -> Option<String> {
        let mut pairs: Vec<String> = self
            .named
            .iter()
            .map(|(line, entry_id)| format!("line {line} and entry {entry_id}"))
            .collect();
        match self.taken.len() - pairs.len() {
            0 => {}
            more => pairs.push(format!("{more} more")),
        }
        (!pairs.is_empty()).then(|| {
            format!(
                "the other end of a transfer may be in the books already ({}); post only one of each two",
                pairs.join(", ")
            )
        })
    }
}

/// The warning about a file that was imported into another account before.
pub fn same_file(books: &Writer<'_>, account_id: i64, sha256: &str) -> Result<Option<String>> {
    let view = books.view();
    let Some((other, first, last)) = table::elsewhere(&view, account_id, sha256)? else {
        return Ok(None);
    };
    let code = chart::by_id(&view, other)?.code;
    let entries = if first == last {
        format!("entry {first}")
    } else {
        format!("entries {first} to {last}")
    };
    Ok(Some(format!(
        "this very file was imported into account {} before, as {entries}",
        quoted(&code)
    )))
}
