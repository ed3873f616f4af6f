//! What a voided reconciliation says to a person who looks back. It reads the journal and decides nothing.

use super::{events::ReconciliationVoided, table};
use crate::{
    domains::chart,
    engine::{Event, Reader, Result},
    model::quoted,
};

/// The type of the event by which a reconciliation is voided.
pub const VOIDING: &str = ReconciliationVoided::KIND;

/// What event `seq`, a voiding, took back and why.
pub fn voiding(books: &Reader<'_>, seq: i64) -> Result<String> {
    let event = books.fact::<ReconciliationVoided>(seq)?;
    let view = books.view();
    let found = table::reconciliation(&view, event.reconciliation_id)?;
    let account = chart::by_id(&view, found.account_id)?;
    Ok(format!(
        "reconciliation {} of account {} through {} was voided: {}",
        found.id,
        quoted(&account.code),
        found.date,
        quoted(&event.reason)
    ))
}
