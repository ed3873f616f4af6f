//! Finding the books: the flag, the environment, the nearest folder upward, or a refusal that says how to make some.

use std::path::{Path, PathBuf};

use clap::ArgMatches;

use crate::{
    engine::{No, Result},
    model::{Refusal, quoted},
    store::Paths,
    world::{
        World,
        place::{self, PlaceFault},
    },
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
        (None, Some(data)) => resolved(data)?
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
        let name = quoted(&paths.settings.to_string_lossy());
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
    let mut paths = Paths::within(&resolved(root)?);
    if let Some(data) = &places.data {
        paths.data = resolved(data)?;
    }
    if let Some(settings) = &places.settings {
        paths.settings = resolved(settings)?;
    }
    Ok(paths)
}

/// The paths of new books in a folder that is there or is to be made.
///
/// Refuses: a folder inside other books. Unavailable: what [`within`] finds, and a file in the folder's place.
pub fn for_new(root: &Path, places: &Places, world: &World) -> Result<Paths> {
    // Not a settings file alone: that of books to be may have been written first.
    let marks = &Paths::marks()[..2];
    let paths = within(root, places, world)?;
    match place::folder_outside(root, marks) {
        Ok(_) => Ok(paths),
        Err(PlaceFault::Inside) => {
            let shown = quoted(&root.to_string_lossy());
            let message = format!("{shown} lies inside other books");
            Err(Refusal::new("folder_inside_books", message)
                .hint("name a folder outside them: each client's books have a folder of their own")
                .into())
        }
        Err(fault) => Err(unfit(root, &fault)),
    }
}

fn resolved(path: &Path) -> Result<PathBuf> {
    place::resolved(path).map_err(|fault| unfit(path, &fault))
}

/// Nothing can be looked for, or made, at a path.
fn unfit(path: &Path, fault: &PlaceFault) -> No {
    let message = format!("{}: {fault}", quoted(&path.to_string_lossy()));
    No::Unavailable(Refusal::new("unavailable", message).hint(ELSEWHERE))
}

const ELSEWHERE: &str = "name another place, or mend this one and try again";

/// The folder cannot be looked at: it is gone, or closed to this user.
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
