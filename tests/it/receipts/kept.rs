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
