//! Takes a chart's CSV apart into rows, each cell checked by itself; knows nothing of how rows agree with each other.

use super::{ROWS_MAX, Row};
use crate::model::{AccountType, CODE_TAKES, LineFault, NAME_CHARS_MAX, code_ok, typed};

/// The columns by name; the last may be absent.
pub(super) const COLUMNS: [&str; 5] = ["code", "name", "type", "parent_code", "tax_category"];
const REQUIRED: usize = 4;
/// The field of a fault that no one column has.
const ROW: &str = "row";

/// The rows with their cells' faults.
///
/// Refuses: a header that cannot be understood and more rows than the limit, because then no row can be judged.
pub(super) fn read_rows(text: &str) -> Result<(Vec<Row>, Vec<LineFault>), Vec<LineFault>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut lines = Lines {
        text,
        at: 0,
        line: 1,
    };
    let mut columns: Option<Vec<usize>> = None;
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let Ok(record) = record else {
            // Text is UTF-8 and rows may differ in length, so that nothing is left for the reader to refuse.
            return Err(vec![LineFault::new(
                lines.line,
                ROW,
                "the row cannot be read as CSV",
                "",
            )]);
        };
        let line = lines.of(record.position().map_or(0, ::csv::Position::byte));
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let Some(columns) = &columns else {
            columns = Some(read_header(&record, line)?);
            continue;
        };
        if rows.len() == ROWS_MAX {
            let message = format!("the file has more than {ROWS_MAX} accounts; split it");
            return Err(vec![LineFault::new(line, ROW, message, "")]);
        }
        rows.push(read_row(&record, line, columns, &mut faults));
    }
    if columns.is_none() {
        return Err(vec![LineFault::new(
            1,
            ROW,
            format!("the file is empty; {HEADER}"),
            "",
        )]);
    }
    Ok((rows, faults))
}

const HEADER: &str =
    "its first line names the columns code, name, type, parent_code and, if wanted, tax_category";

/// For each column of [`COLUMNS`] the cell that holds it; `usize::MAX`, which no row has, where it is absent.
fn read_header(record: &::csv::StringRecord, line: u64) -> Result<Vec<usize>, Vec<LineFault>> {
    let names: Vec<String> = record
        .iter()
        .map(|name| name.trim().to_lowercase())
        .collect();
    let mut faults = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let known = COLUMNS.iter().find(|column| *column == name);
        match known {
            None => {
                let message = format!(
                    "cell {} of the header is no column of a chart; {HEADER}",
                    i + 1
                );
                faults.push(LineFault::new(line, ROW, message, &record[i]));
            }
            Some(column) if names[..i].contains(name) => {
                let message = format!("the header names the column {column} twice");
                faults.push(LineFault::new(line, column, message, ""));
            }
            Some(_) => {}
        }
    }
    for column in COLUMNS.iter().take(REQUIRED) {
        if !names.iter().any(|name| name == column) {
            let message = format!("the header lacks the column {column}; {HEADER}");
            faults.push(LineFault::new(line, column, message, ""));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let place = |column: &&str| names.iter().position(|name| name == column);
    Ok(COLUMNS
        .iter()
        .map(|column| place(column).unwrap_or(usize::MAX))
        .collect())
}

fn read_row(
    record: &::csv::StringRecord,
    line: u64,
    columns: &[usize],
    faults: &mut Vec<LineFault>,
) -> Row {
    let cells_max = columns.iter().filter(|place| **place != usize::MAX).count();
    if record.len() > cells_max {
        let message = format!(
            "the row has {} cells, the header {cells_max}; put a text that holds a comma in double quotes",
            record.len()
        );
        faults.push(LineFault::new(line, ROW, message, ""));
    }
    let cell = |column: usize| record.get(columns[column]).unwrap_or_default().trim();
    let mut keep = |column: usize, read: Result<String, String>| match read {
        Ok(text) => Some(text),
        Err(message) => {
            faults.push(LineFault::new(line, COLUMNS[column], message, cell(column)));
            None
        }
    };
    let code_of = |text: &str| code_ok(text).map_err(|_| CODE_TAKES.to_owned());
    let code = match cell(0) {
        "" => Err("the code is blank; every account has one".to_owned()),
        text => code_of(text),
    };
    let code = keep(0, code);
    let name = keep(
        1,
        typed(cell(1), "name", NAME_CHARS_MAX).map_err(|refusal| refusal.message),
    );
    let types = AccountType::ALL
        .iter()
        .map(|t| t.word())
        .collect::<Vec<_>>()
        .join(", ");
    let account_type = AccountType::from_word(&cell(2).to_lowercase());
    if account_type.is_none() {
        keep(
            2,
            Err(format!("not a type of account; the types are {types}")),
        );
    }
    let parent_code = match cell(3) {
        "" => None,
        text => keep(3, code_of(text)),
    };
    let tax_category = Some(cell(4).to_owned()).filter(|key| !key.is_empty());
    Row {
        line,
        code,
        name,
        account_type,
        parent_code,
        tax_category,
    }
}

/// Counts lines up to places that only move forward. The CSV reader's own count stops before blank lines.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the first character at or after `byte` that ends no line.
    fn of(&mut self, byte: u64) -> u64 {
        let bytes = self.text.as_bytes();
        let start = usize::try_from(byte).unwrap_or(bytes.len());
        while let Some(here) = bytes.get(self.at) {
            let ends_line = matches!(here, b'\r' | b'\n');
            if self.at >= start && !ends_line {
                break;
            }
            // A carriage return before a line feed is half of one line end.
            if ends_line && !(*here == b'\r' && bytes.get(self.at + 1) == Some(&b'\n')) {
                self.line += 1;
            }
            self.at += 1;
        }
        self.line
    }
}
