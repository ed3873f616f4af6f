//! Files that travel in JSON as base64: an argument, and a part of a result. What is in them is not looked at.

use std::{
    borrow::Cow,
    ops::{Deref, DerefMut},
    str::FromStr,
    sync::Arc,
};

use data_encoding::BASE64;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Source;

/// The most bytes of a file that is sent or given: 25 MB.
pub const CONTENT_BYTES_MAX: usize = 25 << 20;

/// A file as an argument: a path or `-` on the terminal, its bytes in base64 over MCP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoded(Source);

impl Deref for Encoded {
    type Target = Source;
    fn deref(&self) -> &Source {
        &self.0
    }
}

impl DerefMut for Encoded {
    fn deref_mut(&mut self) -> &mut Source {
        &mut self.0
    }
}

impl FromStr for Encoded {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        s.parse().map(Encoded)
    }
}

impl Serialize for Encoded {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(s)
    }
}

impl<'de> Deserialize<'de> for Encoded {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        let refused = serde::de::Error::custom;
        // Before decoding: what is too long is not unpacked to say so.
        if text.len() > BASE64.encode_len(CONTENT_BYTES_MAX) {
            return Err(refused(format!(
                "the file has over {CONTENT_BYTES_MAX} bytes; that is the most that may be sent"
            )));
        }
        let bytes = BASE64
            .decode(text.as_bytes())
            .map_err(|e| refused(format!("the content is not base64: {e}")))?;
        Ok(Encoded(Source::sent(bytes)))
    }
}

impl JsonSchema for Encoded {
    fn schema_name() -> Cow<'static, str> {
        "Encoded".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// A file as a part of a result, in base64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content(pub Arc<[u8]>);

impl Content {
    /// The bytes that a result holds as text.
    pub fn decode(text: &str) -> Option<Vec<u8>> {
        BASE64.decode(text.as_bytes()).ok()
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&BASE64.encode(&self.0))
    }
}

impl JsonSchema for Content {
    fn schema_name() -> Cow<'static, str> {
        "Content".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes come out of base64 as they went in (RFC 4648, section 10), and what is no base64 is refused.
    #[test]
    fn base64() {
        let sent = |text: &str| serde_json::from_value::<Encoded>(text.into());
        assert_eq!(
            sent("Zm9vYg==").ok().map(|e| e.bytes().to_vec()),
            Some(b"foob".to_vec())
        );
        assert!(sent("").is_ok_and(|e| e.bytes().is_empty()));
        for bad in ["Zm9vYg", "Zm9vYg==\n", "Zm9v*g==", "_m9vYg=="] {
            assert!(sent(bad).is_err(), "{bad}");
        }
        let content = serde_json::to_value(Content(b"foob".as_slice().into()));
        assert_eq!(content.ok(), Some("Zm9vYg==".into()));
        assert_eq!(Content::decode("Zm9vYg=="), Some(b"foob".to_vec()));
        let long = "A".repeat(BASE64.encode_len(CONTENT_BYTES_MAX) + 4);
        assert!(sent(&long).is_err_and(|e| e.to_string().contains("26214400")));
    }
}
