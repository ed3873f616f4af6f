//! Statements and reconciliations as pages for people.

use super::{
    ops::run::Reconciled,
    views::{ReconciliationView, StatementLine, StatementView},
};
use crate::{
    domains::entry::cell,
    engine::{Extent, Page, Result},
    present::{Cell, ColKind, Column, Field, Sheet, Table, TableBuilder},
};

fn text(key: &'static str, title: &'static str, weight: u16) -> Column {
    Column::new(key, title, ColKind::Text { weight })
}

fn field(label: &str, cell: Cell) -> Field {
    Field {
        label: label.to_owned(),
        cell,
    }
}

/// The page of an account beside its statement.
pub fn reconciled(output: &Reconciled, page: &Page) -> Result<Sheet> {
    let (code, date) = (&output.account_code, output.statement_date);
    let became = match (page.preview, output.reconciliation) {
        (true, _) => "preview: nothing has changed".to_owned(),
        (false, Some(id)) => format!("reconciliation {id}"),
        (false, None) => "not reconciled".to_owned(),
    };
    let title = format!("{code} {} through {date} · {became}", output.account_name);
    let mut sheet = Sheet::new("reconciliation", title, page.currency);
    let labels = [
        "Book balance",
        "Cleared balance",
        "Statement balance",
        "Difference",
    ];
    for (label, minor) in labels.into_iter().zip(output.minor) {
        sheet.fields.push(field(label, Cell::Money(minor)));
    }
    for problem in &output.problems {
        let problem = Cell::Text(problem.message.clone());
        sheet.fields.push(field("Problem", problem));
    }
    let (open, fresh) = (output.uncleared_count, output.cleared_count);
    let open = format!("Not cleared: {open} lines");
    sheet.tables.push(lines(open, &output.uncleared_lines)?);
    let fresh = format!("Cleared, and not reconciled before: {fresh} lines");
    sheet.tables.push(lines(fresh, &output.cleared_lines)?);
    Ok(sheet)
}

fn lines(title: String, lines: &[StatementLine]) -> Result<Table> {
    let mut table = TableBuilder::new(vec![
        text("entry_id", "Entry", 1),
        text("line_index", "#", 1),
        Column::new("date", "Date", ColKind::Date),
        text("description", "Description", 5),
        Column::new("debit", "Debit", ColKind::Money),
        Column::new("credit", "Credit", ColKind::Money),
    ])
    .title(title);
    for line in lines {
        let [debit, credit, _] = line.moves.cells()?;
        table.line(
            0,
            vec![
                Cell::Text(line.entry_id.to_string()),
                Cell::Text(line.line_index.to_string()),
                Cell::Date(line.date),
                Cell::Text(line.description.clone()),
                debit,
                credit,
            ],
        )?;
    }
    Ok(table.finish())
}

/// The page of statements.
pub fn statements(list: &[StatementView], extent: &Extent, page: &Page) -> Result<Sheet> {
    let title = format!("Statements: {}", extent.total);
    let mut sheet = Sheet::new("statements", title, page.currency);
    let mut table = TableBuilder::new(vec![
        text("attachment_id", "File", 1),
        text("file_name", "Name", 3),
        text("account_code", "Account", 1),
        Column::new("period_start", "From", ColKind::Date),
        Column::new("period_end", "Through", ColKind::Date),
        Column::new("opening_balance", "Opening", ColKind::Balance),
        Column::new("closing_balance", "Closing", ColKind::Balance),
        text("reconciliation_id", "Reconciled", 1),
    ]);
    for one in list {
        let used = one
            .reconciliation_id
            .map_or(Cell::Empty, |id| Cell::Text(id.to_string()));
        table.line(
            0,
            vec![
                Cell::Text(one.attachment_id.to_string()),
                Cell::Text(one.file_name.clone()),
                Cell::Text(one.account_code.clone()),
                Cell::Date(one.period_start),
                Cell::Date(one.period_end),
                cell(one.opening_balance)?,
                cell(one.closing_balance)?,
                used,
            ],
        )?;
    }
    sheet.tables.push(table.finish());
    sheet.notes.extend(extent.note(list.len(), "statements"));
    Ok(sheet)
}

/// The page of reconciliations.
pub fn reconciliations(list: &[ReconciliationView], extent: &Extent, page: &Page) -> Result<Sheet> {
    let title = format!("Reconciliations: {}", extent.total);
    let mut sheet = Sheet::new("reconciliations", title, page.currency);
    let mut table = TableBuilder::new(vec![
        text("reconciliation_id", "Id", 1),
        text("account_code", "Account", 1),
        Column::new("statement_date", "Through", ColKind::Date),
        Column::new("statement_balance", "Balance", ColKind::Balance),
        text("statement_attachment", "Statement", 1),
        text("cleared_count", "Lines", 1),
        text("voided_reason", "Voided", 4),
    ]);
    for one in list {
        let voided = one.voided_reason.clone().map_or(Cell::Empty, Cell::Text);
        table.line(
            0,
            vec![
                Cell::Text(one.reconciliation_id.to_string()),
                Cell::Text(one.account_code.clone()),
                Cell::Date(one.statement_date),
                cell(one.statement_balance)?,
                Cell::Text(one.statement_attachment.to_string()),
                Cell::Text(one.cleared_count.to_string()),
                voided,
            ],
        )?;
    }
    sheet.tables.push(table.finish());
    sheet
        .notes
        .extend(extent.note(list.len(), "reconciliations"));
    Ok(sheet)
}
