//! The head of a journal, and the memory of it kept outside the books, by which an older state put back is noticed.

use std::{
    fmt, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::fault::{Doing, StoreError, StoreResult};
use crate::model::hex;

/// Where a journal ends: how many lines it has, and the last line's hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The last line's sequence number; 0 before the first.
    pub seq: i64,
    /// The last line's hash; zeros before the first.
    pub hash: [u8; 32],
}

impl Head {
    /// The head of a journal without lines.
    pub const EMPTY: Head = Head {
        seq: 0,
        hash: [0; 32],
    };

    /// The hash in 64 hex digits.
    pub fn hex(&self) -> String {
        hex(&self.hash)
    }

    /// The first 20 hex digits, which stand in answers and footers.
    pub fn short(&self) -> String {
        hex(&self.hash[..10])
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seq, self.short())
    }
}

/// The last head seen of some books, as a state file outside them keeps it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Remembered {
    /// The books' random id.
    pub books_id: String,
    /// The folder that held them.
    pub path: PathBuf,
    /// The last line's number.
    pub seq: i64,
    /// Its hash, 64 hex digits.
    pub head: String,
    /// When it was written, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The break of the journal that the last verification found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// The state file of a folder and the state file of a books id: two ways to the same memory.
fn files(state: &Path, path: &Path, books_id: &str) -> [PathBuf; 2] {
    [by_path(state, path), by_id(state, books_id)]
}
fn by_path(state: &Path, path: &Path) -> PathBuf {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    state.join(format!("path-{}.json", hex(&digest[..12])))
}
fn by_id(state: &Path, books_id: &str) -> PathBuf {
    state.join(format!("books-{books_id}.json"))
}

impl Remembered {
    /// Writes the memory, each file through a temporary one. Not synced: a lost memory is only an older one.
    pub(super) fn keep(&self, state: &Path) -> StoreResult<()> {
        let text = serde_json::to_string(self)
            .map_err(|e| StoreError::io("writing the remembered head", io::Error::other(e)))?;
        crate::world::files::make_private_folder(state)
            .doing("making the folder of remembered heads")?;
        for file in files(state, &self.path, &self.books_id) {
            let doing = "writing the remembered head";
            let (mut out, temporary) = crate::world::files::replacement(&file).doing(doing)?;
            out.write_all(text.as_bytes()).doing(doing)?;
            fs::rename(&temporary, &file).doing(doing)?;
        }
        Ok(())
    }

    /// What is remembered of books by their folder. An unreadable memory is an error, not an absence.
    pub(super) fn of_path(state: &Path, path: &Path) -> StoreResult<Option<Remembered>> {
        Self::read(&by_path(state, path))
    }

    /// What is remembered of books by their id.
    pub(super) fn of_id(state: &Path, books_id: &str) -> StoreResult<Option<Remembered>> {
        Self::read(&by_id(state, books_id))
    }

    fn read(file: &Path) -> StoreResult<Option<Remembered>> {
        const BYTES_MAX: u64 = 1 << 16;
        let doing = || format!("reading the remembered head {}", file.display());
        match crate::world::files::read_file(file, BYTES_MAX) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            // What is no file was put there by someone.
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::NotADirectory
                ) =>
            {
                Err(StoreError::Unavailable(format!("{}: {e}", doing())))
            }
            Err(e) => Err(StoreError::io(doing(), e)),
            // A power cut can leave a name without its content: then nothing is remembered, as if the name were gone too.
            Ok(bytes) if bytes.iter().all(|b| *b == 0) => Ok(None),
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|e| {
                StoreError::Unavailable(format!(
                    "the remembered head {} cannot be read ({e}); move it away if you accept the books as they are",
                    file.display()
                ))
            }),
        }
    }
}
