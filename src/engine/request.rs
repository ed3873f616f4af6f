//! Request keys: a call repeated under its key is done once. The answer stands in the journal, on the first event of the
//! command that it answered, so that a replay of the journal restores it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use super::{Event, No, Occasion, Result};
use crate::{
    model::Refusal,
    store::{Column, Envelope, Fold, FoldError, FoldResult, Head, Holds, Table, View},
};

/// A call under a request key changed nothing; the key and the answer stand on this event.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct RequestAnswered {}

impl Event for RequestAnswered {
    const KIND: &'static str = "request.answered";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "A call under a request key changed nothing; its key and answer stand on this event.";

    fn fold(&self, _: &Occasion<'_>, _: &mut Fold<'_>) -> FoldResult {
        Ok(())
    }
}

pub(super) static REQUEST: Table = Table {
    name: "request",
    columns: &[
        Column::text("key"),
        Column::int("seq"),
        Column::text("args_sha256"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};

/// The answer that a key has had, and the head that its command left.
pub(super) struct Earlier {
    pub answer: Map<String, Value>,
    pub head: Head,
}

pub(super) fn fold(seq: i64, key: &str, args: &str, tables: &mut Fold<'_>) -> FoldResult {
    tables.insert(&REQUEST, &[key.into(), seq.into(), args.into()])
}

/// Folds the key of a replayed line, if it has one.
pub(super) fn fold_line(line: &Envelope<'_>, tables: &mut Fold<'_>) -> FoldResult {
    match (&line.key, &line.args_sha256) {
        (Some(key), Some(args)) => fold(line.seq, key, args, tables),
        (None, None) => Ok(()),
        _ => Err(FoldError::Misfit {
            table: REQUEST.name,
            what: "a request key without the hash of its arguments, or the hash alone".to_owned(),
        }),
    }
}

/// What an earlier call under this key was answered.
///
/// Refuses: a key that stood for another call.
pub(super) fn earlier(view: &View<'_>, key: &str, args: &str) -> Result<Option<Earlier>> {
    let found = super::table::request(view, key)?;
    let Some((seq, known)) = found else {
        return Ok(None);
    };
    if known != args {
        return Err(Refusal::new(
            "request_key_reused",
            format!("this request_key stood for another call at event {seq}; nothing was done"),
        )
        .with("request_key", key)
        .with("seq", seq)
        .hint("give each call a key of its own")
        .into());
    }
    #[derive(serde::Deserialize)]
    struct Answered<'a> {
        #[serde(borrow)]
        answer: &'a RawValue,
    }
    let line = view.line(seq)?.unwrap_or_default();
    let unreadable =
        |e: serde_json::Error| No::Fault(format!("reading the answer at event {seq}: {e}"));
    let answered: Answered<'_> = serde_json::from_str(&line).map_err(unreadable)?;
    let answer = serde_json::from_str(answered.answer.get()).map_err(unreadable)?;
    Ok(Some(Earlier {
        answer,
        head: view.end_of(seq)?,
    }))
}
