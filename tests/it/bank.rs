//! Bank reconciliation on real books: the table of spec/domain.md §12, what refuses it, what locks and what voids, and what the
//! digest says is due.

mod refused;
mod steps;

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::books::Desk;

/// Books with a bank account, a card, and accounts for the other sides.
fn desk() -> Desk {
    let settings = "[books]\ncash_accounts = [\"1000\"]\n";
    let mut desk = Desk::new("USD", settings, "2027-01-15");
    desk.accounts(&[
        "1000 asset -",
        "2050 liability -",
        "3000 equity -",
        "4000 revenue -",
        "6800 expense -",
    ]);
    desk
}

/// A statement filed, of a name of its own; gives its id.
fn filed(desk: &mut Desk, name: &str) -> i64 {
    let args = json!({"category": "statement", "file_name": format!("{name}.txt"), "content_base64": BASE64.encode(name.as_bytes())});
    let filed = desk.ok("books.file_document", args);
    filed["attachment_id"].as_i64().expect("an id")
}

/// What a statement says, as arguments: account, first and last day, opening and closing balance.
fn said(id: i64, [account, start, end, opening, closing]: [&str; 5]) -> Value {
    json!({"attachment_id": id, "account": account, "period_start": start, "period_end": end, "opening_balance": opening,
        "closing_balance": closing})
}

/// A statement filed and recorded; gives its id.
fn recorded(desk: &mut Desk, says: [&str; 5]) -> i64 {
    let id = filed(desk, &says.join(" "));
    desk.ok("books.record_statement", said(id, says));
    id
}

/// Marks a line, or takes its mark away.
fn mark(desk: &mut Desk, (entry, line): (i64, i64), cleared: bool) {
    let args = json!({"entry_id": entry, "line_index": line, "cleared": cleared});
    assert_eq!(desk.ok("books.mark_cleared", args)["ok"], json!(true));
}

/// The preview of a reconciliation.
fn preview(desk: &mut Desk, statement: i64) -> Value {
    let args = json!({"statement_attachment": statement});
    desk.raw("books.reconcile", args).expect("a preview")
}

/// Confirms a reconciliation; gives its id.
fn confirm(desk: &mut Desk, statement: i64) -> i64 {
    let done = desk.ok(
        "books.reconcile",
        json!({"statement_attachment": statement}),
    );
    assert_eq!(done["status"], json!("reconciled"), "{done}");
    done["reconciliation"].as_i64().expect("an id")
}

/// Book, cleared and stated balance, the difference, and the codes of the problems.
fn figures(answer: &Value) -> (Vec<&str>, Vec<&str>) {
    let keys = [
        "book_balance",
        "cleared_balance",
        "statement_balance",
        "difference",
    ];
    let problems = answer["problems"].as_array().expect("problems").iter();
    let codes = problems.map(|problem| problem["code"].as_str().expect("a code"));
    (
        keys.iter()
            .map(|key| answer[*key].as_str().expect("an amount"))
            .collect(),
        codes.collect(),
    )
}

/// Its lines of one kind, each `entry:line`.
fn lines(answer: &Value, kind: &str) -> Vec<String> {
    let lines = answer[kind].as_array().expect("lines").iter();
    lines
        .map(|line| format!("{}:{}", line["entry_id"], line["line_index"]))
        .collect()
}

const OCTOBER: [&str; 5] = ["1000", "2026-10-01", "2026-10-31", "0.00", "1000.00"];
const NOVEMBER: [&str; 5] = ["1000", "2026-11-01", "2026-11-30", "1000.00", "1850.00"];
const DECEMBER: [&str; 5] = ["1000", "2026-12-01", "2026-12-31", "1850.00", "1950.00"];

/// October: 1,000.00 in, marked, recorded and reconciled.
fn october(desk: &mut Desk) -> i64 {
    let deposit = desk.post("2026-10-05", &["1000:dr:1000", "3000:cr:1000"]);
    mark(desk, (deposit, 0), true);
    let statement = recorded(desk, OCTOBER);
    confirm(desk, statement)
}

/// November's entries: 900.00 in, 50.00 out, and a check of 200.00.
fn november(desk: &mut Desk) -> [i64; 3] {
    [
        desk.post("2026-11-03", &["1000:dr:900", "4000:cr:900"]),
        desk.post("2026-11-09", &["6800:dr:50", "1000:cr:50"]),
        desk.post("2026-11-28", &["6800:dr:200", "1000:cr:200"]),
    ]
}
