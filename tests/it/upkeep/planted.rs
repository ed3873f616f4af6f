//! Rows that no event makes, planted behind the program's back: mended as long as nothing is built on them, and named as the
//! break of the journal where something was.

use super::*;

const UNCHECKED: &str = "PRAGMA foreign_keys=OFF;";

/// Every table of the books, with values that fit its columns and that no event gives.
fn plants(desk: &Desk) -> Vec<(String, String)> {
    let db = Connection::open(desk.paths().database()).expect("a database");
    let mut named = db
        .prepare("SELECT name FROM sqlite_schema WHERE type='table' AND name NOT IN ('event','state') ORDER BY name")
        .expect("a question");
    let tables: Vec<String> = named
        .query_map([], |row| row.get(0))
        .expect("tables")
        .collect::<Result<_, _>>()
        .expect("names");
    let row = |table: &String| {
        let mut asked = db
            .prepare(&format!("SELECT type FROM pragma_table_info('{table}')"))
            .expect("a question");
        let kinds: Vec<String> = asked
            .query_map([], |row| row.get(0))
            .expect("columns")
            .collect::<Result<_, _>>()
            .expect("kinds");
        let values: Vec<&str> = kinds
            .iter()
            .map(|kind| if kind == "TEXT" { "'9f'" } else { "977" })
            .collect();
        format!(
            "{UNCHECKED} INSERT INTO {table} VALUES({})",
            values.join(",")
        )
    };
    tables
        .iter()
        .map(|table| (table.clone(), row(table)))
        .collect()
}

/// A row planted in any table, which refers to rows that are not there, is mended from the journal: one file is kept, and no
/// other when the books are verified again.
#[test]
fn in_any_table() {
    let tables = plants(&small());
    assert!(tables.len() > 10, "{tables:?}");
    for (table, sql) in tables {
        let mut desk = small();
        desk.close();
        let db = Connection::open(desk.paths().database()).expect("a database");
        db.execute_batch(&sql).expect(&sql);
        drop(db);
        if desk.try_reopen().is_err() {
            panic!("{table}: books that do not open");
        }
        let (status, found) = mended(&mut desk);
        assert_eq!(status, "healed", "{table}");
        assert!(
            found.iter().any(|f| f.starts_with(&format!("{table}: "))),
            "{table}: {found:?}"
        );
        assert_eq!((mended(&mut desk), kept(&desk).len()), (sound(), 1));
        assert_eq!(trial_total(&mut desk), "300.00", "{table}");
    }
}

/// Impossible accounts of several kinds are mended: under one that is not there, under itself, two in a circle, with amounts and
/// lines on them, of no type.
#[test]
fn impossible_accounts() {
    for sql in [
        "INSERT INTO account VALUES(9,'9000','Planted','asset',8,0,0,NULL)",
        "INSERT INTO account VALUES(9,'9000','Planted','asset',9,0,0,NULL)",
        "INSERT INTO account VALUES(8,'8000','A','asset',9,0,0,NULL),(9,'9000','B','asset',8,0,0,NULL)",
        "INSERT INTO account VALUES(9,'9000','Planted','nothing',NULL,7,-1,'x')",
        "INSERT INTO account VALUES(9,'9000','Planted','asset',8,0,0,NULL);
         INSERT INTO line(entry_id,idx,account_id,date,amount,closing) VALUES(1,2,9,20260101,5,0),(77,0,9,20260101,-5,0);
         INSERT INTO balance_month VALUES(9,0,202601,5,5,2)",
        "DELETE FROM account WHERE id=1",
        "UPDATE account SET id=5 WHERE id=1",
        "UPDATE account SET parent_id=4 WHERE id=1",
        "DELETE FROM entry; DELETE FROM account",
    ] {
        let mut desk = small();
        desk.tamper(&format!("{UNCHECKED} {sql}"));
        assert_eq!(mended(&mut desk).0, "healed", "{sql}");
        assert_eq!((mended(&mut desk), kept(&desk).len()), (sound(), 1), "{sql}");
        assert_eq!(trial_total(&mut desk), "300.00", "{sql}");
    }
}

/// Once an entry stands on a planted account, the journal refers to what it does not know. Verification names that event, keeps no
/// copy however often it is run, and the books are open for reading only, in every later process too.
#[test]
fn built_on() {
    let cases = [
        "INSERT INTO account VALUES(9,'9000','Planted','asset',NULL,0,0,NULL)",
        "INSERT INTO account VALUES(9,'9000','Planted','asset',8,0,0,NULL)",
    ];
    for sql in cases {
        let mut desk = small();
        desk.tamper(&format!("{UNCHECKED} {sql}"));
        desk.post("2026-03-20", &["9000:dr:1.00", "3000:cr:1.00"]);
        for _ in 0..3 {
            let (kind, refusal) = desk.no("books.verify", json!({}));
            assert_eq!(
                (kind, &refusal["code"], &refusal["seq"]),
                ("damaged", &json!("journal_damaged"), &json!(8)),
                "{refusal}"
            );
            let why = refusal["why"].as_str().expect("a reason");
            assert!(why.contains("account_id names a row of account"), "{why}");
            desk.reopen();
        }
        assert_eq!(kept(&desk), Vec::<String>::new());
        assert!(desk.alarm().is_some());
        // It can still be read.
        assert_eq!(trial_total(&mut desk), "301.00");
        let args = json!({"code": "6000", "name": "X", "type": "expense"});
        assert_eq!(desk.no("books.add_account", args).0, "damaged");
    }
}

/// A code that an account has by the journal, given away again because someone had taken it from the account's row, breaks the
/// journal at the event that gave it away.
#[test]
fn code_given_twice() {
    let mut desk = small();
    desk.tamper("UPDATE account SET code='1001' WHERE id=1");
    desk.accounts(&["1000 asset -"]);
    let (kind, refusal) = desk.no("books.verify", json!({}));
    assert_eq!((kind, &refusal["seq"]), ("damaged", &json!(8)), "{refusal}");
    assert_eq!(kept(&desk), Vec::<String>::new());
}

/// What a change says of an account is what was changed: a name and a place that someone put into its row do not come into the
/// journal with it, and are mended after it.
#[test]
fn changes_of_a_changed_row() {
    let mut desk = small();
    desk.tamper("UPDATE account SET name='Planted', placeholder=0, tax_category='x' WHERE id=1");
    desk.ok(
        "books.add_account",
        json!({"code": "1010", "name": "Till", "type": "asset"}),
    );
    desk.tamper("UPDATE account SET name='Planted', code='1099' WHERE id=3");
    desk.ok(
        "books.update_account",
        json!({"account": 3, "archived": true}),
    );
    desk.ok(
        "books.renumber_account",
        json!({"account": 3, "code": "1020"}),
    );
    let text = fs::read_to_string(desk.paths().mirror()).expect("a mirror");
    assert!(
        !text.contains("Planted") && !text.contains("1099"),
        "{text}"
    );
    let last: Vec<Value> = text
        .lines()
        .skip(8)
        .map(|line| serde_json::from_str::<Value>(line).expect("a line")["data"].clone())
        .collect();
    assert_eq!(
        last,
        [
            json!({"account_id": 3, "archived": true}),
            json!({"account_id": 3, "code": "1020"}),
        ]
    );
    assert_eq!(mended(&mut desk).0, "healed");
    assert_eq!(mended(&mut desk), sound());
    let db = Connection::open(desk.paths().database()).expect("a database");
    let sql = "SELECT json_group_array(json_array(id, code, name, archived)) FROM account";
    let rows: String = db.query_row(sql, [], |row| row.get(0)).expect("accounts");
    let want = r#"[[1,"1000","A1000",0],[2,"3000","A3000",0],[3,"1020","Till",1]]"#;
    assert_eq!(rows, want);
}
