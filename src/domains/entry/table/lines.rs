//! The lines of drafts and of postings on disk: what they were written as is what they are read as, every fact of them.

use std::str::FromStr;

use super::{
    super::events::{EntryPosted, LineData},
    BALANCE_MONTH, TURNOVER, class,
};
use crate::{
    engine::Result,
    model::{CurrencyCode, Foreign, Line, Origin},
    store::{
        Column, Fold, FoldError, FoldResult, Holds, Row, StoreError, StoreResult, Table, Val, View,
    },
};

/// Lines of drafts. A foreign amount stands as its decimal text: its decimals are those of its own currency.
pub static DRAFT_LINE: Table = Table {
    name: "draft_line",
    columns: &[
        Column::int("entry_id").references("entry"),
        Column::int("idx"),
        Column::int("account_id").references("account"),
        Column::int("amount"),
        Column::int_or_null("class_id").references("class"),
        Column::text_or_null("foreign_currency"),
        Column::text_or_null("foreign_amount"),
        Column::text_or_null("fx_rate"),
    ],
    key: 2,
    holds: Holds::Rows,
    indexes: &["CREATE INDEX draft_line_account ON draft_line(account_id, entry_id)"],
};

/// Lines of postings. They never change.
pub static LINE: Table = Table {
    name: "line",
    columns: &[
        Column::int("entry_id").references("entry"),
        Column::int("idx"),
        Column::int("account_id").references("account"),
        Column::int("date"),
        Column::int("amount"),
        Column::int("closing"),
        Column::int_or_null("class_id").references("class"),
        Column::text_or_null("foreign_currency"),
        Column::text_or_null("foreign_amount"),
        Column::text_or_null("fx_rate"),
    ],
    key: 2,
    holds: Holds::Rows,
    indexes: &[
        "CREATE INDEX line_account ON line(account_id, date, entry_id, idx, amount, closing)",
        "CREATE INDEX line_class ON line(class_id, date, account_id, amount, closing) WHERE class_id IS NOT NULL",
    ],
};

/// All facts of a line, as [`line`] reads them from the first columns of a row. In a join the table is `whole`.
pub const COLUMNS: &str = "whole.account_id, whole.amount, whole.class_id, whole.foreign_currency, whole.foreign_amount, whole.fx_rate";

/// The lines of an entry, in order, whether it is posted, a draft, or was one when it was discarded.
pub fn lines(view: &View<'_>, id: i64) -> Result<Vec<Line>> {
    let sql = format!(
        "SELECT {COLUMNS}, idx FROM line whole WHERE entry_id=?1
         UNION ALL SELECT {COLUMNS}, idx FROM draft_line whole WHERE entry_id=?1 ORDER BY idx"
    );
    Ok(view.rows(&sql, &[id.into()], line)?)
}

/// The line of a row that begins with [`COLUMNS`].
pub fn line(row: &Row<'_>) -> StoreResult<Line> {
    let foreign = match row.text_or_none(3)? {
        None => None,
        Some(currency) => Some(Foreign {
            currency: read(&currency)?,
            amount: read(&row.text(4)?)?,
            rate: read(&row.text(5)?)?,
        }),
    };
    Ok(Line {
        account_id: row.int(0)?,
        amount_minor: row.int(1)?,
        class_id: row.int_or_none(2)?,
        foreign,
    })
}

fn read<T: FromStr<Err = String>>(text: &str) -> StoreResult<T> {
    text.parse()
        .map_err(|why| StoreError::Damaged(format!("a line's foreign amount: {why}")))
}

/// A foreign amount as texts, for as long as a row is written.
struct Original(Option<(CurrencyCode, String, String)>);

impl Original {
    fn of(foreign: Option<Foreign>) -> Original {
        Original(foreign.map(|foreign| {
            let Foreign {
                currency,
                amount,
                rate,
            } = foreign;
            (currency, amount.to_string(), rate.to_string())
        }))
    }

    /// The values of its three columns.
    fn values(&self) -> [Val<'_>; 3] {
        match &self.0 {
            None => [Val::Null; 3],
            Some((currency, amount, rate)) => {
                [currency.as_str().into(), amount.into(), rate.into()]
            }
        }
    }
}

/// Writes the lines of a posting and adds them to the monthly totals.
pub fn fold_lines(posted: &EntryPosted, tables: &mut Fold<'_>) -> FoldResult {
    let closing = posted.origin == Origin::Closing;
    let month = posted.date.month_number();
    let mut debits = 0_i64;
    for (index, data) in (0_i64..).zip(&posted.lines) {
        let line = data.line()?;
        let Line {
            account_id,
            amount_minor: amount,
            class_id,
            foreign,
        } = line;
        let original = Original::of(foreign);
        let [currency, foreign_amount, rate] = original.values();
        let row = [
            posted.entry_id.into(),
            index.into(),
            account_id.into(),
            posted.date.number().into(),
            amount.into(),
            closing.into(),
            class_id.into(),
            currency,
            foreign_amount,
            rate,
        ];
        tables.insert(&LINE, &row)?;
        let key = [account_id.into(), closing.into(), month.into()];
        let (debit, credit) = (amount.max(0), amount.min(0).saturating_neg());
        tables.add(&BALANCE_MONTH, &key, &[debit, credit, 1])?;
        class::fold_line(line, (closing, month), tables)?;
        debits = debits.checked_add(debit).ok_or_else(|| FoldError::Misfit {
            table: "turnover",
            what: format!("entry {} is too large to be kept", posted.entry_id),
        })?;
    }
    tables.add(&TURNOVER, &[1_i64.into()], &[debits])
}

/// Writes the lines of a draft.
pub fn fold_draft_lines(entry_id: i64, lines: &[LineData], tables: &mut Fold<'_>) -> FoldResult {
    for (index, data) in (0_i64..).zip(lines) {
        let Line {
            account_id,
            amount_minor,
            class_id,
            foreign,
        } = data.line()?;
        let original = Original::of(foreign);
        let [currency, foreign_amount, rate] = original.values();
        let row = [
            entry_id.into(),
            index.into(),
            account_id.into(),
            amount_minor.into(),
            class_id.into(),
            currency,
            foreign_amount,
            rate,
        ];
        tables.insert(&DRAFT_LINE, &row)?;
    }
    Ok(())
}
