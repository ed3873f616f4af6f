//! The table of spec/domain.md §12, step by step, and what stands around it: opening entries, lists, links, the digest.

use super::*;
use crate::books::pick;

/// spec/domain.md §12, Oct opening, Nov, Dec: the check is carried from one statement to the next, and each is zero.
#[test]
fn months() {
    let mut desk = desk();
    assert_eq!(october(&mut desk), 1);
    let [income, fee, check] = november(&mut desk);
    mark(&mut desk, (income, 0), true);
    mark(&mut desk, (fee, 1), true);
    let statement = recorded(&mut desk, NOVEMBER);
    let shown = preview(&mut desk, statement);
    let want = ["1650.00", "1850.00", "1850.00", "0.00"];
    assert_eq!(figures(&shown), (want.to_vec(), vec![]));
    assert_eq!(lines(&shown, "uncleared_lines"), [format!("{check}:1")]);
    let fresh = [format!("{income}:0"), format!("{fee}:1")];
    assert_eq!(lines(&shown, "cleared_lines"), fresh);
    let outstanding = &shown["uncleared_lines"][0];
    let want = json!({"side": "credit", "amount": "200.00", "date": "2026-11-28"});
    assert_eq!(pick(outstanding, &["side", "amount", "date"]), want);
    assert_eq!(
        (shown["status"].as_str(), &shown["reconciliation"]),
        (Some("preview"), &Value::Null)
    );
    assert_eq!(confirm(&mut desk, statement), 2);
    // The check is marked now, and 300.00 came in.
    let late = desk.post("2026-12-10", &["1000:dr:300", "4000:cr:300"]);
    mark(&mut desk, (check, 1), true);
    mark(&mut desk, (late, 0), true);
    let statement = recorded(&mut desk, DECEMBER);
    let shown = preview(&mut desk, statement);
    let want = ["1950.00", "1950.00", "1950.00", "0.00"];
    assert_eq!(figures(&shown), (want.to_vec(), vec![]));
    assert_eq!(
        lines(&shown, "cleared_lines"),
        [format!("{check}:1"), format!("{late}:0")]
    );
    confirm(&mut desk, statement);
    desk.ok("books.verify", json!({}));
}

/// spec/domain.md §12, Dec wrong: +300 keyed as +30 leaves (270.00), divisible by nine; the statement is not reconciled.
#[test]
fn keyed_wrongly() {
    let mut desk = desk();
    october(&mut desk);
    for (entry, line) in november(&mut desk).into_iter().zip([0, 1, 1]) {
        mark(&mut desk, (entry, line), true);
    }
    let wrong = desk.post("2026-12-10", &["1000:dr:30", "4000:cr:30"]);
    mark(&mut desk, (wrong, 0), true);
    let says = ["1000", "2026-11-01", "2026-12-31", "1000.00", "1950.00"];
    let statement = recorded(&mut desk, says);
    let shown = preview(&mut desk, statement);
    let want = ["1680.00", "1680.00", "1950.00", "-270.00"];
    assert_eq!(
        figures(&shown),
        (want.to_vec(), vec!["reconcile_difference"])
    );
    let message = shown["problems"][0]["message"].as_str().expect("words");
    assert!(
        message.contains("divisible by nine") && message.contains("-270.00"),
        "{message}"
    );
    let (kind, no) = desk.no(
        "books.reconcile",
        json!({"statement_attachment": statement}),
    );
    assert_eq!(
        (kind, &no["code"], &no["difference"]),
        ("refused", &json!("reconcile_difference"), &json!("-270.00"))
    );
}

/// spec/domain.md §12, card: a balance owed is positive; charges 120.00, payment 20.00.
#[test]
fn card() {
    let mut desk = desk();
    let charges = desk.post("2026-10-08", &["6800:dr:120", "2050:cr:120"]);
    let payment = desk.post("2026-10-20", &["2050:dr:20", "1000:cr:20"]);
    mark(&mut desk, (charges, 1), true);
    let statement = recorded(&mut desk, ["2050", "2026-10-01", "2026-10-31", "0", "100"]);
    let shown = preview(&mut desk, statement);
    let want = ["100.00", "120.00", "100.00", "20.00"];
    assert_eq!(
        figures(&shown),
        (want.to_vec(), vec!["reconcile_difference"])
    );
    // The payment, which is not marked, makes the difference up.
    let message = shown["problems"][0]["message"].as_str().expect("words");
    assert!(
        message.contains(&format!("line 0 of entry {payment}")),
        "{message}"
    );
    mark(&mut desk, (payment, 0), true);
    let shown = preview(&mut desk, statement);
    assert_eq!(
        figures(&shown),
        (vec!["100.00", "100.00", "100.00", "0.00"], vec![])
    );
    confirm(&mut desk, statement);
}

/// spec/domain.md §12: lines of an `opening` entry count as cleared before the first statement, which opens with them, on
/// whatever day; they are locked, and a reconciliation holds them.
#[test]
fn brought_in() {
    let mut desk = desk();
    let opening = desk.post_opening("2026-10-01", &["1000:dr:1000", "3000:cr:1000"]);
    let says = |opening| ["1000", "2026-10-01", "2026-10-31", opening, "1000.00"];
    let wrong = recorded(&mut desk, says("0.00"));
    assert_eq!(figures(&preview(&mut desk, wrong)).1, ["statement_opening"]);
    let statement = recorded(&mut desk, says("1000.00"));
    let shown = preview(&mut desk, statement);
    let want = ["1000.00", "1000.00", "1000.00", "0.00"];
    assert_eq!(figures(&shown), (want.to_vec(), vec![]));
    let counts = (&shown["uncleared_count"], &shown["cleared_count"]);
    assert_eq!(counts, (&json!(0), &json!(1)));
    mark(&mut desk, (opening, 0), true);
    let unmark = json!({"entry_id": opening, "line_index": 0, "cleared": false});
    assert_eq!(
        desk.no("books.mark_cleared", unmark).1["code"],
        json!("line_locked")
    );
    confirm(&mut desk, statement);
    let next = recorded(
        &mut desk,
        ["1000", "2026-11-01", "2026-11-30", "1000.00", "1000.00"],
    );
    let shown = preview(&mut desk, next);
    assert_eq!(
        (figures(&shown).1, &shown["cleared_count"]),
        (vec![], &json!(0))
    );
}

/// A reversed opening entry counts as cleared with its reversal, and the right one stands alone: the first statement opens with it.
#[test]
fn brought_in_anew() {
    let mut desk = desk();
    let wrong = desk.post_opening("2026-10-01", &["1000:dr:1000", "3000:cr:1000"]);
    let undo = json!({"entry_id": wrong, "date": "2026-10-01", "description": "Wrong"});
    let undone = desk.ok("books.reverse_entry", undo)["entry_id"]
        .as_i64()
        .expect("an id");
    desk.post_opening("2026-10-01", &["1000:dr:1200", "3000:cr:1200"]);
    let unmark = json!({"entry_id": undone, "line_index": 0, "cleared": false});
    let (_, refusal) = desk.no("books.mark_cleared", unmark);
    assert_eq!(refusal["code"], "line_locked");
    let statement = recorded(
        &mut desk,
        ["1000", "2026-10-01", "2026-10-31", "1200.00", "1200.00"],
    );
    let shown = preview(&mut desk, statement);
    let want = ["1200.00", "1200.00", "1200.00", "0.00"];
    assert_eq!(figures(&shown), (want.to_vec(), vec![]));
    assert_eq!(shown["uncleared_count"], 0);
    confirm(&mut desk, statement);
    desk.ok("books.verify", json!({}));
}

/// A check that was outstanding when the books began is dated before the first statement and cleared by it: the statement opens
/// with the balances brought in.
#[test]
fn outstanding_from_the_start() {
    let mut desk = desk();
    desk.post_opening("2026-09-30", &["1000:dr:8750", "3000:cr:8750"]);
    let check = desk.post("2026-09-30", &["6800:dr:300", "1000:cr:300"]);
    mark(&mut desk, (check, 1), true);
    let statement = recorded(
        &mut desk,
        ["1000", "2026-10-01", "2026-10-31", "8750.00", "8450.00"],
    );
    let shown = preview(&mut desk, statement);
    let want = ["8450.00", "8450.00", "8450.00", "0.00"];
    assert_eq!(figures(&shown), (want.to_vec(), vec![]));
    confirm(&mut desk, statement);
}

/// Balances cannot be brought in before days that are reconciled without them.
#[test]
fn brought_in_too_late() {
    let mut desk = desk();
    october(&mut desk);
    let (_, refusal) = desk.unopened_balance("2026-10-01", &["1000:dr:77", "3000:cr:77"]);
    let want = json!({"code": "opening_after_reconciliation", "account": "1000", "reconciled_through": "2026-10-31"});
    assert_eq!(
        pick(&refusal, &["code", "account", "reconciled_through"]),
        want
    );
}

/// What is taken back or voided is said: the reversal of a cleared line warns; voiding what a closed period relied on warns, and the
/// digest names it with its reason.
#[test]
fn taken_back() {
    let mut desk = desk();
    october(&mut desk);
    let opening = 1;
    let undo = json!({"entry_id": opening, "date": "2026-11-02", "description": "No"});
    let warnings = desk.ok("books.reverse_entry", undo)["warnings"].clone();
    assert!(
        warnings[0]
            .as_str()
            .unwrap_or_default()
            .contains("is cleared"),
        "{warnings}"
    );
    let made = json!({"name": "October", "start": "2026-10-01", "end": "2026-10-31"});
    desk.ok("books.create_period", made);
    desk.ok(
        "books.add_account",
        json!({"code": "3999", "name": "Retained", "type": "equity"}),
    );
    desk.ok("books.close_period", json!({"period_id": 1}));
    let void = json!({"reconciliation_id": 1, "reason": "Another statement"});
    let voided = desk.ok("books.void_reconciliation", void);
    let warning = voided["warnings"][0].as_str().unwrap_or_default();
    assert!(
        warning.starts_with("the books are closed through 2026-10-31"),
        "{warning}"
    );
    let digest = desk.ok("books.digest", json!({"since": "2000-01-01"}));
    let changes = digest["changes"].as_array().expect("changes");
    let told = changes.iter().any(|change| {
        change["description"] == "reconciliation 1 of account \"1000\" through 2026-10-31 was voided: \"Another statement\""
    });
    assert!(told, "{changes:?}");
}

/// spec/domain.md §12: lines after the statement's day are left alone, marked or not; book = cleared + Σ uncleared.
#[test]
fn later_lines() {
    let mut desk = desk();
    october(&mut desk);
    let [income, fee, _] = november(&mut desk);
    let later = desk.post("2026-12-01", &["1000:dr:7", "4000:cr:7"]);
    for line in [(income, 0), (fee, 1), (later, 0)] {
        mark(&mut desk, line, true);
    }
    let statement = recorded(&mut desk, NOVEMBER);
    let shown = preview(&mut desk, statement);
    let want = ["1650.00", "1850.00", "1850.00", "0.00"];
    assert_eq!(figures(&shown), (want.to_vec(), vec![]));
    confirm(&mut desk, statement);
    // It was in no reconciliation, so it can be unmarked.
    mark(&mut desk, (later, 0), false);
}

/// spec/domain.md §12: a voided check is original and reversal: both stay uncleared and offset, or clear both together.
#[test]
fn voided_check() {
    let mut desk = desk();
    october(&mut desk);
    let check = desk.post("2026-11-10", &["6800:dr:75", "1000:cr:75"]);
    let args = json!({"entry_id": check, "date": "2026-11-20"});
    let back = desk.ok("books.reverse_entry", args)["entry_id"]
        .as_i64()
        .expect("an id");
    let statement = recorded(
        &mut desk,
        ["1000", "2026-11-01", "2026-11-30", "1000.00", "1000.00"],
    );
    let zero = (vec!["1000.00", "1000.00", "1000.00", "0.00"], vec![]);
    let shown = preview(&mut desk, statement);
    assert_eq!(
        (figures(&shown), &shown["uncleared_count"]),
        (zero.clone(), &json!(2))
    );
    mark(&mut desk, (check, 1), true);
    mark(&mut desk, (back, 1), true);
    let shown = preview(&mut desk, statement);
    assert_eq!(
        (figures(&shown), &shown["uncleared_count"]),
        (zero, &json!(0))
    );
}

/// Lists are by date and newest first, voided ones included; the statement is linked to its account and its reconciliation,
/// and these links are held while it is live.
#[test]
fn listed_and_linked() {
    let mut desk = desk();
    october(&mut desk);
    november(&mut desk);
    let statement = recorded(&mut desk, NOVEMBER);
    let listed = desk.ok("books.statements", json!({"account": "1000"}));
    let of = |row: &Value| (row["period_end"].clone(), row["reconciliation_id"].clone());
    let rows: Vec<_> = listed["statements"]
        .as_array()
        .expect("rows")
        .iter()
        .map(of)
        .collect();
    assert_eq!(
        rows,
        [
            (json!("2026-10-31"), json!(1)),
            (json!("2026-11-30"), Value::Null)
        ]
    );
    let on = desk.ok(
        "books.attachments",
        json!({"subject": {"kind": "reconciliation", "id": 1}}),
    );
    assert_eq!(on["subject"]["label"], json!("1000 through 2026-10-31"));
    let file = on["attachments"][0]["attachment_id"].clone();
    for subject in [
        json!({"kind": "reconciliation", "id": 1}),
        json!({"kind": "account", "id": "1000"}),
    ] {
        let args = json!({"attachment_id": file, "subject": subject, "reason": "x"});
        assert_eq!(
            desk.no("books.unlink_attachment", args).1["code"],
            json!("statement_in_use")
        );
    }
    let args = json!({"attachment_id": file, "reason": "x"});
    assert_eq!(
        desk.no("books.withdraw_attachment", args).1["code"],
        json!("statement_in_use")
    );
    desk.ok(
        "books.void_reconciliation",
        json!({"reconciliation_id": 1, "reason": "A wrong deposit"}),
    );
    let listed = desk.ok("books.reconciliations", json!({}));
    let want = json!({"reconciliation_id": 1, "account_code": "1000", "account_name": "A1000", "statement_date": "2026-10-31",
        "statement_balance": "1000.00", "statement_attachment": file, "cleared_count": 1,
        "cleared": [{"entry_id": 1, "line_index": 0}], "voided": true, "voided_reason": "A wrong deposit"});
    assert_eq!(listed["reconciliations"], json!([want]));
    let args =
        json!({"attachment_id": file, "subject": {"kind": "account", "id": "1000"}, "reason": "x"});
    desk.ok("books.unlink_attachment", args);
    let first = listed["reconciliations"][0]["statement_attachment"].clone();
    desk.ok(
        "books.withdraw_attachment",
        json!({"attachment_id": first, "reason": "Scanned askew"}),
    );
    assert_eq!(
        figures(&preview(&mut desk, first.as_i64().expect("an id"))).1,
        ["statement_withdrawn"]
    );
    assert_eq!(
        figures(&preview(&mut desk, statement)).1,
        ["reconcile_difference"]
    );
}

/// The digest names every cash account and every liability with a statement that has lines through the end of last month and
/// is not reconciled through it.
#[test]
fn due() {
    let mut desk = desk();
    let due = |desk: &mut Desk| {
        let digest = desk.ok("books.digest", json!({}));
        let row = |row: &Value| {
            format!(
                "{} {} {}",
                row["code"], row["reconciled_through"], row["due_through"]
            )
        };
        let rows = digest["unreconciled_accounts"].as_array().expect("rows");
        rows.iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(due(&mut desk), Vec::<String>::new());
    // A line of this month is not due yet.
    desk.post("2027-01-02", &["6800:dr:5", "2050:cr:5"]);
    desk.post("2027-01-02", &["1000:dr:5", "4000:cr:5"]);
    assert_eq!(due(&mut desk), Vec::<String>::new());
    october(&mut desk);
    assert_eq!(due(&mut desk), [r#""1000" "2026-10-31" "2026-12-31""#]);
    // A card is due once it has a statement.
    desk.post("2026-12-31", &["6800:dr:5", "2050:cr:5"]);
    assert_eq!(due(&mut desk).len(), 1);
    recorded(&mut desk, ["2050", "2026-12-01", "2026-12-31", "0", "5"]);
    assert_eq!(
        due(&mut desk),
        [
            r#""1000" "2026-10-31" "2026-12-31""#,
            r#""2050" null "2026-12-31""#
        ]
    );
    for (entry, line) in november(&mut desk).into_iter().zip([0, 1, 1]) {
        mark(&mut desk, (entry, line), true);
    }
    let statement = recorded(
        &mut desk,
        ["1000", "2026-11-01", "2026-12-31", "1000.00", "1650.00"],
    );
    confirm(&mut desk, statement);
    assert_eq!(due(&mut desk), [r#""2050" null "2026-12-31""#]);
}

/// Lists of lines come in pages, in date order, whichever months they reach into; the counts tell them all.
#[test]
fn pages() {
    let mut desk = desk();
    let mut all = Vec::new();
    for month in 1..=12 {
        for day in [3, 17, 28] {
            let entry = desk.post(
                &format!("2026-{month:02}-{day:02}"),
                &["1000:dr:1", "4000:cr:1"],
            );
            match (month, day) {
                (4 | 9, _) | (_, 17) => mark(&mut desk, (entry, 0), true),
                _ => all.push(format!("{entry}:0")),
            }
        }
    }
    let mut read = Vec::new();
    for offset in (0..all.len()).step_by(3) {
        let args = json!({"account": "1000", "statement_date": "2026-12-31", "statement_balance": "0", "limit": 3, "offset": offset});
        let shown = desk.raw("books.reconcile", args).expect("a preview");
        assert_eq!(
            (&shown["uncleared_count"], &shown["cleared_count"]),
            (&json!(20), &json!(16))
        );
        read.extend(lines(&shown, "uncleared_lines"));
    }
    assert_eq!(read, all);
}
