//! Copies of whole books: made while writers go on, with a manifest written last, read back and verified. Where a copy grows
//! until it is whole is in `backup/unfinished.rs`.

mod unfinished;

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    Store,
    connect::Access,
    fault::{Doing, StoreError, StoreResult},
    head::Head,
    verify,
};
use crate::{model::hex, world::files};
use unfinished::Unfinished;

/// What a backup holds; the file `MANIFEST.json` in it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// The books' id.
    pub books_id: String,
    /// The journal's last event in the copy.
    pub seq: i64,
    /// Its hash, 64 hex digits.
    pub head: String,
    /// When the copy was made, UTC.
    pub at: String,
    /// The program's version.
    pub wb: String,
    /// Every file in the copy but the manifest.
    pub files: Vec<FileCopy>,
}

/// A file in a backup.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct FileCopy {
    /// Its path inside the backup.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, hex.
    pub sha256: String,
}

const DATABASE: &str = "data/wanderbooks.db";
const MANIFEST: &str = "MANIFEST.json";
const FILE_BYTES_MAX: u64 = 64 << 30;

impl Store {
    /// Copies the books into the new folder `target`, reads the copy back and verifies it. Gives with it what to know of
    /// what killed backups had left beside the target: it is removed, unless a living process may hold it.
    ///
    /// Refuses: a target that exists, or lies inside the books folder.
    pub fn backup(&self, target: &Path, at: &str) -> StoreResult<(Backup, Vec<String>)> {
        let doing = "making the backup";
        self.outside(target)?;
        let notes = unfinished::sweep(parent(target));
        let growing = Unfinished::new(parent(target))?;
        let made = self.fill(growing.path(), at).and_then(|made| {
            files::rename_new(growing.path(), target)
                .map(|()| made)
                .map_err(|e| match e.kind() {
                    io::ErrorKind::AlreadyExists => taken(target),
                    _ => StoreError::io(doing, e),
                })
        });
        if made.is_err() {
            // It is no backup; the error is what matters, and the next backup sweeps what stays.
            let _ = fs::remove_dir_all(growing.path());
        }
        let made = made?;
        files::sync_folder(parent(target)).doing(doing)?;
        Ok((made, notes))
    }

    fn outside(&self, target: &Path) -> StoreResult<()> {
        let doing = "looking at where the backup goes";
        if fs::symlink_metadata(target).is_ok() {
            return Err(taken(target));
        }
        let parent = parent(target);
        let parent = match parent.canonicalize() {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::Refused(
                    "backup_target_has_no_parent",
                    format!("there is no folder {} to put the backup in", typed(parent)),
                ));
            }
            other => other.doing(doing)?,
        };
        let root = self.paths.root.canonicalize().doing(doing)?;
        let data = self.paths.data.canonicalize().doing(doing)?;
        if parent.starts_with(&root) || parent.starts_with(&data) {
            return Err(StoreError::Refused(
                "backup_target_inside",
                format!(
                    "{} lies inside the books; name a folder outside them",
                    typed(target)
                ),
            ));
        }
        Ok(())
    }

    fn fill(&self, target: &Path, at: &str) -> StoreResult<Backup> {
        let doing = "making the backup";
        files::make_private_folder(&target.join("data")).doing(doing)?;
        self.copy_database(&target.join(DATABASE))?;
        let mut names = vec![DATABASE.to_owned()];
        copy_file(&self.paths.settings, target, "wanderbooks.toml", &mut names)?;
        copy_file(&self.paths.config(), target, "data/config.json", &mut names)?;
        copy_folder(&self.paths.blobs(), target, "data/blobs", &mut names)?;
        copy_folder(&self.paths.root.join("vault"), target, "vault", &mut names)?;
        let head = verify_copy(self, &target.join(DATABASE))?;
        let copies = names
            .iter()
            .map(|name| describe(target, name))
            .collect::<StoreResult<Vec<_>>>()?;
        let manifest = Backup {
            books_id: self.books_id.clone(),
            seq: head.seq,
            head: head.hex(),
            at: at.to_owned(),
            wb: env!("CARGO_PKG_VERSION").to_owned(),
            files: copies,
        };
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(io::Error::other)
            .doing(doing)?;
        files::write_new(&target.join(MANIFEST), format!("{text}\n").as_bytes()).doing(doing)?;
        files::sync_folder(target).doing(doing)?;
        check(target)
    }
}

/// The folder that a path is in.
fn parent(target: &Path) -> &Path {
    target
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn taken(target: &Path) -> StoreError {
    StoreError::Refused(
        "backup_target_exists",
        format!(
            "{} exists already; name a folder that does not",
            typed(target)
        ),
    )
}

/// A path that someone typed, fit for a message.
fn typed(path: &Path) -> String {
    crate::model::quoted(&path.to_string_lossy())
}

/// Copies a file if it is there.
fn copy_file(source: &Path, target: &Path, name: &str, names: &mut Vec<String>) -> StoreResult<()> {
    let doing = format!("copying {name}");
    let bytes = match fs::read(source) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other.doing(&doing)?,
    };
    files::write_new(&target.join(name), &bytes).doing(&doing)?;
    names.push(name.to_owned());
    Ok(())
}

/// Copies the regular files of a folder and of the folders in it, if it is there. Links are not followed.
fn copy_folder(
    source: &Path,
    target: &Path,
    name: &str,
    names: &mut Vec<String>,
) -> StoreResult<()> {
    let doing = format!("copying {name}");
    let listed = match fs::read_dir(source) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other.doing(&doing)?,
    };
    files::make_private_folder(&target.join(name)).doing(&doing)?;
    let mut entries: Vec<fs::DirEntry> = listed.collect::<io::Result<_>>().doing(&doing)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Some(file_name) = entry.file_name().to_str().map(str::to_owned) else {
            return Err(StoreError::Unavailable(format!(
                "{doing}: a file there has a name that is not text"
            )));
        };
        let inner = format!("{name}/{file_name}");
        let kind = entry.file_type().doing(&doing)?;
        if kind.is_dir() {
            copy_folder(&entry.path(), target, &inner, names)?;
        } else if kind.is_file() {
            copy_file(&entry.path(), target, &inner, names)?;
        }
    }
    Ok(())
}

fn describe(target: &Path, name: &str) -> StoreResult<FileCopy> {
    let doing = format!("reading {name} back");
    let mut file = fs::File::open(target.join(name)).doing(&doing)?;
    file.sync_all().doing(&doing)?;
    let mut hash = Sha256::new();
    let (mut bytes, mut chunk) = (0, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut chunk).doing(&doing)?;
        if read == 0 {
            break;
        }
        hash.update(&chunk[..read]);
        bytes += read as u64;
    }
    Ok(FileCopy {
        path: name.to_owned(),
        bytes,
        sha256: hex(&hash.finalize()),
    })
}

/// Verifies a copy of the database in full.
fn verify_copy(store: &Store, database: &Path) -> StoreResult<Head> {
    let found = verify::verify(
        &verify::Site {
            database,
            access: Access::Shared,
            blobs: &store.blobs(),
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
    Ok(found.head)
}

/// Reads a backup's manifest and holds every file to it.
pub(super) fn check(folder: &Path) -> StoreResult<Backup> {
    let doing = "reading the backup back";
    let text = files::read_file(&folder.join(MANIFEST), FILE_BYTES_MAX).doing(doing)?;
    let manifest: Backup = serde_json::from_slice(&text)
        .map_err(|e| StoreError::Damaged(format!("the backup's manifest cannot be read: {e}")))?;
    for copy in &manifest.files {
        let plain = Path::new(&copy.path)
            .components()
            .all(|c| matches!(c, std::path::Component::Normal(_)));
        if !plain {
            return Err(StoreError::Damaged(
                "the backup's manifest names a file outside it".to_owned(),
            ));
        }
        if describe(folder, &copy.path)? != *copy {
            return Err(StoreError::Damaged(format!(
                "{} in the backup is not what was copied",
                copy.path
            )));
        }
    }
    Ok(manifest)
}
