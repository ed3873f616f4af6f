//! The rules of statements against the specification's figures.

use super::*;

fn account(id: i64, code: &str, kind: AccountType, parent_id: Option<i64>) -> Account {
    Account {
        id,
        code: code.to_owned(),
        name: format!("Account {code}"),
        kind,
        parent_id,
        placeholder: false,
        archived: false,
        tax_category: None,
        has_children: false,
    }
}

fn settings(text: &str) -> Settings {
    Settings::parse(text).expect("good settings")
}

fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

/// spec/domain.md §1.5: retained earnings and net income before and after closes, whatever was closed when.
#[test]
fn retained_and_net() {
    let cases = [
        ("nothing closed this year", 500_000, 90_000, 90_000, 500_000),
        (
            "January closed, February open",
            560_000,
            30_000,
            90_000,
            500_000,
        ),
        ("prior year never closed", 500_000, 290_000, 90_000, 700_000),
        ("year closed, as of its end", 590_000, 0, 90_000, 500_000),
        ("loss year", 500_000, -25_000, -25_000, 500_000),
    ];
    for (case, target, unclosed, year, retained_minor) in cases {
        let want = Earned {
            retained_minor,
            net_minor: year,
        };
        assert_eq!(split(target, unclosed, year), Ok(want), "{case}");
    }
}

/// spec/domain.md §1.1: each type is shown positive on its normal side, a contra account negative, and assets equal
/// liabilities, equity and what is unclosed.
#[test]
fn signs() {
    let chart = [
        account(1, "1000", AccountType::Asset, None),
        account(2, "1590", AccountType::Asset, None),
        account(3, "2000", AccountType::Liability, None),
        account(4, "3000", AccountType::Equity, None),
        account(5, "3100", AccountType::Equity, None),
        account(6, "4000", AccountType::Revenue, None),
        account(7, "4900", AccountType::Revenue, None),
        account(8, "6500", AccountType::Expense, None),
        account(9, "6999", AccountType::Expense, None),
    ];
    let raws = Raws::from([
        (1, 1_000),
        (2, -200),
        (3, -150),
        (4, -500),
        (5, 50),
        (6, -600),
        (7, 100),
        (8, 300),
    ]);
    assert_eq!(sum(raws.values().copied()), Ok(0));
    let of = |kind| {
        let figures = figures(&chart, kind, &raws);
        let codes: Vec<(&str, i64)> = figures.iter().map(|(a, m)| (a.code.as_str(), *m)).collect();
        (codes, total(&chart, kind, &raws).expect("small"))
    };
    assert_eq!(
        of(AccountType::Asset),
        (vec![("1000", 1_000), ("1590", -200)], 800)
    );
    assert_eq!(of(AccountType::Liability), (vec![("2000", 150)], 150));
    assert_eq!(
        of(AccountType::Equity),
        (vec![("3000", 500), ("3100", -50)], 450)
    );
    assert_eq!(
        of(AccountType::Revenue),
        (vec![("4000", 600), ("4900", -100)], 500)
    );
    assert_eq!(of(AccountType::Expense), (vec![("6500", 300)], 300));
    assert_eq!(earnings(&chart, &raws), Ok(200));
    assert_eq!(800, 150 + 450 + 200);
}

/// A total beyond 64 bits is refused, not wrapped; parts that cancel on the way are not beyond it.
#[test]
fn overflow() {
    assert_eq!(sum([i64::MAX, 1, -1]), Ok(i64::MAX));
    assert_eq!(
        sum([i64::MAX, 1]).map_err(|r| r.code),
        Err("amount_too_large")
    );
    assert_eq!(
        difference(0, i64::MIN).map_err(|r| r.code),
        Err("amount_too_large")
    );
    assert_eq!(difference(-1, i64::MIN), Ok(i64::MAX));
    assert_eq!(
        split(i64::MAX, 1, 0).map_err(|r| r.code),
        Err("amount_too_large")
    );
}

/// Accounts nest under their parents however deep, a parent without any amount under it vanishes, and one with lines of its
/// own keeps them.
#[test]
fn nesting() {
    let chart = [
        account(1, "1500", AccountType::Asset, None),
        account(2, "1510", AccountType::Asset, Some(1)),
        account(3, "1511", AccountType::Asset, Some(2)),
        account(4, "1520", AccountType::Asset, Some(1)),
        account(5, "1600", AccountType::Asset, None),
        account(6, "1610", AccountType::Asset, Some(5)),
        account(7, "1700", AccountType::Asset, Some(99)),
    ];
    let raws = Raws::from([(2, 5), (3, 7), (7, 11)]);
    let figures = figures(&chart, AccountType::Asset, &raws);
    let branch = |code: &str, own_minor, under| Branch {
        code: code.to_owned(),
        name: format!("Account {code}"),
        own_minor,
        under,
        partial: false,
    };
    let inner = branch("1510", 5, vec![branch("1511", 7, vec![])]);
    let want = vec![branch("1500", 0, vec![inner]), branch("1700", 11, vec![])];
    assert_eq!(nest(&chart, &figures), want);
    let by_id: BTreeMap<i64, &Account> = chart.iter().map(|a| (a.id, a)).collect();
    let depths: Vec<u8> = chart.iter().map(|a| depth(a, &by_id)).collect();
    assert_eq!(depths, [0, 1, 2, 1, 0, 1, 0]);
}

/// spec/domain.md §13.2: equity is called what the form of business calls it.
#[test]
fn names_of_equity() {
    let cases = [
        ("", "Equity"),
        ("tax_form = \"schedule_c\"", "Owner's equity"),
        (
            "tax_classification = \"single-member LLC\"",
            "Owner's equity",
        ),
        ("tax_form = \"1065\"", "Partners' capital"),
        (
            "tax_classification = \"multi-member LLC\"",
            "Members' equity",
        ),
        (
            "tax_form = \"1065\"\nname = \"Harbor & Pine Books LLC\"",
            "Members' equity",
        ),
        (
            "tax_form = \"1065\"\nname = \"Harbor Limited Liability Company\"",
            "Members' equity",
        ),
        (
            "tax_form = \"1065\"\nname = \"Pollcott Partners\"",
            "Partners' capital",
        ),
        ("tax_form = \"1120-S\"", "Shareholders' equity"),
        (
            "tax_classification = \"LLC taxed as a C corporation\"",
            "Shareholders' equity",
        ),
    ];
    for (company, want) in cases {
        let settings = settings(&format!("[company]\n{company}\n"));
        assert_eq!(equity_heading(&settings), want, "{company}");
    }
}

/// spec/domain.md §13.3: a cash-basis label over open receivables or payables is noted, and nothing else is.
#[test]
fn cash_basis() {
    let cash = settings("[books]\naccounting_basis = \"cash\"\n");
    assert_eq!(basis_note(&cash, false), None);
    assert!(basis_note(&cash, true).is_some());
    assert_eq!(basis_note(&settings(""), true), None);
}

/// An account is open when it or any account under it does not stand at zero, also where two of them cancel.
#[test]
fn open_accounts() {
    let chart = [
        account(1, "1200", AccountType::Asset, None),
        account(2, "1210", AccountType::Asset, Some(1)),
        account(3, "1211", AccountType::Asset, Some(2)),
        account(4, "1300", AccountType::Asset, None),
    ];
    let open = |raws: &[(i64, i64)]| is_open(1, &chart, &raws.iter().copied().collect());
    assert!(!open(&[]));
    assert!(!open(&[(1, 0), (4, 7)]));
    assert!(open(&[(1, -5)]));
    assert!(open(&[(3, 5)]));
    assert!(open(&[(2, 5), (3, -5)]));
}

/// A report covers from the first posted entry through today unless told otherwise, and never ends before it starts.
#[test]
fn covered_days() {
    let [early, first, middle, today] = [
        day("2026-01-01"),
        day("2026-02-10"),
        day("2026-06-30"),
        day("2026-11-30"),
    ];
    let cases = [
        ((None, None), Some(first), Ok((first, today))),
        ((None, Some(middle)), Some(first), Ok((first, middle))),
        ((None, Some(early)), Some(first), Ok((early, early))),
        ((None, None), None, Ok((today, today))),
        ((Some(early), None), Some(first), Ok((early, today))),
        ((Some(middle), Some(middle)), None, Ok((middle, middle))),
        ((Some(middle), Some(early)), None, Err("invalid_arguments")),
    ];
    for (asked, posted, want) in cases {
        assert_eq!(days(asked, posted, today).map_err(|r| r.code), want);
    }
}
