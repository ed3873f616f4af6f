//! What makes an entry, as a word: some rules bind only some origins. Which they are is the business of the domains.

use crate::wire_enum;

wire_enum! {
    /// What made an entry.
    pub enum Origin {
        /// By hand
        Manual = "manual",
        /// From a bank's file
        Imported = "imported",
        /// The reversal of another entry
        Reversal = "reversal",
        /// From another system's history
        Migrated = "migrated",
        /// Balances brought in when the books began
        Opening = "opening",
        /// The close of a period
        Closing = "closing",
    }
}
