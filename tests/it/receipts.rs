//! Receipts on real books: what is taken and kept, which postings need one, and what becomes of files that are lost.

mod kept;
mod own;
mod policy;
mod standing;
mod taken;
mod told;

use std::{collections::BTreeMap, fs, path::Path};

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::books::{Desk, pick};

/// A file that is a PDF by its first bytes.
const PDF: &[u8] = b"%PDF-1.4\nPaper 12.00\n";

/// The chart that the tests need; settings and the policy file say what the policy is.
fn desk(settings: &str) -> Desk {
    let mut desk = Desk::governed("USD", settings, "2026-11-30");
    desk.accounts(&[
        "1000 asset -",
        "1010 asset -",
        "4000 revenue -",
        "6310 expense -",
        "6800 expense -",
        "6840 expense -",
    ]);
    desk
}

/// Books with cash accounts, and what `config.json` states.
fn stated(config: &str) -> Desk {
    let mut desk = desk("[books]\ncash_accounts = [\"1000\", \"1010\"]\n");
    fs::write(desk.paths().config(), config).expect("a policy file");
    desk.reopen();
    desk
}

/// A draft of `ACCOUNT:SIDE:AMOUNT` lines.
fn draft(desk: &mut Desk, (date, description): (&str, &str), lines: &[&str]) -> i64 {
    let line = |text: &&str| {
        let parts: Vec<&str> = text.split(':').collect();
        let side = if parts[1] == "dr" { "debit" } else { "credit" };
        json!({"account": parts[0], "side": side, "amount": parts[2]})
    };
    let lines: Vec<Value> = lines.iter().map(line).collect();
    let args = json!({"date": date, "description": description, "lines": lines});
    let drafted = desk.ok("books.draft_entry", args);
    drafted["entry_id"].as_i64().expect("an id")
}

/// A file as an argument.
fn attachment(name: &str, bytes: &[u8]) -> Value {
    json!({"file_name": name, "content_base64": BASE64.encode(bytes)})
}

/// A receipt on an entry.
fn attach(desk: &mut Desk, entry: i64) -> Value {
    let mut args = attachment("receipt.pdf", PDF);
    args["entry_id"] = entry.into();
    desk.ok("books.attach_receipt", args)
}

/// What the preview of a posting says of receipts.
fn previewed(desk: &mut Desk, entry: i64) -> Value {
    let shown = desk.raw("books.post_entry", json!({"entry_id": entry}));
    let shown = shown.expect("a preview");
    pick(
        &shown,
        &[
            "receipts",
            "receipt_required",
            "receipt_missing",
            "split_detected",
            "warnings",
        ],
    )
}

/// Posts a draft, or gives the refusal.
fn post(desk: &mut Desk, entry: i64) -> Result<Value, Value> {
    let posted = desk.call("books.post_entry", json!({"entry_id": entry}));
    posted.map_err(|no| no.to_value())
}

/// Every file of a folder and beneath it, byte for byte.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            let name = path.to_string_lossy().into_owned();
            all.insert(name, fs::read(&path).expect("a file"));
        }
    }
    all
}
