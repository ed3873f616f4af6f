//! Disks to be cut off and filled: an ext4 image on a loop device, a small tmpfs. Mounted under temporary folders, unmounted
//! whatever happens; the loop device goes with its mount.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use super::ground::{Ran, run};

/// A mounted file system.
pub struct Mounted {
    /// Where.
    pub point: PathBuf,
    _folder: TempDir,
}

/// Runs a program of the system; what it said when it failed, or that it is not there.
pub fn tool(name: &str, words: &[&str]) -> Result<(), String> {
    let here = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]
        .iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|path| path.exists());
    let path = here.ok_or_else(|| format!("no {name}"))?;
    let ran: Ran = run(Command::new(path).args(words));
    if ran.code == 0 {
        return Ok(());
    }
    Err(format!("{name}: {}", ran.err.trim()))
}

/// Whether this process may mount.
pub fn may_mount() -> Result<(), String> {
    if rustix::process::geteuid().is_root() {
        return Ok(());
    }
    Err("not root".to_owned())
}

fn mount(words: &[&str]) -> Result<Mounted, String> {
    may_mount()?;
    let folder = tempfile::Builder::new()
        .prefix("wb-disk-")
        .tempdir()
        .expect("a temporary folder");
    let point = folder.path().canonicalize().expect("its own path");
    let place = point.to_str().expect("a plain path").to_owned();
    tool("mount", &[words, &[place.as_str()]].concat())?;
    Ok(Mounted {
        point,
        _folder: folder,
    })
}

/// Mounts an ext4 image.
pub fn mount_image(image: &Path) -> Result<Mounted, String> {
    // Its own journal is written when asked to and not every five seconds: the copy must be of one moment.
    let image = image.to_str().expect("a plain path");
    mount(&["-t", "ext4", "-o", "loop,commit=300", image])
}

/// Mounts a tmpfs of a size, such as `512k`.
pub fn mount_small(size: &str) -> Result<Mounted, String> {
    mount(&["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
}

impl Mounted {
    /// Gives a tmpfs another size.
    pub fn resize(&self, size: &str) {
        let point = self.point.to_str().expect("a plain path");
        tool("mount", &["-o", &format!("remount,size={size}"), point]).expect("a remount");
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let point = self.point.to_str().expect("a plain path");
        if tool("umount", &[point]).is_err() {
            // Something still holds a file there: the mount goes when the last of it does.
            tool("umount", &["-l", point]).expect("unmounted");
        }
    }
}

/// Makes an ext4 image.
pub fn make_image(image: &Path, bytes: u64) -> Result<(), String> {
    may_mount()?;
    let file = std::fs::File::create(image).expect("an image");
    file.set_len(bytes).expect("an image");
    tool(
        "mkfs.ext4",
        &["-q", "-F", image.to_str().expect("a plain path")],
    )
}
