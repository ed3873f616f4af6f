//! What can have happened to the chart of accounts.

use serde::{Deserialize, Deserializer, Serialize};

use super::{
    Role,
    table::{ACCOUNT, CODE_GIVEN, ROLE},
};
use crate::{
    engine::{Event, Occasion},
    model::AccountType,
    store::{Fold, FoldError, FoldResult},
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

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
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
        tables.insert(&ACCOUNT, &row)?;
        given(at, self.account_id, &self.code, tables)
    }
}

/// An account's name, place or standing was changed. Holds what was changed and nothing else: the rest is what earlier events
/// tell.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AccountUpdated {
    /// The account.
    pub account_id: i64,
    /// Its name now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The account it stands under now; null where it stands under none any more.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "said"
    )]
    pub parent_id: Option<Option<i64>>,
    /// Whether it only groups others now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<bool>,
    /// Whether it is out of use now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
}

/// Null is said, and not left out.
fn said<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<i64>>, D::Error> {
    Option::deserialize(value).map(Some)
}

impl AccountUpdated {
    /// Whether nothing is said of the account.
    pub fn is_empty(&self) -> bool {
        self.name.is_none()
            && self.parent_id.is_none()
            && self.placeholder.is_none()
            && self.archived.is_none()
    }
}

impl Event for AccountUpdated {
    const KIND: &'static str = "account.updated";
    const V: u32 = 1;
    const ABOUT: &'static str = "An account's name, parent, placeholder mark or archived mark was changed; holds those that were, `parent_id` null where it stands under none any more.";

    fn fold(&self, _: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [
            self.name.as_ref().map(|name| ("name", name.into())),
            self.parent_id.map(|parent| ("parent_id", parent.into())),
            self.placeholder.map(|is| ("placeholder", is.into())),
            self.archived.map(|is| ("archived", is.into())),
        ];
        let changes: Vec<_> = changes.into_iter().flatten().collect();
        if changes.is_empty() {
            return Err(FoldError::Unreadable {
                kind: Self::KIND.to_owned(),
                v: Self::V,
                why: "it changes nothing".to_owned(),
            });
        }
        tables.set(&ACCOUNT, &[self.account_id.into()], &changes)
    }
}

/// An account was given another code. Entries name accounts by id, so nothing else moves.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct AccountRenumbered {
    /// The account.
    pub account_id: i64,
    /// The code it has.
    pub code: String,
}

impl Event for AccountRenumbered {
    const KIND: &'static str = "account.renumbered";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "An account was given another code; earlier events tell the one it had.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let code = [("code", (&self.code).into())];
        tables.set(&ACCOUNT, &[self.account_id.into()], &code)?;
        given(at, self.account_id, &self.code, tables)
    }
}

/// An account has the code from this event on.
fn given(at: &Occasion<'_>, account_id: i64, code: &str, tables: &mut Fold<'_>) -> FoldResult {
    tables.insert(
        &CODE_GIVEN,
        &[at.seq.into(), code.into(), account_id.into()],
    )
}

/// A control role was given an account, or went back to the account of its default code.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct RoleAssigned {
    /// The role.
    pub role: Role,
    /// The account that fills it now; none: the one of the default code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<i64>,
    /// That account's code at the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Whether another account was assigned before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reassigned: bool,
}

impl Event for RoleAssigned {
    const KIND: &'static str = "role.assigned";
    const V: u32 = 1;
    const ABOUT: &'static str = "A control role was given an account, or, without one, went back to the account of its default code.";

    fn fold(&self, _: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let key = [self.role.word().into()];
        match (self.account_id, self.reassigned) {
            (Some(account), true) => tables.set(&ROLE, &key, &[("account_id", account.into())]),
            (Some(account), false) => {
                tables.insert(&ROLE, &[self.role.word().into(), account.into()])
            }
            (None, _) => tables.remove(&ROLE, &key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An update holds what changes and nothing else; a parent taken away is null, which is not the same as nothing said.
    #[test]
    fn updates() {
        let empty = AccountUpdated {
            account_id: 3,
            name: None,
            parent_id: None,
            placeholder: None,
            archived: None,
        };
        let cases = [
            (empty.clone(), r#"{"account_id":3}"#),
            (
                AccountUpdated {
                    parent_id: Some(None),
                    ..empty.clone()
                },
                r#"{"account_id":3,"parent_id":null}"#,
            ),
            (
                AccountUpdated {
                    parent_id: Some(Some(2)),
                    name: Some("X".to_owned()),
                    archived: Some(false),
                    ..empty.clone()
                },
                r#"{"account_id":3,"name":"X","parent_id":2,"archived":false}"#,
            ),
        ];
        for (event, text) in cases {
            assert_eq!(serde_json::to_string(&event).expect("JSON"), text);
            let read: AccountUpdated = serde_json::from_str(text).expect("an event");
            assert_eq!(read, event);
            assert_eq!(read.is_empty(), read == empty);
        }
    }
}
