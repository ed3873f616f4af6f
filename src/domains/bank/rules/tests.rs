//! The rules of reconciling, by their table: which reasons stand, in which order, and what they say.

use super::*;

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

/// October's statement of 1,000.00, which nothing speaks against.
fn october() -> Case {
    Case {
        statement: Some(Brought {
            attachment_id: 7,
            start: day("2026-10-01"),
            opening_minor: 100_000,
            used_by: None,
            withdrawn: false,
        }),
        waiting: None,
        date: day("2026-10-31"),
        last: None,
        cleared_minor: 100_000,
        stated_minor: 100_000,
        before_minor: 100_000,
        brought_minor: 100_000,
        missing: None,
        currency: Currency::from_code("USD").expect("a currency"),
    }
}

fn codes(case: Case) -> Vec<&'static str> {
    let problems = case.problems().expect("reasons");
    problems.iter().map(|refusal| refusal.code).collect()
}

fn last(date: &str, balance_minor: i64) -> Option<Last> {
    Some(Last {
        id: 3,
        date: day(date),
        balance_minor,
    })
}

/// spec/domain.md §12: every reason alone, and all that can hold at once in one order.
#[test]
fn precedence() {
    let case = october();
    let brought = case.statement.expect("a statement");
    let with = |brought: Brought| Case {
        statement: Some(brought),
        ..october()
    };
    assert_eq!(codes(case), Vec::<&str>::new());
    let unnamed = Case {
        statement: None,
        ..case
    };
    assert_eq!(codes(unnamed), ["statement_missing"]);
    let short = Case {
        cleared_minor: 99_999,
        ..case
    };
    assert_eq!(codes(short), ["reconcile_difference"]);
    for date in ["2026-10-31", "2026-11-30"] {
        let early = Case {
            last: last(date, 100_000),
            ..case
        };
        assert_eq!(codes(early), ["already_reconciled"], "{date}");
    }
    let opening = Brought {
        opening_minor: 99_999,
        ..brought
    };
    assert_eq!(codes(with(opening)), ["statement_opening"]);
    let used = Brought {
        used_by: Some(3),
        ..brought
    };
    assert_eq!(codes(with(used)), ["statement_used"]);
    let withdrawn = Brought {
        withdrawn: true,
        ..brought
    };
    assert_eq!(codes(with(withdrawn)), ["statement_withdrawn"]);
    let all = Case {
        statement: Some(Brought {
            opening_minor: 1,
            used_by: Some(3),
            withdrawn: true,
            ..brought
        }),
        cleared_minor: 0,
        ..case
    };
    let mut want = vec![
        "reconcile_difference",
        "statement_opening",
        "statement_used",
        "statement_withdrawn",
    ];
    assert_eq!(codes(all), want);
    // What an earlier statement opens with is not held against the last reconciliation.
    let early = Case {
        last: last("2026-10-31", 100_000),
        ..all
    };
    want[1] = "already_reconciled";
    assert_eq!(codes(early), want);
}

/// spec/domain.md §12: a first statement opens with what was cleared before it, a later one with the last one's closing balance.
#[test]
fn openings() {
    let after = Case {
        last: last("2026-09-30", 100_000),
        before_minor: 0,
        brought_minor: 0,
        ..october()
    };
    assert_eq!(codes(after), Vec::<&str>::new());
    let other = Case {
        last: last("2026-09-30", 90_000),
        ..october()
    };
    let said = other.problems().expect("reasons").remove(0).message;
    assert_eq!(
        said,
        "the statement opens with 1000.00, but reconciliation 3 closed with 900.00"
    );
}

/// spec/domain.md §12, "Dec wrong": +300 keyed as +30 leaves (270.00), which is divisible by nine; a line that makes the
/// difference up is named; a difference of one cent has no hint.
#[test]
fn hints() {
    let wrong = Case {
        cleared_minor: 168_000,
        stated_minor: 195_000,
        ..october()
    };
    let said = |case: Case| case.problems().expect("reasons").remove(0).message;
    assert_eq!(
        said(wrong),
        "the cleared lines come to 1680.00, the statement to 1950.00: a difference of -270.00; it is divisible by nine, as \
         after a transposition (two digits changed places) or a slide of the point"
    );
    let cent = Case {
        cleared_minor: 100_001,
        ..october()
    };
    assert_eq!(
        said(cent),
        "the cleared lines come to 1000.01, the statement to 1000.00: a difference of 0.01"
    );
    let missing = Case {
        cleared_minor: 80_000,
        missing: Some((5, 1)),
        ..october()
    };
    assert_eq!(
        said(missing),
        "the cleared lines come to 800.00, the statement to 1000.00: a difference of -200.00; line 1 of entry 5, which is not \
         cleared, makes it up"
    );
}

/// spec/domain.md §12: days between two statements, or days in both, are warned of; statements that follow are not.
#[test]
fn gaps() {
    let after = |date: &str| Case {
        last: last(date, 100_000),
        ..october()
    };
    assert_eq!(after("2026-09-30").warning(), None);
    assert_eq!(october().warning(), None);
    for date in ["2026-09-29", "2026-10-01"] {
        let told = after(date).warning().expect("a warning");
        assert!(told.contains("begins on 2026-10-01"), "{told}");
    }
}

/// spec/domain.md §12: assets and liabilities have statements, nothing else has; a period does not run backwards.
#[test]
fn refused_at_once() {
    for kind in AccountType::ALL {
        let takes = matches!(kind, AccountType::Asset | AccountType::Liability);
        assert_eq!(reconcilable(*kind, "1").is_ok(), takes, "{kind}");
    }
    let (first, next) = (day("2026-10-01"), day("2026-10-02"));
    assert!(in_order(first, first).is_ok() && in_order(first, next).is_ok());
    assert_eq!(
        in_order(next, first).map_err(|r| r.code),
        Err("statement_period")
    );
}
