//! Full verification: the chain of the journal, and every row of every table and the schema itself against a replay of it.
//!
//! Two threads share the work over two connections that see one moment. One replays the journal into memory; the other
//! takes one job after another (the journal's hashes, a table's rows, sums, pages), and the first that is done helps. A
//! journal that does not hold is named and never mended by guessing.

mod tables;

use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use rusqlite::Connection;

use super::{
    Check, Projection,
    chain::{self, Chain, Stored},
    connect::{self, Access},
    fault::{Doing, StoreError, StoreResult},
    fold::Fold,
    head::Head,
    journal,
    memory::Memory,
    table::Table,
    view::View,
};
use tables::{Rows, first_difference, pages_difference, scan_table, schema_difference};

/// What verification found.
#[derive(Debug)]
pub struct Verification {
    /// Where the journal ends.
    pub head: Head,
    /// Where the journal breaks, if it does. Nothing after this was read.
    pub damage: Option<Damage>,
    /// Tables that are not what the journal makes of them.
    pub drift: Vec<Drift>,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// The journal, every row and the schema.
    Rows,
    /// SQLite's own check of pages and indexes too.
    Pages,
}

/// Verifies books through connections of its own.
pub(super) fn verify(
    (database, access): (&Path, Access),
    projection: &Projection,
    depth: Depth,
) -> StoreResult<Verification> {
    let (first, second) = one_moment(database, access)?;
    let schema = schema_difference(&first, projection)?;
    // With another schema the rows cannot even be asked for.
    let jobs = Jobs::new(projection, depth, schema.is_none());
    let replayed = std::thread::scope(|scope| {
        let other = std::thread::Builder::new()
            .spawn_scoped(scope, || jobs.work(second))
            .map_err(|e| StoreError::io("starting to verify", e))?;
        let replayed = replay(&first, projection);
        jobs.work(first);
        other.join().map_err(|_| {
            StoreError::Fault("reading the tables failed inside the program".to_owned())
        })?;
        replayed
    });
    let (mut found, mut memory) = replayed?;
    let mut rows = Vec::new();
    found
        .drift
        .extend(schema.map(|what| drifted("schema", what)));
    for result in jobs.results() {
        match result {
            Ok(Found::Chain(broken)) => found.broken_at(broken),
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

impl Verification {
    /// Of two breaks the earlier one counts: what follows it is certain of nothing.
    fn broken_at(&mut self, broken: Option<(Head, Damage)>) {
        let Some((head, damage)) = broken else { return };
        if self
            .damage
            .as_ref()
            .is_none_or(|known| damage.seq <= known.seq)
        {
            self.head = head;
            self.damage = Some(damage);
        }
    }
}

/// A part of verification that stands by itself.
enum Job<'p> {
    /// Every line of the journal has its hash.
    Chain,
    /// A table's rows, as they are.
    Rows(&'static Table),
    /// Sums that must agree.
    Sums(&'p Check),
    /// SQLite's own check.
    Pages,
}

/// What a job found.
enum Found {
    /// The last line before the break, and the break.
    Chain(Option<(Head, Damage)>),
    Rows(&'static Table, Rows),
    Drift(Option<Drift>),
}

/// The jobs, and how far they are taken.
struct Jobs<'p> {
    jobs: Vec<Job<'p>>,
    next: AtomicUsize,
    results: Mutex<Vec<(usize, StoreResult<Found>)>>,
}

impl<'p> Jobs<'p> {
    /// The longest first, so that two threads end at about the same time.
    fn new(projection: &'p Projection, depth: Depth, readable: bool) -> Jobs<'p> {
        let mut jobs = Vec::new();
        if readable && depth == Depth::Pages {
            jobs.push(Job::Pages);
        }
        if readable {
            jobs.extend(projection.checks.iter().map(Job::Sums));
            jobs.extend(projection.tables.iter().copied().map(Job::Rows));
        }
        jobs.push(Job::Chain);
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
            Job::Chain => Found::Chain(unhashed(db)?),
            Job::Rows(table) => Found::Rows(table, scan_table(db, table)?),
            Job::Sums(check) => {
                Found::Drift(check(&View::new(db))?.map(|what| drifted("sums", what)))
            }
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

/// Follows the chain from its start and folds every event into memory, up to the first line that does not hold. That
/// each line has the hash it stands with is a job of its own.
fn replay(db: &Connection, projection: &Projection) -> StoreResult<(Verification, Memory)> {
    let (mut memory, mut chain) = (Memory::default(), Chain::START);
    let mut why = None;
    each_line(db, |line| {
        let next = line.and_then(|line| {
            let (next, envelope) = chain.link(line)?;
            let mut tables = Fold::memory(&mut memory);
            (projection.fold)(&envelope, &mut tables).map_err(|e| e.to_string())?;
            Ok(next)
        });
        match next {
            Ok(next) => chain = next,
            Err(fault) => why = Some(fault),
        }
        why.is_none()
    })?;
    let why = why.or_else(|| chain.ended().err());
    let found = Verification {
        head: chain.head,
        damage: why.map(|why| Damage {
            seq: chain.head.seq + 1,
            why,
        }),
        drift: Vec::new(),
    };
    Ok((found, memory))
}

/// The first line that does not have its hash, and the head before it.
fn unhashed(db: &Connection) -> StoreResult<Option<(Head, Damage)>> {
    let mut head = Head::EMPTY;
    let mut broken = None;
    each_line(db, |line| {
        let seq = head.seq + 1;
        match line.and_then(chain::hashed) {
            Ok(hash) => head = Head { seq, hash },
            Err(why) => broken = Some((head, Damage { seq, why })),
        }
        broken.is_none()
    })?;
    Ok(broken)
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
