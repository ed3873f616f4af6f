//! The month in which the fiscal year starts, as the settings write it; the arithmetic of fiscal years is `model::Date`'s.

use crate::model::{Month, Refusal, quoted};

/// What a fiscal year's start may be, in words.
pub(super) const TAKES: &str =
    "MM-01 with MM from 01 to 12, such as \"07-01\" (a 52-53-week year is not supported)";

/// The month of a fiscal year's start written `MM-01`.
///
/// Refuses: every other form and every day but the first. Source: a tax year is the calendar year or twelve months ending on
/// the last day of another month, IRC §441(e), IRS Publication 538; the 52-53-week year of §441(f) is not supported.
pub fn start_month(text: &str) -> Result<Month, Refusal> {
    let digits = text
        .strip_suffix("-01")
        .filter(|month| month.len() == 2 && month.bytes().all(|digit| digit.is_ascii_digit()));
    digits
        .and_then(|month| Month::new(month.parse().ok()?))
        .ok_or_else(|| {
            Refusal::new(
                "bad_fiscal_year_start",
                format!(
                    "{} is not the start of a fiscal year: it takes {TAKES}",
                    quoted(text)
                ),
            )
            .with("value", text)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// spec/domain.md §7.2: every first of a month is taken.
    #[test]
    fn first_of_every_month() {
        for month in 1..=12 {
            assert_eq!(
                start_month(&format!("{month:02}-01")).ok(),
                Month::new(month)
            );
        }
    }

    /// spec/domain.md §7.2: no other day, no other month, no other form.
    #[test]
    fn nothing_else() {
        let bad = [
            "02-30",
            "13-01",
            "07-15",
            "7-1",
            "00-01",
            "07-1",
            "7-01",
            "07-02",
            "",
            "07",
            "+7-01",
            "2026-07-01",
            "07/01",
            " 07-01",
            "07-01 ",
            "٠٧-01",
        ];
        for bad in bad {
            assert_eq!(
                start_month(bad).map_err(|r| r.code),
                Err("bad_fiscal_year_start"),
                "{bad:?}"
            );
        }
    }
}
