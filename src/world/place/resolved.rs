//! Where a path leads that need not be there yet: its links resolved as far as it exists, the rest as written. Makes nothing.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rustix::io::Errno;

use super::{NAME_BYTES_MAX, PlaceFault};

/// No system call takes a longer path (Linux: PATH_MAX, with the NUL at its end).
const PATH_BYTES_MAX: usize = 4_095;

/// The path as it leads from the root, without links as far as it exists.
///
/// Refuses: an empty path and one with NUL, names that are too long, a file where a folder must be, links that lead nowhere or in a
/// circle, and `..` behind what is not there.
pub fn resolved(path: &Path) -> Result<PathBuf, PlaceFault> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if bytes.is_empty() || bytes.contains(&0) {
        return Err(PlaceFault::NoName);
    }
    let path = std::path::absolute(path)?;
    if path.as_os_str().len() > PATH_BYTES_MAX {
        return Err(PlaceFault::TooLong);
    }
    let mut rest = Vec::new();
    for folder in path.ancestors() {
        match folder.canonicalize() {
            Ok(found) if rest.is_empty() || found.is_dir() => {
                let parts = rest.iter().rev();
                return Ok(parts.fold(found, |p: PathBuf, part| p.join(part)));
            }
            Ok(_) => return Err(PlaceFault::NotFolder),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(folder).is_ok() {
                    return Err(PlaceFault::Dangling);
                }
                let name = folder.file_name().ok_or(PlaceFault::NoFolder)?;
                if name.len() > NAME_BYTES_MAX {
                    return Err(PlaceFault::TooLong);
                }
                rest.push(name);
            }
            Err(e) => {
                return Err(match Errno::from_io_error(&e) {
                    Some(Errno::NOTDIR) => PlaceFault::NotFolder,
                    Some(errno) => errno.into(),
                    None => PlaceFault::Io(e),
                });
            }
        }
    }
    Ok(path)
}

/// The same for a folder that is there or is to be made, and lies in none that has something of one of the names `marks`.
///
/// Refuses also: what is there and is no folder.
pub fn folder_outside(path: &Path, marks: &[&Path]) -> Result<PathBuf, PlaceFault> {
    let place = resolved(path)?;
    if fs::metadata(&place).is_ok_and(|found| !found.is_dir()) {
        return Err(PlaceFault::NotFolder);
    }
    let marked = |folder: &Path| {
        let mut names = marks.iter().map(|mark| folder.join(mark));
        names.any(|name| fs::symlink_metadata(name).is_ok())
    };
    match place.ancestors().skip(1).any(marked) {
        true => Err(PlaceFault::Inside),
        false => Ok(place),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn word(found: Result<PathBuf, PlaceFault>) -> String {
        match found {
            Ok(path) => path.to_string_lossy().into_owned(),
            Err(fault) => format!("{fault:?}"),
        }
    }

    /// Every path leads somewhere or is refused by what is wrong with it; what is not there yet keeps its name.
    #[test]
    fn paths() {
        let home = tempfile::tempdir().expect("a temporary folder");
        let root = home.path().canonicalize().expect("a folder");
        fs::write(root.join("file"), b"").expect("a file");
        fs::create_dir(root.join("dir")).expect("a folder");
        for (to, link) in [
            ("nowhere", "dangling"),
            ("circle", "circle"),
            ("dir", "link"),
        ] {
            symlink(to, root.join(link)).expect("a link");
        }
        let long = "n".repeat(256);
        let deep = "nnnnnnn/".repeat(600);
        let at = |path: &str| word(resolved(&root.join(path)));
        let is = |path: &str| root.join(path).to_string_lossy().into_owned();
        for (path, want) in [
            ("x", is("x")),
            ("link/x/y", is("dir/x/y")),
            ("link/../x", is("x")),
            ("file", is("file")),
            ("dir/", is("dir")),
            ("file/x", "NotFolder".to_owned()),
            ("file/x/y", "NotFolder".to_owned()),
            ("dangling", "Dangling".to_owned()),
            ("dangling/x", "Dangling".to_owned()),
            ("circle", "Circle".to_owned()),
            ("circle/x", "Circle".to_owned()),
            ("none/../x", "NoFolder".to_owned()),
            ("x\0y", "NoName".to_owned()),
            (&long, "TooLong".to_owned()),
            (&format!("none/{long}/x"), "TooLong".to_owned()),
            (&deep, "TooLong".to_owned()),
        ] {
            assert_eq!(at(path), want, "{path:?}");
        }
        assert_eq!(word(resolved(Path::new(""))), "NoName");
    }

    /// A folder may be there; no file has its name, and it lies in none that is marked, by whatever name that is reached.
    #[test]
    fn folders() {
        let home = tempfile::tempdir().expect("a temporary folder");
        let root = home.path().canonicalize().expect("a folder");
        fs::create_dir_all(root.join("books/data")).expect("folders");
        fs::write(root.join("books/data/db"), b"").expect("a file");
        symlink("books/data", root.join("link")).expect("a link");
        let at = |path: &str| word(folder_outside(&root.join(path), &[Path::new("data/db")]));
        for inside in ["books/x", "books/data", "books/data/x/y", "link", "link/x"] {
            assert_eq!(at(inside), "Inside", "{inside}");
        }
        assert_eq!(at("books/data/db"), "NotFolder");
        let is = |path: &str| root.join(path).to_string_lossy().into_owned();
        assert_eq!((at("books"), at("x/y")), (is("books"), is("x/y")));
    }
}
