//! Books whose own currency has no decimals, or three: everything that stands in amounts works in them.

use serde_json::json;

use super::{CHART, draft, refused};
use crate::books::{Desk, pick};

/// Yen have no decimals: drafts, foreign amounts, classes, a bank's file, statements, registers and the receipt's threshold.
#[test]
fn yen() {
    let mut desk = Desk::governed(
        "JPY",
        "[books]\nreceipt_threshold = \"3000\"\n",
        "2026-11-30",
    );
    desk.accounts(CHART);
    desk.ok("books.add_class", json!({"name": "Osaka"}));
    let line = json!({"account": "6100", "side": "debit", "amount": "1.5"});
    assert_eq!(refused(&mut desk, line), ["bad_amount"]);
    let made = draft(
        &mut desk,
        &["6100:dr:USD20.00@149.525:Osaka", "1000:cr:2991"],
    );
    assert_eq!(made["lines"][0]["amount"], "2991");
    let args = json!({"entry_id": made["entry_id"], "confirmed": true});
    assert_eq!(desk.ok("books.post_entry", args)["total"], "2991");
    let made = draft(&mut desk, &["6200:dr:3001:Osaka", "1000:cr:3001"]);
    let args = json!({"entry_id": made["entry_id"], "confirmed": true});
    assert_eq!(
        desk.no("books.post_entry", args).1["code"],
        "receipt_required"
    );
    let csv = "Date,Description,Amount\n10/03/2026,Fee,-400\n10/04/2026,Sale,\"12,500\"\n";
    let imported = desk.ok(
        "books.import_bank_csv",
        json!({"csv_text": csv, "bank_account_code": "1000", "default_offset_code": "4000", "sign": "in_positive", "date_order": "mdy",
            "rules": {"Sale": {"account": "4000", "class": "Osaka"}}}),
    );
    assert_eq!(
        pick(&imported, &["total_in", "total_out"]),
        json!({"total_in": "12500", "total_out": "400"})
    );
    let year = json!({"start": "2026-01-01", "end": "2026-12-31"});
    let by_class = desk.ok("books.profit_and_loss_by_class", year);
    assert_eq!(by_class["rows"][0]["expenses"], "2991");
    assert_eq!(desk.ok("books.balance_sheet", json!({}))["assets"], "-2991");
    let rows = desk.rows("books.account_register", json!({"account": "1000"}));
    assert!(rows.iter().any(|row| row.contains("2991")), "{rows:?}");
    assert_eq!(
        desk.ok(
            "books.set_fx_rate",
            json!({"currency": "USD", "date": "2026-10-10", "rate": "149.525"})
        )["ok"],
        true
    );
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}

/// Bahraini dinars have three decimals, and so has everything that stands in them.
#[test]
fn dinars() {
    let mut desk = Desk::governed(
        "BHD",
        "[books]\nreceipt_threshold = \"10.5\"\n",
        "2026-11-30",
    );
    desk.accounts(CHART);
    desk.ok("books.add_class", json!({"name": "Manama"}));
    let line = json!({"account": "6100", "side": "debit", "amount": "1.0005"});
    assert_eq!(refused(&mut desk, line), ["bad_amount"]);
    let made = draft(
        &mut desk,
        &["6100:dr:JPY1000@0.0025155:Manama", "1000:cr:2.516"],
    );
    assert_eq!(made["lines"][0]["amount"], "2.516");
    let args = json!({"entry_id": made["entry_id"], "confirmed": true});
    assert_eq!(desk.ok("books.post_entry", args)["total"], "2.516");
    let made = draft(&mut desk, &["6200:dr:10.501", "1000:cr:10.501"]);
    let args = json!({"entry_id": made["entry_id"], "confirmed": true});
    assert_eq!(
        desk.no("books.post_entry", args).1["code"],
        "receipt_required"
    );
    let year = json!({"start": "2026-01-01", "end": "2026-12-31"});
    let by_class = desk.ok("books.profit_and_loss_by_class", year.clone());
    assert_eq!(by_class["rows"][0]["expenses"], "2.516");
    assert_eq!(
        desk.ok("books.profit_and_loss", year)["net_income"],
        "-2.516"
    );
    let trial = desk.ok("books.trial_balance", json!({}));
    assert_eq!(trial["total_debit"], "2.516");
    let digest = desk.ok("books.digest", json!({"since": "2026-01-01"}));
    assert_eq!(digest["entries_posted"][0]["total"], "2.516");
    let found = desk.ok(
        "books.search_entries",
        json!({"amount_min": "2.516", "amount_max": "2.516"}),
    );
    assert_eq!(found["total"], 1);
    assert_eq!(desk.ok("books.verify", json!({}))["status"], "ok");
}
