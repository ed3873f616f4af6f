//! Files of the books, each under the SHA-256 of its bytes: written whole before the commit that speaks of them, and held to
//! their hash whenever they are read. What a file is, and whose, is not known here.

use std::{fs, io, io::Write, path::PathBuf, sync::Arc};

use sha2::{Digest, Sha256};

use super::{
    Paths,
    fault::{At, Doing, StoreError, StoreResult},
};
use crate::{
    model::{hex, is_sha256},
    world::files,
};

/// The most bytes that a stored file may have. What is longer was never stored by this program.
const BLOB_BYTES_MAX: u64 = 64 << 20;

/// The folder of stored files.
#[derive(Clone, Debug)]
pub struct Blobs(PathBuf);

/// What is wrong with a stored file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFault {
    /// The SHA-256 by which the books know it.
    pub sha256: String,
    /// What is wrong.
    pub what: String,
}

/// A file that a change brings.
pub(super) struct Blob {
    sha256: String,
    bytes: Arc<Vec<u8>>,
}

impl Blob {
    pub fn new(bytes: Arc<Vec<u8>>) -> Blob {
        Blob {
            sha256: hex(&Sha256::digest(bytes.as_slice())),
            bytes,
        }
    }
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// The files that were not there before they were placed.
#[derive(Default)]
pub(super) struct Placed(Vec<PathBuf>);

impl Blobs {
    /// The stored files of some books.
    pub fn of(paths: &Paths) -> Blobs {
        Blobs(paths.blobs())
    }

    fn path(&self, sha256: &str) -> StoreResult<PathBuf> {
        if is_sha256(sha256) {
            return Ok(self.0.join(sha256));
        }
        let what = "a stored file is named by something that is no SHA-256";
        Err(StoreError::Damaged(what.to_owned()))
    }

    /// The bytes of a stored file.
    ///
    /// Refuses, as damage: a file that is missing, or is not the one that was stored.
    pub fn read(&self, sha256: &str) -> StoreResult<Vec<u8>> {
        let path = self.path(sha256)?;
        let lost = |what: &str| StoreError::LostFile(format!("the stored file {sha256} {what}"));
        let bytes = match files::read_file(&path, BLOB_BYTES_MAX) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(lost("is missing")),
            Err(e) if e.kind() == io::ErrorKind::FileTooLarge => {
                return Err(lost("is not what was stored"));
            }
            Err(e) if e.kind() == io::ErrorKind::InvalidInput => {
                return Err(lost("is not a file any more"));
            }
            read => read.at("reading a stored file", &path)?,
        };
        if hex(&Sha256::digest(bytes.as_slice())) != sha256 {
            return Err(lost("is not what was stored"));
        }
        Ok(bytes)
    }

    /// Whether a stored file is there with as many bytes as it had; what they are is not looked at.
    pub fn holds(&self, sha256: &str, bytes: u64) -> StoreResult<bool> {
        match fs::metadata(self.path(sha256)?) {
            Ok(found) => Ok(found.is_file() && found.len() == bytes),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(StoreError::io("looking for a stored file", e)),
        }
    }

    /// What is wrong with a stored file, if anything.
    pub(super) fn fault(&self, sha256: &str) -> StoreResult<Option<FileFault>> {
        match self.read(sha256) {
            Ok(_) => Ok(None),
            Err(StoreError::LostFile(what) | StoreError::Damaged(what)) => Ok(Some(FileFault {
                sha256: sha256.to_owned(),
                what,
            })),
            Err(other) => Err(other),
        }
    }

    /// Writes files that are not there, or are there damaged, each through a temporary one, and syncs them. The caller
    /// holds the only writer's lock.
    ///
    /// What cannot be written leaves nothing behind.
    pub(super) fn place(&self, blobs: &[Blob]) -> StoreResult<Placed> {
        let mut placed = Placed::default();
        if blobs.is_empty() {
            return Ok(placed);
        }
        let all = files::make_private_folder(&self.0)
            .at("making the folder of stored files", &self.0)
            .and_then(|()| {
                blobs
                    .iter()
                    .try_for_each(|b| self.place_one(b, &mut placed))
            })
            .and_then(|()| files::sync_folder(&self.0).doing("storing a file"));
        if let Err(e) = all {
            placed.take_back();
            return Err(e);
        }
        Ok(placed)
    }

    fn place_one(&self, blob: &Blob, placed: &mut Placed) -> StoreResult<()> {
        let doing = "storing a file";
        let path = self.path(&blob.sha256)?;
        let known = self.fault(&blob.sha256);
        if matches!(known, Ok(None)) {
            return Ok(());
        }
        let new = fs::symlink_metadata(&path).is_err();
        // One name for all, so that what a killed process left is used again.
        let incoming = self.0.join("incoming");
        let (mut file, temporary) = files::replacement(&incoming).at(doing, &incoming)?;
        let written = file
            .write_all(&blob.bytes)
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::rename(&temporary, &path));
        if let Err(e) = written {
            // The error is what matters; the name is used again.
            let _ = fs::remove_file(&temporary);
            return Err(StoreError::io(doing, e));
        }
        if new {
            placed.0.push(path);
        }
        Ok(())
    }
}

impl Placed {
    /// Removes what was placed: the change that speaks of it was not made.
    pub fn take_back(self) {
        for path in self.0 {
            // A file that stays is known to nobody, and is used again when the same bytes come.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blobs() -> (tempfile::TempDir, Blobs) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let blobs = Blobs::of(&Paths::within(folder.path()));
        (folder, blobs)
    }

    /// `sha256sum` of "abc" (FIPS 180-2, appendix B.1).
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    /// A stored file is read back; one that was changed or removed is damage, and storing it again mends it.
    #[test]
    fn held_to_their_hash() {
        let (_folder, blobs) = blobs();
        let abc = || [Blob::new(b"abc".to_vec().into())];
        assert!(blobs.place(&abc()).is_ok_and(|placed| placed.0.len() == 1));
        assert_eq!(blobs.read(ABC).ok().as_deref(), Some(b"abc".as_slice()));
        assert!(matches!(
            (blobs.holds(ABC, 3), blobs.holds(ABC, 4)),
            (Ok(true), Ok(false))
        ));
        assert!(blobs.place(&abc()).is_ok_and(|placed| placed.0.is_empty()));
        fs::write(blobs.0.join(ABC), b"abd").expect("a file to damage");
        assert!(matches!(blobs.read(ABC), Err(StoreError::LostFile(_))));
        assert!(blobs.place(&abc()).is_ok());
        assert!(blobs.read(ABC).is_ok());
        fs::remove_file(blobs.0.join(ABC)).expect("a file to remove");
        assert!(matches!(blobs.read(ABC), Err(StoreError::LostFile(_))));
        assert!(matches!(blobs.holds(ABC, 3), Ok(false)));
        assert!(matches!(blobs.read("../x"), Err(StoreError::Damaged(_))));
    }

    /// What is taken back is gone, but not what was there before.
    #[test]
    fn taken_back() {
        let (_folder, blobs) = blobs();
        let abc = Blob::new(b"abc".to_vec().into());
        assert!(blobs.place(&[abc]).is_ok());
        let both = [
            Blob::new(b"abc".to_vec().into()),
            Blob::new(b"new".to_vec().into()),
        ];
        blobs.place(&both).expect("two files to store").take_back();
        assert!(blobs.read(ABC).is_ok());
        let listed = fs::read_dir(&blobs.0).expect("a folder").count();
        assert_eq!(listed, 1);
    }
}
