//! The door of stored files: what was filed, what its bytes are, and what it is linked to. No logic stands here.

mod category;
mod events;
mod file;
mod links;
mod media;
mod ops;
mod rules;
mod sheets;
mod subject;
mod table;
mod views;

use crate::engine::{Domain, EventDef, Hooks, OpDef};

pub use category::Category;
pub use file::{Filed, NewFile, file, link, unlink};
pub use links::{link as link_to, withdrawn};
pub use sheets::{
    file as file_sheet, filed as filed_sheet, linked as linked_sheet, list as list_sheet,
};
pub use subject::{Link, Subject, SubjectRef};
pub use table::{Attachment, by_id, list, of_bytes, on_entry};
pub use views::{FileView, FiledView, LinkedView};

/// The stored files' place among the domains. Receipts are the files of a higher one.
pub static DOMAIN: Domain = Domain {
    name: "attachment",
    about: include_str!("about.md"),
    groups: &[
        ("attachment", "Stored files: link, list, retire"),
        ("document", "Documents: file statements, contracts, returns"),
    ],
    operations: &[
        OpDef::write::<ops::file::FileDocument>(),
        OpDef::write::<ops::link::LinkAttachment>(),
        OpDef::write::<ops::unlink::UnlinkAttachment>(),
        OpDef::read::<ops::list::Attachments>(),
        OpDef::write::<ops::withdraw::Withdraw>(),
    ],
    events: &[
        EventDef::of::<events::AttachmentFiled>(),
        EventDef::of::<events::ReceiptLinked>(),
        EventDef::of::<events::ReceiptUnlinked>(),
        EventDef::of::<events::AttachmentLinked>(),
        EventDef::of::<events::AttachmentUnlinked>(),
        EventDef::of::<events::AttachmentWithdrawn>(),
    ],
    tables: &[&table::ATTACHMENT, &table::ATTACHMENT_LINK],
    fold_version: 2,
    hooks: Hooks::NONE,
};
