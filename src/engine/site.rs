//! A place where books are that are not open, or are to be: for upkeep that makes books or mends what does not open.

use std::path::Path;

use super::{Books, Domain, No, Result, books::projection};
use crate::{
    store::{Paths, Rebuilt, Restored, Store, StoreError},
    world::World,
};

/// A place, and what is known there.
pub struct Site<'s> {
    find: &'s dyn Fn() -> Result<Paths>,
    domains: &'static [&'static Domain],
    world: &'s World,
}

impl<'s> Site<'s> {
    /// A place whose books are found only when a call is about them.
    pub fn new(
        find: &'s dyn Fn() -> Result<Paths>,
        domains: &'static [&'static Domain],
        world: &'s World,
    ) -> Site<'s> {
        Site {
            find,
            domains,
            world,
        }
    }

    /// Makes books of a backup in a new folder, and gives them open.
    ///
    /// Refuses: a folder that exists, and a backup that is not what it says.
    pub fn restore(&self, backup: &Path, into: &Path) -> Result<(Restored, Books)> {
        let resolved = |path| {
            self.world
                .resolved(path)
                .map_err(|e| No::from(StoreError::io("looking at where the books go", e)))
        };
        let (backup, into) = (resolved(backup)?, resolved(into)?);
        let state = self.world.state_folder();
        let restored = Store::restore(&backup, &into, projection(self.domains), state)?;
        let books = Books::open(Paths::within(&into), self.domains, self.world.clone())?;
        Ok((restored, books))
    }

    /// Makes the database of the books here anew from their mirror, and gives them open.
    ///
    /// Refuses: books whose database is whole, and a mirror that is not there or breaks.
    pub fn rebuild(&self) -> Result<(Rebuilt, Books)> {
        let paths = (self.find)()?;
        let stamp = self.world.stamp();
        let rebuilt = Store::rebuild(&paths, &projection(self.domains), &stamp)?;
        let books = Books::open(paths, self.domains, self.world.clone())?;
        Ok((rebuilt, books))
    }
}
