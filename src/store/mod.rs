//! Paper: the journal, the tables folded from it, the mirror, the remembered head, backup. Knows no business.
//!
//! One SQLite file holds the journal (table `event`) and every table folded from it, so that an event and its effects are
//! committed together or not at all. The journal is the truth; everything else can be folded from it again.

mod accept;
mod backup;
mod blobs;
mod chain;
mod connect;
mod copies;
mod create;
mod drill;
mod fault;
mod fold;
mod head;
mod heal;
mod identity;
mod journal;
mod memory;
mod mirror;
mod open;
mod paths;
mod rebuild;
mod restore;
mod standing;
mod table;
mod transaction;
mod unfinished;
mod verify;
mod view;

pub use accept::{Accepted, Held};
pub use backup::{Backup, FileCopy};
pub use blobs::{Blobs, FileFault};
#[cfg(any(test, fuzzing))]
pub use chain::line_holds;
pub use copies::{Copies, CopyMade};
pub use drill::Drill;
pub use fault::{StoreError, StoreResult};
pub use fold::{Fold, FoldError, FoldResult};
pub use head::{Head, Remembered};
pub use heal::Healed;
pub use journal::{Envelope, Line, line_hash};
pub use mirror::Mirror;
pub use open::Store;
pub use paths::Paths;
pub use rebuild::{Rebuilt, Torn};
pub use restore::{Missing, Restored, Restoring};
pub use table::{Column, Holds, Table, Val};
pub use transaction::{Committed, Reading, Writing};
pub use verify::{Damage, Depth, Drift, Files, Verification};
pub use view::{Row, View};

/// How the events of the business are folded: the tables, one function, and a version of both.
///
/// The store replays with exactly this to verify, to heal and to upgrade.
pub struct Projection {
    /// Every table, referenced ones first.
    pub tables: Vec<&'static Table>,
    /// Folds one event into the tables.
    pub fold: FoldLine,
    /// The versions of all that folding depends on, each as `name=version` or `kind@version`; the tables' shape is part of it
    /// by itself.
    pub versions: Vec<String>,
    /// Questions whose answer is what is wrong, if anything: sums that must agree whatever path they are read by.
    pub checks: Vec<Check>,
}

/// Folds one line of the journal into the tables.
pub type FoldLine = Box<dyn Fn(&Envelope<'_>, &mut Fold<'_>) -> FoldResult + Send + Sync>;

/// A question to the tables whose answer is what is wrong with them, if anything.
pub type Check = fn(&View<'_>) -> StoreResult<Option<String>>;

impl Projection {
    /// Identifies the tables' shape and the versions of the folds: books folded by another one are folded again.
    fn fingerprint(&self) -> String {
        let mut text = format!("{}\n", self.versions.join("\n"));
        for table in &self.tables {
            text.push_str(&table.ddl());
        }
        crate::model::hex(&line_hash(&text)[..10])
    }

    /// Every statement that makes an empty database of books.
    fn ddl(&self) -> String {
        let mut sql = format!("{}{}", journal::DDL, open::STATE_DDL);
        for table in &self.tables {
            sql.push_str(&table.ddl());
        }
        sql
    }
}
