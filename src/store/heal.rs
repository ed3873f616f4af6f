//! Mending what is derived: the tables are folded again from the journal, in place, in one transaction.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, backup::Backup};

use super::{
    Depth, Drift, Projection, Store, Verification,
    chain::Chain,
    fault::{Doing, StoreError, StoreResult},
    fold::Fold,
    head::Head,
    identity::is_replication,
    journal,
    mirror::{self, Mirror},
    open, verify,
};

/// Throws every table but the journal away and folds them again. The schema is made anew too.
///
/// Refuses a journal that does not hold: its first bad line is named and nothing is changed.
pub(super) fn refold(db: &Connection, projection: &Projection) -> StoreResult<()> {
    let doing = "folding the tables again";
    // Dropping a table would look its references up by indexes that may be what is broken; they are checked as a whole
    // before the commit. The switch has no effect within a transaction.
    db.pragma_update(None, "foreign_keys", false).doing(doing)?;
    let folded = refold_at_once(db, projection);
    let checked_again = db.pragma_update(None, "foreign_keys", true).doing(doing);
    folded.and(checked_again)
}

fn refold_at_once(db: &Connection, projection: &Projection) -> StoreResult<()> {
    db.execute_batch("BEGIN IMMEDIATE")
        .doing("beginning to fold the tables again")?;
    let folded = refold_within(db, projection).and_then(|()| references_hold(db));
    let end = if folded.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = db
        .execute_batch(end)
        .doing("ending to fold the tables again");
    folded.and(ended)
}

/// Refuses tables in which a row names another that is not there.
fn references_hold(db: &Connection) -> StoreResult<()> {
    let doing = "checking the references of the tables";
    let broken: Option<String> = db
        .query_row("PRAGMA foreign_key_check", [], |row| row.get(0))
        .optional()
        .doing(doing)?;
    broken.map_or(Ok(()), |table| {
        Err(StoreError::Damaged(format!(
            "{doing}: a row of {table} names one that is not there"
        )))
    })
}

fn refold_within(db: &Connection, projection: &Projection) -> StoreResult<()> {
    let doing = "folding the tables again";
    // A virtual table before the tables that it keeps itself in, which only go with it.
    let foreign: Vec<(String, String, String)> = db
        .prepare(
            "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE type IN ('trigger','view')
                  OR type='table' AND name<>'event' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                  ORDER BY type='table', type='view', sql NOT LIKE 'CREATE VIRTUAL%'",
        )
        .and_then(|mut s| {
            s.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect()
        })
        .doing(doing)?;
    for (kind, name, sql) in foreign {
        if is_replication(&sql) {
            continue;
        }
        let quoted = name.replace('"', "\"\"");
        db.execute_batch(&format!("DROP {kind} IF EXISTS \"{quoted}\""))
            .doing(doing)?;
    }
    let (table, triggers) = journal::DDL
        .split_once('\n')
        .expect("the journal's DDL is a table and two triggers");
    journal_as_made(db, table)?;
    db.execute_batch(triggers).doing(doing)?;
    db.execute_batch(open::STATE_DDL).doing(doing)?;
    for table in &projection.tables {
        db.execute_batch(&table.ddl()).doing(doing)?;
    }
    let head = fold_all(db, projection)?;
    db.execute(
        "INSERT INTO state VALUES(1, ?, ?, ?)",
        rusqlite::params![head.seq, head.hash, projection.fingerprint()],
    )
    .doing(doing)?;
    Ok(())
}

/// Makes the journal's own table anew, with the same lines, when it is not as it was made: a column or an index was added to
/// it, a constraint taken away. What proves the journal is the chain of its lines, which folding holds it to next; the table
/// around them proves nothing.
fn journal_as_made(db: &Connection, ddl: &str) -> StoreResult<()> {
    let doing = "making the journal's table anew";
    let found: Vec<Option<String>> = db
        .prepare("SELECT sql FROM sqlite_schema WHERE tbl_name='event'")
        .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
        .doing(doing)?;
    let wanted = ddl.trim_end_matches(';');
    if matches!(found.as_slice(), [Some(sql)] if sql == wanted) {
        return Ok(());
    }
    db.execute_batch(&format!(
        "ALTER TABLE event RENAME TO event_as_found; {ddl}
         INSERT INTO event(seq, body, hash) SELECT seq, body, hash FROM event_as_found ORDER BY seq;
         DROP TABLE event_as_found;"
    ))
    .doing(doing)
}

/// Folds every line of the journal into the (empty) tables, holding each to the chain.
fn fold_all(db: &Connection, projection: &Projection) -> StoreResult<Head> {
    let doing = "reading the journal";
    let mut chain = Chain::START;
    let mut statement = db
        .prepare("SELECT seq, body, hash FROM event ORDER BY seq")
        .doing(doing)?;
    let mut rows = statement.query([]).doing(doing)?;
    while let Some(row) = rows.next().doing(doing)? {
        let (body, hash) = (row.get_ref(1).doing(doing)?, row.get_ref(2).doing(doing)?);
        let line = body
            .as_str()
            .ok()
            .zip(hash.as_blob().ok())
            .ok_or_else(|| broken(&chain, "it is not text with a hash"))?;
        let (next, envelope) = chain
            .follow((row.get(0).doing(doing)?, line.0, line.1))
            .map_err(|why| broken(&chain, &why))?;
        (projection.fold)(&envelope, &mut Fold::replay(db))
            .map_err(|e| broken(&chain, &e.to_string()))?;
        chain = next;
    }
    chain.ended().map_err(|why| broken(&chain, &why))?;
    Ok(chain.head)
}

fn broken(chain: &Chain, why: &str) -> StoreError {
    StoreError::Damaged(format!(
        "the journal breaks at event {}: {why}",
        chain.head.seq + 1
    ))
}

/// A name in the data folder under which nothing is kept yet.
pub(super) fn free_name(
    data: &Path,
    (what, which): (&str, &str),
    ending: &str,
) -> StoreResult<PathBuf> {
    const TRIES: usize = 1_000;
    for n in 1..=TRIES {
        let number = if n == 1 {
            String::new()
        } else {
            format!("-{n}")
        };
        let path = data.join(format!("{what}.{which}{number}.{ending}"));
        if !open::exists(&path)? {
            return Ok(path);
        }
    }
    Err(StoreError::Unavailable(format!(
        "{TRIES} files named {what}.{which} are kept already; move them away"
    )))
}

/// What mending did.
#[derive(Debug)]
pub struct Healed {
    /// The differences that were found.
    pub drift: Vec<Drift>,
    /// Where the file as it was found is kept.
    pub kept: PathBuf,
}

impl Store {
    /// Verifies the journal and every table against it. A break closes the books to writing, and is remembered until a
    /// verification finds none.
    pub fn verify(&mut self, depth: Depth) -> StoreResult<Verification> {
        let found = verify::verify(
            &verify::Site {
                database: &self.paths.database(),
                access: self.access,
                blobs: &self.blobs(),
            },
            &self.projection,
            depth,
        )?;
        let broken = found.damage.as_ref().map(|damage| {
            format!(
                "the journal breaks at event {}: {}; the books are open for reading only",
                damage.seq, damage.why
            )
        });
        if broken.is_some() || self.broken {
            // A memory that cannot be kept is only an older one, and the break is told either way.
            let _ = self.remember_broken(broken.clone());
        }
        match broken {
            Some(why) => self.closed = Some(open::Closed::Damaged(why)),
            None if self.broken => {
                (self.broken, self.closed) = (false, None);
                self.check_rollback()?;
            }
            None => {}
        }
        Ok(found)
    }

    /// Keeps the file as it is beside the books and folds the tables again. `stamp` names the copy.
    pub fn heal(&mut self, found: &Verification, stamp: &str) -> StoreResult<Healed> {
        if let Some(closed) = self.closed.as_ref().filter(|_| !self.schema_differs()) {
            return Err(closed.error());
        }
        if let Some(damage) = &found.damage {
            return Err(StoreError::Damaged(format!(
                "the journal breaks at event {}: {}",
                damage.seq, damage.why
            )));
        }
        let kept = free_name(&self.paths.data, ("wanderbooks.mismatch", stamp), "db")?;
        self.copy_database(&kept)?;
        self.db.flush_prepared_statement_cache();
        if let Err(e) = refold(&self.db, &self.projection) {
            // Nothing was changed, so that the file is still where it was found; another try would keep another copy. The
            // error is what matters.
            let _ = std::fs::remove_file(&kept);
            return Err(e);
        }
        self.schema_made_anew()?;
        Ok(Healed {
            drift: found.drift.clone(),
            kept,
        })
    }

    /// Copies the database page for page into a new file, in one step so that it ends beside any writer.
    pub(super) fn copy_database(&self, target: &Path) -> StoreResult<()> {
        let doing = "copying the database";
        let made = crate::world::files::new_private_file(target).doing(doing)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Connection::open_with_flags(target, flags).doing(doing)?;
        // SQLite opens by name, and a name may have been swapped since.
        if !crate::world::files::is_open_again(&made).doing(doing)? {
            return Err(StoreError::Unavailable(format!(
                "{doing}: someone has put another file in its place meanwhile"
            )));
        }
        {
            let backup = Backup::new(&self.db, &mut copy).doing(doing)?;
            backup.step(-1).doing(doing)?;
        }
        // The copy stands alone: no log beside it.
        copy.pragma_update(None, "journal_mode", "DELETE")
            .doing(doing)?;
        copy.close().map_err(|(_, e)| e).doing(doing)?;
        // Not before: closing it would have let go of SQLite's locks on the file.
        drop(made);
        Ok(())
    }

    /// How the mirror stands to the journal. One that is only behind is brought up, when these books can be written to.
    pub fn check_mirror(&self) -> StoreResult<Mirror> {
        let path = self.paths.mirror();
        if let Some(other) = mirror::contradicts(&self.db, &path)? {
            return Err(StoreError::RolledBack {
                why: other.why,
                hint: other.hint,
            });
        }
        let found = mirror::compare(&self.db, &path)?;
        if matches!(found, Mirror::Behind(_)) && self.closed.is_none() {
            mirror::sync(&self.db, &path)?;
            if let differs @ Mirror::Differs(_) = mirror::compare(&self.db, &path)? {
                return Ok(differs);
            }
        }
        Ok(found)
    }

    /// Keeps the mirror as it is beside the books and writes it anew. `stamp` names the copy.
    pub fn mend_mirror(&self, stamp: &str) -> StoreResult<PathBuf> {
        if let Some(closed) = &self.closed {
            return Err(closed.error());
        }
        let kept = self.keep_mirror(stamp)?;
        mirror::rewrite(&self.db, &self.paths.mirror())?;
        Ok(kept)
    }

    /// Keeps a copy of the mirror as it is beside the books.
    pub(super) fn keep_mirror(&self, stamp: &str) -> StoreResult<PathBuf> {
        let doing = "keeping the mirror as it was found";
        let kept = free_name(&self.paths.data, ("journal.mismatch", stamp), "jsonl")?;
        let mut copy = crate::world::files::new_private_file(&kept).doing(doing)?;
        let mut found = std::fs::File::open(self.paths.mirror()).doing(doing)?;
        std::io::copy(&mut found, &mut copy).doing(doing)?;
        copy.sync_all().doing(doing)?;
        crate::world::files::sync_folder(&self.paths.data).doing(doing)?;
        Ok(kept)
    }

    /// The hash of event `seq`, in hex, if there is such an event.
    pub fn hash_at(&self, seq: i64) -> StoreResult<Option<String>> {
        Ok(journal::hash_at(&self.db, seq)?.map(|hash| crate::model::hex(&hash)))
    }
}
