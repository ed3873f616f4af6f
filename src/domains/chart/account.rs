//! What an account is, and how one is named in an argument.

use std::{borrow::Cow, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use crate::model::AccountType;

/// An account of the chart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its id, which never changes.
    pub id: i64,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: AccountType,
    /// The account it stands under.
    pub parent_id: Option<i64>,
    /// Whether it was marked as only grouping others.
    pub placeholder: bool,
    /// Whether it is out of use.
    pub archived: bool,
    /// Where it lands on the income tax return.
    pub tax_category: Option<String>,
    /// Whether other accounts stand under it.
    pub has_children: bool,
}

impl Account {
    /// Whether it only groups others: marked so, or with accounts under it.
    pub fn groups(&self) -> bool {
        self.placeholder || self.has_children
    }
}

/// A reference to an account: its code, or its id.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct AccountRef(String);

impl AccountRef {
    /// A reference to what `text` names.
    pub fn new(text: impl Into<String>) -> AccountRef {
        AccountRef(text.into().trim().to_owned())
    }
    /// What was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AccountRef {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        if s.trim().is_empty() {
            return Err("name an account by its code or id".to_owned());
        }
        Ok(AccountRef::new(s))
    }
}

impl<'de> Deserialize<'de> for AccountRef {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "an account is its code (text) or its id (whole number)"
        )]
        enum Wire {
            Id(i64),
            Code(String),
        }
        match Wire::deserialize(d)? {
            Wire::Id(id) => Ok(AccountRef(id.to_string())),
            Wire::Code(code) => code.parse().map_err(serde::de::Error::custom),
        }
    }
}

impl JsonSchema for AccountRef {
    fn schema_name() -> Cow<'static, str> {
        "AccountRef".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer"] })
    }
}
