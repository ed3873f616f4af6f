//! The door of receipts: attaching and finding them, and the policy that says which postings need one. No logic stands here.

mod checklist;
mod config;
mod judge;
mod moves;
mod ops;
mod policy;
mod renumbering;
mod rules;
mod table;
mod views;

use crate::engine::{Domain, Hooks, OpDef};

pub use moves::policy_moves;
pub use policy::{ReceiptRule, receipt_rule, receipt_rule_problems};
pub use views::must_take_receipts;

/// The receipts' place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "receipt",
    about: include_str!("about.md"),
    groups: &[(
        "receipt",
        "Receipts: attach, link to an entry, find, get back",
    )],
    operations: &[
        OpDef::write::<ops::attach::Attach>(),
        OpDef::write::<ops::link::LinkReceipt>(),
        OpDef::write::<ops::unlink::UnlinkReceipt>(),
        OpDef::read::<ops::list::List>(),
        OpDef::read::<ops::get::Get>(),
    ],
    events: &[],
    tables: &[],
    fold_version: 1,
    hooks: Hooks {
        posting: Some(checklist::posting),
        unlinking: Some(checklist::unlinking),
        config: Some(config::check),
        details: Some(checklist::details),
        facts: checklist::FACTS,
        renumbering: Some(renumbering::renumbering),
        problems: Some(receipt_rule_problems),
        ..Hooks::NONE
    },
};
