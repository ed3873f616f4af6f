//! The one way to change books and the one way to read a moment of them: a transaction each.

use std::sync::Arc;

use super::{
    Remembered, Store,
    blobs::Blob,
    fault::{Doing, StoreError, StoreResult},
    fold::{Fold, FoldResult},
    head::Head,
    journal::{self, Line},
    mirror,
    open::{Closed, books_id},
    view::View,
};

/// A change under way. Dropped without a commit, it never was.
pub struct Writing<'s> {
    store: &'s mut Store,
    start: Head,
    head: Head,
    /// Whether the last line said that another of its command follows.
    more: bool,
    open: bool,
    /// Files that the change brings, to be written before it is committed.
    blobs: Vec<Blob>,
}

/// A change that is durable, and what could not be done after it.
#[derive(Debug)]
pub struct Committed {
    /// Where the journal ends now.
    pub head: Head,
    /// Mirror or memory that could not be brought up to date. The change stands all the same.
    pub warnings: Vec<String>,
}

/// A moment of the books, for reading.
pub struct Reading<'s> {
    store: &'s Store,
}

impl Store {
    /// Begins a change: takes the only writer's lock, waiting at most ten seconds.
    pub fn write(&mut self) -> StoreResult<Writing<'_>> {
        if let Some(closed) = &self.closed {
            return Err(closed.error());
        }
        // A creation's first transaction is already open.
        if self.db.is_autocommit() {
            self.db
                .execute_batch("BEGIN IMMEDIATE")
                .doing("beginning a change")?;
        }
        let start = journal::head(&self.db)?;
        if let Err(e) = self.same_books(start) {
            self.db
                .execute_batch("ROLLBACK")
                .doing("undoing a change")?;
            return Err(e);
        }
        Ok(Writing {
            store: self,
            start,
            head: start,
            more: true,
            open: true,
            blobs: Vec::new(),
        })
    }

    /// Begins to read one moment of the books.
    pub fn read(&self) -> StoreResult<Reading<'_>> {
        self.db.execute_batch("BEGIN").doing("beginning to read")?;
        Ok(Reading { store: self })
    }
}

impl Reading<'_> {
    /// The tables at this moment.
    pub fn view(&self) -> View<'_> {
        self.store.view()
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        // Ending a read cannot lose anything; if it fails, the next BEGIN says so.
        let _ = self.store.db.execute_batch("ROLLBACK");
    }
}

impl Writing<'_> {
    /// The tables as they stand within the change.
    pub fn view(&self) -> View<'_> {
        self.store.view()
    }

    /// Where the journal ends, this change included.
    pub fn head(&self) -> Head {
        self.head
    }

    /// Where the journal ended before this change.
    pub fn start(&self) -> Head {
        self.start
    }

    /// The sequence number of the change's first line, which all its lines bear.
    pub fn txn(&self) -> i64 {
        self.start.seq + 1
    }

    /// Appends a line to the journal.
    ///
    /// Refuses: a line after one that was said to be the last.
    pub fn append(&mut self, line: &Line<'_>) -> StoreResult<Head> {
        if !self.more {
            return Err(StoreError::Fault(
                "a line after the last of its command".to_owned(),
            ));
        }
        self.head = journal::append(&self.store.db, &self.head, self.txn(), line)?;
        self.more = line.more;
        Ok(self.head)
    }

    /// Takes a file that the change speaks of, and gives the SHA-256 under which it will stand. It is written when the change
    /// is committed, and not at all when it is undone.
    pub fn keep(&mut self, bytes: Arc<Vec<u8>>) -> String {
        let blob = Blob::new(bytes);
        let sha256 = blob.sha256().to_owned();
        self.blobs.push(blob);
        sha256
    }

    /// Folds an event into the tables.
    pub fn fold(&mut self, fold: impl FnOnce(&mut Fold<'_>) -> FoldResult) -> StoreResult<()> {
        fold(&mut Fold::live(&self.store.db)).map_err(|e| match e {
            super::fold::FoldError::Sql { table, source } => {
                StoreError::sql(format!("writing table {table}"), source)
            }
            other => StoreError::Fold(other),
        })
    }

    /// Makes the change durable. This is the commit point: after it nothing turns the answer into a failure.
    ///
    /// Refuses: a change without lines, and one whose last line says that another follows.
    pub fn commit(mut self) -> StoreResult<Committed> {
        if self.more {
            return Err(StoreError::Fault(
                "a command without its last line".to_owned(),
            ));
        }
        if self.start == Head::EMPTY {
            self.store.books_id = books_id(&self.store.db)?;
            self.store.schema_made_anew()?;
        }
        // Before the commit: what the journal speaks of must be there, whenever the power goes.
        let placed = self.store.blobs().place(&self.blobs)?;
        if let Err(e) = self.seal() {
            placed.take_back();
            return Err(e);
        }
        if let Err(source) = self.store.db.execute_batch("COMMIT") {
            let failed = self.failed(source);
            if !matches!(failed, StoreError::OutcomeUnknown(_)) {
                placed.take_back();
            }
            return Err(failed);
        }
        self.open = false;
        Ok(self.afterwards())
    }

    /// Says in the tables how far they are folded.
    fn seal(&self) -> StoreResult<()> {
        self.store
            .db
            .prepare_cached("UPDATE state SET applied=?, head=?")
            .and_then(|mut s| s.execute(rusqlite::params![self.head.seq, self.head.hash]))
            .doing("writing how far the tables are folded")?;
        Ok(())
    }

    /// Brings mirror and memory up to date as well as can be.
    fn afterwards(&self) -> Committed {
        let mut warnings = Vec::new();
        if let Err(e) = mirror::sync(&self.store.db, &self.store.paths.mirror()) {
            warnings.push(format!(
                "the change is in the books; the journal's mirror is not up to date: {e}"
            ));
        }
        if let Err(e) = self.store.remember(self.head) {
            warnings.push(format!(
                "the change is in the books; their head could not be remembered: {e}"
            ));
        }
        Committed {
            head: self.head,
            warnings,
        }
    }

    /// A failed commit: nothing changed when it was undone and the journal ends where it did, else the outcome is not known.
    fn failed(&mut self, source: rusqlite::Error) -> StoreError {
        use rusqlite::ErrorCode as E;
        let db = &self.store.db;
        // On a full disk SQLite undoes the change by itself.
        let undone = db.is_autocommit() || db.execute_batch("ROLLBACK").is_ok();
        let as_before = undone && journal::head(db).is_ok_and(|head| head == self.start);
        self.open = false;
        match source.sqlite_error_code() {
            Some(E::DiskFull | E::DatabaseBusy) if as_before => {
                StoreError::sql("committing", source)
            }
            _ => {
                let why = source.to_string();
                self.store.closed = Some(Closed::Unknown(why.clone()));
                StoreError::OutcomeUnknown(why)
            }
        }
    }

    /// Undoes the change.
    pub fn rollback(mut self) -> StoreResult<()> {
        self.open = false;
        self.store
            .db
            .execute_batch("ROLLBACK")
            .doing("undoing a change")
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        if self.open
            && self.store.db.execute_batch("ROLLBACK").is_err()
            && !self.store.db.is_autocommit()
        {
            self.store.closed = Some(Closed::Unknown("a change could not be undone".to_owned()));
        }
    }
}

impl Store {
    /// Keeps the head outside the books.
    pub(super) fn remember(&self, head: Head) -> StoreResult<()> {
        self.keep_memory(head, None)
    }

    /// Keeps beside the head that the journal breaks, or that it does not any more.
    pub(super) fn remember_broken(&self, broken: Option<String>) -> StoreResult<()> {
        let head = journal::head(&self.db)?;
        self.keep_memory(head, broken)
    }

    fn keep_memory(&self, head: Head, broken: Option<String>) -> StoreResult<()> {
        // Books whose first event is damaged have no id to be remembered by.
        let Some(state) = self.state.as_ref().filter(|_| !self.books_id.is_empty()) else {
            return Ok(());
        };
        let memory = Remembered {
            books_id: self.books_id.clone(),
            path: self.paths.root.clone(),
            seq: head.seq,
            head: head.hex(),
            broken,
        };
        memory.keep(state)
    }
}
