//! Markdown, as far as the reference pages need it: cells, tables, and words that a page must not read as markup.

use std::fmt::Write;

/// A text as it may stand in a cell of a table or in a paragraph.
pub fn plain(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
        .replace('<', "&lt;")
}

/// A text in the type of code. No text of ours holds a backtick.
pub fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// A table, its cells already escaped. Nothing for no rows.
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    let rule = vec!["---"; headings.len()].join(" | ");
    // Writing to a String cannot fail.
    let _ = writeln!(out, "| {} |\n| {rule} |", headings.join(" | "));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell cannot break out of its column, and a table without rows is nothing.
    #[test]
    fn tables() {
        let rows = vec![vec![code("a|b"), plain("c\n <d> | e")]];
        assert_eq!(
            table(&["Name", "Meaning"], &rows),
            "| Name | Meaning |\n| --- | --- |\n| `a\\|b` | c &lt;d> \\| e |\n\n"
        );
        assert_eq!(table(&["Name"], &[]), "");
    }
}
