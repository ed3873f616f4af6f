//! Whether an account may get another code: the receipt policy names accounts by code, and no account leaves its lists or comes
//! under them by being renumbered.

use super::{
    judge::standing,
    policy::{CASH, EXEMPT, REQUIRED, in_force, place_of},
};
use crate::{
    domains::chart,
    engine::{Reader, Result, Thing},
    model::{Refusal, quoted},
};

/// Refuses a code under which the policy would say something else of the account than under the one it has.
///
/// A person who names both codes in a list, and takes the old one out afterwards, lets it pass.
pub fn renumbering(books: &Reader<'_>, thing: Thing, code: &str) -> Result<Vec<Refusal>> {
    if thing.kind != chart::ACCOUNT {
        return Ok(Vec::new());
    }
    let account = chart::by_id(&books.view(), thing.id)?;
    let (rule, settings) = in_force(books)?;
    let of = |code: &str| standing(&rule, &settings.cash_accounts, (code, account.kind));
    let (now, then) = (of(&account.code), of(code));
    let lists = [
        (REQUIRED, now.required, then.required),
        (EXEMPT, now.exempt, then.exempt),
        (CASH, now.cash, then.cash),
    ];
    let (old, new) = (quoted(&account.code), quoted(code));
    let refused = |(list, now, then): (&'static str, bool, bool)| {
        if now == then {
            return None;
        }
        let (file, place) = place_of(list);
        let moved = if now { "leave" } else { "come under" };
        let message = format!("account {old} would {moved} {place} of {file} by the code {new}");
        let hint = format!(
            "a person names both codes in {place} of {file}, then renumber, then take the old code out"
        );
        Some(
            Refusal::new("account_in_policy", message)
                .with("account", account.code.as_str())
                .with("new_code", code)
                .with("file", file)
                .with("list", place)
                .hint(hint),
        )
    };
    Ok(lists.into_iter().filter_map(refused).collect())
}
