//! Who was paid, as far as a bank's description tells: the description folded and without its reference numbers.
//! It is for learning and grouping; nothing posts by it.

use crate::model::fold_for_search;

/// Digits from which a word counts as a reference: store numbers, phone numbers, dates without marks, card ends.
const REFERENCE_DIGITS_MIN: usize = 3;
/// Words that announce a reference, dropped together with it.
const LABELS: [&str; 11] = [
    "id",
    "ref",
    "reference",
    "conf",
    "confirmation",
    "trace",
    "trn",
    "no",
    "nbr",
    "number",
    "auth",
];

/// The normalised merchant of a description.
///
/// 1. Fold as search does: lower case, no accents, single spaces.
/// 2. Cut into words at white space and at `*`, `#`, `:`, `,` and `;` (`SQ *CAFE`, `US*2A3B4`, `ID: 99`).
/// 3. Drop words with three or more digits (`7-eleven` and `3m` stay), words of `x` marks that hide a number
///    (`xxxx1234`, `xxxx`), dates such as `10/31`, and a label (`id`, `ref` …) that stands before a dropped word.
/// 4. Where nothing is left, the folded description itself.
pub fn merchant(description: &str) -> String {
    let folded = fold_for_search(description);
    let cut = |c: char| c.is_whitespace() || matches!(c, '*' | '#' | ':' | ',' | ';');
    let mut kept: Vec<&str> = Vec::new();
    for word in folded.split(cut) {
        let word = word.trim_matches(['-', '/', '.']);
        if word.is_empty() {
            continue;
        }
        if is_reference(word) {
            while kept.last().is_some_and(|w| LABELS.contains(w)) {
                kept.pop();
            }
        } else {
            kept.push(word);
        }
    }
    if kept.is_empty() {
        return folded;
    }
    kept.join(" ")
}

fn is_reference(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let masked = word.starts_with("xx") && word.chars().all(|c| c == 'x' || c.is_ascii_digit());
    let dated =
        digits >= 2 && word.contains(['/', '-']) && word.chars().all(|c| !c.is_alphabetic());
    digits >= REFERENCE_DIGITS_MIN || masked || dated
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// spec/domain.md §10.3: the same shop is the same merchant whatever its reference numbers.
    #[test]
    fn merchants() {
        let table = [
            ("STARBUCKS STORE 04512", "starbucks store"),
            ("Starbucks Store #00881", "starbucks store"),
            ("SQ *BLUE DOOR CAFÉ", "sq blue door cafe"),
            ("AMZN Mktp US*2A3BC4D5E", "amzn mktp us"),
            ("AMZN Mktp US*9Z8Y7X6W5", "amzn mktp us"),
            ("ACME PAYROLL PPD ID: 1234567890", "acme payroll ppd"),
            ("ONLINE TRANSFER REF #IB0ABC1234 10/31", "online transfer"),
            ("PAYMENT TO CARD XXXXXXXXXXXX1234", "payment to card"),
            ("7-ELEVEN 3M 24", "7-eleven 3m 24"),
            ("CHECK 1043", "check"),
            ("0012345", "0012345"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(merchant(text), expected, "{text}");
        }
    }

    proptest! {
        /// A merchant is its own merchant.
        #[test]
        fn settled(text in "[ -~]{0,60}") {
            let once = merchant(&text);
            prop_assert_eq!(merchant(&once), once);
        }
    }
}
