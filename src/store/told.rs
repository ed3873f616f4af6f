//! Holding a few rows to the events that tell of them, before a change builds on them: what stands in a table could have been
//! changed by another program since the last full verification. Mends nothing.

use rusqlite::{Connection, types::ValueRef};

use super::{
    Writing, chain,
    fault::{Doing, StoreResult},
    fold::Fold,
    journal,
    memory::{Memory, encode},
    table::{Table, Val},
};

/// A row's key and the rest of it, encoded.
type Row = (Vec<u8>, Vec<u8>);

impl Writing<'_> {
    /// The first difference between the rows whose keys begin with these ids and what the events make of them; `None` when there
    /// is none. `events` are all that tell of those rows, in any order; each must still have its hash.
    ///
    /// Events of this very change are not in the journal yet, and their rows cannot have been changed by anyone: where there is
    /// one of them, nothing is compared.
    pub fn told_otherwise(
        &self,
        events: &[i64],
        rows: &[(&'static Table, i64)],
    ) -> StoreResult<Option<String>> {
        let mut events = events.to_vec();
        events.sort_unstable();
        events.dedup();
        if events.last().is_some_and(|last| *last > self.start().seq) {
            return Ok(None);
        }
        let mut memory = Memory::default();
        for seq in events {
            if let Err(why) = self.replay(seq, &mut memory)? {
                return Ok(Some(format!("event {seq}: {why}")));
            }
        }
        for (table, id) in rows {
            let mut prefix = Vec::new();
            encode(Val::Int(*id), &mut prefix);
            let told = memory.take(table);
            let told = told
                .iter()
                .filter(|(key, _)| key.starts_with(&prefix))
                .map(|(key, rest)| (key.to_vec(), rest.to_vec()));
            if !told.eq(live(self.db(), table, *id)?) {
                return Ok(Some(format!(
                    "{} {id} differs from the journal",
                    table.name
                )));
            }
        }
        Ok(None)
    }

    /// Folds one event, of which only some of the rows are looked at.
    fn replay(&self, seq: i64, memory: &mut Memory) -> StoreResult<Result<(), String>> {
        let Some((body, hash)) = journal::stored(self.db(), seq)? else {
            return Ok(Err("it is not there".to_owned()));
        };
        Ok(chain::hashed((seq, &body, &hash))
            .and_then(|_| chain::read(&body))
            .and_then(|line| {
                (self.projection().fold)(&line, &mut Fold::part(memory)).map_err(|e| e.to_string())
            }))
    }
}

/// The rows whose key begins with this id, as they lie.
fn live(db: &Connection, table: &Table, id: i64) -> StoreResult<Vec<Row>> {
    let doing = "reading the tables";
    let sql = format!(
        "SELECT * FROM {} WHERE {} ORDER BY {}",
        table.name,
        table.where_key(1),
        table.key_names()
    );
    let mut statement = db.prepare_cached(&sql).doing(doing)?;
    let mut rows = statement.query([id]).doing(doing)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().doing(doing)? {
        let (mut key, mut rest) = (Vec::new(), Vec::new());
        for column in 0..table.columns.len() {
            let value = match row.get_ref(column).doing(doing)? {
                ValueRef::Integer(n) => Val::Int(n),
                ValueRef::Text(text) => {
                    std::str::from_utf8(text).map_or(Val::Text("(not UTF-8)"), Val::Text)
                }
                _ => Val::Null,
            };
            let part = if column < table.key {
                &mut key
            } else {
                &mut rest
            };
            encode(value, part);
        }
        found.push((key, rest));
    }
    Ok(found)
}
