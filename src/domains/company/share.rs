//! A member's share of profit and loss as an exact decimal; not how an amount is split, which is `model::allocate`.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;

use crate::{
    model::{Money, quoted},
    wire_string,
};

/// The most decimals of a percent that a share may have.
const PERCENT_DECIMALS_MAX: u32 = 6;
/// How many millionths of a percent a whole is.
const WHOLE_MILLIONTHS: u64 = 100_000_000;

/// A share of the whole, in millionths of a percent: exact, from 0 % to 100 %.
///
/// Written `50%` or, as a fraction, `0.5`; shown as a percent. Refuses: signs, exponents, more than 100 %, and more than
/// six decimals of a percent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Share {
    millionths: u64,
}

impl Share {
    /// A share of hundredths of a percent (10,000 are the whole).
    ///
    /// Refuses (`None`): more than the whole.
    pub fn from_bps(bps: u64) -> Option<Share> {
        let millionths = bps.checked_mul(WHOLE_MILLIONTHS / 10_000)?;
        (millionths <= WHOLE_MILLIONTHS).then_some(Share { millionths })
    }

    /// The weight with which `model::allocate` splits an amount: millionths of a percent.
    pub fn weight(self) -> u64 {
        self.millionths
    }

    /// The share in percent: `33.34` for a third rounded to hundredths.
    pub fn percent(self) -> Decimal {
        decimal_percent(self.millionths)
    }

    /// The shares' sum in percent. Exact; may exceed 100.
    pub fn sum_percent(shares: impl IntoIterator<Item = Share>) -> Decimal {
        shares.into_iter().map(Share::percent).sum()
    }
}

/// Millionths of a percent as a percent without trailing zeros.
fn decimal_percent(millionths: u64) -> Decimal {
    Decimal::from_i128_with_scale(i128::from(millionths), PERCENT_DECIMALS_MAX).normalize()
}

impl FromStr for Share {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let (number, to_percent) = match s.trim().strip_suffix('%') {
            Some(number) => (number.trim_end(), Decimal::ONE),
            None => (s.trim(), Decimal::ONE_HUNDRED),
        };
        let millionths = number
            .parse::<Money>()
            .ok()
            .filter(|_| !number.starts_with('-'))
            .and_then(|n| n.decimal().checked_mul(to_percent))
            .filter(|percent| *percent <= Decimal::ONE_HUNDRED)
            .and_then(|percent| percent.checked_mul(Decimal::from(1_000_000)))
            .map(|millionths| millionths.normalize())
            .filter(|millionths| millionths.scale() == 0)
            .and_then(|millionths| u64::try_from(millionths.mantissa()).ok());
        millionths.map(|millionths| Share { millionths }).ok_or_else(|| {
            format!(
                "{} is not a share like \"50%\" or \"0.5\": from 0% to 100%, at most {PERCENT_DECIMALS_MAX} decimals of a percent",
                quoted(s)
            )
        })
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}%", self.percent()))
    }
}

wire_string!(Share, "Share", { "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?%?$" });

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Option<String> {
        text.parse::<Share>().ok().map(|s| s.to_string())
    }

    /// A share is a percent with its sign or a plain fraction, and is never rounded.
    #[test]
    fn two_spellings() {
        let cases = [
            ("50%", "50%"),
            ("0.5", "50%"),
            (" 33.34 % ", "33.34%"),
            ("0.3334", "33.34%"),
            ("1", "100%"),
            ("100%", "100%"),
            ("0%", "0%"),
            ("33.333333%", "33.333333%"),
            ("0.33333333", "33.333333%"),
            ("50.00%", "50%"),
        ];
        for (text, want) in cases {
            assert_eq!(shown(text).as_deref(), Some(want), "{text}");
        }
    }

    /// What is no share, more than the whole, or finer than six decimals is refused.
    #[test]
    fn refused() {
        let bad = [
            "",
            "%",
            "50",
            "1.01",
            "100.01%",
            "-50%",
            "-0%",
            "+50%",
            "5e1%",
            "50 percent",
            "1/2",
            "50%%",
            "33.3333333%",
            "½",
            "NaN",
        ];
        for bad in bad {
            assert_eq!(shown(bad), None, "{bad}");
        }
    }

    proptest! {
        /// A share survives the way to text and back, and its weight is its percent.
        #[test]
        fn round_trip(bps in 0_u64..=10_000) {
            let share = Share::from_bps(bps).expect("at most the whole");
            prop_assert_eq!(share.to_string().parse(), Ok(share));
            prop_assert_eq!(share.weight(), bps * 10_000);
            prop_assert_eq!(share.percent(), Decimal::from_i128_with_scale(i128::from(bps), 2));
        }
    }
}
