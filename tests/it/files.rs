//! Stored files and what they are about: links, documents, withdrawal, and files that come from the inbox.

mod inbox;
mod linked;

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::books::Desk;

/// Books with a few accounts, in which 25.01 needs a receipt.
fn desk() -> Desk {
    let mut desk = Desk::governed("USD", "[company]\nname = \"Acorn\"\n", "2026-11-30");
    desk.accounts(&["1000 asset -", "4000 revenue -", "6800 expense -"]);
    desk
}

/// A document of a category, linked to these subjects; gives its id.
fn filed(desk: &mut Desk, category: &str, link_to: Value) -> i64 {
    let args = json!({"category": category, "file_name": "paper.txt", "content_base64": BASE64.encode(b"Paper\n"), "link_to": link_to});
    let filed = desk.ok("books.file_document", args);
    filed["attachment_id"].as_i64().expect("an id")
}

/// A receipt, on an entry or on none; gives its id.
fn receipt(desk: &mut Desk, entry: Option<i64>) -> i64 {
    let args = json!({"entry_id": entry, "file_name": "receipt.txt", "content_base64": BASE64.encode(b"Tea 30.00\n")});
    let filed = desk.ok("books.attach_receipt", args);
    filed["attachment_id"].as_i64().expect("an id")
}

/// A draft of an amount.
fn draft(desk: &mut Desk, amount: &str) -> i64 {
    let line =
        |account: &str, side: &str| json!({"account": account, "side": side, "amount": amount});
    let args = json!({"date": "2026-10-05", "description": format!("Tea {amount}"),
        "lines": [line("6800", "debit"), line("1000", "credit")]});
    desk.ok("books.draft_entry", args)["entry_id"]
        .as_i64()
        .expect("an id")
}

fn code(desk: &mut Desk, tool: &str, args: Value) -> String {
    desk.no(tool, args).1["code"]
        .as_str()
        .expect("a code")
        .to_owned()
}

fn company() -> Value {
    json!({"kind": "company"})
}

fn entry(id: i64) -> Value {
    json!({"kind": "entry", "id": id})
}

/// The ids of the files on a subject.
fn on(desk: &mut Desk, subject: Value) -> Vec<i64> {
    let listed = desk.ok("books.attachments", json!({"subject": subject}));
    let rows = listed["attachments"].as_array().expect("rows").iter();
    rows.map(|row| row["attachment_id"].as_i64().expect("an id"))
        .collect()
}
