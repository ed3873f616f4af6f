//! What a bank file says about itself beside its amounts: blank balances, words of direction, balances and totals told by
//! themselves, and columns that a map names. Tests only.

use crate::{
    domains::import::reading::{
        AmountSign, BankFile, ColumnMap, LAYOUT_UNKNOWN, ReadOptions, Refused, Role, SIGN_UNCLEAR,
        SkipReason, read,
    },
    model::Currency,
};

fn usd() -> ReadOptions<'static> {
    ReadOptions::new(Currency::from_code("USD").expect("USD is listed"))
}

fn signed(text: &str, sign: Option<AmountSign>) -> Result<BankFile, Refused> {
    read(text.as_bytes(), &ReadOptions { sign, ..usd() })
}

/// The lines taken, the lines pending, and the notes.
fn told(read: Result<BankFile, Refused>) -> (Vec<u64>, Vec<u64>, Vec<String>) {
    let file = read.expect("a good file");
    let pending = |s: &&crate::domains::import::reading::Skipped| s.reason == SkipReason::Pending;
    let skipped = file.skipped.iter().filter(pending).map(|s| s.line);
    (
        file.rows.iter().map(|r| r.line).collect(),
        skipped.collect(),
        file.warnings,
    )
}

/// A Chase file of rows that are each a day of October and a balance.
fn chase(rows: &[(&str, &str)]) -> Result<BankFile, Refused> {
    let head = "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n";
    let row = |(day, balance): &(&str, &str)| {
        format!("DEBIT,10/{day}/2026,Tea,-5.00,DEBIT_CARD,{balance},,\n")
    };
    let rows: String = rows.iter().map(row).collect();
    signed(&format!("{head}{rows}"), None)
}

/// spec/domain.md §10.2, Chase deposit: Balance is blank on pending rows. Those are the newest; elsewhere a row without a
/// balance is a transaction, and a note tells it.
#[test]
fn blank_balances() {
    let newest = chase(&[
        ("09", " "),
        ("08", ""),
        ("07", "90.00"),
        ("06", ""),
        ("05", "100.00"),
        ("04", ""),
    ]);
    let note = "no balance stands on lines 5 and 7, below settled rows; what stands there was taken as settled too";
    assert_eq!(
        told(newest),
        (vec![4, 5, 6, 7], vec![2, 3], vec![note.to_owned()])
    );
    let oldest = chase(&[
        ("04", ""),
        ("05", "100.00"),
        ("06", ""),
        ("07", "90.00"),
        ("08", "--"),
    ]);
    let note = "no balance stands on lines 2 and 4, above settled rows; what stands there was taken as settled too";
    assert_eq!(
        told(oldest),
        (vec![2, 3, 4, 5], vec![6], vec![note.to_owned()])
    );
    let one_day = chase(&[("04", ""), ("04", "100.00")]);
    assert_eq!(told(one_day), (vec![3], vec![2], vec![]));
    let none = chase(&[("04", ""), ("03", "")]);
    let note = "no row shows a balance, so which rows are pending could not be checked; every row was taken";
    assert_eq!(told(none), (vec![2, 3], vec![], vec![note.to_owned()]));
    let many: Vec<(&str, &str)> = std::iter::once(("09", "90.00"))
        .chain(std::iter::repeat_n(("08", ""), 100))
        .collect();
    let (rows, _, notes) = told(chase(&many));
    let note = "no balance stands on lines 3, 4, 5, 6, 7 and 95 more, below settled rows; what stands there was taken as settled too";
    assert_eq!((rows.len(), notes), (101, vec![note.to_owned()]));
}

/// A sign that contradicts the bank's own word is told with its line; a file in which every word contradicts is refused until
/// its sign is said. Words that tell no direction are passed by.
#[test]
fn words_of_direction() {
    let chase = "Details,Posting Date,Description,Amount,Type,Balance\n";
    let us_bank = "Date,Transaction,Name,Memo,Amount\n";
    let card = "Transaction Date,Post Date,Description,Category,Type,Amount\n";
    let apple = "Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD)\n";
    let files = [
        (
            "details",
            chase,
            "DEBIT,10/02/2026,a,5.00,x,\n",
            "CREDIT,10/01/2026,b,5.00,x,\n",
        ),
        (
            "details",
            chase,
            "DSLIP,10/02/2026,a,-5.00,x,\n",
            "CHECK,10/01/2026,b,-5.00,x,\n",
        ),
        (
            "transaction",
            us_bank,
            "2026-10-02,DEBIT,a,,5.00\n",
            "2026-10-01,CREDIT,b,,5.00\n",
        ),
        (
            "type",
            card,
            "10/02/2026,10/02/2026,a,x,Sale,5.00\n",
            "10/01/2026,10/01/2026,b,x,Sale,-5.00\n",
        ),
        (
            "type",
            apple,
            "10/02/2026,10/02/2026,a,a,x,Purchase,-5.00\n",
            "10/01/2026,10/01/2026,b,b,x,Purchase,5.00\n",
        ),
    ];
    for (column, head, contrary, agreeing) in files {
        let refused = signed(&format!("{head}{contrary}"), None).expect_err(column);
        let message = format!(
            "every amount has the contrary sign of what the column {column} says, on line 2"
        );
        assert_eq!((refused.code, refused.message), (SIGN_UNCLEAR, message));
        let note = format!(
            "the column {column} says the contrary of the amount's sign on line 2; the sign was taken"
        );
        let mixed = signed(&format!("{head}{contrary}{agreeing}"), None);
        let (rows, _, notes) = told(mixed);
        assert_eq!(rows, [2, 3]);
        assert!(notes.contains(&note), "{notes:?}");
    }
    let text = format!("{us_bank}2026-10-02,DEBIT,a,,5.00\n");
    let turned = signed(&text, Some(AmountSign::InNegative)).expect("a good file");
    assert_eq!(
        (turned.rows[0].amount_minor, turned.warnings),
        (-500, vec![])
    );
    let kept = signed(&text, Some(AmountSign::InPositive)).expect("a good file");
    assert_eq!((kept.rows[0].amount_minor, kept.warnings.len()), (500, 1));
    let fee = format!("{card}10/02/2026,10/02/2026,a,x,Fee,5.00\n");
    assert_eq!(told(signed(&fee, None)), (vec![2], vec![], vec![]));
}

/// The walk of the balances begins with a row that tells the balance at the beginning, and ends with one at the end, in either
/// direction of time.
#[test]
fn told_balances_are_walked() {
    let of = |rows: &[&str]| {
        let text = format!(
            "Date,Description,Amount,Running Bal.\n{}\n",
            rows.join("\n")
        );
        told(signed(&text, None)).2
    };
    let broken = |line: u64, shown: &str, due: &str| {
        vec![format!(
            "the running balance does not follow from the amounts at line {line}: it is {shown}, and they come to {due}; a row may be missing"
        )]
    };
    let beginning = "10/01/2026,Beginning balance as of 10/01/2026,,100.00";
    let ending = "10/31/2026,Ending balance as of 10/31/2026,,85.00";
    let (tea, rent) = ("10/02/2026,Tea,-5.00,95.00", "10/03/2026,Rent,-10.00,85.00");
    let none: Vec<String> = Vec::new();
    assert_eq!(of(&[beginning, tea, rent, ending]), none);
    assert_eq!(of(&[ending, rent, tea, beginning]), none);
    assert_eq!(of(&[beginning, rent, ending]), broken(3, "85.00", "90.00"));
    assert_eq!(of(&[beginning, tea, ending]), broken(4, "85.00", "95.00"));
    assert_eq!(of(&[ending, tea, beginning]), broken(3, "95.00", "85.00"));
    assert_eq!(of(&[ending, rent, beginning]), broken(4, "100.00", "95.00"));
    // Where time turns round, a told balance stands beside no row that it could be held against.
    assert_eq!(of(&[beginning, rent, tea]), none);
    let unreadable = "10/01/2026,Beginning balance,,about 100";
    let text = format!("Date,Description,Amount,Running Bal.\n{unreadable}\n{tea}\n");
    let refused = signed(&text, None).expect_err("a bad balance");
    assert_eq!(refused.faults[0].field, "balance");
}

/// spec/domain.md §10.2, Bank of America deposit: the stated totals are tied out against the rows, a note for each that differs.
#[test]
fn stated_totals() {
    let of = |credits: &str, debits: &str, ending: &str| {
        let text = format!(
            "Description,,Summary Amt.\nBeginning balance as of 10/01/2026,,\"1,000.00\"\nTotal credits,,{credits}\n\
             Total debits,,{debits}\nEnding balance as of 10/31/2026,,{ending}\n\nDate,Description,Amount,Running Bal.\n\
             10/02/2026,Tea,-5.00,995.00\n10/03/2026,Sale,20.00,\"1,015.00\"\n"
        );
        told(signed(&text, None)).2
    };
    assert_eq!(of("20.00", "-5.00", "\"1,015.00\""), Vec::<String>::new());
    assert_eq!(of("", "", ""), Vec::<String>::new());
    assert_eq!(
        of("30.00", "-7.00", "\"1,023.00\""),
        [
            "the file states total credits of 30.00, and its rows come to 20.00; a row may be missing",
            "the file states total debits of 7.00, and its rows come to 5.00; a row may be missing",
            "the file states an ending balance of 1,023.00, and its beginning balance and rows come to 1,015.00; a row may be missing",
        ]
    );
    assert_eq!(
        of("x", "-5.00", "\"1,015.00\""),
        ["the figure stated on line 3 cannot be read"]
    );
}

/// A column that a map names and the file has not refuses the file, whatever its role, and so does one that stands twice.
#[test]
fn misnamed_columns() {
    let text = "Day,Text,Sum,Out,In,Left,Id,Check,Coin,Twice,Twice\n2026-10-01,Tea,-5.00,,,9.00,T1,12,USD,,\n";
    let pair = "2026-10-01,Tea,,5.00,,9.00,T1,12,USD,,\n";
    let names = |role: Role| match role {
        Role::Date => "Day",
        Role::Description => "Text",
        Role::Amount => "Sum",
        Role::Debit => "Out",
        Role::Credit => "In",
        Role::Balance => "Left",
        Role::BankId => "Id",
        Role::CheckNumber => "Check",
        Role::Currency => "Coin",
    };
    for paired in [false, true] {
        let mut text = text.to_owned();
        if paired {
            let head = text.lines().next().expect("a header").to_owned();
            text = format!("{head}\n{pair}");
        }
        let of = |wrong: Option<(Role, &str)>| {
            let held = |role: &&Role| match role {
                Role::Amount => !paired,
                Role::Debit | Role::Credit => paired,
                _ => true,
            };
            let part = |role: &Role| {
                let name = wrong.filter(|(at, _)| at == role);
                format!("{role}={}", name.map_or(names(*role), |(_, name)| name))
            };
            let parts: Vec<String> = Role::ALL.iter().filter(held).map(part).collect();
            let map: ColumnMap = parts.join(",").parse().expect("a map");
            let mapper = Some(&map);
            let read = read(text.as_bytes(), &ReadOptions { mapper, ..usd() });
            read.map(|file| file.rows.len()).map_err(|r| r.code)
        };
        assert_eq!(of(None), Ok(1));
        for role in Role::ALL {
            let unused = match role {
                Role::Amount => paired,
                Role::Debit | Role::Credit => !paired,
                _ => false,
            };
            if !unused {
                for wrong in ["Nowhere", "Twice", "99"] {
                    assert_eq!(
                        of(Some((*role, wrong))),
                        Err(LAYOUT_UNKNOWN),
                        "{role} {wrong}"
                    );
                }
            }
        }
    }
}
