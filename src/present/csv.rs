//! A sheet's one table as CSV for spreadsheets and programs, and the guard against cells that a spreadsheet would run.
//!
//! No title, note or footer: JSON and the page carry those. JSON is also the form that changes no text.

use std::borrow::Cow;

use crate::model::{Currency, visible};
use crate::present::sheet::machine_text;
use crate::present::{Cell, Row, Sheet, Table};

/// The sheet's table as CSV, or `None` when it has not exactly one.
///
/// UTF-8 without a byte order mark, lines end with CR LF (RFC 4180). A statement's rows begin with `row,level,account_code`,
/// those of another table that has sums with `row`;
/// a plain table has its columns' keys alone. Amounts are plain (`-1234.56`). Empty rows, and those that say that a section is empty, are left out. Text is guarded
/// ([`guard`]), its line breaks become blanks, and what cannot be seen is shown as `\u{…}`; numbers are never touched.
pub fn render(sheet: &Sheet) -> Option<String> {
    let [table] = sheet.tables.as_slice() else {
        return None;
    };
    let mut out = ::csv::WriterBuilder::new()
        .terminator(::csv::Terminator::CRLF)
        .flexible(true)
        .from_writer(Vec::new());
    let names_rows = sheet.names_rows(table);
    let mut write = |record: Vec<String>| {
        out.write_record(record)
            .expect("memory takes every byte, and records may differ in length");
    };
    let statement = sheet.letterhead.is_some();
    let lead = match (names_rows, statement) {
        (true, true) => &["row", "level", "account_code"][..],
        (true, false) => &["row"],
        (false, _) => &[],
    };
    let keys = table.columns.iter().map(|column| text(&column.key));
    write(
        lead.iter()
            .map(|key| (*key).to_owned())
            .chain(keys)
            .collect(),
    );
    for row in table.rows.iter().filter(|row| row.kind.is_for_programs()) {
        let mut record = Vec::with_capacity(lead.len() + row.cells.len());
        if names_rows {
            let account = row.account.as_deref().map(text);
            record.push(row.kind.name().to_owned());
            if statement {
                record.push(row.depth.to_string());
                record.push(account.unwrap_or_default());
            }
        }
        record.extend(values(table, row, sheet.currency));
        write(record);
    }
    let bytes = out
        .into_inner()
        .expect("memory takes every byte that was held back");
    Some(String::from_utf8(bytes).expect("only strings were written"))
}

fn values(table: &Table, row: &Row, currency: Currency) -> Vec<String> {
    let cells = row.cells.iter().map(|cell| match cell {
        Cell::Text(words) => text(words),
        other => machine_text(other, currency).unwrap_or_default(),
    });
    let mut values: Vec<String> = cells.collect();
    if let (Some(caption), Some(value)) = (&row.caption, values.get_mut(table.caption_column())) {
        *value = text(caption);
    }
    values
}

fn text(words: &str) -> String {
    let guarded = guard(words);
    let mut line = String::with_capacity(guarded.len());
    let mut chars = guarded.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => line.push(' '),
            c => line.push(c),
        }
    }
    visible(&line).into_owned()
}

/// Text that a spreadsheet will not take for a formula: `'` before what would begin one.
///
/// Source: OWASP, "CSV Injection". Guarded is text that begins, after blanks, with `= + - @ | %`, their full-width forms,
/// a tab or a line break. Text that already begins with `'` before such is guarded too, so that [`unguard`] is exact.
pub fn guard(text: &str) -> Cow<'_, str> {
    if could_run(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Text as it was before [`guard`]: exactly one `'` is taken away, and only where the guard would have put it.
pub fn unguard(text: &str) -> &str {
    text.strip_prefix('\'')
        .filter(|rest| could_run(rest))
        .unwrap_or(text)
}

fn could_run(text: &str) -> bool {
    let is_trigger = |c: char| {
        matches!(
            c,
            '=' | '+'
                | '-'
                | '@'
                | '|'
                | '%'
                | '\t'
                | '\r'
                | '\n'
                | '＝'
                | '＋'
                | '－'
                | '＠'
                | '｜'
                | '％'
        )
    };
    let is_blank = |c: char| !is_trigger(c) && (c.is_whitespace() || c == '\u{feff}');
    let bare = text.trim_start_matches('\'').trim_start_matches(is_blank);
    bare.starts_with(is_trigger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::sample::balance_sheet;
    use proptest::prelude::*;
    use serde_json::json;

    /// A statement's CSV names each row, writes plain amounts and leaves empty rows out.
    #[test]
    fn statement() {
        let expected = "row,level,account_code,account,amount\r\n\
            heading,0,,ASSETS,\r\n\
            line,1,1000,1000 Checking,12345.67\r\n\
            line,1,1590,1590 Accumulated Depreciation,-2000.00\r\n\
            statement_total,0,,TOTAL ASSETS,10345.67\r\n\
            heading,0,,LIABILITIES AND EQUITY,\r\n\
            line,1,2000,2000 Accounts Payable,345.67\r\n\
            subtotal,1,,Total liabilities,345.67\r\n\
            line,1,3000,3000 Owner's Capital,11000.00\r\n\
            line,1,,Net income (loss),-1000.00\r\n\
            total,1,,Total equity,10000.00\r\n\
            statement_total,0,,TOTAL LIABILITIES AND EQUITY,10345.67\r\n";
        assert_eq!(render(&balance_sheet()).as_deref(), Some(expected));
    }

    /// A plain table has its keys alone; text is guarded, quoted and kept on one line, and numbers are not touched.
    #[test]
    fn plain_table() {
        let sheet = Sheet::from_value(
            "Lines",
            &json!([
                {"id": -5, "memo": "=1+1", "amount": "-12.34"},
                {"id": 6, "memo": "a \"b\",\r\nc\n\u{202e}d", "amount": "1234.50"},
                {"id": 7, "memo": null},
            ]),
        );
        let expected = "id,memo,amount\r\n\
            -5,'=1+1,-12.34\r\n\
            6,\"a \"\"b\"\", c \\u{202e}d\",1234.50\r\n\
            7,,\r\n";
        assert_eq!(render(&sheet).as_deref(), Some(expected));
    }

    /// Without a table, or with two, there is no main table to write.
    #[test]
    fn no_main_table() {
        assert_eq!(render(&Sheet::from_value("", &json!({"id": 5}))), None);
        let two = json!({"a": [{"x": 1}], "b": [{"x": 1}]});
        assert_eq!(render(&Sheet::from_value("", &two)), None);
    }

    /// spec/reliability.md §6.13: what a spreadsheet could run gets one `'`, anything else none.
    #[test]
    fn guarding() {
        for bad in [
            "=1",
            "+1",
            "-1",
            "@x",
            "|x",
            "%x",
            "\tx",
            "\rx",
            "\nx",
            "＝1",
            "＋1",
            "－1",
            "＠x",
            "  =1",
            "\u{a0}=1",
            "\u{feff}=1",
            "\u{3000}＝1",
            "'=1",
            "''-x",
        ] {
            assert_eq!(guard(bad), format!("'{bad}"), "{bad:?}");
        }
        for good in ["", "a=1", "1-2", "'quoted'", "it's", " x", "(5.00)", "–"] {
            assert_eq!(guard(good), good, "{good:?}");
            assert_eq!(unguard(good), good, "{good:?}");
        }
    }

    proptest! {
        /// Taking the guard away gives back exactly the text that was guarded.
        #[test]
        fn round_trip(text in "[' =+@|%\u{a0}\t\n\ra-]{0,6}.{0,4}") {
            let guarded = guard(&text).into_owned();
            prop_assert_eq!(unguard(&guarded), text.as_str());
        }

        /// No text that leaves the guard begins, after blanks, with a character that a spreadsheet runs.
        #[test]
        fn nothing_runs(text in "[' =+@|%\u{a0}\t\n\ra-]{0,6}.{0,4}") {
            let guarded = guard(&text).into_owned();
            let first = guarded.trim_start_matches([' ', '\u{a0}']).chars().next();
            prop_assert!(!first.is_some_and(|c| "=+-@|%\t\r\n".contains(c)), "{:?}", guarded);
        }
    }
}
