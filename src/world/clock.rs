//! What the system's clock says, as far as books can be dated by it. Whether it is right is not known here.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat, Utc};

/// 2000-01-01T00:00:00Z: a machine whose clock was never set stands before it, most at 1970 or 1980.
const FIRST_SECOND: i64 = 946_684_800;
/// 9999-12-31T23:59:59Z, the last second of the calendar of the books.
const LAST_SECOND: i64 = 253_402_300_799;

/// Seconds since 1970, negative before it.
fn seconds(time: SystemTime) -> i64 {
    let capped = |s: u64| i64::try_from(s).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => capped(since.as_secs()),
        // A part of a second before 1970 is before it.
        Err(before) => -capped(before.duration().as_secs()).max(1),
    }
}

/// The instant, or the first or last that is taken where it lies beyond.
pub fn nearest(time: SystemTime) -> DateTime<Utc> {
    let second = seconds(time).clamp(FIRST_SECOND, LAST_SECOND);
    DateTime::from_timestamp(second, 0).expect("chrono's calendar has the years 2000 to 9999")
}

/// An instant as the journal writes it.
pub fn written(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Whether the clock stands where books can be dated by it; else where it stands, in words.
pub fn judge(time: SystemTime) -> Result<(), String> {
    let second = seconds(time);
    if (FIRST_SECOND..=LAST_SECOND).contains(&second) {
        return Ok(());
    }
    let shown = DateTime::from_timestamp(second, 0).map(written);
    Err(shown.unwrap_or_else(|| format!("{second} seconds after 1970")))
}

/// The same of an instant that was written down.
pub fn judge_written(instant: &str) -> Result<(), String> {
    match DateTime::parse_from_rfc3339(instant).map(|at| at.timestamp()) {
        Ok(FIRST_SECOND..=LAST_SECOND) => Ok(()),
        _ => Err(instant.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Whatever the system's clock says, it is an instant of the years 2000 to 9999 or said to be none, and nothing panics.
    #[test]
    fn clocks() {
        let at = |seconds: i64| match u64::try_from(seconds) {
            Ok(after) => UNIX_EPOCH.checked_add(Duration::from_secs(after)),
            Err(_) => UNIX_EPOCH.checked_sub(Duration::from_secs(seconds.unsigned_abs())),
        };
        let cases = [
            (i64::MIN + 1, "2000-01-01T00:00:00Z", None),
            (-1, "2000-01-01T00:00:00Z", Some("1969-12-31T23:59:59Z")),
            (0, "2000-01-01T00:00:00Z", Some("1970-01-01T00:00:00Z")),
            (
                946_684_799,
                "2000-01-01T00:00:00Z",
                Some("1999-12-31T23:59:59Z"),
            ),
            (946_684_800, "2000-01-01T00:00:00Z", Some("")),
            (1_796_000_000, "2026-11-30T00:53:20Z", Some("")),
            (253_402_300_799, "9999-12-31T23:59:59Z", Some("")),
            (
                253_402_300_800,
                "9999-12-31T23:59:59Z",
                Some("+10000-01-01T00:00:00Z"),
            ),
            (i64::MAX, "9999-12-31T23:59:59Z", None),
        ];
        for (second, want, shown) in cases {
            let Some(time) = at(second) else { continue };
            assert_eq!(written(nearest(time)), want, "{second}");
            let judged = judge(time).err();
            match shown {
                Some("") => assert_eq!(judged, None, "{second}"),
                Some(shown) => assert_eq!(judged.as_deref(), Some(shown), "{second}"),
                None => assert!(judged.is_some_and(|j| j.contains("seconds after 1970"))),
            }
        }
        let part = UNIX_EPOCH.checked_sub(Duration::from_millis(1));
        assert!(judge(part.expect("a time")).is_err());
    }

    /// An instant that stands still is held to the same years.
    #[test]
    fn written_instants() {
        for (instant, is) in [
            ("1969-12-31T23:59:59Z", false),
            ("1999-12-31T23:59:59Z", false),
            ("2000-01-01T00:00:00Z", true),
            ("9999-12-31T23:59:59Z", true),
            ("+10000-01-01T00:00:00Z", false),
            ("soon", false),
        ] {
            assert_eq!(judge_written(instant).is_ok(), is, "{instant}");
        }
    }
}
