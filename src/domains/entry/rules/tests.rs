//! The rules of entries by the figures of spec/domain.md §1.

use super::*;
use crate::model::Foreign;
use proptest::prelude::*;

fn usd() -> Currency {
    Currency::from_code("USD").expect("listed")
}
fn lines(pairs: &[(i64, i64)]) -> Vec<Line> {
    pairs.iter().map(|pair| Line::of(pair.0, pair.1)).collect()
}
fn codes(result: Result<Balanced, Vec<Refusal>>) -> Vec<&'static str> {
    result
        .err()
        .unwrap_or_default()
        .iter()
        .map(|r| r.code)
        .collect()
}

/// spec/domain.md §1.1: at least two lines, every amount over zero, debits equal to credits, exactly; every fault named.
#[test]
fn validity() {
    assert_eq!(
        codes(Balanced::of(lines(&[(1, 500), (2, -500)]), usd())),
        Vec::<&str>::new()
    );
    assert_eq!(
        codes(Balanced::of(lines(&[]), usd())),
        ["entry_too_few_lines"]
    );
    assert_eq!(
        codes(Balanced::of(lines(&[(1, 500)]), usd())),
        ["entry_too_few_lines", "entry_unbalanced"]
    );
    assert_eq!(
        codes(Balanced::of(lines(&[(1, 0), (2, 0)]), usd())),
        ["bad_amount"]
    );
    assert_eq!(
        codes(Balanced::of(lines(&[(1, 500), (2, -499)]), usd())),
        ["entry_unbalanced"]
    );
    let many = lines(&[(1, 1), (2, -1)].repeat(501));
    assert_eq!(codes(Balanced::of(many, usd())), ["entry_too_many_lines"]);
}

/// An unbalanced entry is refused with both sums and the difference.
#[test]
fn unbalanced_numbers() {
    let refusal = Balanced::of(lines(&[(1, 10_000), (2, -9_930)]), usd())
        .expect_err("unbalanced")
        .remove(0);
    assert_eq!(
        refusal.message,
        "debits of 100.00 and credits of 99.30 differ by 0.70; the credits are short"
    );
    let refusal = Balanced::of(lines(&[(1, 9_930), (2, -10_000)]), usd())
        .expect_err("unbalanced")
        .remove(0);
    assert_eq!(
        refusal.message,
        "debits of 99.30 and credits of 100.00 differ by 0.70; the debits are short"
    );
}

/// A line may stand only on an account in use that groups no others.
#[test]
fn postable_accounts() {
    let standing = |groups, archived| Standing {
        code: "1500",
        groups,
        archived,
    };
    assert_eq!(postable(&standing(false, false)), Ok(()));
    assert_eq!(
        postable(&standing(true, false)).map_err(|r| r.code),
        Err("account_is_placeholder")
    );
    assert_eq!(
        postable(&standing(false, true)).map_err(|r| r.code),
        Err("account_archived")
    );
}

/// spec/domain.md §1.6: a reversal is not dated before what it reverses.
#[test]
fn reversal_dates() {
    let day = |s: &str| s.parse::<Date>().expect("a date");
    assert!(reversal_date(day("2026-12-15"), day("2026-12-15")).is_ok());
    assert!(reversal_date(day("2026-12-15"), day("2027-01-05")).is_ok());
    assert!(reversal_date(day("2026-12-15"), day("2026-12-14")).is_err());
}

/// A day more than a year ahead, or before 1990, is worth a word; a year ahead to the day is not.
#[test]
fn unlikely_days() {
    let day = |s: &str| s.parse::<Date>().expect("a date");
    let warned = |date| unlikely_day(day(date), day("2026-11-30"));
    for likely in ["1990-01-01", "2026-11-30", "2027-11-30"] {
        assert_eq!(warned(likely), None);
    }
    assert_eq!(
        warned("2062-11-30").as_deref(),
        Some("the entry is dated 2062-11-30, more than a year after today, 2026-11-30")
    );
    assert_eq!(
        warned("1989-12-31").as_deref(),
        Some("the entry is dated 1989-12-31, before 1990")
    );
}

/// A debit and a credit of one amount on one account are found; other amounts and other accounts are not.
#[test]
fn cancelling_lines() {
    assert_eq!(cancelling(&lines(&[(1, 500), (2, -500)])), None);
    assert_eq!(cancelling(&lines(&[(1, 500), (1, -400), (2, -100)])), None);
    let found = cancelling(&lines(&[(2, -7), (1, 500), (2, 7), (3, -500)]));
    assert_eq!(found, Some(Line::of(2, 7)));
}

proptest! {
    /// Swapping every side keeps the total and undoes itself; an entry and its reversal net to zero on every account.
    #[test]
    fn swapping(amounts in prop::collection::vec(1i64..1_000_000, 1..6)) {
        let mut lines: Vec<Line> = (1i64..).zip(&amounts).map(|(id, amount)| Line::of(id, *amount)).collect();
        lines.push(Line::of(99, -amounts.iter().sum::<i64>()));
        let reversal = swapped(&lines);
        prop_assert_eq!(swapped(&reversal), lines.clone());
        let total = |lines: Vec<Line>| Balanced::of(lines, usd()).expect("it balances").total_minor();
        prop_assert_eq!(total(reversal.clone()), total(lines.clone()));
        prop_assert!(lines.iter().zip(&reversal).all(|(a, b)| a.account_id == b.account_id && a.amount_minor + b.amount_minor == 0));
    }

    /// A range of days is covered exactly once by its whole months and its left-over days.
    #[test]
    fn spans_cover(from in 0i64..800, length in 0i64..500) {
        let origin: Date = "2025-01-01".parse().expect("a date");
        let start = origin.plus_days(from).expect("in the calendar");
        let end = start.plus_days(length).expect("in the calendar");
        let (between, up_to) = (Span::between(start, end), Span::up_to(end));
        for offset in -40i64..1_400 {
            let Some(day) = origin.plus_days(offset) else { continue };
            let times = |span: &Span| {
                let month = span.months.is_some_and(|(a, b)| (a..=b).contains(&day.month_number()));
                usize::from(month) + span.days.iter().filter(|(a, b)| (*a..=*b).contains(&day)).count()
            };
            prop_assert_eq!(times(&between), usize::from((start..=end).contains(&day)), "{}", day);
            prop_assert_eq!(times(&up_to), usize::from(day <= end), "{}", day);
        }
    }
}

/// Balanced lines keep what they were made of and know the sum of their debits.
#[test]
fn balanced_lines() {
    let lines = lines(&[(1, 700), (2, 300), (3, -1_000)]);
    let balanced = Balanced::of(lines.clone(), usd()).expect("balanced");
    assert_eq!(balanced.lines(), lines);
    assert_eq!(balanced.total_minor(), 1_000);
}

/// A span is whole months and the days that are left: one day, parts at both ends, a year's turn, and nothing.
#[test]
fn spans() {
    let day = |text: &str| text.parse::<Date>().expect("a date");
    let span = |start: &str, end: &str| Span::between(day(start), day(end));
    let days = |parts: &[(&str, &str)]| -> Vec<(Date, Date)> {
        parts.iter().map(|(a, b)| (day(a), day(b))).collect()
    };
    let one = span("2026-03-15", "2026-03-15");
    assert_eq!(one.months, None);
    assert_eq!(one.days, days(&[("2026-03-15", "2026-03-15")]));
    let turn = span("2025-12-15", "2026-02-10");
    assert_eq!(turn.months, Some((202_601, 202_601)));
    assert_eq!(
        turn.days,
        days(&[("2025-12-15", "2025-12-31"), ("2026-02-01", "2026-02-10")])
    );
    let whole = span("2026-01-01", "2026-12-31");
    assert_eq!(
        (whole.months, whole.days),
        (Some((202_601, 202_612)), vec![])
    );
    let within = span("2026-11-20", "2026-12-31");
    assert_eq!(within.months, Some((202_612, 202_612)));
    assert_eq!(within.days, days(&[("2026-11-20", "2026-11-30")]));
    assert_eq!(span("2026-03-16", "2026-03-15"), Span::default());
}

fn foreign(line: Line, amount: &str) -> Line {
    let foreign = Foreign {
        currency: "EUR".parse().expect("a code"),
        amount: amount.parse().expect("an amount"),
        rate: "1.01".parse().expect("a rate"),
    };
    Line {
        foreign: Some(foreign),
        ..line
    }
}

/// spec/domain.md §1.6: a reversal has the same accounts, amounts, classes, foreign originals and rates, every side swapped.
#[test]
fn swapped_whole() {
    let line = foreign(Line::of(1, 51).in_class(Some(7)), "0.50");
    let other = foreign(Line::of(1, -51).in_class(Some(7)), "-0.50");
    assert_eq!(swapped(&[line, other]), [other, line]);
}

/// spec/domain.md §9.3: only a difference that the rounding of foreign lines can make, half a cent each, is told to be one.
#[test]
fn rounding_is_told() {
    let hint = |lines: Vec<Line>| {
        let refusal = Balanced::of(lines, usd())
            .expect_err("unbalanced")
            .remove(0);
        refusal
            .remedy_hint
            .is_some_and(|hint| hint.contains("7200"))
    };
    let half = |minor| foreign(Line::of(1, minor), "0.50");
    let whole = |minor| foreign(Line::of(2, minor), "1.00");
    assert!(hint(vec![half(51), half(51), whole(-101)]));
    assert!(hint(vec![half(51), whole(-50)]));
    assert!(!hint(vec![half(51), Line::of(2, -50)]));
    assert!(!hint(vec![half(52), half(52), whole(-102)]));
    assert!(!hint(lines(&[(1, 51), (2, -50)])));
}

/// A debit and a credit in different classes move something from one to the other, so they do not cancel.
#[test]
fn classes_do_not_cancel() {
    let line = |minor, class| Line::of(1, minor).in_class(Some(class));
    assert_eq!(cancelling(&[line(5, 1), line(-5, 2)]), None);
    assert_eq!(cancelling(&[line(5, 1), line(-5, 1)]), Some(line(5, 1)));
}
