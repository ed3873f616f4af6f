//! Accepting that an older or other state of some books is the one to go on with: what was seen of the newer one is told, its
//! mirror kept aside, and the books take one change again, which says so for ever.

use std::{fs::File, path::PathBuf};

use super::{
    Depth, Store, Writing,
    fault::{Doing, StoreError, StoreResult},
    journal, mirror,
    open::Closed,
    rebuild,
    standing::{Rollback, Witness},
};

/// What was accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// The last event of the state that was seen.
    pub seq: i64,
    /// Its hash, 64 hex digits.
    pub head: String,
    /// The id of the books that it was of, where they are not these.
    pub other_books: Option<String>,
    /// Where the mirror of that state is kept.
    pub kept_mirror: Option<PathBuf>,
    /// Where the database as it was found is kept, when its tables had to be folded again.
    pub kept: Option<PathBuf>,
}

/// Books that are held against every other who would accept or repair them, until this is dropped.
#[derive(Debug)]
pub struct Held(#[expect(dead_code, reason = "the lock goes when it is dropped")] File);

impl Store {
    /// Waits for whoever accepts or repairs these books now: what was seen of a newer state is forgotten only after the change
    /// that accepts its loss is committed, and who looked in between would accept it again.
    pub fn hold(&self) -> StoreResult<Held> {
        const TRIES: u32 = 1_000;
        rebuild::alone(&self.paths, TRIES).map(Held)
    }

    /// Opens books that were rolled back for the change that says so, and begins it. Whether there is anything to accept is
    /// looked at again within it. `stamp` names what is kept aside.
    ///
    /// The change is to be made while the books are held. What is dropped without a commit leaves the books closed as they
    /// were, once they are looked at again.
    /// Refuses: books of which no newer or other state was seen, and a journal that breaks.
    pub fn accept(&mut self, _: &Held, stamp: &str) -> StoreResult<(Accepted, Writing<'_>)> {
        self.accepted_of()?;
        let found = self.verify(Depth::Rows)?;
        if let Some(damage) = found.damage {
            return Err(StoreError::Damaged(format!(
                "the journal breaks at event {}: {}; what is broken cannot be accepted",
                damage.seq, damage.why
            )));
        }
        self.closed = None;
        let kept = if found.drift.is_empty() {
            None
        } else {
            Some(self.heal(&found, stamp)?.kept)
        };
        self.db
            .execute_batch("BEGIN IMMEDIATE")
            .doing("beginning a change")?;
        let judged = self
            .look_again()
            .and_then(|()| self.accepted_of())
            .and_then(|seen| {
                let other = mirror::contradicts(&self.db, &self.paths.mirror())?;
                let kept_mirror = other.map(|_| self.keep_mirror(stamp)).transpose()?;
                Ok((seen, kept_mirror))
            });
        let (seen, kept_mirror) = match judged {
            Ok(judged) => judged,
            Err(e) => {
                self.db
                    .execute_batch("ROLLBACK")
                    .doing("undoing a change")?;
                return Err(e);
            }
        };
        self.closed = None;
        let mut change = self.write()?;
        change.write_mirror_anew();
        let accepted = Accepted {
            seq: seen.seq,
            head: seen.head,
            other_books: match seen.witness {
                Witness::OtherBooks(id) => Some(id),
                Witness::Mirror | Witness::MirrorGoesOn | Witness::Memory => None,
            },
            kept_mirror,
            kept,
        };
        Ok((accepted, change))
    }

    /// The newest state that was seen and is not here.
    ///
    /// Refuses: books of which none was seen, those whose mirror holds to its end and goes on from them, and those that are closed for another reason.
    fn accepted_of(&self) -> StoreResult<Rollback> {
        let closed = self.closed.as_ref();
        if let Some(closed) = closed.filter(|c| !matches!(c, Closed::RolledBack { .. })) {
            return Err(closed.error());
        }
        let goes_on = self
            .rollback
            .iter()
            .find(|seen| seen.witness == Witness::MirrorGoesOn);
        if let Some(seen) = goes_on
            && rebuild::goes_on(&self.paths.mirror(), journal::head(&self.db)?.seq)?
        {
            return Err(StoreError::Refused(
                "mirror_goes_on",
                format!(
                    "the mirror data/journal.jsonl has all that is here and goes on to event {}: `wb repair --from-mirror` makes the \
                     newer state again, and nothing is lost; where the mirror must not be believed, move it away, then accept",
                    seen.seq
                ),
            ));
        }
        let seen = self.rollback.iter().max_by_key(|seen| seen.seq).cloned();
        seen.ok_or_else(|| {
            let why = "no newer or other state of these books was seen: there is nothing to accept";
            StoreError::Refused("no_rollback", why.to_owned())
        })
    }

    /// Looks again whether an older or other state stands here.
    pub fn look_again(&mut self) -> StoreResult<()> {
        self.check_rollback()
    }
}
