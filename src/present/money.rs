//! The one formatter of amounts and percentages for people, in pieces that every renderer aligns alike. No parsing.

use rust_decimal::{Decimal, RoundingStrategy};

use crate::model::Currency;

/// How a negative figure is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Negative {
    /// `(1,234.56)`, as statements have it.
    Parentheses,
    /// `-1,234.56`.
    Minus,
}

/// A figure in pieces: `open`, `symbol`, `digits`, `close`, written one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoneyText {
    /// `(` or `-` before a negative figure.
    pub open: &'static str,
    /// The currency's sign, with its blank where it has one.
    pub symbol: String,
    /// The digits with separators of thousands, and what belongs to them (`%`).
    pub digits: String,
    /// `)` after a negative figure in parentheses.
    pub close: &'static str,
}

impl MoneyText {
    pub(super) fn new(is_negative: bool, digits: String, negative: Negative) -> MoneyText {
        let (open, close) = match (is_negative, negative) {
            (false, _) => ("", ""),
            (true, Negative::Parentheses) => ("(", ")"),
            (true, Negative::Minus) => ("-", ""),
        };
        MoneyText {
            open,
            symbol: String::new(),
            digits,
            close,
        }
    }

    /// The whole figure.
    pub fn plain(&self) -> String {
        format!("{}{}{}{}", self.open, self.symbol, self.digits, self.close)
    }

    /// The figure before its decimal point, and from the point on.
    pub fn around_point(&self) -> (String, String) {
        let whole = self.digits.find(['.', '%']).unwrap_or(self.digits.len());
        let (whole, rest) = self.digits.split_at(whole);
        (
            format!("{}{}{whole}", self.open, self.symbol),
            format!("{rest}{}", self.close),
        )
    }
}

/// An amount for people's eyes.
///
/// Units: minor units of `currency`. Rounding: none; it shows every minor unit. Zero has no sign. With `symbol`, the
/// currency's sign stands before the digits; a sign made of letters is replaced by the currency's code and a blank,
/// because letters would run into the digits and Arabic ones would turn them round.
pub fn money_text(minor: i64, currency: Currency, symbol: bool, negative: Negative) -> MoneyText {
    let places = usize::try_from(currency.exponent()).unwrap_or(0);
    let magnitude = format!("{:0>width$}", minor.unsigned_abs(), width = places + 1);
    let (whole, fraction) = magnitude.split_at(magnitude.len() - places);
    let point = if places == 0 { "" } else { "." };
    let digits = format!("{}{point}{fraction}", grouped(whole));
    let mut text = MoneyText::new(minor < 0, digits, negative);
    if symbol {
        text.symbol = sign(currency);
    }
    text
}

fn sign(currency: Currency) -> String {
    let symbol = currency.symbol();
    if symbol.chars().any(char::is_alphabetic) {
        format!("{} ", currency.code())
    } else {
        symbol
    }
}

/// Digits with a comma before every third from the right.
pub(super) fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A percentage for people: one decimal, halves away from zero.
pub(super) fn percent_text(percent: Decimal, negative: Negative) -> MoneyText {
    let rounded = percent.round_dp_with_strategy(1, RoundingStrategy::MidpointAwayFromZero);
    let text = format!("{:.1}", rounded.abs());
    let (whole, tenth) = text.split_once('.').unwrap_or((&text, "0"));
    let below_zero = rounded.is_sign_negative() && !rounded.is_zero();
    MoneyText::new(below_zero, format!("{}.{tenth}%", grouped(whole)), negative)
}

/// A percentage for programs: four decimals, halves away from zero, no sign of its own.
pub(super) fn percent_machine(percent: Decimal) -> String {
    let rounded = percent.round_dp_with_strategy(4, RoundingStrategy::MidpointAwayFromZero);
    let unsigned_zero = if rounded.is_zero() {
        Decimal::ZERO
    } else {
        rounded
    };
    format!("{unsigned_zero:.4}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(minor: i64, code: &str, symbol: bool, negative: Negative) -> String {
        let currency = Currency::from_code(code).expect("a listed code");
        money_text(minor, currency, symbol, negative).plain()
    }

    /// spec/domain.md §13.2: separators of thousands, `$` where asked for, negatives in parentheses on statements.
    #[test]
    fn dollars() {
        use Negative::{Minus, Parentheses};
        let cases = [
            (0, false, Parentheses, "0.00"),
            (5, false, Parentheses, "0.05"),
            (-5, false, Parentheses, "(0.05)"),
            (99_999, false, Minus, "999.99"),
            (100_000, true, Minus, "$1,000.00"),
            (-480_000, true, Parentheses, "($4,800.00)"),
            (-480_000, true, Minus, "-$4,800.00"),
            (123_456_789, false, Minus, "1,234,567.89"),
            (i64::MIN, false, Minus, "-92,233,720,368,547,758.08"),
        ];
        for (minor, symbol, negative, expected) in cases {
            assert_eq!(shown(minor, "USD", symbol, negative), expected);
        }
    }

    /// A currency shows as many decimals as ISO 4217 gives it, and no letters run into its digits.
    #[test]
    fn other_currencies() {
        let minus = Negative::Minus;
        assert_eq!(shown(-1_234_567, "JPY", true, minus), "-¥1,234,567");
        assert_eq!(shown(0, "JPY", false, minus), "0");
        assert_eq!(shown(1_234_567, "KWD", false, minus), "1,234.567");
        assert_eq!(shown(-7, "KWD", true, minus), "-KWD 0.007");
        assert_eq!(shown(150, "SEK", true, Negative::Parentheses), "SEK 1.50");
    }

    /// A figure is cut at its point, with the parenthesis on the right.
    #[test]
    fn point() {
        let cut = |minor, code| {
            let currency = Currency::from_code(code).expect("a listed code");
            money_text(minor, currency, true, Negative::Parentheses).around_point()
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(cut(-123_456, "USD"), pair("($1,234", ".56)"));
        assert_eq!(cut(1_234, "JPY"), pair("¥1,234", ""));
    }

    /// Percentages round half away from zero: one decimal for people, four for programs, and zero has no sign.
    #[test]
    fn percentages() {
        let cases = [
            ("12.25", "12.3%", "12.2500"),
            ("-12.25", "(12.3%)", "-12.2500"),
            ("-0.00001", "0.0%", "0.0000"),
            ("1234.5", "1,234.5%", "1234.5000"),
            ("33.33335", "33.3%", "33.3334"),
        ];
        for (percent, people, programs) in cases {
            let percent: Decimal = percent.parse().expect("a decimal");
            assert_eq!(percent_text(percent, Negative::Parentheses).plain(), people);
            assert_eq!(percent_machine(percent), programs);
        }
    }
}
