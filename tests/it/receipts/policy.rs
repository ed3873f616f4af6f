//! The receipt policy, row by row of its spec (domain, section 11), through the operations that post.

use super::*;

pub const LISTS: &str = r#"{"receipt_policy": {"require_receipts_above": "25.00",
    "receipt_required_accounts": ["6310"], "receipt_exempt_accounts": ["6840"]}}"#;

/// spec/domain.md §11, the table: strictly greater than the threshold, required accounts at any amount, exempt debits dropped,
/// transfers among cash accounts exempt.
#[test]
fn the_table() {
    let rows: [(&[&str], bool); 8] = [
        (&["6800:dr:25.00", "1000:cr:25.00"], false),
        (&["6800:dr:25.01", "1000:cr:25.01"], true),
        (&["6310:dr:8.00", "1000:cr:8.00"], true),
        (&["6840:dr:35.00", "1000:cr:35.00"], false),
        (&["6800:dr:20.00", "6840:dr:35.00", "1000:cr:55.00"], false),
        (&["6800:dr:25.01", "6840:dr:35.00", "1000:cr:60.01"], true),
        (&["1010:dr:5000.00", "1000:cr:5000.00"], false),
        // Not a transfer: the money came from outside.
        (&["1010:dr:5000.00", "4000:cr:5000.00"], true),
    ];
    for (lines, needed) in rows {
        let mut desk = stated(LISTS);
        let id = draft(&mut desk, ("2026-10-10", "Row"), lines);
        let shown = previewed(&mut desk, id);
        assert_eq!(shown["receipt_required"], json!(needed), "{lines:?}");
        assert_eq!(shown["receipt_missing"], json!(needed), "{lines:?}");
        assert_eq!(shown["warnings"].is_array(), needed, "{lines:?}");
        let posted = post(&mut desk, id);
        match posted {
            Ok(posted) if !needed => assert_eq!(posted["status"], json!("posted")),
            Err(refused) if needed => assert_eq!(refused["code"], json!("receipt_required")),
            other => panic!("{lines:?}: {other:?}"),
        }
        if needed {
            attach(&mut desk, id);
            let posted = post(&mut desk, id).expect("a posting");
            let want = json!({"receipt_required": true, "receipt_missing": false, "split_detected": [],
                "receipts": [{"attachment_id": 1, "file_name": "receipt.pdf"}]});
            let keys = [
                "receipt_required",
                "receipt_missing",
                "split_detected",
                "receipts",
            ];
            assert_eq!(pick(&posted, &keys), pick(&want, &keys));
        }
    }
}

/// spec/domain.md §11: an account that is required and exempt is required.
#[test]
fn required_beats_exempt() {
    let mut desk = stated(
        r#"{"receipt_policy": {"receipt_required_accounts": ["6310"], "receipt_exempt_accounts": ["6310"]}}"#,
    );
    let id = draft(
        &mut desk,
        ("2026-10-10", "Lunch"),
        &["6310:dr:8.00", "1000:cr:8.00"],
    );
    let refused = post(&mut desk, id).expect_err("a refusal");
    let want = json!({
        "code": "receipt_required",
        "message": "entry 1 has debits on \"6310\", where every amount needs a receipt; it has no receipt",
        "entry_id": 1, "debits": "0.00", "policy": "strictly greater than 25.00", "required_accounts": ["6310"],
        "remedy_tool": "books.attach_receipt",
        "remedy_hint": "ask for the receipt and attach it with `wb receipt attach FILE --entry 1`; never shrink or split an entry to pass",
    });
    assert_eq!(refused, want);
}

/// The reference's "Receipt enforcement": the refusal is structured, and its numbers are those of the entry and the policy.
#[test]
fn the_refusal() {
    let mut desk = desk("");
    let id = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:100.00", "1000:cr:100.00"],
    );
    let refused = post(&mut desk, id).expect_err("a refusal");
    let message = "entry 1 has debits of 100.00, strictly greater than 25.00; it has no receipt";
    let want = json!({
        "code": "receipt_required", "message": message,
        "entry_id": 1, "debits": "100.00", "policy": "strictly greater than 25.00",
        "remedy_tool": "books.attach_receipt",
        "remedy_hint": "ask for the receipt and attach it with `wb receipt attach FILE --entry 1`; never shrink or split an entry to pass",
    });
    assert_eq!(refused, want);
    assert_eq!(previewed(&mut desk, id)["warnings"], json!([message]));
}

/// spec/domain.md §11: 12.00, 9.00 and 6.00 at Staples on one day. Two post; the third needs a receipt, and all three are named.
#[test]
fn staples() {
    let mut desk = desk("");
    let buy = |desk: &mut Desk, date: &str, name: &str, amount: &str| {
        let lines = [format!("6800:dr:{amount}"), format!("1000:cr:{amount}")];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        draft(desk, (date, name), &lines)
    };
    for (name, amount) in [("Staples", "12.00"), ("  STAPLES", "9.00")] {
        let id = buy(&mut desk, "2026-10-10", name, amount);
        post(&mut desk, id).expect("a posting");
    }
    let third = buy(&mut desk, "2026-10-10", "staples", "6.00");
    let group = json!([
        {"entry_id": 1, "amount": "12.00"}, {"entry_id": 2, "amount": "9.00"}, {"entry_id": 3, "amount": "6.00"},
    ]);
    let shown = previewed(&mut desk, third);
    let message = "entry 3 is one purchase with entry 1 (12.00), entry 2 (9.00), itself 6.00: 27.00 in all, \
                   strictly greater than 25.00; it has no receipt";
    let want = json!({"receipts": [], "receipt_required": true, "receipt_missing": true, "split_detected": group,
        "warnings": [message]});
    assert_eq!(shown, want);
    let refused = post(&mut desk, third).expect_err("a refusal");
    let fields = [
        "code",
        "message",
        "entry_id",
        "debits",
        "policy",
        "split_detected",
    ];
    let want = json!({"code": "receipt_required", "message": message, "entry_id": 3, "debits": "6.00",
        "policy": "strictly greater than 25.00", "split_detected": group});
    assert_eq!(pick(&refused, &fields), pick(&want, &fields));
    // The next day, another description and other accounts are other purchases.
    let next = buy(&mut desk, "2026-10-11", "Staples", "6.00");
    let other = buy(&mut desk, "2026-10-10", "Staples store", "6.00");
    let meal = draft(
        &mut desk,
        ("2026-10-10", "Staples"),
        &["6310:dr:6.00", "1000:cr:6.00"],
    );
    let both = ["6800:dr:3.00", "6310:dr:3.00", "1000:cr:6.00"];
    let both = draft(&mut desk, ("2026-10-10", "Staples"), &both);
    for id in [next, other, meal, both] {
        let posted = post(&mut desk, id).expect("a posting");
        assert_eq!(posted["split_detected"], json!([]), "{id}");
    }
    attach(&mut desk, third);
    assert_eq!(
        post(&mut desk, third).expect("a posting")["split_detected"],
        group
    );
}

/// spec/domain.md §11: the sum is held strictly too, and of the measured amounts: 12.50 and 12.50 are no split, and an exempt
/// debit counts for nothing.
#[test]
fn sums_of_splits() {
    let mut desk = stated(LISTS);
    for _ in 0..2 {
        let id = draft(
            &mut desk,
            ("2026-10-10", "Staples"),
            &["6800:dr:12.50", "1000:cr:12.50"],
        );
        let posted = post(&mut desk, id).expect("a posting");
        assert_eq!(posted["split_detected"], json!([]));
    }
    let mixed = ["6800:dr:10.00", "6840:dr:30.00", "1000:cr:40.00"];
    for _ in 0..2 {
        let id = draft(&mut desk, ("2026-10-12", "Bank day"), &mixed);
        post(&mut desk, id).expect("a posting");
    }
    let id = draft(&mut desk, ("2026-10-12", "Bank day"), &mixed);
    let refused = post(&mut desk, id).expect_err("a refusal");
    assert_eq!(
        refused["split_detected"][2],
        json!({"entry_id": 5, "amount": "10.00"})
    );
}

/// spec/domain.md §11: only live postings count for a split: reversed ones and reversals do not, nor do drafts.
#[test]
fn live_postings_only() {
    let mut desk = desk("");
    let lines = ["6800:dr:14.00", "1000:cr:14.00"];
    let first = draft(&mut desk, ("2026-10-10", "Staples"), &lines);
    post(&mut desk, first).expect("a posting");
    draft(&mut desk, ("2026-10-10", "Staples"), &lines);
    let reversal = json!({"entry_id": first, "date": "2026-10-10", "description": "Staples"});
    desk.ok("books.reverse_entry", reversal);
    let again = draft(&mut desk, ("2026-10-10", "Staples"), &lines);
    let posted = post(&mut desk, again).expect("a posting");
    assert_eq!(posted["split_detected"], json!([]));
}

/// spec/domain.md §11 and §15, row 17: what undoes an entry needs no receipt; what makes it stand again is judged as the original
/// is, and the original's receipt satisfies it.
#[test]
fn reversals() {
    let mut desk = desk("");
    let id = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:100.00", "1000:cr:100.00"],
    );
    attach(&mut desk, id);
    post(&mut desk, id).expect("a posting");
    for (of, made, required) in [(1, 2, false), (2, 3, true)] {
        let args = json!({"entry_id": of, "date": "2026-10-11"});
        let reversed = desk.ok("books.reverse_entry", args);
        let want = json!({"entry_id": made, "receipt_required": required, "receipt_missing": false,
            "receipts": [{"attachment_id": 1, "file_name": "receipt.pdf"}]});
        let keys = [
            "entry_id",
            "receipt_required",
            "receipt_missing",
            "receipts",
        ];
        assert_eq!(pick(&reversed, &keys), pick(&want, &keys));
    }
    // What needed none needs none when it stands again: a migrated entry.
    let history = r#"{"date":"2025-01-05","description":"Old","lines":[{"account":"6800","amount":"80.00"},{"account":"1000","amount":"-80.00"}]}"#;
    let imported = desk.ok("import journal", json!({"file": history}));
    assert_eq!(imported["entries"], json!(1), "{imported}");
    for of in [4, 5] {
        let args = json!({"entry_id": of, "date": "2026-10-11"});
        let reversed = desk.ok("books.reverse_entry", args);
        assert_eq!(reversed["receipt_required"], json!(false));
    }
}

/// spec/domain.md §11: a posting that stands again is one of its day, as if it were made then: 25.00 twice on a day, the first
/// reversed before the second, is 50.00 when the first's reversal is reversed.
#[test]
fn a_posting_that_stands_again() {
    let mut desk = desk("");
    for id in [1, 3] {
        let lines = ["6800:dr:25.00", "1000:cr:25.00"];
        assert_eq!(draft(&mut desk, ("2026-10-20", "Lamp"), &lines), id);
        post(&mut desk, id).expect("a posting");
        if id == 1 {
            desk.ok(
                "books.reverse_entry",
                json!({"entry_id": 1, "date": "2026-10-20"}),
            );
        }
    }
    let again = json!({"entry_id": 2, "date": "2026-10-20"});
    let (kind, refused) = desk.no("books.reverse_entry", again);
    assert_eq!(
        (kind, &refused["code"]),
        ("refused", &json!("receipt_required"))
    );
}

/// spec/domain.md §11: an entry that was posted under a laxer policy is undone without a receipt, for what undoes it spends
/// nothing; it stands again only with one, which goes on any entry on the way.
#[test]
fn reversals_of_what_has_none() {
    let mut desk = desk("[books]\nreceipt_threshold = \"500.00\"\n");
    let id = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:80.00", "1000:cr:80.00"],
    );
    post(&mut desk, id).expect("a posting");
    desk.settle("[books]\nreceipt_threshold = \"25.00\"\n");
    let shown = |desk: &mut Desk, id: i64| {
        desk.ok("books.get_entry", json!({"entry_id": id}))["receipt_missing"].clone()
    };
    assert_eq!(shown(&mut desk, id), json!(true));
    let undone = json!({"entry_id": id, "date": "2026-10-11"});
    let undone = desk.ok("books.reverse_entry", undone);
    let keys = ["entry_id", "receipt_required", "receipt_missing"];
    let want = json!({"entry_id": 2, "receipt_required": false, "receipt_missing": false});
    assert_eq!(pick(&undone, &keys), want);
    assert_eq!(shown(&mut desk, 2), json!(false));
    let again = json!({"entry_id": 2, "date": "2026-10-12"});
    let message = "the reversal of entry 2 has debits of 80.00, strictly greater than 25.00; it has no receipt";
    let previewed = desk
        .raw("books.reverse_entry", again.clone())
        .expect("a preview");
    assert_eq!(previewed["warnings"], json!([message]));
    let (kind, refused) = desk.no("books.reverse_entry", again.clone());
    let told = pick(&refused, &["code", "message", "entry_id"]);
    let want = json!({"code": "receipt_required", "message": message, "entry_id": 2});
    assert_eq!((kind, told), ("refused", want));
    attach(&mut desk, 2);
    desk.ok("books.reverse_entry", again);
    // And undone once more it spends nothing.
    let undone = json!({"entry_id": 3, "date": "2026-10-13"});
    let undone = desk.ok("books.reverse_entry", undone);
    assert_eq!(undone["receipt_required"], json!(false));
}

/// spec/domain.md §11: what was imported from a bank is bound like what was drafted by hand; a migrated history and a close are
/// not.
#[test]
fn origins() {
    let mut desk = desk("");
    let csv = "Date,Description,Amount\n10/01/2026,LARGE,-80.00\n10/02/2026,SMALL,-8.00\n";
    let args = json!({"csv_text": csv, "bank_account_code": "1000", "default_offset_code": "6800"});
    desk.ok("books.import_bank_csv", args);
    let refused = post(&mut desk, 1).expect_err("a refusal");
    assert_eq!(refused["code"], json!("receipt_required"));
    post(&mut desk, 2).expect("a posting");
    let history = r#"{"date":"2025-01-05","description":"Old","lines":[{"account":"6310","amount":"80.00"},{"account":"1000","amount":"-80.00"}]}"#;
    desk.ok("import journal", json!({"file": history}));
    desk.post_closing("2026-10-31", &["4000:dr:80.00", "1000:cr:80.00"]);
    let direct = json!(["6800:dr:25.01", "1000:cr:25.01"]);
    let line = |text: &str| {
        text.parse::<wanderbooks::domains::entry::EntryLine>()
            .expect("a line")
    };
    let direct: Vec<_> = direct
        .as_array()
        .expect("lines")
        .iter()
        .map(|l| line(l.as_str().expect("text")))
        .collect();
    let args = json!({"date": "2026-10-10", "origin": "manual", "lines": direct});
    let refused = desk.raw("test.post", args).expect_err("a refusal");
    assert_eq!(refused.code(), Some("receipt_required"));
}

/// The policy file's policy beats the settings' threshold, which beats the default; a raised threshold takes effect at once.
#[test]
fn precedence() {
    let mut desk = desk("[books]\nreceipt_threshold = \"50.00\"\n");
    let id = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:40.00", "1000:cr:40.00"],
    );
    assert_eq!(previewed(&mut desk, id)["receipt_required"], json!(false));
    fs::write(
        desk.paths().config(),
        r#"{"receipt_policy": {"require_receipts_above": "30.00"}}"#,
    )
    .expect("a file");
    desk.reopen();
    assert_eq!(previewed(&mut desk, id)["receipt_required"], json!(true));
    fs::write(
        desk.paths().config(),
        r#"{"receipt_policy": {"require_receipts_above": "40.00"}}"#,
    )
    .expect("a file");
    desk.reopen();
    post(&mut desk, id).expect("a posting");
}

/// A policy file that makes no sense is named, and the last good one stays in force.
#[test]
fn a_broken_policy_file() {
    let mut desk = stated(r#"{"receipt_policy": {"require_receipts_above": "10.00"}}"#);
    let id = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:20.00", "1000:cr:20.00"],
    );
    fs::write(
        desk.paths().config(),
        r#"{"receipt_policy": {"require_receipts_above": "-1"}}"#,
    )
    .expect("a file");
    desk.reopen();
    assert_eq!(previewed(&mut desk, id)["receipt_required"], json!(true));
}

/// A settings edit between a preview and its confirmation that changes the verdict voids the preview; one that does not, does not.
#[test]
fn an_edit_between_preview_and_confirmation() {
    let mut desk = desk("");
    let id = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:20.00", "1000:cr:20.00"],
    );
    attach(&mut desk, id);
    let shown = desk
        .raw("books.post_entry", json!({"entry_id": id}))
        .expect("a preview");
    let agreed = json!({"entry_id": id, "if_preview": shown["preview"]});
    let state = |desk: &mut Desk, above: &str| {
        let text = format!(r#"{{"receipt_policy": {{"require_receipts_above": "{above}"}}}}"#);
        fs::write(desk.paths().config(), text).expect("a file");
        desk.reopen();
    };
    state(&mut desk, "10.00");
    let (_, refused) = desk.no("books.post_entry", agreed.clone());
    assert_eq!(refused["code"], json!("preview_stale"));
    state(&mut desk, "30.00");
    desk.ok("books.post_entry", agreed);
}

/// `entry show` tells an entry's receipts and whether one is missing: by the policy in force, and of a draft against its day.
#[test]
fn entries_tell_their_receipts() {
    let mut desk = desk("");
    let keys = ["receipts", "receipt_missing"];
    let id = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:80.00", "1000:cr:80.00"],
    );
    let told = |desk: &mut Desk, id: i64| {
        pick(&desk.ok("books.get_entry", json!({"entry_id": id})), &keys)
    };
    assert_eq!(
        told(&mut desk, id),
        json!({"receipts": [], "receipt_missing": true})
    );
    attach(&mut desk, id);
    let receipts = json!([{"attachment_id": 1, "file_name": "receipt.pdf"}]);
    assert_eq!(
        told(&mut desk, id),
        json!({"receipts": receipts, "receipt_missing": false})
    );
    let gone = draft(
        &mut desk,
        ("2026-10-10", "Gone"),
        &["6800:dr:80.00", "1000:cr:80.00"],
    );
    desk.ok("books.discard_draft", json!({"entry_id": gone}));
    assert_eq!(
        told(&mut desk, gone),
        json!({"receipts": [], "receipt_missing": false})
    );
    let text = |desk: &mut Desk, id: i64| {
        let sheet = desk.sheet("books.get_entry", json!({"entry_id": id}));
        let labels = sheet.fields.iter().map(|f| f.label.clone());
        labels.collect::<Vec<_>>()
    };
    assert_eq!(text(&mut desk, id), ["Date", "Description", "Receipts"]);
}
