//! A small balance sheet that the renderers' tests share. Its numbers are made up.

use crate::model::{Currency, Date};
use crate::present::{
    Cell, ColKind, Column, Footer, Label, Letterhead, Period, RowId, RowKind, Sheet, TableBuilder,
    Term,
};

fn day() -> Date {
    "2026-11-30".parse().expect("a date")
}

fn account(table: &mut TableBuilder, code: &str, name: &str, minor: i64) -> RowId {
    let cells = vec![Cell::Text(format!("{code} {name}")), Cell::Money(minor)];
    table
        .account_line(1, code, cells)
        .expect("two cells under two columns")
}

/// Assets of 10,345.67 against liabilities of 345.67 and equity of 10,000.00.
pub(super) fn balance_sheet() -> Sheet {
    let mut table = TableBuilder::new(vec![
        Column::new("account", "", ColKind::Label { weight: 1 }),
        Column::new("amount", "Amount", ColKind::Money),
    ]);
    let t = &mut table;
    t.heading("ASSETS");
    let assets = [
        account(t, "1000", "Checking", 1_234_567),
        account(t, "1590", "Accumulated Depreciation", -200_000),
    ];
    let sum = |t: &mut TableBuilder, kind, label: Label, rows: &[RowId]| {
        t.sum(kind, label, Term::plus_all(rows))
            .expect("small amounts")
    };
    sum(t, RowKind::StatementTotal, "TOTAL ASSETS".into(), &assets);
    t.blank();
    t.heading("LIABILITIES AND EQUITY");
    let payable = account(t, "2000", "Accounts Payable", 34_567);
    let label = Label::at(1, "Total liabilities");
    let liabilities = sum(t, RowKind::Subtotal, label, &[payable]);
    let capital = account(t, "3000", "Owner's Capital", 1_100_000);
    let cells = vec![
        Cell::Text("Net income (loss)".to_owned()),
        Cell::Money(-100_000),
    ];
    let income = t.line(1, cells).expect("two cells under two columns");
    let label = Label::at(1, "Total equity");
    let equity = sum(t, RowKind::Total, label, &[capital, income]);
    let label = "TOTAL LIABILITIES AND EQUITY".into();
    sum(t, RowKind::StatementTotal, label, &[liabilities, equity]);

    let usd = Currency::from_code("USD").expect("a listed code");
    let mut sheet = Sheet::new("balance_sheet", "Balance Sheet", usd);
    sheet.letterhead = Some(Letterhead {
        company: "Harbor Books LLC".to_owned(),
        period: Some(Period::AsOf(day())),
    });
    sheet.tables.push(table.finish());
    sheet.notes.push("Unaudited.".to_owned());
    sheet.footer = Some(Footer {
        basis: "accrual".to_owned(),
        prepared_on: day(),
        seq: 1234,
        head: "7f3a91c20b5ed41088aa".to_owned(),
    });
    sheet
}
