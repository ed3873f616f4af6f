//! A sheet as JSON for programs: every value as it is, amounts as decimal strings, days as ISO dates. No layout.

use serde_json::{Map, Value, json};

use crate::model::Currency;
use crate::present::sheet::machine_text;
use crate::present::{Cell, ColKind, Period, Row, Sheet, Table};

/// The sheet as one JSON object. Empty rows and empty cells are left out; text is not changed.
///
/// Rows carry their cells under their columns' keys; on statements also `kind`, `level`, and where there is one
/// `account_code` and `caption`.
pub fn render(sheet: &Sheet) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    if !sheet.report.is_empty() {
        put("report", sheet.report.clone().into());
    }
    if let Some(head) = &sheet.letterhead {
        put("company", head.company.clone().into());
    }
    put("title", sheet.title.clone().into());
    if let Some(period) = sheet.letterhead.as_ref().and_then(|head| head.period) {
        put("period", period_value(period));
    }
    if has_amounts(sheet) {
        put("currency", sheet.currency.code().into());
    }
    if let Some(footer) = &sheet.footer {
        put("basis", footer.basis.clone().into());
        put("prepared_on", footer.prepared_on.to_string().into());
        put("journal_seq", footer.seq.into());
        put("journal_head", footer.head.clone().into());
    }
    let fields = sheet.fields.iter().map(
        |field| json!({ "label": field.label, "value": cell_value(&field.cell, sheet.currency) }),
    );
    put("fields", fields.collect());
    let tables = sheet.tables.iter().map(|table| table_value(sheet, table));
    put("tables", tables.collect());
    put("notes", json!(sheet.notes));
    Value::Object(out)
}

/// Whether the sheet's currency means anything: a page made of an operation's result has numbers, but no amounts.
fn has_amounts(sheet: &Sheet) -> bool {
    let is_amount = |kind| matches!(kind, ColKind::Money | ColKind::Balance);
    let mut columns = sheet.tables.iter().flat_map(|table| &table.columns);
    columns.any(|column| is_amount(column.kind))
        || sheet
            .fields
            .iter()
            .any(|field| field.cell.minor().is_some())
}

fn period_value(period: Period) -> Value {
    match period {
        Period::AsOf(day) => json!({ "as_of": day.to_string() }),
        Period::Range { start, end } => {
            json!({ "start": start.to_string(), "end": end.to_string() })
        }
    }
}

fn table_value(sheet: &Sheet, table: &Table) -> Value {
    let mut out = Map::new();
    if let Some(title) = &table.title {
        out.insert("title".to_owned(), title.clone().into());
    }
    let columns = table.columns.iter().map(|column| {
        json!({ "key": column.key, "title": column.title, "type": kind_name(column.kind) })
    });
    out.insert("columns".to_owned(), columns.collect());
    let names_rows = sheet.names_rows(table);
    let rows = table.rows.iter().filter(|row| row.kind.is_for_programs());
    let rows = rows.map(|row| row_value(sheet, table, row, names_rows));
    out.insert("rows".to_owned(), rows.collect());
    Value::Object(out)
}

fn kind_name(kind: ColKind) -> &'static str {
    match kind {
        ColKind::Label { .. } | ColKind::Text { .. } => "text",
        ColKind::Date => "date",
        ColKind::Money | ColKind::Balance => "money",
        ColKind::Percent => "percent",
        ColKind::Number => "number",
    }
}

fn row_value(sheet: &Sheet, table: &Table, row: &Row, names_rows: bool) -> Value {
    let mut out = Map::new();
    if names_rows {
        out.insert("kind".to_owned(), row.kind.name().into());
        out.insert("level".to_owned(), row.depth.into());
        if let Some(code) = &row.account {
            out.insert("account_code".to_owned(), code.clone().into());
        }
        if let Some(caption) = &row.caption {
            out.insert("caption".to_owned(), caption.clone().into());
        }
    }
    for (column, cell) in table.columns.iter().zip(&row.cells) {
        if *cell != Cell::Empty {
            out.insert(column.key.clone(), cell_value(cell, sheet.currency));
        }
    }
    Value::Object(out)
}

fn cell_value(cell: &Cell, currency: Currency) -> Value {
    match cell {
        Cell::Text(words) => words.clone().into(),
        other => machine_text(other, currency).map_or(Value::Null, Value::String),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::sample::balance_sheet;

    /// spec/rendering.md §2, "Machine formats": a statement with all that a program needs to find its numbers again.
    #[test]
    fn statement() {
        let mut sheet = balance_sheet();
        sheet.tables[0].rows.truncate(5);
        let expected = json!({
            "report": "balance_sheet",
            "company": "Harbor Books LLC",
            "title": "Balance Sheet",
            "period": { "as_of": "2026-11-30" },
            "currency": "USD",
            "basis": "accrual",
            "prepared_on": "2026-11-30",
            "journal_seq": 1234,
            "journal_head": "7f3a91c20b5ed41088aa",
            "fields": [],
            "tables": [{
                "columns": [
                    { "key": "account", "title": "", "type": "text" },
                    { "key": "amount", "title": "Amount", "type": "money" },
                ],
                "rows": [
                    { "kind": "heading", "level": 0, "caption": "ASSETS" },
                    { "kind": "line", "level": 1, "account_code": "1000", "account": "1000 Checking", "amount": "12345.67" },
                    {
                        "kind": "line", "level": 1, "account_code": "1590",
                        "account": "1590 Accumulated Depreciation", "amount": "-2000.00",
                    },
                    { "kind": "statement_total", "level": 0, "account": "TOTAL ASSETS", "amount": "10345.67" },
                ],
            }],
            "notes": ["Unaudited."],
        });
        assert_eq!(render(&sheet), expected);
    }

    /// A page without amounts claims no currency, and its text is not changed.
    #[test]
    fn plain_page() {
        let sheet = Sheet::from_value(
            "T",
            &json!({"memo": "=1\u{202e}", "lines": [{"qty": "1.50"}]}),
        );
        let expected = json!({
            "title": "T",
            "fields": [{ "label": "Memo", "value": "=1\u{202e}" }],
            "tables": [{
                "title": "Lines",
                "columns": [{ "key": "qty", "title": "Qty", "type": "number" }],
                "rows": [{ "qty": "1.50" }],
            }],
            "notes": [],
        });
        assert_eq!(render(&sheet), expected);
    }
}
