//! Voiding a reconciliation.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{events::ReconciliationVoided, table, views::ReconciliationView};
use crate::{
    domains::period,
    engine::{Example, Operation, Result, Write, Writer},
    model::{Refusal, TEXT_CHARS_MAX, typed},
};

/// Void an account's last reconciliation
///
/// Its lines stay cleared, unlocked; both records stay.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Void {
    /// The reconciliation
    #[arg(value_name = "RECONCILIATION")]
    pub reconciliation_id: i64,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

impl Operation for Void {
    const VERB: &'static str = "reconcile void";
    const TOOL: &'static str = "books.void_reconciliation";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "1 --reason 'The deposit was of February'",
        r#"{"reconciliation_id":1,"reason":"The deposit was of February"}"#,
    )];
    type Output = ReconciliationView;
}

impl Write for Void {
    fn run(self, books: &mut Writer<'_>) -> Result<ReconciliationView> {
        let found = table::reconciliation(&books.view(), self.reconciliation_id)?;
        let reason = typed(&self.reason, "reason", TEXT_CHARS_MAX)?;
        let id = found.id;
        if found.voided.is_some() {
            let message = format!("reconciliation {id} is voided already");
            return Err(Refusal::new("reconciliation_voided", message)
                .with("reconciliation_id", id)
                .remedy("books.reconciliations", "see it with `wb reconcile list`")
                .into());
        }
        let last = table::last_live(&books.view(), found.account_id)?;
        if let Some(last) = last.filter(|last| last.id != id) {
            let message = format!(
                "reconciliation {} through {} builds on reconciliation {id}",
                last.id, last.date
            );
            let hint = format!(
                "void {0} first with `wb reconcile void {0} --reason TEXT`",
                last.id
            );
            return Err(Refusal::new("reconciliation_not_last", message)
                .with("reconciliation_id", id)
                .with("last", last.id)
                .remedy("books.void_reconciliation", hint)
                .into());
        }
        if let Some(closed) = period::closed_through(&books.view())?
            && found.date <= closed.end
        {
            books.warn(format!(
                "the books are closed through {} (period {}), which relied on this reconciliation",
                closed.end, closed.id
            ));
        }
        books.record(&ReconciliationVoided {
            reconciliation_id: id,
            statement_attachment: found.attachment_id,
            reason,
        })?;
        let voided = table::reconciliation(&books.view(), id)?;
        ReconciliationView::of(&books.reader(), voided)
    }
}
