//! An argument that is a file's content: a path or `-` on the terminal, the text itself over MCP.

use std::{borrow::Cow, path::PathBuf, str::FromStr, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::{No, Result};
use crate::model::{hex, quoted};

/// The most bytes of a text sent as an argument.
const TEXT_BYTES_MAX: usize = 5 << 20;

/// A file's content and where it came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A path that is yet to be read; `-` is standard input.
    Path(PathBuf),
    /// The content.
    Bytes {
        /// The file's own name, where it had one.
        name: Option<String>,
        /// What it holds.
        bytes: Arc<Vec<u8>>,
        /// Whether it was sent as an argument, where smaller limits hold.
        sent: bool,
    },
}

impl Source {
    /// The most bytes that a file named on the terminal may have, where an operation does not say less.
    pub const BYTES_MAX: u64 = 512 << 20;

    /// The content. A path that was never loaded has none.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Source::Path(_) => &[],
            Source::Bytes { bytes, .. } => bytes,
        }
    }

    /// Whether the content was sent as an argument rather than named as a file.
    pub fn was_sent(&self) -> bool {
        matches!(self, Source::Bytes { sent: true, .. })
    }

    /// The SHA-256 of the content, in hex.
    pub fn sha256(&self) -> String {
        hex(&Sha256::digest(self.bytes()))
    }

    /// Content that was sent as an argument.
    pub(super) fn sent(bytes: Vec<u8>) -> Source {
        Source::Bytes {
            name: None,
            bytes: Arc::new(bytes),
            sent: true,
        }
    }

    /// The content, to be kept.
    pub fn shared(&self) -> Arc<Vec<u8>> {
        match self {
            Source::Path(_) => Arc::default(),
            Source::Bytes { bytes, .. } => Arc::clone(bytes),
        }
    }

    /// The file's own name, where it had one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Source::Path(_) => None,
            Source::Bytes { name, .. } => name.as_deref(),
        }
    }

    /// Reads the file that a path names, or standard input.
    ///
    /// Refuses: more than `bytes_max`.
    pub fn load(&mut self, bytes_max: u64) -> Result<()> {
        let Source::Path(path) = self else {
            return Ok(());
        };
        let read = if path.as_os_str() == "-" {
            crate::world::files::read_standard_input(bytes_max)
        } else {
            crate::world::files::read_file(path, bytes_max)
        };
        let bytes = read.map_err(|e| {
            No::argument("FILE", format!("{}: {e}", quoted(&path.to_string_lossy())))
        })?;
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .filter(|n| n != "-");
        *self = Source::Bytes {
            name,
            bytes: Arc::new(bytes),
            sent: false,
        };
        Ok(())
    }
}

impl FromStr for Source {
    type Err = String;
    fn from_str(s: &str) -> std::result::Result<Self, String> {
        if s.is_empty() {
            return Err("name a file, or - for standard input".to_owned());
        }
        Ok(Source::Path(PathBuf::from(s)))
    }
}

/// The content by its hash: enough to tell two calls apart, and nothing of a large file is repeated.
impl Serialize for Source {
    fn serialize<S: Serializer>(&self, s: S) -> std::result::Result<S::Ok, S::Error> {
        s.serialize_str(&format!("sha256:{}", self.sha256()))
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        if text.len() > TEXT_BYTES_MAX {
            let why = format!(
                "the text has {} bytes; at most {TEXT_BYTES_MAX} may be sent",
                text.len()
            );
            return Err(serde::de::Error::custom(why));
        }
        Ok(Source::sent(text.into_bytes()))
    }
}

impl JsonSchema for Source {
    fn schema_name() -> Cow<'static, str> {
        "Source".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
