//! Finding the books: the flag, the environment, the nearest folder upward, or a refusal that says how to make some.

use std::path::{Path, PathBuf};

use clap::ArgMatches;

use crate::{
    engine::{No, Result},
    model::Refusal,
    store::Paths,
    world::World,
};

const SETTINGS: &str = "wanderbooks.toml";

/// Where the command line says the books are.
#[derive(Clone, Default, Debug)]
pub struct Places {
    /// The books folder.
    pub books: Option<PathBuf>,
    /// The folder of the database.
    pub data: Option<PathBuf>,
    /// The settings file.
    pub settings: Option<PathBuf>,
}

impl Places {
    /// What the global options say.
    pub fn of(matches: &ArgMatches) -> Places {
        let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
        Places {
            books: path("books"),
            data: path("data-dir"),
            settings: path("books-toml"),
        }
    }
}

/// The paths of the books that a command is about.
pub fn find(places: &Places, world: &World) -> Result<Paths> {
    let root = match (&places.books, &places.data) {
        (Some(books), _) => books.clone(),
        (None, Some(data)) => resolved(data, world)?
            .parent()
            .map(Path::to_owned)
            .unwrap_or_default(),
        (None, None) => world
            .nearest_folder_with(SETTINGS)
            .map_err(|e| unseen("looking for the books", &e))?
            .ok_or_else(no_books)?,
    };
    let paths = within(&root, places, world)?;
    if places.settings.is_some() && !paths.settings.exists() {
        let name = crate::model::quoted(&paths.settings.to_string_lossy());
        let refusal = Refusal::new("settings_unreadable", format!("{name} is not there"));
        return Err(No::Unavailable(refusal.hint(
            "name the settings file that there is, or leave --books-toml out",
        )));
    }
    Ok(paths)
}

/// The paths of books in a folder, with what the options put elsewhere.
///
/// Unavailable: a folder that cannot be looked at, and a world without a place for remembered heads.
pub fn within(root: &Path, places: &Places, world: &World) -> Result<Paths> {
    if world.lacks_state_folder() {
        return Err(no_state_folder());
    }
    let mut paths = Paths::within(&resolved(root, world)?);
    if let Some(data) = &places.data {
        paths.data = resolved(data, world)?;
    }
    if let Some(settings) = &places.settings {
        paths.settings = resolved(settings, world)?;
    }
    Ok(paths)
}

fn resolved(path: &Path, world: &World) -> Result<PathBuf> {
    world
        .resolved(path)
        .map_err(|e| unseen("looking at the books folder", &e))
}

/// The folder cannot be looked at: it is gone, closed to this user, or behind a file.
fn unseen(doing: &str, error: &std::io::Error) -> No {
    let refusal = Refusal::new("unavailable", format!("{doing}: {error}"));
    No::Unavailable(
        refusal.hint("go to a folder that is there, or name the books' folder with --books"),
    )
}

/// Books whose last head is remembered nowhere could be rolled back unseen.
fn no_state_folder() -> No {
    let message = "there is no folder for the last head seen: HOME and XDG_STATE_HOME are missing or not absolute";
    let refusal = Refusal::new("unavailable", message);
    No::Unavailable(refusal.hint("set HOME or XDG_STATE_HOME to an absolute path"))
}

fn no_books() -> No {
    Refusal::new(
        "no_books",
        "there are no books here: no folder from here upward holds wanderbooks.toml",
    )
    .hint("make some with `wb init`, or name their folder with --books")
    .into()
}
