//! Stored files as pages for people. Their bytes are never on one.

use super::{
    subject::Link,
    views::{FileView, FiledView, LinkedView},
};
use crate::{
    engine::{Extent, Page, Result},
    present::{Cell, ColKind, Column, Field, Sheet, TableBuilder},
};

/// A line above the tables of a page.
pub fn field(sheet: &mut Sheet, label: &str, text: impl Into<String>) {
    sheet.fields.push(Field {
        label: label.to_owned(),
        cell: Cell::Text(text.into()),
    });
}

/// Links as a person reads them.
pub fn linked_to(links: &[Link]) -> String {
    let words: Vec<String> = links.iter().map(Link::words).collect();
    if words.is_empty() {
        "nothing yet".to_owned()
    } else {
        words.join(", ")
    }
}

/// The page of a file that was filed. Its preview has no number to show.
pub fn filed(output: &FiledView, page: &Page) -> Sheet {
    let id = output.attachment_id;
    let what = if output.document {
        "Document"
    } else {
        "Receipt"
    };
    let title = if page.preview {
        format!("{what} · preview: nothing has changed")
    } else {
        format!("{what} {id}, filed")
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
        let next = match output.document {
            true => format!("Next  wb attachment link {id} SUBJECT"),
            false => format!("Next  wb receipt link {id} ENTRY"),
        };
        sheet.notes.push(next);
    }
    sheet
}

/// The page of a file whose links were changed: `became` says how.
pub fn linked(output: &LinkedView, page: &Page, (what, became): (&str, &str)) -> Sheet {
    let would = if page.preview { "would be " } else { "" };
    let title = format!("{what} {}, {would}{became}", output.attachment_id);
    let mut sheet = Sheet::new("receipt", title, page.currency);
    field(&mut sheet, "File", &output.file_name);
    field(&mut sheet, "On", linked_to(&output.links));
    sheet
}

/// The page of many files.
pub fn list(title: String, (files, extent): (&[FileView], &Extent), page: &Page) -> Result<Sheet> {
    let mut sheet = Sheet::new("receipts", title, page.currency);
    let mut table = TableBuilder::new(vec![
        Column::new("attachment_id", "File", ColKind::Text { weight: 1 }),
        Column::new("file_name", "Name", ColKind::Text { weight: 3 }),
        Column::new("mime_type", "Type", ColKind::Text { weight: 2 }),
        Column::new("bytes", "Bytes", ColKind::Text { weight: 1 }),
        Column::new("category", "Kind", ColKind::Text { weight: 2 }),
        Column::new("links", "For", ColKind::Text { weight: 5 }),
    ]);
    for file in files {
        let links = file.links.iter().map(Link::words).collect::<Vec<_>>();
        let kind = match &file.withdrawn_reason {
            Some(_) => "withdrawn",
            None => file.category.as_deref().unwrap_or("receipt"),
        };
        let cells = vec![
            Cell::Text(file.attachment_id.to_string()),
            Cell::Text(file.file_name.clone()),
            Cell::Text(file.mime_type.clone()),
            Cell::Text(file.bytes.to_string()),
            Cell::Text(kind.to_owned()),
            Cell::Text(links.join(", ")),
        ];
        table.line(0, cells)?;
    }
    sheet.tables.push(table.finish());
    sheet.notes.extend(extent.note(files.len(), "files"));
    Ok(sheet)
}

/// The page of one file.
pub fn file(file: &FileView, page: &Page) -> Sheet {
    let id = file.attachment_id;
    let what = if file.category.is_some() {
        "Document"
    } else {
        "Receipt"
    };
    let mut sheet = Sheet::new("receipt", format!("{what} {id}"), page.currency);
    field(&mut sheet, "File", &file.file_name);
    field(&mut sheet, "Type", &file.mime_type);
    field(&mut sheet, "Bytes", file.bytes.to_string());
    field(&mut sheet, "SHA-256", &file.sha256);
    for (label, text) in [
        ("Description", &file.description),
        ("Category", &file.category),
        ("Withdrawn", &file.withdrawn_reason),
    ] {
        if let Some(text) = text {
            field(&mut sheet, label, text);
        }
    }
    field(&mut sheet, "On", linked_to(&file.links));
    let next = format!("Next  wb receipt get {id} --output FILE");
    sheet.notes.push(next);
    sheet
}
