//! The sink that folds write to. The same fold fills the live tables and, to verify, tables in memory.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params_from_iter, types::ToSqlOutput};

use super::{
    memory::Memory,
    table::{Holds, Table, Val},
};

/// Why an event cannot be folded: it does not fit what came before, so the journal or the tables are damaged.
#[derive(thiserror::Error, Debug)]
pub enum FoldError {
    /// The row to change is not there, or the row to add is.
    #[error("table {table}: {what}")]
    Misfit {
        /// The table.
        table: &'static str,
        /// What does not fit.
        what: String,
    },
    /// The event's data is not what its type and version promise.
    #[error("{kind} v{v}: {why}")]
    Unreadable {
        /// The event's type.
        kind: String,
        /// Its version.
        v: u32,
        /// What the reader said.
        why: String,
    },
    /// SQLite refused.
    #[error("table {table}: {source}")]
    Sql {
        /// The table.
        table: &'static str,
        /// SQLite's word.
        source: rusqlite::Error,
    },
}

/// What a fold gives.
pub type FoldResult<T = ()> = Result<T, FoldError>;

/// Where folded rows go.
pub struct Fold<'a>(Backend<'a>);

enum Backend<'a> {
    /// The tables; whether references are looked up here, because SQLite does not.
    Live(&'a Connection, bool),
    Memory(&'a mut Memory),
}

impl rusqlite::ToSql for Val<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Val::Null => ToSqlOutput::Owned(rusqlite::types::Value::Null),
            Val::Int(n) => ToSqlOutput::Owned(rusqlite::types::Value::Integer(*n)),
            Val::Text(s) => ToSqlOutput::Borrowed(rusqlite::types::ValueRef::Text(s.as_bytes())),
        })
    }
}

impl<'a> Fold<'a> {
    /// The tables of a connection that holds references itself.
    pub(super) fn live(db: &'a Connection) -> Fold<'a> {
        Fold(Backend::Live(db, false))
    }
    /// The tables of a connection that does not hold references: they are looked up here, so that the event is named that
    /// refers to nothing.
    pub(super) fn replay(db: &'a Connection) -> Fold<'a> {
        Fold(Backend::Live(db, true))
    }
    pub(super) fn memory(memory: &'a mut Memory) -> Fold<'a> {
        Fold(Backend::Memory(memory))
    }

    /// Adds a row; one with its key must not be there.
    pub fn insert(&mut self, table: &'static Table, row: &[Val<'_>]) -> FoldResult {
        must_hold(table, Holds::Rows)?;
        if row.len() != table.columns.len() {
            return Err(misfit(table, format!("a row of {} columns", row.len())));
        }
        no_nul(table, row.iter())?;
        if let Some((at, _)) = table.tree() {
            self.tree_holds(table, row[0], row[at])?;
        }
        self.references_hold(table, |at, _| row.get(at).copied())?;
        match &mut self.0 {
            Backend::Live(db, _) => execute(db, table, &table.insert_sql(), row).map(|_| ()),
            Backend::Memory(memory) => memory.insert(table, row),
        }
    }

    /// Adds a row unless one with its key is there: the first of several facts about one thing stays.
    pub fn insert_first(&mut self, table: &'static Table, row: &[Val<'_>]) -> FoldResult {
        must_hold(table, Holds::Rows)?;
        if row.len() != table.columns.len() {
            return Err(misfit(table, format!("a row of {} columns", row.len())));
        }
        no_nul(table, row.iter())?;
        self.references_hold(table, |at, _| row.get(at).copied())?;
        match &mut self.0 {
            Backend::Live(db, _) => {
                let sql = format!("{} ON CONFLICT DO NOTHING", table.insert_sql());
                execute(db, table, &sql, row).map(|_| ())
            }
            Backend::Memory(memory) => memory.insert_first(table, row),
        }
    }

    /// Changes columns of the row with this key, which must be there.
    pub fn set(
        &mut self,
        table: &'static Table,
        key: &[Val<'_>],
        changes: &[(&'static str, Val<'_>)],
    ) -> FoldResult {
        self.set_from(table, key, &[], changes)
    }

    /// Changes columns of the row with this key, which must be there and stand as `from` says: an event that cannot follow
    /// what came before breaks the journal, and does not pass as a change.
    pub fn set_from(
        &mut self,
        table: &'static Table,
        key: &[Val<'_>],
        from: &[(&'static str, Val<'_>)],
        changes: &[(&'static str, Val<'_>)],
    ) -> FoldResult {
        must_hold(table, Holds::Rows)?;
        no_nul(table, changes.iter().map(|(_, value)| value))?;
        if let Some((_, parent)) = table.tree()
            && let Some((_, now)) = changes.iter().find(|(name, _)| *name == parent)
            && let Some(id) = key.first()
        {
            self.tree_holds(table, *id, *now)?;
        }
        let changed = |name| changes.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        self.references_hold(table, |_, name| changed(name))?;
        match &mut self.0 {
            Backend::Live(db, _) => {
                let names: Vec<String> = changes
                    .iter()
                    .map(|(name, _)| format!("{name}=?"))
                    .collect();
                let held: String = from
                    .iter()
                    .map(|(name, _)| format!(" AND {name} IS ?"))
                    .collect();
                let sql = format!(
                    "UPDATE {} SET {} WHERE {}{held}",
                    table.name,
                    names.join(","),
                    table.where_key(table.key)
                );
                let values: Vec<Val<'_>> = changes
                    .iter()
                    .map(|(_, value)| *value)
                    .chain(key.iter().copied())
                    .chain(from.iter().map(|(_, value)| *value))
                    .collect();
                match execute(db, table, &sql, &values)? {
                    1 => Ok(()),
                    _ => Err(no_row(table, key, from)),
                }
            }
            Backend::Memory(memory) => memory.set(table, key, from, changes),
        }
    }

    /// Refuses to put row `id` under `parent` when that is not there, or stands under `id` itself.
    fn tree_holds(&mut self, table: &'static Table, id: Val<'_>, parent: Val<'_>) -> FoldResult {
        let (Val::Int(id), Val::Int(parent)) = (id, parent) else {
            return Ok(());
        };
        let (mut at, mut seen) = (parent, BTreeSet::from([id]));
        while seen.insert(at) {
            match self.parent_of(table, at)? {
                None => {
                    return Err(misfit(
                        table,
                        format!("row {id} under {at}, which is not there"),
                    ));
                }
                Some(None) => return Ok(()),
                Some(Some(above)) => at = above,
            }
        }
        Err(misfit(table, format!("row {id} would stand under itself")))
    }

    /// Refuses values that are the key of no row where they must be. SQLite itself looks while it holds references.
    fn references_hold<'v>(
        &mut self,
        table: &'static Table,
        value: impl Fn(usize, &'static str) -> Option<Val<'v>>,
    ) -> FoldResult {
        if matches!(self.0, Backend::Live(_, false)) {
            return Ok(());
        }
        let (_, parent) = table.tree().unzip();
        for (at, name, other) in table.references() {
            let key = match value(at, name) {
                // The tree of a table's own rows is held before.
                None | Some(Val::Null) => continue,
                Some(_) if parent == Some(name) => continue,
                Some(key) => key,
            };
            let found = match &mut self.0 {
                Backend::Memory(memory) => memory.has(other, key),
                Backend::Live(db, _) => {
                    let sql_error = |source| FoldError::Sql {
                        table: table.name,
                        source,
                    };
                    // The key of a table that others refer to is its first column, a whole number.
                    let sql = format!("SELECT 1 FROM {other} WHERE rowid=?");
                    let mut statement = db.prepare_cached(&sql).map_err(sql_error)?;
                    statement.exists([key]).map_err(sql_error)?
                }
            };
            if !found {
                let what = format!("{name} names a row of {other} that is not there: {key:?}");
                return Err(misfit(table, what));
            }
        }
        Ok(())
    }

    /// The row under which row `id` stands, if it stands under one; `None` without a row `id`.
    fn parent_of(&mut self, table: &'static Table, id: i64) -> FoldResult<Option<Option<i64>>> {
        let Some((at, name)) = table.tree() else {
            return Ok(None);
        };
        let key = [Val::Int(id)];
        let db = match &mut self.0 {
            Backend::Memory(memory) => {
                return memory.number(table, &key, at);
            }
            Backend::Live(db, _) => *db,
        };
        let sql = format!(
            "SELECT {name} FROM {} WHERE {}",
            table.name,
            table.where_key(1)
        );
        db.prepare_cached(&sql)
            .and_then(|mut s| {
                s.query_row(params_from_iter(&key), |row| row.get(0))
                    .optional()
            })
            .map_err(|source| FoldError::Sql {
                table: table.name,
                source,
            })
    }

    /// Removes every row whose key begins with `key`.
    pub fn remove(&mut self, table: &'static Table, key: &[Val<'_>]) -> FoldResult {
        must_hold(table, Holds::Rows)?;
        match &mut self.0 {
            Backend::Live(db, _) => {
                let sql = format!(
                    "DELETE FROM {} WHERE {}",
                    table.name,
                    table.where_key(key.len())
                );
                execute(db, table, &sql, key).map(|_| ())
            }
            Backend::Memory(memory) => memory.remove(table, key),
        }
    }

    /// Adds to the numbers after the key, from zero when the row is not there. Overflow is refused.
    pub fn add(&mut self, table: &'static Table, key: &[Val<'_>], amounts: &[i64]) -> FoldResult {
        must_hold(table, Holds::Sums)?;
        if key.len() != table.key || key.len() + amounts.len() != table.columns.len() {
            return Err(misfit(table, format!("{} sums to add to", amounts.len())));
        }
        self.references_hold(table, |at, _| key.get(at).copied())?;
        let db = match &mut self.0 {
            Backend::Memory(memory) => {
                return memory.add(table, key, amounts);
            }
            Backend::Live(db, _) => *db,
        };
        // Read, add in Rust, write: SQL's `a+1` turns into a float when it overflows.
        let select = format!(
            "SELECT {} FROM {} WHERE {}",
            table.columns[table.key..]
                .iter()
                .map(|c| c.name())
                .collect::<Vec<_>>()
                .join(","),
            table.name,
            table.where_key(table.key)
        );
        let sql_error = |source| FoldError::Sql {
            table: table.name,
            source,
        };
        let old: Option<Vec<i64>> = db
            .prepare_cached(&select)
            .map_err(sql_error)?
            .query_row(params_from_iter(key), |row| {
                (0..amounts.len()).map(|i| row.get(i)).collect()
            })
            .optional()
            .map_err(sql_error)?;
        let old = old.unwrap_or_else(|| vec![0; amounts.len()]);
        let sums: Vec<i64> = old
            .iter()
            .zip(amounts)
            .map(|(old, amount)| add_checked(table, *old, *amount))
            .collect::<FoldResult<_>>()?;
        let row: Vec<Val<'_>> = key
            .iter()
            .copied()
            .chain(sums.into_iter().map(Val::Int))
            .collect();
        let sql = format!(
            "INSERT OR REPLACE{}",
            table.insert_sql().trim_start_matches("INSERT")
        );
        execute(db, table, &sql, &row).map(|_| ())
    }
}

/// An old sum plus a new amount.
pub(super) fn add_checked(table: &'static Table, old: i64, amount: i64) -> FoldResult<i64> {
    old.checked_add(amount)
        .ok_or_else(|| misfit(table, "a total would overflow".to_owned()))
}

/// There is no row to change.
pub(super) fn no_row(
    table: &'static Table,
    key: &[Val<'_>],
    from: &[(&'static str, Val<'_>)],
) -> FoldError {
    misfit(table, format!("no row {key:?} {from:?} to change"))
}

fn must_hold(table: &'static Table, holds: Holds) -> FoldResult {
    if table.holds == holds {
        return Ok(());
    }
    Err(misfit(table, format!("it does not hold {holds:?}")))
}

pub(super) fn misfit(table: &'static Table, what: String) -> FoldError {
    FoldError::Misfit {
        table: table.name,
        what,
    }
}

/// NUL ends a text in the canonical order of rows, so none may stand inside one.
fn no_nul<'v>(table: &'static Table, mut values: impl Iterator<Item = &'v Val<'v>>) -> FoldResult {
    if values.any(|v| matches!(v, Val::Text(s) if s.contains('\0'))) {
        return Err(misfit(table, "a text holds NUL".to_owned()));
    }
    Ok(())
}

fn execute(
    db: &Connection,
    table: &'static Table,
    sql: &str,
    values: &[Val<'_>],
) -> FoldResult<usize> {
    db.prepare_cached(sql)
        .and_then(|mut statement| statement.execute(params_from_iter(values)))
        .map_err(|source| FoldError::Sql {
            table: table.name,
            source,
        })
}

#[cfg(test)]
mod tests;
