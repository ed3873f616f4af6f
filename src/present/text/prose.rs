//! A chapter of the help, written in Markdown, set for a screen: paragraphs filled, examples left alone. It renders no sheet.

use super::{TextStyle, wrap::wrap};

/// Lines longer than this are hard to read, however wide the screen.
const WIDTH_MAX: usize = 100;

/// The text set to the width of `style`; as it was written where there is no width.
///
/// Paragraphs and list items are filled, headings stand without their marks, the rows of a table stand beneath one another,
/// and indented examples are never broken.
pub fn prose(text: &str, style: &TextStyle) -> String {
    let Some(width) = style.width else {
        return text.to_owned();
    };
    let mut setter = Setter {
        width: if width < super::WIDTH_MIN {
            super::WIDTH_UNKNOWN
        } else {
            width.min(WIDTH_MAX)
        },
        out: Vec::new(),
        open: String::new(),
    };
    for line in text.lines() {
        setter.take(line, style.colour);
    }
    setter.close();
    setter.out.join("\n") + "\n"
}

struct Setter {
    width: usize,
    out: Vec<String>,
    /// The paragraph that is being read.
    open: String,
}

impl Setter {
    fn take(&mut self, line: &str, colour: bool) {
        if line.trim().is_empty() {
            self.close();
            self.out.push(String::new());
        } else if let Some(heading) = line.strip_prefix('#') {
            self.close();
            let heading = heading.trim_start_matches('#').trim();
            self.out.push(if colour {
                format!("{}{heading}{}", super::BOLD, super::PLAIN)
            } else {
                heading.to_owned()
            });
        } else if line.starts_with("    ") && self.open.is_empty() {
            self.out.push(line.to_owned());
        } else if line.starts_with('|') {
            self.close();
            self.row(line);
        } else {
            if line.starts_with("- ") {
                self.close();
            }
            if !self.open.is_empty() {
                self.open.push(' ');
            }
            self.open.push_str(line.trim());
        }
    }

    /// Ends the paragraph; the lines of a list's item stand beneath its first word.
    fn close(&mut self) {
        let paragraph = std::mem::take(&mut self.open);
        if paragraph.is_empty() {
            return;
        }
        match paragraph.strip_prefix("- ") {
            Some(item) => self.hang("- ", "  ", item),
            None => self.hang("", "", &paragraph),
        }
    }

    /// A row of a table: its first cell, and the others beneath it. The rule below the header is left out.
    fn row(&mut self, line: &str) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if cells
            .iter()
            .all(|cell| cell.trim_matches(['-', ':']).is_empty())
        {
            return;
        }
        for (place, cell) in cells.iter().enumerate() {
            let margin = if place == 0 { "  " } else { "      " };
            self.hang(margin, margin, cell);
        }
    }

    fn hang(&mut self, first: &str, next: &str, text: &str) {
        let lines = wrap(text, self.width.saturating_sub(next.len()));
        for (place, line) in lines.iter().enumerate() {
            let margin = if place == 0 { first } else { next };
            self.out.push(format!("{margin}{line}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paragraphs are filled to the width, examples are left, headings and tables lose their marks.
    #[test]
    fn set_for_a_screen() {
        let text = "# Entries\n\nAn entry has a date, a\ndescription and lines and more of them.\n\n    wb entry draft 'a long example that is wider than the page'\n\n| found | done |\n|---|---|\n| ok | nothing |\n\n- one item that is longer than the width of a page\n";
        let style = TextStyle {
            width: Some(40),
            colour: false,
        };
        let expected = "Entries\n\nAn entry has a date, a description and\nlines and more of them.\n\n    wb entry draft 'a long example that is wider than the page'\n\n  found\n      done\n  ok\n      nothing\n\n- one item that is longer than the width\n  of a page\n";
        assert_eq!(prose(text, &style), expected);
        let piped = TextStyle::default();
        assert_eq!(prose(text, &piped), text);
    }
}
