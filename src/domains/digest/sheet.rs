//! The digest as a page for people, in sections.

use super::ops::digest::{Digest, UnreconciledView};
use crate::{
    engine::{Page, Result},
    present::{Cell, ColKind, Column, RowKind, Sheet, TableBuilder, Term},
};

/// What was done lately: postings, what they come to, what waits, what was changed, what is wrong.
pub fn digest(output: &Digest, page: &Page) -> Result<Sheet> {
    let title = format!("Digest since {}", output.since);
    let mut sheet = Sheet::new("", title, page.currency);
    if output.entries_posted.is_empty() {
        let note = format!("Nothing was posted since {}.", output.since);
        sheet.notes.push(note);
    } else {
        sheet.tables.push(posted(output)?.finish());
        sheet.tables.push(totals(output)?.finish());
    }
    let shown = output.entries_posted.len();
    sheet.notes.extend(output.extent.note(shown, "entries"));
    if !output.drafts_waiting.is_empty() {
        sheet.tables.push(drafts(output)?.finish());
    }
    if !output.changes.is_empty() {
        sheet.tables.push(changes(output)?.finish());
    }
    if !output.unreconciled_accounts.is_empty() {
        sheet
            .tables
            .push(unreconciled(&output.unreconciled_accounts)?.finish());
    }
    sheet.notes.extend(backup(output));
    sheet.notes.extend(output.clock_warning.clone());
    // Why stands in the warning with which every command on such books begins.
    if output.unforced {
        let note = "The last good settings are in force; the files as they stand are not.";
        sheet.notes.push(note.to_owned());
    }
    let problems = output.settings_problems.iter();
    let problems = problems.skip(usize::from(output.unforced));
    sheet.notes.extend(problems.cloned());
    Ok(sheet)
}

/// How old the last backup is, and whether another is due.
fn backup(output: &Digest) -> Option<String> {
    let due = if output.backup_due {
        " Another is due: `wb backup`."
    } else {
        ""
    };
    match &output.last_backup {
        Some(last) => Some(format!(
            "The last backup known here was made {}, UTC; {} events came since.{due}",
            instant(&last.at),
            last.behind
        )),
        None => output
            .backup_due
            .then(|| "No backup of these books is known here. One is due: `wb backup`.".to_owned()),
    }
}

fn words(weight: u16) -> ColKind {
    ColKind::Text { weight }
}

/// An instant as people read it, to the minute.
fn instant(at: &str) -> String {
    let (day, time) = at.split_once('T').unwrap_or((at, ""));
    let time = time.get(..5).unwrap_or(time);
    format!("{day} {time}").trim_end().to_owned()
}

fn posted(output: &Digest) -> Result<TableBuilder> {
    let mut table = TableBuilder::new(vec![
        Column::new("posted", "Posted, UTC", words(2)),
        Column::new("by", "By", words(2)),
        Column::new("entry", "Entry", words(1)),
        Column::new("date", "Date", ColKind::Date),
        Column::new("description", "Description", ColKind::Label { weight: 4 }),
        Column::new("total", "Total", ColKind::Money),
    ])
    .title("Posted");
    for entry in &output.entries_posted {
        let cells = vec![
            Cell::Text(told(entry.at.as_deref().map(instant))),
            Cell::Text(told(entry.by.clone())),
            Cell::Text(told(entry.entry_id.map(|id| id.to_string()))),
            entry.date.map_or(Cell::Empty, Cell::Date),
            Cell::Text(entry.description.clone()),
            Cell::Money(entry.total_minor),
        ];
        table.line(0, cells)?;
    }
    Ok(table)
}

fn totals(output: &Digest) -> Result<TableBuilder> {
    let mut table = TableBuilder::new(vec![
        Column::new("account", "Account", ColKind::Label { weight: 1 }),
        Column::new("debits", "Debits", ColKind::Money),
        Column::new("credits", "Credits", ColKind::Money),
        Column::new("net", "Net", ColKind::Balance),
        Column::new("side", "On its side", words(1)),
    ])
    .title("By account");
    let mut rows = Vec::with_capacity(output.totals_by_account.len());
    for total in &output.totals_by_account {
        let (debits, credits, net) = total.minor;
        let cells = vec![
            Cell::Text(format!("{} {}", total.code, total.name)),
            Cell::Money(debits),
            Cell::Money(credits),
            Cell::Money(net),
            Cell::Text(total.side.to_string()),
        ];
        rows.push(table.account_line(0, &total.code, cells)?);
    }
    table.sum(RowKind::Subtotal, "Total", Term::plus_all(&rows))?;
    Ok(table)
}

/// The heading of a list of which the first rows are given.
fn headed(what: &str, shown: usize, total: i64, which: &str) -> String {
    if i64::try_from(shown).is_ok_and(|shown| shown < total) {
        format!("{what}: {total}, of which the {which} {shown}")
    } else {
        format!("{what}: {total}")
    }
}

/// What is told, or nothing.
fn told(text: Option<String>) -> String {
    text.unwrap_or_default()
}

fn drafts(output: &Digest) -> Result<TableBuilder> {
    let shown = output.drafts_waiting.len();
    let title = headed("Drafts waiting", shown, output.drafts_total, "oldest");
    let mut table = TableBuilder::new(vec![
        Column::new("entry", "Entry", words(1)),
        Column::new("date", "Date", ColKind::Date),
        Column::new("description", "Description", ColKind::Label { weight: 6 }),
    ])
    .title(title);
    for draft in &output.drafts_waiting {
        let cells = vec![
            Cell::Text(told(draft.entry_id.map(|id| id.to_string()))),
            draft.date.map_or(Cell::Empty, Cell::Date),
            Cell::Text(draft.description.clone()),
        ];
        table.line(0, cells)?;
    }
    Ok(table)
}

fn unreconciled(accounts: &[UnreconciledView]) -> Result<TableBuilder> {
    let mut table = TableBuilder::new(vec![
        Column::new("account", "Account", ColKind::Label { weight: 2 }),
        Column::new("reconciled_through", "Through", ColKind::Date),
        Column::new("due_through", "Due through", ColKind::Date),
        Column::new("next_step", "Next", words(5)),
    ])
    .title("To reconcile");
    for one in accounts {
        let through = one.reconciled_through.map_or(Cell::Empty, Cell::Date);
        let cells = vec![
            Cell::Text(format!("{} {}", one.code, one.name)),
            through,
            Cell::Date(one.due_through),
            Cell::Text(one.next_step.clone()),
        ];
        table.account_line(0, &one.code, cells)?;
    }
    Ok(table)
}

fn changes(output: &Digest) -> Result<TableBuilder> {
    let shown = output.changes.len();
    let title = headed("Changed", shown, output.changes_total, "newest");
    let mut table = TableBuilder::new(vec![
        Column::new("at", "Written, UTC", words(2)),
        Column::new("by", "By", words(2)),
        Column::new("what", "What", ColKind::Label { weight: 6 }),
    ])
    .title(title);
    for change in &output.changes {
        let cells = [
            told(change.at.as_deref().map(instant)),
            told(change.by.clone()),
            change.description.clone(),
        ];
        table.line(0, cells.map(Cell::Text).to_vec())?;
    }
    Ok(table)
}
