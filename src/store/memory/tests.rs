//! Rows in memory against a plain map of them: order, changes, removal.

use super::*;
use crate::store::table::Column;
use proptest::prelude::*;

static T: Table = Table {
    name: "t",
    columns: &[
        Column::int("a"),
        Column::text("b"),
        Column::int("n"),
        Column::text_or_null("s"),
    ],
    key: 2,
    holds: Holds::Rows,
    indexes: &[],
};

proptest! {
    /// Encoded whole numbers and texts sort as the values do, and come back as they were.
    #[test]
    fn order(a in any::<(i64, i64)>(), s in "[a-z]{0,4}", t in "[a-z]{0,4}") {
        prop_assert_eq!(encode_all(&[Val::Int(a.0)]).cmp(&encode_all(&[Val::Int(a.1)])), a.0.cmp(&a.1));
        prop_assert_eq!(encode_all(&[Val::Text(&s)]).cmp(&encode_all(&[Val::Text(&t)])), s.cmp(&t));
        let row = [Val::Int(a.0), Val::Text(&s), Val::Null, Val::Text(&t)];
        let encoded = encode_all(&row);
        prop_assert_eq!(decode(&encoded), row.to_vec());
    }
}

/// Rows can be added, changed, added to and removed by a prefix of the key; what does not fit is refused.
#[test]
fn rows() {
    let mut memory = Memory::default();
    let row = |a: i64, b: &'static str| [Val::Int(a), Val::Text(b), Val::Int(5), Val::Null];
    assert!(memory.insert(&T, &row(1, "x")).is_ok());
    assert!(memory.insert(&T, &row(1, "x")).is_err());
    assert!(memory.insert(&T, &row(1, "y")).is_ok());
    assert!(memory.insert(&T, &row(2, "x")).is_ok());
    assert!(
        memory
            .set(
                &T,
                &[1.into(), "x".into()],
                &[("n", 5.into())],
                &[("s", "new".into())]
            )
            .is_ok()
    );
    assert!(
        memory
            .set(&T, &[9.into(), "x".into()], &[], &[("s", "new".into())])
            .is_err()
    );
    assert!(
        memory
            .set(
                &T,
                &[1.into(), "x".into()],
                &[("n", 6.into())],
                &[("s", "newer".into())]
            )
            .is_err()
    );
    assert!(memory.remove(&T, &[2.into()]).is_ok());
    assert!(memory.remove(&T, &[1.into(), "y".into()]).is_ok());
    let left = memory.take(&T);
    let left: Vec<Vec<u8>> = left.iter().map(|(k, v)| [k, v].concat()).collect();
    assert_eq!(
        left,
        [encode_all(&[
            Val::Int(1),
            Val::Text("x"),
            Val::Int(5),
            Val::Text("new")
        ])]
    );
}

/// Totals grow from nothing and refuse to overflow.
#[test]
fn totals() {
    static M: Table = Table {
        name: "m",
        columns: &[Column::int("a"), Column::int("n")],
        key: 1,
        holds: Holds::Sums,
        indexes: &[],
    };
    let mut memory = Memory::default();
    assert!(memory.add(&M, &[1.into()], &[i64::MAX]).is_ok());
    assert!(memory.add(&M, &[1.into()], &[1]).is_err());
    assert!(memory.add(&M, &[1.into()], &[-1]).is_ok());
    let left = memory.take(&M);
    let left: Vec<Vec<u8>> = left.iter().map(|(_, v)| v.to_vec()).collect();
    assert_eq!(left, [encode_all(&[Val::Int(i64::MAX - 1)])]);
}
