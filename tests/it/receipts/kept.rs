//! The stored files: damage is told, never given back as a receipt, and mended by the same bytes.

use super::*;
use crate::stage::Stage;

/// A damaged or missing file is refused as damage by `receipt get`, ends `wb verify` with exit 5, and is mended by attaching
/// the same bytes again.
#[test]
fn damage_and_mending() {
    let stage = Stage::small();
    stage.put("paper.pdf", PDF);
    let filed = stage.must("receipt attach {here}/paper.pdf --json").json();
    let blob = stage
        .books()
        .join("data/blobs")
        .join(filed["sha256"].as_str().expect("a hash"));
    let damage: [&dyn Fn(); 2] = [
        &|| fs::write(&blob, b"%PDF-1.4\nPaper 99.00\n").expect("a file to damage"),
        &|| fs::remove_file(&blob).expect("a file to remove"),
    ];
    for harm in damage {
        harm();
        let said = stage.wb("receipt get 1 --json");
        assert_eq!(
            (said.exit, &said.json()["error"]["code"]),
            (5, &json!("damaged")),
            "{said:?}"
        );
        assert_eq!(stage.wb("verify").exit, 5);
        // What the books say of it can still be read.
        stage.must("receipt list");
        let again = stage.must("receipt attach {here}/paper.pdf --json").json();
        assert_eq!(again["deduplicated"], json!(true));
        stage.must("receipt get 1 --json");
        stage.must("verify");
    }
}

/// A receipt whose stored file is gone or cut short does not count: the refusal names it and what helps, and the same file
/// attached again satisfies. Nothing is looked for where no receipt is needed.
#[test]
fn lost_bytes_do_not_count() {
    let mut desk = desk("");
    let large = draft(
        &mut desk,
        ("2026-10-10", "Paper"),
        &["6800:dr:80.00", "1000:cr:80.00"],
    );
    let small = draft(
        &mut desk,
        ("2026-10-11", "Pen"),
        &["6800:dr:2.00", "1000:cr:2.00"],
    );
    let blob = desk
        .paths()
        .blobs()
        .join(attach(&mut desk, large)["sha256"].as_str().expect("a hash"));
    attach(&mut desk, small);
    let message = "entry 1 has debits of 80.00, strictly greater than 25.00; it has no receipt that counts: the stored file of \
                   receipt 1 is missing or cut short";
    let want = json!({
        "code": "receipt_required", "message": message, "entry_id": 1, "debits": "80.00",
        "policy": "strictly greater than 25.00", "receipts_lost": [1], "remedy_tool": "books.attach_receipt",
        "remedy_hint": "attach the same file again with `wb receipt attach FILE --entry 1`, or put data/blobs back from a backup; \
                        `wb verify` names what is lost",
    });
    let damage: [&dyn Fn(); 2] = [
        &|| fs::write(&blob, &PDF[..9]).expect("a file to cut short"),
        &|| fs::remove_file(&blob).expect("a file to remove"),
    ];
    for harm in damage {
        harm();
        let shown = previewed(&mut desk, large);
        assert_eq!(
            (&shown["receipts"], &shown["receipt_missing"]),
            (&json!([]), &json!(true))
        );
        assert_eq!(post(&mut desk, large), Err(want.clone()));
        let told = desk.ok("books.get_entry", json!({"entry_id": large}));
        assert_eq!(told["receipt_missing"], json!(true));
    }
    let posted = post(&mut desk, small).expect("a posting that needs none");
    assert_eq!(posted["receipts"][0]["attachment_id"], json!(2));
    attach(&mut desk, large);
    let posted = post(&mut desk, large).expect("a posting");
    let ids: Vec<&Value> = posted["receipts"]
        .as_array()
        .expect("receipts")
        .iter()
        .map(|one| &one["attachment_id"])
        .collect();
    assert_eq!(ids, [&json!(1), &json!(3)]);
}

/// A file goes where `--output` says, byte for byte; standard output takes it with `-`, and a page never shows base64.
#[test]
fn written_out() {
    let stage = Stage::small();
    stage.put("paper.pdf", PDF);
    let said = stage.must("receipt attach {here}/paper.pdf --description 'Two reams'");
    assert!(said.out.starts_with("Receipt 1, filed\n"), "{said:?}");
    let page = stage.must("receipt get 1").out;
    assert!(
        !page.contains(&BASE64.encode(PDF)) && page.contains("--output FILE"),
        "{page}"
    );
    stage.must("receipt get 1 --output {here}/copy.pdf");
    assert_eq!(
        fs::read(stage.here().join("copy.pdf")).expect("a copy"),
        PDF
    );
    let said = stage.must("receipt get 1 --output -");
    assert_eq!(said.out.as_bytes(), PDF);
}

/// On the terminal the name comes from the path and the type from the bytes; standard input has no name of its own.
#[test]
fn names_from_paths() {
    let stage = Stage::small();
    stage.put("a b.pdf", PDF);
    let filed = stage.must("receipt attach '{here}/a b.pdf' --json").json();
    assert_eq!(filed["file_name"], json!("a b.pdf"));
    let filed = stage
        .must("receipt attach '{here}/a b.pdf' --file-name other.pdf --json")
        .json();
    assert_eq!(filed["file_name"], json!("other.pdf"));
    stage.put("large.txt", vec![b'a'; 26_214_401]);
    let said = stage.wb("receipt attach {here}/large.txt");
    assert_eq!(said.exit, 2, "{said:?}");
}

/// A stored file that no event speaks of, as a kill between storing and committing leaves it, harms nothing: the books verify,
/// and attaching it uses it.
#[test]
fn stored_and_not_committed() {
    let stage = Stage::small();
    stage.put("paper.pdf", PDF);
    stage.must("receipt attach {here}/paper.pdf");
    let text = b"orphan\n";
    // `printf 'orphan\n' | sha256sum`
    let sha256 = "2b2d2fa0c84d999ef6544e65d0488c82b9c11c4a08b7bf2925d130b366a3795b";
    fs::write(stage.books().join("data/blobs").join(sha256), text).expect("a file");
    stage.must("verify");
    stage.put("orphan.txt", text);
    let filed = stage.must("receipt attach {here}/orphan.txt --json").json();
    assert_eq!(
        (&filed["sha256"], &filed["deduplicated"]),
        (&json!(sha256), &json!(false))
    );
    stage.must("verify");
}
