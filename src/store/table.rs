//! Tables as data: one description gives the DDL, the statements that write rows, and the rows' canonical order.

use std::fmt::Write;

/// A value in a row. Money is `Int` in minor units, days are `Int` as `YYYYMMDD`, truth is `Int` 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Val<'a> {
    /// Nothing.
    Null,
    /// A whole number.
    Int(i64),
    /// Text.
    Text(&'a str),
}

impl From<i64> for Val<'_> {
    fn from(n: i64) -> Self {
        Val::Int(n)
    }
}
impl From<bool> for Val<'_> {
    fn from(b: bool) -> Self {
        Val::Int(i64::from(b))
    }
}
impl<'a> From<&'a str> for Val<'a> {
    fn from(s: &'a str) -> Self {
        Val::Text(s)
    }
}
impl<'a> From<&'a String> for Val<'a> {
    fn from(s: &'a String) -> Self {
        Val::Text(s)
    }
}
impl<'a, T: Into<Val<'a>>> From<Option<T>> for Val<'a> {
    fn from(o: Option<T>) -> Self {
        o.map_or(Val::Null, Into::into)
    }
}

/// A column: its name and what it may hold.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    name: &'static str,
    kind: &'static str,
    references: Option<&'static str>,
    file: bool,
    parent: bool,
    unique: bool,
}

impl Column {
    /// A whole number, never null.
    pub const fn int(name: &'static str) -> Column {
        Column {
            name,
            kind: "INTEGER NOT NULL",
            references: None,
            file: false,
            parent: false,
            unique: false,
        }
    }
    /// A whole number or null.
    pub const fn int_or_null(name: &'static str) -> Column {
        Column {
            name,
            kind: "INTEGER",
            references: None,
            file: false,
            parent: false,
            unique: false,
        }
    }
    /// Text, never null.
    pub const fn text(name: &'static str) -> Column {
        Column {
            name,
            kind: "TEXT NOT NULL",
            references: None,
            file: false,
            parent: false,
            unique: false,
        }
    }
    /// Text or null.
    pub const fn text_or_null(name: &'static str) -> Column {
        Column {
            name,
            kind: "TEXT",
            references: None,
            file: false,
            parent: false,
            unique: false,
        }
    }
    /// The SHA-256 of a stored file, which verification and backup then look after.
    pub const fn file(name: &'static str) -> Column {
        let mut column = Column::text(name);
        column.file = true;
        column
    }
    /// The same column, holding the key of another table.
    pub const fn references(mut self, table: &'static str) -> Column {
        self.references = Some(table);
        self
    }
    /// The same column, holding the key of the row of its own table under which a row stands, or null. Rows make a tree: no
    /// fold may put one under itself, or under one that is not there.
    pub const fn parent(mut self) -> Column {
        self.parent = true;
        self
    }
    /// The same column, of which no two rows have the same value. An index of the table must say so too.
    pub const fn unique(mut self) -> Column {
        self.unique = true;
        self
    }
    /// The column's name.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// How the rows of a table come about. A fold that mixes the two is refused, live as in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// Inserted, changed and removed one by one.
    Rows,
    /// Sums that are only added to.
    Sums,
}

/// A table: its columns, how many of the first make its key, and its indexes as SQL.
#[derive(Debug)]
pub struct Table {
    /// The table's name.
    pub name: &'static str,
    /// The columns, key first.
    pub columns: &'static [Column],
    /// How many columns make the key.
    pub key: usize,
    /// How its rows come about.
    pub holds: Holds,
    /// `CREATE INDEX` statements.
    pub indexes: &'static [&'static str],
}

impl Table {
    /// The statements that create the table and its indexes.
    pub fn ddl(&self) -> String {
        let mut sql = format!("CREATE TABLE {}(", self.name);
        let single = self.key == 1 && self.columns[0].kind.starts_with("INTEGER");
        for column in self.columns {
            let kind = if single && column.name == self.columns[0].name {
                "INTEGER PRIMARY KEY"
            } else {
                column.kind
            };
            // Writing to a String cannot fail.
            let _ = write!(sql, "{} {kind}", column.name);
            if let Some(table) = column.references {
                let _ = write!(sql, " REFERENCES {table}");
            }
            sql.push_str(", ");
        }
        if single {
            sql.truncate(sql.len() - 2);
            sql.push_str(") STRICT;\n");
        } else {
            let _ = writeln!(
                sql,
                "PRIMARY KEY({})) STRICT, WITHOUT ROWID;",
                self.key_names()
            );
        }
        for index in self.indexes {
            let _ = writeln!(sql, "{index};");
        }
        sql
    }

    /// The key columns' names, separated by commas.
    pub fn key_names(&self) -> String {
        let names: Vec<&str> = self.columns[..self.key].iter().map(Column::name).collect();
        names.join(",")
    }

    /// The columns that name stored files.
    pub(super) fn files(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.columns.iter().filter(|c| c.file).map(|c| c.name)
    }

    /// The column that makes a tree of the rows, if one does, and its position.
    pub(super) fn tree(&self) -> Option<(usize, &'static str)> {
        let at = self.columns.iter().position(|c| c.parent)?;
        Some((at, self.columns[at].name))
    }

    /// The columns that hold keys of other rows: position, name and the table that these are in.
    pub(super) fn references(
        &self,
    ) -> impl Iterator<Item = (usize, &'static str, &'static str)> + '_ {
        let columns = self.columns.iter().enumerate();
        columns.filter_map(|(at, column)| Some((at, column.name, column.references?)))
    }

    /// The positions of the columns of which no two rows have the same value, beyond the key.
    pub(super) fn uniques(&self) -> impl Iterator<Item = usize> + '_ {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, c)| c.unique).map(|(at, _)| at)
    }

    pub(super) fn insert_sql(&self) -> String {
        format!(
            "INSERT INTO {} VALUES({})",
            self.name,
            vec!["?"; self.columns.len()].join(",")
        )
    }

    pub(super) fn select_all_sql(&self) -> String {
        format!("SELECT * FROM {} ORDER BY {}", self.name, self.key_names())
    }

    pub(super) fn where_key(&self, parts: usize) -> String {
        let tests: Vec<String> = self.columns[..parts]
            .iter()
            .map(|c| format!("{}=?", c.name))
            .collect();
        tests.join(" AND ")
    }

    /// The position of a column, which the caller wrote as a constant beside the table.
    pub(super) fn position(&self, name: &str) -> usize {
        self.columns
            .iter()
            .position(|c| c.name == name)
            .expect("a fold names a column of its own table; the fold-and-ask tests run every fold")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNT: Table = Table {
        name: "account",
        columns: &[
            Column::int("id"),
            Column::text("code"),
            Column::int_or_null("parent_id").references("account"),
        ],
        key: 1,
        holds: Holds::Rows,
        indexes: &["CREATE UNIQUE INDEX account_code ON account(code)"],
    };
    const LINE: Table = Table {
        name: "line",
        columns: &[
            Column::int("entry_id"),
            Column::int("idx"),
            Column::text_or_null("note"),
        ],
        key: 2,
        holds: Holds::Rows,
        indexes: &[],
    };

    /// One description gives the DDL of a table with a single whole-number key and of one with a longer key.
    #[test]
    fn ddl() {
        assert_eq!(
            ACCOUNT.ddl(),
            "CREATE TABLE account(id INTEGER PRIMARY KEY, code TEXT NOT NULL, parent_id INTEGER REFERENCES account) STRICT;\n\
             CREATE UNIQUE INDEX account_code ON account(code);\n"
        );
        assert_eq!(
            LINE.ddl(),
            "CREATE TABLE line(entry_id INTEGER NOT NULL, idx INTEGER NOT NULL, note TEXT, PRIMARY KEY(entry_id,idx)) STRICT, WITHOUT ROWID;\n"
        );
    }
}
