//! The cash flow statement, against the worked examples of spec/domain.md §4 and figures worked by hand.

use serde_json::{Value, json};

use crate::books::{Desk, pick};

const SETTINGS: &str = "[books]\ncash_accounts = [\"1000\", \"1010\"]\nfinancing_accounts = [\"2600\", \"2700\"]\n\
                        investing_accounts = [\"1700\"]\n";

/// Code, name, type, parent and tax category.
const CHART: &[[&str; 5]] = &[
    ["1000", "Checking", "asset", "", ""],
    ["1010", "Savings", "asset", "", ""],
    ["1200", "Accounts Receivable", "asset", "", ""],
    ["1400", "Prepaid Expenses", "asset", "", ""],
    ["1500", "Fixed Assets", "asset", "", ""],
    ["1510", "Equipment", "asset", "1500", ""],
    ["1530", "Vehicles", "asset", "1500", ""],
    ["1590", "Accumulated Depreciation", "asset", "1500", ""],
    ["1700", "Loans Receivable", "asset", "", ""],
    ["2000", "Accounts Payable", "liability", "", ""],
    ["2100", "Payroll Liabilities", "liability", "", ""],
    ["2300", "Deferred Revenue", "liability", "", ""],
    ["2600", "Due to Owners", "liability", "", ""],
    ["2650", "Distributions Payable", "liability", "", ""],
    ["2700", "Loans Payable", "liability", "", ""],
    ["3000", "Owner's Capital", "equity", "", ""],
    ["3100", "Owner's Draws", "equity", "", ""],
    ["3999", "Retained Earnings", "equity", "", ""],
    ["4000", "Revenue", "revenue", "", "gross_receipts"],
    ["6100", "Wages", "expense", "", "wages"],
    [
        "6500",
        "Depreciation Expense",
        "expense",
        "",
        "depreciation",
    ],
    ["6600", "Insurance", "expense", "", "insurance"],
    ["6700", "Interest Expense", "expense", "", "interest_other"],
    ["6800", "Supplies", "expense", "", "supplies"],
    ["6999", "General Expenses", "expense", "", ""],
    [
        "7100",
        "Gain (Loss) on Disposal",
        "revenue",
        "",
        "gain_loss_business_property",
    ],
];

pub fn desk(today: &str) -> Desk {
    let mut desk = Desk::new("USD", SETTINGS, today);
    let rows = CHART.iter().map(|row| row.join(","));
    let csv = [
        vec!["code,name,type,parent_code,tax_category".to_owned()],
        rows.collect(),
    ]
    .concat();
    desk.ok(
        "books.import_chart_csv",
        json!({"csv_text": csv.join("\n")}),
    );
    desk
}

/// The entries of spec/domain.md §4.3.
fn fiscal_2026(desk: &mut Desk) {
    let entries: &[(&str, &[&str])] = &[
        ("2026-01-02", &["1000:dr:20000", "3000:cr:20000"]),
        ("2026-01-15", &["1510:dr:12000", "1000:cr:12000"]),
        ("2026-02-01", &["1000:dr:15000", "2700:cr:15000"]),
        ("2026-03-01", &["1400:dr:1200", "1000:cr:1200"]),
        ("2026-04-01", &["1000:dr:6000", "2300:cr:6000"]),
        ("2026-06-30", &["1200:dr:30000", "4000:cr:30000"]),
        ("2026-07-15", &["1000:dr:26500", "1200:cr:26500"]),
        ("2026-07-31", &["6999:dr:14000", "2000:cr:14000"]),
        ("2026-08-31", &["2000:dr:12200", "1000:cr:12200"]),
        ("2026-09-01", &["1000:dr:2500", "2600:cr:2500"]),
        (
            "2026-10-01",
            &["2700:dr:3000", "6700:dr:450", "1000:cr:3450"],
        ),
        ("2026-10-31", &["6500:dr:3182.77", "1590:cr:3182.77"]),
        ("2026-11-10", &["6500:dr:111.11", "1590:cr:111.11"]),
        (
            "2026-11-10",
            &[
                "1000:dr:9000",
                "1590:dr:3293.88",
                "1510:cr:12000",
                "7100:cr:293.88",
            ],
        ),
        (
            "2026-12-01",
            &["1510:dr:5000", "1000:cr:1000", "2700:cr:4000"],
        ),
        ("2026-12-15", &["3100:dr:8000", "1000:cr:8000"]),
        ("2026-12-20", &["1010:dr:5000", "1000:cr:5000"]),
        ("2026-12-31", &["6500:dr:83.33", "1590:cr:83.33"]),
        ("2026-12-31", &["6600:dr:1000", "1400:cr:1000"]),
        ("2026-12-31", &["2300:dr:4500", "4000:cr:4500"]),
    ];
    for (date, lines) in entries {
        desk.post(date, lines);
    }
    let closing = [
        "4000:dr:34500",
        "7100:dr:293.88",
        "6500:cr:3377.21",
        "6600:cr:1000",
        "6700:cr:450",
        "6999:cr:14000",
        "3000:cr:15966.67",
        "3000:dr:8000",
        "3100:cr:8000",
    ];
    desk.post_closing("2026-12-31", &closing);
}

pub fn lines(answer: &Value, key: &str) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let Some(lines) = answer[key].as_array() else {
        return Vec::new();
    };
    let line = |line: &Value| {
        let parts = ["code", "label", "amount"].map(|key| text(&line[key]));
        parts.join(" | ")
    };
    lines.iter().map(line).collect()
}

const TOTALS: [&str; 7] = [
    "net_income",
    "operating",
    "investing",
    "financing",
    "net_change",
    "beginning_cash",
    "ending_cash",
];

/// spec/domain.md §4.3, worked example A: every line and every total of the year.
#[test]
fn example_a() {
    let mut desk = desk("2026-12-31");
    fiscal_2026(&mut desk);
    let answer = desk.ok(
        "books.cash_flow",
        json!({"start": "2026-01-01", "end": "2026-12-31"}),
    );
    let want = json!({
        "net_income": "15966.67", "operating": "18650.00", "investing": "-4000.00", "financing": "26500.00",
        "net_change": "41150.00", "beginning_cash": "0.00", "ending_cash": "41150.00",
    });
    assert_eq!(pick(&answer, &TOTALS), want);
    assert_eq!(
        lines(&answer, "adjustments"),
        [
            "1590 | Depreciation | 3377.21",
            "- | Loss (gain) on disposal | -293.88",
            "1200 | Accounts Receivable | -3500.00",
            "1400 | Prepaid Expenses | -200.00",
            "2000 | Accounts Payable | 1800.00",
            "2300 | Deferred Revenue | 1500.00",
        ]
    );
    assert_eq!(
        lines(&answer, "investing_lines"),
        [
            "1510 | Equipment, sold | 9000.00",
            "1510 | Equipment, purchased | -13000.00"
        ]
    );
    assert_eq!(
        lines(&answer, "financing_lines"),
        [
            "2600 | Due to Owners, borrowed | 2500.00",
            "2700 | Loans Payable, borrowed | 15000.00",
            "2700 | Loans Payable, repaid | -3000.00",
            "3000 | Owner's Capital, paid in | 20000.00",
            "3100 | Owner's Draws, paid out | -8000.00",
        ]
    );
    assert_eq!(
        lines(&answer, "noncash"),
        ["1510 | Equipment, by Loans Payable | 4000.00"]
    );
    assert_eq!(answer["interest_paid"], "450.00");
    assert_eq!(answer["notes"], Value::Null);
}

/// The page of example A names its sections and sums them to the cash of the last day.
#[test]
fn example_a_page() {
    let mut desk = desk("2026-12-31");
    fiscal_2026(&mut desk);
    let rows = desk.rows("books.cash_flow", json!({"start": "2026-01-01"}));
    let want = [
        "row,level,account_code,account,amount",
        "heading,0,,Cash flows from operating activities,",
        "line,1,,Net income (loss),15966.67",
        "heading,0,,Adjustments to reconcile net income to net cash,",
        "line,1,,Depreciation,3377.21",
        "line,1,,Loss (gain) on disposal,-293.88",
        "line,1,,Accounts Receivable,-3500.00",
        "line,1,,Prepaid Expenses,-200.00",
        "line,1,,Accounts Payable,1800.00",
        "line,1,,Deferred Revenue,1500.00",
        "total,0,,Net cash provided by operating activities,18650.00",
        "heading,0,,Cash flows from investing activities,",
        "line,1,,\"Equipment, sold\",9000.00",
        "line,1,,\"Equipment, purchased\",-13000.00",
        "total,0,,Net cash used in investing activities,-4000.00",
        "heading,0,,Cash flows from financing activities,",
        "line,1,,\"Due to Owners, borrowed\",2500.00",
        "line,1,,\"Loans Payable, borrowed\",15000.00",
        "line,1,,\"Loans Payable, repaid\",-3000.00",
        "line,1,,\"Owner's Capital, paid in\",20000.00",
        "line,1,,\"Owner's Draws, paid out\",-8000.00",
        "total,0,,Net cash provided by financing activities,26500.00",
        "total,0,,Net increase (decrease) in cash,41150.00",
        "line,1,,Cash at beginning of period,0.00",
        "statement_total,0,,Cash at end of period,41150.00",
        "heading,0,,Noncash investing and financing activities,",
        "line,1,,\"Equipment, by Loans Payable\",4000.00",
        "heading,0,,Cash paid for,",
        "line,1,,Interest,450.00",
    ];
    assert_eq!(rows, want);
}

/// The entries of spec/domain.md §4.4.
fn first_quarter_2027(desk: &mut Desk) {
    let entries: &[(&str, &[&str])] = &[
        ("2027-01-10", &["1000:dr:3500", "1200:cr:3500"]),
        (
            "2027-01-31",
            &["6100:dr:5000", "2100:cr:1665", "1000:cr:3335"],
        ),
        ("2027-01-31", &["6500:dr:83.33", "1590:cr:83.33"]),
        ("2027-02-01", &["1700:dr:2000", "1000:cr:2000"]),
        ("2027-02-28", &["6500:dr:83.33", "1590:cr:83.33"]),
        ("2027-03-10", &["6500:dr:26.88", "1590:cr:26.88"]),
        (
            "2027-03-10",
            &[
                "1200:dr:4000",
                "1590:dr:276.87",
                "7100:dr:723.13",
                "1510:cr:5000",
            ],
        ),
        ("2027-03-15", &["2100:dr:1665", "1000:cr:1665"]),
        ("2027-03-20", &["6600:dr:200", "1400:cr:200"]),
        ("2027-03-25", &["2600:dr:1000", "1000:cr:1000"]),
        ("2027-03-31", &["2300:dr:1500", "4000:cr:1500"]),
    ];
    for (date, lines) in entries {
        desk.post(date, lines);
    }
    let supplies = desk.post("2027-03-12", &["6800:dr:300", "1000:cr:300"]);
    let reversal = json!({"entry_id": supplies, "date": "2027-03-13", "description": "Not ours", "confirmed": true});
    desk.ok("books.reverse_entry", reversal);
    let closing = [
        "4000:dr:1500",
        "7100:cr:723.13",
        "6100:cr:5000",
        "6500:cr:193.54",
        "6600:cr:200",
        "3000:dr:4616.67",
    ];
    desk.post_closing("2027-03-31", &closing);
}

/// spec/domain.md §4.4, worked example B: a loss, a disposal on account, a loan made, a reversal and a close in the range.
#[test]
fn example_b() {
    let mut desk = desk("2027-03-31");
    fiscal_2026(&mut desk);
    first_quarter_2027(&mut desk);
    let answer = desk.ok(
        "books.cash_flow",
        json!({"start": "2027-01-01", "end": "2027-03-31"}),
    );
    let want = json!({
        "net_income": "-4616.67", "operating": "-1500.00", "investing": "-2000.00", "financing": "-1000.00",
        "net_change": "-4500.00", "beginning_cash": "41150.00", "ending_cash": "36650.00",
    });
    assert_eq!(pick(&answer, &TOTALS), want);
    assert_eq!(
        lines(&answer, "adjustments"),
        [
            "1590 | Depreciation | 193.54",
            "- | Loss (gain) on disposal | 723.13",
            "1200 | Accounts Receivable | 3500.00",
            "1400 | Prepaid Expenses | 200.00",
            "2300 | Deferred Revenue | -1500.00",
        ]
    );
    assert_eq!(
        lines(&answer, "investing_lines"),
        ["1700 | Loans Receivable, paid out | -2000.00"]
    );
    assert_eq!(
        lines(&answer, "financing_lines"),
        ["2600 | Due to Owners, repaid | -1000.00"]
    );
    let notes = answer["notes"].as_array().map(Vec::len);
    assert_eq!(notes, Some(1), "{}", answer["notes"]);
    let note = answer["notes"][0].as_str().unwrap_or_default();
    assert!(note.contains("sold on account (1200)"), "{note}");
}

/// Balances brought in are no flow: their cash stands at the beginning, on whatever day of the range; what reverses them is
/// no flow either.
#[test]
fn opening_balances() {
    let mut desk = desk("2026-12-31");
    let draft = json!({
        "date": "2026-01-01", "description": "Brought in", "opening": true,
        "lines": [
            {"account": "1000", "side": "debit", "amount": "5000.00"},
            {"account": "1510", "side": "debit", "amount": "2000.00"},
            {"account": "3999", "side": "credit", "amount": "7000.00"},
        ],
    });
    let id = desk.ok("books.draft_entry", draft)["entry_id"].clone();
    desk.ok(
        "books.post_entry",
        json!({"entry_id": id, "confirmed": true}),
    );
    desk.post("2026-01-01", &["6800:dr:10", "1000:cr:10"]);
    let totals = |desk: &mut Desk| {
        let answer = desk.ok(
            "books.cash_flow",
            json!({"start": "2026-01-01", "end": "2026-01-31"}),
        );
        pick(
            &answer,
            &[
                "net_change",
                "beginning_cash",
                "ending_cash",
                "investing",
                "financing",
            ],
        )
    };
    let want = json!({
        "net_change": "-10.00", "beginning_cash": "5000.00", "ending_cash": "4990.00", "investing": "0.00",
        "financing": "0.00",
    });
    assert_eq!(totals(&mut desk), want);
    let reversal =
        json!({"entry_id": id, "date": "2026-01-01", "description": "Wrong", "confirmed": true});
    desk.ok("books.reverse_entry", reversal);
    let want = json!({
        "net_change": "-10.00", "beginning_cash": "0.00", "ending_cash": "-10.00", "investing": "0.00",
        "financing": "0.00",
    });
    assert_eq!(totals(&mut desk), want);
}

/// Opening balances later than the first activity are refused, as a draft and as a posting, with both days.
#[test]
fn openings_come_first() {
    let mut desk = desk("2026-12-31");
    let draft = |date: &str| {
        json!({"date": date, "description": "Brought in", "opening": true, "lines": [
            {"account": "1000", "side": "debit", "amount": "5.00"},
            {"account": "3999", "side": "credit", "amount": "5.00"},
        ]})
    };
    let early = desk.ok("books.draft_entry", draft("2026-03-02"))["entry_id"].clone();
    let first = desk.post("2026-03-01", &["6800:dr:10", "1000:cr:10"]);
    let want = json!({
        "code": "opening_after_activity", "date": "2026-03-02", "first_activity": "2026-03-01", "entry_id": first,
    });
    let keys = ["code", "date", "first_activity", "entry_id"];
    let (_, refusal) = desk.no("books.draft_entry", draft("2026-03-02"));
    assert_eq!(pick(&refusal, &keys), want);
    let (_, refusal) = desk.no(
        "books.post_entry",
        json!({"entry_id": early, "confirmed": true}),
    );
    assert_eq!(pick(&refusal, &keys), want);
    desk.ok("books.draft_entry", draft("2026-03-01"));
}

/// Without a cash account there is nothing to reconcile to. An account of a type that its role does not take, one that groups
/// others, one in two roles and a code of the settings that is not in the chart are refused, by name. A call's own accounts stand
/// before those of the settings.
#[test]
fn roles() {
    let mut bare = Desk::new("USD", "", "2026-12-31");
    bare.accounts(&[
        "1000 asset -",
        "10 asset -",
        "1010 asset 10",
        "2000 liability -",
        "4000 revenue -",
    ]);
    bare.post("2026-01-02", &["1000:dr:10", "4000:cr:10"]);
    let (_, refusal) = bare.no("books.cash_flow", json!({}));
    assert_eq!(refusal["code"], "cash_accounts_missing");
    let unsuited = [
        (json!({"cash_accounts": ["2000"]}), "2000", "cash_accounts"),
        (json!({"cash_accounts": ["10"]}), "10", "cash_accounts"),
        (
            json!({"cash_accounts": ["1000"], "financing_accounts": ["4000"]}),
            "4000",
            "financing_accounts",
        ),
        (
            json!({"cash_accounts": ["1000"], "investing_accounts": ["4000"]}),
            "4000",
            "investing_accounts",
        ),
    ];
    for (args, account, role) in unsuited {
        let (_, refusal) = bare.no("books.cash_flow", args);
        assert_eq!(
            pick(&refusal, &["code", "account", "role"]),
            json!({"code": "cash_flow_role_unsuited", "account": account, "role": role})
        );
    }
    let both = json!({"cash_accounts": ["1000"], "investing_accounts": ["1000"]});
    let (_, refusal) = bare.no("books.cash_flow", both);
    assert_eq!(
        pick(&refusal, &["code", "account", "roles"]),
        json!({"code": "account_in_two_roles", "account": "1000", "roles": ["cash_accounts", "investing_accounts"]})
    );
    let answer = bare.ok("books.cash_flow", json!({"cash_accounts": ["1000"]}));
    assert_eq!(answer["ending_cash"], "10.00");
    let settings = "[books]\ncash_accounts = [\"1000\", \"1O10\"]\n";
    let mut wrong = Desk::new("USD", settings, "2026-12-31");
    wrong.accounts(&["1000 asset -", "1500 asset -"]);
    let note = "The settings name account \"1O10\" in cash_accounts, which is not in the chart.";
    assert_eq!(
        wrong.ok("books.cash_flow", json!({}))["notes"],
        json!([note])
    );
}

/// An account that fills the role of fixed assets is property itself where nothing stands under it; without one, the statement
/// says so. Income brought in with opening balances is no net income of the days, and a note gives it.
#[test]
fn notes() {
    let mut desk = Desk::new("USD", "[books]\ncash_accounts = [\"1000\"]\n", "2026-12-31");
    desk.accounts(&[
        "1000 asset -",
        "1500 asset -",
        "3000 equity -",
        "4000 revenue -",
    ]);
    let draft = json!({"date": "2026-06-30", "description": "Brought in", "opening": true, "lines": [
        {"account": "1000", "side": "debit", "amount": "900.00"},
        {"account": "4000", "side": "credit", "amount": "900.00"},
    ]});
    let id = desk.ok("books.draft_entry", draft)["entry_id"].clone();
    desk.ok("books.post_entry", json!({"entry_id": id}));
    desk.post("2026-07-01", &["1500:dr:300", "1000:cr:300"]);
    let answer = desk.ok("books.cash_flow", json!({}));
    let want = json!({"net_income": "0.00", "investing": "-300.00", "beginning_cash": "900.00", "ending_cash": "600.00"});
    assert_eq!(
        pick(
            &answer,
            &["net_income", "investing", "beginning_cash", "ending_cash"]
        ),
        want
    );
    let notes = answer["notes"].as_array().expect("notes");
    assert!(
        notes[0]
            .as_str()
            .unwrap_or_default()
            .contains("leaves out 900.00"),
        "{notes:?}"
    );
    assert_eq!(notes.len(), 1);
    desk.ok(
        "books.add_account",
        json!({"code": "1700", "name": "Lot", "type": "asset"}),
    );
    desk.ok(
        "books.renumber_account",
        json!({"account": "1500", "code": "1501"}),
    );
    let answer = desk.ok("books.cash_flow", json!({"start": "2026-07-01"}));
    assert_eq!(answer["investing"], "-300.00");
}
