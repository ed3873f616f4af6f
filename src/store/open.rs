//! Open books, and opening them: what the file is, and in what order it is asked where it stands.

use std::{
    io,
    path::{Path, PathBuf},
    rc::Rc,
};

use rusqlite::Connection;

use super::{
    Projection,
    blobs::Blobs,
    connect::{Access, connect, connect_to_look},
    fault::{Doing, StoreError, StoreResult},
    head::Remembered,
    identity, journal,
    paths::Paths,
    standing::Rollback,
    view::View,
};

/// `application_id` of a database of books: "wbks".
pub(super) const APPLICATION_ID: i64 = 0x7762_6b73;
/// `user_version`: the layout of the journal and state tables. Another layout is another number.
pub(super) const FORMAT: i64 = 1;

pub(super) const STATE_DDL: &str = "\
CREATE TABLE state(id INTEGER PRIMARY KEY CHECK(id=1), applied INTEGER NOT NULL, head BLOB NOT NULL, projector TEXT NOT NULL) STRICT;
";

/// Open books.
pub struct Store {
    pub(super) db: Connection,
    pub(super) paths: Paths,
    pub(super) projection: Rc<Projection>,
    pub(super) state: Option<PathBuf>,
    pub(super) books_id: String,
    /// Device and inode of the database file, by which a file put in its place is noticed.
    pub(super) file: (u64, u64),
    /// SQLite's count of schema changes when the schema was last looked at.
    pub(super) schema: i64,
    /// How further connections are opened to read.
    pub(super) access: Access,
    /// Why these books cannot be written to, when they cannot.
    pub(super) closed: Option<Closed>,
    /// Whether the books are closed because an earlier verification found a break.
    pub(super) broken: bool,
    /// Whether this is a backup, beside which nothing is written.
    pub(super) backup: bool,
    /// The newer or other states that were seen of these books.
    pub(super) rollback: Vec<Rollback>,
    /// Whether opening folded the tables again because another version of the program had folded them.
    pub upgraded: bool,
}

/// Why books are open for reading only.
#[derive(Clone, Debug)]
pub(super) enum Closed {
    ReadOnly(String),
    RolledBack {
        why: String,
        hint: String,
    },
    Damaged(String),
    /// The schema is not as it was made. Only upkeep may run, which makes it anew.
    Schema(String),
    Unknown(String),
}

impl Closed {
    pub(super) fn error(&self) -> StoreError {
        match self.clone() {
            Closed::ReadOnly(why) => StoreError::Unavailable(why),
            Closed::RolledBack { why, hint } => StoreError::RolledBack { why, hint },
            Closed::Damaged(why) | Closed::Schema(why) => StoreError::Damaged(why),
            Closed::Unknown(why) => StoreError::OutcomeUnknown(why),
        }
    }
}

pub(super) fn exists(path: &Path) -> StoreResult<bool> {
    match std::fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(StoreError::unfit("looking at the books", path, e)),
    }
}

/// No database: absent only when nothing says that there was one.
pub(super) fn absent(paths: &Paths, state: Option<&Path>) -> StoreResult<StoreError> {
    let remembered = state
        .map(|s| Remembered::of_path(s, &paths.root))
        .transpose()?
        .flatten();
    if remembered.is_none() && !exists(&paths.mirror())? && !exists(&paths.blobs())? {
        return Ok(StoreError::Absent(paths.root.clone()));
    }
    Ok(StoreError::Damaged(format!(
        "the database {} is missing or empty, but {}; nothing was created",
        paths.database().display(),
        match remembered {
            Some(r) => format!("these books were seen with {} events", r.seq),
            None => "a journal mirror or stored files lie beside it".to_owned(),
        }
    )))
}

impl Store {
    /// Opens books and makes the head check. What forbids writing but not reading is kept in [`Store::alarm`].
    pub fn open(
        paths: Paths,
        projection: Rc<Projection>,
        state: Option<&Path>,
    ) -> StoreResult<Store> {
        if !exists(&paths.database())? {
            return Err(absent(&paths, state)?);
        }
        let database = paths.database();
        let found = std::fs::metadata(&database).doing("looking at the database")?;
        if !found.is_file() {
            return Err(StoreError::Damaged(format!(
                "{} is not a file",
                database.display()
            )));
        }
        let file = identity::file_id(&database).doing("looking at the database")?;
        let backup = paths.are_a_backup()?;
        let (db, access, closed) = if backup {
            connect_to_look(&database)?
        } else {
            connect(&database)?
        };
        // What was seen of the books themselves says nothing of their backup.
        let state = state.filter(|_| !backup);
        let mut store = Store {
            db,
            paths,
            projection,
            state: state.map(Path::to_owned),
            books_id: String::new(),
            file,
            schema: 0,
            access,
            closed,
            broken: false,
            backup,
            rollback: Vec::new(),
            upgraded: false,
        };
        store.identify()?;
        store.check_schema()?;
        store.check_head()?;
        store.check_rollback()?;
        Ok(store)
    }

    /// Whether the file is a database of books that this program can read.
    fn identify(&self) -> StoreResult<()> {
        let pragma = |name| {
            self.db
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .doing("reading what the database is")
        };
        let tables: i64 = self
            .db
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .doing("reading what the database is")?;
        if tables == 0 {
            // Creation was cut off before its one transaction, unless something says that there were books.
            return Err(absent(&self.paths, self.state.as_deref())?);
        }
        if pragma("application_id")? != APPLICATION_ID {
            return Err(StoreError::Damaged(format!(
                "{} is not a database of books",
                self.paths.database().display()
            )));
        }
        match pragma("user_version")? {
            FORMAT => Ok(()),
            other => Err(StoreError::Unavailable(format!(
                "these books have format {other}, this program knows format {FORMAT}; use the program that made them"
            ))),
        }
    }

    /// The tables, outside any transaction; for questions whose parts need not be of one moment.
    pub fn view(&self) -> View<'_> {
        View::new(&self.db)
    }

    /// Why these books can only be read, when that is so.
    pub fn alarm(&self) -> Option<StoreError> {
        self.closed.as_ref().map(Closed::error)
    }

    /// Whether the books are closed because an older or other state stands here.
    pub fn is_rolled_back(&self) -> bool {
        matches!(self.closed, Some(Closed::RolledBack { .. }))
    }

    /// Whether this is a backup, which is only looked at.
    pub fn is_backup(&self) -> bool {
        self.backup
    }

    /// The books' random id, from their first event.
    pub fn books_id(&self) -> &str {
        &self.books_id
    }

    /// The stored files.
    pub fn blobs(&self) -> Blobs {
        Blobs::of(&self.paths)
    }

    /// Where the parts lie.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }
}

/// The random id in the first line of a journal.
///
/// Refuses: a journal whose first line is not there, does not have its hash, or does not make books. An id that a changed line
/// gives would be remembered as that of other books.
pub(super) fn books_id(db: &Connection) -> StoreResult<String> {
    #[derive(serde::Deserialize)]
    struct Created {
        books_id: String,
    }
    let first = View::new(db).proven_line(1)?.unwrap_or_default();
    let created = serde_json::from_str::<journal::Envelope<'_>>(&first)
        .and_then(|line| serde_json::from_str::<Created>(line.data));
    created.map(|created| created.books_id).map_err(|_| {
        let why = "the journal breaks at event 1, which does not make books";
        StoreError::Damaged(why.to_owned())
    })
}
