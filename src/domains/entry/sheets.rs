//! Entries as pages for people: lines with a debit and a credit column, as a journal has them.

use serde_json::Value;

use super::views::{EntryStatus, EntryView, LineView, PostedView, TagColumns};
use crate::{
    engine::{Extent, Page, Result},
    model::{Money, Origin},
    present::{
        Cell, ColKind, Column, Field, Negative, RowKind, Sheet, TableBuilder, Term, money_text,
    },
};

/// What stands above an entry's lines.
struct Heading<'a> {
    /// Its id, when it has one.
    entry_id: Option<i64>,
    /// Whether the page is a preview.
    preview: bool,
    /// Where it stands.
    status: EntryStatus,
    /// Its day.
    date: String,
    /// Its description.
    description: &'a str,
    /// Further facts, a label and a text each.
    facts: Vec<(String, String)>,
}

/// The page of one entry.
fn entry(page: &Page, heading: Heading<'_>, lines: &[LineView]) -> Result<Sheet> {
    let name = heading
        .entry_id
        .map_or_else(|| "Entry".to_owned(), |id| format!("Entry {id}"));
    let stands = if heading.preview {
        "preview: nothing has changed".to_owned()
    } else {
        heading.status.to_string()
    };
    let mut sheet = Sheet::new("entry", format!("{name} · {stands}"), page.currency);
    let own = [
        ("Date".to_owned(), heading.date),
        ("Description".to_owned(), heading.description.to_owned()),
    ];
    let fields = own.into_iter().chain(heading.facts).map(field);
    sheet.fields.extend(fields);
    sheet.tables.push(lines_table(lines)?.finish());
    Ok(sheet)
}

/// Lines with their accounts, debits and credits, and the balances they lead to where these are known.
fn lines_table(lines: &[LineView]) -> Result<TableBuilder> {
    let balances = lines.iter().any(|line| line.moves.balance.is_some());
    let tags = TagColumns::of(lines.iter().map(|line| &line.tags));
    let mut columns = vec![
        Column::new("line", "#", ColKind::Text { weight: 1 }),
        Column::new("account", "Account", ColKind::Text { weight: 2 }),
        Column::new("name", "Name", ColKind::Label { weight: 4 }),
    ];
    columns.extend(tags.columns());
    columns.extend([
        Column::new("debit", "Debit", ColKind::Money),
        Column::new("credit", "Credit", ColKind::Money),
    ]);
    if balances {
        columns.push(Column::new("balance", "New balance", ColKind::Balance));
    }
    let mut table = TableBuilder::new(columns);
    let mut rows = Vec::with_capacity(lines.len());
    for line in lines {
        let [debit, credit, balance] = line.moves.cells()?;
        let mut cells = vec![
            Cell::Text(line.line_index.to_string()),
            Cell::Text(line.account_code.clone()),
            Cell::Text(line.account_name.clone()),
        ];
        cells.extend(tags.cells(&line.tags).chain([debit, credit]));
        if balances {
            cells.push(balance);
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
    let other = |label: &str, id: i64| (label.to_owned(), format!("entry {id}"));
    facts.extend(view.reverses.map(|id| other("Reverses", id)));
    facts.extend(view.reversed_by.map(|id| other("Reversed by", id)));
    if view.origin != Origin::Manual {
        facts.push(("Origin".to_owned(), view.origin.word().to_owned()));
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
        let (debits, credits) = (
            figure(page, view.total_debit),
            figure(page, view.total_credit),
        );
        let note = format!("Out of balance: debits {debits}, credits {credits}.");
        sheet.notes.push(note);
    } else if new && !page.preview && !view.lines.is_empty() {
        sheet
            .notes
            .push(format!("Next  wb entry post {}", view.entry_id));
    }
    Ok(sheet)
}

/// The page of a draft after a change to it, under what was done.
pub fn changed(page: &Page, view: &EntryView, done: &str) -> Result<Sheet> {
    let mut sheet = of_view(page, view, false)?;
    if !page.preview {
        sheet.title = format!("Entry {}, {done} · {}", view.entry_id, view.status);
    }
    Ok(sheet)
}

/// The sentence about a draft that was discarded.
pub fn discarded(page: &Page, view: &EntryView) -> Result<Sheet> {
    let became = if page.preview {
        "would be discarded"
    } else {
        "discarded"
    };
    let larger = view.total_debit.max(view.total_credit);
    let title = format!(
        "Entry {} {became}: {} {}, {}",
        view.entry_id,
        view.date,
        view.description,
        figure(page, larger)
    );
    Ok(Sheet::new("entry", title, page.currency))
}

/// An amount in a line of words, as tables write it.
pub fn figure(page: &Page, money: Money) -> String {
    // Answers only hold amounts that were made from minor units; another would stand as it is written.
    money.written_minor().map_or_else(
        || money.to_string(),
        |minor| money_text(minor, page.currency, false, Negative::Minus).plain(),
    )
}

/// The page of a posting. In its preview a reversal has no number yet.
pub fn posted(page: &Page, posted: &PostedView) -> Result<Sheet> {
    let mut facts = Vec::new();
    let reverses = posted.reverses.map(|id| format!("entry {id}"));
    facts.extend(reverses.map(|entry| ("Reverses".to_owned(), entry)));
    facts.extend(posted.checklist.iter().filter_map(|fact| told(page, fact)));
    let heading = Heading {
        entry_id: Some(posted.entry_id).filter(|_| posted.reverses.is_none() || !page.preview),
        preview: page.preview,
        status: posted.status,
        date: posted.date.to_string(),
        description: &posted.description,
        facts,
    };
    entry(page, heading, &posted.lines)
}

/// What another domain tells under a key, for people: what does not hold and what is empty is not told.
pub fn told(page: &Page, (name, value): (&String, &Value)) -> Option<(String, String)> {
    let text = match value {
        Value::Bool(holds) => holds.then(|| "yes".to_owned())?,
        other => words(page, other),
    };
    let mut label = name.replace('_', " ");
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    (!text.is_empty()).then_some((label, text))
}

/// A fact as a field of a page.
pub fn field((label, text): (String, String)) -> Field {
    Field {
        label,
        cell: Cell::Text(text),
    }
}

/// A value in a line: the items of a list apart by commas, an object's values by spaces, its amount as tables write it.
fn words(page: &Page, value: &Value) -> String {
    let join = |texts: Vec<String>, between: &str| texts.join(between);
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => join(items.iter().map(|item| words(page, item)).collect(), ", "),
        Value::Object(map) => {
            let value = |(key, value): (&String, &Value)| {
                let amount = value.as_str().filter(|_| key == "amount");
                let amount = amount.and_then(|text| text.parse().ok());
                amount.map_or_else(|| words(page, value), |money| figure(page, money))
            };
            join(map.iter().map(value).collect(), " ")
        }
        other => other.to_string(),
    }
}

/// The page of many entries: a line for each of their lines, the header on the first.
pub fn list(page: &Page, entries: &[EntryView], extent: Extent) -> Result<Sheet> {
    let title = format!("Entries found: {}", extent.total);
    let mut sheet = Sheet::new("entries", title, page.currency);
    let reversals = entries.iter().any(|entry| entry.reversed_by.is_some());
    let mut columns = vec![
        Column::new("entry_id", "Entry", ColKind::Text { weight: 1 }),
        Column::new("date", "Date", ColKind::Date),
        Column::new("status", "Status", ColKind::Text { weight: 1 }),
        Column::new("description", "Description", ColKind::Text { weight: 4 }),
        Column::new("account", "Account", ColKind::Text { weight: 1 }),
        Column::new("name", "Name", ColKind::Text { weight: 3 }),
    ];
    let all = entries.iter().flat_map(|entry| &entry.lines);
    let tags = TagColumns::of(all.map(|line| &line.tags));
    columns.extend(tags.columns());
    columns.extend([
        Column::new("debit", "Debit", ColKind::Money),
        Column::new("credit", "Credit", ColKind::Money),
    ]);
    let own = columns.len() - 4;
    if reversals {
        let by = Column::new("reversed_by", "Reversed by", ColKind::Text { weight: 1 });
        columns.insert(3, by);
    }
    let mut table = TableBuilder::new(columns);
    for entry in entries {
        let mut head = vec![
            Cell::Text(entry.entry_id.to_string()),
            Cell::Date(entry.date),
            Cell::Text(entry.status.word().to_owned()),
        ];
        if reversals {
            let by = entry.reversed_by.map(|id| Cell::Text(id.to_string()));
            head.push(by.unwrap_or(Cell::Empty));
        }
        head.push(Cell::Text(entry.description.clone()));
        if entry.lines.is_empty() {
            let cells = head
                .into_iter()
                .chain(std::iter::repeat_n(Cell::Empty, own))
                .collect();
            table.line(0, cells)?;
            continue;
        }
        for line in &entry.lines {
            let [debit, credit, _] = line.moves.cells()?;
            let account = [
                Cell::Text(line.account_code.clone()),
                Cell::Text(line.account_name.clone()),
            ];
            let account = account.into_iter().chain(tags.cells(&line.tags));
            // Every row names its entry, so that a table piped elsewhere can be grouped again.
            let cells = head.iter().cloned().chain(account).chain([debit, credit]);
            table.line(0, cells.collect())?;
        }
    }
    sheet.tables.push(table.finish());
    sheet.notes.extend(extent.note(entries.len(), "entries"));
    Ok(sheet)
}
