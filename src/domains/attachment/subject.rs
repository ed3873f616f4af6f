//! What a file is linked to, as an argument, in events and in answers. Which kinds there are is told by the domains that offer
//! them.

use std::{borrow::Cow, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{
    engine::{Reader, Result, SubjectKey, SubjectKind},
    model::NAME_CHARS_MAX,
};

/// The kinds whose things are named by a code, a tag or a name, which digits can be; everything else is named by its id.
const NAMED: &[&str] = &["account", "asset", "party"];
/// What stands before an id in words where digits would be a name.
const ID: &str = "id:";

/// A reference to what a file is linked to: on the terminal `account:1000`, `entry:5` or `company`, in JSON a kind and an id,
/// which is text where it is a code, a tag or a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubjectRef {
    kind: String,
    key: Key,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Key {
    None,
    Id(i64),
    Name(String),
}

/// How it stands in JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<WireKey>,
}

#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "an id is a whole number, or text where it is a code, a tag or a name"
)]
enum WireKey {
    Id(i64),
    Name(String),
}

impl SubjectRef {
    /// One value for one reference, however it was written.
    fn of(kind: &str, name: Option<&str>) -> std::result::Result<SubjectRef, String> {
        let kind = kind.trim().to_owned();
        let key = match name.map(str::trim) {
            None => Key::None,
            Some("") => {
                return Err(format!(
                    "write what stands after {kind}:, or leave the colon out"
                ));
            }
            Some(name) if name.chars().count() > NAME_CHARS_MAX => {
                return Err(format!("a name has at most {NAME_CHARS_MAX} characters"));
            }
            Some(name) => match name.strip_prefix(ID).unwrap_or(name).parse::<i64>() {
                Ok(id) if name.starts_with(ID) || !NAMED.contains(&kind.as_str()) => Key::Id(id),
                _ => Key::Name(name.to_owned()),
            },
        };
        if kind.is_empty() {
            return Err("write a subject such as account:1000, entry:5 or company".to_owned());
        }
        Ok(SubjectRef { kind, key })
    }

    /// What it names.
    ///
    /// Refuses: a kind that no domain offers, and a reference that names nothing.
    pub fn resolve(&self, books: &Reader<'_>) -> Result<Subject> {
        let kind = books.subject_kind(&self.kind)?;
        let key = match &self.key {
            Key::None => SubjectKey::None,
            Key::Id(id) => SubjectKey::Id(*id),
            Key::Name(name) => SubjectKey::Name(name),
        };
        Ok(Subject {
            kind: kind.kind.to_owned(),
            id: (kind.find)(books, key)?,
        })
    }
}

impl FromStr for SubjectRef {
    type Err = String;
    fn from_str(s: &str) -> std::result::Result<Self, String> {
        match s.split_once(':') {
            None => SubjectRef::of(s, None),
            Some((kind, name)) => SubjectRef::of(kind, Some(name)),
        }
    }
}

impl Serialize for SubjectRef {
    fn serialize<S: Serializer>(&self, s: S) -> std::result::Result<S::Ok, S::Error> {
        let id = match &self.key {
            Key::None => None,
            Key::Id(id) => Some(WireKey::Id(*id)),
            Key::Name(name) => Some(WireKey::Name(name.clone())),
        };
        let kind = self.kind.clone();
        Wire { kind, id }.serialize(s)
    }
}

impl<'de> Deserialize<'de> for SubjectRef {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        let Wire { kind, id } = Wire::deserialize(d)?;
        match id {
            Some(WireKey::Id(id)) => SubjectRef::of(&kind, Some(&format!("{ID}{id}"))),
            Some(WireKey::Name(name)) => SubjectRef::of(&kind, Some(&name)),
            None => SubjectRef::of(&kind, None),
        }
        .map_err(de::Error::custom)
    }
}

impl JsonSchema for SubjectRef {
    fn schema_name() -> Cow<'static, str> {
        "SubjectRef".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "kind": {"type": "string", "description": "entry, company …"},
                "id": {"type": ["string", "integer"], "description": "Id or code"},
            },
            "required": ["kind"],
            "additionalProperties": false,
        })
    }
}

/// What a file is linked to, as the books keep it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// What kind of thing.
    pub kind: String,
    /// Which; left out where there is only one.
    #[serde(default, skip_serializing_if = "Subject::is_only")]
    pub id: i64,
}

impl Subject {
    /// The kind of entries. Of all kinds, this page knows but this word: what is filed on an entry is linked to it.
    pub const ENTRY: &str = "entry";

    /// The thing of a kind with an id.
    pub fn of(kind: &str, id: i64) -> Subject {
        Subject {
            kind: kind.to_owned(),
            id,
        }
    }

    /// An entry.
    pub fn entry(id: i64) -> Subject {
        Subject::of(Subject::ENTRY, id)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
    fn is_only(id: &i64) -> bool {
        *id == SubjectKind::ONLY
    }

    /// It as answers show it.
    pub fn shown(&self, books: &Reader<'_>) -> Result<Link> {
        let kind = books.subject_kind(&self.kind)?;
        Ok(Link {
            kind: kind.kind,
            id: (self.id != SubjectKind::ONLY).then_some(self.id),
            label: (kind.label)(books, self.id)?,
        })
    }
}

/// What a file is linked to.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// What kind of thing
    pub kind: &'static str,
    /// Which
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// What it is called
    pub label: String,
}

impl Link {
    /// It in words: `account 3: 1000 Checking`.
    pub fn words(&self) -> String {
        match self.id {
            Some(id) => format!("{} {id}: {}", self.kind, self.label),
            None => format!("{}: {}", self.kind, self.label),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words and JSON are the same value: digits after an account are its code, after anything without a code its id.
    #[test]
    fn words_and_json() {
        let words = |s: &str| s.parse::<SubjectRef>().ok();
        let json = |s: &str| serde_json::from_str::<SubjectRef>(s).ok();
        for (text, value) in [
            ("company", r#"{"kind":"company"}"#),
            ("entry:5", r#"{"kind":"entry","id":5}"#),
            ("entry:5", r#"{"kind":"entry","id":"5"}"#),
            ("entry:id:5", r#"{"kind":"entry","id":5}"#),
            ("account:1000", r#"{"kind":"account","id":"1000"}"#),
            ("account:id:3", r#"{"kind":"account","id":3}"#),
            (" account : 1000 ", r#"{"kind":"account","id":"1000"}"#),
            ("party:A: B", r#"{"kind":"party","id":"A: B"}"#),
        ] {
            let value = json(value);
            assert!(value.is_some() && words(text) == value, "{text}: {value:?}");
            let again = serde_json::to_string(&value).ok();
            assert_eq!(again.as_deref().and_then(json), value, "{text}");
        }
        assert_ne!(words("account:3"), words("account:id:3"));
        for bad in ["", ":", ":5", "entry:", "entry: "] {
            assert_eq!(words(bad), None, "{bad:?}");
        }
        assert_eq!(json(r#"{"kind":"entry","id":5,"also":1}"#), None);
    }
}
