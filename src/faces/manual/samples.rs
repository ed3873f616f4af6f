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
    "attachment.linked.v1"
    "attachment.unlinked.v1"
    "attachment.withdrawn.v1"
    "bank.imported.v1"
    "bank.row_imported.v1"
    "books.created.v1"
    "books.restored.v1"
    "class.added.v1"
    "entry.changed.v1"
    "entry.discarded.v1"
    "entry.drafted.v1"
    "entry.posted.v1"
    "fx.rate_set.v1"
    "journal.imported.v1"
    "line.cleared.v1"
    "line.uncleared.v1"
    "period.closed.v1"
    "period.created.v1"
    "receipt.linked.v1"
    "receipt.unlinked.v1"
    "reconciliation.completed.v1"
    "reconciliation.voided.v1"
    "request.answered.v1"
    "role.assigned.v1"
    "settings.changed.v1"
    "statement.recorded.v1"
};
