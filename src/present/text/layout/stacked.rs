//! A table that is wider than the page, a row beneath another: its words first, then a line for each figure. No figure is broken.

use unicode_width::UnicodeWidthStr;

use super::{INDENT, Layout, Piece, wrap};
use crate::model::visible;
use crate::present::{Row, RowKind};

impl Layout<'_> {
    /// The rows, each on lines of its own.
    pub(super) fn stacked(&self) -> Vec<String> {
        let mut lines = self.titles();
        if self.table.rows.is_empty() {
            lines.push("none".to_owned());
        }
        for row in &self.table.rows {
            match (&row.caption, row.kind) {
                (_, RowKind::Blank) => lines.push(String::new()),
                (Some(caption), _) => lines.extend(self.caption(row, caption)),
                (None, kind) => {
                    let stacked = self.stack(row);
                    lines.extend(if kind.bold() {
                        self.page.bold(stacked)
                    } else {
                        stacked
                    });
                }
            }
        }
        lines
    }

    /// What the words of a row are, in their order: figures have their titles beside them.
    fn titles(&self) -> Vec<String> {
        let words = self.table.columns.iter().filter(|c| !c.kind.is_numeric());
        let titles = words.map(|column| visible(&column.title).into_owned());
        let titles: Vec<String> = titles.filter(|title| !title.is_empty()).collect();
        if titles.is_empty() {
            return Vec::new();
        }
        let limit = self.page.limit.unwrap_or(usize::MAX);
        let mut lines = wrap(&titles.join("  "), limit);
        let width = lines.iter().map(|line| line.width()).max().unwrap_or(0);
        lines.push("─".repeat(width));
        lines
    }

    /// One row: its words in one paragraph, its figures under one another.
    fn stack(&self, row: &Row) -> Vec<String> {
        let limit = self.page.limit.unwrap_or(usize::MAX);
        let (mut words, mut figures) = (Vec::new(), Vec::new());
        for index in 0..self.columns.len() {
            match self.piece(row, index) {
                Piece::Words(text) if text.is_empty() => {}
                Piece::Words(text) => words.push(text),
                Piece::Figure(left, right) => figures.push((index, left, right)),
            }
        }
        let depth = usize::from(row.depth) * INDENT;
        let margin = " ".repeat(depth.min(limit / 2));
        let room = limit.saturating_sub(margin.len());
        let words = wrap(&words.join("  "), room);
        let mut lines: Vec<String> = words.iter().map(|line| format!("{margin}{line}")).collect();
        lines.extend(self.figures(&figures, &format!("{margin}{}", " ".repeat(INDENT))));
        lines
    }

    /// Figures with their columns' titles, aligned on the decimal point.
    fn figures(&self, figures: &[(usize, String, String)], margin: &str) -> Vec<String> {
        let all = self.columns.iter().zip(&self.table.columns);
        let numeric = all.filter(|(_, column)| column.kind.is_numeric());
        let (mut title_width, mut before) = (0, 0);
        for (measure, column) in numeric {
            title_width = title_width.max(visible(&column.title).width());
            before = before.max(measure.before);
        }
        let line = |(index, left, right): &(usize, String, String)| {
            let title = visible(&self.table.columns[*index].title);
            let gap = " ".repeat(title_width.saturating_sub(title.width()));
            let room = " ".repeat(before.saturating_sub(left.width()));
            format!("{margin}{title}{gap}  {room}{left}{right}")
        };
        figures.iter().map(line).collect()
    }
}
