//! How statements are laid out: letterhead and footer, accounts nested under their headings, and the last comparison of a
//! sheet's totals with the numbers of the answer.

use super::{rules::Branch, views::Prepared};
use crate::{
    engine::{No, Page, Result},
    present::{
        Cell, ColKind, Column, Footer, Label, Letterhead, Period, RowId, RowKind, Sheet,
        TableBuilder, Term,
    },
};

/// Stands in the letterhead while the settings name no company.
const NO_NAME: &str = "(company name not set)";
/// The key of the column of amounts.
const AMOUNT: &str = "amount";

/// A statement with its letterhead, its notes and its footer, and nothing between them.
pub fn statement(
    (report, title): (&str, &str),
    period: Period,
    prepared: &Prepared,
    page: &Page,
) -> Result<Sheet> {
    let mut sheet = Sheet::new(report, title, page.currency);
    sheet.letterhead = Some(Letterhead {
        company: (prepared.company.clone()).unwrap_or_else(|| NO_NAME.to_owned()),
        period: Some(period),
    });
    sheet.footer = Some(Footer {
        basis: prepared.basis.word().to_owned(),
        prepared_on: prepared.prepared_on,
        seq: page.seq,
        head: page.head.clone(),
    });
    sheet.notes.clone_from(&prepared.notes);
    Ok(sheet)
}

/// The label of an account's row.
pub fn label(code: &str, name: &str) -> String {
    format!("{code} {name}")
}

/// A column of account labels and one of amounts.
pub struct Amounts {
    table: TableBuilder,
}

impl Amounts {
    /// No rows yet.
    pub fn new() -> Amounts {
        Amounts {
            table: TableBuilder::new(vec![
                Column::new("account", "", ColKind::Label { weight: 1 }),
                Column::new(AMOUNT, "Amount", ColKind::Money),
            ]),
        }
    }

    /// The rows below belong to a section.
    pub fn heading(&mut self, text: &str) {
        self.table.heading(text);
    }

    /// A row apart.
    pub fn blank(&mut self) {
        self.table.blank();
    }

    /// A line that is no account.
    pub fn line(&mut self, text: &str, minor: i64) -> Result<RowId> {
        let cells = vec![Cell::Text(text.to_owned()), Cell::Money(minor)];
        Ok(self.table.line(1, cells)?)
    }

    /// The accounts of a section, nested as in the chart. Gives the rows that the section's total adds up.
    pub fn accounts(&mut self, branches: &[Branch]) -> Result<Vec<RowId>> {
        self.branches(1, branches)
    }

    fn branches(&mut self, depth: u8, branches: &[Branch]) -> Result<Vec<RowId>> {
        let mut rows = Vec::new();
        for branch in branches {
            rows.extend(self.branch(depth, branch)?);
        }
        Ok(rows)
    }

    /// A group whose accounts stand in several parts of the statement has no total in any of them: its lines are given
    /// instead.
    fn branch(&mut self, depth: u8, branch: &Branch) -> Result<Vec<RowId>> {
        let text = label(&branch.code, &branch.name);
        if branch.under.is_empty() {
            return Ok(vec![self.account(depth, branch, text)?]);
        }
        self.table.section(Label::at(depth, text), &branch.code);
        let inner = depth.saturating_add(1);
        let mut rows = Vec::new();
        if branch.own_minor != 0 {
            let text = format!("{} (itself)", label(&branch.code, &branch.name));
            rows.push(self.account(inner, branch, text)?);
        }
        rows.extend(self.branches(inner, &branch.under)?);
        if branch.partial {
            return Ok(rows);
        }
        let total = Label::at(depth, format!("Total {}", branch.name));
        let terms = Term::plus_all(&rows);
        Ok(vec![self.table.sum(RowKind::Subtotal, total, terms)?])
    }

    fn account(&mut self, depth: u8, branch: &Branch, text: String) -> Result<RowId> {
        let cells = vec![Cell::Text(text), Cell::Money(branch.own_minor)];
        Ok(self.table.account_line(depth, &branch.code, cells)?)
    }

    /// A section's total. A section without rows says so, and its total is zero rather than missing.
    pub fn total(&mut self, kind: RowKind, text: &str, mut rows: Vec<RowId>) -> Result<RowId> {
        if rows.is_empty() {
            let cells = vec![Cell::Text("None".to_owned()), Cell::Money(0)];
            rows.push(self.table.nothing(cells)?);
        }
        self.sum(kind, text, Term::plus_all(&rows))
    }

    /// A sum of totals.
    pub fn sum(&mut self, kind: RowKind, text: &str, terms: Vec<Term>) -> Result<RowId> {
        Ok(self.table.sum(kind, text, terms)?)
    }

    /// Holds a row to the number that the answer gives for it.
    pub fn must_be(&self, row: RowId, what: &str, minor: i64) -> Result<()> {
        agree(what, self.table.minor(row, AMOUNT), minor)
    }

    /// The finished table on its sheet.
    pub fn onto(self, sheet: &mut Sheet) {
        sheet.tables.push(self.table.finish());
    }
}

/// A sheet's total and the answer's number are made on two ways; that they differ is our fault, and nothing is printed.
pub fn agree(what: &str, on_sheet: Option<i64>, minor: i64) -> Result<()> {
    match on_sheet {
        Some(found) if found == minor => Ok(()),
        found => Err(No::Fault(format!(
            "laying out {what}: the sheet adds up to {found:?}, the answer says {minor} minor units"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(code: &str, own_minor: i64) -> Branch {
        Branch {
            code: code.to_owned(),
            name: format!("Account {code}"),
            own_minor,
            under: Vec::new(),
            partial: false,
        }
    }

    /// A grouping account is a heading with a subtotal, and the section's total adds the subtotal, not its lines again.
    #[test]
    fn nested() {
        let mut table = Amounts::new();
        let group = Branch {
            under: vec![leaf("1510", 500), leaf("1590", -200)],
            ..leaf("1500", 7)
        };
        let rows = table
            .accounts(&[leaf("1000", 100), group])
            .expect("small amounts");
        let total = table
            .total(RowKind::StatementTotal, "Total assets", rows)
            .expect("a small sum");
        assert_eq!(table.must_be(total, "assets", 407).map_err(drop), Ok(()));
        assert!(matches!(
            table.must_be(total, "assets", 408),
            Err(No::Fault(_))
        ));
        let rows = table.table.finish().rows;
        let shape: Vec<(RowKind, u8, Option<i64>)> = rows
            .iter()
            .map(|row| (row.kind, row.depth, row.cells[1].minor()))
            .collect();
        let want = [
            (RowKind::Line, 1, Some(100)),
            (RowKind::Heading, 1, None),
            (RowKind::Line, 2, Some(7)),
            (RowKind::Line, 2, Some(500)),
            (RowKind::Line, 2, Some(-200)),
            (RowKind::Subtotal, 1, Some(307)),
            (RowKind::StatementTotal, 0, Some(407)),
        ];
        assert_eq!(shape, want);
    }

    /// A group that stands in other parts too has a heading and no total here: the section's total adds its lines.
    #[test]
    fn partial_groups() {
        let mut table = Amounts::new();
        let group = Branch {
            under: vec![leaf("6110", 5), leaf("6120", 7)],
            partial: true,
            ..leaf("6000", 0)
        };
        let rows = table.accounts(&[group]).expect("small amounts");
        assert_eq!(rows.len(), 2);
        let total = table.total(RowKind::Total, "Total expenses", rows);
        let total = total.expect("a small sum");
        assert_eq!(table.must_be(total, "expenses", 12).map_err(drop), Ok(()));
        let rows = table.table.finish().rows;
        let kinds: Vec<RowKind> = rows.iter().map(|row| row.kind).collect();
        let want = [
            RowKind::Heading,
            RowKind::Line,
            RowKind::Line,
            RowKind::Total,
        ];
        assert_eq!(kinds, want);
    }

    /// An empty section has a total of zero.
    #[test]
    fn empty() {
        let mut table = Amounts::new();
        let total = table
            .total(RowKind::Total, "Total revenue", Vec::new())
            .expect("zero");
        assert_eq!(table.must_be(total, "revenue", 0).map_err(drop), Ok(()));
    }
}
