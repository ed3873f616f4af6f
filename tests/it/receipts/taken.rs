//! What may be attached and linked, and what a refusal or a preview leaves behind: nothing.

use super::*;

/// A file that is attached is answered with its id, hash and link, told in the list, and given back byte for byte.
#[test]
fn attached_and_given_back() {
    let mut desk = desk("");
    let id = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:12.00", "1000:cr:12.00"],
    );
    let mut args = attachment("C:\\Scans\\pa\u{200b}per.pdf", PDF);
    args["entry_id"] = id.into();
    args["mime_type"] = "application/pdf".into();
    args["description"] = "Two reams".into();
    let filed = desk.ok("books.attach_receipt", args);
    // `printf '%%PDF-1.4\nPaper 12.00\n' | sha256sum`
    let sha256 = "f2c1fa40e98a5bd0d9dd1d436a818b0faa7a802d46ccb1404bfdfe887e4b7a16";
    let links = json!([{"kind": "entry", "id": 1, "label": "2026-10-10 Paper"}]);
    let keys = [
        "attachment_id",
        "file_name",
        "text_cleaned",
        "sha256",
        "deduplicated",
        "links",
    ];
    let want = json!({"attachment_id": 1, "file_name": "paper.pdf", "text_cleaned": true, "sha256": sha256,
        "deduplicated": false, "links": links});
    assert_eq!(pick(&filed, &keys), pick(&want, &keys));
    let want = json!({"attachment_id": 1, "file_name": "paper.pdf", "mime_type": "application/pdf", "bytes": 21,
        "sha256": sha256, "description": "Two reams", "withdrawn": false, "links": links});
    let listed = desk.ok("books.list_receipts", json!({}));
    assert_eq!(
        (&listed["receipts"], &listed["total"]),
        (&json!([want]), &json!(1))
    );
    let got = desk.ok("books.get_receipt", json!({"attachment_id": 1}));
    assert_eq!(got["content_base64"], json!(BASE64.encode(PDF)));
    let keys: Vec<&str> = want
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(pick(&got, &keys), want);
}

/// The same bytes again are a new attachment on the same stored file.
#[test]
fn stored_once() {
    let mut desk = desk("");
    let first = desk.ok("books.attach_receipt", attachment("a.pdf", PDF));
    let again = desk.ok("books.attach_receipt", attachment("b.pdf", PDF));
    let keys = ["attachment_id", "deduplicated"];
    assert_eq!(
        pick(&first, &keys),
        json!({"attachment_id": 1, "deduplicated": false})
    );
    assert_eq!(
        pick(&again, &keys),
        json!({"attachment_id": 2, "deduplicated": true})
    );
    assert_eq!(first["sha256"], again["sha256"]);
    assert_eq!(contents(&desk.paths().blobs()).len(), 1);
}

/// spec/reliability.md D2: what is refused is refused by code, names what it is about, and leaves the books as they were, byte
/// for byte; so does a preview.
#[test]
fn refused_and_previewed() {
    let mut desk = desk("");
    let id = draft(
        &mut desk,
        ("2026-10-10", "Gone"),
        &["6800:dr:12.00", "1000:cr:12.00"],
    );
    desk.ok("books.discard_draft", json!({"entry_id": id}));
    let with = |mut args: Value, key: &str, value: Value| {
        args[key] = value;
        args
    };
    let pdf = || attachment("a.pdf", PDF);
    let cases = [
        (attachment("a.pdf", b""), "file_empty"),
        (attachment("a.pdf", b"MZ\x90\0"), "file_type_unknown"),
        (attachment("a.txt", b"text\0"), "file_type_unknown"),
        (
            with(pdf(), "mime_type", "image/png".into()),
            "file_type_mismatch",
        ),
        (with(pdf(), "entry_id", 99.into()), "unknown_entry"),
        (with(pdf(), "entry_id", id.into()), "entry_discarded"),
        (with(pdf(), "file_name", "a/".into()), "bad_text"),
        (with(pdf(), "description", "".into()), "bad_text"),
        (
            json!({"content_base64": BASE64.encode(PDF)}),
            "invalid_arguments",
        ),
        (
            attachment("a.txt", &vec![b'a'; 26_214_401]),
            "file_too_large",
        ),
        (
            attachment("a.txt", &vec![b'a'; 27_000_000]),
            "invalid_arguments",
        ),
    ];
    desk.close();
    let before = contents(desk.folder.path());
    desk.reopen();
    for (args, code) in cases {
        let (_, refused) = desk.no("books.attach_receipt", args);
        assert_eq!(refused["code"], json!(code), "{refused}");
        if code == "invalid_arguments" {
            let field = refused["field"].as_str().expect("a field");
            assert!(
                ["file_name", "content_base64"].contains(&field),
                "{refused}"
            );
        }
    }
    let shown = desk.ok("books.attach_receipt", with(pdf(), "preview", true.into()));
    assert_eq!(shown["status"], json!("preview"));
    assert_eq!(shown.get("attachment_id"), None);
    desk.close();
    let after = contents(desk.folder.path());
    // SQLite's index of its log holds locks' places, and none of the books.
    let names = |all: &BTreeMap<String, Vec<u8>>| all.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&after), names(&before));
    let changed = before
        .iter()
        .filter(|(name, bytes)| after[*name] != **bytes);
    let changed: Vec<&String> = changed.map(|(name, _)| name).collect();
    assert_eq!(changed, Vec::<&String>::new());
}

/// A mismatch names both types: what was stated and what the bytes are.
#[test]
fn both_types_are_named() {
    let mut desk = desk("");
    let mut args = attachment("a.png", PDF);
    args["mime_type"] = "image/png".into();
    let (kind, refused) = desk.no("books.attach_receipt", args);
    let want = json!({
        "code": "file_type_mismatch",
        "message": "the file is application/pdf by its first bytes, not \"image/png\"",
        "mime_type": "image/png", "found": "application/pdf",
        "remedy_hint": "state what the file is, or leave the type out",
    });
    assert_eq!((kind, refused), ("refused", want));
}

/// A receipt that waits is linked once; one that is on an entry is refused with where, and so are things that there are not.
#[test]
fn linked_once() {
    let mut desk = desk("");
    let lines = ["6800:dr:12.00", "1000:cr:12.00"];
    let one = draft(&mut desk, ("2026-10-10", "Paper"), &lines);
    let two = draft(&mut desk, ("2026-10-11", "Pens"), &lines);
    desk.ok("books.attach_receipt", attachment("a.pdf", PDF));
    let link = |receipt: i64, entry: i64| json!({"receipt_id": receipt, "entry_id": entry});
    let (_, refused) = desk.no("books.link_receipt", link(9, one));
    assert_eq!(
        pick(&refused, &["code", "attachment_id"]),
        json!({"code": "unknown_attachment", "attachment_id": 9})
    );
    let (_, refused) = desk.no("books.link_receipt", link(1, 99));
    assert_eq!(refused["code"], json!("unknown_entry"));
    let linked = desk.ok("books.link_receipt", link(1, one));
    assert_eq!(
        linked["links"],
        json!([{"kind": "entry", "id": 1, "label": "2026-10-10 Paper"}])
    );
    for entry in [one, two] {
        let (_, refused) = desk.no("books.link_receipt", link(1, entry));
        let told = pick(&refused, &["code", "message", "attachment_id", "entry_id"]);
        let want = json!({"code": "receipt_linked", "message": "receipt 1 is on entry 1 already", "attachment_id": 1, "entry_id": 1});
        assert_eq!(told, want);
    }
    desk.ok("books.discard_draft", json!({"entry_id": two}));
    desk.ok("books.attach_receipt", attachment("b.pdf", PDF));
    let (_, refused) = desk.no("books.link_receipt", link(2, two));
    assert_eq!(refused["code"], json!("entry_discarded"));
    let of = |desk: &mut Desk, args: Value| {
        let listed = desk.ok("books.list_receipts", args);
        let ids = listed["receipts"].as_array().expect("a list").iter();
        ids.map(|r| r["attachment_id"].as_i64().expect("an id"))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&mut desk, json!({})), [1, 2]);
    assert_eq!(of(&mut desk, json!({"entry_id": one})), [1]);
    assert_eq!(of(&mut desk, json!({"entry_id": two})), Vec::<i64>::new());
    assert_eq!(of(&mut desk, json!({"limit": 1, "offset": 1})), [2]);
    let (_, refused) = desk.no("books.list_receipts", json!({"entry_id": 99}));
    assert_eq!(refused["code"], json!("unknown_entry"));
}

/// A receipt whose draft was discarded is free: it is linked to the entry that stands in the draft's place, and then to no other.
#[test]
fn free_when_the_draft_is_discarded() {
    let mut desk = desk("");
    let lines = ["6800:dr:80.00", "1000:cr:80.00"];
    let first = draft(&mut desk, ("2026-10-10", "Paper"), &lines);
    let second = draft(&mut desk, ("2026-10-11", "Paper"), &lines);
    attach(&mut desk, first);
    let link = |desk: &mut Desk, entry: i64| {
        let args = json!({"receipt_id": 1, "entry_id": entry});
        let linked = desk.call("books.link_receipt", args);
        linked.map_err(|no| no.code().expect("a code"))
    };
    assert_eq!(link(&mut desk, second), Err("receipt_linked"));
    desk.ok("books.discard_draft", json!({"entry_id": first}));
    assert_eq!(link(&mut desk, first), Err("entry_discarded"));
    let linked = link(&mut desk, second).expect("it is free");
    assert_eq!(linked["links"][0]["id"], json!(second));
    let listed = desk.ok("books.list_receipts", json!({"entry_id": first}));
    assert_eq!(listed["total"], json!(0));
    post(&mut desk, second).expect("a posting");
    let third = draft(&mut desk, ("2026-10-12", "Paper"), &lines);
    assert_eq!(link(&mut desk, third), Err("receipt_linked"));
    // Both ways to the tables agree: as it happened, and folded again from the journal.
    assert_eq!(desk.ok("books.verify", json!({}))["status"], json!("ok"));
}
