//! What a line is told to move: an amount of the books, one in another currency at a rate, or both. Pure.

use crate::model::{Currency, CurrencyCode, Foreign, Money, Rate, Refusal};

/// What was given of a line's amount; the last three stand together or not at all. Amounts are signed alike.
#[derive(Clone, Copy, Default, Debug)]
pub struct Given {
    /// In the books' currency.
    pub amount: Option<Money>,
    /// The other currency.
    pub currency: Option<CurrencyCode>,
    /// The amount in it.
    pub foreign: Option<Money>,
    /// Units of the books' currency for one unit of it.
    pub rate: Option<Rate>,
}

/// What a line moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// In minor units of the books' currency.
    pub amount_minor: i64,
    /// What it was in another currency.
    pub foreign: Option<Foreign>,
}

impl Given {
    /// What is moved; the amount in the books' currency is computed where a foreign one is given.
    ///
    /// Rounding: once, half away from zero. Refuses, together: a part of a foreign amount, a currency that ISO 4217 does not
    /// list or that is the books' own, decimals that a currency does not have, what is not over zero or comes to zero, and an
    /// amount that differs from the one computed. Source: spec/domain.md §9.2.
    pub fn moved(&self, base: Currency) -> Result<Moved, Vec<Refusal>> {
        let mut refusals = Vec::new();
        for (field, amount) in [("amount", self.amount), ("foreign_amount", self.foreign)] {
            refusals.extend(amount.and_then(|amount| not_positive(field, amount)));
        }
        let moved = self.signed(base);
        match moved {
            Ok(moved) if refusals.is_empty() => Ok(moved),
            Ok(_) => Err(refusals),
            Err(more) => Err(refusals.into_iter().chain(more).collect()),
        }
    }

    /// The same where the sign says which way the amount goes, as in a history: both amounts have it.
    pub fn signed(&self, base: Currency) -> Result<Moved, Vec<Refusal>> {
        let given = self.amount.map(|amount| base.minor(amount, "amount"));
        let foreign = match (self.currency, self.foreign, self.rate) {
            (None, None, None) => {
                let amount_minor = given.unwrap_or_else(|| Err(nothing_given()));
                return amount_minor.map(of_books).map_err(|refusal| vec![refusal]);
            }
            (Some(currency), Some(amount), Some(rate)) => measure((currency, amount, rate), base),
            _ => Err(vec![self.incomplete()]),
        };
        match (foreign, given.transpose()) {
            (Ok(moved), Ok(given)) => match given {
                Some(minor) if minor != moved.amount_minor => {
                    Err(vec![differs(minor, moved, base)])
                }
                _ => Ok(moved),
            },
            (Err(refusals), Ok(_)) => Err(refusals),
            (Ok(_), Err(refusal)) => Err(vec![refusal]),
            (Err(refusals), Err(refusal)) => {
                Err(std::iter::once(refusal).chain(refusals).collect())
            }
        }
    }

    fn incomplete(&self) -> Refusal {
        let parts = [
            ("foreign_currency", self.currency.is_some()),
            ("foreign_amount", self.foreign.is_some()),
            ("fx_rate", self.rate.is_some()),
        ];
        let named = |given: bool| -> Vec<&str> {
            let parts = parts.iter().filter(|(_, there)| *there == given);
            parts.map(|(name, _)| *name).collect()
        };
        let (given, missing) = (named(true), named(false));
        let message = format!(
            "{} without {}: a foreign amount needs all three of currency, amount and rate",
            given.join(" and "),
            missing.join(" and ")
        );
        Refusal::new("foreign_incomplete", message)
            .with("given", given)
            .with("missing", missing)
            .hint("give all three, or none of them and only `amount`")
    }
}

/// An amount of the books' own currency.
fn of_books(amount_minor: i64) -> Moved {
    Moved {
        amount_minor,
        foreign: None,
    }
}

fn nothing_given() -> Refusal {
    let message =
        "the line has no amount: give amount, or foreign_currency, foreign_amount and fx_rate";
    Refusal::new("bad_amount", message).with("field", "amount")
}

fn not_positive(field: &str, amount: Money) -> Option<Refusal> {
    let decimal = amount.decimal();
    (decimal.is_zero() || decimal.is_sign_negative()).then(|| {
        let message = format!("{field}: {amount} is not positive; the side says which way it goes");
        Refusal::new("bad_amount", message)
            .with("field", field)
            .with("amount", amount.to_string())
    })
}

/// A foreign currency of books in `base`.
///
/// Refuses: what ISO 4217 does not list, and the books' own currency.
pub fn foreign_currency(code: CurrencyCode, base: Currency) -> Result<Currency, Refusal> {
    let currency = Currency::from_code(code.as_str())?;
    if currency == base {
        let message = format!("{code} is the currency of the books, not a foreign one");
        return Err(Refusal::new("currency_is_base", message)
            .with("currency", code.as_str())
            .hint("amounts in it need no rate: give only `amount`"));
    }
    Ok(currency)
}

/// A foreign amount with all its decimals, and what it comes to.
fn measure(
    (code, amount, rate): (CurrencyCode, Money, Rate),
    base: Currency,
) -> Result<Moved, Vec<Refusal>> {
    let one = |refusal: Refusal| vec![refusal];
    let currency = foreign_currency(code, base).map_err(one)?;
    let minor = currency.minor(amount, "foreign_amount").map_err(one)?;
    let amount = currency.money(minor);
    let of = |what: &str| format!("{code} {amount} at {rate} {what}");
    let with = |refusal: Refusal| {
        vec![
            refusal
                .with("foreign_currency", code.as_str())
                .with("foreign_amount", amount.to_string())
                .with("fx_rate", rate.to_string()),
        ]
    };
    let amount_minor = rate
        .convert(amount, base)
        .filter(|minor| base.minor(base.money(*minor), "amount").is_ok())
        .ok_or_else(|| with(Refusal::too_large(&of("in the books' currency"))))?;
    if amount_minor == 0 {
        let message = of(&format!("comes to zero in {}", base.code()));
        return Err(with(Refusal::new("amount_rounds_to_zero", message)));
    }
    Ok(Moved {
        amount_minor,
        foreign: Some(Foreign {
            currency: code,
            amount,
            rate,
        }),
    })
}

fn differs(given_minor: i64, moved: Moved, base: Currency) -> Refusal {
    let (given, computed) = (base.money(given_minor), base.money(moved.amount_minor));
    let original = moved.foreign.map_or_else(String::new, |foreign| {
        format!(
            "{} {} at {}",
            foreign.currency, foreign.amount, foreign.rate
        )
    });
    let message = format!("amount {given} is not what {original} comes to, {computed}");
    Refusal::new("foreign_amount_differs", message)
        .with("amount", given.to_string())
        .with("computed", computed.to_string())
        .hint("leave `amount` out, or correct the rate; a difference stands on a line of its own")
}
