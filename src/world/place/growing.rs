//! A folder that grows beside the place whose name it takes when it is whole, held by a lock while it does. Not what is in it.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io,
    os::fd::OwnedFd,
    path::PathBuf,
};

use rustix::{
    fs::{
        AtFlags, FlockOperation, Mode, OFlags, RenameFlags, fchmod, flock, fstat, mkdirat, openat,
        renameat, renameat_with, statat,
    },
    io::Errno,
};

use super::{Place, PlaceFault, identity_of, path_of};

const FOLDER_MODE: u32 = 0o700;

/// A new private folder. Whoever may write the folder around it may take its name away, and gives what has the name then no part
/// in it.
#[derive(Debug)]
pub struct Growing {
    above: OwnedFd,
    name: OsString,
    /// What tells others that a living process is at it, where folders can be held; where they cannot, nobody sweeps.
    folder: File,
}

impl Growing {
    /// Makes one beside a place; `None` when another process took it away or holds it before it was ours.
    ///
    /// Refuses: a name that anything has.
    pub fn new(beside: &Place, name: &OsStr) -> Result<Option<Growing>, PlaceFault> {
        let mode = Mode::from_raw_mode(FOLDER_MODE);
        mkdirat(&beside.folder, name, mode)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = match openat(&beside.folder, name, flags, Mode::empty()) {
            Err(Errno::NOENT | Errno::LOOP | Errno::NOTDIR) => return Ok(None),
            opened => File::from(opened?),
        };
        if flock(&folder, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            return Ok(None);
        }
        let grown = Growing {
            above: beside.folder.try_clone()?,
            name: name.to_owned(),
            folder,
        };
        // Between two steps another may have been given the name.
        if !grown.has_name(&grown.above, name)? || !grown.is_fresh()? {
            return Ok(None);
        }
        fchmod(&grown.folder, mode)?;
        Ok(Some(grown))
    }

    /// A path that leads into the folder, whatever has its name by now, while this is kept.
    pub fn path(&self) -> PathBuf {
        path_of(&self.folder)
    }

    /// Gives the folder the name of a place beside it.
    ///
    /// Refuses: a name that anything has, and a folder that someone has taken the own name away from.
    pub fn take(&self, place: &Place) -> Result<(), PlaceFault> {
        let (from, to) = (&self.name, &place.name);
        match renameat_with(&self.above, from, &place.folder, to, RenameFlags::NOREPLACE) {
            // Some file systems cannot promise it; there the name is looked at first.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                match statat(&place.folder, to, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(_) => return Err(PlaceFault::Taken),
                    Err(Errno::NOENT) => renameat(&self.above, from, &place.folder, to),
                    Err(e) => Err(e),
                }
            }
            renamed => renamed,
        }
        .map_err(|e| match e {
            Errno::EXIST => PlaceFault::Taken,
            other => PlaceFault::Io(other.into()),
        })?;
        match self.has_name(&place.folder, to)? {
            true => Ok(()),
            false => Err(PlaceFault::Io(io::Error::other(
                "someone has put another folder in its place meanwhile",
            ))),
        }
    }

    /// Takes the folder away with all that is in it. No link is followed.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(path_of(&self.above).join(&self.name))
    }

    fn has_name(&self, folder: &OwnedFd, name: &OsStr) -> Result<bool, PlaceFault> {
        match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) => Ok(identity_of(&named) == identity_of(&fstat(&self.folder)?)),
            Err(Errno::NOENT) => Ok(false),
            Err(e) => Err(PlaceFault::Io(e.into())),
        }
    }

    /// Whether it is this user's and nothing is in it: what was renamed to its place is not.
    fn is_fresh(&self) -> Result<bool, PlaceFault> {
        let ours = fstat(&self.folder)?.st_uid == rustix::process::geteuid().as_raw();
        Ok(ours && fs::read_dir(self.path())?.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        os::unix::fs::{MetadataExt, PermissionsExt, symlink},
        path::Path,
        sync::atomic::{AtomicBool, Ordering},
    };

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder")
    }

    fn grown(place: &Place) -> Growing {
        let grown = Growing::new(place, OsStr::new("growing")).expect("a folder");
        grown.expect("nobody else is at it")
    }

    /// A folder is private, is held while it grows, takes its name once, and replaces nothing.
    #[test]
    fn grows() {
        let home = folder();
        let place = Place::new_folder(&home.path().join("x/")).expect("a place");
        let growing = grown(&place);
        fs::write(growing.path().join("file"), b"whole").expect("a file");
        let own = home.path().join("growing");
        let mode = fs::metadata(&own).expect("a folder").mode();
        assert_eq!(mode & 0o777, 0o700);
        let held = super::super::super::files::hold_folder(&own);
        assert!(held.expect("a folder").is_none());
        assert!(matches!(
            Growing::new(&place, OsStr::new("growing")),
            Err(PlaceFault::Taken)
        ));
        symlink("nowhere", home.path().join("x")).expect("a link");
        assert!(matches!(growing.take(&place), Err(PlaceFault::Taken)));
        fs::remove_file(home.path().join("x")).expect("removed");
        growing.take(&place).expect("the name");
        let whole = fs::read(home.path().join("x/file")).expect("the file");
        assert_eq!(whole, b"whole");
        assert!(!own.exists());
    }

    /// What is written goes into the folder that was made when another has its name by then, the other is not taken for it, and
    /// removing follows no link.
    #[test]
    fn renamed_meanwhile() {
        let home = folder();
        let place = Place::new_folder(&home.path().join("x")).expect("a place");
        let growing = grown(&place);
        let own = home.path().join("growing");
        fs::rename(&own, home.path().join("aside")).expect("renamed");
        let books = home.path().join("books");
        fs::create_dir(&books).expect("a folder");
        fs::write(books.join("kept"), b"kept").expect("a file");
        symlink(&books, &own).expect("a link");
        fs::write(growing.path().join("file"), b"mine").expect("a file");
        assert!(home.path().join("aside/file").exists());
        assert!(!books.join("file").exists());
        assert!(matches!(growing.take(&place), Err(PlaceFault::Io(_))));
        symlink(&books, &own).expect("a link");
        let _ = growing.remove();
        assert!(books.join("kept").exists());
    }

    /// A folder that was there with things in it, or is not ours, is none that was made.
    #[test]
    fn not_fresh() {
        let home = folder();
        let place = Place::new_folder(&home.path().join("x")).expect("a place");
        let growing = grown(&place);
        assert!(growing.is_fresh().expect("looked at"));
        fs::write(growing.path().join("file"), b"").expect("a file");
        assert!(!growing.is_fresh().expect("looked at"));
    }

    /// While the name of the folder around it is swapped between a folder outside and a link into the books, nothing is made,
    /// renamed or removed in the books.
    #[test]
    fn raced() {
        const ROUNDS: usize = 2_000;
        let home = folder();
        let [books, open, swapped, next] =
            ["books", "open", "swapped", "next"].map(|name| home.path().join(name));
        for made in [&books, &open] {
            fs::create_dir(made).expect("a folder");
        }
        fs::create_dir(books.join("taken")).expect("a folder");
        fs::set_permissions(books.join("taken"), fs::Permissions::from_mode(0o755)).expect("mode");
        symlink(&open, &swapped).expect("a link");
        let done = AtomicBool::new(false);
        let round = |n: usize| {
            let name = if n.is_multiple_of(2) { "taken" } else { "free" };
            let Ok(place) = Place::new_folder(&swapped.join(name)) else {
                return false;
            };
            if place.hold_outside(&[&books]).is_err() {
                return false;
            }
            let growing = grown(&place);
            fs::write(growing.path().join("file"), b"new").expect("a file");
            growing.take(&place).expect("the name");
            place.sync().expect("synced");
            fs::remove_dir_all(open.join(name)).expect("it is outside");
            true
        };
        let made = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    for target in [&books, &open] {
                        symlink(target, &next).expect("a link");
                        fs::rename(&next, &swapped).expect("a swap");
                    }
                }
            });
            // A refusal is quick: many may fall into one time slice of the other thread.
            let made = (0..).filter(|n| round(*n)).take(ROUNDS).count();
            done.store(true, Ordering::Relaxed);
            made
        });
        assert_eq!(made, ROUNDS);
        let names = |place: &Path| fs::read_dir(place).expect("a folder").count();
        assert_eq!((names(&books), names(&open)), (1, 0));
        assert_eq!(names(&books.join("taken")), 0);
    }
}
