//! The builder of tables: the only place where a sum is made. It knows no account and no report.

use crate::model::Refusal;
use crate::present::check::{sum_of, unsound};
use crate::present::{Cell, ColKind, Column, Row, RowId, RowKind, Sum, Table, Term};

/// The text of a heading or a sum, and how far it is indented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    text: String,
    depth: u8,
}

impl Label {
    /// `text`, indented by `depth` steps.
    pub fn at(depth: u8, text: impl Into<String>) -> Label {
        Label {
            text: text.into(),
            depth,
        }
    }
}

impl From<&str> for Label {
    fn from(text: &str) -> Label {
        Label::at(0, text)
    }
}

impl From<String> for Label {
    fn from(text: String) -> Label {
        Label::at(0, text)
    }
}

/// Builds a table row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct TableBuilder {
    table: Table,
}

impl TableBuilder {
    /// A table with these columns and no rows.
    pub fn new(columns: Vec<Column>) -> TableBuilder {
        TableBuilder {
            table: Table {
                title: None,
                columns,
                rows: Vec::new(),
            },
        }
    }

    /// Gives the table a heading of its own.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> TableBuilder {
        self.table.title = Some(title.into());
        self
    }

    /// Adds a caption that runs across the table.
    pub fn heading(&mut self, label: impl Into<Label>) -> RowId {
        let label = label.into();
        let mut row = self.empty_row(RowKind::Heading, label.depth);
        row.caption = Some(label.text);
        self.push(row)
    }

    /// Adds the caption of an account's section, which stands again on every page that the section reaches.
    pub fn section(&mut self, label: impl Into<Label>, account_code: &str) -> RowId {
        let id = self.heading(label);
        let row = &mut self.table.rows[id.index()];
        row.repeat = true;
        row.account = Some(account_code.to_owned());
        id
    }

    /// Adds a row of values, one a column.
    ///
    /// Refuses: another number of cells than the table has columns.
    pub fn line(&mut self, depth: u8, cells: Vec<Cell>) -> Result<RowId, Refusal> {
        let (found, wanted) = (cells.len(), self.table.columns.len());
        if found != wanted {
            return Err(unsound(format!(
                "a row of {found} cells under {wanted} columns"
            )));
        }
        let mut row = self.empty_row(RowKind::Line, depth);
        row.cells = cells;
        Ok(self.push(row))
    }

    /// Adds the row that stands where a section has no rows: words and zeros for people, nothing for programs.
    ///
    /// Refuses: another number of cells than the table has columns.
    pub fn nothing(&mut self, cells: Vec<Cell>) -> Result<RowId, Refusal> {
        let row = self.line(1, cells)?;
        self.table.rows[row.0].kind = RowKind::Nothing;
        Ok(row)
    }

    /// Adds a row of values about an account.
    ///
    /// Refuses: another number of cells than the table has columns.
    pub fn account_line(
        &mut self,
        depth: u8,
        code: &str,
        cells: Vec<Cell>,
    ) -> Result<RowId, Refusal> {
        let id = self.line(depth, cells)?;
        self.table.rows[id.index()].account = Some(code.to_owned());
        Ok(id)
    }

    /// Adds an empty row.
    pub fn blank(&mut self) {
        let row = self.empty_row(RowKind::Blank, 0);
        self.push(row);
    }

    /// Adds a row whose amounts are the sums of the rows that `terms` name, one in each [`ColKind::Money`] column in which
    /// any of them has an amount.
    ///
    /// Units: minor units. Rounding: none.
    /// Refuses: a kind that is no sum (`sheet_unsound`), and sums beyond 64 bits (`amount_too_large`).
    pub fn sum(
        &mut self,
        kind: RowKind,
        label: impl Into<Label>,
        terms: Vec<Term>,
    ) -> Result<RowId, Refusal> {
        if !kind.is_sum() {
            return Err(unsound(format!("a {} row is no sum", kind.name())));
        }
        let label = label.into();
        let mut row = self.empty_row(kind, label.depth);
        for (index, column) in self.table.columns.iter().enumerate() {
            if column.kind != ColKind::Money {
                continue;
            }
            if let Some(minor) = sum_of(&self.table.rows, index, &terms)? {
                let terms = terms.clone();
                row.cells[index] = Cell::Sum(Sum { minor, terms });
            }
        }
        let at = self.table.caption_column();
        match row.cells.get_mut(at) {
            Some(cell @ Cell::Empty) => *cell = Cell::Text(label.text),
            _ => return Err(unsound("a sum needs a column for its label".to_owned())),
        }
        Ok(self.push(row))
    }

    /// Fills a cell that a sum row leaves empty: a running balance, a change in percent.
    ///
    /// Refuses: a row or column that the table does not have, and a cell that is not empty.
    pub fn fill(&mut self, row: RowId, column_key: &str, cell: Cell) -> Result<(), Refusal> {
        let column = self.table.columns.iter().position(|c| c.key == column_key);
        let row = self.table.rows.get_mut(row.index());
        let place = row.zip(column).and_then(|(row, at)| row.cells.get_mut(at));
        match place {
            Some(place @ Cell::Empty) => *place = cell,
            Some(_) => return Err(unsound(format!("the cell {column_key} is taken"))),
            None => return Err(unsound(format!("there is no cell {column_key}"))),
        }
        Ok(())
    }

    /// The amount in minor units that a row has in a column, if it has one.
    pub fn minor(&self, row: RowId, column_key: &str) -> Option<i64> {
        let column = self
            .table
            .columns
            .iter()
            .position(|c| c.key == column_key)?;
        self.table.rows.get(row.index())?.cells.get(column)?.minor()
    }

    /// The finished table.
    pub fn finish(self) -> Table {
        self.table
    }

    fn empty_row(&self, kind: RowKind, depth: u8) -> Row {
        Row {
            kind,
            depth,
            caption: None,
            cells: vec![Cell::Empty; self.table.columns.len()],
            account: None,
            repeat: false,
        }
    }

    fn push(&mut self, row: Row) -> RowId {
        self.table.rows.push(row);
        RowId(self.table.rows.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Cell {
        Cell::Text(words.to_owned())
    }

    fn ledger() -> TableBuilder {
        TableBuilder::new(vec![
            Column::new("date", "Date", ColKind::Date),
            Column::new("description", "Description", ColKind::Text { weight: 1 }),
            Column::new("debit", "Debit", ColKind::Money),
            Column::new("credit", "Credit", ColKind::Money),
            Column::new("balance", "Balance", ColKind::Balance),
        ])
    }

    fn posting(table: &mut TableBuilder, debit: Cell, balance_minor: i64) -> RowId {
        let cells = vec![
            Cell::Empty,
            text("x"),
            debit,
            Cell::Empty,
            Cell::Money(balance_minor),
        ];
        table.line(0, cells).expect("five cells under five columns")
    }

    /// A ledger's total adds each money column by itself, leaves the running balance alone, and puts no label among dates.
    #[test]
    fn sums_per_column() {
        let mut table = ledger();
        let rows = [
            posting(&mut table, Cell::Money(1_000), 1_000),
            posting(&mut table, Cell::Money(500), 1_500),
        ];
        let terms = vec![Term::plus(rows[0]), Term::minus(rows[1])];
        let total = table
            .sum(RowKind::Subtotal, Label::at(1, "Total"), terms.clone())
            .expect("a small sum");
        table
            .fill(total, "balance", Cell::Money(1_500))
            .expect("the balance is empty");
        assert_eq!(table.minor(total, "debit"), Some(500));
        let again = table
            .fill(total, "debit", Cell::Money(0))
            .map_err(|r| r.code);
        assert_eq!(again, Err("sheet_unsound"));
        let sum = Cell::Sum(Sum { minor: 500, terms });
        assert_eq!(
            table.finish().rows[2].cells,
            [
                Cell::Empty,
                text("Total"),
                sum,
                Cell::Empty,
                Cell::Money(1_500)
            ]
        );
    }

    /// A sum beyond 64 bits is refused, not wrapped; terms that cancel out on the way are not beyond them.
    #[test]
    fn overflow() {
        let mut table = ledger();
        let rows = [i64::MAX, 1, i64::MIN].map(|m| posting(&mut table, Cell::Money(m), 0));
        let mut sum = |terms| table.sum(RowKind::Total, "T", terms).map_err(|r| r.code);
        assert_eq!(sum(Term::plus_all(&rows[..2])), Err("amount_too_large"));
        assert_eq!(sum(vec![Term::minus(rows[2])]), Err("amount_too_large"));
        assert_eq!(sum(Term::plus_all(&rows)), Ok(RowId(3)));
        assert_eq!(table.minor(RowId(3), "debit"), Some(0));
    }

    /// What cannot be a row of the table is refused.
    #[test]
    fn refusals() {
        let mut table = ledger();
        let code = |r: Refusal| r.code;
        assert_eq!(
            table.line(0, vec![Cell::Empty]).map_err(code),
            Err("sheet_unsound")
        );
        let unknown = vec![Term::plus(RowId(9))];
        assert_eq!(
            table.sum(RowKind::Line, "T", vec![]).map_err(code),
            Err("sheet_unsound")
        );
        assert_eq!(
            table.sum(RowKind::Total, "T", unknown).map_err(code),
            Err("sheet_unsound")
        );
        assert_eq!(
            table.fill(RowId(0), "debit", Cell::Empty).map_err(code),
            Err("sheet_unsound")
        );
    }
}
