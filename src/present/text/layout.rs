//! A table's columns measured, fitted to the page and set into lines. What a row looks like is asked of its kind.

use comfy_table::{Attribute, CellAlignment, ColumnConstraint, ContentArrangement, Width};
use unicode_width::UnicodeWidthStr;

use crate::model::visible;
use crate::present::text::{Page, wrap::wrap};
use crate::present::{Cell, ColKind, Negative, Row, RowKind, Shown, Table};

const GAP: u16 = 2;
const INDENT: usize = 2;
/// Below this a column of words is unreadable; a table that needs less is wider than the page instead.
const WORDS_WIDTH_MIN: usize = 10;
/// A word up to this long is not broken to make room.
const WORD_WIDTH_KEPT: usize = 22;
/// The table library counts columns in 16 bits; words beyond this wrap even on a page without a limit.
const COLUMN_WIDTH_MAX: usize = 30_000;

/// A table, measured.
pub(super) struct Layout<'p> {
    page: &'p Page<'p>,
    table: &'p Table,
    columns: Vec<Measure>,
    /// Whether a line end in a cell begins a line. Only among fields, where it cannot be taken for another row.
    lines_are_kept: bool,
}

/// How wide a column is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Measure {
    /// The most columns before and from the decimal point; both zero where there are no figures to align.
    before: usize,
    after: usize,
    /// What it would take unwrapped.
    natural: usize,
    /// What it must have.
    least: usize,
    /// Its share of scarce space.
    weight: Option<u16>,
    /// What it gets.
    width: usize,
}

impl<'p> Layout<'p> {
    pub(super) fn new(page: &'p Page<'p>, table: &'p Table) -> Layout<'p> {
        let mut layout = Layout {
            page,
            table,
            columns: Vec::new(),
            lines_are_kept: table.columns.iter().all(|column| column.title.is_empty()),
        };
        let measured = 0..table.columns.len();
        layout.columns = measured.map(|index| layout.measure(index)).collect();
        fit(&mut layout.columns, page.limit.unwrap_or(usize::MAX));
        layout
    }

    /// The width that text above the table is centred over.
    pub(super) fn width(&self) -> usize {
        total(self.columns.iter().map(|column| column.width))
    }

    fn measure(&self, index: usize) -> Measure {
        let column = &self.table.columns[index];
        let (mut before, mut after, mut words, mut longest) = (0, 0, 0, 0);
        for row in self.table.rows.iter().filter(|row| row.caption.is_none()) {
            match self.piece(row, index) {
                Piece::Words(text) => {
                    let indent = self.indent(row, index);
                    let widest = |parts: &mut dyn Iterator<Item = &str>| {
                        indent + parts.map(UnicodeWidthStr::width).max().unwrap_or(0)
                    };
                    words = words.max(widest(&mut text.split('\n')));
                    longest = longest.max(widest(&mut text.split([' ', '\n'])));
                }
                Piece::Figure(left, right) => {
                    before = before.max(left.width());
                    after = after.max(right.width());
                }
            }
        }
        let title = visible(&column.title);
        let room = self.room(index);
        let title_words = title.split(' ').map(UnicodeWidthStr::width);
        let title_word = title_words.max().unwrap_or(0) + room;
        let content = words.max(before + after);
        let natural = content.max(title.width() + room).min(COLUMN_WIDTH_MAX);
        let weight = column.kind.weight();
        let least = match weight {
            Some(_) => natural.min(
                WORDS_WIDTH_MIN
                    .max(longest.min(WORD_WIDTH_KEPT))
                    .max(title_word.min(WORD_WIDTH_KEPT)),
            ),
            None => content.max(title_word).min(COLUMN_WIDTH_MAX),
        };
        Measure {
            before,
            after,
            natural,
            least,
            weight,
            width: natural,
        }
    }

    /// A cell in the pieces that are measured. Statements leave room for the closing parenthesis behind every figure.
    fn piece(&self, row: &Row, index: usize) -> Piece {
        let cell = row.cells.get(index).unwrap_or(&Cell::Empty);
        match self.page.sheet.shown(row.kind, cell) {
            Shown::Words(words) if self.lines_are_kept => {
                let lines: Vec<_> = words.trim_end().split('\n').map(visible).collect();
                Piece::Words(lines.join("\n"))
            }
            Shown::Words(words) => Piece::Words(visible(&words).into_owned()),
            Shown::Figure(figure) if !self.table.columns[index].kind.is_numeric() => {
                Piece::Words(figure.plain())
            }
            Shown::Figure(figure) => {
                let (left, mut right) = figure.around_point();
                if figure.close.is_empty() && self.keeps_room() {
                    right.push(' ');
                }
                Piece::Figure(left, right)
            }
        }
    }

    fn keeps_room(&self) -> bool {
        self.page.sheet.negative() == Negative::Parentheses
    }

    /// The blanks behind a column's title, which ends where the digits end.
    fn room(&self, index: usize) -> usize {
        usize::from(self.keeps_room() && self.table.columns[index].kind.is_numeric())
    }

    /// How far a row's label would be indented if there were room.
    fn indent(&self, row: &Row, index: usize) -> usize {
        match self.table.columns[index].kind {
            ColKind::Label { .. } => usize::from(row.depth) * INDENT,
            _ => 0,
        }
    }

    /// The table's title, header and rows.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = match &self.table.title {
            Some(title) => self.page.bold(self.page.words(title)),
            None => Vec::new(),
        };
        if self.page.limit.is_some_and(|limit| self.width() > limit) {
            lines.extend(self.stacked());
            return lines;
        }
        let mut grid = self.grid();
        if self
            .table
            .columns
            .iter()
            .any(|column| !column.title.is_empty())
        {
            grid.add_row(self.header());
            grid.add_row(self.rule('─', |_| true));
        }
        if self.table.rows.is_empty() {
            self.close(&mut grid, &mut lines);
            lines.push("none".to_owned());
            return lines;
        }
        for row in &self.table.rows {
            match (&row.caption, row.kind) {
                (_, RowKind::Blank) => {
                    self.close(&mut grid, &mut lines);
                    lines.push(String::new());
                }
                (Some(caption), _) => {
                    self.close(&mut grid, &mut lines);
                    lines.extend(self.caption(row, caption));
                }
                (None, _) => self.add(&mut grid, row),
            }
        }
        self.close(&mut grid, &mut lines);
        lines
    }

    /// The titles, each broken to its column's width and standing on the rule below.
    fn header(&self) -> Vec<comfy_table::Cell> {
        let titles: Vec<Vec<String>> = (0..self.columns.len()).map(|i| self.title(i)).collect();
        let height = titles.iter().map(Vec::len).max().unwrap_or(0);
        let cells = titles.iter().enumerate().map(|(index, lines)| {
            let above = "\n".repeat(height - lines.len());
            self.set(above + &lines.join("\n"), index, true)
        });
        cells.collect()
    }

    fn title(&self, index: usize) -> Vec<String> {
        let title = visible(&self.table.columns[index].title);
        let room = self.room(index);
        let lines = wrap(&title, self.columns[index].width.saturating_sub(room));
        let lines = lines
            .iter()
            .map(|line| format!("{line}{}", " ".repeat(room)));
        lines.collect()
    }

    fn add(&self, grid: &mut comfy_table::Table, row: &Row) {
        let is_amount = |index: usize| row.cells.get(index).and_then(Cell::minor).is_some();
        if row.kind.rule_above() {
            grid.add_row(self.rule('─', is_amount));
        }
        let bold = row.kind.bold();
        let cells = (0..self.columns.len()).map(|i| self.set(self.cell(row, i), i, bold));
        grid.add_row(cells.collect::<Vec<_>>());
        if row.kind.double_rule_below() {
            grid.add_row(self.rule('═', is_amount));
        }
    }

    /// A cell's lines, broken to its column's width.
    fn cell(&self, row: &Row, index: usize) -> String {
        let column = &self.columns[index];
        match self.piece(row, index) {
            Piece::Figure(left, right) => {
                let room = " ".repeat(column.after.saturating_sub(right.width()));
                format!("{left}{right}{room}")
            }
            Piece::Words(words) if words.is_empty() => String::new(),
            Piece::Words(words) => {
                // However deep the label, half of the column is left for its words.
                let indent = self.indent(row, index).min(column.width / 2);
                let room = column.width.saturating_sub(indent);
                let lines: Vec<String> = words
                    .split('\n')
                    .flat_map(|line| wrap(line, room))
                    .collect();
                let margin = " ".repeat(indent);
                let lines: Vec<String> =
                    lines.iter().map(|line| format!("{margin}{line}")).collect();
                lines.join("\n")
            }
        }
    }

    fn caption(&self, row: &Row, caption: &str) -> Vec<String> {
        let limit = self.page.limit.unwrap_or(usize::MAX);
        let margin = " ".repeat((usize::from(row.depth) * INDENT).min(limit / 2));
        let room = limit - margin.len();
        let lines = wrap(&visible(caption), room);
        let lines = lines.iter().map(|line| format!("{margin}{line}")).collect();
        if row.kind.bold() {
            self.page.bold(lines)
        } else {
            lines
        }
    }

    fn rule(&self, stroke: char, wanted: impl Fn(usize) -> bool) -> Vec<comfy_table::Cell> {
        let strokes = self.columns.iter().enumerate().map(|(index, column)| {
            let strokes = if wanted(index) { column.width } else { 0 };
            stroke.to_string().repeat(strokes)
        });
        strokes.map(comfy_table::Cell::new).collect()
    }

    fn set(&self, text: String, index: usize, bold: bool) -> comfy_table::Cell {
        let numeric = self.table.columns[index].kind.is_numeric();
        let cell = comfy_table::Cell::new(text).set_alignment(if numeric {
            CellAlignment::Right
        } else {
            CellAlignment::Left
        });
        if bold && self.page.colour {
            cell.add_attribute(Attribute::Bold)
        } else {
            cell
        }
    }

    /// Rows that will stand between two captions. All grids of a table have the same column widths.
    fn grid(&self) -> comfy_table::Table {
        let mut grid = comfy_table::Table::new();
        grid.load_style(comfy_table::presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .force_no_tty();
        if self.page.colour {
            grid.enforce_styling().style_text_only();
        }
        grid
    }

    /// Moves the grid's lines to the page and begins the next.
    fn close(&self, grid: &mut comfy_table::Table, lines: &mut Vec<String>) {
        let mut done = std::mem::replace(grid, self.grid());
        if done.is_empty() {
            return;
        }
        let last = self.columns.len().saturating_sub(1);
        for (index, measure) in self.columns.iter().enumerate() {
            let gap = if index == last { 0 } else { GAP };
            if let Some(column) = done.column_mut(index) {
                let width = u16::try_from(measure.width)
                    .unwrap_or(u16::MAX)
                    .saturating_add(gap);
                column.set_padding((0, gap));
                column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
            }
        }
        lines.extend(done.lines());
    }
}

/// A cell's text: words, or a figure cut at its decimal point.
enum Piece {
    Words(String),
    Figure(String, String),
}

fn total(widths: impl ExactSizeIterator<Item = usize>) -> usize {
    let gaps = widths.len().saturating_sub(1) * usize::from(GAP);
    widths.sum::<usize>() + gaps
}

/// Gives every column its width, so that the table is at most `limit` wide if the columns' least widths allow it.
///
/// Columns of figures keep what they must have; columns of words share the rest by weight, and none gets more than it
/// needs.
fn fit(columns: &mut [Measure], limit: usize) {
    if total(columns.iter().map(|column| column.natural)) <= limit {
        return;
    }
    let mut open: Vec<usize> = Vec::new();
    for (index, column) in columns.iter_mut().enumerate() {
        match column.weight {
            Some(_) => open.push(index),
            None => column.width = column.least,
        }
    }
    let fixed = columns.iter().filter(|column| column.weight.is_none());
    let fixed: usize = fixed.map(|column| column.width).sum();
    let gaps = columns.len().saturating_sub(1) * usize::from(GAP);
    let mut left = limit.saturating_sub(fixed + gaps);
    let weight = |column: &Measure| usize::from(column.weight.unwrap_or(1).max(1));
    loop {
        let weights: usize = open.iter().map(|i| weight(&columns[*i])).sum();
        let settled = open.iter().position(|i| {
            let share = left * weight(&columns[*i]) / weights;
            columns[*i].natural <= share || share < columns[*i].least
        });
        let Some(place) = settled else { break };
        let column = &mut columns[open.remove(place)];
        let share = left * weight(column) / weights;
        column.width = column.natural.min(share.max(column.least));
        left = left.saturating_sub(column.width);
    }
    let mut weights: usize = open.iter().map(|i| weight(&columns[*i])).sum();
    for index in open {
        let column = &mut columns[index];
        column.width = left * weight(column) / weights;
        left -= column.width;
        weights -= weight(column);
    }
}

mod stacked;

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(columns: &[(usize, usize, Option<u16>)], limit: usize) -> Vec<usize> {
        let mut columns: Vec<Measure> = columns
            .iter()
            .map(|(natural, least, weight)| Measure {
                natural: *natural,
                least: *least,
                weight: *weight,
                width: *natural,
                ..Measure::default()
            })
            .collect();
        fit(&mut columns, limit);
        columns.iter().map(|column| column.width).collect()
    }

    /// Figures keep their width, short words theirs, and long words share what is left by weight.
    #[test]
    fn fitting() {
        let columns = [
            (50, 10, Some(2)),
            (50, 10, Some(1)),
            (4, 4, Some(1)),
            (20, 12, None),
        ];
        assert_eq!(fitted(&columns, 200), [50, 50, 4, 20]);
        // 80 less 12 of figures, 6 of gaps and 4 of short words leave 58: 38 and 20.
        assert_eq!(fitted(&columns, 80), [38, 20, 4, 12]);
        // 40 leave 18: too little for both, so each keeps what it must have.
        assert_eq!(fitted(&columns, 40), [10, 10, 4, 12]);
    }
}
