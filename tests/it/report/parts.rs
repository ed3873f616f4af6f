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
        "heading,0,,Operating expenses,",
        "line,1,6400,6400 Rent,200.00",
        "total,0,,Total operating expenses,200.00",
        "heading,0,,Disposal of property,",
        "line,1,7100,7100 Disposals,30.00",
        "total,0,,Total gain (loss) on disposal,30.00",
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
    let want = json!({"gross_profit": "550.00", "operating_income": "380.00"});
    assert_eq!(pick(&answer, &["gross_profit", "operating_income"]), want);
    let parts = |list: &Value| -> Vec<String> {
        let all = list.as_array().expect("a list");
        all.iter()
            .map(|a| format!("{} {}", a["code"], a["part"]).replace('"', ""))
            .collect()
    };
    let want = [
        "4000 revenue",
        "4900 revenue",
        "4950 other_income",
        "7100 disposal",
    ];
    assert_eq!(parts(&answer["revenue_accounts"]), want);
    let want = ["5000 cost_of_goods", "6400 operating", "6700 other_expense"];
    assert_eq!(parts(&answer["expense_accounts"]), want);
}

/// spec/domain.md §13.1: income taxes stand last, under income before them; an answer without cost of goods has no gross
/// profit; a group whose accounts stand in several parts has no total in any, one that stands whole has its own.
#[test]
fn taxes_and_split_groups() {
    let settings = "[company]\nname = \"Acme Corp\"\ntax_form = \"1120\"\n";
    let mut desk = Desk::new("USD", settings, "2026-03-31");
    let chart = "code,name,type,parent_code,tax_category\n1000,Bank,asset,,\n4000,Sales,revenue,,gross_receipts\n\
        6000,Costs,expense,,\n6100,Shop,expense,6000,\n6110,Rent,expense,6100,rent_property\n\
        6120,Light,expense,6100,utilities\n6700,Interest,expense,6000,interest_other\n\
        7900,Federal tax,expense,6000,federal_income_tax\n";
    desk.ok("books.import_chart_csv", json!({"csv_text": chart}));
    for (debit, credit, amount) in [
        ("1000", "4000", "1000.00"),
        ("6110", "1000", "200.00"),
        ("6120", "1000", "30.00"),
        ("6700", "1000", "10.00"),
        ("7900", "1000", "159.60"),
    ] {
        let lines = [
            format!("{debit}:dr:{amount}"),
            format!("{credit}:cr:{amount}"),
        ];
        desk.post("2026-02-01", &lines.each_ref().map(String::as_str));
    }
    let want = [
        "row,level,account_code,account,amount",
        "heading,0,,Revenue,",
        "line,1,4000,4000 Sales,1000.00",
        "total,0,,Total revenue,1000.00",
        "heading,0,,Operating expenses,",
        "heading,1,6000,6000 Costs,",
        "heading,2,6100,6100 Shop,",
        "line,3,6110,6110 Rent,200.00",
        "line,3,6120,6120 Light,30.00",
        "subtotal,2,,Total Shop,230.00",
        "total,0,,Total operating expenses,230.00",
        "total,0,,Operating income (loss),770.00",
        "heading,0,,Other expenses,",
        "heading,1,6000,6000 Costs,",
        "line,2,6700,6700 Interest,10.00",
        "total,0,,Total other expenses,10.00",
        "total,0,,Income before income taxes,760.00",
        "heading,0,,Income taxes,",
        "heading,1,6000,6000 Costs,",
        "line,2,7900,7900 Federal tax,159.60",
        "total,0,,Total income taxes,159.60",
        "statement_total,0,,Net income (loss),600.40",
    ];
    assert_eq!(desk.rows("books.profit_and_loss", json!({})), want);
    let answer = desk.ok("books.profit_and_loss", json!({}));
    let keys = ["company", "gross_profit", "operating_income", "net_income"];
    let want = json!({
        "company": "Acme Corp", "gross_profit": null, "operating_income": "770.00", "net_income": "600.40",
    });
    assert_eq!(pick(&answer, &keys), want);
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
