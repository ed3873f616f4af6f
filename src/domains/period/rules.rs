//! What a period may be, and that nothing is posted into one that is closed.

use crate::{
    model::{Date, Origin, Refusal, fold_for_search, quoted},
    wire_enum,
};

wire_enum! {
    /// Whether a period takes postings.
    pub enum Standing {
        /// Takes postings
        Open = "open",
        /// Takes none
        Closed = "closed",
    }
}

/// A period.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Period {
    /// Its id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its first day.
    pub start: Date,
    /// Its last day.
    pub end: Date,
    /// Whether it is closed.
    pub status: Standing,
    /// The entry that closed it.
    pub closing_entry: Option<i64>,
}

/// Why there can be no period of this name and these days beside the others; every reason is named.
///
/// Refuses: days in the wrong order, a name that another has (case and accents ignored), days that another has, and days up to
/// the last that is closed, because nothing could be posted into them.
pub fn may_be(name: &str, (start, end): (Date, Date), others: &[Period]) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let days = |refusal: Refusal| {
        refusal
            .with("start", start.to_string())
            .with("end", end.to_string())
    };
    if end < start {
        let message = format!("the first day {start} is after the last day {end}");
        refusals.push(
            days(Refusal::new("period_backwards", message)).hint("give the earlier day first"),
        );
        return refusals;
    }
    let folded = fold_for_search(name);
    if let Some(other) = others
        .iter()
        .find(|other| fold_for_search(&other.name) == folded)
    {
        let message = format!(
            "period {} is called {} already",
            other.id,
            quoted(&other.name)
        );
        refusals.push(
            Refusal::new("period_name_in_use", message)
                .with("name", name)
                .with("period_id", other.id)
                .hint("give it a name of its own"),
        );
    }
    if let Some(other) = others
        .iter()
        .find(|other| start <= other.end && other.start <= end)
    {
        let message = format!(
            "{start} to {end} shares days with period {}, which is {} to {}",
            other.id, other.start, other.end
        );
        let refusal = days(Refusal::new("period_overlaps", message)).with("period_id", other.id);
        refusals.push(refusal.remedy("books.list_periods", "choose days that no period has"));
        return refusals;
    }
    let closed = others
        .iter()
        .filter(|other| other.status == Standing::Closed);
    if let Some(last) = closed
        .max_by_key(|other| other.end)
        .filter(|last| start <= last.end)
    {
        let message = format!(
            "the books are closed through {}, and {start} is not after that",
            last.end
        );
        refusals.push(
            days(Refusal::new("period_closed", message))
                .with("period_id", last.id)
                .with("closed_through", last.end.to_string())
                .hint("begin it after that day"),
        );
    }
    refusals
}

/// Why nothing is posted on a day, given the closed period that ends last.
pub fn refused((day, origin): (Date, Origin), last: &Period) -> Option<Refusal> {
    if day > last.end {
        return None;
    }
    let message = format!(
        "the books are closed through {} (period {}), so nothing can be posted on {day}",
        last.end, last.id
    );
    let refusal = Refusal::new("period_closed", message)
        .with("date", day.to_string())
        .with("period_id", last.id)
        .with("closed_through", last.end.to_string());
    let hint = "a closed period is not opened again: date it after that day, and say in its description what it corrects";
    Some(match origin {
        Origin::Manual | Origin::Imported | Origin::Opening => {
            refusal.remedy("books.update_draft", hint)
        }
        Origin::Reversal => refusal.remedy("books.reverse_entry", hint),
        Origin::Migrated | Origin::Closing => refusal.hint(hint),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a day")
    }

    fn period(id: i64, name: &str, (start, end): (&str, &str), status: Standing) -> Period {
        Period {
            id,
            name: name.to_owned(),
            start: day(start),
            end: day(end),
            status,
            closing_entry: None,
        }
    }

    fn codes(name: &str, start: &str, end: &str, others: &[Period]) -> Vec<&'static str> {
        let found = may_be(name, (day(start), day(end)), others);
        found.iter().map(|refusal| refusal.code).collect()
    }

    /// A period begins no later than it ends, shares neither a name nor a day with another, and begins after all that is closed;
    /// gaps between periods are free.
    #[test]
    fn periods() {
        let january = period(1, "January", ("2026-01-01", "2026-01-31"), Standing::Closed);
        let march = period(2, "March", ("2026-03-01", "2026-03-31"), Standing::Open);
        let others = [january, march];
        assert_eq!(codes("Feb", "2026-02-01", "2026-02-28", &others), [""; 0]);
        assert_eq!(codes("Feb", "2026-02-03", "2026-02-03", &others), [""; 0]);
        assert_eq!(
            codes("Feb", "2026-02-03", "2026-02-02", &others),
            ["period_backwards"]
        );
        assert_eq!(
            codes(" MARCH", "2026-04-01", "2026-04-30", &others),
            ["period_name_in_use"]
        );
        assert_eq!(
            codes("Q1", "2026-02-01", "2026-03-01", &others),
            ["period_overlaps"]
        );
        assert_eq!(
            codes("Q1", "2026-03-31", "2026-04-30", &others),
            ["period_overlaps"]
        );
        assert_eq!(
            codes("Old", "2025-01-01", "2025-12-31", &others),
            ["period_closed"]
        );
        let all = codes("march", "2025-01-01", "2026-01-01", &others);
        assert_eq!(all, ["period_name_in_use", "period_overlaps"]);
    }

    /// Nothing is posted up to the last closed day, which a gap before it is part of.
    #[test]
    fn postings() {
        let last = period(1, "January", ("2026-01-01", "2026-01-31"), Standing::Closed);
        for (on, free) in [
            ("2025-06-01", false),
            ("2026-01-31", false),
            ("2026-02-01", true),
        ] {
            let refused = refused((day(on), Origin::Manual), &last);
            assert_eq!(refused.is_none(), free, "{on}");
        }
    }
}
