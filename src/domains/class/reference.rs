//! How a class is named in an argument. Which class that is, the table says.

use std::{borrow::Cow, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::quoted;

/// What stands before an id; no class's name begins so.
pub const ID: &str = "id:";

/// A reference to a class: its name, its id, or `id:` and its id. In JSON a whole number is what its digits are as text, so
/// that words and JSON never name two things.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClassRef(String);

impl ClassRef {
    /// A reference to the class with this id.
    pub fn of_id(id: i64) -> ClassRef {
        ClassRef(format!("{ID}{id}"))
    }

    /// What was written, without blanks around it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id, where it names nothing else.
    pub fn id(&self) -> Option<i64> {
        self.0.strip_prefix(ID)?.parse().ok()
    }

    /// The id that it could be: that of `id:3`, and of a bare 3.
    pub fn possible_id(&self) -> Option<i64> {
        let bare = |id: &i64| id.to_string() == self.0;
        self.id().or_else(|| self.0.parse().ok().filter(bare))
    }
}

impl FromStr for ClassRef {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let text = s.trim();
        if text.is_empty() {
            return Err("name a class by its name, or by id: and its id".to_owned());
        }
        let reference = ClassRef(text.to_owned());
        if text.starts_with(ID) && reference.id().is_none() {
            return Err(format!("{} is no id: write id:3", quoted(s)));
        }
        // One spelling for one id, so that one call is one call.
        Ok(reference.id().map_or(reference, ClassRef::of_id))
    }
}

impl fmt::Display for ClassRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for ClassRef {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ClassRef {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "a class is its name (text) or its id (whole number)"
        )]
        enum Wire {
            Id(i64),
            Name(String),
        }
        let text = match Wire::deserialize(d)? {
            Wire::Id(id) => id.to_string(),
            Wire::Name(name) => name,
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for ClassRef {
    fn schema_name() -> Cow<'static, str> {
        "ClassRef".into()
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

    /// Words and JSON give the same reference, whether a number stands in JSON as text or not.
    #[test]
    fn spellings() {
        let words = |s: &str| s.parse::<ClassRef>().ok();
        let json = |s: &str| serde_json::from_str::<ClassRef>(s).ok();
        assert_eq!(words(" Rondo "), json("\"Rondo\""));
        assert_eq!(words("3"), json("3"));
        assert_eq!(words("3"), json("\"3\""));
        assert_eq!(words("id:03"), json("\"id:3\""));
        let ids = |s: &str| words(s).map(|r| (r.id(), r.possible_id()));
        assert_eq!(ids("3"), Some((None, Some(3))));
        assert_eq!(ids("id:3"), Some((Some(3), Some(3))));
        assert_eq!(ids("03"), Some((None, None)));
        for bad in ["", " ", "id:", "id:x", "id:1.5"] {
            assert_eq!(words(bad), None, "{bad:?}");
        }
    }
}
