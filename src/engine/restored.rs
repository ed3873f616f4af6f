//! The event that says that an older or other state of the books was accepted, and recording it.

use serde::{Deserialize, Serialize};

use super::{Event, Occasion, Result, Writer, books::Scene};
use crate::{
    model::{Refusal, TEXT_CHARS_MAX, typed},
    store::{Accepted, Committed, Envelope, Fold, FoldResult, Held, Store, View},
};

/// A person accepted that the books go on from an older or other state than one that was seen.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct BooksRestored {
    /// The last event of the state that was seen.
    pub remembered_seq: i64,
    /// Its hash in hex: 64 digits, or as many as stood on the paper that it was taken from.
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

/// A head that was seen on paper: an event's number and the first digits of its hash, in hex.
pub type HeadOnPaper = (i64, String);

/// What was accepted, and written.
pub struct Acceptance {
    /// The newer or other state that this machine had seen, where it had.
    pub accepted: Option<Accepted>,
    /// The heads on paper that these books do not have, and that are given up.
    pub given_up: Vec<HeadOnPaper>,
    /// Where the journal ends now.
    pub committed: Committed,
}

/// Accepts the state that stands here, and says so in the journal, with the heads on paper that it does not have.
///
/// Refuses: a reason that is empty or holds what cannot be seen, and books of which no other state was seen and that have every
/// head on paper.
pub(super) fn accept(
    store: &mut Store,
    scene: &Scene,
    (by, reason): (&str, &str),
    papers: &[HeadOnPaper],
) -> Result<Acceptance> {
    let reason = typed(reason, "reason", TEXT_CHARS_MAX)?;
    let held = store.hold()?;
    let written = write(store, scene, (by, reason), (&held, papers));
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
    (held, papers): (&Held, &[HeadOnPaper]),
) -> Result<Acceptance> {
    let before = given_up(&store.view())?;
    let mut given_up = Vec::new();
    for (seq, digits) in papers {
        let here = store.hash_at(*seq)?;
        let has_it = here.is_some_and(|hash| hash.starts_with(digits.as_str()));
        let known = has_it || before.iter().any(|gone| gone.ended_in(*seq, digits));
        if !known && !given_up.contains(&(*seq, digits.clone())) {
            given_up.push((*seq, digits.clone()));
        }
    }
    let rolled_back = store.is_rolled_back();
    if !papers.is_empty() && given_up.is_empty() && !rolled_back {
        let why = "these books have every head that was given, or gave it up before: there is nothing to accept";
        return Err(Refusal::new("no_rollback", why).into());
    }
    let (accepted, change) = if rolled_back || given_up.is_empty() {
        let (accepted, change) = store.accept(held, &scene.world.stamp())?;
        (Some(accepted), change)
    } else {
        (None, store.write()?)
    };
    // What was seen here and is on paper too is one state.
    given_up.retain(|(seq, digits)| {
        let seen = accepted.as_ref();
        !seen.is_some_and(|seen| seen.seq == *seq && seen.head.starts_with(digits.as_str()))
    });
    let mut writer = Writer::new(change, scene, by, false);
    let seen = accepted.iter().map(|seen| BooksRestored {
        remembered_seq: seen.seq,
        remembered_head: seen.head.clone(),
        other_books: seen.other_books.clone(),
        reason: reason.clone(),
    });
    let on_paper = given_up.iter().map(|(seq, digits)| BooksRestored {
        remembered_seq: *seq,
        remembered_head: digits.clone(),
        other_books: None,
        reason: reason.clone(),
    });
    for event in seen.chain(on_paper) {
        writer.record(&event)?;
    }
    let doubts = writer.take_warnings();
    let mut committed = writer.commit(None)?;
    committed.warnings.extend(doubts);
    Ok(Acceptance {
        accepted,
        given_up,
        committed,
    })
}

/// A state that was given up, by an event of the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenUp {
    /// The event that says so.
    pub event: i64,
    /// The last event of the state that was given up.
    pub seq: i64,
    /// Its hash, as far as it was known.
    pub head: String,
}

impl GivenUp {
    /// Whether a head on paper is the end of the state that was given up.
    pub fn ended_in(&self, seq: i64, digits: &str) -> bool {
        self.seq == seq && (self.head.starts_with(digits) || digits.starts_with(&self.head))
    }
}

/// The states that were given up.
pub(super) fn given_up(view: &View<'_>) -> Result<Vec<GivenUp>> {
    let mut all = Vec::new();
    for event in view.of_kind(BooksRestored::KIND)? {
        let line = view.line(event)?.unwrap_or_default();
        let told = serde_json::from_str::<Envelope<'_>>(&line)
            .and_then(|line| serde_json::from_str::<BooksRestored>(line.data));
        // What cannot be read gives nothing up; verification says what is wrong with it.
        all.extend(told.ok().map(|told| GivenUp {
            event,
            seq: told.remembered_seq,
            head: told.remembered_head,
        }));
    }
    Ok(all)
}
