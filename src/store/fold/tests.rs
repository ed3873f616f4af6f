//! That folds do the same live and in memory, and refuse the same.

use super::*;
use crate::store::table::Column;

static ROWS: Table = Table {
    name: "r",
    columns: &[
        Column::int("id"),
        Column::text("word"),
        Column::int_or_null("n"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};
static SUMS: Table = Table {
    name: "s",
    columns: &[Column::int("id"), Column::int("n")],
    key: 1,
    holds: Holds::Sums,
    indexes: &[],
};

/// Live and in memory refuse the same: rows among sums, sums among rows, rows of another length, and a change of a row
/// that does not stand as it must.
#[test]
fn both_sinks_refuse_the_same() {
    let db = Connection::open_in_memory().expect("memory");
    db.execute_batch(&(ROWS.ddl() + &SUMS.ddl()))
        .expect("tables");
    let mut memory = Memory::default();
    for mut fold in [Fold::live(&db), Fold::memory(&mut memory)] {
        let row = [1.into(), "a".into(), Val::Null];
        assert!(fold.insert(&ROWS, &row).is_ok());
        assert!(fold.insert(&ROWS, &row[..2]).is_err());
        assert!(fold.insert(&ROWS, &row).is_err());
        assert!(fold.insert(&SUMS, &[1.into(), 1.into()]).is_err());
        assert!(fold.add(&ROWS, &[1.into()], &[1]).is_err());
        assert!(fold.add(&SUMS, &[1.into()], &[1, 2]).is_err());
        assert!(fold.add(&SUMS, &[1.into()], &[1]).is_ok());
        assert!(fold.remove(&SUMS, &[1.into()]).is_err());
        let change = [("word", "b".into())];
        let from = |word, n| [("word", Val::Text(word)), ("n", n)];
        let key = [1.into()];
        assert!(
            fold.set_from(&ROWS, &key, &from("b", Val::Null), &change)
                .is_err()
        );
        assert!(
            fold.set_from(&ROWS, &key, &from("a", 0.into()), &change)
                .is_err()
        );
        assert!(
            fold.set_from(&ROWS, &key, &from("a", Val::Null), &change)
                .is_ok()
        );
        assert!(fold.set(&ROWS, &[2.into()], &change).is_err());
    }
}

/// Live and in memory alike, the first of several rows with one key stays as it was, and others follow.
#[test]
fn first_rows() {
    let db = Connection::open_in_memory().expect("memory");
    db.execute_batch(&(ROWS.ddl() + &SUMS.ddl()))
        .expect("tables");
    let mut memory = Memory::default();
    for mut fold in [Fold::live(&db), Fold::memory(&mut memory)] {
        for (id, word) in [(5, "a"), (5, "b"), (3, "c"), (9, "d"), (3, "e"), (5, "f")] {
            let row = [id.into(), word.into(), Val::Null];
            assert!(fold.insert_first(&ROWS, &row).is_ok());
        }
        let is = |id: i64, word| (id, [("word", Val::Text(word))]);
        for (id, from) in [is(3, "c"), is(5, "a"), is(9, "d")] {
            let same = fold.set_from(&ROWS, &[id.into()], &from, &[("n", 1.into())]);
            assert!(same.is_ok(), "{id}");
        }
        assert!(fold.insert_first(&ROWS, &[1.into()]).is_err());
        assert!(fold.insert_first(&SUMS, &[1.into(), 1.into()]).is_err());
    }
    let rows = memory.take(&ROWS);
    assert_eq!(rows.iter().count(), 3);
}

static TREE: Table = Table {
    name: "t",
    columns: &[
        Column::int("id"),
        Column::int_or_null("above").references("t").parent(),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};

/// Live and in memory alike, no row of a tree comes to stand under itself, over however many others, nor under one that is
/// not there.
#[test]
fn trees() {
    let db = Connection::open_in_memory().expect("memory");
    db.execute_batch(&TREE.ddl()).expect("a table");
    let mut memory = Memory::default();
    for mut fold in [Fold::live(&db), Fold::memory(&mut memory)] {
        let mut add =
            |id: i64, above: Option<i64>| fold.insert(&TREE, &[id.into(), above.into()]).is_ok();
        assert!(!add(1, Some(1)) && !add(1, Some(2)));
        assert!(add(1, None) && add(2, Some(1)) && add(3, Some(2)));
        let mut put = |id: i64, above: Option<i64>| {
            fold.set(&TREE, &[id.into()], &[("above", above.into())])
                .is_ok()
        };
        for (id, above) in [(1, 1), (1, 2), (1, 3), (2, 3), (3, 9)] {
            assert!(!put(id, Some(above)), "{id} under {above}");
        }
        assert!(put(3, Some(1)) && put(2, Some(3)) && put(3, None) && put(1, Some(2)));
    }
}

static KIND: Table = Table {
    name: "kind",
    columns: &[Column::int("id"), Column::text("code").unique()],
    key: 1,
    holds: Holds::Rows,
    indexes: &["CREATE UNIQUE INDEX kind_code ON kind(code)"],
};
static THING: Table = Table {
    name: "thing",
    columns: &[
        Column::int("id"),
        Column::int_or_null("kind_id").references("kind"),
    ],
    key: 1,
    holds: Holds::Rows,
    indexes: &[],
};
static COUNT: Table = Table {
    name: "tally",
    columns: &[Column::int("kind_id").references("kind"), Column::int("n")],
    key: 1,
    holds: Holds::Sums,
    indexes: &[],
};

/// Live, in a replay without SQLite's own check and in memory alike, no row refers to one that is not there, and no two rows have the
/// same value where each has its own; what a row gave up another may take.
#[test]
fn references_and_uniques() {
    let open = |check: bool| {
        let db = Connection::open_in_memory().expect("memory");
        db.pragma_update(None, "foreign_keys", check)
            .expect("a switch");
        db.execute_batch(&(KIND.ddl() + &THING.ddl() + &COUNT.ddl()))
            .expect("tables");
        db
    };
    let (live, replayed) = (open(true), open(false));
    let mut memory = Memory::default();
    for mut fold in [
        Fold::live(&live),
        Fold::replay(&replayed),
        Fold::memory(&mut memory),
    ] {
        let thing = |id: i64, kind: Option<i64>| [id.into(), kind.into()];
        assert!(fold.insert(&THING, &thing(1, Some(1))).is_err());
        assert!(fold.insert_first(&THING, &thing(1, Some(1))).is_err());
        assert!(fold.add(&COUNT, &[1.into()], &[1]).is_err());
        assert!(fold.insert(&KIND, &[1.into(), "a".into()]).is_ok());
        assert!(fold.insert(&THING, &thing(1, Some(1))).is_ok());
        assert!(fold.insert(&THING, &thing(2, None)).is_ok());
        assert!(fold.add(&COUNT, &[1.into()], &[1]).is_ok());
        let mut to = |id: i64, kind: i64| {
            fold.set(&THING, &[id.into()], &[("kind_id", kind.into())])
                .is_ok()
        };
        assert!(!to(2, 2) && to(2, 1));
        assert!(fold.insert(&KIND, &[2.into(), "a".into()]).is_err());
        assert!(fold.insert(&KIND, &[2.into(), "b".into()]).is_ok());
        let mut call = |id: i64, code: &str| {
            fold.set(&KIND, &[id.into()], &[("code", code.into())])
                .is_ok()
        };
        assert!(!call(2, "a") && call(2, "b") && call(1, "c") && call(2, "a") && call(1, "b"));
    }
}
