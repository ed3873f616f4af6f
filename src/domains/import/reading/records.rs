//! From text to records, pulled one at a time: quotes, line numbers, limits. It knows no columns.

use std::io::{Chain, Read};

use csv::StringRecord;

use crate::domains::import::reading::refused::{NOT_TEXT, QUOTE_OPEN, Refused, TOO_LARGE};

/// The most bytes of one field, decoded.
pub const FIELD_BYTES_MAX: usize = 64 * 1024;
/// The most columns of one record.
pub const COLUMNS_MAX: usize = 1_000;
/// The most bytes of one record: a row's text is kept whole, so it may not be a book.
pub const RECORD_BYTES_MAX: usize = 256 * 1024;

/// What is read behind the text. Text holds no NUL, so a field that swallowed this one had an open quote.
const END: &[u8] = b"\n\0\n";

/// One record: its cells and where it stood.
#[derive(Clone, Debug)]
pub(super) struct Record<'t> {
    /// The line on which it begins, from 1; LF, CR LF and CR each end a line.
    pub line: u64,
    /// Its cells, unquoted, untrimmed.
    pub cells: StringRecord,
    /// The text it was read from, without the line's end.
    pub raw: &'t str,
}

/// The records of a text under one delimiter; empty lines are no records.
pub(super) struct Records<'t> {
    reader: csv::Reader<Chain<&'t [u8], &'static [u8]>>,
    text: &'t str,
    at: usize,
    line: u64,
    ended: bool,
    delimiter: u8,
}

impl<'t> Records<'t> {
    /// Starts at the text's beginning.
    pub fn new(text: &'t str, delimiter: u8) -> Records<'t> {
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(text.as_bytes().chain(END));
        Records {
            reader,
            text,
            at: 0,
            line: 1,
            ended: false,
            delimiter,
        }
    }

    fn pull(&mut self) -> Result<Option<Record<'t>>, Refused> {
        let mut cells = StringRecord::new();
        let malformed = |line: u64| {
            let message = format!("line {line} cannot be split into fields");
            Refused::new(NOT_TEXT, message, "export the file again, as CSV in UTF-8")
        };
        if !self
            .reader
            .read_record(&mut cells)
            .map_err(|_| malformed(self.line))?
        {
            return Ok(None);
        }
        let end = usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX);
        let end = end.min(self.text.len());
        // The reader may leave a line feed behind a carriage return, and passes over empty lines: they come first here.
        let chunk = self.text.get(self.at..end).unwrap_or_default();
        let raw = chunk.trim_start_matches(['\r', '\n']);
        let start = self.at + (chunk.len() - raw.len());
        self.line += line_ends(self.text, self.at, start);
        let line = self.line;
        self.line += line_ends(self.text, start, end);
        self.at = end;
        if cells.iter().any(|cell| cell.contains('\0')) {
            return if cells.len() == 1 && &cells[0] == "\0" {
                Ok(None)
            } else {
                Err(Refused::new(
                    QUOTE_OPEN,
                    format!("a quotation mark opens in the record of line {line} and never closes"),
                    "correct the line, or export the file again",
                ))
            };
        }
        held(line, &cells, raw)?;
        if swallows_a_line(raw, self.delimiter) {
            return Err(Refused::new(
                QUOTE_OPEN,
                format!(
                    "a quotation mark opens in the record of line {line} and closes in the middle of a later line"
                ),
                "correct the line, or export the file again",
            ));
        }
        Ok(Some(Record {
            line,
            cells,
            raw: raw.trim_end_matches(['\r', '\n']),
        }))
    }
}

impl<'t> Iterator for Records<'t> {
    type Item = Result<Record<'t>, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let pulled = self.pull().transpose();
        self.ended = !matches!(pulled, Some(Ok(_)));
        pulled
    }
}

/// Whether a quoted field runs over a line's end and text follows its closing mark: a missing mark then made one record of two.
fn swallows_a_line(raw: &str, delimiter: u8) -> bool {
    let bytes = raw.as_bytes();
    let (mut at, mut field_start, mut quoted, mut over) = (0, true, false, false);
    while let Some(&b) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match (quoted, b) {
            (true, b'"') if next == Some(b'"') => at += 1,
            (true, b'"') => {
                let ends = next.is_none_or(|n| n == delimiter || n == b'\r' || n == b'\n');
                if over && !ends {
                    return true;
                }
                quoted = false;
            }
            (true, b'\n' | b'\r') => over = true,
            (false, b'"') if field_start => (quoted, over) = (true, false),
            _ => {}
        }
        field_start = !quoted && b == delimiter;
        at += 1;
    }
    false
}

/// How many lines end between two places; a CR and its LF, even when the cut falls between them, count once.
fn line_ends(text: &str, from: usize, to: usize) -> u64 {
    let bytes = text.as_bytes();
    let ends = (from..to).filter(|&i| match bytes[i] {
        b'\n' => i == 0 || bytes[i - 1] != b'\r',
        b => b == b'\r',
    });
    ends.count() as u64
}

fn held(line: u64, cells: &StringRecord, raw: &str) -> Result<(), Refused> {
    let over = |what: &str, found: usize, limit: usize| {
        let message = format!("the record of line {line} has {found} {what}; at most {limit}");
        let hint = "this is no bank's row: look for a missing quotation mark";
        Err(Refused::new(TOO_LARGE, message, hint))
    };
    let longest = cells.iter().map(str::len).max().unwrap_or(0);
    if longest > FIELD_BYTES_MAX {
        return over("bytes in one field", longest, FIELD_BYTES_MAX);
    }
    if cells.len() > COLUMNS_MAX {
        return over("columns", cells.len(), COLUMNS_MAX);
    }
    if raw.len() > RECORD_BYTES_MAX {
        return over("bytes", raw.len(), RECORD_BYTES_MAX);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Line, cells, raw text.
    type Row = (u64, Vec<String>, String);

    fn read(text: &str) -> Result<Vec<Row>, &'static str> {
        Records::new(text, b',')
            .map(|r| r.map_err(|r| r.code))
            .map(|r| {
                r.map(|r| {
                    let cells = r.cells.iter().map(str::to_owned).collect();
                    (r.line, cells, r.raw.to_owned())
                })
            })
            .collect()
    }

    fn row(line: u64, cells: &[&str], raw: &str) -> Row {
        let cells = cells.iter().map(|c| (*c).to_owned()).collect();
        (line, cells, raw.to_owned())
    }

    /// spec/domain.md §10.3: quotes with embedded line ends; CR LF, LF and CR; lines are counted as an editor counts.
    #[test]
    fn line_numbers() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("a,b{end}{end}\"c{end}d\",e{end}f,\"g \"\"h\"\"\"{end}");
            let expected = vec![
                row(1, &["a", "b"], "a,b"),
                row(3, &[&format!("c{end}d"), "e"], &format!("\"c{end}d\",e")),
                row(5, &["f", "g \"h\""], "f,\"g \"\"h\"\"\""),
            ];
            assert_eq!(read(&text), Ok(expected), "{end:?}");
        }
        assert_eq!(
            read("a\nb"),
            Ok(vec![row(1, &["a"], "a"), row(2, &["b"], "b")])
        );
    }

    /// spec/domain.md §10.2, Bank of America: a stray quotation mark inside a field does not break the row.
    #[test]
    fn stray_quotes() {
        assert_eq!(
            read("1,PIPE 5\" LONG,2\n3,x,4"),
            Ok(vec![
                row(1, &["1", "PIPE 5\" LONG", "2"], "1,PIPE 5\" LONG,2"),
                row(2, &["3", "x", "4"], "3,x,4"),
            ])
        );
    }

    /// spec/reliability.md D1: a quotation mark that never closes, a huge field and a thousand columns are refused.
    #[test]
    fn limits() {
        assert_eq!(read("a,b\nc,\"d"), Err(QUOTE_OPEN));
        assert_eq!(read("\""), Err(QUOTE_OPEN));
        assert_eq!(read(&"x".repeat(FIELD_BYTES_MAX + 1)), Err(TOO_LARGE));
        assert!(read(&"x".repeat(FIELD_BYTES_MAX)).is_ok());
        assert_eq!(read(&",".repeat(COLUMNS_MAX)), Err(TOO_LARGE));
        assert!(read(&",".repeat(COLUMNS_MAX - 1)).is_ok());
        let wide = format!("{0},{0},{0},{0},{0}", "x".repeat(60_000));
        assert_eq!(read(&wide), Err(TOO_LARGE));
    }

    proptest! {
        /// Whatever the text, its records' raw text stands in it in order and on the lines that are told.
        #[test]
        fn raw_text_is_the_files(text in "([a-c,;\"]|\r\n|\n|\r){0,60}") {
            let lines: Vec<&str> = text.split_inclusive(['\r', '\n']).collect();
            let joined = lines.len();
            for (line, _, raw) in read(&text).unwrap_or_default() {
                prop_assert!(text.contains(&raw));
                prop_assert!(line >= 1 && line <= joined as u64 + 1);
            }
        }
    }
}
