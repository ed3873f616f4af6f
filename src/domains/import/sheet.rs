//! A bank import as a page for people: what becomes a draft, against which account and by which rule, and what was passed
//! over. It decides nothing.

use super::{
    ops::bank_csv::{Imported, SkippedRow},
    shown::DraftRow,
};
use crate::{
    domains::entry,
    engine::{Page, Result},
    present::{Cell, ColKind, Column, Field, Sheet, TableBuilder},
};

/// The most skipped rows that the page shows.
const SKIPPED_SHOWN_MAX: usize = 20;

/// The most characters of a skipped row that the page shows.
const GLIMPSE_CHARS_MAX: usize = 60;

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
    let [bank, default] = &output.named;
    let account = format!("{} {}", bank.code, bank.name);
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
    let unclaimed = Cell::Text(match output.unclaimed {
        0 => "0".to_owned(),
        some => format!("{some}, against {} {}", default.code, default.name),
    });
    fields.extend([
        ("Drafts", number(output.imported)),
        ("Without a rule", unclaimed),
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

/// The account of a row's other side, and the class of its line.
fn other_side(draft: &DraftRow) -> String {
    let class = draft.class.as_ref().map(|class| format!(" · {class}"));
    format!(
        "{} {}{}",
        draft.account_code,
        draft.account_name,
        class.unwrap_or_default()
    )
}

/// The drafts, with their numbers once these are allotted: they follow one another in file order.
fn drafts(drafts: &[DraftRow], first: Option<i64>) -> Result<TableBuilder> {
    let fees = drafts.iter().any(|draft| draft.fee.is_some());
    let words = |key: &str, title: &str, weight| Column::new(key, title, ColKind::Text { weight });
    let money = |key: &str, title: &str| Column::new(key, title, ColKind::Money);
    let mut columns = vec![words("file_line", "Line", 1)];
    columns.extend(first.map(|_| words("entry_id", "Entry", 1)));
    columns.extend([
        Column::new("date", "Date", ColKind::Date),
        Column::new("description", "Description", ColKind::Label { weight: 4 }),
    ]);
    if fees {
        columns.extend([money("gross", "Gross"), money("fee", "Fee")]);
    }
    columns.extend([
        money("amount", "Amount"),
        words("offset", "Other side", 3),
        words("rule", "Rule", 2),
    ]);
    let mut table = TableBuilder::new(columns);
    for (draft, place) in drafts.iter().zip(0_i64..) {
        let mut cells = vec![Cell::Text(draft.line.to_string())];
        cells.extend(first.map(|first| Cell::Text((first + place).to_string())));
        cells.extend([
            Cell::Date(draft.date),
            Cell::Text(draft.description.clone()),
        ]);
        if fees {
            cells.push(entry::cell(draft.gross.unwrap_or(draft.amount))?);
            cells.push(draft.fee.map_or(Ok(Cell::Empty), entry::cell)?);
        }
        cells.extend([
            entry::cell(draft.amount)?,
            Cell::Text(other_side(draft)),
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
            Cell::Text(glimpse(&row.text)),
        ];
        table.line(0, cells)?;
    }
    Ok(table)
}

/// A record as a person recognises it: its cells that are not blank, cut where they become long.
fn glimpse(record: &str) -> String {
    let cells = record.split(['\t', ',', ';']);
    let cells = cells.map(|cell| cell.trim().trim_matches('"').trim());
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    let text = cells.join(", ");
    match text.char_indices().nth(GLIMPSE_CHARS_MAX) {
        None => text,
        Some((end, _)) => format!("{} …", text[..end].trim_end_matches([',', ' '])),
    }
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

    /// A skipped record is shown by its cells that hold something, and cut.
    #[test]
    fn glimpses() {
        assert_eq!(
            glimpse(",,\"Beginning, balance\",,42.50;;"),
            "Beginning, balance, 42.50"
        );
        let long = glimpse(&"ab,".repeat(40));
        assert_eq!(long, format!("{}ab …", "ab, ".repeat(14)));
        assert_eq!(glimpse(",,,"), "");
    }

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
