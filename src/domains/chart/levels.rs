//! How deep accounts may stand under one another. Asks no table.

use std::collections::{BTreeMap, BTreeSet};

use super::Account;
use crate::{
    engine::Result,
    model::{Refusal, quoted},
    store::StoreError,
};

/// The most levels of a chart: deeper than any report can indent, and shallow enough that no question walks far.
pub const LEVELS_MAX: usize = 12;

/// The ids of an account and of all that it stands under, nearest first; as many as the level on which it stands.
///
/// Refuses, as damage: an account that stands under itself or under one that is not there.
pub fn chain(all: &[Account], id: i64) -> Result<Vec<i64>> {
    let by_id: BTreeMap<i64, &Account> = all.iter().map(|a| (a.id, a)).collect();
    let (mut chain, mut seen) = (Vec::new(), BTreeSet::new());
    let mut above = Some(id);
    while let Some(id) = above {
        let account = by_id.get(&id).ok_or_else(|| {
            StoreError::Damaged(format!("account id {id} is named but not in the chart"))
        })?;
        if !seen.insert(id) {
            let what = format!("account {} stands under itself", quoted(&account.code));
            return Err(StoreError::Damaged(what).into());
        }
        chain.push(id);
        above = account.parent_id;
    }
    Ok(chain)
}

/// How many levels an account and what stands under it take: 1 where nothing does.
pub fn height(all: &[Account], id: i64) -> usize {
    let mut under: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for account in all {
        if let Some(parent) = account.parent_id {
            under.entry(parent).or_default().push(account.id);
        }
    }
    let (mut height, mut row) = (0, vec![id]);
    // No chart is higher than it has accounts, however it was tampered with.
    while !row.is_empty() && height <= all.len() {
        height += 1;
        let next = row.iter().filter_map(|id| under.get(id));
        row = next.flatten().copied().collect();
    }
    height
}

/// Refuses to put `height` levels of accounts under a parent on this level, when that is more than a chart has.
pub fn fits(parent: &str, level: usize, height: usize) -> Result<()> {
    let deepest = level + height;
    if deepest <= LEVELS_MAX {
        return Ok(());
    }
    let stands = match level {
        // Who asked stopped to count there.
        level if level > LEVELS_MAX => format!("deeper than level {LEVELS_MAX}"),
        level => format!("on level {level}"),
    };
    let would = match height {
        1 => format!("an account under it would stand on level {deepest}"),
        n => format!("the {n} levels of accounts put under it would reach level {deepest}"),
    };
    let message = format!(
        "account {} stands {stands}; {would}, and a chart has at most {LEVELS_MAX}",
        quoted(parent)
    );
    Err(Refusal::new("chart_too_deep", message)
        .with("parent", parent)
        .with("levels_max", LEVELS_MAX)
        .hint("choose a parent further up; `wb chart list` shows what stands under what")
        .into())
}
