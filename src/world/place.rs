//! A new file or folder at a place that someone named, and in `place/within.rs` a file that is read there. The folder it is put in is opened once and everything is done through it,
//! so that nobody who swaps a name meanwhile can lead what is written somewhere else. What is written is not known here.

mod growing;
mod resolved;
mod within;

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Write},
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, fstat, openat, renameat, statat, unlinkat},
    io::Errno,
};

pub use growing::Growing;
pub use resolved::{folder_outside, resolved};
pub use within::{Within, WithinFault};

const NAME_BYTES_MAX: usize = 255;
const FILE_MODE: u32 = 0o600;

/// A name in an open folder.
#[derive(Debug)]
pub struct Place {
    folder: OwnedFd,
    name: OsString,
}

/// Why nothing can be put at a place.
#[derive(thiserror::Error, Debug)]
pub enum PlaceFault {
    /// Something has the name.
    #[error("it is there already")]
    Taken,
    /// The path names no new file: it is empty, ends in a slash, in `.` or in `..`, or has NUL in it.
    #[error("it names no file")]
    NoName,
    /// A name in the path has more than 255 bytes, or the path has more than the system takes.
    #[error("the name is too long")]
    TooLong,
    /// What must be a folder is none.
    #[error("it, or a part of the path, is a file and not a folder")]
    NotFolder,
    /// A link in the path leads to nothing.
    #[error("a link in the path leads nowhere")]
    Dangling,
    /// The links in the path lead to one another.
    #[error("the links in the path lead in a circle")]
    Circle,
    /// The folder is not there, or is none.
    #[error("there is no such folder to put it in")]
    NoFolder,
    /// The folder lies inside one that nothing may be put into.
    #[error("it lies inside books, or in a folder that wb keeps for itself; name a place outside")]
    Inside,
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl From<Errno> for PlaceFault {
    fn from(e: Errno) -> PlaceFault {
        match e {
            Errno::EXIST => PlaceFault::Taken,
            Errno::NOENT | Errno::NOTDIR => PlaceFault::NoFolder,
            Errno::LOOP => PlaceFault::Circle,
            Errno::NAMETOOLONG => PlaceFault::TooLong,
            other => PlaceFault::Io(other.into()),
        }
    }
}

/// What tells folders apart, whatever they are called.
type Identity = (u64, u64);

impl Place {
    /// The place that a path names, when its folder lies in none of `closed`, by what the folders are and not by their names.
    pub fn outside(path: &Path, closed: &[&Path]) -> Result<Place, PlaceFault> {
        let place = Place::at(path)?;
        place.hold_outside(closed)?;
        Ok(place)
    }

    /// The place of a new folder that a path names; slashes at the end say no more than that it is one.
    ///
    /// Refuses: a name that anything has, a link included, wherever it leads.
    pub fn new_folder(path: &Path) -> Result<Place, PlaceFault> {
        let bytes = path.as_os_str().as_bytes();
        let slashes = bytes.iter().rev().take_while(|b| **b == b'/').count();
        let named = Place::at(Path::new(OsStr::from_bytes(
            bytes.get(..bytes.len() - slashes).unwrap_or_default(),
        )));
        match named {
            // `..` and `/` name no new folder because they are folders already.
            Err(PlaceFault::NoName) if statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).is_ok() => {
                Err(PlaceFault::Taken)
            }
            Err(fault) => Err(fault),
            Ok(place) => match statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(_) => Err(PlaceFault::Taken),
                Err(Errno::NOENT) => Ok(place),
                Err(e) => Err(PlaceFault::Io(e.into())),
            },
        }
    }

    /// The place that a path names.
    fn at(path: &Path) -> Result<Place, PlaceFault> {
        let bytes = path.as_os_str().as_encoded_bytes();
        let name = path.file_name().ok_or(PlaceFault::NoName)?;
        // `file_name` passes over a slash at the end.
        let whole = bytes.ends_with(name.as_encoded_bytes());
        if !whole || bytes.contains(&0) {
            return Err(PlaceFault::NoName);
        }
        if name.len() > NAME_BYTES_MAX {
            return Err(PlaceFault::TooLong);
        }
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        Ok(Place {
            folder: open_folder(CWD, parent.unwrap_or(Path::new(".")))?,
            name: name.to_owned(),
        })
    }

    /// Refuses a place whose folder lies in one of `closed`, by what the folders are and not by their names.
    pub fn hold_outside(&self, closed: &[&Path]) -> Result<(), PlaceFault> {
        let mut forbidden = Vec::with_capacity(closed.len());
        for root in closed {
            match open_folder(CWD, root) {
                Ok(root) => forbidden.push(identity(&root)?),
                // A folder that is not there holds nothing.
                Err(PlaceFault::NoFolder | PlaceFault::Circle) => {}
                Err(other) => return Err(other),
            }
        }
        let closed = |here: &OwnedFd| Ok(forbidden.contains(&identity(here)?));
        match self.lies_in(closed)? {
            true => Err(PlaceFault::Inside),
            false => Ok(()),
        }
    }

    /// Refuses a place whose folder lies in one that has something of one of these names.
    pub fn hold_unmarked(&self, marks: &[&Path]) -> Result<(), PlaceFault> {
        let marked = |here: &OwnedFd| {
            for mark in marks {
                match statat(here, *mark, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(_) => return Ok(true),
                    // In a folder that may not be looked into, nothing of these names is anyone's to tell.
                    Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::LOOP) => {}
                    Err(e) => return Err(PlaceFault::Io(e.into())),
                }
            }
            Ok(false)
        };
        match self.lies_in(marked)? {
            true => Err(PlaceFault::Inside),
            false => Ok(()),
        }
    }

    /// Whether the folder, or one that it lies in, is such a one.
    fn lies_in(
        &self,
        such: impl Fn(&OwnedFd) -> Result<bool, PlaceFault>,
    ) -> Result<bool, PlaceFault> {
        let mut here = open_folder(&self.folder, Path::new("."))?;
        loop {
            if such(&here)? {
                return Ok(true);
            }
            let above = open_folder(&here, Path::new(".."))?;
            if identity(&above)? == identity(&here)? {
                return Ok(false);
            }
            here = above;
        }
    }

    /// A path of the folder that leads to what was opened, whatever has its name by now, while this is kept.
    pub fn folder(&self) -> PathBuf {
        path_of(&self.folder)
    }

    /// Syncs the folder, so that the name survives a power cut.
    pub fn sync(&self) -> io::Result<()> {
        super::files::sync_folder(&self.folder())
    }

    /// Writes a new private file and syncs it. What could not be written whole is taken away again.
    pub fn write_new(&self, bytes: &[u8]) -> Result<(), PlaceFault> {
        self.write_as(&self.name, bytes)
    }

    /// The same in place of a file or link that may have the name: it is replaced whole, and a link is not followed.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), PlaceFault> {
        let mut beside = OsString::from(".");
        beside.push(&self.name);
        beside.push(".wb-unfinished");
        if beside.len() > NAME_BYTES_MAX {
            return Err(PlaceFault::TooLong);
        }
        self.must_be_replaceable()?;
        self.write_as(&beside, bytes)?;
        renameat(&self.folder, &beside, &self.folder, &self.name).map_err(|e| {
            // What could not take the name is nothing; the error is what matters.
            let _ = unlinkat(&self.folder, &beside, AtFlags::empty());
            PlaceFault::Io(e.into())
        })
    }

    /// Refuses to take the name of what is no file: a folder, a device, a pipe.
    fn must_be_replaceable(&self) -> Result<(), PlaceFault> {
        let found = match statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(()),
            found => FileType::from_raw_mode(found?.st_mode),
        };
        match found {
            FileType::RegularFile | FileType::Symlink => Ok(()),
            _ => {
                let why = "what is there is no file, and is not replaced";
                Err(io::Error::new(io::ErrorKind::InvalidInput, why).into())
            }
        }
    }

    fn write_as(&self, name: &OsStr, bytes: &[u8]) -> Result<(), PlaceFault> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(FILE_MODE);
        let mut file = File::from(openat(&self.folder, name, flags, mode)?);
        let written = rustix::fs::fchmod(&file, mode)
            .map_err(io::Error::from)
            .and_then(|()| file.write_all(bytes))
            .and_then(|()| file.sync_all());
        if let Err(e) = written {
            // The error is what matters; a beginning that stays is in the way of the next try, which says so.
            let _ = unlinkat(&self.folder, name, AtFlags::empty());
            return Err(e.into());
        }
        Ok(())
    }
}

fn open_folder(base: impl std::os::fd::AsFd, path: &Path) -> Result<OwnedFd, PlaceFault> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(base, path, flags, Mode::empty())?)
}

fn identity(folder: &OwnedFd) -> Result<Identity, PlaceFault> {
    Ok(identity_of(&fstat(folder)?))
}

fn identity_of(found: &Stat) -> Identity {
    (found.st_dev, found.st_ino)
}

/// A path through the descriptor. Opening it goes to what is open and resolves no name.
fn path_of(open: &impl AsRawFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::symlink};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder")
    }

    /// What names no new file is refused before anything is made.
    #[test]
    fn names() {
        let home = folder();
        let at = |name: &str| Place::outside(&home.path().join(name), &[]).map(|_| ());
        for bad in ["..", "x/", "a/..", ".", "x\0y"] {
            assert!(matches!(at(bad), Err(PlaceFault::NoName)), "{bad:?}");
        }
        assert!(matches!(at(&"n".repeat(256)), Err(PlaceFault::TooLong)));
        assert!(matches!(
            at(&"nnnnnnn/".repeat(600)),
            Err(PlaceFault::NoName)
        ));
        let deep = "nnnnnnn/".repeat(600) + "x";
        assert!(matches!(at(&deep), Err(PlaceFault::TooLong)));
        symlink("circle", home.path().join("circle")).expect("a link");
        assert!(matches!(at("circle/x"), Err(PlaceFault::Circle)));
        assert!(matches!(
            Place::outside(Path::new(""), &[]),
            Err(PlaceFault::NoName)
        ));
        assert!(matches!(at("none/x"), Err(PlaceFault::NoFolder)));
        fs::write(home.path().join("file"), b"").expect("a file");
        assert!(matches!(at("file/x"), Err(PlaceFault::NoFolder)));
        assert!(at("x").is_ok());
    }

    /// A file is written once, private; nothing that has the name is written to, and no link is followed.
    #[test]
    fn new_files() {
        use std::os::unix::fs::PermissionsExt;
        let home = folder();
        let at = |name: &str| Place::outside(&home.path().join(name), &[]).expect("a place");
        assert!(at("x").write_new(b"one").is_ok());
        let mode = fs::metadata(home.path().join("x"))
            .expect("the file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(matches!(at("x").write_new(b"two"), Err(PlaceFault::Taken)));
        symlink(home.path().join("elsewhere"), home.path().join("link")).expect("a link");
        assert!(matches!(
            at("link").write_new(b"two"),
            Err(PlaceFault::Taken)
        ));
        assert!(at("link").replace(b"two").is_ok());
        assert!(!home.path().join("elsewhere").exists());
        assert_eq!(
            fs::read(home.path().join("link")).expect("the file"),
            b"two"
        );
        assert!(at("x").replace(b"two").is_ok());
        assert_eq!(fs::read(home.path().join("x")).expect("the file"), b"two");
        fs::create_dir(home.path().join("dir")).expect("a folder");
        assert!(at("dir").replace(b"two").is_err());
        let names = fs::read_dir(home.path()).expect("the folder").count();
        assert_eq!(names, 3);
    }

    /// Nothing is put into a closed folder, however its name is written.
    #[test]
    fn closed() {
        let home = folder();
        let books = home.path().join("books");
        fs::create_dir_all(books.join("data/blobs")).expect("folders");
        symlink(books.join("data"), home.path().join("link")).expect("a link");
        for path in [
            "books/x",
            "books/data/blobs/x",
            "link/x",
            "link/../x",
            "books/../books/x",
        ] {
            let place = Place::outside(&home.path().join(path), &[&books]);
            assert!(matches!(place, Err(PlaceFault::Inside)), "{path}");
        }
        assert!(Place::outside(&home.path().join("x"), &[&books]).is_ok());
        assert!(Place::outside(&home.path().join("x"), &[&home.path().join("none")]).is_ok());
    }

    /// A new folder's name may end in slashes; what is there already, in whatever form, is taken, and no link is followed.
    #[test]
    fn new_folders() {
        let home = folder();
        let at = |name: &str| Place::new_folder(&home.path().join(name)).map(|_| ());
        fs::write(home.path().join("file"), b"").expect("a file");
        fs::create_dir(home.path().join("dir")).expect("a folder");
        symlink("nowhere", home.path().join("dangling")).expect("a link");
        symlink("dir", home.path().join("link")).expect("a link");
        let fifo = rustix::fs::mknodat(
            CWD,
            home.path().join("fifo"),
            FileType::Fifo,
            Mode::from_raw_mode(0o600),
            0,
        );
        fifo.expect("a pipe");
        for taken in [
            "file",
            "dir",
            "dir/",
            "dangling",
            "dangling/",
            "link",
            "link/",
            "fifo",
            "..",
            "../",
            ".",
            "dir/..",
            "/",
            "/dev/null",
        ] {
            assert!(matches!(at(taken), Err(PlaceFault::Taken)), "{taken:?}");
        }
        for (nowhere, deep) in [("none/x", "none/x/"), ("file/x", "dangling/x")] {
            assert!(matches!(at(nowhere), Err(PlaceFault::NoFolder)));
            assert!(matches!(at(deep), Err(PlaceFault::NoFolder)));
        }
        for bad in ["x\0y", "x/."] {
            assert!(matches!(at(bad), Err(PlaceFault::NoName)), "{bad:?}");
        }
        assert!(matches!(at(&"n".repeat(256)), Err(PlaceFault::TooLong)));
        assert!(matches!(
            Place::new_folder(Path::new("")),
            Err(PlaceFault::NoName)
        ));
        for free in ["x", "x/", "x//", "link/x", &"n".repeat(255)] {
            assert!(at(free).is_ok(), "{free:?}");
        }
        let odd = OsStr::from_bytes(b"\xff\xfe");
        assert!(Place::new_folder(&home.path().join(odd)).is_ok());
    }

    /// While the folder's name is swapped between a folder outside and a link into the books, nothing lands in the books and
    /// nothing that was there changes.
    #[test]
    fn raced() {
        const ROUNDS: usize = 2_000;
        let home = folder();
        let (books, open, swapped) = (
            home.path().join("books"),
            home.path().join("open"),
            home.path().join("swapped"),
        );
        fs::create_dir(&books).expect("a folder");
        fs::create_dir(&open).expect("a folder");
        fs::write(books.join("x"), b"precious").expect("a file");
        symlink(&open, &swapped).expect("a link");
        let done = std::sync::atomic::AtomicBool::new(false);
        let order = std::sync::atomic::Ordering::Relaxed;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let next = home.path().join("next");
                while !done.load(order) {
                    for target in [&books, &open] {
                        symlink(target, &next).expect("a link");
                        fs::rename(&next, &swapped).expect("a swap");
                    }
                }
            });
            for round in 0..ROUNDS {
                let path = swapped.join(if round % 2 == 0 { "x" } else { "y" });
                if let Ok(place) = Place::outside(&path, &[&books]) {
                    place.replace(b"new").expect("a file outside");
                }
            }
            done.store(true, order);
        });
        assert_eq!(fs::read_dir(&books).expect("the books").count(), 1);
        assert_eq!(fs::read(books.join("x")).expect("the file"), b"precious");
    }
}
