//! What kind of document a file is.

use crate::wire_enum;

wire_enum! {
    /// What kind of document a file is.
    pub enum Category {
        /// Articles, operating agreement, EIN letter
        Formation = "formation",
        /// Other legal papers
        Legal = "legal",
        /// Returns and notices
        Tax = "tax",
        /// Working papers
        Accounting = "accounting",
        /// A bank's or card's statement
        Statement = "statement",
        /// An agreement with someone
        Contract = "contract",
        /// A picture of a thing
        Photo = "photo",
        /// A guarantee
        Warranty = "warranty",
        /// A file that was, or is to be, imported
        ImportSource = "import_source",
        /// Anything else
        Other = "other",
    }
}
