//! What periods say of a posting: nothing is posted into closed days, whoever posts.

use super::{rules, table};
use crate::engine::{Posting, Result, Verdict, Writer};

/// Refuses what would be posted into days that are closed: by hand, from a file, or by the books themselves.
pub fn posting(books: &Writer<'_>, posting: &Posting<'_>) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    let closed = table::closed_through(&books.view())?;
    let refused = closed.and_then(|last| rules::refused((posting.date, posting.origin), &last));
    verdict.refusals.extend(refused);
    Ok(verdict)
}
