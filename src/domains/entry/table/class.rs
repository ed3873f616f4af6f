//! What lines move by class: monthly sums of the lines that carry one, kept apart so that those without cost nothing.

use std::collections::BTreeMap;

use super::{super::rules::Span, too_many_digits};
use crate::{
    engine::Result,
    model::{Date, Line},
    store::{Column, Fold, FoldResult, Holds, Row, StoreResult, Table, Val, View},
};

/// What the lines of each class moved on each account in each month, debit positive, closing entries apart. Lines without a
/// class are the rest of the monthly totals.
pub static CLASS_MONTH: Table = Table {
    name: "class_month",
    columns: &[
        Column::int("class_id").references("class"),
        Column::int("account_id").references("account"),
        Column::int("closing"),
        Column::int("month"),
        Column::int("amount"),
    ],
    key: 4,
    holds: Holds::Sums,
    indexes: &[],
};

/// Adds a posted line to its class's sums, if it has a class.
pub fn fold_line(line: Line, (closing, month): (bool, i64), tables: &mut Fold<'_>) -> FoldResult {
    let Some(class_id) = line.class_id else {
        return Ok(());
    };
    let key: [Val<'_>; 4] = [
        class_id.into(),
        line.account_id.into(),
        closing.into(),
        month.into(),
    ];
    tables.add(&CLASS_MONTH, &key, &[line.amount_minor])
}

/// What the lines of each class moved from `start` to `end`, both included, closing entries left out: by class id, then by
/// account id; of one class if one is asked for.
///
/// Units: minor units, debit positive. Cost: the monthly sums and at most two months of lines that carry a class.
pub fn class_movements(
    view: &View<'_>,
    (start, end): (Date, Date),
    class_id: Option<i64>,
) -> Result<BTreeMap<i64, BTreeMap<i64, i64>>> {
    let mut sums: BTreeMap<i64, BTreeMap<i64, i64>> = BTreeMap::new();
    let mut add = |row: &Row<'_>| -> StoreResult<()> {
        let (class, account, amount) = (row.int(0)?, row.int(1)?, row.int(2)?);
        let sum = sums.entry(class).or_default().entry(account).or_default();
        *sum = sum
            .checked_add(amount)
            .ok_or_else(|| too_many_digits(account))?;
        Ok(())
    };
    let span = Span::between(start, end);
    // One class is found by its place in the key, all of them by reading on.
    let (of_class, values) = match class_id {
        Some(id) => ("c.id=?3 AND", vec![Val::from(id)]),
        None => ("", Vec::new()),
    };
    if let Some((from, to)) = span.months {
        let sql = format!(
            "SELECT m.class_id, m.account_id, sum(m.amount) FROM class c CROSS JOIN class_month m ON m.class_id=c.id
             WHERE {of_class} m.month BETWEEN ?1 AND ?2 AND m.closing=0 GROUP BY m.class_id, m.account_id"
        );
        let values = [vec![from.into(), to.into()], values.clone()].concat();
        view.each(&sql, &values, &mut add)?;
    }
    for (from, to) in &span.days {
        let sql = format!(
            "SELECT l.class_id, l.account_id, sum(l.amount) FROM class c CROSS JOIN line l ON l.class_id=c.id
             WHERE {of_class} l.date BETWEEN ?1 AND ?2 AND l.closing=0 GROUP BY l.class_id, l.account_id"
        );
        let values = [
            vec![from.number().into(), to.number().into()],
            values.clone(),
        ]
        .concat();
        view.each(&sql, &values, &mut add)?;
    }
    Ok(sums)
}

/// Class, account, closing and month.
type Month = (i64, i64, i64, i64);

/// The monthly sums of classes must be what the lines that carry one sum to.
pub fn check(view: &View<'_>) -> StoreResult<Option<String>> {
    let (mut summed, mut kept) = (BTreeMap::<Month, i128>::new(), BTreeMap::new());
    let lines = "SELECT class_id, account_id, closing, date, amount FROM line INDEXED BY line_class WHERE class_id IS NOT NULL";
    view.each(lines, &[], |row| {
        let month = (row.int(0)?, row.int(1)?, row.int(2)?, row.int(3)? / 100);
        *summed.entry(month).or_default() += i128::from(row.int(4)?);
        Ok(())
    })?;
    let months = "SELECT class_id, account_id, closing, month, amount FROM class_month";
    view.each(months, &[], |row| {
        let month = (row.int(0)?, row.int(1)?, row.int(2)?, row.int(3)?);
        kept.insert(month, i128::from(row.int(4)?));
        Ok(())
    })?;
    let wrong = summed
        .keys()
        .chain(kept.keys())
        .find(|month| summed.get(month) != kept.get(month));
    Ok(wrong
        .map(|(id, ..)| format!("the monthly sums of class id {id} are not what its lines sum to")))
}
