//! How a server starts: what is refused before anything is served, and what verification does behind the first calls.

use std::path::Path;

use wanderbooks::faces::mcp::toolset;

use super::*;

fn ended(options: Options, house: &House) -> Result<(), No> {
    let nothing = io::Cursor::new(Vec::new());
    let wire = wire::Wire::new(nothing, io::sink(), wire::LINE_BYTES_MAX).expect("threads");
    serve_over(options, house.world(), wire)
}

fn refusal(ended: Result<(), No>) -> Value {
    ended.expect_err("a refusal").to_value()
}

/// Books that are not there, and a toolset that does not exist, are refused before anything is served.
#[test]
fn refused_before_anything_is_served() {
    let house = house();
    let mut options = house.options.clone();
    options.tools = Some(vec!["entry".to_owned(), "entree".to_owned()]);
    let mut sets: Vec<&str> = Vec::new();
    for set in operations().map(toolset) {
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    let expected = json!({
        "code": "invalid_arguments",
        "message": format!("there is no toolset \"entree\"; there are {}", sets.join(", ")),
        "field": "tools",
    });
    assert_eq!(refusal(ended(options, &house)), expected);
    let mut options = house.options.clone();
    options.paths = Paths::within(&house.folder.path().join("elsewhere"));
    assert_eq!(refusal(ended(options, &house))["code"], json!("no_books"));
}

/// A client that goes before it says anything ends the server without an error.
#[test]
fn nothing_said_is_no_error() {
    let house = house();
    ended(house.options.clone(), &house).expect("the end of the input is no error");
}

/// The handshake, the list of tools and `ping` are answered while the books are still verified; the first call waits.
#[test]
fn verification_delays_only_calls() {
    let house = House::new(trial::HELD_UP, "");
    let mut client = Client::of(&house, Era::Handshake);
    trial::VERIFYING.reached();
    assert!(!client.tools().is_empty());
    let call = client.begin_call("books.search_entries", json!({}));
    // The answer to the later request comes first, since the call waits for the verification.
    client.ask("ping", json!({}));
    trial::VERIFYING.open();
    let answer = client.hear();
    assert_eq!(answer["id"], json!(call));
    client
        .read("books.search_entries", &answer)
        .expect("a result");
    client.leave().expect("the end of the input is no error");
}

fn tamper(house: &House, sql: &str) {
    let db = rusqlite::Connection::open(house.options.paths.database()).expect("a database");
    db.execute_batch(sql).expect("SQL that works");
}

/// The SQL that takes away what guards the journal.
fn without_triggers(house: &House) -> String {
    let db = rusqlite::Connection::open(house.options.paths.database()).expect("a database");
    let sql =
        "SELECT group_concat('DROP TRIGGER ' || name, ';') FROM sqlite_schema WHERE type='trigger'";
    db.query_row(sql, [], |row| row.get(0)).expect("triggers")
}

fn kept_beside(data: &Path) -> usize {
    let names = std::fs::read_dir(data).expect("a folder");
    names
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("wanderbooks.mismatch."))
        .count()
}

/// Tables that were changed behind the journal's back are folded again before the first answer; the file is kept.
#[test]
fn changed_tables_are_mended_first() {
    let house = house();
    tamper(&house, "UPDATE account SET name='Forged' WHERE code='6800'");
    let mut client = Client::of(&house, Era::Stateless);
    let lines = json!([{"account": "6800", "side": "debit", "amount": "1.00"}]);
    let args = json!({"date": "2026-11-03", "description": "Paper", "lines": lines});
    let drafted = client.call("books.draft_entry", args).expect("a draft");
    assert_eq!(drafted["lines"][0]["account_name"], json!("Account 6800"));
    client.leave().expect("the end of the input is no error");
    assert_eq!(kept_beside(&house.options.paths.data), 1);
}

/// Books whose journal is broken answer what is read and refuse what is written; nothing is mended.
#[test]
fn broken_journal_closes_the_books_to_writing() {
    let house = house();
    tamper(&house, &without_triggers(&house));
    let change = "UPDATE event SET body=replace(body,'Account','Acc0unt') WHERE seq=3";
    tamper(&house, change);
    let mut client = Client::of(&house, Era::Stateless);
    let found = client.call("books.search_entries", json!({}));
    assert_eq!(found.expect("a result")["total"], json!(0));
    let args = json!({"date": "2026-11-03", "description": "Paper"});
    let refused = client
        .call("books.draft_entry", args)
        .expect_err("a refusal");
    assert_eq!(refused["code"], json!("damaged"), "{refused}");
    client.leave().expect("the end of the input is no error");
    assert_eq!(kept_beside(&house.options.paths.data), 0);
}

fn code(answered: Result<Value, Value>) -> Value {
    answered.expect_err("a refusal")["code"].clone()
}

/// Tables that are wrong and cannot be mended answer nothing, not even what is read, until upkeep finds them mended.
#[test]
fn wrong_tables_answer_nothing() {
    let house = House::new(trial::DOMAINS, "");
    tamper(&house, "UPDATE account SET name='Forged' WHERE code='6800'");
    // The file as it was found cannot be kept, because every name for it is taken.
    let data = &house.options.paths.data;
    let name =
        |number: &str| data.join(format!("wanderbooks.mismatch.20261130T120000Z{number}.db"));
    let taken: Vec<_> = std::iter::once(name(""))
        .chain((2..=1_000).map(|n| name(&format!("-{n}"))))
        .collect();
    for path in &taken {
        std::fs::write(path, "").expect("a file");
    }
    let mut client = Client::of(&house, Era::Stateless);
    let read = client.call("books.search_entries", json!({}));
    let refused = read.expect_err("a refusal");
    assert_eq!(
        (&refused["code"], &refused["tables"]),
        (&json!("damaged"), &json!(["account"]))
    );
    let args = json!({"date": "2026-11-03", "description": "Paper"});
    let written = client.call("books.draft_entry", args.clone());
    assert_eq!(code(written), json!("damaged"));
    for path in &taken {
        std::fs::remove_file(path).expect("a file");
    }
    client.call("trial.look", json!({})).expect("a result");
    client.call("books.draft_entry", args).expect("a draft");
    client.leave().expect("the end of the input is no error");
}

/// Books that cannot be verified answer what is read and refuse what is written.
#[test]
fn unverified_books_are_not_written_to() {
    let house = House::new(trial::DOUBTED, "");
    let mut client = Client::of(&house, Era::Handshake);
    let found = client.call("books.search_entries", json!({}));
    assert_eq!(found.expect("a result")["total"], json!(0));
    let args = json!({"date": "2026-11-03", "description": "Paper"});
    let written = client.call("books.draft_entry", args);
    assert_eq!(code(written), json!("unverified"));
    client.leave().expect("the end of the input is no error");
}
