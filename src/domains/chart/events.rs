//! What can have happened to the chart of accounts.

use serde::{Deserialize, Serialize};

use super::table::{ACCOUNT, FORMER_CODE};
use crate::{
    engine::{Event, Occasion},
    model::AccountType,
    store::{Fold, FoldResult},
};

/// An account was added.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AccountAdded {
    /// Its id, for ever.
    pub account_id: i64,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: AccountType,
    /// The account it stands under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<i64>,
    /// Whether it only groups others.
    pub placeholder: bool,
    /// Where it lands on the income tax return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax_category: Option<String>,
}

impl Event for AccountAdded {
    const KIND: &'static str = "account.added";
    const V: u32 = 1;
    const ABOUT: &'static str = "An account was added to the chart.";

    fn fold(&self, _: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let row = [
            self.account_id.into(),
            (&self.code).into(),
            (&self.name).into(),
            self.kind.word().into(),
            self.parent_id.into(),
            self.placeholder.into(),
            false.into(),
            self.tax_category.as_ref().into(),
        ];
        tables.insert(&ACCOUNT, &row)
    }
}

/// An account's name, place or standing was changed. Holds what it is now, all of it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AccountUpdated {
    /// The account.
    pub account_id: i64,
    /// Its name now.
    pub name: String,
    /// The account it stands under now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<i64>,
    /// Whether it only groups others now.
    pub placeholder: bool,
    /// Whether it is out of use now.
    pub archived: bool,
}

impl Event for AccountUpdated {
    const KIND: &'static str = "account.updated";
    const V: u32 = 1;
    const ABOUT: &'static str = "An account's name, parent, placeholder mark or archived mark was changed; holds all four as they are now.";

    fn fold(&self, _: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [
            ("name", (&self.name).into()),
            ("parent_id", self.parent_id.into()),
            ("placeholder", self.placeholder.into()),
            ("archived", self.archived.into()),
        ];
        tables.set(&ACCOUNT, &[self.account_id.into()], &changes)
    }
}

/// An account was given another code. Entries name accounts by id, so nothing else moves.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AccountRenumbered {
    /// The account.
    pub account_id: i64,
    /// The code it had.
    pub previous_code: String,
    /// The code it has.
    pub code: String,
}

impl Event for AccountRenumbered {
    const KIND: &'static str = "account.renumbered";
    const V: u32 = 1;
    const ABOUT: &'static str = "An account was given another code.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let former = [
            at.seq.into(),
            (&self.previous_code).into(),
            self.account_id.into(),
        ];
        tables.insert(&FORMER_CODE, &former)?;
        tables.set(
            &ACCOUNT,
            &[self.account_id.into()],
            &[("code", (&self.code).into())],
        )
    }
}
