//! What a column of a bank's file can hold: the one list of roles, and where each stands in one file. It reads no cell.

use crate::wire_enum;

wire_enum! {
    /// What a column holds.
    pub enum Role {
        /// The day on which the owner's money moved
        Date = "date",
        /// The bank's text
        Description = "description",
        /// The amount, with its sign or with a word of direction beside it
        Amount = "amount",
        /// Money out, where Credit is money in
        Debit = "debit",
        /// Money in, where Debit is money out
        Credit = "credit",
        /// The running balance
        Balance = "balance",
        /// The bank's own id of the row
        BankId = "bank_id",
        /// The number of a check
        CheckNumber = "check_number",
        /// The row's currency
        Currency = "currency",
    }
}

/// How many roles there are.
pub(super) const ROLES: usize = Role::ALL.len();

/// Every role with the name of its column, where there is one.
pub(super) type Named<'n> = [(Role, Option<&'n str>); ROLES];

/// Where each role's column stands in one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Columns([Option<usize>; ROLES]);

impl Columns {
    /// The columns by their names; `place` gives the index that a name has in the file.
    pub fn of(named: &Named<'_>, place: impl Fn(&str) -> Option<usize>) -> Columns {
        let mut columns = [None; ROLES];
        for (role, name) in named {
            columns[*role as usize] = name.and_then(&place);
        }
        Columns(columns)
    }

    /// The index of a role's column.
    pub fn at(&self, role: Role) -> Option<usize> {
        self.0[role as usize]
    }
}
