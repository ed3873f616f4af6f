//! Where the parts of some books lie, and what lies around the database when they are made. Nothing here reads the books.

use std::path::{Path, PathBuf};

use super::{
    backup::{Backup, manifest::MANIFEST},
    connect::begun,
    fault::{At, Doing, StoreResult},
    open::exists,
};
use crate::world::files;

/// Where the parts of some books lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paths {
    /// The books folder.
    pub root: PathBuf,
    /// The folder of database, mirror and blobs.
    pub data: PathBuf,
    /// The settings file.
    pub settings: PathBuf,
}

impl Paths {
    /// What tells a folder of books, and one of a database that lies elsewhere: nothing that is not of them goes inside.
    pub fn marks() -> [&'static Path; 3] {
        ["data/wanderbooks.db", "wanderbooks.db", "wanderbooks.toml"].map(Path::new)
    }

    /// What is said of a folder in which books are.
    pub const HOLDS_BOOKS: &'static str = "already holds books";

    /// The usual places inside a books folder.
    pub fn within(root: &Path) -> Paths {
        Paths {
            root: root.to_owned(),
            data: root.join("data"),
            settings: root.join("wanderbooks.toml"),
        }
    }
    /// The database.
    pub fn database(&self) -> PathBuf {
        self.data.join("wanderbooks.db")
    }
    /// The journal's mirror.
    pub fn mirror(&self) -> PathBuf {
        self.data.join("journal.jsonl")
    }
    /// The policy file, which may be absent.
    pub fn config(&self) -> PathBuf {
        self.data.join("config.json")
    }
    /// The files by their hash.
    pub fn blobs(&self) -> PathBuf {
        self.data.join("blobs")
    }

    /// Whether the folder is a backup: its manifest is there, and reads as one or has no mirror beside it, which live books
    /// have and a backup never.
    pub(super) fn are_a_backup(&self) -> StoreResult<bool> {
        let folder = self.data.parent().unwrap_or(&self.root);
        if !exists(&folder.join(MANIFEST))? {
            return Ok(false);
        }
        Ok(!exists(&self.mirror())? || Backup::read(folder).is_ok())
    }

    /// Whether anything is at the place of the books folder.
    pub fn root_exists(&self) -> StoreResult<bool> {
        exists(&self.root)
    }

    /// Whether books are here, whose making was finished.
    pub fn hold_books(&self) -> StoreResult<bool> {
        Ok(exists(&self.database())? && begun(&self.database()))
    }

    /// Why no books with these settings can be made here, when that is so: books, or settings of some, are here already.
    ///
    /// What a creation left that was cut off before its one transaction is in nobody's way: an empty database, and beside
    /// it the same settings or their beginning.
    pub fn taken(&self, settings: &str) -> StoreResult<Option<&'static str>> {
        let database = exists(&self.database())?;
        if self.hold_books()? {
            return Ok(Some(Paths::HOLDS_BOOKS));
        }
        if !exists(&self.settings)? {
            return Ok(None);
        }
        let doing = "reading the settings that are there";
        let bytes_max = 1 << 20;
        let left = database
            && settings.as_bytes().starts_with(
                &files::read_file(&self.settings, bytes_max).at(doing, &self.settings)?,
            );
        Ok((!left).then_some("has a settings file already, but no books"))
    }

    /// Makes what lies around the database: the settings file, and the folders for incoming files and sealed records.
    pub fn furnish(&self, settings: &str) -> StoreResult<()> {
        for folder in ["inbox", "vault"] {
            let folder = self.root.join(folder);
            files::make_private_folder(&folder).at("making the books", &folder)?;
        }
        if exists(&self.settings)? {
            self.unfurnish()?;
        }
        files::write_new(&self.settings, settings.as_bytes()).doing("writing the settings")
    }

    /// Takes the settings file of books that could not be made away again.
    pub fn unfurnish(&self) -> StoreResult<()> {
        std::fs::remove_file(&self.settings).doing("taking the settings away")
    }
}
