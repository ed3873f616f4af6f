//! Whether a file is of one account, where a column names it. Which account of the books that is, it does not know.

use crate::domains::import::reading::refused::{ACCOUNTS, Refused};
use crate::model::LineFault;

/// The account that the rows name, and the first row that names another.
#[derive(Default)]
pub(super) struct OneAccount {
    first: Option<(u64, String)>,
    other: Option<(u64, String)>,
}

impl OneAccount {
    /// Takes the next row. A blank names none.
    pub fn take(&mut self, line: u64, cell: &str) {
        let name = cell.trim();
        if name.is_empty() {
            return;
        }
        match &self.first {
            None => self.first = Some((line, name.to_owned())),
            Some((_, first)) if first != name && self.other.is_none() => {
                self.other = Some((line, name.to_owned()));
            }
            Some(_) => {}
        }
    }

    /// Refuses a file of several accounts: in one account of the books their transfers would cancel out and their balances mix.
    pub fn verdict(&self) -> Result<(), Refused> {
        let (Some(first), Some(other)) = (&self.first, &self.other) else {
            return Ok(());
        };
        let message = format!(
            "line {} is of one account and line {} of another; a file is imported into one",
            first.0, other.0
        );
        let fault = |(line, name): &(u64, String)| {
            LineFault::new(*line, "account", "the account that this row names", name)
        };
        Err(Refused::new(
            ACCOUNTS,
            message,
            "export one account at a time, or split the file by account, and import each part into its own account",
        )
        .at(vec![fault(first), fault(other)], 2))
    }
}
