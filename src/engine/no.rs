//! The three kinds of no, and the faults beside them, as every face reports them.

use serde_json::{Value, json};

use crate::{
    model::{Refusal, quoted, visible},
    store::StoreError,
};

/// Why an operation did not do what was asked.
#[derive(Debug)]
pub enum No {
    /// The call itself makes no sense: a wrong word, a missing argument.
    Usage(Refusal),
    /// The books refuse, for these reasons. Nothing changed.
    Refused(Vec<Refusal>),
    /// It could not start: locked, read-only, disk full, broken settings. Nothing changed.
    Unavailable(Refusal),
    /// The books are damaged, rolled back or not the books that were seen. Nothing changed.
    Damaged(Refusal),
    /// The commit itself failed. Repeating with the same request key settles it.
    OutcomeUnknown(Refusal),
    /// Our fault or the machine's. Nothing changed.
    Fault(String),
}

/// What the engine's and the domains' functions give.
pub type Result<T, E = No> = std::result::Result<T, E>;

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> No {
        No::Refused(vec![refusal])
    }
}

impl From<StoreError> for No {
    fn from(error: StoreError) -> No {
        // It may name a path that someone typed.
        let message = visible(&error.to_string()).into_owned();
        match error {
            StoreError::Absent(path) => No::from(
                Refusal::new("no_books", format!("there are no books at {}", quoted(&path.to_string_lossy())))
                    .hint("make them with `wb init`, or name their folder with --books"),
            ),
            StoreError::Unavailable(_) => No::Unavailable(Refusal::new("unavailable", message)),
            StoreError::Unfit { hint, .. } => {
                No::Unavailable(Refusal::new("unavailable", message).hint(hint))
            }
            StoreError::Refused(code, _) => No::Refused(vec![Refusal::new(code, message)]),
            StoreError::BadCopy(refusal) => No::Damaged(*refusal),
            StoreError::Damaged(_) | StoreError::Fold(_) => No::Damaged(
                Refusal::new("damaged", message).hint("run `wb verify`; where it cannot mend the books, `wb repair --from-mirror` makes them anew, or restore a backup"),
            ),
            StoreError::LostFile(_) => No::Damaged(Refusal::new("damaged", message).hint(
                "`wb verify` says which receipts are lost; copy the file into data/blobs from a backup's data/blobs, or attach the \
                 same file once more",
            )),
            StoreError::RolledBack { hint, .. } => No::Damaged(
                Refusal::new("rolled_back", message).hint(hint),
            ),
            StoreError::OutcomeUnknown(_) => No::OutcomeUnknown(
                Refusal::new("outcome_unknown", message)
                    .hint("start again and repeat the call with the same request_key: it is then done once"),
            ),
            StoreError::Fault(_) | StoreError::Sql { .. } | StoreError::Io { .. } => No::Fault(message),
        }
    }
}

impl No {
    /// A wrong argument: which, and what it takes.
    pub fn argument(field: &str, message: impl Into<String>) -> No {
        No::Usage(Refusal::new("invalid_arguments", message).with("field", field))
    }

    /// The reason, as the refusal's JSON; further independent reasons stand under `also`.
    pub fn to_value(&self) -> Value {
        match self {
            No::Refused(refusals) => {
                let mut all = refusals.iter().map(Refusal::to_value);
                let mut first = all
                    .next()
                    .unwrap_or_else(|| json!({"code": "refused", "message": "refused"}));
                let also: Vec<Value> = all.collect();
                if let (false, Some(map)) = (also.is_empty(), first.as_object_mut()) {
                    map.insert("also".to_owned(), also.into());
                }
                first
            }
            No::Usage(r) | No::Unavailable(r) | No::Damaged(r) | No::OutcomeUnknown(r) => {
                r.to_value()
            }
            No::Fault(message) => json!({"code": "internal", "message": message}),
        }
    }

    /// The code of the first reason.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            No::Refused(refusals) => refusals.first().map(|r| r.code),
            No::Usage(r) | No::Unavailable(r) | No::Damaged(r) | No::OutcomeUnknown(r) => {
                Some(r.code)
            }
            No::Fault(_) => None,
        }
    }

    /// The sentences for a person, a line each, and the remedy if there is one.
    pub fn sentences(&self) -> (Vec<String>, Option<String>) {
        let (messages, first) = match self {
            No::Refused(refusals) => (
                refusals.iter().map(|r| r.message.clone()).collect(),
                refusals.first(),
            ),
            No::Usage(r) | No::Unavailable(r) | No::Damaged(r) | No::OutcomeUnknown(r) => {
                (vec![r.message.clone()], Some(r))
            }
            No::Fault(message) => (vec![message.clone()], None),
        };
        let remedy = first.and_then(|r| match (&r.remedy_hint, r.remedy_tool) {
            (Some(hint), _) => Some(hint.clone()),
            (None, Some(tool)) => Some(tool.to_owned()),
            (None, None) => None,
        });
        (messages, remedy)
    }
}
