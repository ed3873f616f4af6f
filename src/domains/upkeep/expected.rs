//! Heads seen before, as they are given to an operation, and how the journal stands to each. What a head is, is in `rules.rs`.

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::{Continuation, SeenHead, continuation, heads_in};
use crate::{
    engine::{GivenUp, House, No, Result, Source},
    model::Refusal,
    store::Verification,
};

/// The most heads of one call.
const HEADS_MAX: usize = 1_000;
/// The most bytes of a file of heads.
pub const HEADS_BYTES_MAX: u64 = 1 << 20;

/// A head seen before.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Expected {
    /// Its event
    pub seq: i64,
    /// How the journal stands to it
    pub answer: Continuation,
    /// The event that gave it up
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up_by: Option<i64>,
}

/// The heads that were given, one by one and in a file.
pub fn heads(named: &[SeenHead], file: Option<&Source>) -> Result<Vec<SeenHead>> {
    let mut heads = named.to_vec();
    if let Some(file) = file {
        let more = heads_in(file.bytes()).map_err(|why| No::argument("expect_from", why))?;
        heads.extend(more);
    }
    if heads.len() > HEADS_MAX {
        let message = format!(
            "{} heads were given; at most {HEADS_MAX} are answered at once",
            heads.len()
        );
        return Err(No::argument("expect_head", message));
    }
    Ok(heads)
}

/// How the journal stands to each head seen before.
///
/// Refuses: a journal that ends before one of them, or has another event there, unless it says itself that it was given up.
pub fn answers(
    house: &House<'_>,
    found: &Verification,
    heads: &[SeenHead],
) -> Result<Vec<Expected>> {
    let events = found.head.seq;
    let mut expected = Vec::with_capacity(heads.len());
    let mut given_up = None;
    for seen in heads {
        let there = house.hash_at(seen.seq())?;
        let mut answer = Expected {
            seq: seen.seq(),
            answer: continuation(seen, events, there.as_deref()),
            given_up_by: None,
        };
        if matches!(
            answer.answer,
            Continuation::Shorter | Continuation::Diverged
        ) {
            let given_up = match &mut given_up {
                Some(known) => known,
                unasked => unasked.insert(house.given_up()?),
            };
            let gone = given_up
                .iter()
                .find(|gone| gone.ended_in(seen.seq(), seen.digits()));
            if let Some(gone) = gone {
                (answer.answer, answer.given_up_by) = (Continuation::GivenUp, Some(gone.event));
            }
        }
        expected.push(answer);
    }
    let of = |answer| expected.iter().find(|e| e.answer == answer).map(|e| e.seq);
    let (code, message) = if let Some(seq) = of(Continuation::Diverged) {
        let message =
            format!("event {seq} is not the event that was seen there: the history is another one");
        ("history_diverged", message)
    } else if let Some(seq) = of(Continuation::Shorter) {
        let message = format!(
            "the journal ends at event {events}, but event {seq} was seen: an older state stands here"
        );
        ("history_shorter", message)
    } else {
        return Ok(expected);
    };
    // What was given up ended there; a head before that end may be of it, which only its own books could show.
    let seq = of(Continuation::Diverged).or(of(Continuation::Shorter));
    let within = |gone: &&GivenUp| seq.is_some_and(|seq| gone.event <= seq && seq < gone.seq);
    let message = match given_up.iter().flatten().find(within) {
        Some(gone) => format!(
            "{message}; event {} gave up what came before it up to event {}, of which this may be a part",
            gone.event, gone.seq
        ),
        None => message,
    };
    let list = serde_json::to_value(&expected)
        .map_err(|e| No::Fault(format!("writing a refusal: {e}")))?;
    Err(No::Damaged(
        Refusal::new(code, message)
            .with("events", events)
            .with("head", found.head.hex())
            .with("expected", list)
            .hint(
                "find the books that the head came from; where they are lost, say so once with `wb restore --accept --reason WHY \
                 --expect-head SEQ:HEX`; nothing was changed",
            ),
    ))
}

/// How the journal stands to heads seen before, in words.
pub fn in_words(expected: &[Expected]) -> Vec<String> {
    let words = |e: &Expected| match (e.answer, e.given_up_by) {
        (_, Some(event)) => format!(
            "the head of event {} is not on this journal, and event {event} says that it was given up",
            e.seq
        ),
        (Continuation::Equal, None) => format!("the journal ends at event {}, as was seen", e.seq),
        _ => format!("the journal goes on from event {} as it was seen", e.seq),
    };
    expected.iter().map(words).collect()
}
