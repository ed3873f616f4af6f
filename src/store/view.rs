//! Questions to the tables. A view cannot write: every statement it runs must be one that SQLite calls read-only.

use rusqlite::{Connection, OptionalExtension, Statement, params_from_iter};

use super::{
    fault::{StoreError, StoreResult},
    table::Val,
};

/// A row of an answer.
pub struct Row<'a>(&'a rusqlite::Row<'a>);

impl Row<'_> {
    /// A whole number.
    pub fn int(&self, column: usize) -> StoreResult<i64> {
        self.get(column)
    }
    /// A whole number or nothing.
    pub fn int_or_none(&self, column: usize) -> StoreResult<Option<i64>> {
        self.get(column)
    }
    /// A text.
    pub fn text(&self, column: usize) -> StoreResult<String> {
        self.get(column)
    }
    /// A text or nothing.
    pub fn text_or_none(&self, column: usize) -> StoreResult<Option<String>> {
        self.get(column)
    }
    /// A truth value, kept as 0 or 1.
    pub fn truth(&self, column: usize) -> StoreResult<bool> {
        self.int(column).map(|n| n != 0)
    }
    fn get<T: rusqlite::types::FromSql>(&self, column: usize) -> StoreResult<T> {
        self.0
            .get(column)
            .map_err(|e| StoreError::sql(format!("reading column {column}"), e))
    }
}

/// The tables, for reading.
#[derive(Clone, Copy)]
pub struct View<'a>(&'a Connection);

impl<'a> View<'a> {
    pub(super) fn new(db: &'a Connection) -> View<'a> {
        View(db)
    }

    fn prepare(&self, sql: &str) -> StoreResult<rusqlite::CachedStatement<'a>> {
        let statement = self
            .0
            .prepare_cached(sql)
            .map_err(|e| StoreError::sql("preparing a question", e))?;
        Self::must_only_read(&statement)?;
        Ok(statement)
    }

    fn must_only_read(statement: &Statement<'_>) -> StoreResult<()> {
        if statement.readonly() {
            Ok(())
        } else {
            Err(StoreError::Fault(
                "a question to the tables would have written to them".to_owned(),
            ))
        }
    }

    /// Every row of the answer, each turned into a value.
    pub fn rows<T>(
        &self,
        sql: &str,
        values: &[Val<'_>],
        mut each: impl FnMut(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        let mut found = Vec::new();
        self.each(sql, values, |row| {
            found.push(each(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Hands every row of the answer to `each`.
    pub fn each(
        &self,
        sql: &str,
        values: &[Val<'_>],
        mut each: impl FnMut(&Row<'_>) -> StoreResult<()>,
    ) -> StoreResult<()> {
        let mut statement = self.prepare(sql)?;
        let mut rows = statement
            .query(params_from_iter(values))
            .map_err(|e| StoreError::sql("asking the tables", e))?;
        while let Some(row) = rows
            .next()
            .map_err(|e| StoreError::sql("asking the tables", e))?
        {
            each(&Row(row))?;
        }
        Ok(())
    }

    /// The first row of the answer, if there is one.
    pub fn first<T>(
        &self,
        sql: &str,
        values: &[Val<'_>],
        each: impl FnOnce(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Option<T>> {
        let mut statement = self.prepare(sql)?;
        let found = statement
            .query_row(params_from_iter(values), |row| Ok(each(&Row(row))))
            .optional()
            .map_err(|e| StoreError::sql("asking the tables", e))?;
        found.transpose()
    }

    /// The one whole number that the answer is; sums of nothing are zero.
    pub fn number(&self, sql: &str, values: &[Val<'_>]) -> StoreResult<i64> {
        let found = self.first(sql, values, |row| row.int_or_none(0))?;
        Ok(found.flatten().unwrap_or(0))
    }

    /// The text of line `seq` of the journal.
    pub fn line(&self, seq: i64) -> StoreResult<Option<String>> {
        super::journal::body_at(self.0, seq)
    }

    /// The text of line `seq` of the journal, which must have its hash. Damaged books can still be read, so only what is built
    /// on is asked for so.
    ///
    /// Refuses, as damage: a line that does not have its hash.
    pub fn proven_line(&self, seq: i64) -> StoreResult<Option<String>> {
        let Some((body, hash)) = super::journal::stored(self.0, seq)? else {
            return Ok(None);
        };
        super::chain::hashed((seq, &body, &hash)).map_err(|why| {
            StoreError::Damaged(format!("the journal breaks at event {seq}: {why}"))
        })?;
        Ok(Some(body))
    }

    /// The events of a type, by their numbers. Reads the whole journal.
    pub fn of_kind(&self, kind: &str) -> StoreResult<Vec<i64>> {
        // Within a text of the line's the quotes would be escaped.
        let named = format!("\"type\":\"{kind}\"");
        let sql = "SELECT seq FROM event WHERE instr(body, ?) > 0 ORDER BY seq";
        self.rows(sql, &[(&named).into()], |row| row.int(0))
    }

    /// The head of the journal as the command that began at `txn` left it.
    pub fn end_of(&self, txn: i64) -> StoreResult<super::Head> {
        super::journal::end_of(self.0, txn)
    }

    /// The highest sequence number in the journal and its line's hash.
    pub fn head(&self) -> StoreResult<super::Head> {
        super::journal::head(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view refuses a statement that would write, and runs none of it.
    #[test]
    fn cannot_write() {
        let db = Connection::open_in_memory().expect("memory");
        db.execute_batch("CREATE TABLE t(a INTEGER)")
            .expect("a table");
        let view = View::new(&db);
        for sql in [
            "INSERT INTO t VALUES(1)",
            "DELETE FROM t",
            "DROP TABLE t",
            "PRAGMA user_version=7",
        ] {
            assert!(
                matches!(view.number(sql, &[]), Err(StoreError::Fault(_))),
                "{sql}"
            );
        }
        assert_eq!(view.number("SELECT count(*) FROM t", &[]).ok(), Some(0));
    }
}
