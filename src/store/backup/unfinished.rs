//! The folder in which a backup grows, held by a lock while it does, and the sweeping of those that killed backups left. Not what
//! is in it.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
};

use crate::{
    store::fault::{Doing, StoreError, StoreResult},
    world::files::hold_folder,
};

/// The beginning of the names; a number follows. It is none that a person gives, so that what a killed backup left blocks no
/// name.
const NAME: &str = ".wb-backup-unfinished-";

/// A new private folder in which a backup grows until it is whole.
pub(super) struct Unfinished {
    path: PathBuf,
    /// What tells others that a living process is at it; `None` where folders cannot be held, and then nobody sweeps.
    _held: Option<File>,
}

impl Unfinished {
    /// Makes one in `beside`.
    pub(super) fn new(beside: &Path) -> StoreResult<Unfinished> {
        const TRIES: usize = 1_000;
        let doing = "making the backup";
        for n in 1..=TRIES {
            let path = beside.join(format!("{NAME}{n}"));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.doing(doing)?,
            }
            let held = match hold_folder(&path) {
                // Another backup swept it between two steps.
                Ok(None) => continue,
                Ok(held) => held,
                Err(_) => None,
            };
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).doing(doing)?;
            return Ok(Unfinished { path, _held: held });
        }
        Err(StoreError::Unavailable(format!(
            "{TRIES} folders named {NAME}… stand beside the target already; remove them"
        )))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Removes the folders in `beside` that backups left when they were killed: those that nobody holds. Gives a sentence on what
/// was removed, and one on what stays because it cannot be told whether someone is at it; what is held is passed over.
///
/// It refuses nothing: what stays is in nobody's way.
pub(super) fn sweep(beside: &Path) -> Vec<String> {
    let (mut removed, mut stay) = (0, 0);
    for path in left(beside) {
        match hold_folder(&path) {
            Ok(None) => {}
            Ok(Some(_held)) if fs::remove_dir_all(&path).is_ok() => removed += 1,
            _ => stay += 1,
        }
    }
    let folders = |n: usize| match n {
        1 => format!("1 folder named {NAME}…"),
        n => format!("{n} folders named {NAME}…"),
    };
    let mut notes = Vec::new();
    if removed > 0 {
        notes.push(format!(
            "{}, left beside the target by backups that were cut off, removed",
            folders(removed)
        ));
    }
    if stay > 0 {
        notes.push(format!(
            "{} beside the target may be of a backup that was cut off, or still growing; remove by hand what no backup is at",
            folders(stay)
        ));
    }
    notes
}

/// What has the name of an unfinished backup, whoever made it.
fn left(beside: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(beside) else {
        // Making the backup says what is wrong with the folder.
        return Vec::new();
    };
    let ours = |name: &str| {
        name.strip_prefix(NAME)
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_str().is_some_and(ours))
        .map(|entry| entry.path())
        .collect()
}
