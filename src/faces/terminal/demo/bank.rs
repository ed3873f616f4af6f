//! The demo's bank: two months' statements, their lines marked, and the first month reconciled; the second waits for a person.

use serde_json::{Value, json};

use super::{Session, init, paper};
use crate::engine::{Books, Content, No, Result};

const ACCOUNT: &str = "1000";
const MONTHS: [(&str, &str); 2] = [("2025-01-01", "2025-01-31"), ("2025-02-01", "2025-02-28")];

/// Files and records both statements, marks what they have, and reconciles the first.
pub fn reconcile(session: &Session<'_>, books: &mut Books) -> Result<()> {
    let mut first = None;
    for (start, end) in MONTHS {
        let statement = statement(session, books, (start, end))?;
        first = first.or(Some(statement));
    }
    let asked = json!({ "statement_attachment": first });
    let shown = init::tool(session, books, "books.reconcile", asked)?;
    let preview = shown.get("preview");
    let agreed = json!({ "statement_attachment": first, "confirmed": true, "if_preview": preview });
    init::tool(session, books, "books.reconcile", agreed)?;
    Ok(())
}

/// A month's statement, filed, recorded, and its lines marked; gives its number.
fn statement(
    session: &Session<'_>,
    books: &mut Books,
    (start, end): (&str, &str),
) -> Result<Value> {
    let month = json!({ "account": ACCOUNT, "start": start, "end": end });
    let register = init::tool(session, books, "books.account_register", month)?;
    let text = |key: &str| {
        register
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let (opening, closing) = (text("opening_balance"), text("closing_balance"));
    let paper = paper::receipt("Harbor Bank, checking", end, closing);
    let file = json!({
        "category": "statement", "file_name": format!("checking-{end}.pdf"), "mime_type": "application/pdf",
        "content_base64": Content(paper.into()), "link_to": [{ "kind": "company" }],
    });
    let filed = init::tool(session, books, "books.file_document", file)?;
    let id = filed.get("attachment_id").cloned();
    let id = id.ok_or_else(|| No::Fault("a document without a number".to_owned()))?;
    let said = json!({
        "attachment_id": id, "account": ACCOUNT, "period_start": start, "period_end": end, "opening_balance": opening,
        "closing_balance": closing,
    });
    init::tool(session, books, "books.record_statement", said)?;
    for line in register
        .get("lines")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let mark =
            json!({ "entry_id": line.get("entry_id"), "line_index": line.get("line_index") });
        init::tool(session, books, "books.mark_cleared", mark)?;
    }
    Ok(id)
}
