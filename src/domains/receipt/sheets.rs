//! Receipts as pages for people. Their bytes are never on one.

use super::{
    ops::{attach::Attached, get::Receipt, link::Linked, list::Listed},
    views::Link,
};
use crate::{
    engine::{Page, Result},
    present::{Cell, ColKind, Column, Field, Sheet, TableBuilder},
};

fn field(sheet: &mut Sheet, label: &str, text: impl Into<String>) {
    sheet.fields.push(Field {
        label: label.to_owned(),
        cell: Cell::Text(text.into()),
    });
}

/// A link as a person reads it.
fn linked_to(links: &[Link]) -> String {
    let words: Vec<String> = links
        .iter()
        .map(|link| format!("{} {}: {}", link.kind, link.id, link.label))
        .collect();
    if words.is_empty() {
        "no entry yet".to_owned()
    } else {
        words.join(", ")
    }
}

/// The page of a receipt that was filed. Its preview has no number to show.
pub fn attached(output: &Attached, page: &Page) -> Sheet {
    let id = output.attachment_id;
    let title = if page.preview {
        "Receipt · preview: nothing has changed".to_owned()
    } else {
        format!("Receipt {id}, filed")
    };
    let mut sheet = Sheet::new("receipt", title, page.currency);
    field(&mut sheet, "File", &output.file_name);
    field(&mut sheet, "SHA-256", &output.sha256);
    field(&mut sheet, "On", linked_to(&output.links));
    if output.deduplicated {
        let note = "The same file was attached before; it is stored once.";
        sheet.notes.push(note.to_owned());
    }
    if output.text_cleaned {
        let note = "Some of the name was left out, which cannot be seen.";
        sheet.notes.push(note.to_owned());
    }
    if output.links.is_empty() && !page.preview {
        sheet
            .notes
            .push(format!("Next  wb receipt link {id} ENTRY"));
    }
    sheet
}

/// The page of a receipt that was linked.
pub fn linked(output: &Linked, page: &Page) -> Sheet {
    let became = if page.preview {
        "would be linked"
    } else {
        "linked"
    };
    let title = format!("Receipt {}, {became}", output.attachment_id);
    let mut sheet = Sheet::new("receipt", title, page.currency);
    field(&mut sheet, "File", &output.file_name);
    field(&mut sheet, "On", linked_to(&output.links));
    sheet
}

/// The page of many receipts.
pub fn list(output: &Listed, page: &Page) -> Result<Sheet> {
    let title = format!("Receipts: {}", output.extent.total);
    let mut sheet = Sheet::new("receipts", title, page.currency);
    let mut table = TableBuilder::new(vec![
        Column::new("attachment_id", "Receipt", ColKind::Text { weight: 1 }),
        Column::new("file_name", "File", ColKind::Text { weight: 3 }),
        Column::new("mime_type", "Type", ColKind::Text { weight: 2 }),
        Column::new("bytes", "Bytes", ColKind::Text { weight: 1 }),
        Column::new("entry_id", "Entry", ColKind::Text { weight: 1 }),
        Column::new("entry", "For", ColKind::Text { weight: 4 }),
    ]);
    for receipt in &output.receipts {
        let link = receipt.links.first();
        let text = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
        let cells = vec![
            Cell::Text(receipt.attachment_id.to_string()),
            Cell::Text(receipt.file_name.clone()),
            Cell::Text(receipt.mime_type.clone()),
            Cell::Text(receipt.bytes.to_string()),
            text(link.map(|link| link.id.to_string())),
            text(link.map(|link| link.label.clone())),
        ];
        table.line(0, cells)?;
    }
    sheet.tables.push(table.finish());
    sheet
        .notes
        .extend(output.extent.note(output.receipts.len(), "receipts"));
    Ok(sheet)
}

/// The page of one receipt.
pub fn receipt(output: &Receipt, page: &Page) -> Sheet {
    let receipt = &output.receipt;
    let id = receipt.attachment_id;
    let mut sheet = Sheet::new("receipt", format!("Receipt {id}"), page.currency);
    field(&mut sheet, "File", &receipt.file_name);
    field(&mut sheet, "Type", &receipt.mime_type);
    field(&mut sheet, "Bytes", receipt.bytes.to_string());
    field(&mut sheet, "SHA-256", &receipt.sha256);
    if let Some(description) = &receipt.description {
        field(&mut sheet, "Description", description);
    }
    field(&mut sheet, "On", linked_to(&receipt.links));
    sheet
        .notes
        .push(format!("Next  wb receipt get {id} --output FILE"));
    sheet
}
