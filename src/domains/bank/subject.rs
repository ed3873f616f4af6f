//! Reconciliations as what files are linked to, and which links of statements they hold.

use super::table;
use crate::{
    domains::chart,
    engine::{Reader, Result, SubjectKey, SubjectKind, Unlinking},
    model::Refusal,
};

/// The word for them.
pub const RECONCILIATION: &str = "reconciliation";

/// Reconciliations, by id.
pub const SUBJECT: SubjectKind = SubjectKind {
    kind: RECONCILIATION,
    find,
    label,
};

fn find(books: &Reader<'_>, key: SubjectKey<'_>) -> Result<i64> {
    let found = table::reconciliation(&books.view(), key.id(RECONCILIATION)?)?;
    Ok(found.id)
}

/// The account's code and the day through which.
fn label(books: &Reader<'_>, id: i64) -> Result<String> {
    let found = table::reconciliation(&books.view(), id)?;
    let account = chart::by_id(&books.view(), found.account_id)?;
    Ok(format!("{} through {}", account.code, found.date))
}

/// Whether a statement may be taken off its account and its reconciliation: not while that is live.
pub fn unlinking(books: &Reader<'_>, link: &Unlinking<'_>) -> Result<Vec<Refusal>> {
    let Some(statement) = table::statement(&books.view(), link.attachment_id)? else {
        return Ok(Vec::new());
    };
    let Some(id) = statement.reconciliation_id else {
        return Ok(Vec::new());
    };
    let held = match link.kind {
        RECONCILIATION => link.id == id,
        chart::ACCOUNT => link.id == statement.account_id,
        _ => false,
    };
    if !held {
        return Ok(Vec::new());
    }
    let message = format!(
        "attachment {} is the statement of reconciliation {id}, which is not voided",
        link.attachment_id
    );
    Ok(vec![
        Refusal::new("statement_in_use", message)
            .with("attachment_id", link.attachment_id)
            .with("reconciliation_id", id)
            .remedy(
                "books.void_reconciliation",
                format!("void it first with `wb reconcile void {id} --reason TEXT`"),
            ),
    ])
}
