//! Numbers that came as text or JSON and are shown as they came, but for separators of thousands. No arithmetic.

use crate::present::money::grouped;
use crate::present::{MoneyText, Negative};

/// A number in writing. It holds digits, signs, points and exponents alone, so no spreadsheet can read it as a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numeral(String);

impl Numeral {
    /// The number that `text` writes as `-?digits.digits`; nothing else counts, because `1000` may be an account's code.
    pub fn from_decimal_text(text: &str) -> Option<Numeral> {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let (whole, fraction) = text.strip_prefix('-').unwrap_or(text).split_once('.')?;
        (digits(whole) && digits(fraction)).then(|| Numeral(text.to_owned()))
    }

    /// A number of JSON, as JSON writes it.
    pub fn from_json(number: &serde_json::Number) -> Numeral {
        Numeral(number.to_string())
    }

    /// The number as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number for people: decimals with separators of thousands, whole numbers as they are, since most are ids.
    pub(super) fn shown(&self, negative: Negative) -> MoneyText {
        let is_decimal = Numeral::from_decimal_text(&self.0).is_some();
        let parts = self.0.split_once('.').filter(|_| is_decimal);
        let Some((whole, fraction)) = parts else {
            return MoneyText::new(false, self.0.clone(), negative);
        };
        let digits = whole.strip_prefix('-').unwrap_or(whole);
        let below_zero = digits.len() < whole.len();
        MoneyText::new(
            below_zero,
            format!("{}.{fraction}", grouped(digits)),
            negative,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only `-?digits.digits` is a decimal: codes, dates, versions and formulas are words.
    #[test]
    fn grammar() {
        for good in ["0.00", "-12.5", "1234567.891"] {
            assert_eq!(
                Numeral::from_decimal_text(good)
                    .as_ref()
                    .map(Numeral::as_str),
                Some(good)
            );
        }
        for bad in [
            "1000",
            "-5",
            "1.2.3",
            "2026-10-31",
            ".5",
            "5.",
            "+1.0",
            "=1.0",
            "1,000.00",
            "१.२",
            "",
        ] {
            assert_eq!(Numeral::from_decimal_text(bad), None, "{bad}");
        }
    }

    /// Every digit is shown; decimals get separators, whole numbers none.
    #[test]
    fn showing() {
        let shown = |text: &str, negative| {
            let numeral = Numeral::from_decimal_text(text).expect("a decimal");
            numeral.shown(negative).plain()
        };
        assert_eq!(shown("-1234567.50", Negative::Minus), "-1,234,567.50");
        assert_eq!(shown("-1234.5", Negative::Parentheses), "(1,234.5)");
        assert_eq!(shown("0.00015", Negative::Minus), "0.00015");
        let id = Numeral::from_json(&serde_json::Number::from(12_345));
        assert_eq!(id.shown(Negative::Minus).plain(), "12345");
        let negative = Numeral::from_json(&serde_json::Number::from(-5));
        assert_eq!(negative.shown(Negative::Minus).plain(), "-5");
    }
}
