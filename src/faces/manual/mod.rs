//! The manual: man pages, completion scripts, reference pages and tool snapshots, all made from the registry and the clap
//! tree. Nothing here writes a file or decides what an operation says of itself.

mod events;
mod man;
mod markdown;
mod reference;
mod samples;
mod snapshot;

use std::path::PathBuf;

use clap::Command;

use crate::engine::{Domain, No, Result, operations};

/// A generated file: its path beneath the repository's root, and its bytes.
pub type Page = (PathBuf, Vec<u8>);

/// The folders that hold generated files and nothing else.
pub const FOLDERS: &[&str] = &["man", "completions", "docs/reference", "tests/tools"];

/// The files of those folders that a person keeps: refusals are told apart by when they come, which no signature says.
pub const HAND_KEPT: &[&str] = &["docs/reference/refusals.md"];

/// Every generated file, by path. The same command tree and registry give the same bytes on every day and machine.
pub fn files(command: Command, domains: &[&Domain]) -> Result<Vec<Page>> {
    let mut pages = man::pages(command)?;
    pages.extend(man::completions()?);
    pages.extend(reference::pages(domains));
    pages.push((
        "docs/reference/events.md".into(),
        events::page(domains)?.into_bytes(),
    ));
    for op in operations(domains).filter(|op| op.is_tool()) {
        pages.push(snapshot::file(op, domains)?);
    }
    pages.sort();
    Ok(pages)
}

/// A fault of making a page.
fn fault(doing: &str, error: impl std::fmt::Display) -> No {
    No::Fault(format!("{doing}: {error}"))
}
