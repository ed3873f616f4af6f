//! The sample files of `examples/bank`, those of banks and cards, each read and compared row by row. Tests only.

use crate::{
    domains::import::reading::{
        BankFile, BankRow, ColumnMap, LayoutName, ReadOptions, SkipReason, merchant, read,
    },
    model::Currency,
};

pub(super) fn currency(code: &str) -> Currency {
    Currency::from_code(code).expect("listed by ISO 4217")
}

/// Compares a file's rows whole, each written `line | date | minor units | description | bank's id | balance`; what is
/// derived is compared with its source.
pub(super) fn holds(file: &BankFile, bytes: &[u8], rows: &[&str], skipped: &[(u64, SkipReason)]) {
    let found: Vec<String> = file
        .rows
        .iter()
        .map(|r| {
            let id = r.bank_id.as_deref().unwrap_or("-");
            let balance = r.balance_minor.map_or("-".to_owned(), |b| b.to_string());
            let (line, date, minor, text) = (r.line, r.date, r.amount_minor, &r.description);
            format!("{line} | {date} | {minor} | {text} | {id} | {balance}")
        })
        .collect();
    assert_eq!(found, rows);
    let passed: Vec<_> = file.skipped.iter().map(|s| (s.line, s.reason)).collect();
    assert_eq!(passed, skipped);
    let text = std::str::from_utf8(bytes).expect("samples are UTF-8");
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    for row in &file.rows {
        let from = usize::try_from(row.line).expect("few lines") - 1;
        let height = row.raw.lines().count();
        assert_eq!(row.raw, lines[from..from + height].join("\n"));
        // The kind of a wallet's row stands behind its text, and is no part of the merchant's name.
        assert!(merchant(&row.description).starts_with(&row.merchant));
        assert!(!row.text_cleaned);
    }
}

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../../../examples/bank/", $name)).as_slice()
    };
}

/// Reads a dollar file that needs no option, and expects no warning.
pub(super) fn plain(
    bytes: &[u8],
    layout: LayoutName,
    rows: &[&str],
    skipped: &[(u64, SkipReason)],
) {
    let file = read(bytes, &ReadOptions::new(currency("USD"))).expect("a good sample");
    assert_eq!((file.layout, file.encoding), (layout, "UTF-8"));
    assert_eq!(file.warnings, Vec::<String>::new());
    holds(&file, bytes, rows, skipped);
}

/// spec/domain.md §10.1: three columns, negative is out; two equal rows are two transactions; a zero row is passed over.
#[test]
fn quickbooks_three() {
    plain(
        sample!("quickbooks_three.csv"),
        LayoutName::QuickBooks,
        &[
            "2 | 2026-10-01 | 250000 | Opening deposit | - | -",
            "3 | 2026-10-03 | -8612 | Riverside Hardware #114 | - | -",
            "4 | 2026-10-17 | -450 | Blue Door Cafe | - | -",
            "5 | 2026-10-17 | -450 | Blue Door Cafe | - | -",
            "7 | 2026-10-31 | 120000 | Client retainer | - | -",
        ],
        &[(6, SkipReason::ZeroAmount)],
    );
}

/// spec/domain.md §10.1: four columns, Credit in and Debit out with a warning; dates day first as one row can only be.
#[test]
fn quickbooks_four() {
    let bytes = sample!("quickbooks_four.csv");
    let file = read(bytes, &ReadOptions::new(currency("USD"))).expect("a good sample");
    assert_eq!(file.layout, LayoutName::QuickBooks);
    let warning = "the Credit column is read as money in and Debit as money out";
    assert_eq!(file.warnings, [warning]);
    let rows = [
        "2 | 2026-04-01 | 45000 | Sale of chairs | - | -",
        "3 | 2026-04-02 | -6130 | Power company | - | -",
        "4 | 2026-04-25 | 1299 | Refund from Riverside Hardware | - | -",
        "5 | 2026-04-30 | -110000 | Rent | - | -",
    ];
    holds(&file, bytes, &rows, &[]);
}

/// spec/domain.md §10.2, Chase deposit: one comma too many, entities, newest first, a pending row without balance.
#[test]
fn chase_deposit() {
    plain(
        sample!("chase_deposit.csv"),
        LayoutName::ChaseDeposit,
        &[
            "3 | 2026-10-29 | 150000 | ACME STUDIO PAYROLL PPD ID: 1234567890 | - | 241450",
            "4 | 2026-10-15 | -20000 | CHECK 1043 | - | 91450",
            "5 | 2026-10-14 | 12000 | DEPOSIT ID NUMBER 55512 | - | 111450",
            "6 | 2026-10-02 | -550 | SQ *BLUE DOOR CAFE & BAR | - | 99450",
        ],
        &[(2, SkipReason::Pending)],
    );
}

/// A check's number is kept where the bank gives it a column or the description is nothing else; a deposit's slip is none.
#[test]
fn check_numbers() {
    let numbers = |bytes| {
        let file = read(bytes, &ReadOptions::new(currency("USD"))).expect("a good sample");
        let number = |row: BankRow| Some((row.line, row.check_number?));
        file.rows.into_iter().filter_map(number).collect::<Vec<_>>()
    };
    let check = |line: u64, number: &str| vec![(line, number.to_owned())];
    assert_eq!(numbers(sample!("wells_fargo.csv")), check(3, "1044"));
    assert_eq!(numbers(sample!("chase_deposit.csv")), check(4, "1043"));
    let map: ColumnMap = "date=1,description=2,amount=3,check_number=4"
        .parse()
        .expect("a map");
    let options = ReadOptions {
        mapper: Some(&map),
        ..ReadOptions::new(currency("USD"))
    };
    let file = read(b"2026-10-01,Rent,-900.00,0007\n", &options).expect("a good file");
    let row = &file.rows[0];
    assert_eq!(
        (row.description.as_str(), row.check_number.as_deref()),
        ("Rent 7", Some("7"))
    );
}

/// spec/domain.md §10.2, Chase card: a purchase is negative.
#[test]
fn chase_card() {
    plain(
        sample!("chase_card.csv"),
        LayoutName::ChaseCard,
        &[
            "2 | 2026-10-28 | -31240 | NORTHWIND AIR 0061234 | - | -",
            "3 | 2026-10-20 | 15000 | AUTOMATIC PAYMENT - THANK YOU | - | -",
            "4 | 2026-10-11 | 1999 | RIVERSIDE HARDWARE | - | -",
            "5 | 2026-10-05 | -2900 | LATE FEE | - | -",
        ],
        &[],
    );
}

/// spec/domain.md §10.2, Bank of America deposit: a summary above, quoted thousands, a balance row, a stray quote.
#[test]
fn bank_of_america_deposit() {
    plain(
        sample!("bank_of_america_deposit.csv"),
        LayoutName::BankOfAmericaDeposit,
        &[
            "9 | 2026-10-02 | -1525 | CHECKCARD BLUE DOOR CAFE | - | 98475",
            "10 | 2026-10-05 | 250000 | DEPOSIT | - | 348475",
            "11 | 2026-10-15 | -120000 | RENT, OCTOBER | - | 228475",
            "12 | 2026-10-20 | -13500 | RIVERSIDE 5\" PIPE | - | 214975",
        ],
        &[
            (1, SkipReason::Preamble),
            (2, SkipReason::Preamble),
            (3, SkipReason::Preamble),
            (4, SkipReason::Preamble),
            (5, SkipReason::Preamble),
            (8, SkipReason::BalanceRow),
        ],
    );
}

/// spec/domain.md §10.2, Bank of America card: the reference number is the row's id, kept as text.
#[test]
fn bank_of_america_card() {
    plain(
        sample!("bank_of_america_card.csv"),
        LayoutName::BankOfAmericaCard,
        &[
            "2 | 2026-10-30 | -21000 | NORTHWIND AIR | 24000000000000000000001 | -",
            "3 | 2026-10-21 | 50000 | PAYMENT - THANK YOU | 24000000000000000000002 | -",
            "4 | 2026-10-09 | -875 | BLUE DOOR CAFE | 24000000000000000000003 | -",
            "5 | 2026-10-09 | -875 | BLUE DOOR CAFE | 24000000000000000000004 | -",
        ],
        &[],
    );
}

/// spec/domain.md §10.2, Wells Fargo: no header; five columns, a date, a number and a star.
#[test]
fn wells_fargo() {
    plain(
        sample!("wells_fargo.csv"),
        LayoutName::WellsFargo,
        &[
            "1 | 2026-10-30 | -4217 | PURCHASE AUTHORIZED ON 10/29 RIVERSIDE HARDWARE | - | -",
            "2 | 2026-10-28 | 185000 | ACME STUDIO DIRECT DEP | - | -",
            "3 | 2026-10-20 | -30000 | CHECK 1044 | - | -",
            "4 | 2026-10-02 | -900 | MONTHLY SERVICE FEE | - | -",
        ],
        &[],
    );
}

/// spec/domain.md §10.2, Capital One card: ISO dates, Debit is a purchase, the last row may be blank.
#[test]
fn capital_one_card() {
    plain(
        sample!("capital_one_card.csv"),
        LayoutName::CapitalOneCard,
        &[
            "2 | 2026-10-29 | -5420 | RIVERSIDE HARDWARE | - | -",
            "3 | 2026-10-20 | 20000 | CAPITAL ONE AUTOPAY PYMT | - | -",
            "4 | 2026-10-08 | -715 | BLUE DOOR CAFE | - | -",
        ],
        &[(5, SkipReason::BlankRow)],
    );
}

/// spec/domain.md §10.2, Capital One 360: two-digit years, unsigned amounts without cents, the type gives the sign.
#[test]
fn capital_one_360() {
    plain(
        sample!("capital_one_360.csv"),
        LayoutName::CapitalOne360,
        &[
            "2 | 2026-10-30 | 66450 | Deposit from ACME STUDIO | - | 118550",
            "3 | 2026-10-15 | -2100 | Withdrawal to RIVERSIDE HARDWARE | - | 52100",
            "4 | 2026-10-01 | 42 | Monthly Interest Paid | - | 54200",
        ],
        &[],
    );
}

/// spec/domain.md §10.2, American Express short form: QuickBooks' header with purchases positive, so it must be named.
#[test]
fn american_express_short() {
    let bytes = sample!("american_express_short.csv");
    let options = ReadOptions {
        layout: Some(LayoutName::AmericanExpress),
        ..ReadOptions::new(currency("USD"))
    };
    let file = read(bytes, &options).expect("a good sample");
    assert_eq!(file.layout, LayoutName::AmericanExpress);
    assert_eq!(file.warnings, Vec::<String>::new());
    let rows = [
        "2 | 2026-10-25 | -32000 | NORTHWIND AIR | - | -",
        "3 | 2026-10-20 | 45000 | AUTOPAY PAYMENT - THANK YOU | - | -",
        "4 | 2026-10-12 | -1840 | BLUE DOOR CAFE | - | -",
        "5 | 2026-10-03 | 1250 | RIVERSIDE HARDWARE | - | -",
        "6 | 2026-10-02 | -6400 | RIVERSIDE HARDWARE | - | -",
    ];
    holds(&file, bytes, &rows, &[]);
}

/// spec/domain.md §10.2, American Express medium form: purchases positive, turned.
#[test]
fn american_express_medium() {
    plain(
        sample!("american_express_medium.csv"),
        LayoutName::AmericanExpress,
        &[
            "2 | 2026-10-25 | -132000 | NORTHWIND AIR | - | -",
            "3 | 2026-10-20 | 45000 | AUTOPAY PAYMENT - THANK YOU | - | -",
            "4 | 2026-10-12 | -1840 | BLUE DOOR CAFE | - | -",
            "5 | 2026-10-03 | 1250 | RIVERSIDE HARDWARE | - | -",
        ],
        &[],
    );
}

/// spec/domain.md §10.2, American Express long form: line breaks in fields, references in apostrophes; named or not.
#[test]
fn american_express_long() {
    let bytes = sample!("american_express_long.csv");
    let rows: &[&str] = &[
        "2 | 2026-10-12 | -1840 | BLUE DOOR CAFE PORTLAND OR | 320260000000000001 | -",
        "8 | 2026-10-08 | 45000 | AUTOPAY PAYMENT - THANK YOU | 320260000000000002 | -",
        "9 | 2026-10-02 | -6400 | RIVERSIDE HARDWARE | 320260000000000003 | -",
        "12 | 2026-10-01 | 1250 | RIVERSIDE HARDWARE | 320260000000000004 | -",
    ];
    plain(bytes, LayoutName::AmericanExpress, rows, &[]);
    let options = ReadOptions {
        layout: Some(LayoutName::AmericanExpress),
        ..ReadOptions::new(currency("USD"))
    };
    let named = read(bytes, &options).expect("a good sample");
    holds(&named, bytes, rows, &[]);
}

/// spec/domain.md §10.2, American Express UK: Town/City and Postcode, day first.
#[test]
fn american_express_uk() {
    let bytes = sample!("american_express_uk.csv");
    let file = read(bytes, &ReadOptions::new(currency("GBP"))).expect("a good sample");
    assert_eq!(file.layout, LayoutName::AmericanExpressUk);
    assert_eq!(file.warnings, Vec::<String>::new());
    let rows = [
        "2 | 2026-10-03 | -4860 | NORTHWIND RAIL | AT260000000000000000001 | -",
        "5 | 2026-10-05 | 10000 | PAYMENT RECEIVED - THANK YOU | AT260000000000000000002 | -",
        "6 | 2026-10-12 | -320 | BLUE DOOR CAFE | AT260000000000000000003 | -",
        "8 | 2026-10-12 | -320 | BLUE DOOR CAFE | AT260000000000000000004 | -",
    ];
    holds(&file, bytes, &rows, &[]);
}

/// spec/domain.md §10.2, Citi: the column decides, as credits are often negative; pending rows are passed over.
#[test]
fn citi_card() {
    plain(
        sample!("citi_card.csv"),
        LayoutName::CitiCard,
        &[
            "3 | 2026-10-28 | -22000 | NORTHWIND AIR | - | -",
            "4 | 2026-10-20 | 30000 | PAYMENT THANK YOU | - | -",
            "5 | 2026-10-11 | 749 | RIVERSIDE HARDWARE REFUND | - | -",
        ],
        &[(2, SkipReason::Pending)],
    );
}

/// spec/domain.md §10.2, US Bank: ISO dates; where the name is blank the memo stands for it.
#[test]
fn us_bank() {
    plain(
        sample!("us_bank.csv"),
        LayoutName::UsBank,
        &[
            "2 | 2026-10-29 | -4217 | RIVERSIDE HARDWARE | - | -",
            "3 | 2026-10-15 | 60000 | MOBILE CHECK DEPOSIT | - | -",
            "4 | 2026-10-03 | -400 | MONTHLY FEE | - | -",
            "5 | 2026-10-02 | -375 | BLUE DOOR CAFE | - | -",
        ],
        &[],
    );
}

/// spec/domain.md §10.2, Discover: purchases positive, turned.
#[test]
fn discover_card() {
    plain(
        sample!("discover_card.csv"),
        LayoutName::DiscoverCard,
        &[
            "2 | 2026-10-28 | -6410 | RIVERSIDE HARDWARE PORTLAND OR | - | -",
            "3 | 2026-10-20 | 12000 | INTERNET PAYMENT - THANK YOU | - | -",
            "4 | 2026-10-12 | 500 | CASHBACK BONUS REDEMPTION | - | -",
            "5 | 2026-10-04 | -425 | BLUE DOOR CAFE PORTLAND OR | - | -",
        ],
        &[],
    );
}

/// spec/domain.md §10.2, Apple Card: purchases positive, thousands quoted.
#[test]
fn apple_card() {
    plain(
        sample!("apple_card.csv"),
        LayoutName::AppleCard,
        &[
            "2 | 2026-10-30 | -129900 | RIVERSIDE HARDWARE 12 EXAMPLE ST PORTLAND 97201 OR USA | - | -",
            "3 | 2026-10-20 | 50000 | ACH DEPOSIT INTERNET TRANSFER | - | -",
            "4 | 2026-10-15 | 450 | BLUE DOOR CAFE (RETURN) | - | -",
            "5 | 2026-10-02 | 9 | DAILY CASH ADJUSTMENT | - | -",
        ],
        &[],
    );
}

/// spec/domain.md §10.3: a column map reads any other file: semicolons, dots in dates, commas before the decimals.
#[test]
fn mapped() {
    let bytes = sample!("other_bank_with_map.csv");
    let map: ColumnMap =
        "date=Buchungstag,description=Verwendungszweck,amount=Betrag,balance=Saldo,currency=Währung"
            .parse()
            .expect("a good map");
    let options = ReadOptions {
        mapper: Some(&map),
        ..ReadOptions::new(currency("EUR"))
    };
    let file = read(bytes, &options).expect("a good sample");
    assert_eq!(file.layout, LayoutName::Mapped);
    let comma = "amounts are read with a comma before the decimals, as every amount of the file can be and some only so";
    assert_eq!(file.warnings, [comma]);
    let rows = [
        "2 | 2026-10-02 | -120000 | Miete Oktober | - | 330000",
        "3 | 2026-10-15 | 245050 | Rechnung 2026-114 | - | 575050",
        "4 | 2026-10-16 | -320 | Kaffee | - | 574730",
    ];
    holds(&file, bytes, &rows, &[(5, SkipReason::OtherCurrency)]);
}
