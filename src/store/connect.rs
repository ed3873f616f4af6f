//! Connections to the database of books: to write, to read beside writers, and to read where nothing can be written.

use std::{io, path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use super::{
    fault::{Doing, NO_ROOM, StoreError, StoreResult, out_of_room},
    open::Closed,
};

const BUSY_WAIT: Duration = Duration::from_secs(10);

/// How a database can be opened to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// With the files that SQLite keeps beside it, which writers share.
    Shared,
    /// Without them: nothing can be written beside it, and its log is empty.
    Immutable,
}

/// The connection's settings. `synchronous=FULL` in WAL mode syncs once, at the commit.
pub(super) fn configure(db: &Connection) -> rusqlite::Result<()> {
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
pub(super) fn reader(path: &Path, access: Access) -> StoreResult<Connection> {
    let doing = "opening the books to read";
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = match access {
        Access::Shared => Connection::open_with_flags(path, flags),
        Access::Immutable => {
            let uri = format!("file:{}?immutable=1", uri_path(path));
            Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)
        }
    };
    let db = db.doing(doing)?;
    configure(&db).doing(doing)?;
    Ok(db)
}

/// Whether the file can be asked at all.
fn usable(db: &Connection) -> rusqlite::Result<()> {
    configure(db)?;
    db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

/// Opens the database to write, else to read; with it how others may be opened beside it, and the reason when it can only be read.
pub(super) fn connect(path: &Path) -> StoreResult<(Connection, Access, Option<Closed>)> {
    use rusqlite::ErrorCode as E;
    const BY_USER: &str = "these books can only be read by this user";
    let doing = "opening the books";
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags).and_then(|db| usable(&db).map(|()| db));
    match opened {
        Ok(db) => {
            let read_only = db.is_readonly("main").doing(doing)?;
            let closed = read_only.then(|| Closed::ReadOnly(BY_USER.to_owned()));
            Ok((db, Access::Shared, closed))
        }
        Err(e) if out_of_room(&e) => {
            let db = connect_to_read(path, NO_ROOM)?;
            Ok((
                db,
                Access::Immutable,
                Some(Closed::ReadOnly(NO_ROOM.to_owned())),
            ))
        }
        Err(e)
            if matches!(
                e.sqlite_error_code(),
                Some(E::ReadOnly | E::CannotOpen | E::PermissionDenied)
            ) =>
        {
            let db = connect_to_read(path, BY_USER)?;
            Ok((
                db,
                Access::Immutable,
                Some(Closed::ReadOnly(BY_USER.to_owned())),
            ))
        }
        Err(e) => Err(StoreError::sql(doing, e)),
    }
}

/// What a backup says to whoever would change it.
pub(super) const A_BACKUP: &str =
    "this is a backup; restore it with `wb restore BACKUP --into NEW`, and work in the new folder";

/// Opens the database of a backup to look at it: nothing is written into it or beside it.
pub(super) fn connect_to_look(path: &Path) -> StoreResult<(Connection, Access, Option<Closed>)> {
    let db = connect_to_read(path, A_BACKUP)?;
    let closed = Closed::ReadOnly(A_BACKUP.to_owned());
    Ok((db, Access::Immutable, Some(closed)))
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
    let db = reader(path, Access::Immutable)?;
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

/// Whether a database holds anything. One that cannot be asked is somebody's and not empty.
pub(super) fn begun(path: &Path) -> bool {
    let tables = reader(path, Access::Shared).and_then(|db| {
        db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .doing("looking at the database")
    });
    !matches!(tables, Ok(0_i64))
}
