//! Proofs that the starter charts are the ones of their source and agree with settings, roles and tax keys.

use std::collections::BTreeMap;

use super::*;
use crate::{
    domains::{
        chart::{ChartRow, category, guard_code, read_chart, roles::ROLES},
        company::Settings,
    },
    model::AccountType,
};
use proptest::prelude::*;

fn owners(names: &[&str]) -> Vec<Owner> {
    let owner = |name: &&str| Owner {
        name: (*name).to_owned(),
        share: None,
    };
    names.iter().map(owner).collect()
}

fn made(entity: EntityType, names: &[&str]) -> Template {
    template(entity, &owners(names), Some("Acme"), None).expect("a template")
}

fn chart(template: &Template) -> Vec<ChartRow> {
    read_chart(&template.csv, &BTreeMap::new()).expect("a chart")
}

fn settings(template: &Template) -> Settings {
    Settings::parse(&template.settings_toml).expect("settings")
}

fn code_of(result: Result<Template, Refusal>) -> &'static str {
    result.expect_err("refused").code
}

fn all() -> Vec<(EntityType, Template)> {
    EntityType::ALL
        .iter()
        .map(|entity| match entity {
            EntityType::Partnership => (*entity, made(*entity, &["Ann", "Bo", "Cy"])),
            _ => (*entity, made(*entity, &[])),
        })
        .collect()
}

/// spec/domain.md §8: 67 common accounts; 3, 3 + 2 n, 6 and 9 more by entity (4800 among them but for the proprietor).
#[test]
fn counts() {
    let counts: Vec<usize> = all().iter().map(|(_, t)| chart(t).len()).collect();
    assert_eq!(counts, [67 + 3, 67 + 3 + 6, 67 + 6, 67 + 9]);
    assert_eq!(COMMON.lines().count(), 1 + 67);
    assert!(!COMMON.contains('"') && COMMON.lines().all(|line| line.matches(',').count() == 4));
}

/// spec/domain.md §8: what each entity adds to the common list, with types, parents and tax keys.
#[test]
fn additions() {
    let common: Vec<&str> = COMMON.lines().collect();
    let added = |template: &Template| -> Vec<String> {
        let lines = template.csv.lines().filter(|line| !common.contains(line));
        lines.map(str::to_owned).collect()
    };
    let want: [&[&str]; 4] = [
        &[
            "3000,Owner's Capital,equity,,",
            "3100,Owner's Draws,equity,,",
            "6880,Home Office,expense,,home_office",
        ],
        &[
            "3000,Partners' Capital,equity,,",
            "3010,Ann — Capital,equity,3000,",
            "3015,Ann — Distributions,equity,3000,",
            "3020,Bo — Capital,equity,3000,",
            "3025,Bo — Distributions,equity,3000,",
            "3030,Cy — Capital,equity,3000,",
            "3035,Cy — Distributions,equity,3000,",
            "4800,Interest Income,revenue,,interest_income",
            "6120,Guaranteed Payments,expense,,guaranteed_payments",
        ],
        &[
            "3000,Common Stock,equity,,",
            "3100,Additional Paid-in Capital,equity,,",
            "3200,Shareholder Distributions,equity,,",
            "4800,Interest Income,revenue,,interest_income",
            "6105,Officer Compensation,expense,,officer_compensation",
            "7910,State Income Tax,expense,,state_income_tax",
        ],
        &[
            "2450,Income Taxes Payable,liability,,",
            "3000,Common Stock,equity,,",
            "3100,Additional Paid-in Capital,equity,,",
            "3200,Treasury Stock,equity,,",
            "3300,Dividends,equity,,",
            "4800,Interest Income,revenue,,interest_income",
            "6105,Officer Compensation,expense,,officer_compensation",
            "7900,Federal Income Tax,expense,,federal_income_tax",
            "7910,State Income Tax,expense,,state_income_tax",
        ],
    ];
    for ((entity, template), want) in all().iter().zip(want) {
        assert_eq!(added(template), want, "{entity}");
    }
}

/// Every chart is sorted by code and holds every role's default with the role's type; every tax key is offered for its return.
#[test]
fn charts_agree_with_roles_and_taxes() {
    for (entity, template) in all() {
        let rows = chart(&template);
        let by_code: BTreeMap<&str, &ChartRow> =
            rows.iter().map(|r| (r.code.as_str(), r)).collect();
        assert!(
            rows.windows(2).all(|pair| pair[0].code < pair[1].code),
            "{entity}"
        );
        for role in ROLES {
            let filled = by_code
                .get(role.default_code)
                .map(|r| (r.account_type, r.name.as_str()));
            assert_eq!(
                filled,
                Some((role.account_type, role.default_name)),
                "{entity} {}",
                role.role
            );
        }
        for row in &rows {
            assert_eq!(guard_code(&row.code, row.account_type, |_| false), Ok(()));
            let profit_and_loss = matches!(
                row.account_type,
                AccountType::Revenue | AccountType::Expense
            );
            assert_eq!(
                row.tax_category.is_some(),
                profit_and_loss,
                "{entity} {}",
                row.code
            );
            if let Some(key) = &row.tax_category {
                let category = category(key).expect(key);
                assert!(
                    category.is_offered_for(Some(entity.tax_form())),
                    "{entity} {key}"
                );
            }
        }
    }
}

/// spec/domain.md §8: the settings parse, without a note, and name accounts of the chart with the right types.
#[test]
fn settings_agree_with_charts() {
    let closes = [
        (Some("3000"), vec!["3100"]),
        (None, vec![]),
        (Some("3999"), vec!["3200"]),
        (Some("3999"), vec!["3300"]),
    ];
    for ((entity, template), (into, sweep)) in all().iter().zip(closes) {
        let settings = settings(template);
        assert_eq!(settings.notes, Vec::<String>::new(), "{entity}");
        assert_eq!(settings.company.as_deref(), Some("Acme"));
        assert_eq!(settings.tax_form, Some(entity.tax_form()));
        assert_eq!(settings.fiscal_year_start, Month::JANUARY);
        assert_eq!(settings.cash_accounts, ["1000", "1010", "1050"]);
        assert_eq!(
            settings.financing_accounts,
            ["2500", "2600", "2650", "2700"]
        );
        assert_eq!(settings.investing_accounts, ["1700"]);
        assert_eq!(settings.close_into.as_deref(), into, "{entity}");
        assert_eq!(settings.close_sweep, sweep, "{entity}");
        let types: BTreeMap<String, AccountType> = chart(template)
            .into_iter()
            .map(|r| (r.code, r.account_type))
            .collect();
        let has = |code: &String, t| assert_eq!(types.get(code), Some(&t), "{entity} {code}");
        settings
            .cash_accounts
            .iter()
            .for_each(|c| has(c, AccountType::Asset));
        settings
            .financing_accounts
            .iter()
            .for_each(|c| has(c, AccountType::Liability));
        settings
            .investing_accounts
            .iter()
            .for_each(|c| has(c, AccountType::Asset));
        settings
            .close_into
            .iter()
            .for_each(|c| has(c, AccountType::Equity));
        settings
            .close_sweep
            .iter()
            .for_each(|c| has(c, AccountType::Equity));
        for member in &settings.members {
            has(&member.capital_account, AccountType::Equity);
            has(
                member.distribution_account.as_ref().expect("one"),
                AccountType::Equity,
            );
        }
        let members = if *entity == EntityType::Partnership {
            3
        } else {
            0
        };
        assert_eq!(settings.members.len(), members, "{entity}");
    }
}

/// spec/domain.md §8: equal shares in hundredths of a percent by largest remainder, and a note to replace them.
#[test]
fn equal_shares() {
    let shares = |n: usize| -> Vec<String> {
        let names: Vec<String> = (1..=n).map(|i| format!("Owner {i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let template = made(EntityType::Partnership, &names);
        assert!(
            template.notes.iter().any(|note| note.contains("agreement")),
            "{n}"
        );
        settings(&template)
            .members
            .iter()
            .map(|m| m.share.to_string())
            .collect()
    };
    assert_eq!(shares(2), ["50%", "50%"]);
    assert_eq!(shares(3), ["33.34%", "33.33%", "33.33%"]);
    assert_eq!(
        shares(7),
        [
            "14.29%", "14.29%", "14.29%", "14.29%", "14.28%", "14.28%", "14.28%"
        ]
    );
    assert_eq!(shares(99).len(), 99);
}

/// Given shares are kept exactly; some but not all, or another sum than a whole, are refused.
#[test]
fn given_shares() {
    let with = |shares: &[Option<&str>]| {
        let owners: Vec<Owner> = shares
            .iter()
            .enumerate()
            .map(|(i, share)| Owner {
                name: format!("O{i}"),
                share: share.map(|s| s.parse().expect("a share")),
            })
            .collect();
        template(EntityType::Partnership, &owners, Some("A"), None)
    };
    let kept = with(&[Some("66.666667%"), Some("33.333333%")]).expect("a whole");
    assert!(kept.settings_toml.contains("share = \"66.666667%\""));
    assert!(!kept.notes.iter().any(|note| note.contains("agreement")));
    assert_eq!(code_of(with(&[Some("50%"), None])), "incomplete_shares");
    assert_eq!(
        code_of(with(&[Some("50%"), Some("49%")])),
        "shares_not_whole"
    );
}

/// spec/domain.md §8: a partnership has 2 to 99 owners, the last with 3990 and 3995; one owner is a proprietor.
#[test]
fn numbers_of_owners() {
    let count = |entity, n: usize| {
        let names: Vec<String> = (1..=n).map(|i| format!("Owner {i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        template(entity, &owners(&names), None, None)
    };
    for n in [0, 1, 100] {
        assert_eq!(
            code_of(count(EntityType::Partnership, n)),
            "bad_owner_count",
            "{n}"
        );
    }
    let most = count(EntityType::Partnership, 99).expect("99 fit");
    assert!(
        most.csv.contains("3990,Owner 99 — Capital") && most.csv.contains("3995,Owner 99 — Dist")
    );
    assert_eq!(chart(&most).len(), 67 + 3 + 2 * 99);
    assert!(count(EntityType::SoleProprietorship, 0).is_ok());
    assert!(count(EntityType::SoleProprietorship, 1).is_ok());
    assert_eq!(
        code_of(count(EntityType::SoleProprietorship, 2)),
        "bad_owner_count"
    );
    for entity in [EntityType::SCorporation, EntityType::CCorporation] {
        let none = count(entity, 0).expect("no owner is needed");
        let some = count(entity, 2).expect("shareholders may be named");
        assert_eq!(
            (&none.csv, &none.settings_toml),
            (&some.csv, &some.settings_toml)
        );
        assert!(some.notes.len() > none.notes.len());
        assert_eq!(code_of(count(entity, 100)), "bad_owner_count");
    }
}

/// Names with quotes, commas and backslashes survive both files; hostile, blank, repeated or formula names are refused.
#[test]
fn names() {
    let odd = "Ann \"Doc\" O'Dea, Jr. \\ Sons";
    let template = made(EntityType::Partnership, &[odd, "Bo"]);
    assert_eq!(settings(&template).members[0].name, odd);
    assert!(
        chart(&template)
            .iter()
            .any(|row| row.name == format!("{odd} — Capital"))
    );
    let refusal = |names: &[&str]| {
        code_of(super::template(
            EntityType::Partnership,
            &owners(names),
            None,
            None,
        ))
    };
    for bad in ["", " ", "a\nb", "a\u{7f}b", "a\u{202e}b"] {
        assert_eq!(refusal(&[bad, "Bo"]), "bad_text", "{bad:?}");
    }
    assert_eq!(refusal(&[&"x".repeat(185), "Bo"]), "bad_text");
    assert_eq!(refusal(&["Bo", " bo "]), "duplicate_owner");
    for bad in ["=1+1", "@SUM(A1)", "-x", "+x"] {
        assert_eq!(refusal(&[bad, "Bo"]), "bad_owner", "{bad}");
    }
    let longest = "x".repeat(184);
    assert_eq!(
        chart(&made(EntityType::Partnership, &[&longest, "Bo"])).len(),
        67 + 3 + 4
    );
    let company = super::template(EntityType::CCorporation, &[], Some("A\nB"), None);
    assert_eq!(code_of(company), "bad_text");
}

/// An LLC has members where a partnership has partners; a missing name is left open and noted.
#[test]
fn companies() {
    let of = |company| {
        template(EntityType::Partnership, &owners(&["A", "B"]), company, None).expect("one")
    };
    assert!(
        of(Some("Acme L.L.C."))
            .csv
            .contains("\n3000,Members' Capital,equity,,\n")
    );
    assert!(
        of(Some("Hillcrest"))
            .csv
            .contains("\n3000,Partners' Capital,equity,,\n")
    );
    assert_eq!(settings(&of(None)).company, None);
    assert!(
        of(None)
            .notes
            .iter()
            .any(|note| note.contains("[company] name"))
    );
}

/// The fiscal year reaches the settings; a year that law restricts is noted, an impossible one refused.
#[test]
fn fiscal_years() {
    let of = |entity, start| template(entity, &[], Some("A"), Some(start));
    let july = of(EntityType::CCorporation, "07-01").expect("legal");
    assert_eq!(
        (settings(&july).fiscal_year_start, july.notes.len()),
        (Month::new(7).expect("July"), 1)
    );
    let s_corp = of(EntityType::SCorporation, "07-01").expect("legal");
    assert!(s_corp.notes.iter().any(|note| note.contains("§1378")));
    let sole = of(EntityType::SoleProprietorship, "07-01").expect("legal");
    assert!(sole.notes.iter().any(|note| note.contains("§441")));
    assert_eq!(
        code_of(of(EntityType::CCorporation, "07-15")),
        "bad_fiscal_year_start"
    );
}

proptest! {
    /// Whatever owners and company are called, the template is refused or both of its files read back the same names.
    #[test]
    fn any_names(names in prop::collection::vec("[ -~é\\\\\"',#—]{1,12}", 2..5), company in "[ -~\\\\\"'#]{0,12}") {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Ok(template) = template(EntityType::Partnership, &owners(&names), Some(&company), None) {
            let settings = settings(&template);
            prop_assert_eq!(settings.company.as_deref(), Some(company.trim()));
            let read: Vec<&str> = settings.members.iter().map(|m| m.name.as_str()).collect();
            let typed: Vec<&str> = names.iter().map(|n| n.trim()).collect();
            prop_assert_eq!(read, typed);
            prop_assert_eq!(chart(&template).len(), 67 + 3 + 2 * names.len());
        }
    }
}
