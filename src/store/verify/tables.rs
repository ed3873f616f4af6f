//! The live tables as verification reads them: rows as bytes, the schema, SQLite's own check, and the first difference
//! between a table and its replay.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, types::ValueRef};

use crate::store::{
    Projection,
    blobs::Blobs,
    fault::{Doing, StoreResult},
    identity::is_replication,
    memory::{self, encode},
    table::{Table, Val},
    verify::Files,
};

/// A table's rows in key order: lengths and bytes of key and rest, one after the other.
#[derive(Default)]
pub(super) struct Rows {
    bytes: Vec<u8>,
    /// Where each key ends and each row ends.
    ends: Vec<(usize, usize)>,
}

/// What SQLite finds wrong with pages and indexes. While the journal is whole, folding the tables again mends it.
pub(super) fn pages_difference(db: &Connection) -> StoreResult<Option<String>> {
    let found: String = db
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .doing("checking the pages of the database")?;
    Ok((found != "ok").then_some(found))
}

pub(super) fn scan_table(db: &Connection, table: &Table) -> StoreResult<Rows> {
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

/// Holds every stored file that the tables name to its hash.
pub(super) fn check_files(db: &Connection, tables: &[&Table], blobs: &Blobs) -> StoreResult<Files> {
    let doing = "reading which files are stored";
    let mut named = BTreeSet::new();
    for table in tables {
        for column in table.files() {
            let sql = format!("SELECT {column} FROM {}", table.name);
            let mut statement = db.prepare(&sql).doing(doing)?;
            let mut rows = statement.query([]).doing(doing)?;
            while let Some(row) = rows.next().doing(doing)? {
                named.insert(row.get::<_, String>(0).doing(doing)?);
            }
        }
    }
    let mut files = Files::default();
    for sha256 in named {
        files.checked += 1;
        files.faults.extend(blobs.fault(&sha256)?);
    }
    Ok(files)
}

/// What the schema holds that it must not, or lacks.
pub(super) fn schema_difference(
    db: &Connection,
    projection: &Projection,
) -> StoreResult<Option<String>> {
    let doing = "reading the schema";
    let fresh = Connection::open_in_memory().doing(doing)?;
    fresh.execute_batch(&projection.ddl()).doing(doing)?;
    let objects =
        |db: &Connection| -> rusqlite::Result<BTreeMap<(String, String), Option<String>>> {
            db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT IN ('sqlite_stat1','sqlite_stat4','sqlite_sequence')")?
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
    let foreign = live.iter().find(|(object, sql)| {
        !wanted.contains_key(object) && !sql.as_deref().is_some_and(is_replication)
    });
    Ok(
        foreign
            .map(|(object, _)| format!("a {} that is not part of the books was added", object.0)),
    )
}

/// The first row that is in one of the two but not in the other.
pub(super) fn first_difference(replayed: &memory::Rows, live: &Rows) -> Option<String> {
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
