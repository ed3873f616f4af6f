//! What a page about the books needs to know besides the numbers.

use crate::model::{Currency, Date};

/// The facts that stand around an operation's result when it is shown to a person.
#[derive(Clone, Debug)]
pub struct Page {
    /// The currency of the books.
    pub currency: Currency,
    /// The day.
    pub today: Date,
    /// The journal's last event.
    pub seq: i64,
    /// The first 20 hex digits of its hash.
    pub head: String,
    /// Whether the result is a preview: nothing has changed, and what would be allotted has no number yet.
    pub preview: bool,
}
