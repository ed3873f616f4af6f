//! Exchange rates on disk: the latest of each day, and the question of a list.

use crate::{
    engine::{Result, Window},
    model::{CurrencyCode, Date, Rate},
    store::{Column, Holds, Row, StoreError, StoreResult, Table, Val, View},
};

/// The rates, one a currency and day. `seq` is the event that set it last.
pub static FX_RATE: Table = Table {
    name: "fx_rate",
    columns: &[
        Column::text("currency"),
        Column::int("date"),
        Column::text("rate"),
        Column::int("seq"),
    ],
    key: 2,
    holds: Holds::Rows,
    indexes: &["CREATE INDEX fx_rate_date ON fx_rate(date, currency)"],
};

/// A day's rate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DayRate {
    /// The currency.
    pub currency: CurrencyCode,
    /// The day.
    pub date: Date,
    /// Units of the books' currency for one unit of it.
    pub rate: Rate,
}

fn read<T: std::str::FromStr<Err = String>>(text: &str) -> StoreResult<T> {
    text.parse()
        .map_err(|why| StoreError::Damaged(format!("an exchange rate: {why}")))
}

fn day_rate(row: &Row<'_>) -> StoreResult<DayRate> {
    let number = row.int(1)?;
    Ok(DayRate {
        currency: read(&row.text(0)?)?,
        date: Date::from_number(number)
            .ok_or_else(|| StoreError::Damaged(format!("an exchange rate of the day {number}")))?,
        rate: read(&row.text(2)?)?,
    })
}

/// The rate of a day.
pub fn rate(view: &View<'_>, currency: CurrencyCode, date: Date) -> Result<Option<Rate>> {
    let sql = "SELECT currency, date, rate FROM fx_rate WHERE currency=? AND date=?";
    let key = [currency.as_str().into(), date.number().into()];
    Ok(view.first(sql, &key, day_rate)?.map(|found| found.rate))
}

/// A page of the rates of some days, the latest day first, of one currency if one is asked for; and how many there are.
pub fn page(
    view: &View<'_>,
    currency: Option<CurrencyCode>,
    (from, to): (Option<Date>, Option<Date>),
    window: Window,
) -> Result<(Vec<DayRate>, i64)> {
    let code = currency.as_ref().map(CurrencyCode::as_str);
    let of_currency = if code.is_some() {
        "currency=?3 AND"
    } else {
        ""
    };
    let tests = format!("FROM fx_rate WHERE {of_currency} date BETWEEN ?1 AND ?2");
    let day = |date: Option<Date>, other: i64| date.map_or(other, Date::number);
    let mut values: Vec<Val<'_>> = vec![day(from, 0).into(), day(to, i64::MAX).into()];
    values.extend(code.map(Val::from));
    let total = view.number(&format!("SELECT count(*) {tests}"), &values)?;
    let (limit, offset) = (values.len() + 1, values.len() + 2);
    let sql = format!(
        "SELECT currency, date, rate {tests} ORDER BY date DESC, currency LIMIT ?{limit} OFFSET ?{offset}"
    );
    // SQLite takes a negative limit for none.
    values.push(window.limit.map_or(-1, i64::from).into());
    values.push(i64::from(window.offset).into());
    Ok((view.rows(&sql, &values, day_rate)?, total))
}
