//! Full verification: the chain of the journal, and every row of every table and the schema itself against a replay of it.
//!
//! Two threads share the work over two connections that see one moment: one reads and hashes the journal and replays it
//! into memory, the other reads the tables. A journal that does not hold is named and never mended by guessing.

use std::{collections::BTreeMap, path::Path};

use rusqlite::{Connection, types::ValueRef};

use super::{
    Projection,
    chain::{Chain, Stored},
    connect::{self, Access},
    fault::{Doing, StoreError, StoreResult},
    fold::Fold,
    head::Head,
    journal,
    memory::{self, Memory, encode},
    table::{Table, Val},
    view::View,
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
    let (journal, tables) = one_moment(database, access)?;
    let scanned = std::thread::scope(|scope| {
        let scan = std::thread::Builder::new()
            .spawn_scoped(scope, move || scan(&tables, projection, depth))
            .map_err(|e| StoreError::io("starting to verify", e))?;
        let replayed = replay(&journal, projection);
        let scanned = scan.join().map_err(|_| {
            StoreError::Fault("reading the tables failed inside the program".to_owned())
        })?;
        replayed.map(|replayed| (replayed, scanned))
    });
    let ((head, damage, mut memory), scanned) = scanned?;
    let mut found = Verification {
        head,
        damage,
        drift: Vec::new(),
    };
    if found.damage.is_none() {
        let (mut drift, rows) = match scanned {
            // The journal is whole, so tables whose pages cannot be read can be folded again.
            Err(StoreError::Damaged(what)) => (vec![drifted("pages", what)], Vec::new()),
            other => other?,
        };
        for (table, rows) in projection.tables.iter().zip(rows) {
            let what = first_difference(&memory.take(table), &rows);
            drift.extend(what.map(|what| Drift {
                table: table.name.to_owned(),
                what,
            }));
        }
        found.drift = drift;
    }
    Ok(found)
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

type Replayed = (Head, Option<Damage>, Memory);

/// Follows the chain from its start and folds every event into memory, up to the first line that does not hold.
fn replay(db: &Connection, projection: &Projection) -> StoreResult<Replayed> {
    let doing = "reading the journal";
    let mut memory = Memory::default();
    let mut chain = Chain::START;
    let broken = |chain: Chain, memory, why| {
        let seq = chain.head.seq + 1;
        Ok((chain.head, Some(Damage { seq, why }), memory))
    };
    let mut statement = db
        .prepare("SELECT seq, body, hash FROM event ORDER BY seq")
        .doing(doing)?;
    let mut rows = statement.query([]).doing(doing)?;
    while let Some(row) = rows.next().doing(doing)? {
        let seq: i64 = row.get(0).doing(doing)?;
        let body = row.get_ref(1).doing(doing)?.as_str();
        let hash = row.get_ref(2).doing(doing)?.as_blob();
        let (Ok(body), Ok(hash)) = (body, hash) else {
            return broken(chain, memory, "it is not text with a hash".to_owned());
        };
        match follow(&chain, (seq, body, hash), projection, &mut memory) {
            Ok(next) => chain = next,
            Err(why) => return broken(chain, memory, why),
        }
    }
    match chain.ended() {
        Ok(()) => Ok((chain.head, None, memory)),
        Err(why) => broken(chain, memory, why),
    }
}

/// One line more: the chain and its fold.
fn follow(
    chain: &Chain,
    line: Stored<'_>,
    projection: &Projection,
    memory: &mut Memory,
) -> Result<Chain, String> {
    let (next, envelope) = chain.follow(line)?;
    (projection.fold)(&envelope, &mut Fold::memory(memory)).map_err(|e| e.to_string())?;
    Ok(next)
}

/// A table's rows in key order: lengths and bytes of key and rest, one after the other.
#[derive(Default)]
struct Rows {
    bytes: Vec<u8>,
    /// Where each key ends and each row ends.
    ends: Vec<(usize, usize)>,
}

fn drifted(table: &str, what: String) -> Drift {
    Drift {
        table: table.to_owned(),
        what,
    }
}

/// Every table's rows, and what is wrong with the schema and the sums.
fn scan(
    db: &Connection,
    projection: &Projection,
    depth: Depth,
) -> StoreResult<(Vec<Drift>, Vec<Rows>)> {
    let mut drift = Vec::new();
    let schema = schema_difference(db, projection)?;
    if let Some(what) = schema {
        // With another schema the rows cannot even be asked for.
        drift.push(drifted("schema", what));
        return Ok((drift, Vec::new()));
    }
    for check in &projection.checks {
        drift.extend(check(&View::new(db))?.map(|what| drifted("sums", what)));
    }
    let rows = projection
        .tables
        .iter()
        .map(|table| scan_table(db, table))
        .collect::<StoreResult<_>>()?;
    if depth == Depth::Pages {
        drift.extend(pages_difference(db)?.map(|what| drifted("pages", what)));
    }
    Ok((drift, rows))
}

/// What SQLite finds wrong with pages and indexes. While the journal is whole, folding the tables again mends it.
fn pages_difference(db: &Connection) -> StoreResult<Option<String>> {
    let found: String = db
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .doing("checking the pages of the database")?;
    Ok((found != "ok").then_some(found))
}

fn scan_table(db: &Connection, table: &Table) -> StoreResult<Rows> {
    let doing = "reading the tables";
    let mut found = Rows::default();
    let mut statement = db.prepare(&table.select_all_sql()).doing(doing)?;
    let mut rows = statement.query([]).doing(doing)?;
    while let Some(row) = rows.next().doing(doing)? {
        let mut key_end = 0;
        for column in 0..table.columns.len() {
            let value = match row.get_ref(column).doing(doing)? {
                ValueRef::Integer(n) => Val::Int(n),
                ValueRef::Text(text) => {
                    std::str::from_utf8(text).map_or(Val::Text("(not UTF-8)"), Val::Text)
                }
                _ => Val::Null,
            };
            encode(value, &mut found.bytes);
            if column + 1 == table.key {
                key_end = found.bytes.len();
            }
        }
        found.ends.push((key_end, found.bytes.len()));
    }
    Ok(found)
}

/// What the schema holds that it must not, or lacks.
fn schema_difference(db: &Connection, projection: &Projection) -> StoreResult<Option<String>> {
    let doing = "reading the schema";
    let fresh = Connection::open_in_memory().doing(doing)?;
    fresh.execute_batch(&projection.ddl()).doing(doing)?;
    let objects =
        |db: &Connection| -> rusqlite::Result<BTreeMap<(String, String), Option<String>>> {
            db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT IN ('sqlite_stat1','sqlite_stat4')")?
            .query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?
            .collect()
        };
    let (live, wanted) = (objects(db).doing(doing)?, objects(&fresh).doing(doing)?);
    for (object, sql) in &wanted {
        match live.get(object) {
            Some(found) if found == sql => {}
            Some(_) => {
                return Ok(Some(format!(
                    "{} {} is not as it was made",
                    object.0, object.1
                )));
            }
            None => return Ok(Some(format!("{} {} is missing", object.0, object.1))),
        }
    }
    let foreign = live.keys().find(|object| !wanted.contains_key(object));
    Ok(foreign.map(|object| format!("a {} that is not part of the books was added", object.0)))
}

/// The first row that is in one of the two but not in the other.
fn first_difference(replayed: &memory::Rows, live: &Rows) -> Option<String> {
    let mut start = 0;
    let mut wanted = replayed.iter();
    for (place, (key_end, end)) in live.ends.iter().enumerate() {
        let (key, rest) = (&live.bytes[start..*key_end], &live.bytes[*key_end..*end]);
        start = *end;
        match wanted.next() {
            Some((k, r)) if k == key && r == rest => {}
            Some((k, _)) if k == key => {
                return Some(format!("row {} differs from the journal", place + 1));
            }
            Some((k, _)) if k < key => {
                return Some(format!("a row before row {} is missing", place + 1));
            }
            _ => return Some(format!("row {} is not in the journal", place + 1)),
        }
    }
    let left = wanted.count();
    (left > 0).then(|| format!("the last {left} rows are missing"))
}
