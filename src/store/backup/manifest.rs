//! What a backup says that it holds, and holding it to that: every file it names with its hash, and no other. Making a backup
//! is in `backup.rs`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Read, Write},
    path::{Component, Path},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    model::{Refusal, hex, is_sha256},
    store::fault::{At, Doing, StoreError, StoreResult},
    world::files,
};

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
    /// The SHA-256 of stored files that were missing, or not what was stored, when the copy was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
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

pub(in crate::store) const DATABASE: &str = "data/wanderbooks.db";
pub(super) const SETTINGS: &str = "wanderbooks.toml";
pub(super) const CONFIG: &str = "data/config.json";
pub(super) const BLOBS: &str = "data/blobs";
/// The folders that come with everything in them.
pub(in crate::store) const WHOLE_FOLDERS: &[&str] = &["vault", "inbox"];
pub(in crate::store) const MANIFEST: &str = "MANIFEST.json";
/// A million files of 200 bytes each.
const MANIFEST_BYTES_MAX: u64 = 200 << 20;
/// No folder of books is deeper.
const DEPTH_MAX: usize = 64;

/// A backup that is not what its manifest says. A file's name came from outside and stands in a field.
fn bad(why: impl Into<String>, file: Option<&str>) -> StoreError {
    let mut refusal = Refusal::new("backup_damaged", why)
        .hint("nothing was made of this one: restore an older backup, or take another where the books still are");
    if let Some(file) = file {
        refusal = refusal.with("file", file);
    }
    StoreError::BadCopy(Box::new(refusal))
}

/// Stored files in a backup that are missing or are not what was copied, by their paths; everything else in it is.
pub(in crate::store) fn damaged(files: &[String]) -> StoreError {
    let what = match files.len() {
        1 => "a stored file in the backup is missing or is not what was copied".to_owned(),
        n => format!("{n} stored files in the backup are missing or are not what was copied"),
    };
    let why = format!("{what}; every other file is as it was copied");
    let hint = "copy them into the backup from another one, where they are whole; or make books of everything else with \
                `wb restore BACKUP --into NEW --without-damaged-files`";
    let refusal = Refusal::new("backup_damaged", why).with("files", files.to_vec());
    StoreError::BadCopy(Box::new(refusal.hint(hint)))
}

impl FileCopy {
    /// The SHA-256 by which the books know a stored file.
    pub(in crate::store) fn stored(&self) -> Option<&str> {
        let name = self.path.strip_prefix(BLOBS)?.strip_prefix('/')?;
        is_sha256(name).then_some(name)
    }
}

impl Backup {
    /// What the manifest in a folder says, and that it names nothing that is no part of books.
    pub(in crate::store) fn read(folder: &Path) -> StoreResult<Backup> {
        let text = match files::read_file(&folder.join(MANIFEST), MANIFEST_BYTES_MAX) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::Refused(
                    "not_a_backup",
                    format!(
                        "{} holds no MANIFEST.json, which is written last: it is no whole backup",
                        typed(folder)
                    ),
                ));
            }
            Err(e) if e.kind() == io::ErrorKind::InvalidInput => {
                return Err(bad("the backup's manifest is not a file", None));
            }
            read => read.at("reading the backup's manifest", &folder.join(MANIFEST))?,
        };
        let manifest: Backup = serde_json::from_slice(&text)
            .map_err(|e| bad(format!("the backup's manifest cannot be read: {e}"), None))?;
        let mut seen = BTreeSet::new();
        for copy in &manifest.files {
            if !belongs(&copy.path) {
                let why = "the backup's manifest names a file that is no part of books";
                return Err(bad(why, Some(&copy.path)));
            }
            if !seen.insert(copy.path.as_str()) {
                let why = "the backup's manifest names a file twice";
                return Err(bad(why, Some(&copy.path)));
            }
        }
        if !seen.contains(DATABASE) {
            return Err(bad("the backup's manifest names no database", None));
        }
        if let Some(lost) = manifest.lost.iter().find(|lost| !is_sha256(lost)) {
            let why = "the backup's manifest names something that is no SHA-256 as lost";
            return Err(bad(why, Some(lost)));
        }
        Ok(manifest)
    }

    /// Holds a folder to the manifest's names: every file is there, and nothing else is. Gives the stored files that are not
    /// there, by their paths; the books can be read without them.
    pub(in crate::store) fn hold_names(&self, folder: &Path) -> StoreResult<Vec<String>> {
        let (mut found, mut gone) = (BTreeMap::new(), Vec::new());
        list(folder, "", DEPTH_MAX, &mut found)?;
        found.remove(MANIFEST);
        for copy in &self.files {
            match found.remove(&copy.path) {
                Some(true) => {}
                Some(false) | None if copy.stored().is_some() => gone.push(copy.path.clone()),
                Some(false) => return Err(bad("in the backup this is no file", Some(&copy.path))),
                None => {
                    let why = "a file that the manifest names is not in the backup";
                    return Err(bad(why, Some(&copy.path)));
                }
            }
        }
        if let Some((more, _)) = found.first_key_value() {
            let why = "the backup holds something that its manifest does not name";
            let refusal = Refusal::new("backup_damaged", why)
                .with("file", more.as_str())
                .hint("move that file out of the backup, and try again; nothing was made of it");
            return Err(StoreError::BadCopy(Box::new(refusal)));
        }
        Ok(gone)
    }

    /// Holds the files that are `wanted` to their bytes. Gives each file's bytes to what `take` gives for it, as they are
    /// read. Gives the stored files that are not what was copied, or cannot be read, by their paths.
    pub(in crate::store) fn hold_bytes(
        &self,
        folder: &Path,
        wanted: impl Fn(&FileCopy) -> bool,
        mut take: impl FnMut(&FileCopy) -> StoreResult<Option<File>>,
    ) -> StoreResult<Vec<String>> {
        let mut hurt = Vec::new();
        for copy in self.files.iter().filter(|copy| wanted(copy)) {
            let mut out = take(copy)?;
            let doing = "reading the backup";
            let path = folder.join(&copy.path);
            let mut file = files::open_regular(&path).at(doing, &path)?;
            let stored = copy.stored().is_some();
            let read = match passed(&mut file, &copy.path, out.as_mut()) {
                // A medium that gives a stored file's bytes no more, and not a full disk where it is copied to.
                Err(_) if stored && passed(&mut file, &copy.path, None).is_err() => None,
                read => Some(read?),
            };
            if stored && read.as_ref() != Some(copy) {
                hurt.push(copy.path.clone());
                continue;
            }
            if read.as_ref() != Some(copy) {
                let why = "a file in the backup is not what was copied";
                return Err(bad(why, Some(&copy.path)));
            }
            if let Some(out) = out {
                out.sync_all().doing("writing the copy")?;
            }
        }
        Ok(hurt)
    }

    /// Holds the manifest to what the database in the copy says.
    pub(in crate::store) fn hold_to(&self, books_id: &str, head: &super::Head) -> StoreResult<()> {
        if self.books_id != books_id || self.seq != head.seq || self.head != head.hex() {
            let why =
                "the backup's manifest speaks of other books or another moment than its database";
            return Err(bad(why, None));
        }
        Ok(())
    }
}

/// What is wrong with the content of a backup whose files are as they were copied.
pub(in crate::store) fn inside(why: String) -> StoreError {
    bad(why, None)
}

/// A path that someone typed, fit for a message.
pub(in crate::store) fn typed(path: &Path) -> String {
    crate::model::quoted(&path.to_string_lossy())
}

/// Whether a file of this path can be part of a backup: plain, and in one of the places that books have.
fn belongs(path: &str) -> bool {
    let parts: Vec<Component<'_>> = Path::new(path).components().collect();
    let plain = parts.iter().all(|c| matches!(c, Component::Normal(_)));
    // `a//b` and `a/./b` read as `a/b` and are other names of the same file.
    let same = parts
        .iter()
        .map(|c| c.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
        == path;
    let blob = path
        .strip_prefix(BLOBS)
        .and_then(|rest| rest.strip_prefix('/'));
    let whole = |folder: &&str| parts.len() > 1 && path.starts_with(&format!("{folder}/"));
    plain
        && same
        && parts.len() <= DEPTH_MAX
        && ([DATABASE, SETTINGS, CONFIG].contains(&path)
            || blob.is_some_and(is_sha256)
            || WHOLE_FOLDERS.iter().any(whole))
}

/// Everything in a folder but folders, by its path from the top, and whether it is a regular file. Links are not followed.
fn list(
    folder: &Path,
    under: &str,
    depth: usize,
    found: &mut BTreeMap<String, bool>,
) -> StoreResult<()> {
    let doing = "looking through the backup";
    if depth == 0 {
        return Err(bad("the backup's folders are too deep", None));
    }
    for entry in fs::read_dir(folder).at(doing, folder)? {
        let entry = entry.doing(doing)?;
        let name = format!("{under}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().doing(doing)?;
        if kind.is_dir() {
            list(&entry.path(), &format!("{name}/"), depth - 1, found)?;
        } else {
            found.insert(name, kind.is_file());
        }
    }
    Ok(())
}

/// Reads a file to its end, handing what it reads on; gives its length and hash.
pub(super) fn passed(
    file: &mut File,
    name: &str,
    mut out: Option<&mut File>,
) -> StoreResult<FileCopy> {
    let doing = "copying a file";
    let mut hash = Sha256::new();
    let (mut bytes, mut chunk) = (0, vec![0; 1 << 18]);
    loop {
        let read = match file.read(&mut chunk) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            read => read.doing(doing)?,
        };
        if read == 0 {
            break;
        }
        hash.update(&chunk[..read]);
        if let Some(out) = out.as_mut() {
            out.write_all(&chunk[..read]).doing(doing)?;
        }
        bytes += read as u64;
    }
    Ok(FileCopy {
        path: name.to_owned(),
        bytes,
        sha256: hex(&hash.finalize()),
    })
}

/// Makes the private folders that a file of this path lies in.
pub(in crate::store) fn make_folders_of(root: &Path, path: &str) -> StoreResult<()> {
    let mut folder = root.to_owned();
    let parents = Path::new(path)
        .parent()
        .into_iter()
        .flat_map(Path::components);
    for part in parents {
        folder.push(part);
        files::make_private_folder(&folder).doing("making a folder of the copy")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A manifest may name the parts of books, and nothing outside them or beside them.
    #[test]
    fn places() {
        let blob = format!("data/blobs/{}", "a".repeat(64));
        let good = [
            "data/wanderbooks.db",
            "wanderbooks.toml",
            "data/config.json",
            "vault/v1/tin",
            "inbox/January statement.csv",
            blob.as_str(),
        ];
        for path in good {
            assert!(belongs(path), "{path}");
        }
        let bad = [
            "",
            "/etc/passwd",
            "../x",
            "vault/../../x",
            "vault//x",
            "vault/./x",
            "vault",
            "vault/",
            "inbox",
            "data/journal.jsonl",
            "data/wanderbooks.db-wal",
            "data/blobs/x",
            "data/blobs",
            "vaults/x",
            "MANIFEST.json",
            "data/wanderbooks.db/",
        ];
        for path in bad {
            assert!(!belongs(path), "{path}");
        }
    }
}
