//! Careful files: private folders and files whatever the umask, new files that never replace or follow, reads with a cap.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use rustix::fs::{FlockOperation, OFlags, flock};

/// Makes a folder and its parents; the folder itself is 0700. An existing folder is left as it is.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        fs::create_dir_all(parent)?;
    }
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        other => other,
    }?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

/// Makes a new file, 0600. An existing file or link at the path is refused.
pub fn new_private_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    Ok(file)
}

/// Writes a new private file and syncs it. What could not be written whole is taken away again.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = new_private_file(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        // The error is what matters; a beginning that stays is in the way of the next try, which says so.
        let _ = fs::remove_file(path);
    }
    written
}

/// Everything that `source` gives, up to `bytes_max`; more is an error that says so.
fn read_capped(mut source: impl Read, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source
        .by_ref()
        .take(bytes_max + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        let why = format!("over {bytes_max} bytes long, more than is read here");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// What standard input gives, up to `bytes_max`.
pub fn read_standard_input(bytes_max: u64) -> io::Result<Vec<u8>> {
    read_capped(io::stdin().lock(), bytes_max)
}

/// Opens a regular file to read. Folders, devices and pipes are refused, and none of them is waited for.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(path)?;
    regular(file)
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "not a regular file",
    ))
}

/// The bytes of a regular file, up to `bytes_max`. Folders, devices and pipes are refused.
pub fn read_file(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    read_capped(open_regular(path)?, bytes_max)
}

/// Opens a regular file to read and write, made private when it is not there, and holds it against all who open it so.
///
/// Waits for whoever holds it. Only the file that has the name once it is held counts: another may have been renamed over it.
pub fn open_locked(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
            .open(path)?;
        let file = regular(file)?;
        flock(&file, FlockOperation::LockExclusive)?;
        if is_named(&file, path)? {
            return Ok(file);
        }
    }
}

/// Holds a folder against all who ask for it so, until what is given is dropped or the process ends, killed or not.
///
/// `None` when another holds it, or it was taken away meanwhile. An error where folders cannot be held, as on some network
/// file systems; a link is no folder.
pub fn hold_folder(path: &Path) -> io::Result<Option<File>> {
    let folder = OpenOptions::new()
        .read(true)
        .custom_flags((OFlags::DIRECTORY | OFlags::NOFOLLOW).bits().cast_signed())
        .open(path);
    let folder = match folder {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        held => {
            held?;
            Ok(is_named(&folder, path)?.then_some(folder))
        }
    }
}

/// Whether an open file still has the name, and no other was renamed over it.
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    let held = file.metadata()?;
    match fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (held.dev(), held.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Whether this process has an open file open a second time. Where the system does not tell, it is taken for granted.
pub fn is_open_again(file: &File) -> io::Result<bool> {
    let ours = file.metadata()?;
    let open = match fs::read_dir("/proc/self/fd") {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(true),
        listed => listed?,
    };
    let same = |found: &fs::Metadata| (found.dev(), found.ino()) == (ours.dev(), ours.ino());
    // What was closed meanwhile, as the listing itself is, was not the file.
    let found = open.flatten().filter_map(|e| fs::metadata(e.path()).ok());
    Ok(found.filter(same).count() > 1)
}

/// An empty private file, to be written and then renamed over `path`, and its name; held against others who would replace it.
///
/// The name is always the same, so that what a killed process left is used again and not left for ever.
pub fn replacement(path: &Path) -> io::Result<(File, PathBuf)> {
    let temporary = path.with_extension("tmp");
    let file = open_locked(&temporary)?;
    file.set_len(0)?;
    Ok((file, temporary))
}

/// Syncs a folder, so that names made in it survive a power cut.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Writes a file that others may read, in place of one that may be there, making its folders.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, bytes)
}
