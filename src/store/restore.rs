//! Making books of a backup: in a folder that grows under a hidden name and takes its own when it is whole. What the backup
//! says of itself is held to its manifest, its journal to its chain, its tables to a replay of the journal.

use std::{fs, io, path::Path, rc::Rc};

use serde::Deserialize;

use super::{
    Paths, Projection, Store,
    backup::{
        Backup, FileCopy,
        manifest::{WHOLE_FOLDERS, damaged, inside, make_folders_of, typed},
        parent,
    },
    fault::{At, Doing, StoreError, StoreResult},
    head::Remembered,
    journal, mirror,
    unfinished::{self, Growth},
    verify::Depth,
};
use crate::world::{
    files,
    place::{Place, PlaceFault},
};

/// Books that were made of a backup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restored {
    /// What the backup was.
    pub backup: Backup,
    /// When the last event in it was written, UTC.
    pub last_at: String,
    /// What was seen of these books that the backup does not have.
    pub missing: Option<Missing>,
    /// The SHA-256 of stored files that were left out, because they are missing from the backup or damaged in it.
    pub left_out: Vec<String>,
    /// What to know.
    pub notes: Vec<String>,
}

/// Which backup is restored, and where to.
#[derive(Clone, Copy, Debug)]
pub struct Restoring<'r> {
    /// The backup's folder.
    pub folder: &'r Path,
    /// The new books folder.
    pub into: &'r Path,
    /// Whether stored files that are missing or damaged are left out, rather than refused.
    pub without_damaged: bool,
}

/// A state that was seen and that these books do not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The last event of it.
    pub seq: i64,
    /// Its hash, 64 hex digits.
    pub head: String,
    /// When it was written, UTC, where that is remembered.
    pub at: Option<String>,
    /// Whether the journal here goes another way, rather than ending before.
    pub diverged: bool,
}

impl Store {
    /// Makes books of the backup in `folder`, in the new folder `into`. `state` is where heads are remembered.
    ///
    /// Refuses: a target that exists, has no parent, lies inside the backup or inside any books; a backup that is not what its
    /// manifest says, whose journal breaks, or whose tables are not what its journal makes of them.
    pub fn restore(
        what: Restoring<'_>,
        projection: Rc<Projection>,
        state: Option<&Path>,
    ) -> StoreResult<Restored> {
        let into = what.into;
        let place = vacant(what.folder, into)?;
        let inside = |fault| refused(into, ("other books", "them"), fault);
        place.hold_unmarked(&Paths::marks()).map_err(inside)?;
        let memory: Vec<&Path> = state.into_iter().collect();
        place.hold_outside(&memory).map_err(inside)?;
        Store::restore_at(what, &place, projection, state)
    }

    /// The same at a place that may lie inside books.
    pub(super) fn restore_at(
        what: Restoring<'_>,
        place: &Place,
        projection: Rc<Projection>,
        state: Option<&Path>,
    ) -> StoreResult<Restored> {
        let doing = "restoring the backup";
        let Restoring { folder, into, .. } = what;
        let backup = Backup::read(folder)?;
        let mut notes = unfinished::sweep(place, Growth::Restore);
        let growing = unfinished::grow(place, Growth::Restore)?;
        let made = fill(what, &growing.path(), &backup)
            .and_then(|left_out| {
                let paths = Paths::within(&growing.path());
                let (store, upgraded) = judge(&paths, projection, (&backup, &left_out))?;
                if upgraded {
                    notes.push(
                        "another version of wb had made the tables: they were folded again, and not compared"
                            .to_owned(),
                    );
                }
                Ok((last_at(&store)?, missing(&store, state)?, left_out))
            })
            .and_then(|known| {
                files::sync_folder(&growing.path()).doing(doing)?;
                growing
                    .take(place)
                    .map(|()| known)
                    .map_err(|fault| refused(into, ("the backup", "it"), fault))
            });
        if made.is_err() {
            // They are no books; the error is what matters, and the next restore sweeps what stays.
            let _ = growing.remove();
        }
        let (last_at, missing, left_out) = made?;
        place.sync().doing(doing)?;
        Ok(Restored {
            backup,
            last_at,
            missing,
            left_out,
            notes,
        })
    }
}

/// Why no books can be made at a target. `within` says what it lies inside of, and how that is called again.
fn refused(into: &Path, within: (&str, &str), fault: PlaceFault) -> StoreError {
    let shown = typed(into);
    match fault {
        PlaceFault::Taken => StoreError::Refused(
            "restore_target_exists",
            format!("{shown} exists already; name a folder that does not"),
        ),
        PlaceFault::NoFolder => StoreError::Refused(
            "restore_target_has_no_parent",
            format!(
                "there is no folder {} to make the books in",
                typed(parent(into))
            ),
        ),
        PlaceFault::Inside => StoreError::Refused(
            "restore_target_inside",
            format!(
                "{shown} lies inside {}; name a folder outside {}",
                within.0, within.1
            ),
        ),
        PlaceFault::Io(e) => StoreError::unfit("making the books", into, e),
        fault => StoreError::Unfit {
            doing: "making the books".to_owned(),
            path: into.to_owned(),
            why: format!("cannot be taken: {fault}"),
            hint: "name another place",
        },
    }
}

/// The place of new books; refuses one where none can be made of the backup in `folder`.
pub(super) fn vacant(folder: &Path, into: &Path) -> StoreResult<Place> {
    let within = |fault| refused(into, ("the backup", "it"), fault);
    let place = Place::new_folder(into).map_err(within)?;
    match fs::metadata(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return Err(StoreError::Refused(
                "not_a_backup",
                format!("there is no backup at {}", typed(folder)),
            ));
        }
        found => found.at("looking at the backup", folder)?,
    };
    place.hold_outside(&[folder]).map_err(within)?;
    Ok(place)
}

/// Copies every file of the backup, holding each to the manifest as it is read. Gives the SHA-256 of the stored files that are
/// missing or damaged and left out.
fn fill(what: Restoring<'_>, growing: &Path, backup: &Backup) -> StoreResult<Vec<String>> {
    let doing = "making the books";
    for place in WHOLE_FOLDERS {
        files::make_private_folder(&growing.join(place)).doing(doing)?;
    }
    let mut hurt = backup.hold_names(what.folder)?;
    let changed = backup.hold_bytes(
        what.folder,
        |copy| !hurt.contains(&copy.path),
        |copy| {
            make_folders_of(growing, &copy.path)?;
            let made = files::new_private_file(&growing.join(&copy.path));
            made.doing(doing).map(Some)
        },
    )?;
    for path in &changed {
        fs::remove_file(growing.join(path)).doing(doing)?;
    }
    hurt.extend(changed);
    if !hurt.is_empty() && !what.without_damaged {
        return Err(damaged(&hurt));
    }
    let hurt = |copy: &&FileCopy| hurt.contains(&copy.path);
    let left_out = backup.files.iter().filter(hurt);
    Ok(left_out
        .filter_map(|copy| copy.stored().map(str::to_owned))
        .collect())
}

/// Holds the books to their journal, and writes the mirror. Gives them open, and whether another version of the program had
/// folded the tables, which are then folded again and not compared.
fn judge(
    paths: &Paths,
    projection: Rc<Projection>,
    (backup, left_out): (&Backup, &[String]),
) -> StoreResult<(Store, bool)> {
    let of_backup = |e: StoreError| match e {
        StoreError::Damaged(why) | StoreError::RolledBack { why, .. } => inside(why),
        StoreError::Absent(_) => inside("the backup's database is empty".to_owned()),
        other => other,
    };
    let mut store = Store::open(paths.clone(), projection, None).map_err(of_backup)?;
    // A copy stands alone, without a log; books that are written to have one.
    store
        .db
        .pragma_update(None, "journal_mode", "WAL")
        .doing("making the books")?;
    let found = store.verify(Depth::Files).map_err(of_backup)?;
    if let Some(damage) = found.damage {
        return Err(inside(format!(
            "the backup's journal breaks at event {}: {}",
            damage.seq, damage.why
        )));
    }
    if let Some(drift) = found.drift.first() {
        return Err(inside(format!(
            "the backup's tables are not what its journal makes of them: {}: {}",
            drift.table, drift.what
        )));
    }
    backup.hold_to(&store.books_id, &found.head)?;
    let unsaid = |sha256: &String| !backup.lost.contains(sha256) && !left_out.contains(sha256);
    let lost = found.files.faults.into_iter().map(|fault| fault.sha256);
    if let Some(sha256) = lost.into_iter().find(unsaid) {
        return Err(inside(format!(
            "the stored file {sha256} is missing from the backup or is not what was stored, and the manifest does not say so"
        )));
    }
    mirror::rewrite(&store.db, &paths.mirror())?;
    let upgraded = store.upgraded;
    Ok((store, upgraded))
}

/// When the last event was written.
pub(super) fn last_at(store: &Store) -> StoreResult<String> {
    let head = journal::head(&store.db)?;
    at_of(&journal::body_at(&store.db, head.seq)?.unwrap_or_default())
}

/// When a line of the journal was written.
pub(super) fn at_of(body: &str) -> StoreResult<String> {
    #[derive(Deserialize)]
    struct When {
        at: String,
    }
    serde_json::from_str::<When>(body)
        .map(|line| line.at)
        .map_err(|e| StoreError::Damaged(format!("a line of the journal cannot be read: {e}")))
}

/// What is remembered of these books, wherever they were, that their journal here does not have.
pub(super) fn missing(store: &Store, state: Option<&Path>) -> StoreResult<Option<Missing>> {
    let Some(seen) = state
        .map(|state| Remembered::of_id(state, &store.books_id))
        .transpose()?
        .flatten()
    else {
        return Ok(None);
    };
    let here = store.hash_at(seen.seq)?;
    Ok(
        (here.as_deref() != Some(seen.head.as_str())).then_some(Missing {
            seq: seen.seq,
            head: seen.head,
            at: seen.at,
            diverged: here.is_some(),
        }),
    )
}
