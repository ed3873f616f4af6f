//! Reading a file that someone named, only from inside folders that are open for it. Every folder on the way is opened through
//! the one above it and no link is followed, so that nobody who swaps a name meanwhile leads the reading somewhere else.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read},
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, openat, statat},
    io::Errno,
};

use super::{Identity, Place, PlaceFault, identity, identity_of, open_folder, path_of};

const PATH_BYTES_MAX: usize = 4_096;
/// File systems that hold no files of people.
const OF_THE_SYSTEM: &[&str] = &["/proc", "/sys", "/dev"];

/// Where files may be read, and what is never read there.
#[derive(Clone, Debug)]
pub struct Within {
    /// Folders whose files may be read, and those of folders in them.
    pub open: Vec<PathBuf>,
    /// Whether one of them may be named by a link: where a person named it, not where it is there by custom.
    pub by_link: bool,
    /// Folders and files that are closed wherever they lie: keys, the vault, the database.
    pub closed: Vec<PathBuf>,
}

/// Why a file is not read.
#[derive(thiserror::Error, Debug)]
pub enum WithinFault {
    /// The path names no file, or goes upward.
    #[error("it names no file: write a path without `..` that ends in a file's name")]
    NoName,
    /// A name on the way, or the file's own, begins with a full stop.
    #[error("names that begin with a full stop are not read")]
    Hidden,
    /// It lies in no open folder.
    #[error("it lies in no folder that is open for imports")]
    Outside,
    /// There is no such file.
    #[error("there is no such file")]
    Absent,
    /// It, or a folder on the way to it, is a link.
    #[error("it is a link, or reached through one; links are not followed")]
    Link,
    /// It is no regular file.
    #[error("it is no regular file")]
    NotRegular,
    /// It is closed.
    #[error("it is closed to imports")]
    Closed,
    /// It is too large.
    #[error("it has {bytes} bytes; at most {bytes_max} are read")]
    TooLarge {
        /// How many it has.
        bytes: u64,
        /// How many are read.
        bytes_max: u64,
    },
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl From<Errno> for WithinFault {
    fn from(e: Errno) -> WithinFault {
        match e {
            Errno::NOENT => WithinFault::Absent,
            // What is no folder where one must be is a link that was not followed, or a file.
            Errno::LOOP | Errno::NOTDIR => WithinFault::Link,
            other => WithinFault::Io(other.into()),
        }
    }
}

impl From<PlaceFault> for WithinFault {
    fn from(fault: PlaceFault) -> WithinFault {
        match fault {
            PlaceFault::Io(e) => WithinFault::Io(e),
            _ => WithinFault::Outside,
        }
    }
}

impl Within {
    /// The bytes of the regular file that a path names, up to `bytes_max`.
    pub fn read(&self, path: &Path, bytes_max: u64) -> Result<Vec<u8>, WithinFault> {
        let bytes = path.as_os_str().as_bytes();
        let ends = path.file_name().ok_or(WithinFault::NoName)?;
        let whole = bytes.ends_with(ends.as_bytes());
        if !whole || bytes.len() > PATH_BYTES_MAX || bytes.contains(&0) {
            return Err(WithinFault::NoName);
        }
        if path.components().any(|part| part == Component::ParentDir) {
            return Err(WithinFault::NoName);
        }
        let closed = identities(&self.closed, AtFlags::empty())?;
        let (folder, rest) = self.door(path)?;
        must_be_open(&folder, &closed)?;
        let (folder, name) = descend(folder, rest, &closed)?;
        let file = regular(&folder, name, &closed)?;
        let size = file.metadata()?.len();
        let too_large = |bytes| WithinFault::TooLarge { bytes, bytes_max };
        if size > bytes_max {
            return Err(too_large(size));
        }
        let mut read = Vec::new();
        // One byte more tells a file that grew meanwhile.
        file.take(bytes_max.saturating_add(1))
            .read_to_end(&mut read)?;
        let count = read.len() as u64;
        if count > bytes_max {
            return Err(too_large(count));
        }
        Ok(read)
    }

    /// The open folder that a path leads through, and what of the path lies in it. Which folder it is, is told by what it is and
    /// not by its name.
    fn door<'p>(&self, path: &'p Path) -> Result<(OwnedFd, &'p Path), WithinFault> {
        // A link has an identity of its own, which no folder has.
        let flags = match self.by_link {
            true => AtFlags::empty(),
            false => AtFlags::SYMLINK_NOFOLLOW,
        };
        let open = identities(&self.open, flags)?;
        for above in path.ancestors().skip(1) {
            let named = if above.as_os_str().is_empty() {
                Path::new(".")
            } else {
                above
            };
            let folder = match open_folder(CWD, named) {
                Err(PlaceFault::NoFolder) => continue,
                other => other?,
            };
            if open.contains(&identity(&folder)?) {
                let rest = path.strip_prefix(above).map_err(|_| WithinFault::NoName)?;
                return Ok((folder, rest));
            }
        }
        Err(WithinFault::Outside)
    }
}

/// What tells the folders and files that are there; what is not there is nothing.
fn identities(paths: &[PathBuf], flags: AtFlags) -> Result<Vec<Identity>, WithinFault> {
    let mut found = Vec::with_capacity(paths.len());
    for path in paths {
        match statat(CWD, path, flags) {
            Ok(stat) => found.push(identity_of(&stat)),
            Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(e) => return Err(WithinFault::Io(e.into())),
        }
    }
    Ok(found)
}

/// Refuses a folder that is closed, or lies in one that is.
fn must_be_open(folder: &OwnedFd, closed: &[Identity]) -> Result<(), WithinFault> {
    let here = Place {
        folder: open_folder(folder, Path::new("."))?,
        name: OsStr::new(".").to_owned(),
    };
    match here.lies_in(|here| Ok(closed.contains(&identity(here)?)))? {
        true => Err(WithinFault::Closed),
        false => Ok(()),
    }
}

/// The folder of a file below an open folder, opened name by name, and the file's name.
fn descend<'p>(
    mut folder: OwnedFd,
    rest: &'p Path,
    closed: &[Identity],
) -> Result<(OwnedFd, &'p OsStr), WithinFault> {
    let mut names = Vec::new();
    for part in rest.components() {
        match part {
            Component::Normal(name) if name.as_bytes().starts_with(b".") => {
                return Err(WithinFault::Hidden);
            }
            Component::Normal(name) => names.push(name),
            _ => return Err(WithinFault::NoName),
        }
    }
    let (name, folders) = names.split_last().ok_or(WithinFault::NoName)?;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for name in folders {
        folder = openat(&folder, *name, flags, Mode::empty())?;
        if closed.contains(&identity(&folder)?) {
            return Err(WithinFault::Closed);
        }
    }
    Ok((folder, name))
}

/// Opens a regular file of a folder to read. It is looked at before it is opened, so that no pipe is waited for and no device
/// is touched.
fn regular(folder: &OwnedFd, name: &OsStr, closed: &[Identity]) -> Result<File, WithinFault> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let found = openat(folder, name, flags, Mode::empty())?;
    let stat = fstat(&found)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::Symlink => return Err(WithinFault::Link),
        _ => return Err(WithinFault::NotRegular),
    }
    let system = OF_THE_SYSTEM.iter().filter_map(|path| {
        let stat = statat(CWD, *path, AtFlags::empty()).ok()?;
        Some(stat.st_dev)
    });
    let own = statat(CWD, "/", AtFlags::empty())?.st_dev;
    // Where one of them is no file system of its own, it does not tell.
    let of_system = system
        .filter(|dev| *dev != own)
        .any(|dev| dev == stat.st_dev);
    if of_system || closed.contains(&identity_of(&stat)) {
        return Err(WithinFault::Closed);
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(CWD, path_of(&found), flags, Mode::empty())?;
    Ok(File::from(file))
}

#[cfg(test)]
mod tests;
