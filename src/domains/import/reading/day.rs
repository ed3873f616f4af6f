//! From a cell to a calendar day: ISO, slashes, dashes and dots. It infers no order; that takes the whole file.

use crate::{domains::import::reading::DateOrder, model::Date};

/// Two-digit years below this are of this century: 00–69 are 2000–2069, 70–99 are 1970–1999 (as POSIX `strptime` has it).
const CENTURY_TURN: u32 = 70;

/// A date as it was written, before its order is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// The year stands first with four digits: no order is needed.
    YearFirst {
        /// The year, month and day as written.
        parts: [u32; 3],
    },
    /// Three short parts, or two and a four-digit year.
    Ordered {
        /// The parts in the order in which they stand.
        parts: [u32; 3],
        /// Whether the last part has four digits.
        year_last: bool,
        /// Whether dots stand between them.
        dotted: bool,
    },
}

/// The parts of a date; `None` when the cell has not the shape of one. A time of day behind it is passed over.
pub(super) fn written(cell: &str) -> Option<Written> {
    let text = cell.trim();
    let text = match text.split_once(['T', ' ']) {
        Some((day, time)) if is_time(time) => day,
        Some(_) => return None,
        None => text,
    };
    let separator = text.chars().find(|c| !c.is_ascii_digit())?;
    if !matches!(separator, '/' | '-' | '.') {
        return None;
    }
    let mut pieces = text.split(separator);
    let (a, b, c) = (pieces.next()?, pieces.next()?, pieces.next()?);
    if pieces.next().is_some() {
        return None;
    }
    let parts = [number(a)?, number(b)?, number(c)?];
    match (a.len(), b.len(), c.len()) {
        (4, 1..=2, 1..=2) => Some(Written::YearFirst { parts }),
        (1..=2, 1..=2, 2 | 4) => Some(Written::Ordered {
            parts,
            year_last: c.len() == 4,
            dotted: separator == '.',
        }),
        _ => None,
    }
}

/// The day of a cell under an order.
///
/// Refuses, with the reason: what is no date, days that the calendar has not, a four-digit year where `ymd` wants a day.
pub(super) fn day(cell: &str, order: DateOrder) -> Result<Date, &'static str> {
    let found = match written(cell).ok_or("this is not a date")? {
        Written::YearFirst { parts: [y, m, d] } => date(y, m, d),
        Written::Ordered {
            parts, year_last, ..
        } => match (order, parts) {
            (DateOrder::Mdy, [m, d, y]) => date(full_year(y, year_last), m, d),
            (DateOrder::Dmy, [d, m, y]) => date(full_year(y, year_last), m, d),
            (DateOrder::Ymd, [y, m, d]) if !year_last => date(full_year(y, false), m, d),
            (DateOrder::Ymd, _) => return Err("the year does not stand first"),
        },
    };
    found.ok_or("the calendar has no such day in this order of day, month and year")
}

fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    Date::new(i32::try_from(year).ok()?, month, day)
}

fn full_year(year: u32, four_digits: bool) -> u32 {
    match year {
        _ if four_digits => year,
        0..CENTURY_TURN => 2_000 + year,
        _ => 1_900 + year,
    }
}

fn number(text: &str) -> Option<u32> {
    let shaped = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    shaped.then(|| text.parse().ok()).flatten()
}

fn is_time(text: &str) -> bool {
    let hours = text.trim_start().split(':').next().unwrap_or_default();
    number(hours).is_some_and(|h| h < 25) && text.contains(':')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// spec/domain.md §10.3, dates: ISO always, the others by their order, two-digit years about 1970.
    #[test]
    fn dates() {
        use DateOrder::{Dmy, Mdy, Ymd};
        let table = [
            ("2026-10-31", Mdy, "2026-10-31"),
            ("2026-10-31", Dmy, "2026-10-31"),
            ("2026/1/5", Dmy, "2026-01-05"),
            ("10/31/2026", Mdy, "2026-10-31"),
            ("31/10/2026", Dmy, "2026-10-31"),
            ("31.10.2026", Dmy, "2026-10-31"),
            ("10-31-2026", Mdy, "2026-10-31"),
            ("1/5/2026", Mdy, "2026-01-05"),
            ("1/5/2026", Dmy, "2026-05-01"),
            ("26/10/31", Ymd, "2026-10-31"),
            ("10/31/26", Mdy, "2026-10-31"),
            ("01/01/00", Mdy, "2000-01-01"),
            ("01/01/69", Mdy, "2069-01-01"),
            ("01/01/70", Mdy, "1970-01-01"),
            ("01/01/99", Mdy, "1999-01-01"),
            ("02/29/2028", Mdy, "2028-02-29"),
            ("2026-10-31T23:59:59Z", Mdy, "2026-10-31"),
            ("2026-10-31 23:59 UTC", Mdy, "2026-10-31"),
            (" 10/31/2026 ", Mdy, "2026-10-31"),
        ];
        for (text, order, expected) in table {
            let found = day(text, order).map(|d| d.to_string());
            assert_eq!(found.as_deref(), Ok(expected), "{text} {order}");
        }
    }

    /// spec/domain.md §10.3, dates: impossible days, day names and half dates are refused.
    #[test]
    fn refused_dates() {
        use DateOrder::{Dmy, Mdy, Ymd};
        let table = [
            ("02/30/2026", Mdy),
            ("02/29/2027", Mdy),
            ("2026-02-30", Mdy),
            ("13/01/2026", Mdy),
            ("01/13/2026", Dmy),
            ("10/31/2026", Ymd),
            ("0/1/2026", Mdy),
            ("Sat 10/31/2026", Mdy),
            ("Oct 31 2026", Mdy),
            ("10/31", Mdy),
            ("10/31-2026", Mdy),
            ("10/31/026", Mdy),
            ("10/31/2026 x", Mdy),
            ("1/2/3/4", Mdy),
            ("", Mdy),
            ("20261031", Mdy),
            ("-1/2/2026", Mdy),
            ("01/01/1899", Mdy),
        ];
        for (text, order) in table {
            assert!(day(text, order).is_err(), "{text} {order}");
        }
    }

    proptest! {
        /// Every day reads back from each of its spellings, and no text panics.
        #[test]
        fn round_trip(days in 0_i64..36_500, text in ".{0,14}|[0-9/.-]{0,12}") {
            let first = Date::new(1970, 1, 1).expect("a day");
            let date = first.plus_days(days).expect("a day");
            let (y, m, d) = (date.year(), date.month(), date.day());
            prop_assert_eq!(day(&format!("{m}/{d}/{y}"), DateOrder::Mdy), Ok(date));
            prop_assert_eq!(day(&format!("{d:02}.{m:02}.{:02}", y % 100), DateOrder::Dmy), Ok(date));
            prop_assert_eq!(day(&date.to_string(), DateOrder::Ymd), Ok(date));
            for order in DateOrder::ALL {
                let _ = day(&text, *order);
            }
        }
    }
}
