//! Periods on disk, and the questions asked of them.

use super::{Period, rules::Standing};
use crate::{
    engine::{Result, Window},
    model::{Date, Refusal, quoted},
    store::{Column, Holds, Row, StoreError, StoreResult, Table, View},
};

/// Periods. The entry that closed one is a higher domain's, so it is only a number here. `seq` is the last event that changed
/// it.
pub static PERIOD: Table = Table {
    name: "period",
    columns: &[
        Column::int("id"),
        Column::text("name"),
        Column::int("start"),
        Column::int("end"),
        Column::text("status"),
        Column::int_or_null("closing_entry"),
        Column::int("seq"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[
        "CREATE INDEX period_end ON period(\"end\")",
        "CREATE INDEX period_closed ON period(\"end\") WHERE status='closed'",
    ],
};

const SELECT: &str = "SELECT id, name, start, \"end\", status, closing_entry FROM period";

fn period(row: &Row<'_>) -> StoreResult<Period> {
    let day = |column| {
        let number = row.int(column)?;
        Date::from_number(number)
            .ok_or_else(|| StoreError::Damaged(format!("a period has the day {number}")))
    };
    let status = row.text(4)?;
    Ok(Period {
        id: row.int(0)?,
        name: row.text(1)?,
        start: day(2)?,
        end: day(3)?,
        status: Standing::from_word(&status).ok_or_else(|| {
            StoreError::Damaged(format!("a period of the status {}", quoted(&status)))
        })?,
        closing_entry: row.int_or_none(5)?,
    })
}

/// The period with this id.
///
/// Refuses: an id that none has.
pub fn by_id(view: &View<'_>, id: i64) -> Result<Period> {
    let sql = format!("{SELECT} WHERE id=?");
    view.first(&sql, &[id.into()], period)?.ok_or_else(|| {
        Refusal::new("unknown_period", format!("there is no period {id}"))
            .with("period_id", id)
            .remedy("books.list_periods", "look it up with `wb period list`")
            .into()
    })
}

/// Every period, in the order of days.
pub fn all(view: &View<'_>) -> Result<Vec<Period>> {
    Ok(view.rows(&format!("{SELECT} ORDER BY start"), &[], period)?)
}

/// A part of all periods in the order of days, and how many there are.
pub fn page(view: &View<'_>, window: Window) -> Result<(Vec<Period>, i64)> {
    let total = view.number("SELECT count(*) FROM period", &[])?;
    // SQLite takes a negative limit for none.
    let values = [
        window.limit.map_or(-1, i64::from).into(),
        i64::from(window.offset).into(),
    ];
    let sql = format!("{SELECT} ORDER BY start LIMIT ? OFFSET ?");
    Ok((view.rows(&sql, &values, period)?, total))
}

/// The closed period that ends last: nothing is posted up to its last day.
pub fn closed_through(view: &View<'_>) -> Result<Option<Period>> {
    let sql = format!("{SELECT} WHERE status='closed' ORDER BY \"end\" DESC LIMIT 1");
    Ok(view.first(&sql, &[], period)?)
}

/// The first open period that ends before a day.
pub fn first_open_before(view: &View<'_>, day: Date) -> Result<Option<Period>> {
    let sql = format!("{SELECT} WHERE \"end\"<? AND status='open' ORDER BY \"end\" LIMIT 1");
    Ok(view.first(&sql, &[day.number().into()], period)?)
}

/// The id that the next period gets.
pub fn next_id(view: &View<'_>) -> Result<i64> {
    Ok(view.number("SELECT max(id) FROM period", &[])? + 1)
}
