//! What the engine makes of the clock: a call is not begun under one that cannot be right, and a change says where one is doubtful.

use super::{No, Result};
use crate::{
    model::{Date, Refusal},
    store::{Envelope, View},
    world::World,
};

/// How far the clock may stand before the journal's last event without a word: two machines that share books may be of two minds
/// about the time, and not about the day.
const BEHIND_DAYS_MAX: i64 = 1;
/// How far it may stand after it: books of a year that are closed in the next one are no news; two years without a word are rarer
/// than a clock that was set wrong.
const AHEAD_DAYS_MAX: i64 = 731;

/// Refuses, as unavailable, a clock that stands before the year 2000 or after 9999: no event can be dated by it.
pub(super) fn must_be_set(world: &World) -> Result<()> {
    world.clock_is_set().map_err(|stands| {
        let message = format!(
            "the system's clock stands at {stands}; books are dated from the year 2000 to 9999"
        );
        No::Unavailable(Refusal::new("unavailable", message).hint("set the clock, then try again"))
    })
}

/// What is doubtful about a change at the instant `now`, after the journal's last event. Nothing, where there is none.
pub(super) fn doubt(view: &View<'_>, last: i64, now: &str) -> Option<String> {
    let line = view.line(last).ok().flatten()?;
    let line: Envelope<'_> = serde_json::from_str(&line).ok()?;
    doubted(&line.at, now)
}

fn doubted(last: &str, now: &str) -> Option<String> {
    // Both are `YYYY-MM-DDThh:mm:ssZ`, which sorts as time does; other text was not written here.
    let later = |at: &str, days| {
        let day: Date = at.get(..10)?.parse().ok()?;
        Some(format!("{}{}", day.plus_days(days)?, at.get(10..)?))
    };
    let beyond = |from: &str, days, to: &str| later(from, days).is_some_and(|end| *end < *to);
    let (how, hint) = if beyond(now, BEHIND_DAYS_MAX, last) {
        ("before", "the change bears that instant all the same")
    } else if beyond(last, AHEAD_DAYS_MAX, now) {
        (
            "more than two years after",
            "the change bears the clock's instant",
        )
    } else {
        return None;
    };
    Some(format!(
        "the system's clock stands at {now}, {how} the last event of the journal, {last}; {hint}: look whether the clock is right"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock up to a day behind the last event, or up to two years after it, is taken without a word.
    #[test]
    fn doubts() {
        let last = "2026-03-10T12:00:00Z";
        for (now, want) in [
            ("2026-03-09T11:59:59Z", Some(", before the last event")),
            ("2026-03-09T12:00:00Z", None),
            ("2026-03-10T12:00:00Z", None),
            ("2028-03-10T12:00:00Z", None),
            (
                "2028-03-10T12:00:01Z",
                Some(", more than two years after the last"),
            ),
            (
                "9999-12-31T23:59:59Z",
                Some(", more than two years after the last"),
            ),
            ("2000-01-01T00:00:00Z", Some(", before the last event")),
        ] {
            let found = doubted(last, now);
            let says = |want: &str| found.as_ref().is_some_and(|f| f.contains(want));
            assert_eq!(found.is_some(), want.is_some(), "{now}");
            assert!(want.is_none_or(says), "{now}: {found:?}");
        }
        assert_eq!(
            doubted("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            None
        );
        assert_eq!(doubted("", "2026-03-10T12:00:00Z"), None);
    }
}
