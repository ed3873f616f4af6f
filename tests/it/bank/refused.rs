//! What refuses a statement, a mark, a reconciliation and a voiding; and in which order, where several hold.

use super::*;

fn code(desk: &mut Desk, tool: &str, args: Value) -> String {
    desk.no(tool, args).1["code"]
        .as_str()
        .expect("a code")
        .to_owned()
}

/// A statement is refused for a file that there is not, that is withdrawn, or that records one already; for an account without
/// statements, a period that runs backwards and balances of more than cents. Independent reasons come together.
#[test]
fn statements() {
    let mut desk = desk();
    let id = filed(&mut desk, "a");
    assert_eq!(
        code(&mut desk, "books.record_statement", said(99, OCTOBER)),
        "unknown_attachment"
    );
    let mut other = OCTOBER;
    other[0] = "9999";
    assert_eq!(
        code(&mut desk, "books.record_statement", said(id, other)),
        "unknown_account"
    );
    let all = ["4000", "2026-10-31", "2026-10-01", "0.001", "0.001"];
    let (_, no) = desk.no("books.record_statement", said(id, all));
    let codes = |no: &Value| {
        let also = no["also"].as_array().into_iter().flatten();
        let codes = std::iter::once(no).chain(also);
        codes
            .map(|no| no["code"].as_str().expect("a code").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        codes(&no),
        [
            "not_reconcilable",
            "statement_period",
            "bad_amount",
            "bad_amount"
        ]
    );
    desk.ok("books.record_statement", said(id, OCTOBER));
    assert_eq!(
        code(&mut desk, "books.record_statement", said(id, OCTOBER)),
        "statement_recorded"
    );
    let gone = filed(&mut desk, "b");
    desk.ok(
        "books.withdraw_attachment",
        json!({"attachment_id": gone, "reason": "x"}),
    );
    assert_eq!(
        code(&mut desk, "books.record_statement", said(gone, OCTOBER)),
        "attachment_withdrawn"
    );
}

/// Only posted lines of accounts with statements are marked; to mark what is marked changes nothing.
#[test]
fn marks() {
    let mut desk = desk();
    let entry = desk.post("2026-10-05", &["1000:dr:10", "4000:cr:10"]);
    let args = |entry: i64, line: i64| json!({"entry_id": entry, "line_index": line});
    let draft = desk.ok(
        "books.draft_entry",
        json!({"date": "2026-10-05", "description": "Draft"}),
    );
    let draft = draft["entry_id"].as_i64().expect("an id");
    for (entry, line, want) in [
        (99, 0, "unknown_entry"),
        (draft, 0, "entry_not_posted"),
        (entry, 2, "unknown_line"),
        (entry, -1, "unknown_line"),
        (entry, 1, "not_reconcilable"),
    ] {
        assert_eq!(
            code(&mut desk, "books.mark_cleared", args(entry, line)),
            want
        );
    }
    let first = desk.ok("books.mark_cleared", args(entry, 0));
    let again = desk.ok("books.mark_cleared", args(entry, 0));
    assert_eq!(first["seq"], again["seq"]);
    let mut off = args(entry, 0);
    off["cleared"] = false.into();
    let taken = desk.ok("books.mark_cleared", off.clone());
    assert_eq!(taken["cleared"], json!(false));
    assert_eq!(desk.ok("books.mark_cleared", off)["seq"], taken["seq"]);
    desk.ok("books.verify", json!({}));
}

/// What is asked of a reconciliation before anything of its account is looked at, in order: a file, a statement recorded for it,
/// arguments that agree with it; without one, all three of account, day and balance, and an account with statements.
#[test]
fn asked_first() {
    let mut desk = desk();
    let id = filed(&mut desk, "a");
    let asked = |desk: &mut Desk, args: Value| {
        let no = desk.raw("books.reconcile", args).expect_err("a refusal");
        no.to_value()["code"].as_str().expect("a code").to_owned()
    };
    assert_eq!(
        asked(&mut desk, json!({"statement_attachment": 99})),
        "unknown_attachment"
    );
    assert_eq!(
        asked(&mut desk, json!({"statement_attachment": id})),
        "statement_not_recorded"
    );
    desk.ok("books.record_statement", said(id, OCTOBER));
    for (key, value) in [
        ("account", "2050"),
        ("statement_date", "2026-10-30"),
        ("statement_balance", "1000.01"),
    ] {
        let mut args = json!({"statement_attachment": id});
        args[key] = value.into();
        assert_eq!(asked(&mut desk, args), "statement_differs", "{key}");
    }
    let agreeing = json!({"statement_attachment": id, "account": "1000", "statement_date": "2026-10-31", "statement_balance": "1000"});
    desk.raw("books.reconcile", agreeing).expect("a preview");
    assert_eq!(asked(&mut desk, json!({})), "invalid_arguments");
    assert_eq!(
        asked(
            &mut desk,
            json!({"account": "1000", "statement_date": "2026-10-31"})
        ),
        "invalid_arguments"
    );
    let other =
        json!({"account": "4000", "statement_date": "2026-10-31", "statement_balance": "0"});
    assert_eq!(asked(&mut desk, other), "not_reconcilable");
    let alone =
        json!({"account": "1000", "statement_date": "2026-10-31", "statement_balance": "0"});
    let shown = desk
        .raw("books.reconcile", alone.clone())
        .expect("a preview");
    assert_eq!(figures(&shown).1, ["statement_missing"]);
    assert_eq!(
        code(&mut desk, "books.reconcile", alone),
        "statement_missing"
    );
}

/// spec/domain.md §12: a confirmation names every reason at once, in one order, and records nothing; the preview lists the same.
#[test]
fn all_at_once() {
    let mut desk = desk();
    october(&mut desk);
    let statement = recorded(
        &mut desk,
        ["1000", "2026-11-01", "2026-11-30", "5.00", "990.00"],
    );
    let want = ["reconcile_difference", "statement_opening"];
    assert_eq!(figures(&preview(&mut desk, statement)).1, want);
    let (_, no) = desk.no(
        "books.reconcile",
        json!({"statement_attachment": statement}),
    );
    let also = no["also"].as_array().expect("more reasons");
    let codes: Vec<_> = std::iter::once(&no)
        .chain(also)
        .map(|no| no["code"].clone())
        .collect();
    assert_eq!(codes, want);
    let used = desk.ok("books.statements", json!({}))["statements"][0]["attachment_id"].as_i64();
    let shown = preview(&mut desk, used.expect("an id"));
    assert_eq!(figures(&shown).1, ["already_reconciled", "statement_used"]);
}

/// spec/domain.md §12: lines in a live reconciliation are locked; the newest live one is voided first, with a reason, once; its
/// lines stay cleared and are unlocked, and the account is reconciled through that day again.
#[test]
fn locked_and_voided() {
    let mut desk = desk();
    october(&mut desk);
    let [income, fee, _] = november(&mut desk);
    mark(&mut desk, (income, 0), true);
    mark(&mut desk, (fee, 1), true);
    let statement = recorded(&mut desk, NOVEMBER);
    confirm(&mut desk, statement);
    let unmark =
        |entry: i64, line: i64| json!({"entry_id": entry, "line_index": line, "cleared": false});
    for (entry, line, held) in [(1, 0, 1), (income, 0, 2), (fee, 1, 2)] {
        let (_, no) = desk.no("books.mark_cleared", unmark(entry, line));
        assert_eq!(
            (&no["code"], &no["reconciliation_id"]),
            (&json!("line_locked"), &json!(held))
        );
    }
    let void = |id: i64, reason: &str| json!({"reconciliation_id": id, "reason": reason});
    let tool = "books.void_reconciliation";
    assert_eq!(
        code(&mut desk, tool, void(9, "x")),
        "unknown_reconciliation"
    );
    assert_eq!(code(&mut desk, tool, void(2, " ")), "bad_text");
    assert_eq!(
        code(&mut desk, tool, void(1, "x")),
        "reconciliation_not_last"
    );
    desk.ok(tool, void(2, "The fee is of December"));
    assert_eq!(code(&mut desk, tool, void(2, "x")), "reconciliation_voided");
    mark(&mut desk, (fee, 1), false);
    assert_eq!(
        code(&mut desk, "books.mark_cleared", unmark(1, 0)),
        "line_locked"
    );
    assert_eq!(
        figures(&preview(&mut desk, statement)).1,
        ["reconcile_difference"]
    );
    mark(&mut desk, (fee, 1), true);
    assert_eq!(confirm(&mut desk, statement), 3);
    assert_eq!(
        code(&mut desk, "books.mark_cleared", unmark(fee, 1)),
        "line_locked"
    );
    desk.ok(tool, void(3, "x"));
    desk.ok(tool, void(1, "x"));
    mark(&mut desk, (1, 0), false);
    desk.ok("books.verify", json!({}));
}

/// A line that was posted late, with a day before the last reconciliation, is new in the next one, and was not locked by that one.
#[test]
fn late_lines() {
    let mut desk = desk();
    october(&mut desk);
    let late = desk.post("2026-10-20", &["1000:dr:5", "4000:cr:5"]);
    mark(&mut desk, (late, 0), true);
    mark(&mut desk, (late, 0), false);
    mark(&mut desk, (late, 0), true);
    let statement = recorded(
        &mut desk,
        ["1000", "2026-11-01", "2026-11-30", "1000.00", "1005.00"],
    );
    let shown = preview(&mut desk, statement);
    assert_eq!(
        (figures(&shown).1, lines(&shown, "cleared_lines")),
        (vec![], vec![format!("{late}:0")])
    );
    assert_eq!(confirm(&mut desk, statement), 2);
    let unmark = json!({"entry_id": late, "line_index": 0, "cleared": false});
    assert_eq!(
        desk.no("books.mark_cleared", unmark).1["reconciliation_id"],
        json!(2)
    );
}

/// spec/domain.md §12: days between two statements are warned of, in preview and answer, and refuse nothing.
#[test]
fn gap() {
    let mut desk = desk();
    october(&mut desk);
    let statement = recorded(
        &mut desk,
        ["1000", "2026-11-05", "2026-11-30", "1000.00", "1000.00"],
    );
    let shown = preview(&mut desk, statement);
    let warning = shown["warnings"][0].as_str().expect("a warning");
    assert!(
        warning.starts_with("the statement begins on 2026-11-05"),
        "{warning}"
    );
    let done = desk.ok(
        "books.reconcile",
        json!({"statement_attachment": statement}),
    );
    assert_eq!(done["warnings"], shown["warnings"]);
}

/// A preview that somebody's mark overtook is stale.
#[test]
fn stale() {
    let mut desk = desk();
    let [income, fee, _] = november(&mut desk);
    mark(&mut desk, (income, 0), true);
    let statement = recorded(
        &mut desk,
        ["1000", "2026-11-01", "2026-11-30", "0.00", "900.00"],
    );
    let shown = preview(&mut desk, statement);
    mark(&mut desk, (fee, 1), true);
    mark(&mut desk, (fee, 1), false);
    let agreed = json!({"statement_attachment": statement, "if_preview": shown["preview"]});
    let other = desk.post("2026-11-15", &["1000:dr:1", "4000:cr:1"]);
    mark(&mut desk, (other, 0), true);
    let back = desk.ok(
        "books.reverse_entry",
        json!({"entry_id": other, "date": "2026-11-15"}),
    );
    mark(
        &mut desk,
        (back["entry_id"].as_i64().expect("an id"), 0),
        true,
    );
    assert_eq!(code(&mut desk, "books.reconcile", agreed), "preview_stale");
}

/// What a reconciliation makes final stands on the journal: a statement or a mark that someone changed in the tables refuses it.
#[test]
fn changed_tables() {
    for change in [
        "UPDATE statement SET closing=150000",
        "UPDATE cleared SET amount=amount+1",
        "UPDATE line SET amount=amount-1 WHERE idx=0",
    ] {
        let mut desk = desk();
        let sale = desk.post("2026-10-05", &["1000:dr:1000", "4000:cr:1000"]);
        mark(&mut desk, (sale, 0), true);
        let statement = recorded(
            &mut desk,
            ["1000", "2026-10-01", "2026-10-31", "0.00", "1000.00"],
        );
        desk.tamper(change);
        let args = json!({"statement_attachment": statement});
        let (_, refusal) = desk.no("books.reconcile", args);
        assert_eq!(refusal["code"], "tables_differ", "{change}");
        desk.ok("books.verify", json!({}));
        confirm(&mut desk, statement);
    }
}
