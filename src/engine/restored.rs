//! The event that says that an older or other state of the books was accepted, and recording it.

use serde::{Deserialize, Serialize};

use super::{Event, Occasion, Result, Writer, books::Scene};
use crate::{
    model::{TEXT_CHARS_MAX, typed},
    store::{Accepted, Committed, Fold, FoldResult, Held, Store},
};

/// A person accepted that the books go on from an older or other state than one that was seen.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct BooksRestored {
    /// The last event of the state that was seen.
    pub remembered_seq: i64,
    /// Its hash, 64 hex digits.
    pub remembered_head: String,
    /// The id of the books that it was of, where they were not these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_books: Option<String>,
    /// Why, in the person's words.
    pub reason: String,
}

impl Event for BooksRestored {
    const KIND: &'static str = "books.restored";
    const V: u32 = 1;
    const ABOUT: &'static str = "A person accepted that the books go on from an older or other state than one that was seen, and said why.";

    fn fold(&self, _: &Occasion<'_>, _: &mut Fold<'_>) -> FoldResult {
        Ok(())
    }
}

/// Accepts the state that stands here, and says so in the journal.
///
/// Refuses: a reason that is empty or holds what cannot be seen, and books of which no other state was seen.
pub(super) fn accept(
    store: &mut Store,
    scene: &Scene,
    (by, reason): (&str, &str),
) -> Result<(Accepted, Committed)> {
    let reason = typed(reason, "reason", TEXT_CHARS_MAX)?;
    let held = store.hold()?;
    let written = write(store, scene, (by, reason), &held);
    if written.is_err() {
        // The books are closed again as they were; if that cannot be seen any more, the reason why comes first.
        let _ = store.look_again();
    }
    written
}

fn write(
    store: &mut Store,
    scene: &Scene,
    (by, reason): (&str, String),
    held: &Held,
) -> Result<(Accepted, Committed)> {
    let (accepted, change) = store.accept(held, &scene.world.stamp())?;
    let mut writer = Writer::new(change, scene, by, false);
    writer.record(&BooksRestored {
        remembered_seq: accepted.seq,
        remembered_head: accepted.head.clone(),
        other_books: accepted.other_books.clone(),
        reason,
    })?;
    let doubts = writer.take_warnings();
    let mut committed = writer.commit(None)?;
    committed.warnings.extend(doubts);
    Ok((accepted, committed))
}
