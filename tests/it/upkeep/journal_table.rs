//! The table of the journal changed behind the program's back, its lines as they were.

use super::*;

/// What was done to the table of the journal itself is found and mended while the chain of its lines holds, and so is what SQLite
/// keeps by itself beside a planted table.
#[test]
fn journal_table_and_planted_ones() {
    found_and_mended(&[
        (
            "ALTER TABLE event ADD COLUMN note TEXT",
            "schema: table event is not as it was made",
        ),
        (
            "CREATE UNIQUE INDEX event_hash ON event(hash)",
            "schema: a index that is not part of the books was added",
        ),
        (
            "CREATE TABLE copied(seq INTEGER PRIMARY KEY, body, hash, extra); INSERT INTO copied SELECT *, 1 FROM event;
             DROP TABLE event; ALTER TABLE copied RENAME TO event",
            "schema: table event is not as it was made",
        ),
        (
            "CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT)",
            "schema: a table that is not part of the books was added",
        ),
        (
            "CREATE VIRTUAL TABLE found USING fts5(words)",
            "schema: a table that is not part of the books was added",
        ),
    ]);
}

/// A journal whose table has lost a column cannot be read: the refusal says to put a backup back, on every try.
#[test]
fn journal_table_without_its_column() {
    let mut desk = small();
    desk.close();
    let db = Connection::open(desk.paths().database()).expect("a database");
    db.execute_batch(&format!(
        "{LET_EVENTS_CHANGE} ALTER TABLE event RENAME COLUMN hash TO digest"
    ))
    .expect("renamed");
    drop(db);
    let (kind, refusal) = desk.unopened();
    let hint = refusal["remedy_hint"].as_str().expect("a remedy");
    assert_eq!(kind, "damaged");
    assert!(hint.contains("backup"), "{hint}");
}
