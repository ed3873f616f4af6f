//! The currency of the books and how many decimals its amounts have.

use std::{fmt, str::FromStr};

use crate::{
    model::{Money, Refusal, quoted},
    wire_string,
};

/// What names a currency: three ASCII capitals. Whether ISO 4217 lists it, [`Currency::from_code`] says; what the books once
/// took stays readable whatever becomes of the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CurrencyCode([u8; 3]);

impl CurrencyCode {
    /// The three letters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("three ASCII capitals are UTF-8")
    }
}

impl FromStr for CurrencyCode {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let code: Option<[u8; 3]> = s.as_bytes().try_into().ok();
        code.filter(|code| code.iter().all(u8::is_ascii_uppercase))
            .map(CurrencyCode)
            .ok_or_else(|| {
                format!(
                    "{} is not a currency code: three capitals like EUR",
                    quoted(s)
                )
            })
    }
}

impl fmt::Display for CurrencyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

wire_string!(CurrencyCode, "CurrencyCode", { "type": "string", "pattern": "^[A-Z]{3}$" });

/// A currency by its ISO 4217 code, with the number of decimals its minor unit has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Currency {
    iso: iso_currency::Currency,
}

impl Currency {
    /// The currency of an ISO 4217 code of three capitals.
    ///
    /// Refuses: codes that ISO 4217 does not list, and those without a minor unit (metals, funds).
    pub fn from_code(code: &str) -> Result<Currency, Refusal> {
        let known = iso_currency::Currency::from_code(code)
            .filter(|iso| iso.exponent().is_some_and(|e| e <= 3));
        known.map(|iso| Currency { iso }).ok_or_else(|| {
            Refusal::new(
                "unknown_currency",
                format!(
                    "{} is not an ISO 4217 currency code such as USD, EUR or JPY",
                    quoted(code)
                ),
            )
        })
    }

    /// The three-letter code.
    pub fn code(self) -> &'static str {
        self.iso.code()
    }

    /// Decimals of an amount: 2 for USD, 0 for JPY, 3 for KWD. Source: ISO 4217.
    pub fn exponent(self) -> u32 {
        self.iso.exponent().unwrap_or(2).into()
    }

    /// The sign written before an amount.
    pub fn symbol(self) -> String {
        self.iso.symbol().to_string()
    }

    /// An amount of minor units as it stands on the wire.
    pub fn money(self, minor: i64) -> Money {
        Money::from_minor(minor, self.exponent())
    }

    /// An amount from the wire in minor units.
    ///
    /// Refuses: more decimals than the currency has, and magnitudes above [`crate::model::AMOUNT_MINOR_MAX`].
    pub fn minor(self, money: Money, field: &str) -> Result<i64, Refusal> {
        money.to_minor(self.exponent()).ok_or_else(|| {
            Refusal::new(
                "bad_amount",
                format!(
                    "{field}: {money} is not an amount in {}: at most {} decimals and 14 digits",
                    self.code(),
                    self.exponent()
                ),
            )
            .with("field", field)
            .with("amount", money.to_string())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ISO 4217: dollars have two decimals, yen none, Kuwaiti dinars three; gold is not money of account.
    #[test]
    fn exponents() {
        let exponent = |code| Currency::from_code(code).map(Currency::exponent).ok();
        assert_eq!(exponent("USD"), Some(2));
        assert_eq!(exponent("JPY"), Some(0));
        assert_eq!(exponent("KWD"), Some(3));
        assert_eq!(exponent("XAU"), None);
        assert_eq!(exponent("usd"), None);
        assert_eq!(exponent("ZZZ"), None);
    }

    /// Amounts with more decimals than the currency has are refused, not rounded.
    #[test]
    fn decimals_are_held() {
        let usd = Currency::from_code("USD").expect("USD is listed");
        let jpy = Currency::from_code("JPY").expect("JPY is listed");
        let minor = |c: Currency, s: &str| c.minor(s.parse().expect("an amount"), "amount").ok();
        assert_eq!(minor(usd, "12.5"), Some(1_250));
        assert_eq!(minor(usd, "12.500"), Some(1_250));
        assert_eq!(minor(usd, "12.505"), None);
        assert_eq!(minor(jpy, "1250"), Some(1_250));
        assert_eq!(minor(jpy, "12.5"), None);
        assert_eq!(usd.money(-5).to_string(), "-0.05");
        assert_eq!(jpy.money(1_250).to_string(), "1250");
    }
}
