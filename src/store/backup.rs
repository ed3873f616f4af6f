//! Copies of whole books: made while writers go on, with a manifest written last, read back and verified. What the manifest
//! says is in `backup/manifest.rs`, making books of a copy in `restore.rs`.

pub(super) mod manifest;

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use super::{
    Blobs, Paths, Store,
    connect::Access,
    fault::{At, Doing, StoreError, StoreResult},
    head::Head,
    unfinished::{self, Growth},
    verify,
};
use crate::{
    model::is_sha256,
    world::{
        files,
        place::{Place, PlaceFault},
    },
};
use manifest::{
    BLOBS, CONFIG, DATABASE, MANIFEST, SETTINGS, WHOLE_FOLDERS, damaged, passed, typed,
};
pub use manifest::{Backup, FileCopy};

/// A copy as it grows: where, and what is in it. Without a place everything is only opened.
struct Copy<'c> {
    target: Option<&'c Path>,
    files: Vec<FileCopy>,
    notes: Vec<String>,
}

impl Store {
    /// Copies the books into the new folder `target`, reads the copy back and verifies it. Gives with it what to know: what
    /// killed backups had left beside the target, which is removed unless a living process may hold it, and what was not
    /// copied.
    ///
    /// Stored files that are missing or damaged are named in the manifest; the copy is made all the same. Within a moment that
    /// is being read, the copy is of that moment.
    ///
    /// Refuses: a target that exists, has no parent or lies inside the books.
    pub fn backup(&self, target: &Path, at: &str) -> StoreResult<(Backup, Vec<String>)> {
        let place = self.backup_place(target)?;
        self.must_be_readable()?;
        let mut notes = unfinished::sweep(&place, Growth::Backup);
        let growing = unfinished::grow(&place, Growth::Backup)?;
        let made = self.fill(&growing.path(), at).and_then(|made| {
            growing
                .take(&place)
                .map(|()| made)
                .map_err(|fault| refused(target, fault))
        });
        if made.is_err() {
            // It is no backup; the error is what matters, and the next backup sweeps what stays.
            let _ = growing.remove();
        }
        let (made, more) = made?;
        notes.extend(more);
        place.sync().doing("making the backup")?;
        Ok((made, notes))
    }

    /// The place of a new backup.
    ///
    /// Refuses: a target that exists, has no parent or lies inside the books.
    pub(super) fn backup_place(&self, target: &Path) -> StoreResult<Place> {
        let vault = self.paths.root.join("vault");
        let mut closed = vec![&*self.paths.root, &*self.paths.data, &*vault];
        closed.extend(self.state.as_deref());
        Place::new_folder(target)
            .and_then(|place| {
                place.hold_outside(&closed)?;
                place.hold_unmarked(&Paths::marks())?;
                Ok(place)
            })
            .map_err(|fault| refused(target, fault))
    }

    /// Refuses books of which something that a copy is made of cannot be read: what is no file where one must be, a folder that is
    /// none, what this user may not open. Nothing is written before this is known.
    pub(super) fn must_be_readable(&self) -> StoreResult<()> {
        self.copy_files(&mut Copy::onto(None))
    }

    /// Copies all that lies around the database.
    fn copy_files(&self, copy: &mut Copy<'_>) -> StoreResult<()> {
        copy.file(&self.paths.settings, SETTINGS)?;
        copy.file(&self.paths.config(), CONFIG)?;
        copy.folder(&self.paths.blobs(), BLOBS, &is_sha256)?;
        for name in WHOLE_FOLDERS {
            copy.folder(&self.paths.root.join(name), name, &|_| true)?;
        }
        Ok(())
    }

    fn fill(&self, target: &Path, at: &str) -> StoreResult<(Backup, Vec<String>)> {
        let doing = "making the backup";
        files::make_private_folder(&target.join("data")).doing(doing)?;
        self.copy_database(&target.join(DATABASE))?;
        let mut copy = Copy::onto(Some(target));
        copy.read_back(target, DATABASE)?;
        // After the database: what it names was stored before the commit that names it.
        self.copy_files(&mut copy)?;
        let (head, lost) = verify_copy(self, target)?;
        let manifest = Backup {
            books_id: self.books_id.clone(),
            seq: head.seq,
            head: head.hex(),
            at: at.to_owned(),
            wb: env!("CARGO_PKG_VERSION").to_owned(),
            files: copy.files,
            lost,
        };
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(io::Error::other)
            .doing(doing)?;
        files::write_new(&target.join(MANIFEST), format!("{text}\n").as_bytes()).doing(doing)?;
        files::sync_folder(target).doing(doing)?;
        let manifest = Backup::read(target)?;
        let mut hurt = manifest.hold_names(target)?;
        // The database's hash was taken from the copy itself; a file that is gone has no bytes.
        let there = |copy: &FileCopy| copy.path != DATABASE && !hurt.contains(&copy.path);
        let changed = manifest.hold_bytes(target, there, |_| Ok(None))?;
        hurt.extend(changed);
        if !hurt.is_empty() {
            return Err(damaged(&hurt));
        }
        Ok((manifest, copy.notes))
    }
}

/// The folder that a path is in.
pub(super) fn parent(target: &Path) -> &Path {
    target
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Why there can be no backup at a target.
fn refused(target: &Path, fault: PlaceFault) -> StoreError {
    let shown = typed(target);
    match fault {
        PlaceFault::Taken => StoreError::Refused(
            "backup_target_exists",
            format!("{shown} exists already; name a folder that does not"),
        ),
        PlaceFault::NoFolder => StoreError::Refused(
            "backup_target_has_no_parent",
            format!(
                "there is no folder {} to put the backup in",
                typed(parent(target))
            ),
        ),
        PlaceFault::Inside => StoreError::Refused(
            "backup_target_inside",
            format!("{shown} lies inside the books; name a folder outside them"),
        ),
        PlaceFault::Io(e) => StoreError::unfit("making the backup", target, e),
        fault => StoreError::Unfit {
            doing: "making the backup".to_owned(),
            path: target.to_owned(),
            why: format!("cannot be taken: {fault}"),
            hint: "name another place",
        },
    }
}

impl<'c> Copy<'c> {
    fn onto(target: Option<&'c Path>) -> Copy<'c> {
        Copy {
            target,
            files: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Takes what is in the copy already.
    fn read_back(&mut self, target: &Path, name: &str) -> StoreResult<()> {
        let doing = "reading the database's copy";
        let mut file = fs::File::open(target.join(name)).doing(doing)?;
        file.sync_all().doing(doing)?;
        self.files.push(passed(&mut file, name, None)?);
        Ok(())
    }

    /// Copies a file if it is there.
    fn file(&mut self, source: &Path, name: &str) -> StoreResult<()> {
        let doing = "copying a file of the books";
        let mut file = match files::open_regular(source) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened.at(doing, source)?,
        };
        let Some(target) = self.target else {
            return Ok(());
        };
        let mut out = files::new_private_file(&target.join(name)).doing(doing)?;
        self.files.push(passed(&mut file, name, Some(&mut out))?);
        out.flush().and_then(|()| out.sync_all()).doing(doing)
    }

    /// Copies the regular files whose names are `wanted`, of a folder and of the folders in it, if it is there. Links are not
    /// followed. What has a name that is not text is told of and left out.
    fn folder(
        &mut self,
        source: &Path,
        name: &str,
        wanted: &dyn Fn(&str) -> bool,
    ) -> StoreResult<()> {
        let doing = "copying a folder of the books";
        let listed = match fs::read_dir(source) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other.at(doing, source)?,
        };
        if let Some(target) = self.target {
            files::make_private_folder(&target.join(name)).doing(doing)?;
        }
        let mut entries: Vec<fs::DirEntry> = listed.collect::<io::Result<_>>().at(doing, source)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut unnamed = 0;
        for entry in entries {
            let kind = entry.file_type().at(doing, &entry.path())?;
            let file_name = entry.file_name();
            let Some(file_name) = file_name.to_str() else {
                unnamed += 1;
                continue;
            };
            let inner = format!("{name}/{file_name}");
            if kind.is_dir() {
                self.folder(&entry.path(), &inner, wanted)?;
            } else if kind.is_file() && wanted(file_name) {
                self.file(&entry.path(), &inner)?;
            }
        }
        if unnamed > 0 {
            let what = format!("{unnamed} files whose names are not text were not copied");
            self.notes.push(what);
        }
        Ok(())
    }
}

/// Verifies the books in a copy in full; gives their head, and the stored files that are missing from it or damaged.
fn verify_copy(store: &Store, target: &Path) -> StoreResult<(Head, Vec<String>)> {
    let found = verify::verify(
        &verify::Site {
            database: &target.join(DATABASE),
            access: Access::Shared,
            blobs: &Blobs::of(&Paths::within(target)),
        },
        &store.projection,
        verify::Depth::Files,
    )?;
    if let Some(damage) = found.damage {
        return Err(StoreError::Damaged(format!(
            "the journal breaks at event {}: {}",
            damage.seq, damage.why
        )));
    }
    if let Some(drift) = found.drift.first() {
        return Err(StoreError::Damaged(format!(
            "table {}: {}; run wb verify, which mends it, then back up again",
            drift.table, drift.what
        )));
    }
    let lost = found.files.faults.into_iter().map(|fault| fault.sha256);
    Ok((found.head, lost.collect()))
}
