//! What an account is, and how one is named in an argument.

use std::{borrow::Cow, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::{AccountType, Refusal, quoted};

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

/// Why nothing new may stand on, or under, an account that is out of use.
pub fn account_archived(code: &str) -> Refusal {
    let message = format!("account {} is archived; it takes nothing new", quoted(code));
    let again = format!("take it back into use with `wb account update {code} --archived false`");
    Refusal::new("account_archived", message)
        .with("account", code)
        .remedy("books.update_account", again)
}

/// What stands before an id in words; no code holds a colon.
const ID: &str = "id:";

/// A reference to an account: its code, or `id:` and its id. In JSON text is a code and a whole number an id, so that the
/// two are never mistaken for one another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AccountRef(String);

impl AccountRef {
    /// A reference to what `text` names.
    pub fn new(text: impl Into<String>) -> AccountRef {
        AccountRef(text.into().trim().to_owned())
    }
    /// A reference to the account with this id.
    pub fn of_id(id: i64) -> AccountRef {
        AccountRef(format!("{ID}{id}"))
    }
    /// What was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
    /// The id, when it names one.
    pub fn id(&self) -> Option<i64> {
        self.0.strip_prefix(ID)?.parse().ok()
    }
}

impl FromStr for AccountRef {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        if s.trim().is_empty() {
            return Err("name an account by its code, or by id: and its id".to_owned());
        }
        let reference = AccountRef::new(s);
        if reference.0.starts_with(ID) && reference.id().is_none() {
            return Err(format!("{} is no id: write id:10", quoted(s)));
        }
        // One spelling for one id, so that words and JSON are the same value.
        Ok(reference.id().map_or(reference, AccountRef::of_id))
    }
}

impl Serialize for AccountRef {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.id() {
            Some(id) => s.serialize_i64(id),
            None => s.serialize_str(&self.0),
        }
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
            Wire::Id(id) => Ok(AccountRef::of_id(id)),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A bare number in words is a code; `id:` names an id, which is a whole number in JSON and nothing else.
    #[test]
    fn codes_and_ids() {
        let words = |s: &str| s.parse::<AccountRef>().ok();
        let json = |s: &str| serde_json::from_str::<AccountRef>(s).ok();
        assert_eq!(words(" 10 "), json("\"10\""));
        assert_eq!(words("10").and_then(|r| r.id()), None);
        assert_eq!(words("id:10"), json("10"));
        assert_eq!(words("id:010"), json("10"));
        assert_eq!(json("10").and_then(|r| r.id()), Some(10));
        let text = serde_json::to_string(&words("id:10")).ok();
        assert_eq!(text.as_deref(), Some("10"));
        for bad in ["", " ", "id:", "id:x", "id:1.5"] {
            assert_eq!(words(bad), None, "{bad:?}");
        }
    }
}
