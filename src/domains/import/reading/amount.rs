//! From a cell to an exact amount: signs, brackets, DR and CR, currency marks, thousands. It knows no columns.

use crate::{
    domains::import::reading::DecimalStyle,
    model::{AMOUNT_MINOR_MAX, Currency},
};

/// An amount as a bank wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Amount {
    /// Minor units, with the sign as written; DR is negative.
    pub minor: i64,
    /// Whether DR or CR stood behind it: then the sign is the bank's own and no card rule turns it.
    pub marked: bool,
}

/// The amount of a cell, exactly; `None` for a blank, which may also be written `-` or `--`.
///
/// Units: minor units of `currency`. Refuses, with the reason: two signs, another currency, thousands that are not
/// groups of three, exponents, more decimals than the currency has, more than fourteen digits.
pub(super) fn amount(
    cell: &str,
    style: DecimalStyle,
    currency: Currency,
) -> Result<Option<Amount>, &'static str> {
    let text = cell.trim().replace('\u{2212}', "-");
    if is_blank(&text) {
        return Ok(None);
    }
    let mut marks = Marks::default();
    let body = marks.leading(&text, currency)?;
    let body = marks.trailing(body, currency)?;
    let magnitude = magnitude(body, style, currency.exponent())?;
    // The magnitude has at most fourteen digits, so its negative exists.
    let minor = if marks.negative {
        -magnitude
    } else {
        magnitude
    };
    Ok(Some(Amount {
        minor,
        marked: marks.marked,
    }))
}

/// Whether a trimmed cell holds no amount: it is empty, or a dash or two stand for nothing.
pub(super) fn is_blank(text: &str) -> bool {
    matches!(text, "" | "-" | "--" | "\u{2212}" | "\u{2212}\u{2212}")
}

/// The marks around an amount; each kind may stand once.
#[derive(Default)]
struct Marks {
    signed: bool,
    negative: bool,
    bracket_open: bool,
    marked: bool,
    currency: bool,
}

impl Marks {
    fn leading<'t>(&mut self, text: &'t str, currency: Currency) -> Result<&'t str, &'static str> {
        let mut rest = text;
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(['-', '(']) {
                self.bracket_open = rest.starts_with('(');
                self.sign(true)?;
                rest = after;
            } else if let Some(after) = rest.strip_prefix('+') {
                self.sign(false)?;
                rest = after;
            } else if let Some(after) = without_currency(rest, currency) {
                self.in_currency()?;
                rest = after;
            } else {
                return Ok(rest);
            }
        }
    }

    fn trailing<'t>(&mut self, text: &'t str, currency: Currency) -> Result<&'t str, &'static str> {
        let mut rest = text;
        loop {
            rest = rest.trim_end();
            let cut = rest.len().saturating_sub(2);
            let word = rest.get(cut..).unwrap_or_default();
            if self.bracket_open && rest.ends_with(')') {
                self.bracket_open = false;
                rest = &rest[..rest.len() - 1];
            } else if let Some(before) = rest.strip_suffix('-') {
                self.sign(true)?;
                rest = before;
            } else if word.eq_ignore_ascii_case("DR") || word.eq_ignore_ascii_case("CR") {
                self.sign(word.eq_ignore_ascii_case("DR"))?;
                self.marked = true;
                rest = &rest[..cut];
            } else if let Some(before) = before_code(rest, currency) {
                self.in_currency()?;
                rest = before;
            } else if self.bracket_open {
                return Err("a bracket opens and does not close");
            } else {
                return Ok(rest);
            }
        }
    }

    fn sign(&mut self, negative: bool) -> Result<(), &'static str> {
        if self.signed {
            return Err("two signs stand around one amount");
        }
        (self.signed, self.negative) = (true, negative);
        Ok(())
    }

    fn in_currency(&mut self) -> Result<(), &'static str> {
        if self.currency {
            return Err("two currency marks stand around one amount");
        }
        self.currency = true;
        Ok(())
    }
}

fn without_currency(text: &str, currency: Currency) -> Option<&str> {
    let code = currency.code();
    if let Some(head) = text.get(..code.len())
        && head.eq_ignore_ascii_case(code)
    {
        return text.get(code.len()..);
    }
    let symbol = currency.symbol();
    let dollars = symbol.ends_with('$').then(|| text.strip_prefix('$'));
    text.strip_prefix(symbol.as_str())
        .or_else(|| dollars.flatten())
}

fn before_code(text: &str, currency: Currency) -> Option<&str> {
    let code = currency.code();
    let cut = text.len().checked_sub(code.len())?;
    let tail = text.get(cut..)?;
    tail.eq_ignore_ascii_case(code)
        .then(|| text.get(..cut))
        .flatten()
}

fn magnitude(body: &str, style: DecimalStyle, exponent: u32) -> Result<i64, &'static str> {
    const NOT_ONE: &str = "this is not an amount";
    let (decimal, group) = match style {
        DecimalStyle::Point => ('.', ','),
        DecimalStyle::Comma => (',', '.'),
    };
    let (whole, fraction) = match body.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (body, None),
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if fraction.is_some_and(|f| !digits(f)) || (fraction.is_none() && whole.is_empty()) {
        return Err(NOT_ONE);
    }
    let fraction = fraction.unwrap_or_default();
    if fraction.len() > exponent as usize {
        return Err("the amount has more decimals than the currency");
    }
    if whole.contains(group) {
        let mut groups = whole.split(group);
        let first = groups.next().unwrap_or_default();
        let led = digits(first) && first.len() <= 3 && !first.starts_with('0');
        if !led || !groups.all(|g| g.len() == 3 && digits(g)) {
            return Err("the thousands are not groups of three digits");
        }
    } else if !whole.is_empty() && !digits(whole) {
        return Err(NOT_ONE);
    }
    let padding = exponent as usize - fraction.len();
    let figures = whole
        .bytes()
        .chain(fraction.bytes())
        .filter(u8::is_ascii_digit);
    figures
        .chain(std::iter::repeat_n(b'0', padding))
        .try_fold(0_i64, |sum, b| {
            sum.checked_mul(10)?.checked_add(i64::from(b - b'0'))
        })
        .filter(|minor| *minor <= AMOUNT_MINOR_MAX)
        .ok_or("the amount has more than fourteen digits")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usd() -> Currency {
        Currency::from_code("USD").expect("USD is listed")
    }

    fn minor(text: &str, style: DecimalStyle) -> Result<Option<i64>, &'static str> {
        amount(text, style, usd()).map(|a| a.map(|a| a.minor))
    }

    /// spec/domain.md §10.3, the table of amounts, point style.
    #[test]
    fn table_of_amounts() {
        let table = [
            ("1,234.56", Some(123_456)),
            ("(45.99)", Some(-4_599)),
            ("-$135.00", Some(-13_500)),
            ("- $135.00", Some(-13_500)),
            ("+ $50.00", Some(5_000)),
            ("$ 1,234", Some(123_400)),
            ("45.20 DR", Some(-4_520)),
            ("1.02 CR", Some(102)),
            ("12.99-", Some(-1_299)),
            ("\u{2212}12.99", Some(-1_299)),
            ("USD 5.00", Some(500)),
            ("", None),
            ("-", None),
            ("--", None),
            ("0.00", Some(0)),
            // §10.2: Capital One writes amounts without cents; Bank of America quotes thousands.
            ("21", Some(2_100)),
            ("664.5", Some(66_450)),
            ("-1,234.56", Some(-123_456)),
            ("- $1,135.00", Some(-113_500)),
            ("$42.50", Some(4_250)),
            // Spellings near these.
            ("\u{a0}7.25\u{a0}", Some(725)),
            ("($45.99)", Some(-4_599)),
            ("$-5.00", Some(-500)),
            ("5.00 USD", Some(500)),
            ("45.20dr", Some(-4_520)),
            (".50", Some(50)),
            ("999,999,999,999.99", Some(AMOUNT_MINOR_MAX)),
        ];
        for (text, expected) in table {
            assert_eq!(minor(text, DecimalStyle::Point), Ok(expected), "{text:?}");
        }
    }

    /// spec/domain.md §10.3, the table of amounts, what is refused in point style.
    #[test]
    fn table_of_refused_amounts() {
        let table = [
            "1,23",
            "1.234,56",
            "1e3",
            "NaN",
            "12.345",
            "(\u{2212}5.00)",
            "(-5.00)",
            "--5",
        ];
        let near = [
            "+-5",
            "-5-",
            "-5 DR",
            "(5.00",
            "5.00)",
            "$",
            "$$5",
            "EUR 5.00",
            "€5.00",
            "5.",
            ".",
            "1,2345",
            "0,123",
            "1,,234",
            ",123",
            "1.2.3",
            "١٢",
            "5 5",
            "inf",
            "0x10",
            "=1+1",
            "1000000000000.00",
            "99999999999999999999999999",
            "USD 5 USD",
            "DR",
            "((5))",
        ];
        for text in table.into_iter().chain(near) {
            assert!(minor(text, DecimalStyle::Point).is_err(), "{text:?}");
        }
    }

    /// spec/domain.md §10.3, the table of amounts, comma style.
    #[test]
    fn table_of_comma_amounts() {
        let table = [
            ("1,23", Ok(Some(123))),
            ("1.234,56", Ok(Some(123_456))),
            ("-1.234", Ok(Some(-123_400))),
            ("12,5", Ok(Some(1_250))),
            ("12", Ok(Some(1_200))),
        ];
        for (text, expected) in table {
            assert_eq!(minor(text, DecimalStyle::Comma), expected, "{text:?}");
        }
        for text in ["1.23", "12.345,678", "1,234.56"] {
            assert!(minor(text, DecimalStyle::Comma).is_err(), "{text:?}");
        }
    }

    /// A currency's own decimals bind: yen have none, dinars three. DR and CR are remembered.
    #[test]
    fn currencies() {
        let of = |code: &str, text: &str| {
            let currency = Currency::from_code(code).expect("listed");
            amount(text, DecimalStyle::Point, currency).map(|a| a.map(|a| a.minor))
        };
        assert_eq!(of("JPY", "1,250"), Ok(Some(1_250)));
        assert!(of("JPY", "1250.00").is_err());
        assert_eq!(of("KWD", "12.345"), Ok(Some(12_345)));
        assert_eq!(of("EUR", "€5.00"), Ok(Some(500)));
        assert!(of("EUR", "$5.00").is_err());
        let marked = |text| amount(text, DecimalStyle::Point, usd()).map(|a| a.map(|a| a.marked));
        assert_eq!(marked("5.00 CR"), Ok(Some(true)));
        assert_eq!(marked("-5.00"), Ok(Some(false)));
    }

    proptest! {
        /// What is written with grouped thousands in either style reads back exactly.
        #[test]
        fn round_trip(minor_units in -AMOUNT_MINOR_MAX..=AMOUNT_MINOR_MAX) {
            let magnitude = minor_units.unsigned_abs();
            let mut whole = (magnitude / 100).to_string();
            let mut at = whole.len();
            while at > 3 {
                at -= 3;
                whole.insert(at, ',');
            }
            let sign = if minor_units < 0 { "-" } else { "" };
            let point = format!("{sign}{whole}.{:02}", magnitude % 100);
            prop_assert_eq!(minor(&point, DecimalStyle::Point), Ok(Some(minor_units)));
            let comma: String = point
                .chars()
                .map(|c| match c { ',' => '.', '.' => ',', c => c })
                .collect();
            prop_assert_eq!(minor(&comma, DecimalStyle::Comma), Ok(Some(minor_units)));
        }

        /// No text panics, and no text reads as more than fourteen digits.
        #[test]
        fn total(text in "[-+() $0-9.,DRCRUSDe\u{2212}]{0,14}|.{0,20}") {
            for style in [DecimalStyle::Point, DecimalStyle::Comma] {
                if let Ok(Some(minor)) = minor(&text, style) {
                    prop_assert!(minor.abs() <= AMOUNT_MINOR_MAX);
                }
            }
        }
    }
}
