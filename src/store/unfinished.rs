//! The folders in which copies of books grow: their names, and the sweeping of those that killed processes left. Not what is in
//! them.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use super::fault::{StoreError, StoreResult};
use crate::world::{
    files::hold_folder,
    place::{Growing, Place, PlaceFault},
};

/// What is being made: it stands in the folder's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Growth {
    Backup,
    Restore,
    Drill,
}

impl Growth {
    const fn word(self) -> &'static str {
        match self {
            Growth::Backup => "backup",
            Growth::Restore => "restore",
            Growth::Drill => "drill",
        }
    }

    /// The beginning of the names; a number follows. It is none that a person gives, so that what a killed process left blocks
    /// no name.
    fn name(self) -> String {
        format!(".wb-{}-unfinished-", self.word())
    }
}

/// Makes a new private folder beside a place, in which a copy grows until it is whole.
///
/// What is written by its path goes into the folder that was made, whatever another user makes of its name. SQLite alone resolves
/// the path to names before it opens a file: who may rename the folders around could lead it elsewhere within that moment.
/// `copy_database` therefore looks at what it opened before anything is written, and a copy is read back through the folder.
pub(super) fn grow(beside: &Place, growth: Growth) -> StoreResult<Growing> {
    const TRIES: usize = 1_000;
    let name = growth.name();
    let doing = format!("making the folder of the {}", growth.word());
    for n in 1..=TRIES {
        match Growing::new(beside, OsStr::new(&format!("{name}{n}"))) {
            Err(PlaceFault::Taken) | Ok(None) => {}
            Ok(Some(growing)) => return Ok(growing),
            Err(PlaceFault::Io(e)) => return Err(StoreError::io(doing, e)),
            Err(fault) => return Err(StoreError::Unavailable(format!("{doing}: {fault}"))),
        }
    }
    Err(StoreError::Unavailable(format!(
        "{TRIES} folders named {name}… stand beside the target already; remove them"
    )))
}

/// Removes the folders beside a place that processes left when they were killed: those that nobody holds. Gives a sentence on what
/// was removed, and one on what stays because it cannot be told whether someone is at it; what is held is passed over.
///
/// It refuses nothing: what stays is in nobody's way.
pub(super) fn sweep(beside: &Place, growth: Growth) -> Vec<String> {
    let beside = beside.folder();
    let (mut removed, mut stay) = (0, 0);
    let (name, word) = (growth.name(), growth.word());
    for path in left(&beside, &name) {
        match hold_folder(&path) {
            Ok(None) => {}
            Ok(Some(_held)) if fs::remove_dir_all(&path).is_ok() => removed += 1,
            _ => stay += 1,
        }
    }
    let folders = |n: usize| match n {
        1 => format!("1 folder named {name}…"),
        n => format!("{n} folders named {name}…"),
    };
    let mut notes = Vec::new();
    if removed > 0 {
        notes.push(format!(
            "{}, left beside the target by {word}s that were cut off, removed",
            folders(removed)
        ));
    }
    if stay > 0 {
        notes.push(format!(
            "{} beside the target may be of a {word} that was cut off, or still growing; remove by hand what no {word} is at",
            folders(stay)
        ));
    }
    notes
}

/// What has the name of an unfinished copy, whoever made it.
fn left(beside: &Path, begin: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(beside) else {
        // Making the copy says what is wrong with the folder.
        return Vec::new();
    };
    let ours = |name: &str| {
        name.strip_prefix(begin)
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_str().is_some_and(ours))
        .map(|entry| entry.path())
        .collect()
}
