//! Backups of books whose stored files are missing or damaged.

use std::{path::Path, rc::Rc};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wanderbooks::{
    engine::{Domain, Event, EventDef, Hooks, Occasion, projection},
    model::hex,
    store::{
        Column, Envelope, Fold, FoldResult, Holds, Line, Paths, Restoring, Store, StoreError, Table,
    },
};

use super::*;

/// A table that names a stored file, and the event that fills it.
static RECEIPT: Table = Table {
    name: "receipt",
    columns: &[Column::int("id"), Column::file("sha256")],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};

/// A file was kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    sha256: String,
}

impl Event for Kept {
    const KIND: &'static str = "receipt.kept";
    const V: u32 = 1;
    const ABOUT: &'static str = "A file was kept.";
    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        tables.insert(&RECEIPT, &[at.seq.into(), (&self.sha256).into()])
    }
}

static RECEIPTS: Domain = Domain {
    name: "receipts",
    about: "",
    groups: &[],
    operations: &[],
    events: &[EventDef::of::<Kept>()],
    tables: &[&RECEIPT],
    fold_version: 1,
    hooks: Hooks::NONE,
};

static DOMAINS: &[&Domain] = &[&RECEIPTS];

/// Books that name one stored file, by the store alone.
fn with_a_file(paths: Paths) -> Store {
    let projection = projection(DOMAINS);
    let mut store = Store::create(paths.clone(), Rc::clone(&projection), None).expect("new books");
    let mut change = store.write().expect("a change");
    let sha256 = change.keep(b"a receipt".to_vec().into());
    let created = r#"{"books_id":"0123456789abcdef0123456789abcdef","currency":"USD","exponent":2,"format":1,"wb":"0.1.0"}"#;
    let kept = json!({"sha256": sha256}).to_string();
    for (more, kind, data) in [
        (true, "books.created", created),
        (false, "receipt.kept", &kept),
    ] {
        let line = Line {
            more,
            at: "2026-11-30T08:51:40Z",
            by: "{}",
            request: None,
            kind,
            v: 1,
            data,
        };
        let head = change.append(&line).expect("a line");
        let body = change
            .view()
            .line(head.seq)
            .expect("asked")
            .expect("a line");
        let envelope: Envelope<'_> = serde_json::from_str(&body).expect("a line");
        let fold = |tables: &mut Fold<'_>| (projection.fold)(&envelope, tables);
        change.fold(fold).expect("folded");
    }
    change.commit().expect("committed");
    drop(store);
    Store::open(paths, projection, None).expect("books")
}

/// Books with a stored file that is missing or damaged are backed up all the same: the manifest names it, and so do the books
/// that are made of the backup. A file that is lost from the backup alone is damage.
#[test]
fn lost_files() {
    let place = tempfile::tempdir().expect("a folder");
    let paths = Paths::within(&place.path().join("books"));
    let store = with_a_file(paths.clone());
    let sha256 = hex(&Sha256::digest(b"a receipt"));
    let blob = paths.blobs().join(&sha256);
    let restored = |backup: &Path, into: &str| {
        let into = &place.path().join(into);
        let what = Restoring {
            folder: backup,
            into,
            without_damaged: false,
        };
        Store::restore(what, projection(DOMAINS), None)
    };
    let at = "2026-11-30T08:51:40Z";
    let whole = place.path().join("whole");
    let (made, _) = store.backup(&whole, at).expect("a backup");
    assert_eq!(made.lost, Vec::<String>::new());
    restored(&whole, "of whole").expect("books");
    let back = place.path().join("of whole/data/blobs").join(&sha256);
    assert_eq!(fs::read(back).expect("a file"), b"a receipt");
    for (name, text) in [("changed", Some("another")), ("gone", None)] {
        match text {
            Some(text) => fs::write(&blob, text).expect("changed"),
            None => fs::remove_file(&blob).expect("removed"),
        }
        let target = place.path().join(name);
        let (made, _) = store.backup(&target, at).expect("a backup");
        assert_eq!(made.lost, std::slice::from_ref(&sha256), "{name}");
        let found = restored(&target, &format!("of {name}")).expect("books");
        assert_eq!(found.backup.lost, std::slice::from_ref(&sha256), "{name}");
    }
    // Taken out of the backup, and out of its manifest with it.
    fs::remove_file(whole.join("data/blobs").join(&sha256)).expect("removed");
    let manifest = whole.join("MANIFEST.json");
    let mut said: Value =
        serde_json::from_slice(&fs::read(&manifest).expect("a manifest")).expect("JSON");
    let files = said["files"].as_array_mut().expect("files");
    files.retain(|file| !file["path"].as_str().expect("a path").contains("blobs"));
    fs::write(&manifest, said.to_string()).expect("written");
    let no = restored(&whole, "never").expect_err("a refusal");
    assert!(matches!(no, StoreError::BadCopy(_)), "{no}");
}
