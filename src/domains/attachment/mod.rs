//! The door of stored files: what was filed, what its bytes are, and the entry it is evidence of. No logic stands here.

mod events;
mod file;
mod media;
mod rules;
mod table;

use crate::engine::{Domain, EventDef, Hooks};

pub use file::{Filed, NewFile, file, link};
pub use table::{Attachment, by_id, list, on_entry};

/// The stored files' place among the domains. Their operations stand with what they are for: receipts today.
pub static DOMAIN: Domain = Domain {
    name: "attachment",
    about: include_str!("about.md"),
    groups: &[],
    operations: &[],
    events: &[
        EventDef::of::<events::AttachmentFiled>(),
        EventDef::of::<events::ReceiptLinked>(),
    ],
    tables: &[&table::ATTACHMENT],
    fold_version: 1,
    hooks: Hooks::NONE,
};
