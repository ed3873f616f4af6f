//! Files of this machine that an operation names by their path: read only from folders that are open for imports.

use std::path::{Path, PathBuf};

use super::{No, Reader, Result};
use crate::{
    model::{Refusal, quoted},
    world::place::{Within, WithinFault},
};

/// The folder in the books folder that is open where no other is named.
const INBOX: &str = "inbox";
/// The folder of sealed records, which is never open.
const VAULT: &str = "vault";

/// What the settings say of local files.
#[derive(Clone, Copy, Debug)]
pub struct LocalFolders<'a> {
    /// The folders that are open; `inbox` where none is named. Relative ones lie in the books folder.
    pub open: &'a [String],
    /// A file that is never read: the vault's key.
    pub key_file: Option<&'a str>,
}

impl Reader<'_> {
    /// The bytes of a regular file in an open folder, and its own name. A relative path begins at the books folder.
    ///
    /// Refuses: everything else; links, pipes, devices, dot-files, keys, the vault and the books' data among it.
    pub fn local_file(
        &self,
        path: &str,
        folders: LocalFolders<'_>,
        bytes_max: u64,
    ) -> Result<(Vec<u8>, String)> {
        let paths = &self.scene.paths;
        let at = |name: &str| paths.root.join(name);
        let mut open: Vec<PathBuf> = folders.open.iter().map(|name| at(name)).collect();
        if open.is_empty() {
            open.push(at(INBOX));
        }
        // A hard link to one of the books' own files is that file, whatever it is called.
        let mut closed = vec![paths.data.clone(), at(VAULT)];
        closed.extend([paths.database(), paths.mirror(), paths.settings.clone()]);
        closed.push(paths.config());
        closed.extend(folders.key_file.map(at));
        closed.extend(self.scene.world.state_folder().map(Path::to_path_buf));
        let within = Within {
            open,
            by_link: !folders.open.is_empty(),
            closed,
        };
        let bytes = within.read(&at(path), bytes_max);
        let bytes = bytes.map_err(|fault| refused(path, folders, &fault))?;
        let name = Path::new(path).file_name().unwrap_or_default();
        Ok((bytes, name.to_string_lossy().into_owned()))
    }
}

fn refused(path: &str, folders: LocalFolders<'_>, fault: &WithinFault) -> No {
    let open = match folders.open {
        [] => INBOX.to_owned(),
        named => named.join(", "),
    };
    let hint = format!(
        "put the file into a folder that is open for imports ({open}); `[files] import_dirs` in wanderbooks.toml names them"
    );
    let shown: String = path.chars().take(200).collect();
    let message = format!("{}: {fault}", quoted(path));
    let refusal = match fault {
        WithinFault::Absent => Refusal::new("local_file_absent", message),
        WithinFault::TooLarge { .. } => Refusal::new("file_too_large", message),
        _ => Refusal::new("local_file_closed", message),
    };
    refusal.with("path", shown).hint(hint).into()
}
