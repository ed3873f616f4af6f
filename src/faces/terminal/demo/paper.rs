//! The demo's receipts: small PDF files, made here so that the example books carry evidence without a file beside the program.

use std::fmt::Write;

/// A receipt as a PDF of one page: from whom, when, and how much.
///
/// The texts are the demo's own, plain ASCII without parentheses or backslashes, which PDF strings would have to escape.
pub fn receipt(what: &str, date: &str, total: &str) -> Vec<u8> {
    let text = format!(
        "BT /F1 12 Tf 24 96 Td ({what}) Tj 0 -24 Td ({date}) Tj 0 -24 Td (Total {total}) Tj ET"
    );
    let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 144]/Resources<</Font<</F1 {font}>>>>/Contents 4 0 R>>"
        ),
        format!("<</Length {}>>\nstream\n{text}\nendstream", text.len()),
    ];
    let mut pdf = String::from("%PDF-1.4\n");
    let mut table = String::from("0000000000 65535 f \n");
    for (number, object) in (1..).zip(&objects) {
        // Writing to a String cannot fail.
        let _ = writeln!(table, "{:010} 00000 n ", pdf.len());
        let _ = write!(pdf, "{number} 0 obj\n{object}\nendobj\n");
    }
    let (size, start) = (objects.len() + 1, pdf.len());
    let _ = write!(
        pdf,
        "xref\n0 {size}\n{table}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    );
    pdf.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The receipt is a PDF whose table of objects says where each begins (PDF 1.4, section 3.4.3).
    #[test]
    fn a_whole_pdf() {
        let pdf = String::from_utf8(receipt("Shop rent", "2025-01-01", "1850.00")).expect("ASCII");
        assert!(
            pdf.starts_with("%PDF-1.4\n") && pdf.ends_with("%%EOF\n"),
            "{pdf}"
        );
        let (_, table) = pdf.split_once("xref\n0 5\n").expect("a table");
        let offsets = table.lines().skip(1).take(4);
        for (number, line) in (1..).zip(offsets) {
            let at: usize = line[..10].parse().expect("an offset");
            assert!(
                pdf[at..].starts_with(&format!("{number} 0 obj\n")),
                "{line}"
            );
        }
        assert!(pdf.contains("(Total 1850.00)"));
    }
}
