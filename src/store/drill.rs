//! A backup made and restored only to be looked at: where it stands, and that it goes away again.

use std::{
    path::{Path, PathBuf},
    rc::Rc,
};

use super::{
    Backup, Store,
    fault::{Doing, StoreError, StoreResult},
    restore::{self, Restoring},
    unfinished::{self, Growth},
};
use crate::world::place::{Growing, Place, PlaceFault};

/// A backup with the books that were made of it, which go away with this.
pub struct Drill {
    growing: Growing,
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
        let place = match target {
            Some(target) => self.backup_place(target)?,
            None => self.beside()?,
        };
        self.must_be_readable()?;
        let mut notes = unfinished::sweep(&place, Growth::Drill);
        let growing = unfinished::grow(&place, Growth::Drill)?;
        match self.made_in(&growing.path(), target, at) {
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
                let _ = growing.remove();
                Err(e)
            }
        }
    }

    /// A place beside the books.
    fn beside(&self) -> StoreResult<Place> {
        Place::outside(&self.paths.root, &[]).map_err(|fault| match fault {
            PlaceFault::Io(e) => StoreError::io("looking at where the drill goes", e),
            _ => StoreError::Refused(
                "backup_target_has_no_parent",
                "there is no folder to put the backup in".to_owned(),
            ),
        })
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
        let place = restore::vacant(&backup, &restored)?;
        let projection = Rc::clone(&self.projection);
        let what = Restoring {
            folder: &backup,
            into: &restored,
            without_damaged: false,
        };
        Store::restore_at(what, &place, projection, None)?;
        Ok((made, restored, notes))
    }
}

impl Drill {
    /// Takes the books away again, and a backup that was made for the drill alone.
    pub fn end(self) -> StoreResult<()> {
        self.growing
            .remove()
            .doing("taking the drill's folder away")
    }
}
