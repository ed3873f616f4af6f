//! Amounts on the wire: exact decimal strings, never floats.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;

use crate::{model::quoted, wire_string};

/// The largest magnitude of one amount, in minor units: 14 digits, the most that a spreadsheet keeps exactly.
pub const AMOUNT_MINOR_MAX: i64 = 99_999_999_999_999;

/// An amount as a plain decimal string: `-?digits[.digits]`, no separators, no exponent, no currency sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Money(Decimal);

impl Money {
    /// An amount of `minor` units with `exponent` decimals.
    pub fn from_minor(minor: i64, exponent: u32) -> Money {
        Money(Decimal::new(minor, exponent))
    }

    /// The amount in minor units of `exponent` decimals.
    ///
    /// Refuses (`None`): more decimals than the exponent, and magnitudes above [`AMOUNT_MINOR_MAX`].
    pub fn to_minor(self, exponent: u32) -> Option<i64> {
        let plain = self.0.normalize();
        let scale = exponent.checked_sub(plain.scale())?;
        let minor = plain.mantissa().checked_mul(10_i128.pow(scale))?;
        (minor.abs() <= i128::from(AMOUNT_MINOR_MAX))
            .then(|| i64::try_from(minor).ok())
            .flatten()
    }

    /// The digits as written, without their point: minor units where every decimal of the currency is written.
    ///
    /// For amounts that the books themselves wrote; no limit but that of the number.
    pub fn written_minor(self) -> Option<i64> {
        i64::try_from(self.0.mantissa()).ok()
    }

    /// The same amount on the other side.
    pub fn negated(self) -> Money {
        Money(-self.0)
    }

    /// The amount without its sign.
    pub fn magnitude(self) -> Money {
        Money(self.0.abs())
    }

    /// The exact decimal.
    pub fn decimal(self) -> Decimal {
        self.0
    }
}

impl FromStr for Money {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let (whole, fraction) = match s.strip_prefix('-').unwrap_or(s).split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (s.strip_prefix('-').unwrap_or(s), None),
        };
        let exact = (digits(whole) && fraction.is_none_or(digits))
            .then(|| Decimal::from_str_exact(s).ok())
            .flatten();
        exact.map(Money).ok_or_else(|| match plain(s) {
            Some(plain) => format!("{} is not a plain amount: write {plain}", quoted(s)),
            None => format!("{} is not a decimal amount like 123.45", quoted(s)),
        })
    }
}

/// What a person meant who wrote a dollar sign, blanks or a comma before every third digit; none where that is a guess.
fn plain(s: &str) -> Option<String> {
    let s = s.trim();
    let (sign, digits) = match s.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", s),
    };
    let digits = digits.strip_prefix('$').unwrap_or(digits).trim();
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let grouped = !whole.contains(',') || first.len() <= 3;
    let three = |group: &str| group.len() == 3 && number(group);
    if !number(first) || !grouped || !groups.all(three) || !fraction.is_none_or(number) {
        return None;
    }
    Some(format!("{sign}{}", digits.replace(',', "")))
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_zero() {
            // Decimal keeps the sign of "-0.00"; money does not.
            return f.pad(&self.0.abs().to_string());
        }
        f.pad(&self.0.to_string())
    }
}

/// The schema of an amount that is over zero, whose side stands beside it.
pub struct OverZero;

impl schemars::JsonSchema for OverZero {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OverZero".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?$" })
    }
}

wire_string!(Money, "Money", { "type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$" });

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Where every decimal is written, the digits are the minor units.
    #[test]
    fn written() {
        for (text, minor) in [("12.50", 1_250), ("-0.01", -1), ("7", 7), ("0.00", 0)] {
            let money: Money = text.parse().expect("an amount");
            assert_eq!(money.written_minor(), Some(minor), "{text}");
        }
    }

    /// The grammar is exactly `-?digits[.digits]`.
    #[test]
    fn grammar() {
        for good in ["0", "-1", "123.45", "007.10", "0.005"] {
            assert!(good.parse::<Money>().is_ok(), "{good}");
        }
        let bad = [
            "",
            "-",
            ".5",
            "5.",
            "1e3",
            "1_000",
            "1,000",
            "+1",
            "--1",
            " 1",
            "1 ",
            "$1",
            "NaN",
            "0x1",
            "1.2.3",
            "١٢",
            "99999999999999999999999999999",
        ];
        for bad in bad {
            assert!(bad.parse::<Money>().is_err(), "{bad:?}");
        }
        assert_eq!(
            "-0.00".parse::<Money>().map(|m| m.to_string()),
            Ok("0.00".to_owned())
        );
    }

    /// Fourteen digits are the most that an amount can have.
    #[test]
    fn limits() {
        let minor = |s: &str| s.parse::<Money>().expect("an amount").to_minor(2);
        assert_eq!(minor("999999999999.99"), Some(AMOUNT_MINOR_MAX));
        assert_eq!(minor("-999999999999.99"), Some(-AMOUNT_MINOR_MAX));
        assert_eq!(minor("1000000000000.00"), None);
        assert_eq!(minor("1000000000000"), None);
        assert_eq!(minor("0.001"), None);
        assert_eq!(minor("9999999999999999999999999999"), None);
    }

    proptest! {
        /// Minor units survive the way to the wire and back.
        #[test]
        fn round_trip(minor in -AMOUNT_MINOR_MAX..=AMOUNT_MINOR_MAX, exponent in 0u32..=3) {
            let text = Money::from_minor(minor, exponent).to_string();
            prop_assert_eq!(text.parse::<Money>().expect("printed money parses").to_minor(exponent), Some(minor));
        }
    }
}
