//! What a digest concludes from what the journal says of clocks: whether they can be trusted. Pure.

use crate::model::Date;

/// Why days of this digest may be wrong: the clock now stands before something that is written already.
///
/// `last` is the last event and its instant, `latest` the latest day of the journal's clock as `YYYYMMDD` and its first event.
/// Instants are UTC to the second, so that they sort as texts.
pub fn clock_warning(now: &str, last: (i64, &str), latest: Option<(i64, i64)>) -> Option<String> {
    let (seq, at) = last;
    if now < at {
        return Some(format!(
            "The clock stands at {now}, but event {seq}, the last one, was written at {at}. Set the clock right: the days of \
             what is written meanwhile are wrong; its order is not."
        ));
    }
    let today = now.get(..10)?.parse::<Date>().ok()?;
    let (day, seq) = latest.filter(|(day, _)| *day > today.number())?;
    let day = Date::from_number(day)?;
    Some(format!(
        "Event {seq} was written on {day}, and the clock stands at {now}: it was ahead then. A digest since any day up to that \
         one begins there at the latest."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// spec/reliability.md E6: a clock that stands before the last event is told, and so is one that was ahead once; a clock
    /// that goes on is not.
    #[test]
    fn clocks() {
        let now = "2026-11-30T12:00:00Z";
        let warned = |at: &str, latest| clock_warning(now, (9, at), latest);
        assert_eq!(warned(now, Some((20_261_130, 3))), None);
        assert_eq!(warned("2026-11-30T11:59:59Z", None), None);
        let back = warned("2026-11-30T12:00:01Z", None).expect("a warning");
        assert!(
            back.starts_with("The clock stands at 2026-11-30T12:00:00Z, but event 9,"),
            "{back}"
        );
        let ahead = warned("2026-11-30T11:00:00Z", Some((20_270_101, 4))).expect("a warning");
        assert!(
            ahead.starts_with("Event 4 was written on 2027-01-01,"),
            "{ahead}"
        );
    }
}
