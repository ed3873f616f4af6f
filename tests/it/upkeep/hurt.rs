//! A database hurt byte by byte: detected, and mended or refused; what is mended says what it said before.

use super::*;

/// spec/reliability.md 6.7: a byte of the database flipped, all over the file. Opening or verification says what is wrong, mends it
/// with the old file kept, or nothing was lost: the numbers are the golden ones. Where the database is refused as broken, the
/// mirror brings the books back.
#[test]
fn bytes_of_the_database() {
    let mut desk = small();
    let golden = desk.ok("books.trial_balance", json!({}))["lines"].clone();
    desk.close();
    let paths = desk.paths();
    let good = fs::read(paths.database()).expect("a database");
    let mirror = fs::read(paths.mirror()).expect("a mirror");
    let state = desk.folder.path().join("state");
    let (mut unharmed, mut healed, mut repaired) = (0, 0, 0);
    let step = good.len() / 150;
    for at in (0..100).chain((100..good.len()).step_by(step)) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x41;
        for entry in fs::read_dir(&paths.data).expect("a folder").flatten() {
            fs::remove_file(entry.path()).expect("removed");
        }
        fs::write(paths.database(), &bytes).expect("written");
        fs::write(paths.mirror(), &mirror).expect("written");
        let _ = fs::remove_dir_all(&state);
        let verified = desk
            .try_reopen()
            .and_then(|()| desk.call("books.verify", json!({})));
        match verified {
            Ok(answer) if answer["status"] == "healed" => {
                assert_eq!(kept(&desk).len(), 1, "byte {at}");
                healed += 1;
            }
            Ok(_) => unharmed += 1,
            Err(no) => {
                let word = crate::books::kind(&no);
                assert!(
                    ["damaged", "unavailable", "fault"].contains(&word),
                    "byte {at}: {no:?}"
                );
                if word != "damaged" {
                    continue;
                }
                desk.repaired();
                repaired += 1;
            }
        }
        assert_eq!(
            desk.ok("books.trial_balance", json!({}))["lines"],
            golden,
            "byte {at}"
        );
        assert_eq!(mended(&mut desk), sound(), "byte {at}");
    }
    assert!(
        healed > 3 && repaired > 10 && unharmed > 10,
        "{healed} {repaired} {unharmed}"
    );
}

/// The tables that Litestream keeps in the file are passed over, by opening, verifying, mending and backing up; a table that only
/// looks like one of them is not.
#[test]
fn replicated() {
    let lock = "CREATE TABLE _litestream_lock (id INTEGER)";
    let seq = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)";
    let mut desk = small();
    desk.tamper(&format!(
        "{lock}; {seq}; INSERT INTO _litestream_seq VALUES(1, 7)"
    ));
    assert_eq!((desk.alarm(), mended(&mut desk)), (None, sound()));
    desk.post("2026-03-20", &["1000:dr:1.00", "3000:cr:1.00"]);
    desk.ok(
        "backup",
        json!({"target": desk.folder.path().join("copy"), "drill": true}),
    );
    desk.tamper("UPDATE line SET amount=amount+1 WHERE entry_id=2 AND idx=0");
    assert_eq!(mended(&mut desk).0, "healed");
    let db = Connection::open(desk.paths().database()).expect("a database");
    let rows: i64 = db
        .query_row("SELECT seq FROM _litestream_seq", [], |row| row.get(0))
        .expect("still there");
    assert_eq!(rows, 7);
    let mut desk = small();
    desk.tamper("CREATE TABLE _litestream_lock (id INTEGER, more TEXT)");
    let want = healed(&["schema: a table that is not part of the books was added"]);
    assert_eq!(mended(&mut desk), want);
}

/// Replication that begins under open books adds its tables, and they go on taking changes; a trigger that is planted under them is
/// damage, and does not run once.
#[test]
fn replication_begins_under_open_books() {
    let mut desk = small();
    let beside = |desk: &Desk, sql: &str| {
        let db = Connection::open(desk.paths().database()).expect("a database");
        db.execute_batch(sql).expect("another program's tables");
    };
    beside(
        &desk,
        "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); CREATE TABLE _litestream_lock (id INTEGER)",
    );
    desk.post("2026-03-20", &["1000:dr:1.00", "3000:cr:1.00"]);
    assert_eq!(mended(&mut desk), sound());
    beside(
        &desk,
        "CREATE TRIGGER t AFTER INSERT ON line BEGIN DELETE FROM line; END",
    );
    let args = json!({"code": "6000", "name": "X", "type": "expense"});
    let (kind, _) = desk.no("books.add_account", args);
    assert_eq!((kind, trial_total(&mut desk)), ("damaged", json!("301.00")));
}
