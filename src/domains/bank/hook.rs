//! What the bank says of a posting: that a reversal takes back a line which a statement has shown, and that balances cannot be
//! brought in before days which are reconciled.

use super::{events::LinePlace, table};
use crate::{
    domains::chart,
    engine::{Posting, Result, Verdict, Writer},
    model::{Origin, Refusal, quoted},
};

/// Warns where a reversal takes back lines that are cleared: they stay cleared, and the reversal's own are not.
pub fn posting(books: &Writer<'_>, posting: &Posting<'_>) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    if posting.origin == Origin::Opening {
        verdict.refusals = reconciled_since(books, posting)?;
        return Ok(verdict);
    }
    let Some(entry_id) = posting.reverses else {
        return Ok(verdict);
    };
    for line_index in (0_i64..).take(posting.lines.len()) {
        let place = LinePlace {
            entry_id,
            line_index,
        };
        if table::cleared_by(&books.view(), place)?.is_some() {
            verdict.warnings.push(format!(
                "line {line_index} of entry {entry_id} is cleared: a statement has shown it, and what takes it back stays open \
                 until a statement shows that too"
            ));
        }
    }
    Ok(verdict)
}

/// Why balances cannot be brought in: they count as cleared, and an account is reconciled without them.
fn reconciled_since(books: &Writer<'_>, posting: &Posting<'_>) -> Result<Vec<Refusal>> {
    let mut refusals = Vec::new();
    for line in posting.lines {
        let Some(last) = table::last_live(&books.view(), line.account_id)? else {
            continue;
        };
        let account = chart::by_id(&books.view(), line.account_id)?;
        let message = format!(
            "account {} is reconciled through {} (reconciliation {}) without these opening balances, which count as cleared",
            quoted(&account.code),
            last.date,
            last.id
        );
        refusals.push(
            Refusal::new("opening_after_reconciliation", message)
                .with("account", account.code)
                .with("reconciliation_id", last.id)
                .with("reconciled_through", last.date.to_string())
                .remedy(
                    "books.void_reconciliation",
                    "void it first, or draft an ordinary entry",
                ),
        );
    }
    Ok(refusals)
}
