//! What whoever starts a command or a server is told about the settings file. What it says is the engine's business.

use crate::{store::Paths, world::files::is_missing};

/// The note that the books have no settings file, where that is so. Books without one are good books, but the person may
/// not know that theirs has gone, and reports lose their heading and their fiscal year with it.
pub(super) fn missing(paths: &Paths) -> Option<&'static str> {
    is_missing(&paths.settings).then_some(
        "the books folder has no wanderbooks.toml, so that every setting has its default; put the file back, or make an \
         empty one if that is meant",
    )
}
