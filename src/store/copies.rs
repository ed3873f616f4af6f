//! When the books were last backed up, and when a drill last found a backup as good as the books: noted beside the remembered
//! head, outside the books, so that a copy of them does not say of itself that it was backed up.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::fault::{Doing, StoreError, StoreResult};
use crate::world::files;

/// What is noted of some books' backups.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// The last backup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<CopyMade>,
    /// The last drill that found nothing wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drilled: Option<CopyMade>,
}

/// A copy of the books, by its moment.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct CopyMade {
    /// When it was made, UTC.
    pub at: String,
    /// The last event in it.
    pub seq: i64,
    /// Its hash, 64 hex digits.
    pub head: String,
}

fn file(state: &Path, books_id: &str) -> PathBuf {
    state.join(format!("backup-{books_id}.json"))
}

impl Copies {
    /// What is noted of the books of this id. Unreadable notes are an error, not an absence.
    pub fn of(state: &Path, books_id: &str) -> StoreResult<Copies> {
        const BYTES_MAX: u64 = 1 << 16;
        let doing = "reading when the books were last backed up";
        match files::read_file(&file(state, books_id), BYTES_MAX) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Copies::default()),
            Err(e) => Err(StoreError::Unavailable(format!("{doing}: {e}"))),
            // A power cut can leave a name without its content.
            Ok(bytes) if bytes.iter().all(|b| *b == 0) => Ok(Copies::default()),
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|e| StoreError::Unavailable(format!("{doing}: {e}"))),
        }
    }

    /// Notes it, through a temporary file. Not synced: a lost note only asks for another backup.
    pub fn keep(&self, state: &Path, books_id: &str) -> StoreResult<()> {
        let doing = "noting when the books were backed up";
        let text = serde_json::to_string(self)
            .map_err(io::Error::other)
            .doing(doing)?;
        files::make_private_folder(state).doing(doing)?;
        let path = file(state, books_id);
        let (mut out, temporary) = files::replacement(&path).doing(doing)?;
        out.write_all(text.as_bytes()).doing(doing)?;
        fs::rename(&temporary, &path).doing(doing)
    }
}
