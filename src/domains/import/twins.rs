//! What imports add to entries that look like the other side of another bank's row: the pair, when the entry is shown or posted.

use serde_json::{Map, Value};

use super::{
    table,
    transfer::{self, Twin},
};
use crate::{
    engine::{Facts, Posting, Reader, Result, Verdict, Writer, value_schema},
    model::Origin,
    present::{Negative, money_text},
};

const TWINS: &str = "twin_entry_ids";
const WARNING: &str = "twin_warning";

/// The keys that stand in a posting's preview and answer.
pub const POSTING: Facts = Facts {
    of: "posting",
    keys: || Map::from_iter([(TWINS.to_owned(), value_schema::<Vec<i64>>())]),
};

/// The schemas of the keys that stand in an entry that is shown.
pub fn keys() -> Map<String, Value> {
    Map::from_iter([
        (TWINS.to_owned(), value_schema::<Vec<i64>>()),
        (WARNING.to_owned(), value_schema::<String>()),
    ])
}

/// The twins of an entry, and what is said of them on its page; nothing where it has none.
pub fn details(books: &Reader<'_>, entry_id: i64) -> Result<Map<String, Value>> {
    let twins = transfer::twins(&books.view(), entry_id)?;
    let currency = books.currency();
    let write = |minor| money_text(minor, currency, false, Negative::Minus).plain();
    let mut facts = Map::new();
    if let Some(likeness) = transfer::likeness(&twins, write) {
        facts.insert(TWINS.to_owned(), ids(&twins));
        facts.insert(WARNING.to_owned(), format!("It {likeness}").into());
    }
    Ok(facts)
}

/// Warns of a posting that may double a transfer. It refuses none: two rows of one amount may be two movements.
pub fn posting(books: &Writer<'_>, posting: &Posting<'_>) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    if posting.origin != Origin::Imported {
        return Ok(verdict);
    }
    let view = books.view();
    let twins = transfer::twins(&view, posting.entry_id)?;
    let write = |minor| books.currency().money(minor).to_string();
    if let (Some(likeness), Some(own)) = (
        transfer::likeness(&twins, write),
        table::moved(&view, posting.entry_id)?,
    ) {
        verdict.checklist.insert(TWINS.to_owned(), ids(&twins));
        verdict.warnings.push(format!(
            "entry {} ({}, {}) {likeness}",
            posting.entry_id,
            own.date,
            write(own.amount_minor)
        ));
    }
    Ok(verdict)
}

fn ids(twins: &[Twin]) -> Value {
    twins
        .iter()
        .map(|twin| Value::from(twin.entry_id))
        .collect()
}
