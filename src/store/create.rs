//! Making the database of new books, up to its first transaction.

use std::{path::Path, rc::Rc};

use rusqlite::{Connection, OpenFlags};

use super::{
    Projection, Store, connect,
    connect::Access,
    fault::{At, Doing, StoreError, StoreResult},
    identity,
    open::{APPLICATION_ID, FORMAT, absent, exists},
    paths::Paths,
};

impl Store {
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
        crate::world::files::make_private_folder(&paths.root).at(doing, &paths.root)?;
        crate::world::files::make_private_folder(&paths.data).at(doing, &paths.data)?;
        if !exists(&database)? {
            crate::world::files::new_private_file(&database).doing(doing)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&database, flags).doing(doing)?;
        connect::configure(&db).doing(doing)?;
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
        let file = identity::file_id(&database).doing(doing)?;
        Ok(Store {
            db,
            paths,
            projection,
            state: state.map(Path::to_owned),
            books_id: String::new(),
            file,
            schema: 0,
            access: Access::Shared,
            closed: None,
            broken: false,
            backup: false,
            rollback: Vec::new(),
            upgraded: false,
        })
    }
}
