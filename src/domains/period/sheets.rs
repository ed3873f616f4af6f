//! Periods as pages for people.

use super::views::PeriodView;
use crate::{
    engine::{Page, Result},
    present::{Cell, ColKind, Column, Sheet, TableBuilder},
};

/// A list of periods.
pub fn list(title: String, periods: &[PeriodView], page: &Page) -> Result<Sheet> {
    let mut sheet = Sheet::new("periods", title, page.currency);
    let text = |key, title, weight| Column::new(key, title, ColKind::Text { weight });
    let mut table = TableBuilder::new(vec![
        text("id", "#", 1),
        Column::new("name", "Name", ColKind::Label { weight: 3 }),
        text("start", "From", 2),
        text("end", "Through", 2),
        text("status", "Status", 1),
        text("closing_entry", "Closed by", 2),
    ]);
    for period in periods {
        let closed = period.closing_entry.map(|id| format!("entry {id}"));
        table.line(
            0,
            vec![
                Cell::Text(period.id.to_string()),
                Cell::Text(period.name.clone()),
                Cell::Text(period.start.to_string()),
                Cell::Text(period.end.to_string()),
                Cell::Text(period.status.word().to_owned()),
                closed.map_or(Cell::Empty, Cell::Text),
            ],
        )?;
    }
    sheet.tables.push(table.finish());
    Ok(sheet)
}
