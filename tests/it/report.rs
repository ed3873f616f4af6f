//! Reports on real books, against figures worked by hand.

mod accounts;
mod cash_flow;
mod equity;
mod noncash;
mod parts;

use serde_json::{Value, json};

use crate::books::{Desk, pick};

const CHART: &[&str] = &[
    "1000 asset -",
    "1500 asset -",
    "1510 asset 1500",
    "1590 asset 1500",
    "2000 liability -",
    "3000 equity -",
    "3100 equity -",
    "3999 equity -",
    "4000 revenue -",
    "4900 revenue -",
    "6500 expense -",
    "6800 expense -",
];

const SOLE: &str = "[company]\nname = \"Harbor Books\"\ntax_form = \"schedule_c\"\n";

/// A first quarter: opening balances the day before the year, one entry on the last and one on the first day of a month, a
/// contra account of each kind, and one entry after today.
fn quarter() -> Desk {
    let mut desk = Desk::new("USD", SOLE, "2026-03-31");
    desk.accounts(CHART);
    desk.post("2025-12-31", &["1000:dr:5000.00", "3999:cr:5000.00"]);
    desk.post("2026-01-15", &["1000:dr:10000.00", "3000:cr:10000.00"]);
    desk.post("2026-01-31", &["1000:dr:1200.00", "4000:cr:1200.00"]);
    desk.post("2026-02-01", &["6800:dr:300.25", "2000:cr:300.25"]);
    desk.post("2026-02-10", &["1510:dr:2000.00", "1000:cr:2000.00"]);
    desk.post("2026-02-28", &["6500:dr:55.56", "1590:cr:55.56"]);
    desk.post("2026-03-05", &["4900:dr:100.00", "1000:cr:100.00"]);
    desk.post("2026-03-10", &["3100:dr:500.00", "1000:cr:500.00"]);
    desk.post("2026-04-01", &["1000:dr:9999.00", "4000:cr:9999.00"]);
    desk
}

fn amounts(list: &Value) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().expect("text").to_owned();
    let list = list.as_array().expect("a list");
    list.iter()
        .map(|a| (text(&a["code"]), text(&a["amount"])))
        .collect()
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    pairs.iter().map(own).collect()
}

/// The trial balance shows each account on its side in code order, zero accounts dropped, entries after the day left out.
#[test]
fn trial_balance() {
    let mut desk = quarter();
    let answer = desk.ok("books.trial_balance", json!({}));
    let lines: Vec<String> = answer["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|l| {
            let text = |key: &str| l[key].as_str().expect("text").to_owned();
            format!(
                "{} {} {} {}",
                text("account_code"),
                text("type"),
                text("debit"),
                text("credit")
            )
        })
        .collect();
    let want = [
        "1000 asset 13600.00 0.00",
        "1510 asset 2000.00 0.00",
        "1590 asset 0.00 55.56",
        "2000 liability 0.00 300.25",
        "3000 equity 0.00 10000.00",
        "3100 equity 500.00 0.00",
        "3999 equity 0.00 5000.00",
        "4000 revenue 0.00 1200.00",
        "4900 revenue 100.00 0.00",
        "6500 expense 55.56 0.00",
        "6800 expense 300.25 0.00",
    ];
    assert_eq!(lines, want);
    let keys = [
        "as_of",
        "total_debit",
        "total_credit",
        "balanced",
        "basis",
        "prepared_on",
    ];
    let want = json!({
        "as_of": "2026-03-31", "total_debit": "16555.81", "total_credit": "16555.81", "balanced": true,
        "basis": "accrual", "prepared_on": "2026-03-31",
    });
    assert_eq!(pick(&answer, &keys), want);
    let rows = desk.rows("books.trial_balance", json!({"as_of": "2026-01-31"}));
    let want = [
        "row,level,account_code,account,debit,credit",
        "line,0,1000,1000 A1000,16200.00,",
        "line,0,3000,3000 A3000,,10000.00",
        "line,0,3999,3999 A3999,,5000.00",
        "line,0,4000,4000 A4000,,1200.00",
        "statement_total,0,,Total,16200.00,16200.00",
    ];
    assert_eq!(rows, want);
}

/// The balance sheet balances, shows contra accounts negative, and divides what was earned by fiscal year.
#[test]
fn balance_sheet() {
    let mut desk = quarter();
    let answer = desk.ok("books.balance_sheet", json!({}));
    let keys = [
        "as_of",
        "assets",
        "liabilities",
        "equity",
        "current_earnings",
        "balanced",
        "retained_earnings",
        "net_income",
        "total_liabilities_and_equity",
    ];
    let want = json!({
        "as_of": "2026-03-31", "assets": "15544.44", "liabilities": "300.25", "equity": "14500.00",
        "current_earnings": "744.19", "balanced": true, "retained_earnings": "5000.00", "net_income": "744.19",
        "total_liabilities_and_equity": "15544.44",
    });
    assert_eq!(pick(&answer, &keys), want);
    assert_eq!(
        amounts(&answer["asset_accounts"]),
        owned(&[
            ("1000", "13600.00"),
            ("1510", "2000.00"),
            ("1590", "-55.56")
        ])
    );
    assert_eq!(
        amounts(&answer["equity_accounts"]),
        owned(&[
            ("3000", "10000.00"),
            ("3100", "-500.00"),
            ("3999", "5000.00")
        ])
    );
    assert_eq!(answer["notes"], Value::Null);
}

/// The page of a balance sheet groups accounts under their parents, names equity by the form of business, and carries
/// letterhead and footer.
#[test]
fn balance_sheet_page() {
    let mut desk = quarter();
    let rows = desk.rows("books.balance_sheet", json!({}));
    let want = [
        "row,level,account_code,account,amount",
        "heading,0,,Assets,",
        "line,1,1000,1000 A1000,13600.00",
        "heading,1,1500,1500 A1500,",
        "line,2,1510,1510 A1510,2000.00",
        "line,2,1590,1590 A1590,-55.56",
        "subtotal,1,,Total A1500,1944.44",
        "statement_total,0,,Total assets,15544.44",
        "heading,0,,Liabilities,",
        "line,1,2000,2000 A2000,300.25",
        "total,0,,Total liabilities,300.25",
        "heading,0,,Owner's equity,",
        "line,1,3000,3000 A3000,10000.00",
        "line,1,3100,3100 A3100,-500.00",
        "line,1,3999,3999 A3999,5000.00",
        "line,1,,Net income (loss),744.19",
        "total,0,,Total owner's equity,15244.19",
        "statement_total,0,,Total liabilities and equity,15544.44",
    ];
    assert_eq!(rows, want);
    let sheet = desk.sheet("books.balance_sheet", json!({}));
    let letterhead = sheet.letterhead.expect("a statement has one");
    assert_eq!(letterhead.company, "Harbor Books");
    let period = letterhead.period.expect("a day").text();
    assert_eq!(period, "As of March 31, 2026");
    let footer = sheet.footer.expect("a statement has one");
    let answer = desk.ok("books.balance_sheet", json!({}));
    assert_eq!(Value::from(footer.seq), answer["seq"]);
    assert_eq!(Value::from(footer.head.as_str()), answer["head"]);
    assert_eq!(
        (footer.basis.as_str(), footer.prepared_on.to_string()),
        ("accrual", "2026-03-31".to_owned())
    );
}

/// Profit and loss takes both end days, starts at the first posted entry by default, and shows a loss as negative.
#[test]
fn profit_and_loss() {
    let mut desk = quarter();
    let keys = ["start", "end", "revenue", "expenses", "net_income"];
    let cases = [
        (
            json!({}),
            ["2025-12-31", "2026-03-31", "1100.00", "355.81", "744.19"],
        ),
        (
            json!({"start": "2026-01-31", "end": "2026-02-01"}),
            ["2026-01-31", "2026-02-01", "1200.00", "300.25", "899.75"],
        ),
        (
            json!({"start": "2026-02-01", "end": "2026-02-28"}),
            ["2026-02-01", "2026-02-28", "0.00", "355.81", "-355.81"],
        ),
        (
            json!({"start": "2026-02-02", "end": "2026-02-27"}),
            ["2026-02-02", "2026-02-27", "0.00", "0.00", "0.00"],
        ),
        (
            json!({"end": "2025-06-30"}),
            ["2025-06-30", "2025-06-30", "0.00", "0.00", "0.00"],
        ),
        (
            json!({"start": "2026-01-01", "end": "2026-12-31"}),
            ["2026-01-01", "2026-12-31", "11099.00", "355.81", "10743.19"],
        ),
    ];
    for (args, want) in cases {
        let answer = desk.ok("books.profit_and_loss", args.clone());
        let found = keys.map(|key| answer[key].as_str().expect("text").to_owned());
        assert_eq!(found, want, "{args}");
    }
    let rows = desk.rows("books.profit_and_loss", json!({}));
    let want = [
        "row,level,account_code,account,amount",
        "heading,0,,Revenue,",
        "line,1,4000,4000 A4000,1200.00",
        "line,1,4900,4900 A4900,-100.00",
        "total,0,,Total revenue,1100.00",
        "heading,0,,Expenses,",
        "line,1,6500,6500 A6500,55.56",
        "line,1,6800,6800 A6800,300.25",
        "total,0,,Total expenses,355.81",
        "statement_total,0,,Net income (loss),744.19",
    ];
    assert_eq!(rows, want);
}

/// A report whose first day is after its last is refused, with both days, also when the last is today by default.
#[test]
fn days_in_order() {
    let mut desk = quarter();
    for tool in ["books.profit_and_loss", "books.account_register"] {
        for end in [Some("2026-01-31"), None] {
            let mut args = json!({"start": "2026-05-01"});
            if tool == "books.account_register" {
                args["account"] = "1000".into();
            }
            if let Some(end) = end {
                args["end"] = end.into();
            }
            let (kind, refusal) = desk.no(tool, args);
            assert_eq!(kind, "usage");
            let want = json!({
                "code": "invalid_arguments", "field": "start", "start": "2026-05-01",
                "end": end.unwrap_or("2026-03-31"),
            });
            assert_eq!(pick(&refusal, &["code", "field", "start", "end"]), want);
        }
    }
}

/// spec/domain.md §1.5, second case: January's 600 closed, February's 300 open. The close counts in the trial balance and the
/// balance sheet, not in profit and loss; retained earnings are what they were before the year.
#[test]
fn closing_entries() {
    let mut desk = Desk::new("USD", "", "2026-02-28");
    desk.accounts(&["1000 asset -", "3999 equity -", "4000 revenue -"]);
    desk.post("2025-12-31", &["1000:dr:5000.00", "3999:cr:5000.00"]);
    desk.post("2026-01-20", &["1000:dr:600.00", "4000:cr:600.00"]);
    desk.post_closing("2026-01-31", &["4000:dr:600.00", "3999:cr:600.00"]);
    desk.post("2026-02-20", &["1000:dr:300.00", "4000:cr:300.00"]);
    let keys = [
        "equity",
        "current_earnings",
        "retained_earnings",
        "net_income",
        "balanced",
    ];
    let answer = desk.ok("books.balance_sheet", json!({}));
    let want = json!({
        "equity": "5600.00", "current_earnings": "300.00", "retained_earnings": "5000.00", "net_income": "900.00",
        "balanced": true,
    });
    assert_eq!(pick(&answer, &keys), want);
    assert_eq!(answer["notes"].as_array().map(Vec::len), Some(1));
    let rows = desk.rows("books.balance_sheet", json!({}));
    assert_eq!(
        rows[rows.len() - 5..],
        [
            "heading,0,,Equity,",
            "line,1,3999,3999 A3999,5000.00",
            "line,1,,Net income (loss),900.00",
            "total,0,,Total equity,5900.00",
            "statement_total,0,,Total liabilities and equity,5900.00",
        ]
    );
    let earned = desk.ok("books.profit_and_loss", json!({"start": "2026-01-01"}));
    assert_eq!(earned["net_income"], "900.00");
    let trial = desk.ok("books.trial_balance", json!({}));
    assert_eq!(trial["total_credit"], "5900.00");
}

/// spec/domain.md §1.5, third case, in yen with a fiscal year from July: what an earlier year earned and never closed stands
/// in retained earnings, also where no account is there to hold it.
#[test]
fn earlier_year_never_closed() {
    let settings = "[company]\nfiscal_year_start = \"07-01\"\n";
    let mut desk = Desk::new("JPY", settings, "2026-07-31");
    desk.accounts(&["1000 asset -", "4000 revenue -", "6800 expense -"]);
    desk.post("2026-06-30", &["1000:dr:1000", "4000:cr:1000"]);
    desk.post("2026-07-01", &["6800:dr:1300", "1000:cr:1300"]);
    let answer = desk.ok("books.balance_sheet", json!({}));
    let keys = [
        "assets",
        "current_earnings",
        "retained_earnings",
        "net_income",
        "total_liabilities_and_equity",
        "balanced",
    ];
    let want = json!({
        "assets": "-300", "current_earnings": "-300", "retained_earnings": "1000", "net_income": "-1300",
        "total_liabilities_and_equity": "-300", "balanced": true,
    });
    assert_eq!(pick(&answer, &keys), want);
    let rows = desk.rows("books.balance_sheet", json!({}));
    assert_eq!(
        rows[rows.len() - 4..],
        [
            "line,1,,Retained earnings,1000",
            "line,1,,Net income (loss),-1300",
            "total,0,,Total equity,-300",
            "statement_total,0,,Total liabilities and equity,-300",
        ]
    );
}

/// With members, capital accounts keep their balances and what is not closed stands apart, not yet allocated; three decimals
/// are kept.
#[test]
fn members() {
    let settings = "[company]\nname = \"Pine LLC\"\ntax_form = \"1065\"\n\
        [[company.members]]\nname = \"Ada\"\nshare = \"60%\"\ncapital_account = \"3010\"\n\
        [[company.members]]\nname = \"Grace\"\nshare = \"40%\"\ncapital_account = \"3020\"\n";
    let mut desk = Desk::new("KWD", settings, "2026-12-31");
    desk.accounts(&[
        "1000 asset -",
        "3000 equity -",
        "3010 equity 3000",
        "3020 equity 3000",
        "4000 revenue -",
    ]);
    desk.post("2025-05-01", &["1000:dr:1.005", "4000:cr:1.005"]);
    desk.post("2026-05-01", &["1000:dr:10.001", "3010:cr:10.001"]);
    desk.post("2026-06-01", &["1000:dr:0.500", "4000:cr:0.500"]);
    let answer = desk.ok("books.balance_sheet", json!({}));
    let keys = ["assets", "equity", "retained_earnings", "net_income"];
    let want = json!({
        "assets": "11.506", "equity": "10.001", "retained_earnings": "0.000", "net_income": "1.505",
    });
    assert_eq!(pick(&answer, &keys), want);
    let rows = desk.rows("books.balance_sheet", json!({}));
    assert_eq!(
        rows[rows.len() - 7..],
        [
            "heading,0,,Members' equity,",
            "heading,1,3000,3000 A3000,",
            "line,2,3010,3010 A3010,10.001",
            "subtotal,1,,Total A3000,10.001",
            "line,1,,Net income (not yet allocated),1.505",
            "total,0,,Total members' equity,11.506",
            "statement_total,0,,Total liabilities and equity,11.506",
        ]
    );
}

/// Where a close fills the owner's capital, the earlier years' income stands in its line, and a note gives its balance.
#[test]
fn close_into_capital() {
    let settings = format!("{SOLE}[books]\nclose_into = \"3000\"\n");
    let mut desk = Desk::new("USD", &settings, "2026-03-31");
    desk.accounts(&[
        "1000 asset -",
        "3000 equity -",
        "3999 equity -",
        "4000 revenue -",
    ]);
    desk.post("2025-03-01", &["1000:dr:100.00", "3000:cr:100.00"]);
    desk.post("2025-06-01", &["1000:dr:20.00", "4000:cr:20.00"]);
    desk.post("2026-02-01", &["1000:dr:3.00", "4000:cr:3.00"]);
    let answer = desk.ok("books.balance_sheet", json!({}));
    let keys = [
        "equity",
        "current_earnings",
        "retained_earnings",
        "net_income",
    ];
    let want = json!({
        "equity": "100.00", "current_earnings": "23.00", "retained_earnings": "120.00", "net_income": "3.00",
    });
    assert_eq!(pick(&answer, &keys), want);
    let note = answer["notes"][0].as_str().expect("a note");
    assert!(
        note.starts_with("3000 stands at 100.00 in the ledger"),
        "{note}"
    );
    let rows = desk.rows("books.balance_sheet", json!({}));
    assert!(rows.contains(&"line,1,3000,3000 A3000,120.00".to_owned()));
}

/// Books labelled cash basis with an open payable say so on every statement.
#[test]
fn cash_label() {
    let mut desk = Desk::new(
        "USD",
        "[books]\naccounting_basis = \"cash\"\n",
        "2026-03-31",
    );
    desk.accounts(&["2000 liability -", "6800 expense -"]);
    desk.post("2026-02-01", &["6800:dr:5.00", "2000:cr:5.00"]);
    for tool in [
        "books.trial_balance",
        "books.balance_sheet",
        "books.profit_and_loss",
    ] {
        let answer = desk.ok(tool, json!({}));
        assert_eq!(answer["basis"], "cash");
        assert_eq!(answer["notes"].as_array().map(Vec::len), Some(1), "{tool}");
    }
    let before = desk.ok("books.balance_sheet", json!({"as_of": "2026-01-31"}));
    assert_eq!(before["notes"], Value::Null);
}

/// Books without accounts, and books before their first entry, have statements of zeros that still lay out.
#[test]
fn nothing_yet() {
    let empty = Desk::new("USD", "", "2026-03-31");
    let before = json!({"as_of": "2025-12-30"});
    for (mut desk, as_of) in [(empty, json!({})), (quarter(), before)] {
        let trial = desk.ok("books.trial_balance", as_of.clone());
        let want =
            json!({"lines": [], "total_debit": "0.00", "total_credit": "0.00", "balanced": true});
        let keys = ["lines", "total_debit", "total_credit", "balanced"];
        assert_eq!(pick(&trial, &keys), want);
        let rows = desk.rows("books.trial_balance", as_of.clone());
        assert_eq!(rows[2], "statement_total,0,,Total,0.00,0.00");
        let sheet = desk.ok("books.balance_sheet", as_of.clone());
        let want = json!({
            "assets": "0.00", "liabilities": "0.00", "equity": "0.00", "current_earnings": "0.00", "balanced": true,
        });
        let keys = [
            "assets",
            "liabilities",
            "equity",
            "current_earnings",
            "balanced",
        ];
        assert_eq!(pick(&sheet, &keys), want);
        let rows = desk.rows("books.balance_sheet", as_of);
        assert_eq!(
            rows.last().map(String::as_str),
            Some("statement_total,0,,Total liabilities and equity,0.00")
        );
    }
    let mut desk = Desk::new("USD", "", "2026-03-31");
    let earned = desk.ok("books.profit_and_loss", json!({}));
    let want = json!({"start": "2026-03-31", "end": "2026-03-31", "net_income": "0.00"});
    assert_eq!(pick(&earned, &["start", "end", "net_income"]), want);
    desk.rows("books.profit_and_loss", json!({}));
    assert_eq!(desk.ok("books.chart", json!({}))["accounts"], json!([]));
    desk.sheet("books.chart", json!({}));
}
