//! Links and what takes them away, by the reference's section on attachments.

use std::{
    io::{self, Write},
    time::Instant,
};

use super::*;

/// A file is linked to an entry, an account by code or id, and the company; its links are told with labels, its filing first.
#[test]
fn labels() {
    let mut desk = desk();
    let on_entry = draft(&mut desk, "5.00");
    let other = draft(&mut desk, "6.00");
    let file = receipt(&mut desk, Some(other));
    for subject in [
        company(),
        json!({"kind": "account", "id": "1000"}),
        json!({"kind": "account", "id": 3}),
        entry(on_entry),
    ] {
        desk.ok(
            "books.link_attachment",
            json!({"attachment_id": file, "subject": subject}),
        );
    }
    let listed = desk.ok("books.list_receipts", json!({}));
    let want = json!([
        {"kind": "entry", "id": other, "label": "2026-10-05 Tea 6.00"},
        {"kind": "company", "label": "Acorn"},
        {"kind": "account", "id": 1, "label": "1000 A1000"},
        {"kind": "account", "id": 3, "label": "6800 A6800"},
        {"kind": "entry", "id": on_entry, "label": "2026-10-05 Tea 5.00"},
    ]);
    assert_eq!(listed["receipts"][0]["links"], want);
    assert_eq!(on(&mut desk, company()), [file]);
    assert_eq!(on(&mut desk, entry(other)), [file]);
    desk.ok("books.verify", json!({}));
}

/// A link is refused for a file or a subject that there is not, a kind that no domain offers yet, a link that is there, the
/// entry it is filed on, and a file that is withdrawn.
#[test]
fn refused() {
    let mut desk = desk();
    let at = draft(&mut desk, "5.00");
    let file = receipt(&mut desk, Some(at));
    let link = |id: i64, subject: Value| json!({"attachment_id": id, "subject": subject});
    let tool = "books.link_attachment";
    for (id, subject, want) in [
        (99, company(), "unknown_attachment"),
        (file, entry(99), "unknown_entry"),
        (
            file,
            json!({"kind": "account", "id": "9"}),
            "unknown_account",
        ),
        (
            file,
            json!({"kind": "reconciliation", "id": 1}),
            "unknown_reconciliation",
        ),
        (
            file,
            json!({"kind": "invoice", "id": 1}),
            "unknown_subject_kind",
        ),
        (
            file,
            json!({"kind": "company", "id": 1}),
            "invalid_arguments",
        ),
        (file, json!({"kind": "entry"}), "invalid_arguments"),
        (
            file,
            json!({"kind": "entry", "id": "x"}),
            "invalid_arguments",
        ),
        (file, entry(at), "already_linked"),
    ] {
        assert_eq!(
            code(&mut desk, tool, link(id, subject.clone())),
            want,
            "{subject}"
        );
    }
    desk.ok(tool, link(file, company()));
    assert_eq!(
        code(&mut desk, tool, link(file, company())),
        "already_linked"
    );
    let gone = receipt(&mut desk, None);
    desk.ok(
        "books.withdraw_attachment",
        json!({"attachment_id": gone, "reason": "Twice"}),
    );
    assert_eq!(
        code(&mut desk, tool, link(gone, company())),
        "attachment_withdrawn"
    );
    let args = json!({"receipt_id": gone, "entry_id": at});
    assert_eq!(
        code(&mut desk, "books.link_receipt", args),
        "attachment_withdrawn"
    );
}

/// Many links of one file are refused at a hundred.
#[test]
fn too_many() {
    let mut desk = desk();
    let file = receipt(&mut desk, None);
    for _ in 0..100 {
        let id = draft(&mut desk, "1.00");
        desk.ok(
            "books.link_attachment",
            json!({"attachment_id": file, "subject": entry(id)}),
        );
    }
    let args = json!({"attachment_id": file, "subject": company()});
    assert_eq!(
        code(&mut desk, "books.link_attachment", args),
        "too_many_links"
    );
}

/// `link_to` is all or nothing: every fault is named with its place, and no file is kept.
#[test]
fn all_or_nothing() {
    let mut desk = desk();
    let at = draft(&mut desk, "5.00");
    let args = json!({"entry_id": at, "file_name": "a.txt", "content_base64": BASE64.encode(b"a\n"),
        "link_to": [company(), entry(99), company(), entry(at)]});
    let (_, no) = desk.no("books.attach_receipt", args);
    let also = no["also"].as_array().expect("more reasons");
    let told: Vec<_> = std::iter::once(&no)
        .chain(also)
        .map(|no| format!("{} {}", no["code"], no["place"]))
        .collect();
    assert_eq!(
        told,
        [
            r#""unknown_entry" 1"#,
            r#""subject_named_twice" 2"#,
            r#""already_linked" 3"#
        ]
    );
    assert_eq!(desk.ok("books.list_receipts", json!({}))["total"], json!(0));
    let blobs = std::fs::read_dir(desk.paths().blobs()).map_or(0, Iterator::count);
    assert_eq!(blobs, 0);
    let file = filed(
        &mut desk,
        "contract",
        json!([company(), {"kind": "account", "id": "1000"}]),
    );
    assert_eq!(
        (
            on(&mut desk, company()),
            on(&mut desk, json!({"kind": "account", "id": "1000"}))
        ),
        (vec![file], vec![file])
    );
}

/// A link is taken away with a reason, and not the filing on an entry; a receipt is taken off its entry by its own operation.
#[test]
fn unlinked() {
    let mut desk = desk();
    let at = draft(&mut desk, "5.00");
    let file = receipt(&mut desk, Some(at));
    let args = |subject: Value, reason: &str| json!({"attachment_id": file, "subject": subject, "reason": reason});
    let tool = "books.unlink_attachment";
    assert_eq!(code(&mut desk, tool, args(company(), "x")), "not_linked");
    assert_eq!(
        code(&mut desk, tool, args(entry(at), "x")),
        "filed_on_entry"
    );
    desk.ok(
        "books.link_attachment",
        json!({"attachment_id": file, "subject": company()}),
    );
    assert_eq!(code(&mut desk, tool, args(company(), " ")), "bad_text");
    let left = desk.ok(tool, args(company(), "Of the shop alone"));
    assert_eq!(left["links"].as_array().map(Vec::len), Some(1));
    let off = desk.ok(
        "books.unlink_receipt",
        json!({"attachment_id": file, "reason": "Of another"}),
    );
    let want = (&json!(true), &json!(at), &json!(0));
    assert_eq!(
        (&off["ok"], &off["entry_id"], &off["remaining_receipts"]),
        want
    );
    let args = json!({"attachment_id": file, "reason": "x"});
    assert_eq!(
        code(&mut desk, "books.unlink_receipt", args),
        "receipt_not_linked"
    );
    // It is free again.
    desk.ok(
        "books.link_receipt",
        json!({"receipt_id": file, "entry_id": at}),
    );
    desk.ok("books.verify", json!({}));
}

/// A file that is linked to an entry is one of its receipts: the policy counts it, and the last one of a posted entry that needs
/// one is not taken off, however it came there.
#[test]
fn counted_by_the_policy() {
    let mut desk = desk();
    let id = draft(&mut desk, "30.00");
    assert_eq!(
        code(&mut desk, "books.post_entry", json!({"entry_id": id})),
        "receipt_required"
    );
    let paper = filed(&mut desk, "contract", json!([entry(id)]));
    let posted = desk.ok("books.post_entry", json!({"entry_id": id}));
    assert_eq!(
        posted["receipts"],
        json!([{"attachment_id": paper, "file_name": "paper.txt"}])
    );
    let unlink = json!({"attachment_id": paper, "subject": entry(id), "reason": "x"});
    let (_, no) = desk.no("books.unlink_attachment", unlink.clone());
    let want = (&json!("receipt_required"), &json!("books.attach_receipt"));
    assert_eq!((&no["code"], &no["remedy_tool"]), want);
    let args = json!({"attachment_id": paper, "reason": "x"});
    assert_eq!(
        code(&mut desk, "books.withdraw_attachment", args),
        "receipt_required"
    );
    // Attach the new one, then take the old one off.
    let new = receipt(&mut desk, Some(id));
    desk.ok("books.unlink_attachment", unlink);
    let args = json!({"attachment_id": new, "reason": "x"});
    assert_eq!(
        code(&mut desk, "books.unlink_receipt", args),
        "receipt_required"
    );
    assert_eq!(
        desk.ok("books.get_entry", json!({"entry_id": id}))["receipts"][0]["attachment_id"],
        json!(new)
    );
}

/// A purchase that was split is judged whole: the receipt that the last part needed is not taken off it.
#[test]
fn split_purchases() {
    let mut desk = desk();
    let post = |desk: &mut Desk, amount: &str, with: bool| {
        let line =
            |account: &str, side: &str| json!({"account": account, "side": side, "amount": amount});
        let args = json!({"date": "2026-10-05", "description": "Staples", "lines": [line("6800", "debit"), line("1000", "credit")]});
        let id = desk.ok("books.draft_entry", args)["entry_id"]
            .as_i64()
            .expect("an id");
        let file = with.then(|| receipt(desk, Some(id)));
        desk.ok("books.post_entry", json!({"entry_id": id}));
        file
    };
    post(&mut desk, "12.00", false);
    post(&mut desk, "9.00", false);
    let file = post(&mut desk, "6.00", true);
    let args = json!({"attachment_id": file, "reason": "x"});
    let (_, no) = desk.no("books.unlink_receipt", args);
    assert_eq!(
        (&no["code"], no["split_detected"].as_array().map(Vec::len)),
        (&json!("receipt_required"), Some(3))
    );
}

/// A receipt is withdrawn when it is linked to nothing, a document whenever; both are hidden, never linked again and still there.
#[test]
fn withdrawn() {
    let mut desk = desk();
    let at = draft(&mut desk, "5.00");
    let (loose, held) = (receipt(&mut desk, None), receipt(&mut desk, Some(at)));
    let paper = filed(&mut desk, "legal", json!([company()]));
    let tool = "books.withdraw_attachment";
    let args = |id: i64, reason: &str| json!({"attachment_id": id, "reason": reason});
    assert_eq!(code(&mut desk, tool, args(held, "x")), "attachment_linked");
    assert_eq!(code(&mut desk, tool, args(loose, "")), "bad_text");
    desk.ok(
        "books.link_attachment",
        json!({"attachment_id": loose, "subject": company()}),
    );
    assert_eq!(code(&mut desk, tool, args(loose, "x")), "attachment_linked");
    desk.ok(
        "books.unlink_attachment",
        json!({"attachment_id": loose, "subject": company(), "reason": "x"}),
    );
    desk.ok(tool, args(loose, "Filed twice"));
    desk.ok(tool, args(paper, "Superseded"));
    assert_eq!(
        code(&mut desk, tool, args(paper, "x")),
        "attachment_withdrawn"
    );
    assert_eq!(on(&mut desk, company()), Vec::<i64>::new());
    let ids = |desk: &mut Desk, args: Value| {
        let listed = desk.ok("books.list_receipts", args);
        let rows = listed["receipts"].as_array().expect("rows").iter();
        rows.map(|row| format!("{} {}", row["attachment_id"], row["withdrawn_reason"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&mut desk, json!({})), [format!("{held} null")]);
    let all = ids(&mut desk, json!({"include_withdrawn": true}));
    assert_eq!(
        all,
        [
            format!("{loose} \"Filed twice\""),
            format!("{held} null"),
            format!("{paper} \"Superseded\"")
        ]
    );
    // Nothing is ever erased.
    let got = desk.ok("books.get_receipt", json!({"attachment_id": paper}));
    assert_eq!(
        (&got["withdrawn"], &got["category"]),
        (&json!(true), &json!("legal"))
    );
    desk.ok("books.verify", json!({}));
}

/// Ten thousand files on one subject are listed a page at a time, each page in a moment.
#[test]
fn many_files() {
    let count: usize = std::env::var("WB_FILES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(300);
    let mut desk = desk();
    desk.in_pages();
    for _ in 0..count {
        filed(&mut desk, "photo", json!([company()]));
    }
    let mut slowest = 0;
    let (mut offset, mut seen) = (json!(0), 0);
    while offset.is_number() {
        let begun = Instant::now();
        let page = desk.ok(
            "books.attachments",
            json!({"subject": company(), "offset": offset}),
        );
        slowest = slowest.max(begun.elapsed().as_micros());
        seen += page["attachments"].as_array().map_or(0, Vec::len);
        assert_eq!(page["total"], json!(count));
        offset = page["next_offset"].clone();
    }
    assert_eq!(seen, count);
    let told = format!("the slowest page of {count} files took {slowest} µs\n");
    io::stdout().write_all(told.as_bytes()).expect("an output");
}
