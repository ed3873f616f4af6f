//! The parts of the profit and loss statement, and the days that it covers, on real books.

use serde_json::{Value, json};

use super::*;

/// spec/domain.md §13.1: where the chart says what is cost of goods and what stands beside the business, the page shows gross
/// profit and operating income; the answer's sums stay those of all revenue and all expenses.
#[test]
fn profit_and_loss_in_parts() {
    let mut desk = Desk::new("USD", "", "2026-03-31");
    let chart = "code,name,type,parent_code,tax_category\n1000,Bank,asset,,\n4000,Sales,revenue,,gross_receipts\n\
        4900,Refunds,revenue,,returns_allowances\n4950,Other,revenue,,other_income\n5000,Goods,expense,,cost_of_goods_sold\n\
        6400,Rent,expense,,rent_property\n6700,Interest,expense,,interest_other\n\
        7100,Disposals,revenue,,gain_loss_business_property\n";
    desk.ok("books.import_chart_csv", json!({"csv_text": chart}));
    for (debit, credit, amount) in [
        ("1000", "4000", "1000.00"),
        ("4900", "1000", "50.00"),
        ("5000", "1000", "400.00"),
        ("6400", "1000", "200.00"),
        ("1000", "7100", "30.00"),
        ("1000", "4950", "12.00"),
        ("6700", "1000", "7.50"),
    ] {
        let lines = [
            format!("{debit}:dr:{amount}"),
            format!("{credit}:cr:{amount}"),
        ];
        desk.post("2026-02-01", &lines.each_ref().map(String::as_str));
    }
    let answer = desk.ok("books.profit_and_loss", json!({}));
    let want = json!({"revenue": "992.00", "expenses": "607.50", "net_income": "384.50"});
    assert_eq!(pick(&answer, &["revenue", "expenses", "net_income"]), want);
    let want = [
        "row,level,account_code,account,amount",
        "heading,0,,Revenue,",
        "line,1,4000,4000 Sales,1000.00",
        "line,1,4900,4900 Refunds,-50.00",
        "total,0,,Total revenue,950.00",
        "heading,0,,Cost of goods sold,",
        "line,1,5000,5000 Goods,400.00",
        "total,0,,Total cost of goods sold,400.00",
        "total,0,,Gross profit,550.00",
        "heading,0,,Disposal of property,",
        "line,1,7100,7100 Disposals,30.00",
        "total,0,,Total gain (loss) on disposal,30.00",
        "heading,0,,Operating expenses,",
        "line,1,6400,6400 Rent,200.00",
        "total,0,,Total operating expenses,200.00",
        "total,0,,Operating income (loss),380.00",
        "heading,0,,Other income,",
        "line,1,4950,4950 Other,12.00",
        "total,0,,Total other income,12.00",
        "heading,0,,Other expenses,",
        "line,1,6700,6700 Interest,7.50",
        "total,0,,Total other expenses,7.50",
        "statement_total,0,,Net income (loss),384.50",
    ];
    assert_eq!(desk.rows("books.profit_and_loss", json!({})), want);
}

/// A statement from the first posted entry says when that is more than the fiscal year to date, and not when a day is given.
#[test]
fn more_than_the_year() {
    let mut desk = quarter();
    let notes = |desk: &mut Desk, args| desk.ok("books.profit_and_loss", args)["notes"].clone();
    let note = "From the first posted entry; the fiscal year to date starts on 2026-01-01.";
    assert_eq!(notes(&mut desk, json!({})), json!([note]));
    assert_eq!(
        notes(&mut desk, json!({"start": "2025-12-31"})),
        Value::Null
    );
    assert_eq!(notes(&mut desk, json!({"end": "2025-12-31"})), Value::Null);
}
