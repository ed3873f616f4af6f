//! What can go wrong with paper, in the words that decide what the caller may say.

use std::{
    io,
    path::{Path, PathBuf},
};

use rustix::io::Errno;

use super::fold::FoldError;
use crate::model::{Refusal, quoted};

/// A failure of the store. None of these leaves a half-done change behind.
#[derive(thiserror::Error, Debug)]
pub enum StoreError {
    /// There are no books at this place.
    #[error("no books at {0}")]
    Absent(PathBuf),
    /// The books could not be reached now: locked, read-only, disk full. Nothing changed.
    #[error("{0}")]
    Unavailable(String),
    /// What stands in the place of a file or folder is not what must be there, or cannot be used. Nothing changed.
    #[error("{doing}: {} {why}", quoted(&.path.to_string_lossy()))]
    Unfit {
        /// What was being done.
        doing: String,
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it, as the end of a sentence about it.
        why: String,
        /// What to do.
        hint: &'static str,
    },
    /// What was asked cannot be done, by this code and for this reason. Nothing changed.
    #[error("{1}")]
    Refused(&'static str, String),
    /// A backup or a mirror is not what it must be, so that nothing was made of it. Nothing changed.
    #[error("{}", .0.message)]
    BadCopy(Box<Refusal>),
    /// A stored file is missing, or is not what was stored. The journal and every number are whole.
    #[error("{0}")]
    LostFile(String),
    /// The journal or its file is not what it must be.
    #[error("{0}")]
    Damaged(String),
    /// An older or another state stands where a newer one was seen.
    #[error("{why}")]
    RolledBack {
        /// What is wrong.
        why: String,
        /// What to do, the safest first.
        hint: String,
    },
    /// The commit itself failed; whether it took effect is not known.
    #[error("the commit failed and its outcome is not known: {0}")]
    OutcomeUnknown(String),
    /// A fault of the program itself; nothing changed.
    #[error("{0}")]
    Fault(String),
    /// An event does not fit the tables.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// SQLite failed at something.
    #[error("{doing}: {source}")]
    Sql {
        /// What was being done.
        doing: String,
        /// SQLite's word.
        source: rusqlite::Error,
    },
    /// The file system failed at something.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done, to what.
        doing: String,
        /// The system's word.
        source: io::Error,
    },
}

/// What [`out_of_room`] found.
pub(super) const NO_ROOM: &str = "nothing can be written beside these books; is the disk full?";

/// Whether there was no room for the index that SQLite keeps beside its log; it calls this a failure of input and output.
pub(super) fn out_of_room(source: &rusqlite::Error) -> bool {
    source
        .sqlite_error()
        .is_some_and(|e| e.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
}

/// Whether a statement of ours did not fit the file: a table, a column or an index is gone, or holds other
/// values than the journal gives.
fn not_as_made(source: &rusqlite::Error) -> bool {
    use rusqlite::Error as E;
    match source {
        E::InvalidColumnType(..)
        | E::IntegralValueOutOfRange(..)
        | E::FromSqlConversionFailure(..) => true,
        E::SqliteFailure(..) | E::SqlInputError { .. } => {
            let said = source.to_string();
            [
                "no such table",
                "no such column",
                "no such index",
                "has no column named",
                "integer overflow",
                "constraint failed",
            ]
            .iter()
            .any(|what| said.contains(what))
        }
        _ => false,
    }
}

/// What the store's functions give.
pub type StoreResult<T> = Result<T, StoreError>;

impl StoreError {
    /// A failure of SQLite while `doing` something, sorted by what it means for the caller.
    pub fn sql(doing: impl Into<String>, source: rusqlite::Error) -> StoreError {
        use rusqlite::ErrorCode as E;
        let doing = doing.into();
        match source.sqlite_error_code() {
            Some(E::DatabaseBusy | E::DatabaseLocked) => StoreError::Unavailable(format!(
                "{doing}: another process has been writing to these books for over 10 seconds; try again"
            )),
            Some(E::DiskFull) => StoreError::Unavailable(format!("{doing}: the disk is full")),
            _ if out_of_room(&source) => StoreError::Unavailable(format!("{doing}: {NO_ROOM}")),
            Some(E::CannotOpen | E::PermissionDenied) => {
                StoreError::Unavailable(format!("{doing}: {source}"))
            }
            Some(E::ReadOnly) => {
                StoreError::Unavailable(format!("{doing}: the books can only be read by this user"))
            }
            Some(E::DatabaseCorrupt | E::NotADatabase) => {
                StoreError::Damaged(format!("{doing}: the database file is damaged ({source})"))
            }
            _ if not_as_made(&source) => StoreError::Damaged(format!(
                "{doing}: the tables are not as they were made ({source})"
            )),
            _ => StoreError::Sql { doing, source },
        }
    }

    /// A file or folder cannot be used while `doing` something.
    pub(super) fn unfit(doing: &str, path: &Path, source: io::Error) -> StoreError {
        let move_away = "move away what stands there, or put back what must, and try again";
        let (why, hint) = match (Errno::from_io_error(&source), source.kind()) {
            (_, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            | (Some(Errno::INVAL | Errno::BADF | Errno::FAULT), _) => {
                return StoreError::io(doing, source);
            }
            (Some(Errno::ISDIR), _) | (None, io::ErrorKind::InvalidInput) => {
                ("is not a regular file".to_owned(), move_away)
            }
            (Some(Errno::NOTDIR), _) => {
                let why = "is no folder, or a part of its path is none";
                (why.to_owned(), move_away)
            }
            (Some(Errno::LOOP), _) => ("leads in a circle of links".to_owned(), move_away),
            (Some(Errno::NAMETOOLONG), _) => (
                "has a name that is too long".to_owned(),
                "give it a shorter name",
            ),
            (Some(Errno::ACCESS | Errno::PERM), _) => (
                format!("cannot be used by this user ({source})"),
                "let this user read and write it, and try again",
            ),
            (Some(Errno::NOENT), _) => ("is not there".to_owned(), "put it back, and try again"),
            _ => (format!("cannot be used ({source})"), move_away),
        };
        StoreError::Unfit {
            doing: doing.to_owned(),
            path: path.to_owned(),
            why,
            hint,
        }
    }

    /// A failure of the file system while `doing` something. What the surroundings do wrong is unavailable; a call that the
    /// program should not have made is its fault.
    pub fn io(doing: impl Into<String>, source: io::Error) -> StoreError {
        let doing = doing.into();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                StoreError::Unavailable(format!("{doing}: the disk is full"))
            }
            io::ErrorKind::FileTooLarge => StoreError::Unavailable(format!("{doing}: {source}")),
            _ => match Errno::from_io_error(&source) {
                None | Some(Errno::INVAL | Errno::BADF | Errno::FAULT) => {
                    StoreError::Io { doing, source }
                }
                Some(_) => StoreError::Unavailable(format!("{doing}: {source}")),
            },
        }
    }
}

/// Adds what was being done to SQLite's errors.
pub(super) trait Doing<T> {
    fn doing(self, doing: &str) -> StoreResult<T>;
}
impl<T> Doing<T> for rusqlite::Result<T> {
    fn doing(self, doing: &str) -> StoreResult<T> {
        self.map_err(|e| StoreError::sql(doing, e))
    }
}
impl<T> Doing<T> for io::Result<T> {
    fn doing(self, doing: &str) -> StoreResult<T> {
        self.map_err(|e| StoreError::io(doing, e))
    }
}

/// Adds what was being done and to which file or folder.
pub(super) trait At<T> {
    fn at(self, doing: &str, path: &Path) -> StoreResult<T>;
}
impl<T> At<T> for io::Result<T> {
    fn at(self, doing: &str, path: &Path) -> StoreResult<T> {
        self.map_err(|e| StoreError::unfit(doing, path, e))
    }
}
