//! A sheet as plain text for terminals and pipes: the order of its parts. Tables are laid out in `layout`.

mod layout;
mod prose;
mod wrap;

use unicode_width::UnicodeWidthStr;

use crate::model::visible;
use crate::present::{Cell, ColKind, Column, Letterhead, Row, RowKind, Sheet, Table};

use layout::Layout;
pub use prose::prose;
use wrap::{trimmed, wrap};

/// Narrower than this no terminal is; a width below is a terminal that does not know its width.
const WIDTH_MIN: usize = 40;
const WIDTH_UNKNOWN: usize = 80;
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// Where the text will be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextStyle {
    /// Columns of the terminal; `None` for no limit. Below 40 counts as 80, because a pseudo-terminal may say 0.
    pub width: Option<usize>,
    /// Whether escape sequences may be written: headings and totals in bold.
    pub colour: bool,
}

/// The sheet as text that ends with a line break.
///
/// Figures are aligned on the decimal point and never wrapped; words are wrapped to the width and never cut, so only a
/// table with more figures than fit is wider. What cannot be seen is shown as `\u{…}`; no line ends with a blank.
pub fn render(sheet: &Sheet, style: &TextStyle) -> String {
    let page = Page {
        sheet,
        limit: style.width.map(|width| {
            if width < WIDTH_MIN {
                WIDTH_UNKNOWN
            } else {
                width
            }
        }),
        colour: style.colour,
    };
    let mut blocks = Vec::new();
    let fields = fields_table(sheet);
    let tables: Vec<Layout<'_>> = fields
        .iter()
        .chain(&sheet.tables)
        .map(|table| Layout::new(&page, table))
        .collect();
    blocks.push(match &sheet.letterhead {
        Some(head) => page.letterhead(head, tables.iter().map(Layout::width).max()),
        None => page.bold(page.words(&sheet.title)),
    });
    blocks.extend(tables.iter().map(Layout::lines));
    blocks.push(
        sheet
            .notes
            .iter()
            .flat_map(|note| page.words(note))
            .collect(),
    );
    blocks.push(match &sheet.footer {
        Some(footer) => page.words(&footer.text()),
        None => Vec::new(),
    });
    let mut out = String::new();
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        for line in block {
            out.push_str(&trimmed(line));
            out.push('\n');
        }
    }
    out
}

/// Lines of plain words set to a width: broken at blanks, what follows a break beneath the first word of its line. A width
/// below 40 counts as 80, because a pseudo-terminal may say 0. Blanks at the end stay, for what is typed behind them.
pub fn filled(text: &str, width: usize) -> String {
    let width = if width < WIDTH_MIN {
        WIDTH_UNKNOWN
    } else {
        width
    };
    let set = |line: &str| {
        let words = line.trim_start_matches(' ');
        let margin = &line[..line.len() - words.len()];
        let kept = words.trim_end_matches(' ');
        let room = width.saturating_sub(margin.len() + (words.len() - kept.len()));
        let lines = wrap(kept, room).into_iter();
        let lines: Vec<String> = lines.map(|line| format!("{margin}{line}")).collect();
        lines.join("\n") + &words[kept.len()..]
    };
    let lines: Vec<String> = text.split('\n').map(set).collect();
    lines.join("\n")
}

/// What every part of the page needs to know.
struct Page<'s> {
    sheet: &'s Sheet,
    limit: Option<usize>,
    colour: bool,
}

impl Page<'_> {
    /// Words of the sheet, safe to print, wrapped to the page's width. Nothing gives no line.
    fn words(&self, words: &str) -> Vec<String> {
        if words.is_empty() {
            return Vec::new();
        }
        wrap(&visible(words), self.limit.unwrap_or(usize::MAX))
    }

    fn bold(&self, lines: Vec<String>) -> Vec<String> {
        if !self.colour {
            return lines;
        }
        lines
            .into_iter()
            .map(|line| format!("{BOLD}{line}{PLAIN}"))
            .collect()
    }

    /// Company, title and period, each centred over the widest table.
    fn letterhead(&self, head: &Letterhead, table_width: Option<usize>) -> Vec<String> {
        let names = [self.words(&head.company), self.words(&self.sheet.title)].concat();
        let period = head.period.map(|period| self.words(&period.text()));
        let period = period.unwrap_or_default();
        let own_width = names.iter().chain(&period).map(|line| line.width()).max();
        let width = table_width.max(own_width).unwrap_or(0);
        let centred = |lines: Vec<String>| -> Vec<String> {
            let indent = |line: &String| " ".repeat(width.saturating_sub(line.width()) / 2);
            lines.iter().map(|line| indent(line) + line).collect()
        };
        let mut lines = self.bold(centred(names));
        lines.extend(centred(period));
        lines
    }
}

/// The fields as a table of two columns of words: labels keep their room longer than values.
fn fields_table(sheet: &Sheet) -> Option<Table> {
    if sheet.fields.is_empty() {
        return None;
    }
    let rows = sheet.fields.iter().map(|field| Row {
        kind: RowKind::Line,
        depth: 0,
        caption: None,
        cells: vec![Cell::Text(field.label.clone()), field.cell.clone()],
        account: None,
        repeat: false,
    });
    Some(Table {
        title: None,
        columns: vec![
            Column::new("label", "", ColKind::Text { weight: 1 }),
            Column::new("value", "", ColKind::Text { weight: 2 }),
        ],
        rows: rows.collect(),
    })
}

#[cfg(test)]
mod tests;
