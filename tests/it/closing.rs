//! Periods, their close, and the control roles, on real books against spec/domain.md §1.3 to §1.5.

mod random;
mod roles;

use serde_json::{Value, json};

use crate::books::{Desk, pick};

const CHART: &str = "code,name,type,parent_code,tax_category\n\
    1000,Checking,asset,,\n1200,Receivables,asset,,\n1500,Fixed Assets,asset,,\n1510,Equipment,asset,1500,\n2000,Payables,liability,,\n\
    3000,Owner's Capital,equity,,\n3010,Ada Capital,equity,,\n3015,Ada Distributions,equity,,\n3020,Grace Capital,equity,,\n\
    3025,Grace Distributions,equity,,\n3100,Owner's Draws,equity,,\n3999,Retained Earnings,equity,,\n4000,Revenue,revenue,,\n\
    6500,Depreciation,expense,,\n6600,Insurance,expense,,\n6700,Interest,expense,,\n6999,General,expense,,\n7100,Gain on disposal,revenue,,\n";

const SOLE: &str = "[books]\nclose_into = \"3000\"\nclose_sweep = [\"3100\"]\n";

fn members(ada: &str, grace: &str) -> String {
    format!(
        "[company]\ntax_form = \"1065\"\n\
         [[company.members]]\nname = \"Ada\"\nshare = \"{ada}\"\ncapital_account = \"3010\"\ndistribution_account = \"3015\"\n\
         [[company.members]]\nname = \"Grace\"\nshare = \"{grace}\"\ncapital_account = \"3020\"\ndistribution_account = \"3025\"\n"
    )
}

fn desk(settings: &str) -> Desk {
    let mut desk = Desk::new("USD", settings, "2027-02-01");
    desk.ok("books.import_chart_csv", json!({"csv_text": CHART}));
    desk
}

fn period(desk: &mut Desk, name: &str, start: &str, end: &str) -> i64 {
    let answer = desk.ok(
        "books.create_period",
        json!({"name": name, "start": start, "end": end}),
    );
    answer["period_id"].as_i64().expect("an id")
}

fn close(desk: &mut Desk, id: i64) -> Value {
    desk.ok("books.close_period", json!({"period_id": id}))
}

fn lines(answer: &Value) -> Vec<String> {
    let lines = answer["lines"].as_array().expect("lines");
    let text = |line: &Value, key: &str| line[key].as_str().expect("text").to_owned();
    lines
        .iter()
        .map(|line| {
            ["account_code", "side", "amount"]
                .map(|key| text(line, key))
                .join(" ")
        })
        .collect()
}

fn code(refusal: &Value) -> &str {
    refusal["code"].as_str().expect("a code")
}

/// The postings behind the worked entry of spec/domain.md §1.3.
fn section_1_3(desk: &mut Desk) {
    desk.post("2026-03-01", &["1000:dr:34500", "4000:cr:34500"]);
    desk.post("2026-04-01", &["1000:dr:293.88", "7100:cr:293.88"]);
    desk.post("2026-05-01", &["6500:dr:3377.21", "1000:cr:3377.21"]);
    desk.post("2026-06-01", &["6600:dr:1000", "1000:cr:1000"]);
    desk.post("2026-07-01", &["6700:dr:450", "1000:cr:450"]);
    desk.post("2026-08-01", &["6999:dr:14000", "1000:cr:14000"]);
    desk.post("2026-09-01", &["3100:dr:8000", "1000:cr:8000"]);
}

/// spec/domain.md §1.3, worked: every line of the closing entry of a single owner, its totals, and what stands after it; the
/// statement of the closed year still shows what it earned.
#[test]
fn section_1_3_worked() {
    let mut desk = desk(SOLE);
    section_1_3(&mut desk);
    let year = period(&mut desk, "2026", "2026-01-01", "2026-12-31");
    let answer = close(&mut desk, year);
    assert_eq!(
        lines(&answer),
        [
            "3000 credit 15966.67",
            "3000 debit 8000.00",
            "3100 credit 8000.00",
            "4000 debit 34500.00",
            "6500 credit 3377.21",
            "6600 credit 1000.00",
            "6700 credit 450.00",
            "6999 credit 14000.00",
            "7100 debit 293.88",
        ]
    );
    let want = json!({
        "status": "closed", "start": "2026-01-01", "end": "2026-12-31", "net_income": "15966.67", "total": "42793.88",
    });
    assert_eq!(
        pick(&answer, &["status", "start", "end", "net_income", "total"]),
        want
    );
    let entry = desk.ok("books.get_entry", json!({"entry_id": answer["entry_id"]}));
    assert_eq!(
        pick(&entry, &["status", "date", "origin", "description"]),
        json!({"status": "posted", "date": "2026-12-31", "origin": "closing", "description": "Closing of 2026"})
    );
    let sheet = desk.ok("books.balance_sheet", json!({"as_of": "2026-12-31"}));
    let equity = sheet["equity_accounts"].as_array().expect("accounts");
    let equity: Vec<String> = equity
        .iter()
        .map(|a| format!("{} {}", a["code"], a["amount"]))
        .collect();
    assert_eq!(equity, ["\"3000\" \"7966.67\""]);
    let earned = desk.ok(
        "books.profit_and_loss",
        json!({"start": "2026-01-01", "end": "2026-12-31"}),
    );
    assert_eq!(earned["net_income"], "15966.67");
    let list = desk.ok("books.list_periods", json!({}));
    let want = json!([{
        "id": year, "name": "2026", "start": "2026-01-01", "end": "2026-12-31", "status": "closed",
        "closing_entry": answer["entry_id"],
    }]);
    assert_eq!(list["periods"], want);
}

/// spec/domain.md §1.4: members take net income by share and keep their own distributions; a close before any income, and one
/// with nothing to close, are periods closed without an entry.
#[test]
fn section_1_4_members() {
    let mut desk = desk(&members("60%", "40%"));
    let empty = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    let answer = close(&mut desk, empty);
    assert_eq!(
        (&answer["entry_id"], lines(&answer).len()),
        (&Value::Null, 0)
    );
    desk.post("2026-02-01", &["6999:dr:100.01", "1000:cr:100.01"]);
    desk.post("2026-02-02", &["3015:dr:50", "1000:cr:50"]);
    let february = period(&mut desk, "February", "2026-02-01", "2026-02-28");
    let answer = close(&mut desk, february);
    assert_eq!(
        lines(&answer),
        [
            "3010 debit 60.01",
            "3010 debit 50.00",
            "3015 credit 50.00",
            "3020 debit 40.00",
            "6999 credit 100.01"
        ]
    );
    assert_eq!(answer["net_income"], "-100.01");
}

/// spec/domain.md §1.5, each case by real closes: the retained earnings and the net income line of the balance sheet.
#[test]
fn section_1_5_closes() {
    let start = |settings: &str| {
        let mut desk = desk(settings);
        desk.post("2025-12-31", &["1000:dr:5000", "3999:cr:5000"]);
        desk
    };
    let stand = |desk: &mut Desk, as_of: &str| {
        let sheet = desk.ok("books.balance_sheet", json!({"as_of": as_of}));
        ["current_earnings", "retained_earnings", "net_income"]
            .map(|key| sheet[key].as_str().expect("text").to_owned())
    };
    // January (600) closed, February (300) open.
    let mut desk = start("");
    desk.post("2026-01-15", &["1000:dr:600", "4000:cr:600"]);
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    close(&mut desk, january);
    desk.post("2026-02-15", &["1000:dr:300", "4000:cr:300"]);
    assert_eq!(
        stand(&mut desk, "2026-02-28"),
        ["300.00", "5000.00", "900.00"]
    );
    // The year closed, as of its end.
    let rest = period(&mut desk, "Rest", "2026-02-01", "2026-12-31");
    close(&mut desk, rest);
    assert_eq!(
        stand(&mut desk, "2026-12-31"),
        ["0.00", "5000.00", "900.00"]
    );
    // A loss year, closed: what was lost is no income of the next.
    desk.post("2027-01-05", &["6999:dr:250", "1000:cr:250"]);
    assert_eq!(
        stand(&mut desk, "2027-01-31"),
        ["-250.00", "5900.00", "-250.00"]
    );
}

/// All that is not closed yet goes into the first close, also from before the period's first day.
#[test]
fn earlier_history() {
    let mut desk = desk("");
    desk.post("2025-06-01", &["1000:dr:70", "4000:cr:70"]);
    desk.post("2026-01-15", &["1000:dr:30", "4000:cr:30"]);
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    let answer = close(&mut desk, january);
    assert_eq!(lines(&answer), ["3999 credit 100.00", "4000 debit 100.00"]);
}

/// Nothing reaches closed days on any road: a draft, a reversal, a history, nor the preview of one; the remedy says what to do.
/// Days after the period are free, and drafts may still be made.
#[test]
fn closed_days() {
    let mut desk = desk("");
    let sale = desk.post("2026-01-15", &["1000:dr:30", "4000:cr:30"]);
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    let closing = close(&mut desk, january)["entry_id"].clone();
    let draft = |desk: &mut Desk, date: &str| {
        let args = json!({"date": date, "description": "Late", "lines": [
            {"account": "1000", "side": "debit", "amount": "5.00"}, {"account": "4000", "side": "credit", "amount": "5.00"},
        ]});
        desk.ok("books.draft_entry", args)["entry_id"].clone()
    };
    let want = json!({"code": "period_closed", "date": "2026-01-31", "period_id": january, "closed_through": "2026-01-31"});
    let keys = ["code", "date", "period_id", "closed_through"];
    let late = draft(&mut desk, "2026-01-31");
    let (_, refusal) = desk.no("books.post_entry", json!({"entry_id": late}));
    assert_eq!(pick(&refusal, &keys), want);
    let (_, refusal) = desk.no(
        "books.post_entry",
        json!({"entry_id": late, "preview": true}),
    );
    assert_eq!(pick(&refusal, &keys), want);
    let reversal = json!({"entry_id": sale, "date": "2026-01-31", "description": "No"});
    let (_, refusal) = desk.no("books.reverse_entry", reversal);
    assert_eq!(pick(&refusal, &keys), want);
    assert_eq!(refusal["remedy_tool"], "books.reverse_entry");
    let gap = draft(&mut desk, "2025-11-11");
    let (_, refusal) = desk.no("books.post_entry", json!({"entry_id": gap}));
    assert_eq!(code(&refusal), "period_closed");
    let reversal = json!({"entry_id": closing, "date": "2026-02-01", "description": "No"});
    let (_, refusal) = desk.no("books.reverse_entry", reversal);
    assert_eq!(
        pick(&refusal, &["code", "entry_id"]),
        json!({"code": "closing_entry", "entry_id": closing})
    );
    let free = draft(&mut desk, "2026-02-01");
    desk.ok("books.post_entry", json!({"entry_id": free}));
    let reversal = json!({"entry_id": sale, "date": "2026-02-01", "description": "Returned"});
    desk.ok("books.reverse_entry", reversal);
}

/// What refuses a close, in the order of weight: no such period, one that is closed, an earlier one that is open, accounts that
/// take no close; the last are named together.
#[test]
fn close_refusals() {
    let settings = "[books]\nclose_into = \"1000\"\nclose_sweep = [\"3100\", \"88\"]\n";
    let mut desk = desk(settings);
    desk.post("2026-01-15", &["1000:dr:30", "4000:cr:30"]);
    let (_, refusal) = desk.no("books.close_period", json!({"period_id": 9}));
    assert_eq!(
        pick(&refusal, &["code", "period_id"]),
        json!({"code": "unknown_period", "period_id": 9})
    );
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    let march = period(&mut desk, "March", "2026-03-01", "2026-03-31");
    let (_, refusal) = desk.no("books.close_period", json!({"period_id": march}));
    let want = json!({
        "code": "earlier_period_open", "period_id": march, "open_period_id": january, "open_period_end": "2026-01-31",
    });
    let keys = ["code", "period_id", "open_period_id", "open_period_end"];
    assert_eq!(pick(&refusal, &keys), want);
    let (_, refusal) = desk.no("books.close_period", json!({"period_id": january}));
    assert_eq!(
        pick(&refusal, &["code", "account", "setting"]),
        json!({"code": "close_account_unsuited", "account": "1000", "setting": "close_into"})
    );
    let others = refusal["also"].as_array().map(Vec::len);
    assert_eq!(others, Some(1), "{refusal}");
    let mut good = self::desk("");
    let only = period(&mut good, "January", "2026-01-01", "2026-01-31");
    close(&mut good, only);
    let (_, refusal) = good.no("books.close_period", json!({"period_id": only}));
    assert_eq!(code(&refusal), "period_already_closed");
}

/// A period is refused for its days and its name, all reasons together, with the period that stands in the way.
#[test]
fn period_refusals() {
    let mut desk = desk("");
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    let no = |desk: &mut Desk, name: &str, start: &str, end: &str| {
        desk.no(
            "books.create_period",
            json!({"name": name, "start": start, "end": end}),
        )
        .1
    };
    let refusal = no(&mut desk, "Back", "2026-03-02", "2026-03-01");
    assert_eq!(
        pick(&refusal, &["code", "start", "end"]),
        json!({"code": "period_backwards", "start": "2026-03-02", "end": "2026-03-01"})
    );
    let refusal = no(&mut desk, "january", "2026-01-31", "2026-02-27");
    assert_eq!(
        pick(&refusal, &["code", "name", "period_id"]),
        json!({"code": "period_name_in_use", "name": "january", "period_id": january})
    );
    assert_eq!(refusal["also"][0]["code"], "period_overlaps");
    close(&mut desk, january);
    let refusal = no(&mut desk, "Before", "2025-01-01", "2025-12-31");
    assert_eq!(
        pick(&refusal, &["code", "closed_through"]),
        json!({"code": "period_closed", "closed_through": "2026-01-31"})
    );
}

/// An account that takes net income is not emptied into itself, whether the settings or a role lets it take it.
#[test]
fn nothing_into_itself() {
    let mut desk = desk("[books]\nclose_sweep = [\"3999\"]\n");
    desk.post("2026-01-10", &["1000:dr:30", "4000:cr:30"]);
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    let (_, refusal) = desk.no("books.close_period", json!({"period_id": january}));
    let want = json!({"code": "close_account_unsuited", "setting": "close_sweep"});
    assert_eq!(pick(&refusal, &["code", "setting"]), want);
}

/// A close warns of cash that is not reconciled through its last day.
#[test]
fn unreconciled_cash() {
    let mut desk = desk("[books]\ncash_accounts = [\"1000\"]\n");
    desk.post("2026-01-10", &["1000:dr:30", "4000:cr:30"]);
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    let answer = close(&mut desk, january);
    let warning = answer["warnings"][0].as_str().unwrap_or_default();
    assert!(
        warning.starts_with("account \"1000\" is not reconciled through 2026-01-31"),
        "{warning}"
    );
}

/// A close warns of drafts that it strands and of days that have not come; it empties accounts that are out of use by now.
#[test]
fn close_warnings() {
    let mut desk = Desk::new("USD", "", "2026-01-20");
    desk.ok("books.import_chart_csv", json!({"csv_text": CHART}));
    desk.post("2026-01-10", &["6600:dr:30", "1000:cr:30"]);
    let args = json!({"date": "2026-01-11", "description": "Waits"});
    desk.ok("books.draft_entry", args);
    let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
    let answer = close(&mut desk, january);
    let warnings = answer["warnings"].as_array().expect("warnings");
    let begins: Vec<&str> = warnings
        .iter()
        .map(|w| {
            w.as_str()
                .expect("text")
                .split(" 2026")
                .next()
                .unwrap_or_default()
        })
        .collect();
    assert_eq!(begins, ["1 draft is dated on or before", "the period ends"]);
}

/// Books in yen, with a fiscal year from July, close as any others.
#[test]
fn in_yen() {
    let mut desk = Desk::new(
        "JPY",
        "[company]\nfiscal_year_start = \"07-01\"\n",
        "2026-08-01",
    );
    desk.ok("books.import_chart_csv", json!({"csv_text": CHART}));
    desk.post("2026-06-30", &["1000:dr:1000", "4000:cr:1000"]);
    let year = period(&mut desk, "FY26", "2025-07-01", "2026-06-30");
    assert_eq!(
        lines(&close(&mut desk, year)),
        ["3999 credit 1000", "4000 debit 1000"]
    );
}

/// What a close makes final stands on the journal: tables that someone changed refuse it, whatever they would have closed, and once
/// they are mended it closes what was earned.
#[test]
fn changed_tables() {
    for change in [
        "UPDATE balance_month SET credits=credits+7700 WHERE account_id=(SELECT id FROM account WHERE code='4000')",
        "DELETE FROM balance_month WHERE account_id=(SELECT id FROM account WHERE code='6600')",
        "UPDATE account SET type='asset' WHERE code='6600'",
    ] {
        let mut desk = desk("");
        desk.post("2026-01-10", &["1000:dr:500", "4000:cr:500"]);
        desk.post("2026-01-11", &["6600:dr:100", "1000:cr:100"]);
        let january = period(&mut desk, "January", "2026-01-01", "2026-01-31");
        desk.tamper(change);
        let (_, refusal) = desk.no("books.close_period", json!({"period_id": january}));
        assert_eq!(code(&refusal), "tables_differ", "{change}");
        desk.ok("books.verify", json!({}));
        assert_eq!(
            close(&mut desk, january)["net_income"],
            "400.00",
            "{change}"
        );
    }
}
