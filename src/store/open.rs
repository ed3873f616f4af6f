//! Opening and creating the database of books, with the checks that every opening makes: what the file is, that its
//! journal ends where it says, that no older state was put back.

use std::{
    io,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, OptionalExtension, config::DbConfig};

use super::{
    Projection,
    chain::Chain,
    fault::{Doing, NO_ROOM, StoreError, StoreResult, out_of_room},
    head::{Head, Remembered},
    heal, identity, journal, mirror,
    paths::Paths,
    view::View,
};

/// `application_id` of a database of books: "wbks".
const APPLICATION_ID: i64 = 0x7762_6b73;
/// `user_version`: the layout of the journal and state tables. Another layout is another number.
const FORMAT: i64 = 1;
const BUSY_WAIT: Duration = Duration::from_secs(10);

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
    pub(super) file: Option<(u64, u64)>,
    /// SQLite's count of schema changes when the schema was last looked at.
    pub(super) schema: i64,
    /// Why these books cannot be written to, when they cannot.
    pub(super) closed: Option<Closed>,
    /// Whether opening folded the tables again because another version of the program had folded them.
    pub upgraded: bool,
}

/// Why books are open for reading only.
#[derive(Clone, Debug)]
pub(super) enum Closed {
    ReadOnly(String),
    RolledBack(String),
    Damaged(String),
    /// The schema is not as it was made. Only upkeep may run, which makes it anew.
    Schema(String),
    Unknown(String),
}

impl Closed {
    pub(super) fn error(&self) -> StoreError {
        match self.clone() {
            Closed::ReadOnly(why) => StoreError::Unavailable(why),
            Closed::RolledBack(why) => StoreError::RolledBack(why),
            Closed::Damaged(why) | Closed::Schema(why) => StoreError::Damaged(why),
            Closed::Unknown(why) => StoreError::OutcomeUnknown(why),
        }
    }
}

/// The connection's settings. `synchronous=FULL` in WAL mode syncs once, at the commit.
fn configure(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(BUSY_WAIT)?;
    db.set_prepared_statement_cache_capacity(128);
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // Plans that do not look at bound values: SQLite would prepare hot questions again and again.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    db.execute_batch(
        "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;
         PRAGMA mmap_size=0; PRAGMA cache_size=-8192; PRAGMA temp_store=MEMORY; PRAGMA journal_size_limit=4194304;",
    )
}

/// A second connection to the same books that can only read.
pub(super) fn reader(path: &Path) -> StoreResult<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).doing("opening the books to read")?;
    configure(&db).doing("opening the books to read")?;
    Ok(db)
}

/// Whether the file can be asked at all.
fn usable(db: &Connection) -> rusqlite::Result<()> {
    configure(db)?;
    db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

/// Opens the database to write, else to read; with it the reason when it can only be read.
fn connect(path: &Path) -> StoreResult<(Connection, Option<Closed>)> {
    use rusqlite::ErrorCode as E;
    const BY_USER: &str = "these books can only be read by this user";
    let doing = "opening the books";
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags).and_then(|db| usable(&db).map(|()| db));
    match opened {
        Ok(db) => {
            let read_only = db.is_readonly("main").doing(doing)?;
            let closed = read_only.then(|| Closed::ReadOnly(BY_USER.to_owned()));
            Ok((db, closed))
        }
        Err(e) if out_of_room(&e) => {
            let db = connect_to_read(path, NO_ROOM)?;
            Ok((db, Some(Closed::ReadOnly(NO_ROOM.to_owned()))))
        }
        Err(e)
            if matches!(
                e.sqlite_error_code(),
                Some(E::ReadOnly | E::CannotOpen | E::PermissionDenied)
            ) =>
        {
            let db = connect_to_read(path, BY_USER)?;
            Ok((db, Some(Closed::ReadOnly(BY_USER.to_owned()))))
        }
        Err(e) => Err(StoreError::sql(doing, e)),
    }
}

/// Opens a database beside which nothing can be written: SQLite needs none of its side files when nothing is left in the log.
fn connect_to_read(path: &Path, why: &str) -> StoreResult<Connection> {
    let doing = "opening the books";
    let log = path.with_extension("db-wal");
    match std::fs::metadata(&log) {
        Ok(found) if found.len() > 0 => {
            return Err(StoreError::Unavailable(format!(
                "{doing}: {why}, and the last writer left its log behind; \
                 run any command once where and as who can write to them"
            )));
        }
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(StoreError::io(doing, e)),
        _ => {}
    }
    let uri = format!("file:{}?immutable=1", uri_path(path));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(uri, flags).doing(doing)?;
    usable(&db).doing(doing)?;
    Ok(db)
}

/// A path as the file part of a URI: everything but plain characters in percent form.
fn uri_path(path: &Path) -> String {
    path.as_os_str()
        .as_encoded_bytes()
        .iter()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                char::from(*b).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

pub(super) fn exists(path: &Path) -> StoreResult<bool> {
    match std::fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(StoreError::io(format!("looking at {}", path.display()), e)),
    }
}

/// Whether a database holds anything. One that cannot be asked is somebody's and not empty.
pub(super) fn begun(path: &Path) -> bool {
    let tables = reader(path).and_then(|db| {
        db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .doing("looking at the database")
    });
    !matches!(tables, Ok(0_i64))
}

/// No database: absent only when nothing says that there was one.
fn absent(paths: &Paths, state: Option<&Path>) -> StoreResult<StoreError> {
    let remembered = state
        .map(|s| Remembered::of_path(s, &paths.root))
        .transpose()?
        .flatten();
    if remembered.is_none() && !exists(&paths.mirror())? && !exists(&paths.blobs())? {
        return Ok(StoreError::Absent(paths.root.clone()));
    }
    Ok(StoreError::Damaged(format!(
        "the database {} is missing or empty, but {}; put it back from a backup, nothing was created",
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
        let file = identity::file_id(&database);
        let (db, closed) = connect(&database)?;
        let mut store = Store {
            db,
            paths,
            projection,
            state: state.map(Path::to_owned),
            books_id: String::new(),
            file,
            schema: 0,
            closed,
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

    /// The last line hashes to its hash, the tables are applied up to it, and this program's folds made them.
    fn check_head(&mut self) -> StoreResult<()> {
        let differs = self.schema_differs();
        let (head, end, state) = {
            // One moment: a writer may commit between two questions.
            let _moment = self.read()?;
            let head = journal::head(&self.db)?;
            let end = self.last_lines(head)?;
            let state = if differs { None } else { self.folded()? };
            (head, end, state)
        };
        if head == Head::EMPTY {
            return Err(StoreError::Damaged("the journal is empty".to_owned()));
        }
        if let Err(why) = end {
            self.closed = Some(Closed::Damaged(format!(
                "the journal breaks at its last event, {}: {why}",
                head.seq
            )));
        }
        let first = journal::body_at(&self.db, 1)?.unwrap_or_default();
        self.books_id = books_id(&first).unwrap_or_default();
        match state {
            Some((applied, projector)) if projector == self.projection.fingerprint() => {
                if applied != head && self.closed.is_none() {
                    self.refold("the tables were not folded up to the journal's head")?;
                }
            }
            // Upkeep makes the schema anew, and the tables with it.
            _ if differs => {}
            _ => {
                self.refold("another version of the program folded the tables")?;
                self.upgraded = true;
            }
        }
        Ok(())
    }

    /// How far the tables are folded, and by which folds.
    pub(super) fn folded(&self) -> StoreResult<Option<(Head, String)>> {
        self.db
            .query_row("SELECT applied, head, projector FROM state", [], |row| {
                Ok((
                    Head {
                        seq: row.get(0)?,
                        hash: row.get(1)?,
                    },
                    row.get::<_, String>(2)?,
                ))
            })
            .optional()
            .doing("reading how far the tables are folded")
    }

    /// Folds the tables again, when these books can be written to.
    fn refold(&mut self, why: &str) -> StoreResult<()> {
        if let Some(closed) = &self.closed {
            return Err(StoreError::Unavailable(format!(
                "{why}, and they cannot be folded again: {}",
                closed.error()
            )));
        }
        heal::refold(&self.db, &self.projection)?;
        self.schema_made_anew()
    }

    /// What is wrong with the journal's end, if anything: its last line must follow the one before it and end its command.
    fn last_lines(&self, head: Head) -> StoreResult<Result<(), String>> {
        let before = match head.seq - 1 {
            0 => Ok(Chain::START),
            seq => match journal::stored(&self.db, seq)? {
                Some((body, hash)) => Chain::after((seq, &body, &hash)),
                None => Err(format!("event {seq} is missing")),
            },
        };
        let last = journal::stored(&self.db, head.seq)?.unwrap_or_default();
        Ok(before.and_then(|chain| {
            let (chain, _) = chain.follow((head.seq, &last.0, &last.1))?;
            chain.ended()
        }))
    }

    /// Whether an older or other state was put back: against the remembered heads and the mirror.
    fn check_rollback(&mut self) -> StoreResult<()> {
        if self.closed.is_some() && !matches!(self.closed, Some(Closed::ReadOnly(_))) {
            return Ok(());
        }
        let mut alarm = mirror::longer(&self.db, &self.paths.mirror())?;
        if let Some(state) = &self.state {
            let by_path = Remembered::of_path(state, &self.paths.root)?;
            let by_id = Remembered::of_id(state, &self.books_id)?;
            if let Some(other) = by_path.as_ref().filter(|r| r.books_id != self.books_id) {
                alarm.get_or_insert(format!(
                    "other books (id {}) were last seen in this folder",
                    other.books_id
                ));
            }
            for seen in by_path
                .iter()
                .chain(&by_id)
                .filter(|r| r.books_id == self.books_id)
            {
                if let Some(why) = self.behind(seen)? {
                    alarm.get_or_insert(why);
                }
            }
        }
        if let Some(why) = alarm {
            self.closed = Some(Closed::RolledBack(format!(
                "{why}; the books are open for reading only until that is settled"
            )));
        }
        Ok(())
    }

    /// What is wrong if the journal does not extend a head seen before.
    fn behind(&self, seen: &Remembered) -> StoreResult<Option<String>> {
        let now = self.view().head()?;
        if now.seq < seen.seq {
            return Ok(Some(format!(
                "the journal ends at event {}, but event {} was seen: an older database was put back",
                now.seq, seen.seq
            )));
        }
        let hash = journal::hash_at(&self.db, seen.seq)?;
        Ok(hash.filter(|h| crate::model::hex(h) != seen.head).map(|_| {
            format!(
                "event {} is not the event that was seen there: the history is another one",
                seen.seq
            )
        }))
    }

    /// The tables, outside any transaction; for questions whose parts need not be of one moment.
    pub fn view(&self) -> View<'_> {
        View::new(&self.db)
    }

    /// Why these books can only be read, when that is so.
    pub fn alarm(&self) -> Option<StoreError> {
        self.closed.as_ref().map(Closed::error)
    }

    /// The books' random id, from their first event.
    pub fn books_id(&self) -> &str {
        &self.books_id
    }

    /// Where the parts lie.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// Makes an empty database, with its first transaction open: the caller records the first events and commits.
    ///
    /// Refuses: a folder that already has books, or whose mirror or stored files say that it had.
    pub fn create(
        paths: Paths,
        projection: Rc<Projection>,
        state: Option<&Path>,
    ) -> StoreResult<Store> {
        let doing = "making the books";
        let database = paths.database();
        if exists(&paths.mirror())? || exists(&paths.blobs())? {
            return Err(absent(&paths, state)?);
        }
        crate::world::files::make_private_folder(&paths.root).doing(doing)?;
        crate::world::files::make_private_folder(&paths.data).doing(doing)?;
        if !exists(&database)? {
            crate::world::files::new_private_file(&database).doing(doing)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&database, flags).doing(doing)?;
        configure(&db).doing(doing)?;
        db.pragma_update(None, "journal_mode", "WAL").doing(doing)?;
        db.execute_batch("BEGIN IMMEDIATE").doing(doing)?;
        let tables: i64 = db
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .doing(doing)?;
        if tables != 0 {
            return Err(StoreError::Unavailable(format!(
                "{} already holds books",
                paths.root.display()
            )));
        }
        db.execute_batch(&projection.ddl()).doing(doing)?;
        db.pragma_update(None, "application_id", APPLICATION_ID)
            .doing(doing)?;
        db.pragma_update(None, "user_version", FORMAT)
            .doing(doing)?;
        db.execute(
            "INSERT INTO state VALUES(1, 0, zeroblob(32), ?)",
            [projection.fingerprint()],
        )
        .doing(doing)?;
        crate::world::files::sync_folder(&paths.data).doing(doing)?;
        let file = identity::file_id(&database);
        Ok(Store {
            db,
            paths,
            projection,
            state: state.map(Path::to_owned),
            books_id: String::new(),
            file,
            schema: 0,
            closed: None,
            upgraded: false,
        })
    }
}

/// The random id in the first line of a journal.
pub(super) fn books_id(first_line: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Created {
        books_id: String,
    }
    let envelope: journal::Envelope<'_> = serde_json::from_str(first_line).ok()?;
    let created: Created = serde_json::from_str(envelope.data.get()).ok()?;
    Some(created.books_id)
}
