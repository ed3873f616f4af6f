//! A close as a page for people.

use super::ops::close::Closed;
use crate::{
    domains::entry,
    engine::{Page, Result},
    present::{Cell, ColKind, Column, Field, RowKind, Sheet, TableBuilder, Term},
};

/// The page of a close: the period, and the entry that closes it.
pub fn closed(output: &Closed, page: &Page) -> Result<Sheet> {
    let stands = if page.preview {
        "preview: nothing has changed".to_owned()
    } else {
        "closed".to_owned()
    };
    let title = format!("Period {} · {stands}", output.period_id);
    let mut sheet = Sheet::new("closing", title, page.currency);
    let mut field = |label: &str, cell: Cell| {
        let label = label.to_owned();
        sheet.fields.push(Field { label, cell });
    };
    field("Name", Cell::Text(output.name.clone()));
    field("From", Cell::Text(output.start.to_string()));
    field("Through", Cell::Text(output.end.to_string()));
    field("Net income (loss)", entry::cell(output.net_income)?);
    if let Some(id) = output.entry_id.filter(|_| !page.preview) {
        field("Closing entry", Cell::Text(format!("entry {id}")));
    }
    if output.lines.is_empty() {
        sheet
            .notes
            .push("No account has anything to close: there is no closing entry.".to_owned());
        return Ok(sheet);
    }
    let mut table = TableBuilder::new(vec![
        Column::new("account", "Account", ColKind::Text { weight: 2 }),
        Column::new("name", "Name", ColKind::Label { weight: 4 }),
        Column::new("debit", "Debit", ColKind::Money),
        Column::new("credit", "Credit", ColKind::Money),
    ]);
    let mut rows = Vec::with_capacity(output.lines.len());
    for line in &output.lines {
        let [debit, credit, _] = line.moves.cells()?;
        let account = Cell::Text(line.account_code.clone());
        let name = Cell::Text(line.account_name.clone());
        rows.push(table.line(0, vec![account, name, debit, credit])?);
    }
    table.sum(RowKind::Subtotal, "Total", Term::plus_all(&rows))?;
    sheet.tables.push(table.finish());
    Ok(sheet)
}
