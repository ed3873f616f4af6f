//! Where opened books stand: whether the journal ends as it must, its tables are folded up to it by this program's folds,
//! and no older or other state was put in its place.

use rusqlite::OptionalExtension;

use super::{
    Store,
    chain::Chain,
    fault::{Doing, StoreError, StoreResult},
    head::{Head, Remembered},
    heal, journal,
    mirror::{self, ACCEPT},
    open::{Closed, books_id},
};

/// A newer or other state that was seen of some books.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rollback {
    /// Its last event.
    pub seq: i64,
    /// That event's hash, 64 hex digits.
    pub head: String,
    /// What is wrong with the books here.
    pub why: String,
    /// What to do about it.
    pub hint: String,
    /// Who knows of it.
    pub witness: Witness,
}

/// Who knows of a newer or other state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Witness {
    /// The journal's mirror.
    Mirror,
    /// The journal's mirror, which has all of the journal here and goes on from it.
    MirrorGoesOn,
    /// The head that is remembered of these books.
    Memory,
    /// The head that is remembered of the books of this id, which lay in this folder.
    OtherBooks(String),
}

impl Store {
    /// The last line hashes to its hash, the tables are applied up to it, and this program's folds made them.
    pub(super) fn check_head(&mut self) -> StoreResult<()> {
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
                "the journal breaks at its end, at event {} or the one before: {why}",
                head.seq
            )));
        }
        match books_id(&self.db) {
            Ok(id) => self.books_id = id,
            // What else is told can still be read.
            Err(StoreError::Damaged(why)) => self.closed = Some(Closed::Damaged(why)),
            Err(other) => return Err(other),
        }
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

    /// Folds the tables again, when these books can be written to. Damage stays damage, whatever else cannot be done.
    fn refold(&mut self, why: &str) -> StoreResult<()> {
        match &self.closed {
            None => {}
            Some(Closed::ReadOnly(closed)) => {
                return Err(StoreError::Unavailable(format!(
                    "{why}, and they cannot be folded again: {closed}"
                )));
            }
            Some(closed) => return Err(closed.error()),
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
    pub(super) fn check_rollback(&mut self) -> StoreResult<()> {
        // A mirror in a backup's folder is none of its own.
        if self.backup || self.closed.is_some() && !matches!(self.closed, Some(Closed::ReadOnly(_)))
        {
            return Ok(());
        }
        let mut broken = None;
        self.rollback.clear();
        if let Some(other) = mirror::contradicts(&self.db, &self.paths.mirror())? {
            self.rollback.push(Rollback {
                seq: other.head.seq,
                head: other.head.hex(),
                why: other.why,
                hint: other.hint,
                witness: match other.goes_on {
                    true => Witness::MirrorGoesOn,
                    false => Witness::Mirror,
                },
            });
        }
        if let Some(state) = &self.state {
            let by_path = Remembered::of_path(state, &self.paths.root)?;
            let by_id = Remembered::of_id(state, &self.books_id)?;
            if let Some(other) = by_path.as_ref().filter(|r| r.books_id != self.books_id) {
                self.rollback.push(Rollback {
                    seq: other.seq,
                    head: other.head.clone(),
                    why: format!(
                        "other books (id {}) were last seen in this folder",
                        other.books_id
                    ),
                    hint: format!(
                        "put the books that belong here back; where they are lost, {ACCEPT}"
                    ),
                    witness: Witness::OtherBooks(other.books_id.clone()),
                });
            }
            for seen in by_path
                .iter()
                .chain(&by_id)
                .filter(|r| r.books_id == self.books_id)
            {
                if let Some((why, hint)) = self.behind(seen)? {
                    self.rollback.push(Rollback {
                        seq: seen.seq,
                        head: seen.head.clone(),
                        why,
                        hint,
                        witness: Witness::Memory,
                    });
                }
                if let Some(why) = &seen.broken {
                    broken.get_or_insert_with(|| why.clone());
                }
            }
        }
        if let Some(why) = broken {
            self.broken = true;
            self.closed = Some(Closed::Damaged(why));
        } else if let Some(first) = self.rollback.first() {
            self.closed = Some(Closed::RolledBack {
                why: format!(
                    "{}; the books are open for reading only until that is settled",
                    first.why
                ),
                hint: first.hint.clone(),
            });
        }
        Ok(())
    }

    /// What is wrong if the journal does not extend a head seen before, and what to do about it.
    fn behind(&self, seen: &Remembered) -> StoreResult<Option<(String, String)>> {
        let now = self.view().head()?;
        let hash = journal::hash_at(&self.db, seen.seq)?;
        if hash.is_some_and(|hash| crate::model::hex(&hash) == seen.head) {
            return Ok(None);
        }
        let copy = crate::model::quoted(&seen.path.to_string_lossy());
        // A folder that cannot be looked at may well be there.
        let place = match seen.path == self.paths.root {
            true => Place::Here,
            false if seen.path.try_exists().unwrap_or(true) => Place::There,
            false => Place::Gone,
        };
        let (seq, ends) = (seen.seq, now.seq);
        let why = match (ends < seq, place) {
            (true, Place::Here) => format!(
                "the journal ends at event {ends}, but event {seq} was seen: an older database was put back"
            ),
            (true, Place::Gone) => format!(
                "another copy of these books, at {copy}, was newer: it was seen with event {seq}, and this one ends at {ends}; \
                 it is no longer there"
            ),
            (true, Place::There) => format!(
                "another copy of these books, at {copy}, is newer: it was seen with event {seq}, and this one ends at {ends}"
            ),
            (false, Place::Here) => format!(
                "event {seq} is not the event that was seen there: the history is another one"
            ),
            (false, Place::Gone) => format!(
                "another copy of these books, at {copy}, went another way: event {seq} there was not the one here; it is no \
                 longer there"
            ),
            (false, Place::There) => format!(
                "another copy of these books, at {copy}, went another way: event {seq} there is not the one here"
            ),
        };
        let hint = match (ends < seq, place) {
            (true, Place::Here) => {
                format!("put the newer database back; where it is lost, {ACCEPT}")
            }
            (false, Place::Here) => {
                format!("put the database that was here back; where it is lost, {ACCEPT}")
            }
            (true, Place::There) => format!(
                "go on with that copy (--books {copy}); where this one is to be gone on with all the same, {ACCEPT}"
            ),
            (false, Place::There) => {
                format!("decide which copy is right; where it is this one, {ACCEPT}")
            }
            (_, Place::Gone) => {
                format!("find that copy, and go on with it; where it is lost, {ACCEPT}")
            }
        };
        Ok(Some((why, hint)))
    }
}

/// Where a state was seen.
#[derive(Clone, Copy)]
enum Place {
    /// In this folder.
    Here,
    /// In another, which is there.
    There,
    /// In another, which is not there any more.
    Gone,
}
