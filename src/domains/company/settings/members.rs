//! The owners listed in the settings: each with a share and accounts of their own; not what a close does with them.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::reader::{Faults, Section};
use crate::{
    domains::company::Share,
    model::{CODE_CHARS_MAX, NAME_CHARS_MAX, fold_for_search},
};

/// The most members, as many as the starter chart has capital accounts for.
const MEMBERS_MAX: usize = 99;
const KEYS: &[&str] = &["name", "share", "capital_account", "distribution_account"];

/// An owner with a capital account of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The name in statements.
    pub name: String,
    /// The share of profit and loss.
    pub share: Share,
    /// Code of the capital account.
    pub capital_account: String,
    /// Code of the account that distributions are debited to.
    pub distribution_account: Option<String>,
}

/// The members of `[[company.members]]`, in the file's order.
///
/// Faults: more than 99, a missing or blank key, a name twice (case and accents ignored), an account that two of them or both
/// purposes of one share, shares whose sum is not exactly 100 %.
pub(super) fn read(company: &Section<'_>, faults: &mut Faults) -> Vec<Member> {
    let tables = faults.tables(company, "members", KEYS);
    if tables.len() > MEMBERS_MAX {
        let count = format!("a list of {}", tables.len());
        faults.bad(company, "members", Some(&count), "at most 99 members");
        return Vec::new();
    }
    let mut taken = Taken::default();
    let members: Vec<Member> = tables
        .iter()
        .filter_map(|table| read_one(table, faults, &mut taken))
        .collect();
    let complete = members.len() == tables.len() && !members.is_empty();
    let sum = Share::sum_percent(members.iter().map(|m| m.share));
    if complete && sum != Decimal::ONE_HUNDRED {
        let sum = format!("shares of {}%", sum.normalize());
        faults.bad(
            company,
            "members",
            Some(&sum),
            "shares that sum to exactly 100%",
        );
    }
    members
}

/// Names and accounts already used, each with the number of the member that used it.
#[derive(Default)]
struct Taken {
    count: usize,
    names: BTreeMap<String, usize>,
    accounts: BTreeMap<String, usize>,
}

fn read_one(table: &Section<'_>, faults: &mut Faults, taken: &mut Taken) -> Option<Member> {
    taken.count += 1;
    let number = taken.count;
    for key in ["name", "share", "capital_account"] {
        if !table.has(key) {
            faults.bad(table, key, None, takes(key));
        }
    }
    let name = faults.text(table, "name", NAME_CHARS_MAX);
    let share = faults.read(table, "share", takes("share"), |text| text.parse().ok());
    let capital = faults.text(table, "capital_account", CODE_CHARS_MAX);
    let distribution = faults.text(table, "distribution_account", CODE_CHARS_MAX);
    if let Some(name) = &name
        && let Some(earlier) = taken.names.insert(fold_for_search(name), number)
    {
        let takes = format!("a name of its own; member {earlier} has this one");
        faults.bad(table, "name", Some(name), &takes);
    }
    let accounts = [
        ("capital_account", &capital),
        ("distribution_account", &distribution),
    ];
    for (key, code) in accounts {
        if let Some(code) = code
            && let Some(earlier) = taken.accounts.insert(code.clone(), number)
        {
            let takes = format!("an account of its own; member {earlier} already uses this one");
            faults.bad(table, key, Some(code), &takes);
        }
    }
    Some(Member {
        name: name?,
        share: share?,
        capital_account: capital?,
        distribution_account: distribution,
    })
}

fn takes(key: &str) -> &'static str {
    match key {
        "name" => "the member's name",
        "share" => "\"50%\" or \"0.5\": from 0% to 100%, at most six decimals of a percent",
        _ => "the code of an equity account",
    }
}
