//! Exchange rates: exact decimal strings over zero, and what an amount comes to at one.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;

use crate::{
    model::{Currency, Money, quoted},
    wire_string,
};

/// The most digits of a rate.
const DIGITS_MAX: u32 = 18;
/// The most decimals of a rate.
const DECIMALS_MAX: u32 = 12;

/// What one unit of a foreign currency is worth in the books' currency: `digits[.digits]`, over zero, at most 18 digits of
/// which at most 12 are decimals.
///
/// With these bounds an amount of 14 digits times a rate, at any currency's decimals, is exact in 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rate(Decimal);

impl Rate {
    /// What `amount` units of a foreign currency come to in minor units of `base`.
    ///
    /// Rounding: once, half away from zero. `None`: more than 64 bits, or an amount beyond what [`Currency::minor`] takes.
    /// Source: spec/domain.md §9.2.
    pub fn convert(self, amount: Money, base: Currency) -> Option<i64> {
        let amount = amount.decimal();
        let product = amount.mantissa().checked_mul(self.0.mantissa())?;
        let scaled = product.checked_mul(10_i128.checked_pow(base.exponent())?)?;
        let unit = 10_i128.checked_pow(amount.scale() + self.0.scale())?;
        let (whole, rest) = (scaled / unit, scaled % unit);
        let half_or_more = rest.abs() >= unit - rest.abs();
        let away = if half_or_more { rest.signum() } else { 0 };
        i64::try_from(whole + away).ok()
    }
}

impl FromStr for Rate {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let money: Money = s
            .parse()
            .map_err(|_| format!("{} is not a decimal rate like 1.0825", quoted(s)))?;
        let rate = money.decimal();
        let digits = |n: i128| n.checked_ilog10().map_or(1, |log| log + 1);
        if rate.is_sign_negative() || rate.is_zero() {
            return Err(format!("{} is not a rate: it is over zero", quoted(s)));
        }
        if rate.scale() > DECIMALS_MAX || digits(rate.mantissa()) > DIGITS_MAX {
            let most = format!("at most {DIGITS_MAX} digits, {DECIMALS_MAX} of them decimals");
            return Err(format!(
                "{} has too many digits for a rate: {most}",
                quoted(s)
            ));
        }
        Ok(Rate(rate))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

wire_string!(Rate, "Rate", { "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?$" });

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn base(amount: &str, rate: &str, currency: &str) -> Option<String> {
        let currency = Currency::from_code(currency).expect("a currency");
        let amount: Money = amount.parse().expect("an amount");
        let rate: Rate = rate.parse().expect("a rate");
        let minor = rate.convert(amount, currency)?;
        Some(currency.money(minor).to_string())
    }

    /// spec/domain.md §9.3: the vectors, each rounded once, half away from zero, on either side.
    #[test]
    fn vectors() {
        for (amount, rate, want) in [
            ("1000.00", "1.0825", "1082.50"),
            ("333.33", "1.08254", "360.84"),
            ("19.99", "1.2345", "24.68"),
            ("100.00", "0.00675", "0.68"),
            ("1.00", "0.005", "0.01"),
            ("250000", "0.0067123", "1678.08"),
            ("0.50", "1.01", "0.51"),
            ("1.00", "1.01", "1.01"),
            ("500.00", "1.0825", "541.25"),
            ("500.00", "1.1010", "550.50"),
        ] {
            assert_eq!(base(amount, rate, "USD").as_deref(), Some(want), "{amount}");
            let (less, want) = (format!("-{amount}"), format!("-{want}"));
            assert_eq!(base(&less, rate, "USD"), Some(want), "{less}");
        }
    }

    /// The rounding is at the minor unit of the books' currency: yen have no decimals, Bahraini dinars three.
    #[test]
    fn decimals_of_the_base() {
        assert_eq!(base("1.00", "149.5", "JPY").as_deref(), Some("150"));
        assert_eq!(base("1.00", "149.4999", "JPY").as_deref(), Some("149"));
        assert_eq!(base("0.01", "0.376", "BHD").as_deref(), Some("0.004"));
        assert_eq!(base("1", "0.0005", "BHD").as_deref(), Some("0.001"));
        assert_eq!(base("1", "0.00049", "BHD").as_deref(), Some("0.000"));
    }

    /// A rate is over zero and has at most 18 digits, 12 of them decimals; the largest amount at the largest rate is told apart.
    #[test]
    fn bounds() {
        for bad in [
            "0",
            "0.000",
            "-1",
            "1e3",
            "",
            "1,5",
            "0.0000000000001",
            "1234567890123456789",
        ] {
            assert!(bad.parse::<Rate>().is_err(), "{bad:?}");
        }
        assert_eq!(
            "1.10".parse::<Rate>().map(|r| r.to_string()),
            Ok("1.10".to_owned())
        );
        assert_eq!(base("999999999999.99", "999999999999999999", "BHD"), None);
        let small = base("99999999999999", "0.000000000001", "BHD");
        assert_eq!(small.as_deref(), Some("100.000"));
    }

    proptest! {
        /// What is rounded is off by at most half a minor unit, and never towards zero from a tie.
        #[test]
        fn nearest(amount in 1_i64..=99_999_999_999_999, rate in 1_i64..=9_999_999_999) {
            let usd = Currency::from_code("USD").expect("dollars");
            let rate_text = Money::from_minor(rate, 6).to_string();
            let at: Rate = rate_text.parse().expect("a rate");
            let exact = i128::from(amount) * i128::from(rate);
            if let Some(minor) = at.convert(usd.money(amount), usd) {
                let off = i128::from(minor) * 1_000_000 - exact;
                prop_assert!(off > -500_000 && off <= 500_000, "{off}");
            }
        }
    }
}
