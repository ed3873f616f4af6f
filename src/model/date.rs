//! Calendar days: `YYYY-MM-DD` and nothing else, with the month and fiscal-year arithmetic that books need.

use std::{fmt, str::FromStr};

use chrono::{Datelike, Days, Months, NaiveDate};

use crate::{model::quoted, wire_string};

/// A calendar day from 1900-01-01 to 9999-12-31.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date(NaiveDate);

const YEAR_MIN: i32 = 1900;
const YEAR_MAX: i32 = 9999;

/// A month of the year, from January to December.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Month(u32);

impl Month {
    /// The first month.
    pub const JANUARY: Month = Month(1);

    /// The month with this number. Refuses (`None`): numbers but 1 to 12.
    pub fn new(number: u32) -> Option<Month> {
        (1..=12).contains(&number).then_some(Month(number))
    }

    /// Its number, 1 to 12.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl Date {
    /// The day of a year, month and day of month, when the calendar has it.
    pub fn new(year: i32, month: u32, day: u32) -> Option<Date> {
        NaiveDate::from_ymd_opt(year, month, day)
            .filter(|_| (YEAR_MIN..=YEAR_MAX).contains(&year))
            .map(Date)
    }

    /// The day as the number `YYYYMMDD`, which sorts like the day; what the tables hold.
    pub fn number(self) -> i64 {
        i64::from(self.0.year()) * 10_000
            + i64::from(self.0.month()) * 100
            + i64::from(self.0.day())
    }

    /// The day of a number `YYYYMMDD`.
    pub fn from_number(number: i64) -> Option<Date> {
        let part = |n: i64| u32::try_from(n).ok();
        Date::new(
            i32::try_from(number / 10_000).ok()?,
            part(number / 100 % 100)?,
            part(number % 100)?,
        )
    }

    /// The month as the number `YYYYMM`.
    pub fn month_number(self) -> i64 {
        self.number() / 100
    }

    /// The year.
    pub fn year(self) -> i32 {
        self.0.year()
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u32 {
        self.0.month()
    }

    /// The day of the month, from 1.
    pub fn day(self) -> u32 {
        self.0.day()
    }

    /// The first day of this day's month.
    pub fn month_start(self) -> Date {
        Date(self.0 - Days::new(u64::from(self.0.day0())))
    }

    /// The last day of this day's month.
    pub fn month_end(self) -> Date {
        let next = self.month_start().0.checked_add_months(Months::new(1));
        Date(next.and_then(|d| d.pred_opt()).unwrap_or(NaiveDate::MAX))
    }

    /// The day `days` later (earlier when negative); `None` beyond the calendar.
    pub fn plus_days(self, days: i64) -> Option<Date> {
        let moved = self
            .0
            .checked_add_signed(chrono::TimeDelta::try_days(days)?)?;
        Date::new(moved.year(), moved.month(), moved.day())
    }

    /// The day `months` later, the day of the month clamped to the target month's length.
    pub fn plus_months(self, months: u32) -> Option<Date> {
        let moved = self.0.checked_add_months(Months::new(months))?;
        Date::new(moved.year(), moved.month(), moved.day())
    }

    /// The first day of the fiscal year that holds this day, for a year that starts on the first of `start`; the first day
    /// there is, for a fiscal year that began before it.
    ///
    /// Source: a tax year is the calendar year or twelve months ending on the last day of another month, IRC §441(e).
    pub fn fiscal_year_start(self, start: Month) -> Date {
        let year = if self.month() >= start.number() {
            self.year()
        } else {
            self.year() - 1
        };
        Date::new(year, start.number(), 1)
            .or_else(|| Date::new(YEAR_MIN, 1, 1))
            .expect("the first of January 1900 is in the calendar")
    }

    /// The day in words, as a statement's heading has it: `November 30, 2026`.
    pub fn long(self) -> String {
        self.0.format("%B %-d, %Y").to_string()
    }
}

impl FromStr for Date {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let bytes = s.as_bytes();
        let digits = |from: usize, to: usize| {
            bytes[from..to].iter().try_fold(0_u32, |n, b| {
                b.is_ascii_digit().then(|| n * 10 + u32::from(b - b'0'))
            })
        };
        let shaped = bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-';
        let day = shaped
            .then(|| Date::new(digits(0, 4)? as i32, digits(5, 7)?, digits(8, 10)?))
            .flatten();
        let numbers = shaped
            && [digits(0, 4), digits(5, 7), digits(8, 10)]
                .iter()
                .all(Option::is_some);
        day.ok_or_else(|| match us_date(s) {
            _ if numbers => format!("there is no day {}", quoted(s)),
            Some(day) => format!("{} is not a date here: write it as {day}", quoted(s)),
            None => format!("{} is not a date like 2026-10-31", quoted(s)),
        })
    }
}

/// The day that a date in US order, month first, stands for.
fn us_date(s: &str) -> Option<Date> {
    let mut parts = s.trim().split('/');
    let mut number = |len: usize| {
        let part = parts
            .next()
            .filter(|part| (1..=len).contains(&part.len()))?;
        let digits = part.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| part.parse::<u16>().ok()).flatten()
    };
    let (month, day, year) = (number(2)?, number(2)?, number(4)?);
    let year = if year < 100 { 2000 + year } else { year };
    if parts.next().is_some() {
        return None;
    }
    Date::new(i32::from(year), u32::from(month), u32::from(day))
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.format("%Y-%m-%d").to_string())
    }
}

wire_string!(Date, "Date", { "type": "string", "format": "date" });

#[cfg(test)]
mod tests {
    use super::*;

    fn day(s: &str) -> Date {
        s.parse().expect("a date")
    }

    /// spec/domain.md §1.2: the first day of the fiscal year around a day; the calendar's first day before that.
    #[test]
    fn fiscal_years() {
        let cases = [
            (1, "2026-11-30", "2026-01-01"),
            (7, "2026-11-30", "2026-07-01"),
            (7, "2026-06-30", "2025-07-01"),
            (3, "2028-02-29", "2027-03-01"),
            (7, "1900-06-30", "1900-01-01"),
        ];
        for (month, as_of, start) in cases {
            let month = Month::new(month).expect("a month");
            assert_eq!(day(as_of).fiscal_year_start(month), day(start));
        }
        assert_eq!([0, 13].map(Month::new), [None, None]);
    }

    /// Ten ASCII bytes that the calendar has, or nothing.
    #[test]
    fn grammar() {
        for bad in [
            "2026-1-1",
            "2026-02-30",
            "2027-02-29",
            "1899-12-31",
            "2026/01/01",
            "2026-13-01",
            "",
            "２026-01-1",
            "+026-01-01",
            "2026-01-01T",
        ] {
            assert!(bad.parse::<Date>().is_err(), "{bad:?}");
        }
        assert_eq!(day("2028-02-29").to_string(), "2028-02-29");
        assert_eq!(day("9999-12-31").month_end(), day("9999-12-31"));
    }

    /// Months clamp to their length and days count over month ends.
    #[test]
    fn arithmetic() {
        assert_eq!(day("2026-01-31").plus_months(1), Some(day("2026-02-28")));
        assert_eq!(day("2026-02-15").month_end(), day("2026-02-28"));
        assert_eq!(day("2026-02-15").month_start(), day("2026-02-01"));
        assert_eq!(day("2026-03-01").plus_days(-1), Some(day("2026-02-28")));
        assert_eq!(day("9999-12-31").plus_days(1), None);
        assert_eq!(
            Date::from_number(day("2026-11-30").number()),
            Some(day("2026-11-30"))
        );
        assert_eq!(day("2026-11-30").month_number(), 202_611);
        assert_eq!(Date::from_number(20_260_230), None);
        assert_eq!(Date::from_number(-1), None);
        assert_eq!(day("2026-11-03").long(), "November 3, 2026");
    }
}
