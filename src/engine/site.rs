//! A place where books are that are not open, or are to be: for upkeep that makes books or mends what does not open.

use std::path::Path;

use super::{Books, Domain, No, Result, books::projection};
use crate::{
    model::{Refusal, quoted},
    store::{Paths, Rebuilt, Restored, Restoring, Store},
    world::{
        World,
        place::{self, PlaceFault},
    },
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

    /// Refuses a clock by which nothing can be dated.
    pub(super) fn clock_must_be_set(&self) -> Result<()> {
        super::clock::must_be_set(self.world)
    }

    /// Makes books of a backup in a new folder, and gives them open.
    ///
    /// Refuses: a folder that exists, and a backup that is not what it says.
    pub fn restore(&self, what: Restoring<'_>) -> Result<(Restored, Books)> {
        let (backup, into) = (what.folder, what.into);
        let unfit = |path: &Path, fault: PlaceFault| {
            let shown = quoted(&path.to_string_lossy());
            let refusal = Refusal::new("unavailable", format!("{shown}: {fault}"));
            No::Unavailable(refusal.hint("name another place"))
        };
        let backup = place::resolved(backup).map_err(|fault| unfit(backup, fault))?;
        let into = match place::resolved(into) {
            // A link has the name, wherever it leads: that is refused as a name that is taken.
            Err(PlaceFault::Dangling | PlaceFault::Circle) => {
                std::path::absolute(into).map_err(|e| unfit(into, e.into()))?
            }
            found => found.map_err(|fault| unfit(into, fault))?,
        };
        let state = self.world.state_folder();
        let what = Restoring {
            folder: &backup,
            into: &into,
            ..what
        };
        let restored = Store::restore(what, projection(self.domains), state)?;
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
