//! Entries as pages for people: lines with a debit and a credit column, as a journal has them.

use super::views::{EntryStatus, EntryView, LineView};
use crate::{
    engine::{No, Page, Result},
    model::{Money, Origin, Side},
    present::{Cell, ColKind, Column, Field, RowKind, Sheet, TableBuilder, Term},
};

/// What stands above an entry's lines.
pub struct Heading<'a> {
    /// Its id, when it has one.
    pub entry_id: Option<i64>,
    /// Whether the page is a preview.
    pub preview: bool,
    /// Where it stands.
    pub status: EntryStatus,
    /// Its day.
    pub date: String,
    /// Its description.
    pub description: &'a str,
    /// Further facts, a label and a text each.
    pub facts: Vec<(&'static str, String)>,
}

/// An amount in minor units. Answers only hold amounts that were made from minor units, with every decimal.
fn minor(money: Money) -> Result<i64> {
    money.written_minor().ok_or_else(|| {
        No::Fault(format!(
            "{money} has more digits than an amount of the books"
        ))
    })
}

/// The page of one entry.
pub fn entry(page: &Page, heading: Heading<'_>, lines: &[LineView]) -> Result<Sheet> {
    let name = heading
        .entry_id
        .map_or_else(|| "Entry".to_owned(), |id| format!("Entry {id}"));
    let stands = if heading.preview {
        "preview: nothing has changed".to_owned()
    } else {
        heading.status.to_string()
    };
    let mut sheet = Sheet::new("entry", format!("{name} · {stands}"), page.currency);
    let mut field = |label: &str, text: String| {
        sheet.fields.push(Field {
            label: label.to_owned(),
            cell: Cell::Text(text),
        });
    };
    field("Date", heading.date);
    field("Description", heading.description.to_owned());
    for (label, text) in heading.facts {
        field(label, text);
    }
    sheet.tables.push(lines_table(lines)?.finish());
    Ok(sheet)
}

/// Lines with their accounts, debits and credits, and the balances they lead to where these are known.
fn lines_table(lines: &[LineView]) -> Result<TableBuilder> {
    let balances = lines.iter().any(|line| line.balance.is_some());
    let mut columns = vec![
        Column::new("line", "#", ColKind::Text { weight: 1 }),
        Column::new("account", "Account", ColKind::Text { weight: 2 }),
        Column::new("name", "Name", ColKind::Label { weight: 4 }),
        Column::new("debit", "Debit", ColKind::Money),
        Column::new("credit", "Credit", ColKind::Money),
    ];
    if balances {
        columns.push(Column::new("balance", "New balance", ColKind::Balance));
    }
    let mut table = TableBuilder::new(columns);
    let mut rows = Vec::with_capacity(lines.len());
    for line in lines {
        let amount = Cell::Money(minor(line.amount)?);
        let (debit, credit) = match line.side {
            Side::Debit => (amount, Cell::Empty),
            Side::Credit => (Cell::Empty, amount),
        };
        let mut cells = vec![
            Cell::Text(line.line_index.to_string()),
            Cell::Text(line.account_code.clone()),
            Cell::Text(line.account_name.clone()),
            debit,
            credit,
        ];
        if balances {
            let balance = line.balance.map(minor).transpose()?;
            cells.push(balance.map_or(Cell::Empty, Cell::Money));
        }
        rows.push(table.line(0, cells)?);
    }
    if rows.len() > 1 {
        table.sum(RowKind::Subtotal, "Total", Term::plus_all(&rows))?;
    }
    Ok(table)
}

/// The page of an entry as answers show it.
///
/// `new` says that the answer's own call made the entry, so that a preview has no number to show.
pub fn of_view(page: &Page, view: &EntryView, new: bool) -> Result<Sheet> {
    let mut facts = Vec::new();
    facts.extend(view.reverses.map(|id| ("Reverses", format!("entry {id}"))));
    facts.extend(
        view.reversed_by
            .map(|id| ("Reversed by", format!("entry {id}"))),
    );
    if view.origin != Origin::Manual {
        facts.push(("Origin", view.origin.word().to_owned()));
    }
    let heading = Heading {
        entry_id: Some(view.entry_id).filter(|_| !(new && page.preview)),
        preview: page.preview,
        status: view.status,
        date: view.date.to_string(),
        description: &view.description,
        facts,
    };
    let mut sheet = entry(page, heading, &view.lines)?;
    if view.status == EntryStatus::Draft && view.total_debit != view.total_credit {
        let note = format!(
            "Out of balance: debits {}, credits {}.",
            view.total_debit, view.total_credit
        );
        sheet.notes.push(note);
    }
    Ok(sheet)
}

/// The page of many entries: a line for each of their lines, the header on the first.
pub fn list(
    page: &Page,
    entries: &[EntryView],
    total: i64,
    next_offset: Option<u32>,
) -> Result<Sheet> {
    let mut sheet = Sheet::new("entries", format!("Entries found: {total}"), page.currency);
    let mut table = TableBuilder::new(vec![
        Column::new("entry_id", "Entry", ColKind::Text { weight: 1 }),
        Column::new("date", "Date", ColKind::Date),
        Column::new("status", "Status", ColKind::Text { weight: 1 }),
        Column::new("description", "Description", ColKind::Text { weight: 4 }),
        Column::new("account", "Account", ColKind::Text { weight: 1 }),
        Column::new("name", "Name", ColKind::Text { weight: 3 }),
        Column::new("debit", "Debit", ColKind::Money),
        Column::new("credit", "Credit", ColKind::Money),
    ]);
    for entry in entries {
        let status = if entry.reversed_by.is_some() {
            "reversed"
        } else {
            entry.status.word()
        };
        let head = [
            Cell::Text(entry.entry_id.to_string()),
            Cell::Date(entry.date),
            Cell::Text(status.to_owned()),
            Cell::Text(entry.description.clone()),
        ];
        if entry.lines.is_empty() {
            let cells = head
                .into_iter()
                .chain(std::iter::repeat_n(Cell::Empty, 4))
                .collect();
            table.line(0, cells)?;
            continue;
        }
        for line in &entry.lines {
            let amount = Cell::Money(minor(line.amount)?);
            let (debit, credit) = match line.side {
                Side::Debit => (amount, Cell::Empty),
                Side::Credit => (Cell::Empty, amount),
            };
            let account = [
                Cell::Text(line.account_code.clone()),
                Cell::Text(line.account_name.clone()),
                debit,
                credit,
            ];
            // Every row names its entry, so that a table piped elsewhere can be grouped again.
            table.line(0, head.iter().cloned().chain(account).collect())?;
        }
    }
    sheet.tables.push(table.finish());
    if let Some(next) = next_offset {
        sheet.notes.push(format!(
            "{} of {total} shown; the next page is --offset {next}.",
            entries.len()
        ));
    }
    Ok(sheet)
}
