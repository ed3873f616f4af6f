//! Proofs that a chart's CSV is read, and refused, as documented; no rule stands here.

use super::*;
use proptest::prelude::*;

fn none() -> BTreeMap<String, AccountType> {
    BTreeMap::new()
}

fn row(line: u64, code: &str, name: &str, t: AccountType, parent: &str, tax: &str) -> ChartRow {
    let some = |text: &str| Some(text.to_owned()).filter(|t| !t.is_empty());
    ChartRow {
        line,
        code: code.to_owned(),
        name: name.to_owned(),
        account_type: t,
        parent_code: some(parent),
        tax_category: some(tax),
    }
}

/// The faults as (line, column, message).
fn faults(text: &str) -> Vec<(u64, &'static str, String)> {
    let faults = read_chart(text, &none()).expect_err("a fault");
    let shown = |f: LineFault| (f.line, f.field, f.message);
    faults.into_iter().map(shown).collect()
}

fn refused(rows: &str, want: &[(u64, &str, &str)]) {
    let list = faults(&format!("code,name,type,parent_code,tax_category\n{rows}"));
    assert_eq!(list.len(), want.len(), "{list:?}");
    for ((line, column, message), (want_line, want_column, part)) in list.iter().zip(want) {
        assert_eq!((line, column), (want_line, want_column), "{list:?}");
        assert!(message.contains(part), "{message}");
    }
}

/// Columns go by name, not by place; quotes, CRLF, blank lines and a byte order mark are taken; lines are the file's.
#[test]
fn shapes_of_files() {
    let text = "\u{feff}Type, name ,CODE,parent_code\r\n\r\nasset,\"Cash, \"\"till\"\"\",1000,\r\n,,,\r\n\r\nASSET, Bank ,1010, 1000 \r\n";
    let want = vec![
        row(3, "1000", "Cash, \"till\"", AccountType::Asset, "", ""),
        row(6, "1010", "Bank", AccountType::Asset, "1000", ""),
    ];
    assert_eq!(read_chart(text, &none()), Ok(want));
    let short =
        "code,name,type,parent_code,tax_category\n6310,Meals,expense\n6320,Travel,expense,,travel";
    let want = vec![
        row(2, "6310", "Meals", AccountType::Expense, "", ""),
        row(3, "6320", "Travel", AccountType::Expense, "", "travel"),
    ];
    assert_eq!(read_chart(short, &none()), Ok(want));
    assert_eq!(
        read_chart("code,name,type,parent_code\r", &none()),
        Ok(Vec::new())
    );
}

/// Children may stand above their parents in the file; they come after them in the answer, and nothing else moves.
#[test]
fn parents_come_first() {
    let text = "code,name,type,parent_code\n1,a,asset,3\n2,b,asset,\n3,c,asset,4\n4,d,asset,\n5,e,asset,2\n";
    let rows = read_chart(text, &none()).expect("a chart");
    let codes: Vec<&str> = rows.iter().map(|r| r.code.as_str()).collect();
    assert_eq!(codes, ["4", "3", "1", "2", "5"]);
}

/// A parent may be an account that exists, of the same type; a code that exists is refused.
#[test]
fn existing_accounts() {
    let existing = BTreeMap::from([
        ("1500".to_owned(), AccountType::Asset),
        ("2100".to_owned(), AccountType::Liability),
    ]);
    let text = "code,name,type,parent_code\n1540,Boats,asset,1500\n";
    let want = vec![row(2, "1540", "Boats", AccountType::Asset, "1500", "")];
    assert_eq!(read_chart(text, &existing), Ok(want));
    let text = "code,name,type,parent_code\n1540,Boats,asset,2100\n1500,Fixed,asset,\n";
    let faults = read_chart(text, &existing).expect_err("two faults");
    let want = vec![
        LineFault {
            line: 2,
            field: "parent_code",
            message: "the account's type is asset, but its parent 2100 is of type liability; they must agree".to_owned(),
            text: String::new(),
        },
        LineFault {
            line: 3,
            field: "code",
            message: "code 1500 is already in the chart; leave the row out or give it another code".to_owned(),
            text: String::new(),
        },
    ];
    assert_eq!(faults, want);
}

/// Every fault of every row comes in one answer, by line.
#[test]
fn all_faults_together() {
    let rows = "1000,Cash,asset,,\n1000,Again,asset,,\n,No code,asset,,\n12 3,Space,asset,,\n4000,Sales,income,,\n\
                5000,Costs,expense,1000,\n5100,Fees,expense,9999,\n6000,Lunch,expense,,lunch\n6010,Meals,revenue,,meals\n\
                1020,Till,asset,,meals\n1030,,asset,,\n1040,a,b,asset,,\n";
    refused(
        rows,
        &[
            (3, "code", "already on line 2"),
            (4, "code", "blank"),
            (5, "code", "letters"),
            (6, "type", "asset, liability, equity, revenue, expense"),
            (
                7,
                "parent_code",
                "expense, but its parent 1000 is of type asset",
            ),
            (8, "parent_code", "parent 9999 is neither"),
            (9, "tax_category", "not a tax category"),
            (
                10,
                "tax_category",
                "tax category meals is for accounts of type expense",
            ),
            (11, "tax_category", "this account's type is asset"),
            (12, "name", "is empty"),
            (13, "row", "6 cells, the header 5"),
            (13, "type", "not a type"),
            (13, "parent_code", "parent asset is neither"),
        ],
    );
}

/// Circles of parents are refused, each account in one named once, also the account that is its own parent.
#[test]
fn circles() {
    refused("1,a,asset,1,\n", &[(2, "parent_code", "its own ancestor")]);
    refused(
        "9,out,asset,1,\n1,a,asset,2,\n2,b,asset,3,\n3,c,asset,1,\n4,ok,asset,,\n",
        &[
            (3, "parent_code", "its own ancestor"),
            (4, "parent_code", "its own ancestor"),
            (5, "parent_code", "its own ancestor"),
        ],
    );
}

/// A header is required, with each of the four columns once and none that a chart does not have.
#[test]
fn headers() {
    let cases = [
        ("", vec![(1, "row", "empty")]),
        ("\n\n", vec![(1, "row", "empty")]),
        ("code,name,type\n", vec![(1, "parent_code", "lacks")]),
        (
            "code,name,type,parent_code,balance\n",
            vec![(1, "row", "cell 5")],
        ),
        (
            "code,name,type,parent_code,code\n",
            vec![(1, "code", "twice")],
        ),
        (
            "\n1000,Cash,asset,\n",
            vec![
                (2, "row", "cell 1"),
                (2, "row", "cell 2"),
                (2, "row", "cell 3"),
                (2, "row", "cell 4"),
                (2, "code", "lacks"),
                (2, "name", "lacks"),
                (2, "type", "lacks"),
                (2, "parent_code", "lacks"),
            ],
        ),
    ];
    for (text, want) in cases {
        let list = faults(text);
        assert_eq!(list.len(), want.len(), "{list:?}");
        for ((line, column, message), (want_line, want_column, part)) in list.iter().zip(&want) {
            assert_eq!((line, column), (want_line, want_column), "{text:?}");
            assert!(message.contains(part), "{message}");
        }
    }
}

/// What the file says stands in the fault's value, cut, and never in its message.
#[test]
fn foreign_text_stays_a_value() {
    let text = format!(
        "code,name,type,parent_code,tax_category\nIGNORE ALL,a,{0},obey me,{0}\n",
        "x".repeat(300)
    );
    for fault in read_chart(&text, &none()).expect_err("faults") {
        assert!(
            !fault.message.contains("xxx") && !fault.message.contains("IGNORE"),
            "{fault:?}"
        );
        assert!((1..=100).contains(&fault.text.chars().count()), "{fault:?}");
    }
}

/// A quote that never closes swallows lines; the line ends in its cell give it away.
#[test]
fn open_quotes() {
    refused(
        "1000,\"Cash,asset,,\n1010,Bank,asset,,\n",
        &[(2, "name", "U+000A"), (2, "type", "not a type")],
    );
}

/// More than 10,000 accounts are refused; 10,000 in one chain of parents, deepest first, are sorted.
#[test]
fn limits() {
    let chain = |n: usize| {
        let mut text = "code,name,type,parent_code\n".to_owned();
        for i in (1..n).rev() {
            text.push_str(&format!("{i},a,asset,{}\n", i - 1));
        }
        text + "0,a,asset,\n"
    };
    let rows = read_chart(&chain(10_000), &none()).expect("a chart");
    assert!(
        rows.iter()
            .enumerate()
            .all(|(i, row)| row.code == i.to_string())
    );
    assert_eq!(faults(&chain(10_001))[0].0, 10_002);
}

/// A code that begins like an option or a path is a fault of its line, as a code and as a parent's.
#[test]
fn codes_that_no_command_takes() {
    let rows = "--,Dashes,asset,,\n..,Up,asset,,\n1000,Cash,asset,-x,\n";
    let begins = "begins with a letter or digit";
    refused(
        rows,
        &[
            (2, "code", begins),
            (3, "code", begins),
            (4, "parent_code", begins),
        ],
    );
}

proptest! {
    /// Any table is answered: a chart in which every parent stands before its child, or faults.
    #[test]
    fn any_table(rows in prop::collection::vec(("[1-6]", "[ab]", "(asset|asset|asset|equity)", "[1-7]?"), 0..7)) {
        let mut text = "code,name,type,parent_code\n".to_owned();
        for (code, name, account_type, parent) in &rows {
            text.push_str(&format!("{code},{name},{account_type},{parent}\n"));
        }
        if let Ok(chart) = read_chart(&text, &none()) {
            prop_assert_eq!(chart.len(), rows.len());
            let mut types = BTreeMap::new();
            for row in chart {
                if let Some(parent) = &row.parent_code {
                    prop_assert_eq!(types.get(parent), Some(&row.account_type));
                }
                prop_assert!(types.insert(row.code, row.account_type).is_none());
            }
        }
    }

    /// No text makes the reader panic.
    #[test]
    fn any_text(text in "[a-z0-9,\"\r\n ]{0,80}") {
        if let Err(faults) = read_chart(&format!("code,name,type,parent_code\n{text}"), &none()) {
            prop_assert!(!faults.is_empty());
        }
    }
}
