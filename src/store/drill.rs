//! A backup made and restored only to be looked at: where it stands, and that it goes away again.

use std::{
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use super::{
    Backup, Store,
    backup::parent,
    fault::{Doing, StoreError, StoreResult},
    unfinished::{self, Growth, Unfinished},
};

/// A backup with the books that were made of it, which go away with this.
pub struct Drill {
    growing: Unfinished,
    /// What was backed up.
    pub backup: Backup,
    /// The books that were made of it.
    pub restored: PathBuf,
    /// What to know.
    pub notes: Vec<String>,
}

impl Store {
    /// Backs the books up, into `target` or, without one, into a folder that goes away again, and makes books of the backup in
    /// such a folder: beside the target, else beside the books, where there is room for them. Within a moment that is being
    /// read, all of it is of that moment.
    ///
    /// Refuses: what backing up and restoring refuse.
    pub fn drill(&self, target: Option<&Path>, at: &str) -> StoreResult<Drill> {
        let beside = parent(target.unwrap_or(&self.paths.root));
        if !beside.is_dir() {
            return Err(StoreError::Refused(
                "backup_target_has_no_parent",
                "there is no folder to put the backup in".to_owned(),
            ));
        }
        let mut notes = unfinished::sweep(beside, Growth::Drill);
        let growing = Unfinished::new(beside, Growth::Drill)?;
        let made = self.made_in(growing.path(), target, at);
        match made {
            Ok((backup, restored, more)) => {
                notes.extend(more);
                Ok(Drill {
                    growing,
                    backup,
                    restored,
                    notes,
                })
            }
            Err(e) => {
                // The error is what matters; the next drill sweeps what stays.
                let _ = fs::remove_dir_all(growing.path());
                Err(e)
            }
        }
    }

    fn made_in(
        &self,
        folder: &Path,
        target: Option<&Path>,
        at: &str,
    ) -> StoreResult<(Backup, PathBuf, Vec<String>)> {
        let backup = target.map_or_else(|| folder.join("backup"), Path::to_owned);
        let (made, notes) = self.backup(&backup, at)?;
        let restored = folder.join("restored");
        Store::restore(&backup, &restored, Rc::clone(&self.projection), None)?;
        Ok((made, restored, notes))
    }
}

impl Drill {
    /// Takes the books away again, and a backup that was made for the drill alone.
    pub fn end(self) -> StoreResult<()> {
        fs::remove_dir_all(self.growing.path()).doing("taking the drill's folder away")
    }
}
