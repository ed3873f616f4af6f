//! The number of a check: from a column of its own, or from a description that says nothing else. It reads no other cell.

use crate::model::TEXT_CHARS_MAX;

/// What stands where a bank gave no text.
const NO_DESCRIPTION: &str = "(no description)";
/// The most digits of a check's number. Printed ones have at most ten; more is some other reference.
const DIGITS_MAX: usize = 12;
/// Descriptions that are a check's number behind one of these and nothing more, in lower case.
const CHECK_WORDS: [&str; 6] = [
    "check",
    "check #",
    "check no.",
    "check number",
    "check paid",
    "check paid #",
];

/// The number of the check that a row pays: digits, without leading zeros.
///
/// Only money out is a check of the owner's; a deposit's slip may stand in the same column. Zero is a filler.
pub(super) fn number(cell: Option<&str>, description: &str, amount_minor: i64) -> Option<String> {
    if amount_minor >= 0 {
        return None;
    }
    cell.and_then(digits).or_else(|| told(description))
}

/// The number of a description that is one behind the word for a check, and nothing more.
fn told(description: &str) -> Option<String> {
    let words = description.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = description.strip_prefix(words)?;
    let words = words.trim_end().to_ascii_lowercase();
    let told = CHECK_WORDS.contains(&words.as_str());
    told.then(|| digits(number)).flatten()
}

/// The text of a row: the bank's, with the check's number behind it where the bank wrote that elsewhere.
pub(super) fn described(text: String, check_number: Option<&str>) -> String {
    let Some(number) = check_number else {
        return if text.is_empty() {
            NO_DESCRIPTION.to_owned()
        } else {
            text
        };
    };
    let mut runs = text.split(|c: char| !c.is_ascii_digit());
    let told = runs.any(|run| run.trim_start_matches('0') == number);
    if told || text.chars().count() + 1 + number.len() > TEXT_CHARS_MAX {
        return text;
    }
    let text = if text.is_empty() { "CHECK" } else { &text };
    format!("{text} {number}")
}

fn digits(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches('#').trim_start();
    let number = text.trim_start_matches('0');
    let fits = (1..=DIGITS_MAX).contains(&number.len());
    (fits && number.bytes().all(|b| b.is_ascii_digit())).then(|| number.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cell: Option<&str>, text: &str, minor: i64) -> (Option<String>, String) {
        let number = number(cell, text, minor);
        let described = described(text.to_owned(), number.as_deref());
        (number, described)
    }

    fn check(number: &str, described: &str) -> (Option<String>, String) {
        (Some(number.to_owned()), described.to_owned())
    }

    fn none(described: &str) -> (Option<String>, String) {
        (None, described.to_owned())
    }

    /// A check's number is kept from its column, or from a description that is nothing else, and stands in the text once.
    #[test]
    fn numbers() {
        assert_eq!(of(Some("1044"), "CHECK", -300), check("1044", "CHECK 1044"));
        assert_eq!(of(Some("#0012"), "CHECK 12", -1), check("12", "CHECK 12"));
        assert_eq!(of(Some("1044"), "", -300), check("1044", "CHECK 1044"));
        assert_eq!(of(None, "Check #1044", -1), check("1044", "Check #1044"));
        assert_eq!(of(Some(" "), "CHECK 1044", -1), check("1044", "CHECK 1044"));
        assert_eq!(of(None, "Check No. 7", -1), check("7", "Check No. 7"));
    }

    /// Deposit slips, fillers, words and other references are no check's number.
    #[test]
    fn no_numbers() {
        assert_eq!(of(Some("1044"), "DEPOSIT", 300), none("DEPOSIT"));
        assert_eq!(of(Some("0"), "FEE", -1), none("FEE"));
        assert_eq!(of(Some("n/a"), "FEE", -1), none("FEE"));
        assert_eq!(of(Some("1234567890123"), "X", -1), none("X"));
        assert_eq!(of(None, "SPELL CHECK 2026", -1), none("SPELL CHECK 2026"));
        assert_eq!(of(None, "1044", -1), none("1044"));
        assert_eq!(of(None, "", -1), none("(no description)"));
    }
}
