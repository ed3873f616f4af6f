//! What reviews of entries found: chains of reversals, large balances, keys of calls that change nothing, accounts in use.

use serde_json::{Map, Value, json};
use wanderbooks::{
    domains::entry::EntryLine,
    engine::{Domain, Facts, Hooks, No, Posting, Verdict, Writer},
    model::Refusal,
    registry::DOMAINS,
};

use crate::books::{Desk, pick};

fn desk() -> Desk {
    let mut desk = Desk::new("USD", "", "2026-11-30");
    desk.accounts(&["1000 asset -", "4000 revenue -"]);
    desk
}

/// Reverses an entry on a day after all others; the new entry's id, or the refusal's code.
fn reverse(desk: &mut Desk, id: i64) -> Result<i64, Value> {
    let args = json!({"entry_id": id, "date": "2026-11-01", "confirmed": true});
    match desk.call("books.reverse_entry", args) {
        Ok(answer) => Ok(answer["entry_id"].as_i64().expect("an id")),
        Err(no) => Err(no.to_value()["code"].clone()),
    }
}

fn revenue(desk: &mut Desk) -> Value {
    let report = desk.ok(
        "books.profit_and_loss",
        json!({"start": "2026-01-01", "end": "2026-12-31"}),
    );
    report["revenue"].clone()
}

/// spec/domain.md §1.6: an entry has one live reversal. Live alternates up a chain: 89.00 reversed, reinstated and reversed
/// again is 0.00, and the first entry cannot be reversed once more.
#[test]
fn a_chain_of_reversals() {
    let mut desk = desk();
    let first = desk.post("2026-10-10", &["1000:dr:89.00", "4000:cr:89.00"]);
    let second = reverse(&mut desk, first).expect("a reversal");
    let third = reverse(&mut desk, second).expect("a reversal of it");
    assert_eq!(revenue(&mut desk), "89.00");
    let fourth = reverse(&mut desk, third).expect("a reversal of that");
    assert_eq!(revenue(&mut desk), "0.00");
    let shown = desk.ok("books.get_entry", json!({"entry_id": first}));
    assert_eq!(shown["reversed_by"], json!(second));
    assert_eq!(reverse(&mut desk, first), Err(json!("already_reversed")));
    let fifth = reverse(&mut desk, fourth).expect("the chain may go on");
    assert_eq!((revenue(&mut desk), fifth), (json!("89.00"), fourth + 1));
    let verified = desk.ok("books.verify", json!({}));
    assert_eq!(verified["status"], "ok");
}

/// The same by another way: when an entry was reversed anew, its older reversal cannot come back into force beside it.
#[test]
fn two_live_reversals_are_refused() {
    let mut desk = desk();
    let first = desk.post("2026-10-10", &["1000:dr:89.00", "4000:cr:89.00"]);
    let second = reverse(&mut desk, first).expect("a reversal");
    let third = reverse(&mut desk, second).expect("it stands again");
    let fourth = reverse(&mut desk, first).expect("reversed anew");
    assert_eq!(reverse(&mut desk, third), Err(json!("already_reversed")));
    assert_eq!(revenue(&mut desk), "0.00");
    reverse(&mut desk, fourth).expect("the newer one goes");
    assert_eq!(revenue(&mut desk), "89.00");
    reverse(&mut desk, third).expect("now the older one may come back");
    assert_eq!(revenue(&mut desk), "0.00");
}

/// A balance may have more digits than one amount: 999,999,999,999.99 twice is 1,999,999,999,999.98 on the page too.
#[test]
fn large_balances_are_shown() {
    let mut desk = desk();
    desk.exempt("1000");
    let lines = ["1000:dr:999999999999.99", "4000:cr:999999999999.99"];
    desk.post("2026-10-10", &lines);
    desk.post("2026-10-10", &lines);
    let draft = desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-11", "description": "One more", "lines": [
            {"account": "1000", "side": "debit", "amount": "0.01"}, {"account": "4000", "side": "credit", "amount": "0.01"}]}),
    );
    let rows = desk.rows("books.post_entry", json!({"entry_id": draft["entry_id"]}));
    let balances: Vec<&str> = rows.iter().filter_map(|r| r.rsplit(',').next()).collect();
    assert!(balances.contains(&"1999999999999.99"), "{rows:?}");
}

/// An argument that cannot be read is named by its place in the list, with the line and the member.
#[test]
fn unreadable_lines_are_named() {
    let mut desk = desk();
    let good = json!({"account": "1000", "side": "debit", "amount": "5.00"});
    let mut said = |line: Value| {
        let args = json!({"date": "2026-10-10", "description": "Paper", "lines": [good, line]});
        let refused = desk.raw("books.draft_entry", args).expect_err("a refusal");
        assert_eq!(refused.code(), Some("invalid_arguments"));
        refused.to_value()["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let with = |member: &str, value: Value| {
        let mut line = json!({"account": "1000", "side": "debit", "amount": "5.00"});
        line[member] = value;
        line
    };
    assert_eq!(
        said(with("amount", json!(5.0))),
        "lines[1].amount: it takes text, not 5.0"
    );
    let side = said(with("side", json!("left")));
    assert!(side.starts_with("lines[1].side: "), "{side}");
    let memo = said(with("memo", json!("x")));
    assert!(memo.starts_with("lines[1]: it takes no memo"), "{memo}");
    let short = json!({"account": "1000", "side": "debit"});
    let args = json!({"date": "2026-10-10", "description": "Paper", "lines": [good, short]});
    let (_, refusal) = desk.no("books.draft_entry", args);
    let found = pick(&refusal, &["code", "line_index"]);
    assert_eq!(found, json!({"code": "bad_amount", "line_index": 1}));
}

/// A request key stands for its call even when the call changed nothing.
#[test]
fn a_key_of_a_call_that_changes_nothing() {
    let mut desk = desk();
    let draft = desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-10", "description": "Paper"}),
    );
    let id = draft["entry_id"].clone();
    let same = json!({"entry_id": id, "description": "Paper", "request_key": "q"});
    desk.ok("books.update_draft", same.clone());
    let again = desk.ok("books.update_draft", same);
    assert_eq!(again["replayed"], true);
    let (_, refused) = desk.no(
        "books.update_draft",
        json!({"entry_id": id, "description": "Pens", "request_key": "q"}),
    );
    assert_eq!(refused["code"], "request_key_reused");
}

/// An account in use does not stand under an archived one.
#[test]
fn an_archived_parent_comes_back_first() {
    let mut desk = Desk::new("USD", "", "2026-11-30");
    desk.accounts(&["6800 expense -", "6810 expense 6800"]);
    for code in ["6810", "6800"] {
        desk.ok(
            "books.update_account",
            json!({"account": code, "archived": true}),
        );
    }
    let (_, refused) = desk.no(
        "books.update_account",
        json!({"account": "6810", "archived": false}),
    );
    assert_eq!(
        pick(&refused, &["code"]),
        json!({"code": "account_archived"})
    );
    desk.ok(
        "books.update_account",
        json!({"account": "6800", "archived": false}),
    );
    desk.ok(
        "books.update_account",
        json!({"account": "6810", "archived": false}),
    );
}

/// What a discarded draft would have been stays to be read; it uses no account, stands in no balance and in no search but
/// that for discarded ones.
#[test]
fn a_discarded_draft_keeps_its_lines() {
    let mut desk = desk();
    let draft = desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-10", "description": "Twice", "lines": [
            {"account": "1000", "side": "debit", "amount": "89.00"}, {"account": "4000", "side": "credit", "amount": "89.00"}]}),
    );
    let id = json!({"entry_id": draft["entry_id"]});
    desk.ok("books.discard_draft", id.clone());
    let shown = desk.ok("books.get_entry", id);
    assert_eq!(shown["status"], "discarded");
    assert_eq!(shown["lines"], draft["lines"]);
    assert_eq!(shown["total_debit"], "89.00");
    let on = |status| json!({"account": "1000", "status": status});
    let mut found = |args| desk.ok("books.search_entries", args)["total"].clone();
    assert_eq!(found(json!({"account": "1000"})), 0);
    assert_eq!(found(on("draft")), 0);
    assert_eq!(found(on("discarded")), 1);
    let trial = desk.ok("books.trial_balance", json!({}));
    assert_eq!(trial["lines"], json!([]));
    // A draft on it would refuse this.
    desk.ok(
        "books.update_account",
        json!({"account": "4000", "archived": true}),
    );
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}

/// A posting with which the books could no longer be summed is refused with the figures; what was posted still adds up to
/// the last cent. Twenty times 500 lines of 999,999,999,999.99 leave room for 99.99 under eighteen digits.
#[test]
fn what_no_report_could_sum() {
    let mut desk = desk();
    desk.exempt("1000");
    let lines = ["1000:dr:999999999999.99", "4000:cr:999999999999.99"].repeat(500);
    for _ in 0..20 {
        desk.post("2026-10-10", &lines);
    }
    let mut draft = |amount: &str| {
        let line = |account, side| json!({"account": account, "side": side, "amount": amount});
        let args = json!({"date": "2026-10-11", "description": "One more",
            "lines": [line("1000", "debit"), line("4000", "credit")]});
        desk.ok("books.draft_entry", args)["entry_id"].clone()
    };
    let (over, fits) = (draft("100.00"), draft("99.99"));
    let (kind, refused) = desk.no(
        "books.post_entry",
        json!({"entry_id": over, "confirmed": true}),
    );
    assert_eq!(kind, "refused");
    let keys = ["code", "account", "posted", "total", "posted_max"];
    let want = json!({
        "code": "amount_too_large", "account": "1000", "posted": "9999999999999900.00", "total": "100.00",
        "posted_max": "9999999999999999.99",
    });
    assert_eq!(pick(&refused, &keys), want);
    desk.ok(
        "books.post_entry",
        json!({"entry_id": fits, "confirmed": true}),
    );
    let trial = desk.ok("books.trial_balance", json!({}));
    assert_eq!(trial["total_debit"], "9999999999999999.99");
    for tool in [
        "books.balance_sheet",
        "books.profit_and_loss",
        "books.chart",
    ] {
        desk.ok(tool, json!({}));
        desk.sheet(tool, json!({}));
    }
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}

/// In words a bare number is a code and `id:10` an id; in JSON text is a code and a whole number an id. What names nothing
/// so, and would the other way, is told how to write it.
#[test]
fn ids_are_written_as_ids() {
    let mut desk = desk();
    let register = |account: Value| json!({"account": account});
    let code = |answer: &Value| answer["account_code"].clone();
    for good in [json!("1000"), json!(1), json!("id:1")] {
        let answer = desk.ok("books.account_register", register(good));
        assert_eq!(code(&answer), "1000");
    }
    let cases = [
        (
            json!("1"),
            "the account with this id is written id:1 in words and 1 in JSON",
        ),
        (
            json!(1000),
            "account 1000 by its code is written 1000 in words and \"1000\" in JSON",
        ),
        (json!("7"), "look the account up with `wb chart list`"),
    ];
    for (account, hint) in cases {
        let (_, refused) = desk.no("books.account_register", register(account));
        let want = json!({"code": "unknown_account", "remedy_hint": hint});
        assert_eq!(pick(&refused, &["code", "remedy_hint"]), want);
    }
}

/// An entry more than a year ahead is drafted and posted, with a warning that names the date.
#[test]
fn a_day_far_ahead() {
    let mut desk = desk();
    let warning =
        json!(["the entry is dated 2062-10-10, more than a year after today, 2026-11-30"]);
    let line = |account, side| json!({"account": account, "side": side, "amount": "5.00"});
    let args = json!({"date": "2062-10-10", "description": "Tea",
        "lines": [line("1000", "debit"), line("4000", "credit")]});
    let draft = desk.ok("books.draft_entry", args);
    assert_eq!(draft["warnings"], warning);
    let post = json!({"entry_id": draft["entry_id"], "confirmed": true});
    assert_eq!(desk.ok("books.post_entry", post)["warnings"], warning);
    let near = desk.ok(
        "books.draft_entry",
        json!({"date": "2027-11-30", "description": "Tea"}),
    );
    assert_eq!(near["warnings"], Value::Null);
}

/// What the tests' domain asks of every posting: a receipt, and no day before 2026.
fn asking(_: &Writer<'_>, posting: &Posting<'_>) -> Result<Verdict, No> {
    let mut verdict = Verdict::default();
    let checklist = &mut verdict.checklist;
    checklist.insert("receipt_missing".to_owned(), true.into());
    let missing = Refusal::new("receipt_missing", "the entry needs a receipt");
    verdict.missing.push(missing);
    if posting.date.year() < 2026 {
        let closed = Refusal::new("period_closed", "2025 is closed");
        verdict.refusals.push(closed);
    }
    Ok(verdict)
}

static ASKING: Domain = Domain {
    name: "asking",
    about: "",
    groups: &[],
    operations: &[],
    events: &[],
    tables: &[],
    fold_version: 0,
    hooks: Hooks {
        posting: Some(asking),
        facts: &[Facts {
            of: "posting",
            keys: || Map::from_iter([("receipt_missing".to_owned(), json!({"type": "boolean"}))]),
        }],
        ..Hooks::NONE
    },
};

/// The books' own domains, and one that asks for more.
fn with_asking() -> &'static [&'static Domain] {
    let all = DOMAINS.iter().copied().chain([&ASKING]);
    Box::leak(all.collect())
}

/// What is missing warns in the preview of a posting and refuses the posting; what is forbidden refuses both. The preview of
/// an operation that would post at once refuses what it would.
#[test]
fn what_other_domains_ask() {
    let mut desk = desk();
    let mut draft = |date: &str| {
        let line = |account, side| json!({"account": account, "side": side, "amount": "5.00"});
        let args = json!({"date": date, "description": "Tea",
            "lines": [line("1000", "debit"), line("4000", "credit")]});
        desk.ok("books.draft_entry", args)["entry_id"].clone()
    };
    let (open, closed) = (draft("2026-10-10"), draft("2025-10-10"));
    let mut asked = desk.reopened_with(with_asking());
    let post = |id: &Value, confirmed| json!({"entry_id": id, "confirmed": confirmed});
    let shown = asked
        .raw("books.post_entry", post(&open, false))
        .expect("a preview");
    let want = json!({
        "status": "preview", "receipt_missing": true, "warnings": ["the entry needs a receipt"],
    });
    assert_eq!(
        pick(&shown, &["status", "receipt_missing", "warnings"]),
        want
    );
    let lines =
        json!(["1000:dr:5.00", "4000:cr:5.00"].map(|l| l.parse::<EntryLine>().expect("a line")));
    let at_once =
        json!({"date": "2026-10-10", "origin": "manual", "lines": lines, "preview": true});
    let cases = [
        (
            "books.post_entry",
            post(&open, true),
            json!(["receipt_missing"]),
        ),
        (
            "books.post_entry",
            post(&closed, false),
            json!(["period_closed", "receipt_missing"]),
        ),
        ("test.post", at_once, json!(["receipt_missing"])),
    ];
    for (tool, args, codes) in cases {
        let Err(No::Refused(reasons)) = asked.raw(tool, args) else {
            panic!("{tool} is refused");
        };
        let found: Vec<&str> = reasons.iter().map(|r| r.code).collect();
        assert_eq!(json!(found), codes, "{tool}");
    }
}

/// A debit and a credit of one amount on one account are taken, with a warning, at every step that shows the lines.
#[test]
fn lines_that_cancel() {
    let mut desk = Desk::new("USD", "", "2026-03-31");
    desk.accounts(&["1000 asset -", "4000 revenue -"]);
    let line = |side| json!({"account": "1000", "side": side, "amount": "5.00"});
    let warning =
        json!(["account \"1000\" is debited and credited with the same 5.00, which cancel"]);
    let args = json!({"date": "2026-03-01", "description": "Slip", "lines": [line("debit")]});
    let drafted = desk.ok("books.draft_entry", args);
    assert_eq!(drafted["warnings"], Value::Null);
    let id = drafted["entry_id"].clone();
    let args = json!({"entry_id": id, "account": "1000", "side": "credit", "amount": "5.00"});
    assert_eq!(desk.ok("books.add_line", args)["warnings"], warning);
    let posted = desk.ok("books.post_entry", json!({"entry_id": id}));
    assert_eq!(posted["warnings"], warning);
    let lines = [line("debit"), line("credit")];
    let args = json!({"date": "2026-03-01", "description": "Slip", "lines": lines});
    assert_eq!(desk.ok("books.draft_entry", args)["warnings"], warning);
}

/// A reversed entry is posted, in the answer and on the page, which names its reversal; `reversed` is no status to search by.
#[test]
fn reversed_entries_found() {
    let mut desk = Desk::new("USD", "", "2026-03-31");
    desk.accounts(&["1000 asset -", "4000 revenue -"]);
    let id = desk.post("2026-03-01", &["1000:dr:5.00", "4000:cr:5.00"]);
    let found = desk.rows("books.search_entries", json!({}));
    assert_eq!(
        found[0],
        "entry_id,date,status,description,account,name,debit,credit"
    );
    desk.ok(
        "books.reverse_entry",
        json!({"entry_id": id, "date": "2026-03-02"}),
    );
    let found = desk.rows("books.search_entries", json!({}));
    let want = [
        "entry_id,date,status,reversed_by,description,account,name,debit,credit",
        "2,2026-03-02,posted,,Reversal of entry 1,1000,A1000,,5.00",
        "2,2026-03-02,posted,,Reversal of entry 1,4000,A4000,5.00,",
        "1,2026-03-01,posted,2,Test entry,1000,A1000,5.00,",
        "1,2026-03-01,posted,2,Test entry,4000,A4000,,5.00",
    ];
    assert_eq!(found, want);
    let answer = desk.ok("books.search_entries", json!({"text": "test"}));
    let entry = &answer["entries"][0];
    assert_eq!(
        pick(entry, &["status", "reversed_by"]),
        json!({"status": "posted", "reversed_by": 2})
    );
    let refused = desk.call("books.search_entries", json!({"status": "reversed"}));
    let told = refused.expect_err("no status").to_value().to_string();
    for word in ["draft", "posted", "discarded"] {
        assert!(told.contains(word), "{told}");
    }
}

/// A tax category that the company's return does not have is taken with a warning; where the return is not known, without.
#[test]
fn categories_of_other_returns() {
    let chart = "code,name,type,parent_code,tax_category\n6120,Guaranteed,expense,,guaranteed_payments\n6310,Meals,expense,,meals\n";
    let warnings = |settings: &str| {
        let mut desk = Desk::new("USD", settings, "2026-03-31");
        desk.ok("books.import_chart_csv", json!({"csv_text": chart}))["warnings"].clone()
    };
    let want = "account 6120: tax category guaranteed_payments is not on the return 1120-S that the settings name";
    assert_eq!(warnings("company.tax_form = \"1120-S\"\n"), json!([want]));
    assert_eq!(warnings("company.tax_form = \"1065\"\n"), Value::Null);
    assert_eq!(warnings(""), Value::Null);
}
