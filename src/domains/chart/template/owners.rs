//! The owners of a starter chart: checked, numbered, each with a share and codes; not how a close splits income.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::{EntityType, OWNERS_MAX, Owner};
use crate::{
    domains::company::Share,
    model::{NAME_CHARS_MAX, Refusal, allocate, fold_for_search, quoted, typed},
};

/// The most characters of an owner's name: " — Distributions" must still fit into an account's name.
const OWNER_CHARS_MAX: usize = NAME_CHARS_MAX - 16;
/// Hundredths of a percent in a whole.
const WHOLE_BPS: i64 = 10_000;

/// An owner with everything that the chart and the settings say of them.
pub(super) struct Holder {
    pub(super) name: String,
    pub(super) share: Share,
    /// Code of the capital account: 3000 + 10 i.
    pub(super) capital: String,
    /// Code of the distributions account: 3005 + 10 i.
    pub(super) distributions: String,
}

/// The owners in order, each with a share.
///
/// Refuses: what [`super::template`] says of owners.
pub(super) fn check(entity: EntityType, owners: &[Owner]) -> Result<Vec<Holder>, Refusal> {
    count(entity, owners.len())?;
    let mut seen = BTreeSet::new();
    let mut names = Vec::with_capacity(owners.len());
    for owner in owners {
        let name = typed(&owner.name, "owner", OWNER_CHARS_MAX)?;
        if name.starts_with(['=', '+', '-', '@']) {
            let message = format!(
                "owner {} begins with a character that a spreadsheet takes for a formula; begin with a letter",
                quoted(&name)
            );
            return Err(Refusal::new("bad_owner", message).with("owner", name));
        }
        if !seen.insert(fold_for_search(&name)) {
            let message = format!("owner {} is named twice; tell them apart", quoted(&name));
            return Err(Refusal::new("duplicate_owner", message).with("owner", name));
        }
        names.push(name);
    }
    let shares = shares(owners)?;
    let holders = names.into_iter().zip(shares).zip(1..);
    Ok(holders
        .map(|((name, share), i): (_, u32)| Holder {
            name,
            share,
            capital: (3000 + 10 * i).to_string(),
            distributions: (3005 + 10 * i).to_string(),
        })
        .collect())
}

fn count(entity: EntityType, count: usize) -> Result<(), Refusal> {
    let takes = match entity {
        EntityType::Partnership => 2..=OWNERS_MAX,
        EntityType::SoleProprietorship => 0..=1,
        EntityType::SCorporation | EntityType::CCorporation => 0..=OWNERS_MAX,
    };
    if takes.contains(&count) {
        return Ok(());
    }
    let hint = match (entity, count) {
        (EntityType::Partnership, 0) => "name each owner",
        (EntityType::Partnership, 1) => {
            "one owner makes a sole_proprietorship, also as a single-member LLC"
        }
        (EntityType::SoleProprietorship, _) => {
            "several owners make a partnership, also as a multi-member LLC"
        }
        _ => "group the owners: the starter chart has accounts for 99",
    };
    let message = format!(
        "the starter chart of a {entity} takes from {} to {} owners, not {count}",
        takes.start(),
        takes.end()
    );
    Err(Refusal::new("bad_owner_count", message)
        .with("entity_type", entity.word())
        .with("owners", count)
        .hint(hint))
}

/// The given shares, or equal ones.
fn shares(owners: &[Owner]) -> Result<Vec<Share>, Refusal> {
    let given: Vec<Share> = owners.iter().filter_map(|owner| owner.share).collect();
    if given.is_empty() && !owners.is_empty() {
        let parts = allocate(WHOLE_BPS, &vec![1; owners.len()]);
        let parts = parts.expect("there are owners, each of a weight over zero");
        let share = |bps: i64| Share::from_bps(u64::try_from(bps).ok()?);
        let shares: Option<Vec<Share>> = parts.into_iter().map(share).collect();
        return Ok(shares.expect("a part of a whole is from none to the whole"));
    }
    if given.len() != owners.len() {
        let message = format!(
            "{} of {} owners have a share; give one to each or to none",
            given.len(),
            owners.len()
        );
        return Err(Refusal::new("incomplete_shares", message));
    }
    let sum = Share::sum_percent(given.iter().copied());
    if !owners.is_empty() && sum != Decimal::ONE_HUNDRED {
        let sum = sum.normalize();
        let message = format!("the owners' shares sum to {sum}%, not to 100%");
        return Err(Refusal::new("shares_not_whole", message).with("sum_percent", sum.to_string()));
    }
    Ok(given)
}
