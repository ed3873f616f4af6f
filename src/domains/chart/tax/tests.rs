//! Proofs that the tax categories are those of their sources; no rule stands here.

use std::collections::BTreeSet;

use super::*;

const C: Option<TaxForm> = Some(TaxForm::ScheduleC);
const P: Option<TaxForm> = Some(TaxForm::Form1065);
const S: Option<TaxForm> = Some(TaxForm::Form1120S);
const K: Option<TaxForm> = Some(TaxForm::Form1120);

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn percents(key: &str, on: &str) -> [u8; 4] {
    let category = category(key).expect(key);
    [C, P, S, K].map(|form| category.percent(form, day(on)))
}

/// spec/domain.md §7.1: 10 revenue and 51 expense keys, each once, each labelled, each for at least one return.
#[test]
fn whole_table() {
    let of = |kind| CATEGORIES.iter().filter(|c| c.kind == kind).count();
    assert_eq!((of(TaxKind::Revenue), of(TaxKind::Expense)), (10, 51));
    let keys: BTreeSet<&str> = CATEGORIES.iter().map(|c| c.key).collect();
    assert_eq!(keys.len(), CATEGORIES.len());
    for category in CATEGORIES {
        assert!(
            category
                .key
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b == b'_')
        );
        assert!(!category.label.is_empty() && !category.returns.is_empty());
    }
}

/// The reference names these four keys.
#[test]
fn minimum_set() {
    for key in [
        "meals",
        "guaranteed_payments",
        "commissions_fees",
        "penalties",
    ] {
        assert_eq!(
            category(key).map(|c| c.kind),
            Some(TaxKind::Expense),
            "{key}"
        );
    }
    assert_eq!(category("Meals"), None);
    assert_eq!(category("draws"), None);
}

/// spec/domain.md §7.1: every percent but 100.
#[test]
fn percents_below_whole() {
    let flat = [
        ("tax_exempt_income", [0; 4]),
        ("owner_health_insurance", [0, 100, 100, 100]),
        ("life_insurance", [0; 4]),
        ("federal_income_tax", [0; 4]),
        ("meals", [50; 4]),
        ("meals_employer_convenience", [0; 4]),
        ("entertainment", [0; 4]),
        ("club_dues", [0; 4]),
        ("charitable_contributions", [0, 0, 0, 100]),
        ("penalties", [0; 4]),
        ("political_lobbying", [0; 4]),
        ("commuter_benefits", [0; 4]),
        ("nondeductible_other", [0; 4]),
    ];
    let mut below: Vec<(&str, [u8; 4])> = Vec::new();
    for category in CATEGORIES {
        let percents = percents(category.key, "2026-01-01");
        if percents != [100; 4] {
            below.push((category.key, percents));
        }
    }
    assert_eq!(below, flat);
}

/// IRC §274(o): meals for the employer's convenience are halved up to the last day of 2025 and lost from the next.
#[test]
fn employer_convenience_by_date() {
    assert_eq!(
        percents("meals_employer_convenience", "2025-12-31"),
        [50; 4]
    );
    assert_eq!(percents("meals_employer_convenience", "2026-01-01"), [0; 4]);
    assert_eq!(percents("meals", "2025-12-31"), [50; 4]);
}

/// Where the return is not known, the least that any return allows is taken.
#[test]
fn unknown_return() {
    let percent = |key: &str| category(key).expect(key).percent(None, day("2026-06-30"));
    assert_eq!(percent("charitable_contributions"), 0);
    assert_eq!(percent("owner_health_insurance"), 0);
    assert_eq!(percent("meals"), 50);
    assert_eq!(percent("wages"), 100);
    assert!(CATEGORIES.iter().all(|c| c.is_offered_for(None)));
}

/// spec/domain.md §7.1: the keys that some return lacks; all others are offered for every return.
#[test]
fn returns() {
    let not_all: Vec<(&str, [bool; 4])> = CATEGORIES
        .iter()
        .map(|c| (c.key, [C, P, S, K].map(|form| c.is_offered_for(form))))
        .filter(|(_, offered)| *offered != [true; 4])
        .collect();
    let psk = [false, true, true, true];
    let want = [
        ("interest_income", psk),
        ("dividend_income", psk),
        ("rental_income", psk),
        ("royalty_income", psk),
        ("capital_gain_loss", psk),
        ("tax_exempt_income", psk),
        ("owner_health_insurance", [true, true, true, false]),
        ("state_income_tax", psk),
        ("federal_income_tax", [false, false, false, true]),
        ("officer_compensation", [false, false, true, true]),
        ("guaranteed_payments", [false, true, false, false]),
        ("home_office", [true, false, false, false]),
    ];
    assert_eq!(not_all, want);
}

/// spec/domain.md §13.1: which categories stand elsewhere than in revenue or operating expenses.
#[test]
fn parts() {
    let of = |part| -> Vec<&str> {
        let found = CATEGORIES.iter().filter(|c| c.part == part);
        found.map(|c| c.key).collect()
    };
    assert_eq!(of(Part::Disposal), ["gain_loss_business_property"]);
    let goods = [
        "cost_of_goods_sold",
        "cogs_labor",
        "cogs_materials",
        "cogs_other",
    ];
    assert_eq!(of(Part::CostOfGoods), goods);
    let other = [
        "interest_income",
        "dividend_income",
        "capital_gain_loss",
        "tax_exempt_income",
        "other_income",
    ];
    assert_eq!(of(Part::OtherIncome), other);
    assert_eq!(
        of(Part::OtherExpense),
        ["interest_mortgage", "interest_other"]
    );
    assert_eq!(
        of(Part::IncomeTax),
        ["state_income_tax", "federal_income_tax"]
    );
    let revenue = [Part::Revenue, Part::Disposal, Part::OtherIncome];
    for category in CATEGORIES {
        let earns = category.kind == TaxKind::Revenue;
        assert_eq!(revenue.contains(&category.part), earns, "{}", category.key);
    }
}

/// Every percent below 100 that a statute commands names it.
#[test]
fn statutes() {
    let statute = |key: &str| category(key).map(|c| c.statute);
    assert_eq!(statute("meals"), Some("IRC §274(n)(1)"));
    assert_eq!(statute("meals_employer_convenience"), Some("IRC §274(o)"));
    assert_eq!(statute("penalties"), Some("IRC §162(f)"));
    assert_eq!(statute("federal_income_tax"), Some("IRC §275(a)(1)"));
    assert_eq!(statute("guaranteed_payments"), Some("IRC §707(c)"));
}

/// A key is checked against the account's type; balance sheet accounts have no tax category.
#[test]
fn checking() {
    let code = |key, account_type| {
        check_category(key, account_type)
            .map(|c| c.key)
            .map_err(|r| r.code)
    };
    assert_eq!(code("meals", AccountType::Expense), Ok("meals"));
    assert_eq!(
        code("other_income", AccountType::Revenue),
        Ok("other_income")
    );
    assert_eq!(
        code("meals", AccountType::Revenue),
        Err("tax_category_of_other_type")
    );
    assert_eq!(
        code("meals", AccountType::Asset),
        Err("tax_category_of_other_type")
    );
    assert_eq!(
        code("lunch", AccountType::Expense),
        Err("unknown_tax_category")
    );
}

/// The chapter, to which refusals point, names every key.
#[test]
fn chapter_names_every_key() {
    let chapter = include_str!("../about.md");
    let missing: Vec<&str> = CATEGORIES
        .iter()
        .map(|c| c.key)
        .filter(|key| !chapter.contains(&format!("`{key}`")))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
