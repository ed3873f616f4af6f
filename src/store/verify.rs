//! Full verification: the chain of the journal, and every row of every table and the schema itself against a replay of it.
//!
//! Two threads share the work over two connections that see one moment. One holds the journal to its chain and hands the
//! lines to the other, which folds them into memory; whichever is done takes one job after another (a table's rows, sums,
//! pages), and then the other helps. A journal that does not hold is named and never mended by guessing.

mod relay;
mod tables;

use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::Receiver,
    },
};

use rusqlite::Connection;

use super::{
    Check, Projection,
    blobs::{Blobs, FileFault},
    chain::{Chain, Stored},
    connect::{self, Access},
    fault::{Doing, StoreError, StoreResult},
    fold::Fold,
    head::Head,
    journal,
    memory::Memory,
    table::Table,
    view::View,
};
use relay::{Batch, Sender, relay};
use tables::{
    Rows, check_files, first_difference, pages_difference, scan_table, schema_difference,
};

/// What verification found.
#[derive(Debug)]
pub struct Verification {
    /// Where the journal ends.
    pub head: Head,
    /// Where the journal breaks, if it does. Nothing after this was read.
    pub damage: Option<Damage>,
    /// Tables that are not what the journal makes of them.
    pub drift: Vec<Drift>,
    /// Stored files, as far as they were looked at.
    pub files: Files,
}

/// The stored files that the tables name, as far as they were looked at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Files {
    /// How many were held to their hash.
    pub checked: u64,
    /// Those that are missing, or are not what was stored.
    pub faults: Vec<FileFault>,
}

/// A break in the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The first line that does not hold.
    pub seq: i64,
    /// What is wrong with it.
    pub why: String,
}

/// A difference between a table and the replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drift {
    /// The table, or `schema`.
    pub table: String,
    /// The first difference.
    pub what: String,
}

/// How deep verification looks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// The journal, every row and the schema.
    Rows,
    /// SQLite's own check of pages and indexes too.
    Pages,
    /// Every stored file too.
    Files,
}

/// Where what is verified lies.
pub(super) struct Site<'s> {
    pub database: &'s Path,
    pub access: Access,
    pub blobs: &'s Blobs,
}

/// Verifies books through connections of its own.
pub(super) fn verify(
    site: &Site<'_>,
    projection: &Projection,
    depth: Depth,
) -> StoreResult<Verification> {
    let (first, second) = one_moment(site.database, site.access)?;
    let schema = schema_difference(&first, projection)?;
    // With another schema the rows cannot even be asked for.
    let jobs = Jobs::new(projection, site, depth, schema.is_none());
    let (lines, taken) = relay();
    let (checked, folded) = std::thread::scope(|scope| {
        let folding = std::thread::Builder::new()
            .spawn_scoped(scope, || {
                let folded = fold(taken, projection);
                jobs.work(second);
                folded
            })
            .map_err(|e| StoreError::io("starting to verify", e))?;
        let checked = check(&first, lines);
        jobs.work(first);
        let folded = folding.join().map_err(|_| {
            StoreError::Fault("folding the journal failed inside the program".to_owned())
        })?;
        Ok::<_, StoreError>((checked?, folded))
    })?;
    let (mut memory, misfit) = folded;
    let (head, damage) = match (misfit, checked) {
        // The fold is behind the check, so that its break is the earlier one.
        (Some((head, damage)), _) | (None, (head, Some(damage))) => (head, Some(damage)),
        (None, (head, None)) => (head, None),
    };
    let mut found = Verification {
        head,
        damage,
        drift: schema
            .map(|what| drifted("schema", what))
            .into_iter()
            .collect(),
        files: Files::default(),
    };
    let mut rows = Vec::new();
    for result in jobs.results() {
        match result {
            Ok(Found::Files(files)) => found.files = files,
            Ok(Found::Drift(drift)) => found.drift.extend(drift),
            Ok(Found::Rows(table, live)) => rows.push((table, live)),
            // While the journal is whole, tables whose pages cannot be read can be folded again.
            Err(StoreError::Damaged(what)) => found.drift.push(drifted("pages", what)),
            Err(other) => return Err(other),
        }
    }
    if found.damage.is_some() {
        // There is nothing to hold the tables to.
        found.drift.clear();
        return Ok(found);
    }
    for (table, live) in rows {
        let what = first_difference(&memory.take(table), &live);
        found
            .drift
            .extend(what.map(|what| drifted(table.name, what)));
    }
    Ok(found)
}

/// A part of verification that stands by itself.
enum Job<'p> {
    /// A table's rows, as they are.
    Rows(&'static Table),
    /// Sums that must agree.
    Sums(&'p Check),
    /// SQLite's own check.
    Pages,
    /// The stored files that these tables name.
    Files(&'p [&'static Table], &'p Blobs),
}

/// What a job found.
enum Found {
    Rows(&'static Table, Rows),
    Drift(Option<Drift>),
    Files(Files),
}

/// The jobs, and how far they are taken.
struct Jobs<'p> {
    jobs: Vec<Job<'p>>,
    next: AtomicUsize,
    results: Mutex<Vec<(usize, StoreResult<Found>)>>,
}

impl<'p> Jobs<'p> {
    /// The longest first, so that two threads end at about the same time.
    fn new(projection: &'p Projection, site: &Site<'p>, depth: Depth, readable: bool) -> Jobs<'p> {
        let mut jobs = Vec::new();
        if readable && depth >= Depth::Pages {
            jobs.push(Job::Pages);
        }
        if readable && depth >= Depth::Files {
            jobs.push(Job::Files(&projection.tables, site.blobs));
        }
        if readable {
            jobs.extend(projection.checks.iter().map(Job::Sums));
            jobs.extend(projection.tables.iter().copied().map(Job::Rows));
        }
        Jobs {
            jobs,
            next: AtomicUsize::new(0),
            results: Mutex::default(),
        }
    }

    /// Does jobs until none is left.
    fn work(&self, db: Connection) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = self.jobs.get(at) else { break };
            let found = job.run(&db);
            self.results
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((at, found));
        }
    }

    /// What the jobs found, in the order of the list whoever did them.
    fn results(self) -> impl Iterator<Item = StoreResult<Found>> {
        let mut results = self
            .results
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, found)| found)
    }
}

impl Job<'_> {
    fn run(&self, db: &Connection) -> StoreResult<Found> {
        Ok(match self {
            Job::Rows(table) => Found::Rows(table, scan_table(db, table)?),
            Job::Sums(check) => {
                Found::Drift(check(&View::new(db))?.map(|what| drifted("sums", what)))
            }
            Job::Files(tables, blobs) => Found::Files(check_files(db, tables, blobs)?),
            Job::Pages => Found::Drift(pages_difference(db)?.map(|what| drifted("pages", what))),
        })
    }
}

/// Two read transactions at the same head.
fn one_moment(database: &Path, access: Access) -> StoreResult<(Connection, Connection)> {
    const TRIES: usize = 100;
    let pinned = || {
        let db = connect::reader(database, access)?;
        // The whole file is read once, so that mapping it saves a copy; short verbs would pay for it. Every row is compared,
        // so that cells need no check of their own.
        db.execute_batch("PRAGMA mmap_size=4294967296; PRAGMA cell_size_check=OFF; BEGIN")
            .doing("beginning to verify")?;
        let head = journal::head(&db)?;
        Ok::<_, StoreError>((db, head))
    };
    for _ in 0..TRIES {
        let (first, head) = pinned()?;
        let (second, other) = pinned()?;
        if head == other {
            return Ok((first, second));
        }
    }
    Err(StoreError::Unavailable(
        "the books are being written to without a pause; verify them later".to_owned(),
    ))
}

/// Holds every line to the chain and hands it over to be folded, up to the first that does not hold. Gives the last head
/// that does, and the break.
fn check(db: &Connection, mut lines: Sender) -> StoreResult<(Head, Option<Damage>)> {
    let mut chain = Chain::START;
    let mut why = None;
    each_line(db, |line| {
        let followed = line.and_then(|line| chain.follow(line));
        match followed {
            Ok((next, envelope)) => {
                let wanted = lines.send(chain.head, &envelope);
                chain = next;
                wanted
            }
            Err(fault) => {
                why = Some(fault);
                false
            }
        }
    })?;
    lines.end();
    let damage = why.or_else(|| chain.ended().err()).map(|why| Damage {
        seq: chain.head.seq + 1,
        why,
    });
    Ok((chain.head, damage))
}

/// Folds lines into memory, up to the first that cannot follow; then the head before it and what is wrong.
fn fold(lines: Receiver<Batch>, projection: &Projection) -> (Memory, Option<(Head, Damage)>) {
    let mut memory = Memory::default();
    for batch in lines {
        for (before, envelope) in batch.lines() {
            if let Err(e) = (projection.fold)(&envelope, &mut Fold::memory(&mut memory)) {
                let (seq, why) = (envelope.seq, e.to_string());
                return (memory, Some((before, Damage { seq, why })));
            }
        }
    }
    (memory, None)
}

/// Hands out the journal line by line, or what keeps a line from being one, until told to stop.
fn each_line(
    db: &Connection,
    mut take: impl FnMut(Result<Stored<'_>, String>) -> bool,
) -> StoreResult<()> {
    let doing = "reading the journal";
    let mut statement = db
        .prepare("SELECT seq, body, hash FROM event ORDER BY seq")
        .doing(doing)?;
    let mut rows = statement.query([]).doing(doing)?;
    while let Some(row) = rows.next().doing(doing)? {
        let seq = row.get(0).doing(doing)?;
        let body = row.get_ref(1).doing(doing)?.as_str();
        let hash = row.get_ref(2).doing(doing)?.as_blob();
        let line = match (body, hash) {
            (Ok(body), Ok(hash)) => Ok((seq, body, hash)),
            _ => Err("it is not text with a hash".to_owned()),
        };
        if !take(line) {
            break;
        }
    }
    Ok(())
}

fn drifted(table: &str, what: String) -> Drift {
    Drift {
        table: table.to_owned(),
        what,
    }
}
