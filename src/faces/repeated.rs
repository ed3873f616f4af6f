//! Keys that stand twice in JSON that a caller sent: the one check of both faces. What the JSON means is not read here.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// What both faces say of such arguments.
pub const SAID: &str = "a key stands twice in arguments";

/// Whether some object in `json`, at any depth, has one key twice.
///
/// Of two amounts under one key a parser keeps the last in silence; books must not depend on which one. A number that
/// is no integer ends the search: no argument of ours takes one, so the call is refused for it anyway. The parser
/// bounds the nesting.
pub fn repeats_a_key(json: &str) -> bool {
    let found = Cell::new(false);
    let mut deserializer = serde_json::Deserializer::from_str(json);
    // The error is either the repeated key, noted in `found`, or a value that the typed reading will refuse.
    let _ = Keys(&found).deserialize(&mut deserializer);
    found.get()
}

#[derive(Clone, Copy)]
struct Keys<'a>(&'a Cell<bool>);

impl<'de> DeserializeSeed<'de> for Keys<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value whose keys differ")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if !names.insert(name) {
                self.0.set(true);
                return Err(A::Error::custom("a key stands twice"));
            }
            map.next_value_seed(self)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key that stands twice in one object is found at any depth; the same key in two objects is no repetition.
    #[test]
    fn repeated_keys_are_found() {
        let cases = [
            (r#"{"a":1,"a":1}"#, true),
            (r#"{"a":1,"\u0061":2}"#, true),
            (r#"{"lines":[{"x":"1"},{"amount":"1","amount":"2"}]}"#, true),
            (r#"{"lines":[{"amount":"1"},{"amount":"2"}]}"#, false),
            (r#"{"a":{"a":{"a":null}},"b":true,"c":-1}"#, false),
            ("[1,2]", false),
        ];
        for (text, repeated) in cases {
            assert_eq!(repeats_a_key(text), repeated, "{text}");
        }
    }
}
