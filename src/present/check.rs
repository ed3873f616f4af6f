//! The adding of sums and the check that re-adds them before a sheet leaves. It repairs nothing.

use std::collections::HashSet;

use crate::model::Refusal;
use crate::present::{Cell, ColKind, Row, RowKind, Sheet, Sign, Table, Term};

/// Names that machine formats give a row's own facts, so that no column may have them.
const ROW_KEYS: [&str; 5] = ["row", "kind", "level", "account_code", "caption"];

pub(super) fn unsound(why: String) -> Refusal {
    Refusal::new(
        "sheet_unsound",
        format!("the sheet does not hold together: {why}"),
    )
}

/// The sum of the terms' amounts in one column; `None` when no term has an amount there.
pub(super) fn sum_of(rows: &[Row], column: usize, terms: &[Term]) -> Result<Option<i64>, Refusal> {
    let mut total: Option<i128> = None;
    for term in terms {
        let Some(row) = rows.get(term.row.index()) else {
            return Err(unsound(format!("a sum names row {}", term.row.index())));
        };
        let Some(minor) = row.cells.get(column).and_then(Cell::minor) else {
            continue;
        };
        let signed = match term.sign {
            Sign::Plus => i128::from(minor),
            Sign::Minus => -i128::from(minor),
        };
        // A sum of 64-bit amounts cannot overflow 128 bits with fewer than 2^63 terms.
        total = Some(total.unwrap_or(0) + signed);
    }
    total.map(i64::try_from).transpose().map_err(|_| {
        Refusal::new(
            "amount_too_large",
            format!("the sum of {} rows does not fit 64 bits", terms.len()),
        )
    })
}

impl Sheet {
    /// Re-adds every sum and looks at every row's shape, before the sheet is handed on.
    ///
    /// Refuses (`sheet_unsound`): a row without one cell a column, a sum that differs from its terms or names a row that
    /// does not stand above it, a sum in another row or column than sums belong in, a bare amount where a sum belongs,
    /// a caption on anything but a heading, and columns that programs could not tell apart.
    pub fn check(&self) -> Result<(), Refusal> {
        for table in &self.tables {
            self.check_keys(table)?;
            for place in 0..table.rows.len() {
                check_row(table, place)?;
            }
        }
        Ok(())
    }

    fn check_keys(&self, table: &Table) -> Result<(), Refusal> {
        let mut seen = HashSet::new();
        let reserved: &[&str] = if self.names_rows(table) {
            &ROW_KEYS
        } else {
            &[]
        };
        for (index, column) in table.columns.iter().enumerate() {
            let key = column.key.as_str();
            if reserved.contains(&key) || !seen.insert(key) {
                return Err(unsound(format!("the key of column {index} is taken")));
            }
        }
        Ok(())
    }
}

fn check_row(table: &Table, place: usize) -> Result<(), Refusal> {
    let row = &table.rows[place];
    let (found, wanted) = (row.cells.len(), table.columns.len());
    if found != wanted {
        return Err(unsound(format!(
            "row {place} has {found} cells under {wanted} columns"
        )));
    }
    let bare = matches!(row.kind, RowKind::Heading | RowKind::Blank);
    if bare && row.cells.iter().any(|cell| *cell != Cell::Empty) {
        return Err(unsound(format!(
            "row {place} has values beside its caption"
        )));
    }
    if row.caption.is_some() != (row.kind == RowKind::Heading) {
        return Err(unsound(format!("row {place} and its caption disagree")));
    }
    for (index, (cell, column)) in row.cells.iter().zip(&table.columns).enumerate() {
        let takes_sum = row.kind.is_sum() && column.kind == ColKind::Money;
        match cell {
            Cell::Sum(sum) if takes_sum => {
                if sum.terms().iter().any(|term| term.row.index() >= place) {
                    return Err(unsound(format!("row {place} adds a row below it")));
                }
                let total = sum_of(&table.rows, index, sum.terms())?;
                if total != Some(sum.minor()) {
                    return Err(unsound(format!("row {place} is not the sum of its terms")));
                }
            }
            Cell::Sum(_) => return Err(unsound(format!("row {place} has a sum out of place"))),
            Cell::Money(_) if takes_sum => {
                return Err(unsound(format!(
                    "row {place} has an amount that adds nothing"
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::sample::balance_sheet;
    use crate::present::{Column, RowId};

    fn tampered(change: impl FnOnce(&mut Table)) -> Result<(), &'static str> {
        let mut sheet = balance_sheet();
        change(&mut sheet.tables[0]);
        sheet.check().map_err(|refusal| refusal.code)
    }

    fn last_sum(table: &mut Table) -> &mut Cell {
        let row = table.rows.last_mut().expect("the sample has rows");
        row.cells.last_mut().expect("the sample has columns")
    }

    /// What the builder made passes.
    #[test]
    fn sound() {
        assert_eq!(tampered(|_| {}), Ok(()));
    }

    /// A table in which anything was changed behind the builder's back does not pass.
    #[test]
    fn tampering() {
        let bad = Err("sheet_unsound");
        let amount = |table: &mut Table| table.rows[1].cells[1] = Cell::Money(1);
        assert_eq!(tampered(amount), bad);
        assert_eq!(tampered(|t| *last_sum(t) = Cell::Money(0)), bad);
        let raised = |t: &mut Table| {
            if let Cell::Sum(sum) = last_sum(t) {
                sum.minor += 1;
            }
        };
        assert_eq!(tampered(raised), bad);
        let circular = |t: &mut Table| {
            let own = RowId(t.rows.len() - 1);
            if let Cell::Sum(sum) = last_sum(t) {
                sum.terms = vec![Term::plus(own)];
            }
        };
        assert_eq!(tampered(circular), bad);
        assert_eq!(tampered(|t| t.rows[1].kind = RowKind::Total), bad);
        assert_eq!(tampered(|t| t.rows[0].caption = None), bad);
        assert_eq!(tampered(|t| t.rows[1].cells.truncate(1)), bad);
        let moved = |t: &mut Table| t.rows[1].cells[1] = last_sum(t).clone();
        assert_eq!(tampered(moved), bad);
    }

    /// Columns that would overwrite each other, or a row's own facts, do not pass.
    #[test]
    fn keys() {
        let bad = Err("sheet_unsound");
        assert_eq!(tampered(|t| t.columns[1].key = "account".to_owned()), bad);
        assert_eq!(
            tampered(|t| t.columns[1] = Column::new("level", "", ColKind::Money)),
            bad
        );
    }
}
