//! The samples of events that the reference shows; the tests hold them to be complete and to fold.

/// Puts in the samples of these names.
macro_rules! samples {
    ($($name:literal)+) => {
        &[$(($name, include_str!(concat!("../../../tests/events/", $name, ".jsonl")))),+]
    };
}

/// Type and version of each event, and its samples: a line of JSON each.
pub const SAMPLES: &[(&str, &str)] = samples! {
    "account.added.v1"
    "account.renumbered.v1"
    "account.updated.v1"
    "attachment.filed.v1"
    "bank.imported.v1"
    "bank.row_imported.v1"
    "books.created.v1"
    "books.restored.v1"
    "entry.changed.v1"
    "entry.discarded.v1"
    "entry.drafted.v1"
    "entry.posted.v1"
    "journal.imported.v1"
    "receipt.linked.v1"
    "request.answered.v1"
    "settings.changed.v1"
};
