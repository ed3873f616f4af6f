//! The outside of a message: how deep it nests, the members of its envelope, its id. The parameters stay unread text.

use std::fmt;

use rmcp::model::RequestId;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Members an envelope may have. JSON-RPC knows six; a few more are borne for extensions.
const MEMBERS_MAX: usize = 16;

/// Whether `text` opens more than `levels_max` arrays and objects inside one another.
///
/// Looks at brackets outside strings only and does not recurse, so that any depth costs one pass over the bytes. Says
/// nothing about whether the text is JSON.
pub(super) fn nests_deeper(text: &str, levels_max: usize) -> bool {
    let mut levels = 0_usize;
    let mut quoted = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match (quoted, byte) {
            (true, b'\\') => drop(bytes.next()),
            (_, b'"') => quoted = !quoted,
            (true, _) => {}
            (false, b'{' | b'[') => {
                levels = levels.saturating_add(1);
                if levels > levels_max {
                    return true;
                }
            }
            (false, b'}' | b']') => levels = levels.saturating_sub(1),
            (false, _) => {}
        }
    }
    false
}

/// A request's id, as far as it can be read.
#[derive(Debug, PartialEq)]
pub(super) enum Id {
    /// No member `id`.
    Absent,
    /// A string or an integer that fits 64 bits.
    Known(RequestId),
    /// Something else, or two of them.
    Unreadable,
}

/// The members of a JSON object, their values unread.
///
/// Reading one does not recurse into the values: `RawValue` is skipped over by a loop.
#[derive(Debug, Default)]
pub(super) struct Envelope<'a> {
    members: Vec<(String, &'a RawValue)>,
    repeated: Vec<String>,
    crowded: bool,
}

impl<'a> Envelope<'a> {
    /// Reads `text`, which must be one JSON object and nothing after it.
    pub fn read(text: &'a str) -> serde_json::Result<Envelope<'a>> {
        serde_json::from_str(text)
    }

    /// The text of a member.
    pub fn get(&self, name: &str) -> Option<&'a RawValue> {
        let found = self.members.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }

    /// Whether any member stands twice.
    pub fn repeats(&self) -> bool {
        !self.repeated.is_empty()
    }

    /// Whether there are more members than an envelope may have.
    pub fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// The id. `null` is unreadable: an answer to it could not be told from an answer to an unreadable line.
    pub fn id(&self) -> Id {
        let Some(raw) = self.get("id") else {
            return Id::Absent;
        };
        let scalar = raw
            .get()
            .starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit());
        if !scalar || self.repeated.iter().any(|name| name == "id") {
            return Id::Unreadable;
        }
        serde_json::from_str(raw.get()).map_or(Id::Unreadable, Id::Known)
    }

    /// The id, where it can be read.
    pub fn known_id(&self) -> Option<RequestId> {
        match self.id() {
            Id::Known(id) => Some(id),
            Id::Absent | Id::Unreadable => None,
        }
    }

    fn add(&mut self, name: String, value: &'a RawValue) {
        if self.get(&name).is_some() {
            self.repeated.push(name);
        } else {
            self.members.push((name, value));
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Envelope<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Envelope<'a>, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Envelope<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<'de>, A::Error> {
                let mut envelope = Envelope::default();
                while let Some(name) = map.next_key::<String>()? {
                    let seen = envelope.members.len() + envelope.repeated.len();
                    envelope.crowded |= seen >= MEMBERS_MAX;
                    if envelope.crowded {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        envelope.add(name, map.next_value()?);
                    }
                }
                Ok(envelope)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Nesting counts open brackets, not brackets in strings, and an escaped quote does not end a string.
    #[test]
    fn nesting_counts_brackets_outside_strings() {
        let cases = [
            ("[[[]]]", 3, false),
            ("[[[]]]", 2, true),
            (r#"{"a":{"b":[]}}"#, 3, false),
            (r#"{"a":{"b":[]}}"#, 2, true),
            ("[[],[],[]]", 2, false),
            (r#"["[[[[[["]"#, 1, false),
            (r#"["\"[[[[[["]"#, 1, false),
            (r#"["\\",[[]]]"#, 2, true),
            ("]]]][", 1, false),
            ("", 0, false),
        ];
        for (text, levels_max, deeper) in cases {
            assert_eq!(
                nests_deeper(text, levels_max),
                deeper,
                "{text} over {levels_max}"
            );
        }
    }

    /// 200,000 levels are found too deep, and their id is read, on a stack of 64 KiB: nothing recurses.
    #[test]
    fn deep_nesting_takes_no_stack() {
        let (open, close) = ("[".repeat(200_000), "]".repeat(200_000));
        let deep = format!(r#"{{"params":{open}{close},"id":7}}"#);
        let reader = thread::Builder::new().stack_size(64 * 1024);
        let read = reader.spawn(move || {
            let envelope = Envelope::read(&deep).expect("JSON");
            (nests_deeper(&deep, 64), envelope.id())
        });
        let read = read.expect("a thread").join().expect("no overflow");
        assert_eq!(read, (true, Id::Known(RequestId::Number(7))));
    }

    /// An envelope keeps its members as text, notes a repeated one, also when it is spelled with escapes, and bears
    /// sixteen.
    #[test]
    fn envelope_reads_members() {
        let envelope =
            Envelope::read(r#"{"id":1,"params":{"a":[ 1 ]},"\u0069d":2}"#).expect("JSON");
        assert_eq!(
            envelope.get("params").map(RawValue::get),
            Some(r#"{"a":[ 1 ]}"#)
        );
        assert!(envelope.repeats());
        assert_eq!(envelope.id(), Id::Unreadable);
        let members = |count: usize| {
            let all: Vec<String> = (0..count).map(|index| format!(r#""m{index}":0"#)).collect();
            format!("{{{}}}", all.join(","))
        };
        assert!(!Envelope::read(&members(16)).expect("JSON").is_crowded());
        assert!(Envelope::read(&members(17)).expect("JSON").is_crowded());
    }
}
