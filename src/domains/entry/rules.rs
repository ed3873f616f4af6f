//! The rules of entries: what balances, what may be posted, what may be reversed, and how a range of days divides into
//! whole months. Pure.

use std::collections::BTreeSet;

use crate::{
    domains::chart::account_archived,
    model::{Currency, Date, Line, Refusal, quoted},
};

/// The most lines of one entry.
pub const LINES_MAX: usize = 1_000;

/// An account as the rules see it.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// Its code.
    pub code: &'a str,
    /// Whether it only groups others.
    pub groups: bool,
    /// Whether it is out of use.
    pub archived: bool,
}

/// Lines that balance: at least two, none zero, debits equal to credits. There is no other way to make one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balanced {
    lines: Vec<Line>,
    total_minor: i64,
}

impl Balanced {
    /// The lines, in order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The sum of the debits, in minor units.
    pub fn total_minor(&self) -> i64 {
        self.total_minor
    }

    /// Holds lines to the rules of an entry; every rule they break is named.
    pub fn of(lines: Vec<Line>, currency: Currency) -> Result<Balanced, Vec<Refusal>> {
        let mut refusals = Vec::new();
        if lines.len() < 2 {
            let message = format!("the entry needs at least 2 lines and has {}", lines.len());
            refusals.push(
                Refusal::new("entry_too_few_lines", message)
                    .with("lines", lines.len())
                    .remedy("books.add_line", "add the other side to the draft"),
            );
        }
        refusals.extend(too_many(lines.len()).err());
        if let Some(index) = lines.iter().position(|line| line.amount_minor == 0) {
            let message = format!("line {index} has a zero amount");
            refusals.push(Refusal::new("bad_amount", message).with("line_index", index));
        }
        let (debits, credits) = totals(&lines);
        if debits != credits {
            let refusal = unbalanced(debits, credits, currency);
            refusals.push(match rounded_apart(&lines, debits.abs_diff(credits)) {
                true => refusal.hint(ROUNDING),
                false => refusal,
            });
        }
        let total_minor = i64::try_from(debits).ok();
        match total_minor {
            Some(total_minor) if refusals.is_empty() => Ok(Balanced { lines, total_minor }),
            Some(_) => Err(refusals),
            None => {
                refusals.push(Refusal::too_large("the entry's total"));
                Err(refusals)
            }
        }
    }
}

/// The same lines with every side swapped.
pub fn swapped(lines: &[Line]) -> Vec<Line> {
    lines.iter().map(|line| line.swapped()).collect()
}

/// Refuses more lines than an entry may have.
pub fn too_many(lines: usize) -> Result<(), Refusal> {
    if lines <= LINES_MAX {
        return Ok(());
    }
    let message = format!("the entry would have {lines} lines; at most {LINES_MAX} fit");
    Err(Refusal::new("entry_too_many_lines", message).with("lines", lines))
}

/// The largest sum of all debits ever posted, in minor units: eighteen digits.
///
/// Every other sum of the books (a month's, an account's, a statement's) adds some of the same lines on their two sides, so
/// none can be larger than this and all stay within 64 bits.
const TURNOVER_MINOR_MAX: i64 = 999_999_999_999_999_999;

/// Refuses a posting with which the sum of all debits ever posted would have more than 18 digits.
pub fn turnover(posted_minor: i64, entry: &Balanced, currency: Currency) -> Result<(), Refusal> {
    let total = i128::from(posted_minor) + i128::from(entry.total_minor);
    if total <= i128::from(TURNOVER_MINOR_MAX) {
        return Ok(());
    }
    let [posted, more, most] = [posted_minor, entry.total_minor, TURNOVER_MINOR_MAX]
        .map(|minor| currency.money(minor).to_string());
    let message = format!(
        "the debits posted so far, {posted}, and this entry's {more} come to more than the {most} that the books can sum"
    );
    Err(Refusal::new("amount_too_large", message)
        .with("posted", posted)
        .with("total", more)
        .with("posted_max", most))
}

/// The sums of debits and of credits, both positive.
pub fn totals(lines: &[Line]) -> (i128, i128) {
    lines.iter().fold((0, 0), |(debits, credits), line| {
        let amount = i128::from(line.amount_minor);
        (debits + amount.max(0), credits + (-amount).max(0))
    })
}

fn unbalanced(debits: i128, credits: i128, currency: Currency) -> Refusal {
    let text = |minor: i128| {
        i64::try_from(minor).map_or_else(
            |_| minor.to_string(),
            |minor| currency.money(minor).to_string(),
        )
    };
    let (side, short) = if debits < credits {
        ("debits", credits - debits)
    } else {
        ("credits", debits - credits)
    };
    let message = format!(
        "debits of {} and credits of {} differ by {}; the {side} are short",
        text(debits),
        text(credits),
        text(short)
    );
    Refusal::new("entry_unbalanced", message)
        .with("debits", text(debits))
        .with("credits", text(credits))
        .with("difference", text(short))
        .remedy(
            "books.add_line",
            "add or correct a line so that both sides are equal",
        )
}

/// What helps where foreign amounts were rounded apart. Never adjusted silently: spec/domain.md §9.3.
const ROUNDING: &str = "each foreign amount was rounded by itself: add a line for the difference, on 7200 Foreign Exchange Gain (Loss) or the account that you keep for it";

/// Whether a difference can come of rounding each foreign amount by itself: at most half a minor unit a line.
fn rounded_apart(lines: &[Line], difference: u128) -> bool {
    let foreign = lines.iter().filter(|line| line.foreign.is_some()).count();
    difference * 2 <= foreign as u128
}

/// Whether a line may stand on an account.
pub fn postable(account: &Standing<'_>) -> Result<(), Refusal> {
    let code = quoted(account.code);
    if account.groups {
        return Err(Refusal::new(
            "account_is_placeholder",
            format!("account {code} only groups others; no line can stand on it"),
        )
        .with("account", account.code)
        .remedy(
            "books.chart",
            "choose one of the accounts under it with `wb chart list`",
        ));
    }
    if account.archived {
        return Err(account_archived(account.code));
    }
    Ok(())
}

/// Whether an entry dated `original` may be reversed on `date`.
pub fn reversal_date(original: Date, date: Date) -> Result<(), Refusal> {
    if date >= original {
        return Ok(());
    }
    Err(Refusal::new(
        "reversal_before_original",
        format!("the reversal is dated {date}, before the entry that it reverses ({original})"),
    )
    .with("date", date.to_string())
    .with("original_date", original.to_string())
    .hint(format!("date it {original} or later")))
}

/// The first year that is no likely slip of the keyboard.
const YEAR_MIN: i32 = 1990;

/// Why a day is likely mistyped: more than a year after today, or long before any books of today.
pub fn unlikely_day(date: Date, today: Date) -> Option<String> {
    if today.plus_months(12).is_some_and(|limit| date > limit) {
        return Some(format!(
            "the entry is dated {date}, more than a year after today, {today}"
        ));
    }
    (date.year() < YEAR_MIN).then(|| format!("the entry is dated {date}, before {YEAR_MIN}"))
}

/// A debit that a credit of the same entry cancels: the two differ in nothing but the side.
pub fn cancelling(lines: &[Line]) -> Option<Line> {
    let all: BTreeSet<Line> = lines.iter().copied().collect();
    let mut debits = all.iter().filter(|line| line.amount_minor > 0);
    debits.find(|line| all.contains(&line.swapped())).copied()
}

/// A range of days as whole months, for which totals are kept, and the days that are left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// First and last whole month, as `YYYYMM`.
    pub months: Option<(i64, i64)>,
    /// First and last day of each part that is no whole month.
    pub days: Vec<(Date, Date)>,
}

impl Span {
    /// Everything up to and including `end`.
    pub fn up_to(end: Date) -> Span {
        if end == end.month_end() {
            return Span {
                months: Some((0, end.month_number())),
                days: Vec::new(),
            };
        }
        Span {
            months: Some((0, end.month_number() - 1)),
            days: vec![(end.month_start(), end)],
        }
    }

    /// Everything from `start` to `end`, both included.
    pub fn between(start: Date, end: Date) -> Span {
        if start > end {
            return Span::default();
        }
        let mut days = Vec::new();
        let mut first = start.month_number();
        if start != start.month_start() {
            days.push((start, end.min(start.month_end())));
            first = next_month(first);
        }
        let mut last = end.month_number();
        if end != end.month_end() {
            last -= 1;
            if end.month_start() >= start {
                days.push((end.month_start(), end));
            }
        }
        // A number like 202600 lies between December and January, so it bounds months as well as a real one.
        Span {
            months: (first <= last).then_some((first, last)),
            days,
        }
    }
}

fn next_month(month: i64) -> i64 {
    if month % 100 == 12 {
        month + 89
    } else {
        month + 1
    }
}

#[cfg(test)]
mod tests;
