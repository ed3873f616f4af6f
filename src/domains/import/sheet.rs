//! A bank import as a page for people: what becomes a draft, against which account and by which rule, and what was passed
//! over. It decides nothing.

use super::{
    judged::DraftShown,
    ops::bank_csv::{Imported, SkippedRow},
};
use crate::{
    domains::entry,
    engine::{Page, Result},
    present::{Cell, ColKind, Column, Field, Sheet, TableBuilder},
};

/// The most skipped rows that the page shows.
const SKIPPED_SHOWN_MAX: usize = 20;

/// The page of an import or of its preview.
pub fn bank(output: &Imported, page: &Page) -> Result<Sheet> {
    let title = if page.preview {
        "Bank import · preview: nothing has changed"
    } else {
        "Bank import"
    };
    let mut sheet = Sheet::new("bank_import", title, page.currency);
    sheet.fields = fields(output, page)?;
    if !output.drafts.is_empty() {
        let first = output.first_entry_id.filter(|_| !page.preview);
        let table = drafts(&output.drafts, first)?;
        sheet.tables.push(table.title("Drafts").finish());
        sheet
            .notes
            .extend(more(output.imported, output.drafts.len(), "draft"));
    }
    if !output.skipped_rows.is_empty() {
        let shown = output.skipped_rows.iter().take(SKIPPED_SHOWN_MAX);
        let table = skipped(shown)?;
        sheet.tables.push(table.title("Skipped").finish());
        let shown = output.skipped_rows.len().min(SKIPPED_SHOWN_MAX);
        sheet
            .notes
            .extend(more(output.skipped, shown, "skipped row"));
    }
    sheet.notes.extend(output.notes.iter().cloned());
    Ok(sheet)
}

fn fields(output: &Imported, page: &Page) -> Result<Vec<Field>> {
    let number = |count: usize| Cell::Text(count.to_string());
    let account = format!("{} {}", output.bank.code, output.bank.name);
    let mut fields = vec![
        ("Account", Cell::Text(account)),
        ("Layout", Cell::Text(output.layout.to_string())),
    ];
    if !page.preview {
        fields.extend(
            output
                .batch_id
                .map(|id| ("Batch", Cell::Text(id.to_string()))),
        );
    }
    fields.extend([
        ("Drafts", number(output.imported)),
        ("Duplicates", number(output.duplicates)),
        ("Skipped", number(output.skipped)),
    ]);
    if output.text_cleaned > 0 {
        fields.push(("Text cleaned", number(output.text_cleaned)));
    }
    fields.extend([
        ("Money in", entry::cell(output.total_in)?),
        ("Money out", entry::cell(output.total_out)?),
    ]);
    let field = |(label, cell): (&str, Cell)| Field {
        label: label.to_owned(),
        cell,
    };
    Ok(fields.into_iter().map(field).collect())
}

/// The drafts, with their numbers once these are allotted: they follow one another in file order.
fn drafts(drafts: &[DraftShown], first: Option<i64>) -> Result<TableBuilder> {
    let mut columns = vec![Column::new(
        "file_line",
        "Line",
        ColKind::Text { weight: 1 },
    )];
    if first.is_some() {
        columns.push(Column::new(
            "entry_id",
            "Entry",
            ColKind::Text { weight: 1 },
        ));
    }
    columns.extend([
        Column::new("date", "Date", ColKind::Date),
        Column::new("description", "Description", ColKind::Label { weight: 4 }),
        Column::new("amount", "Amount", ColKind::Money),
        Column::new("offset", "Other side", ColKind::Text { weight: 3 }),
        Column::new("rule", "Rule", ColKind::Text { weight: 2 }),
    ]);
    let mut table = TableBuilder::new(columns);
    for (draft, place) in drafts.iter().zip(0_i64..) {
        let mut cells = vec![Cell::Text(draft.line.to_string())];
        cells.extend(first.map(|first| Cell::Text((first + place).to_string())));
        cells.extend([
            Cell::Date(draft.date),
            Cell::Text(draft.description.clone()),
            Cell::Money(draft.amount_minor),
            Cell::Text(format!("{} {}", draft.offset.code, draft.offset.name)),
            draft.rule.clone().map_or(Cell::Empty, Cell::Text),
        ]);
        table.line(0, cells)?;
    }
    Ok(table)
}

fn skipped<'r>(rows: impl Iterator<Item = &'r SkippedRow>) -> Result<TableBuilder> {
    let mut table = TableBuilder::new(vec![
        Column::new("file_line", "Line", ColKind::Text { weight: 1 }),
        Column::new("reason", "Reason", ColKind::Text { weight: 1 }),
        Column::new("text", "Text", ColKind::Label { weight: 4 }),
    ]);
    for row in rows {
        let cells = vec![
            Cell::Text(row.line.to_string()),
            Cell::Text(row.reason.word().replace('_', " ")),
            Cell::Text(row.text.clone()),
        ];
        table.line(0, cells)?;
    }
    Ok(table)
}

/// What is said where a table does not show everything.
fn more(total: usize, shown: usize, thing: &str) -> Option<String> {
    let more = total.checked_sub(shown).filter(|more| *more > 0)?;
    let s = if more == 1 { "" } else { "s" };
    Some(format!("… and {more} more {thing}{s}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a table leaves out is counted, one in the singular, and nothing is said when it shows everything.
    #[test]
    fn left_out() {
        assert_eq!(more(20, 20, "draft"), None);
        assert_eq!(
            more(21, 20, "draft").as_deref(),
            Some("… and 1 more draft.")
        );
        assert_eq!(
            more(10_000, 20, "draft").as_deref(),
            Some("… and 9980 more drafts.")
        );
    }
}
