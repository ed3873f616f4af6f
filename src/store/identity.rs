//! Whether the books in hand are still the books that were opened, and their schema the one that this program makes: asked when
//! they are opened and before every change.

use std::{io, path::Path};

use super::{
    Store,
    fault::{Doing, StoreError, StoreResult},
    head::Head,
    open::Closed,
};

/// The tables that Litestream, which replicates the file while it is written to, keeps in it. Exactly so they are passed over:
/// nothing of ours reads them, and no trigger or index can hide in them.
///
/// Source: litestream 0.5.17, read from a replicated database.
const REPLICATION: &[&str] = &[
    "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
    "CREATE TABLE _litestream_lock (id INTEGER)",
];

/// Whether the schema's statement makes a table that is not of the books and may stand in their file.
pub(super) fn is_replication(sql: &str) -> bool {
    REPLICATION.contains(&sql)
}

/// What tells a file from another that has its name later.
pub(super) fn file_id(path: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map(|m| (m.dev(), m.ino()))
}

impl Store {
    /// Whether the schema is as this program makes it. A trigger planted in the file must not run even once.
    pub(super) fn check_schema(&mut self) -> StoreResult<()> {
        self.schema = self.schema_version()?;
        let projector = self.folded().ok().flatten().map(|(_, projector)| projector);
        if projector.is_some_and(|p| p != self.projection.fingerprint()) {
            // Other tables, made by another version: they are made anew before anything is written.
            return Ok(());
        }
        if !self.schema_is_as_made()? && self.closed.is_none() {
            self.closed = Some(Closed::Schema(
                "the database's schema is not as it was made; run wb verify, which makes it anew"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Whether every statement of the schema is one of this program's, but for what replication keeps.
    fn schema_is_as_made(&self) -> StoreResult<bool> {
        let doing = "reading the schema";
        let wanted = self.projection.ddl();
        let wanted: std::collections::BTreeSet<&str> = wanted
            .split(";\n")
            .map(str::trim)
            .filter(|sql| !sql.is_empty())
            .collect();
        let found: Vec<String> = self
            .db
            .prepare("SELECT coalesce(sql, name) FROM sqlite_schema WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4', 'sqlite_sequence')")
            .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
            .doing(doing)?;
        let found: Vec<String> = found
            .into_iter()
            .filter(|sql| !is_replication(sql))
            .collect();
        Ok(found.len() == wanted.len() && found.iter().all(|sql| wanted.contains(sql.as_str())))
    }

    /// The schema was made anew: books that were closed because of it are open again.
    pub(super) fn schema_made_anew(&mut self) -> StoreResult<()> {
        if self.schema_differs() {
            self.closed = None;
        }
        self.schema = self.schema_version()?;
        Ok(())
    }

    fn schema_version(&self) -> StoreResult<i64> {
        self.db
            .pragma_query_value(None, "schema_version", |row| row.get(0))
            .doing("reading the schema's version")
    }

    /// Whether the open file still has its name, and this program's folds still made its tables: a long-lived process must
    /// not write into a file that was replaced, nor beside another version of the program.
    pub(super) fn same_books(&mut self, head: Head) -> StoreResult<()> {
        match file_id(&self.paths.database()) {
            Ok(id) if id == self.file => {}
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(e).doing("looking at the database");
            }
            _ => {
                return Err(StoreError::RolledBack {
                    why: "another file was put in the database's place while it was open; start again"
                        .to_owned(),
                    hint: "start the program again: it then says how the file that is there stands to what was seen".to_owned(),
                });
            }
        }
        if self.books_id.is_empty() {
            // The first transaction of new books.
            return Ok(());
        }
        let folded = self.folded()?;
        let ours = self.projection.fingerprint();
        let same_folds = matches!(&folded, Some((_, projector)) if *projector == ours);
        let schema = self.schema_version()?;
        if same_folds && schema != self.schema {
            // Replication begins by adding its own tables, which are in nobody's way.
            if !self.schema_is_as_made()? {
                return Err(StoreError::Damaged(
                    "the database's schema was changed while it was open; start again, and run wb verify"
                        .to_owned(),
                ));
            }
            self.schema = schema;
        }
        match folded {
            Some((applied, _)) if applied == head && same_folds => Ok(()),
            _ => Err(StoreError::Unavailable(
                "another version of the program has folded these books' tables; start again"
                    .to_owned(),
            )),
        }
    }

    /// Whether the schema is not as it was made, which upkeep mends.
    pub fn schema_differs(&self) -> bool {
        matches!(self.closed, Some(Closed::Schema(_)))
    }
}
