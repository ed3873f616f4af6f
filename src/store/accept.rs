//! Accepting that an older or other state of some books is the one to go on with: what was seen of the newer one is told, its
//! mirror kept aside, and the books take one change again, which says so for ever.

use std::path::PathBuf;

use super::{
    Depth, Store, Writing,
    fault::{StoreError, StoreResult},
    mirror,
    open::Closed,
    standing::Witness,
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

impl Store {
    /// Opens books that were rolled back for the change that says so. `stamp` names what is kept aside.
    ///
    /// Refuses: books of which no newer or other state was seen, and a journal that breaks.
    pub fn accept(&mut self, stamp: &str) -> StoreResult<Accepted> {
        let Some(seen) = self.rollback.iter().max_by_key(|seen| seen.seq).cloned() else {
            return Err(match &self.closed {
                Some(closed) => closed.error(),
                None => StoreError::Refused(
                    "no_rollback",
                    "no newer or other state of these books was seen: there is nothing to accept"
                        .to_owned(),
                ),
            });
        };
        if let Some(closed) = self
            .closed
            .as_ref()
            .filter(|c| !matches!(c, Closed::RolledBack(_)))
        {
            return Err(closed.error());
        }
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
        let other = mirror::contradicts(&self.db, &self.paths.mirror())?;
        let kept_mirror = other.map(|_| self.keep_mirror(stamp)).transpose()?;
        Ok(Accepted {
            seq: seen.seq,
            head: seen.head,
            other_books: match seen.witness {
                Witness::OtherBooks(id) => Some(id),
                Witness::Mirror | Witness::Memory => None,
            },
            kept_mirror,
            kept,
        })
    }

    /// The change that says what was accepted. What is dropped without a commit leaves the books closed as they were.
    pub fn write_accepted(&mut self) -> StoreResult<Writing<'_>> {
        let mut change = self.write()?;
        change.write_mirror_anew();
        Ok(change)
    }

    /// Looks again whether an older or other state stands here.
    pub fn look_again(&mut self) -> StoreResult<()> {
        self.check_rollback()
    }
}
