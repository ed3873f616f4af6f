//! Files that are named by a path: from the inbox, from folders that the settings open, and from nowhere else. And a bank's
//! export that was filed before it is imported.

use std::{fs, os::unix::fs::symlink};

use super::*;

fn put(desk: &Desk, name: &str, text: &str) {
    let path = desk.paths().root.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
}

fn import(path: &str) -> Value {
    json!({"path": path, "category": "receipt"})
}

/// spec/reliability.md §6.13: a file of the inbox is filed as a receipt or a document, with what is said of it.
#[test]
fn filed_from_the_inbox() {
    let mut desk = desk();
    let at = draft(&mut desk, "30.00");
    put(&desk, "inbox/tea.txt", "Tea 30.00\n");
    put(&desk, "inbox/2026/lease.txt", "Lease\n");
    let mut args = import("inbox/tea.txt");
    args["entry_id"] = at.into();
    args["link_to"] = json!([company()]);
    let filed = desk.ok("books.import_local_file", args);
    assert_eq!(
        (&filed["file_name"], filed["links"].as_array().map(Vec::len)),
        (&json!("tea.txt"), Some(2))
    );
    let absolute = desk
        .paths()
        .root
        .join("inbox/2026/lease.txt")
        .to_string_lossy()
        .into_owned();
    let args = json!({"path": absolute, "category": "document", "document_category": "contract", "description": "The shop"});
    desk.ok("books.import_local_file", args);
    let listed = desk.ok("books.list_receipts", json!({}));
    let categories: Vec<_> = listed["receipts"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["category"].clone())
        .collect();
    assert_eq!(categories, [Value::Null, json!("contract")]);
    desk.ok("books.post_entry", json!({"entry_id": at}));
}

/// The inbox that is there by custom is a folder and no link; a file that is one of the books' own under another name is not read.
/// A folder that a person names may be a link.
#[test]
fn other_names() {
    let mut desk = desk();
    let root = desk.paths().root;
    put(&desk, "elsewhere/note.txt", "x");
    let _ = fs::remove_dir(root.join("inbox"));
    symlink(root.join("elsewhere"), root.join("inbox")).expect("a link");
    assert_eq!(
        code(
            &mut desk,
            "books.import_local_file",
            import("inbox/note.txt")
        ),
        "local_file_closed"
    );
    fs::remove_file(root.join("inbox")).expect("the link goes");
    fs::create_dir(root.join("inbox")).expect("a folder");
    fs::hard_link(desk.paths().mirror(), root.join("inbox/journal.txt")).expect("another name");
    assert_eq!(
        code(
            &mut desk,
            "books.import_local_file",
            import("inbox/journal.txt")
        ),
        "local_file_closed"
    );
    put(&desk, "inbox/note.txt", "x");
    desk.ok("books.import_local_file", import("inbox/note.txt"));
}

/// spec/reliability.md §6.13: what lies elsewhere, is hidden, is a link, a folder or too large is not read, and nothing of it
/// is said but the path.
#[test]
fn refused() {
    let mut desk = desk();
    put(&desk, "inbox/.secret", "x");
    put(&desk, "vault/tin", "123-45-6789");
    put(&desk, "inbox/a/b.txt", "x");
    let root = desk.paths().root;
    symlink(root.join("vault/tin"), root.join("inbox/tin")).expect("a link");
    symlink(root.join("vault"), root.join("inbox/away")).expect("a link");
    fs::write(root.join("inbox/large.txt"), vec![b'a'; 26_214_401]).expect("a file");
    for (path, want) in [
        ("inbox/none.txt", "local_file_absent"),
        ("inbox/large.txt", "file_too_large"),
        ("inbox/.secret", "local_file_closed"),
        ("inbox/tin", "local_file_closed"),
        ("inbox/away/tin", "local_file_closed"),
        ("inbox/a", "local_file_closed"),
        ("inbox/../vault/tin", "local_file_closed"),
        ("vault/tin", "local_file_closed"),
        ("data/wanderbooks.db", "local_file_closed"),
        ("wanderbooks.toml", "local_file_closed"),
        ("/etc/passwd", "local_file_closed"),
        ("/proc/self/environ", "local_file_closed"),
        ("/dev/null", "local_file_closed"),
        ("", "local_file_closed"),
    ] {
        let (_, no) = desk.no("books.import_local_file", import(path));
        assert_eq!((&no["code"], &no["path"]), (&json!(want), &json!(path)));
        assert!(!no.to_string().contains("6789"), "{no}");
    }
    let mut args = import("inbox/a/b.txt");
    args["document_category"] = "legal".into();
    assert_eq!(
        code(&mut desk, "books.import_local_file", args),
        "invalid_arguments"
    );
    let args = json!({"path": "inbox/a/b.txt", "category": "document", "entry_id": 1});
    assert_eq!(
        code(&mut desk, "books.import_local_file", args),
        "invalid_arguments"
    );
}

/// `[files] import_dirs` opens other folders in place of the inbox, and never the vault, the data or the key.
#[test]
fn opened_by_settings() {
    let mut desk = desk();
    let scans = desk.folder.path().join("scans");
    fs::create_dir(&scans).expect("a folder");
    for (name, text) in [("tea.txt", "Tea\n"), ("key.txt", "secret\n")] {
        fs::write(scans.join(name), text).expect("a file");
    }
    put(&desk, "inbox/tea.txt", "Tea\n");
    put(&desk, "vault/tin.txt", "x\n");
    let scans = scans.to_string_lossy().into_owned();
    desk.settle(&format!(
        "[files]\nimport_dirs = [\"{scans}\", \"vault\", \"data\"]\n[vault]\nkey_file = \"{scans}/key.txt\"\n"
    ));
    desk.ok(
        "books.import_local_file",
        import(&format!("{scans}/tea.txt")),
    );
    for path in [
        &format!("{scans}/key.txt"),
        "vault/tin.txt",
        "data/journal.jsonl",
        "inbox/tea.txt",
    ] {
        assert_eq!(
            code(&mut desk, "books.import_local_file", import(path)),
            "local_file_closed",
            "{path}"
        );
    }
}

/// A bank's export that was filed is checked before any draft, and linked to the bank account once, never to the drafts.
#[test]
fn source_of_an_import() {
    let mut desk = desk();
    let csv = "Date,Description,Amount\n10/01/2026,TEA,-3.00\n";
    let mut file = |category: &str| {
        let args = json!({"category": category, "file_name": "oct.csv", "content_base64": BASE64.encode(csv.as_bytes())});
        desk.ok("books.file_document", args)["attachment_id"]
            .as_i64()
            .expect("an id")
    };
    let (source, paper, gone) = (
        file("import_source"),
        file("statement"),
        file("import_source"),
    );
    desk.ok(
        "books.withdraw_attachment",
        json!({"attachment_id": gone, "reason": "x"}),
    );
    let args = |id: i64| {
        json!({"csv_text": csv, "bank_account_code": "1000", "default_offset_code": "6800", "date_order": "mdy",
        "sign": "in_positive", "source_attachment_id": id})
    };
    let tool = "books.import_bank_csv";
    for (id, want) in [
        (99, "unknown_attachment"),
        (paper, "not_import_source"),
        (gone, "attachment_withdrawn"),
    ] {
        assert_eq!(code(&mut desk, tool, args(id)), want);
    }
    assert_eq!(
        desk.ok("books.search_entries", json!({}))["total"],
        json!(0)
    );
    let first = desk.ok(tool, args(source));
    assert_eq!(
        (&first["imported"], &first["source_linked"]),
        (&json!(1), &json!(true))
    );
    let again = desk.ok(tool, args(source));
    assert_eq!(
        (&again["imported"], &again["source_linked"]),
        (&json!(0), &json!(false))
    );
    let account = json!({"kind": "account", "id": "1000"});
    assert_eq!(on(&mut desk, account), [source]);
    assert_eq!(
        on(
            &mut desk,
            entry(first["first_entry_id"].as_i64().expect("an id"))
        ),
        Vec::<i64>::new()
    );
    let mut other = args(source);
    other["csv_text"] = "Date,Description,Amount\n10/02/2026,TEA,-4.00\n".into();
    let told = desk.ok(tool, other);
    assert!(
        told["warnings"][0]
            .as_str()
            .is_some_and(|w| w.contains("not byte for byte")),
        "{told}"
    );
}
