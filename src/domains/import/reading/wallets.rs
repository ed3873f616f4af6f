//! The sample files of wallets, payment services and banks without branches, each read and compared row by row; and what only
//! their layouts say: fees, ends of transfers, several accounts. Tests only.

use crate::domains::import::reading::{
    ACCOUNTS, AmountSign, BankFile, CURRENCY, ColumnMap, LayoutName, ROWS, ReadOptions, Refused,
    SIGN_UNCLEAR, SkipReason, read,
    samples::{currency, holds, plain},
};

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../../../examples/bank/", $name)).as_slice()
    };
}

fn usd() -> ReadOptions<'static> {
    ReadOptions::new(currency("USD"))
}

fn file(text: &str) -> Result<BankFile, Refused> {
    read(text.as_bytes(), &usd())
}

/// Reads a file in a currency, and expects no warning.
fn in_currency(
    bytes: &[u8],
    code: &str,
    layout: LayoutName,
    rows: &[&str],
    skipped: &[(u64, SkipReason)],
) {
    let file = read(bytes, &ReadOptions::new(currency(code))).expect("a good sample");
    assert_eq!((file.layout, file.encoding), (layout, "UTF-8"));
    assert_eq!(file.warnings, Vec::<String>::new());
    holds(&file, bytes, rows, skipped);
}

/// The fees of a sample's rows, in minor units.
fn fees(bytes: &[u8]) -> Vec<i64> {
    let file = read(bytes, &usd()).expect("a good sample");
    file.rows.iter().map(|row| row.fee_minor).collect()
}

/// Day, minor units and fee of every row, or the field, line and words of every fault.
fn told(text: &str) -> Result<Vec<String>, Vec<String>> {
    file(text)
        .map(|file| {
            let row = |r: &crate::domains::import::reading::BankRow| {
                format!(
                    "{} {} {} {}",
                    r.date, r.amount_minor, r.fee_minor, r.description
                )
            };
            file.rows.iter().map(row).collect()
        })
        .map_err(|refused| {
            let fault =
                |f: &crate::model::LineFault| format!("{} {}: {}", f.line, f.field, f.message);
            refused.faults.iter().map(fault).collect()
        })
}

/// spec/domain.md §10.2, Mercury: MM-DD-YYYY, out negative, only settled rows; the currency of a card's purchase is not the row's.
#[test]
fn mercury() {
    plain(
        sample!("mercury.csv"),
        LayoutName::Mercury,
        &[
            "3 | 2026-10-29 | 120000 | Acme Studio | - | -",
            "4 | 2026-10-17 | -30000 | Northwind Supplies 1047 | - | -",
            "6 | 2026-10-05 | -2950 | Web Hosting Ltd | - | -",
            "8 | 2026-10-01 | 85 | Interest earned | - | -",
        ],
        &[
            (2, SkipReason::Pending),
            (5, SkipReason::Failed),
            (7, SkipReason::Cancelled),
        ],
    );
}

/// spec/domain.md §10.2, Mercury: several accounts in one file. One import is into one account, so both lines are named.
#[test]
fn several_accounts() {
    let head = "Date (UTC),Description,Amount,Status,Source Account,Bank Description\n";
    let of = |second: &str| {
        file(&format!(
            "{head}10-01-2026,Sale,5.00,Sent,Checking,\n10-02-2026,To savings,-5.00,Sent,{second},\n"
        ))
    };
    assert_eq!(of("Checking").map(|f| f.rows.len()), Ok(2));
    let refused = of("Savings").expect_err("two accounts");
    let lines: Vec<u64> = refused.faults.iter().map(|f| f.line).collect();
    assert_eq!((refused.code, lines), (ACCOUNTS, vec![2, 3]));
    let head = "Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance\n";
    let text = format!("{head}1,a,10/30/26,Credit,1,\n2,b,10/29/26,Credit,1,\n");
    assert_eq!(file(&text).expect_err("two accounts").code, ACCOUNTS);
}

/// spec/domain.md §10.2, Brex cash: scheduled, pending, cancelled and failed rows are passed over; the balance is walked.
#[test]
fn brex_cash() {
    plain(
        sample!("brex_cash.csv"),
        LayoutName::BrexCash,
        &[
            "3 | 2026-10-28 | 95000 | Acme Studio | - | 311525",
            "4 | 2026-10-15 | -8475 | Riverside Hardware | - | 216525",
            "6 | 2026-10-02 | -75000 | Office Landlord | - | 225000",
        ],
        &[(2, SkipReason::Pending), (5, SkipReason::Failed)],
    );
}

/// spec/domain.md §10.2, Brex cash: the day is called Date, or Initiated or Posting Date, the text To/From or Description; dates
/// with slashes or ISO. A word that is not known for a status refuses its row.
#[test]
fn brex_names() {
    for date in [
        "Date",
        "Posting Date",
        "Initiated/Posting Date",
        "Initiated Date",
    ] {
        for text in ["To/From", "Description"] {
            let head = format!("{date},{text},Amount,Balance,Status,Account Number Last Four\n");
            let row =
                |day: &str, status: &str| format!("{head}{day},Rent,-7.00,93.00,{status},4321\n");
            let expected = Ok(vec!["2026-10-02 -700 0 Rent".to_owned()]);
            assert_eq!(told(&row("10/02/2026", "Posted")), expected);
            assert_eq!(told(&row("2026-10-02", "Posted")), expected);
            let refused = told(&row("2026-10-02", "Odd")).map_err(|faults| faults.len());
            assert_eq!(refused, Err(1));
        }
    }
}

/// spec/domain.md §10.2, Brex card and Ramp: no stable header, so by a column map; Ramp's spend is positive, which is asked on a
/// card and turned when it is said.
#[test]
fn by_map() {
    let map: ColumnMap = "date=Posted Date,description=Merchant,amount=Amount"
        .parse()
        .expect("a map");
    let options = ReadOptions {
        mapper: Some(&map),
        card: true,
        ..usd()
    };
    let bytes = sample!("brex_card_with_map.csv");
    let brex = read(bytes, &options).expect("a good sample");
    let rows = [
        "2 | 2026-10-28 | -12000 | Riverside Hardware | - | -",
        "3 | 2026-10-20 | 50000 | Payment received | - | -",
        "4 | 2026-10-06 | -780 | Blue Door Cafe | - | -",
    ];
    holds(&brex, bytes, &rows, &[]);
    let map: ColumnMap =
        "date=Transaction Date,description=Merchant Name,amount=Amount,currency=Currency"
            .parse()
            .expect("a map");
    let options = ReadOptions {
        mapper: Some(&map),
        card: true,
        ..usd()
    };
    let bytes = sample!("ramp_with_map.csv");
    assert_eq!(read(bytes, &options).map_err(|r| r.code), Err(SIGN_UNCLEAR));
    let sign = Some(AmountSign::InNegative);
    let ramp = read(bytes, &ReadOptions { sign, ..options }).expect("a good sample");
    let rows = [
        "2 | 2026-10-30 | -6410 | Riverside Hardware | - | -",
        "3 | 2026-10-20 | 425 | Blue Door Cafe | - | -",
        "4 | 2026-10-05 | -2900 | Web Hosting Ltd | - | -",
    ];
    holds(&ramp, bytes, &rows, &[]);
}

/// spec/domain.md §10.2, PayPal: the net moves the balance, of which the fee is a part; only Completed rows that are no memo, and
/// only those in the account's currency. The first row is that of the sweep in §9.1.
#[test]
fn paypal() {
    let bytes = sample!("paypal.csv");
    plain(
        bytes,
        LayoutName::PayPal,
        &[
            "2 | 2026-10-02 | 120660 | A. Buyer | 0SAMPLE0000000001 | 130660",
            "3 | 2026-10-05 | -2900 | Web Hosting Ltd | 0SAMPLE0000000002 | 127760",
            "7 | 2026-10-20 | -24130 | A. Buyer | 0SAMPLE0000000006 | 103630",
            "8 | 2026-10-31 | -100000 | General Withdrawal - Bank Account | 0SAMPLE0000000007 | 3630",
        ],
        &[
            (4, SkipReason::Pending),
            (5, SkipReason::Memo),
            (6, SkipReason::OtherCurrency),
        ],
    );
    assert_eq!(fees(bytes), [-4_340, 0, 870, 0]);
}

/// spec/domain.md §10.2, PayPal: Net = Gross + Fee, else the row is refused with both numbers. Outside the United States days
/// come first and commas stand before the decimals.
#[test]
fn gross_fee_and_net() {
    let head = "Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID\n";
    let row = |day: &str, cells: &str| {
        format!("{head}{day},09:00:00,PDT,A,Sale,Completed,USD,{cells},T1\n")
    };
    let wrong = "2 net: gross and fee come to 9.41, and the net is 9.40".to_owned();
    assert_eq!(
        told(&row("10/31/2026", "10.00,-0.59,9.40")),
        Err(vec![wrong])
    );
    let good = Ok(vec!["2026-10-31 941 -59 A".to_owned()]);
    assert_eq!(told(&row("10/31/2026", "10.00,-0.59,9.41")), good);
    assert_eq!(
        told(&row("31/10/2026", "\"10,00\",\"-0,59\",\"9,41\"")),
        good
    );
    assert_eq!(told(&row("10/31/2026", "0.59,-0.59,0.00")), Ok(vec![]));
    let unknown = row("10/31/2026", "10.00,-0.59,9.41").replace("Completed", "Partially Refunded");
    assert_eq!(told(&unknown).map_err(|faults| faults.len()), Err(1));
}

/// spec/domain.md §9.1 and §10.2, Stripe payouts: positive goes to the bank, on the day of arrival; a negative payout takes from it.
#[test]
fn stripe_payouts() {
    plain(
        sample!("stripe_payouts.csv"),
        LayoutName::StripePayouts,
        &[
            "3 | 2026-10-28 | 102345 | STRIPE PAYOUT | po_sample0005 | -",
            "4 | 2026-10-21 | -15320 | STRIPE PAYOUT | po_sample0004 | -",
        ],
        &[
            (2, SkipReason::Pending),
            (5, SkipReason::Failed),
            (6, SkipReason::Test),
            (7, SkipReason::OtherCurrency),
        ],
    );
}

/// spec/domain.md §10.2, Wise statement: DD-MM-YYYY; fees are inside the amounts, so none is split off; the balance is walked.
#[test]
fn wise_statement() {
    let bytes = sample!("wise_statement.csv");
    plain(
        bytes,
        LayoutName::WiseStatement,
        &[
            "2 | 2026-10-29 | -20135 | Sent money to Northwind Supplies | TRANSFER-1000000003 | 179915",
            "3 | 2026-10-13 | -850 | Card transaction of 8.50 USD issued by Blue Door Cafe | CARD-1000000002 | 200050",
            "4 | 2026-10-05 | 100900 | Received money from Acme Studio | TRANSFER-1000000001 | 200900",
        ],
        &[],
    );
    assert_eq!(fees(bytes), [0, 0, 0]);
}

/// spec/domain.md §10.2, Wise history: amounts without signs, the direction in a word, the fee on top of money out; one id may
/// stand on several rows, so none is known by it. A conversion moves the end that is in the account's currency.
#[test]
fn wise_history() {
    let bytes = sample!("wise_history.csv");
    plain(
        bytes,
        LayoutName::WiseHistory,
        &[
            "2 | 2026-10-28 | -20135 | Northwind Supplies | - | -",
            "3 | 2026-10-21 | 100000 | Acme Studio | - | -",
            "4 | 2026-10-17 | -2332 | Blue Door Cafe | - | -",
            "6 | 2026-10-12 | -10055 | Sample Studio | - | -",
        ],
        &[
            (5, SkipReason::OtherCurrency),
            (7, SkipReason::OwnTransfer),
            (8, SkipReason::Cancelled),
        ],
    );
    assert_eq!(fees(bytes), [-135, 0, 0, -55]);
}

/// spec/domain.md §10.2, Wise history: what its words and currencies leave open is refused with the line.
#[test]
fn ends_of_transfers() {
    let head = "ID,Status,Direction,Created on,Finished on,Source fee amount,Source fee currency,Source name,\
                Source amount (after fees),Source currency,Target name,Target amount (after fees),Target currency\n";
    let of = |direction: &str, fee: &str, source: &str, target: &str| {
        told(&format!(
            "{head}T-1,COMPLETED,{direction},2026-10-01 09:00:00,2026-10-02 09:00:00,{fee},A,{source},B,{target}\n"
        ))
    };
    let row = |text: &str| Ok(vec![text.to_owned()]);
    let fault = |text: &str| Err(vec![text.to_owned()]);
    assert_eq!(
        of("OUT", "0.50,USD", "10.00,USD", "9.00,EUR"),
        row("2026-10-02 -1050 -50 B")
    );
    assert_eq!(
        of("IN", ",", "9.00,EUR", "10.00,USD"),
        row("2026-10-02 1000 0 A")
    );
    assert_eq!(
        of("NEUTRAL", "0.50,EUR", "9.00,EUR", "10.00,USD"),
        row("2026-10-02 1000 0 A")
    );
    assert_eq!(of("IN", ",", "9.00,USD", "10.00,EUR"), Ok(vec![]));
    assert_eq!(of("NEUTRAL", ",", "9.00,CHF", "10.00,EUR"), Ok(vec![]));
    assert_eq!(
        of("OUT", "0.50,EUR", "10.00,USD", "10.00,USD"),
        fault("2 fee: the fee is in another currency than the amount")
    );
    assert_eq!(
        of("OUT", ",", "-10.00,USD", "10.00,USD"),
        fault("2 amount: this amount has a sign, where the direction stands in a word")
    );
    assert_eq!(
        of("AROUND", ",", "10.00,USD", "10.00,USD"),
        fault("2 direction: this direction is not known, so the sign of the amount is not either")
    );
    assert_eq!(
        of(
            "OUT",
            "999999999999.99,USD",
            "999999999999.99,USD",
            "10.00,USD"
        ),
        fault("2 amount: the amount and its fee together have more than fourteen digits")
    );
}

/// spec/domain.md §10.2, Venmo: two lines above a header with an empty first column, signs with blanks, rows without an id, only
/// Complete rows. What another account paid does not move the balance, as the beginning and ending balance bear out.
#[test]
fn venmo() {
    plain(
        sample!("venmo.csv"),
        LayoutName::Venmo,
        &[
            "5 | 2026-10-02 | 5000 | Chair repair | 3700000000000000001 | -",
            "7 | 2026-10-09 | -2000 | Paint | 3700000000000000003 | -",
            "9 | 2026-10-20 | -4000 | Standard Transfer | 3700000000000000005 | -",
        ],
        &[
            (1, SkipReason::Preamble),
            (2, SkipReason::Preamble),
            (4, SkipReason::BalanceRow),
            (6, SkipReason::Pending),
            (8, SkipReason::OtherAccount),
            (10, SkipReason::BalanceRow),
        ],
    );
    // Without the first payment, 42.50 less 20.00 and 40.00 is not what the last row tells.
    let text = std::str::from_utf8(sample!("venmo.csv")).expect("UTF-8");
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains(",Chair repair,"))
        .collect();
    let short = file(&rows.join("\n")).expect("a good file");
    let note = "the running balance does not follow from the amounts at line 9: it is 32.50, and they come to -17.50; a row may be missing";
    assert_eq!(short.warnings, [note]);
}

/// spec/domain.md §10.2, N26: ISO dates, euros, no id and no balance; the older header too. Other books than euros refuse it.
#[test]
fn n26() {
    let bytes = sample!("n26.csv");
    let rows = [
        "2 | 2026-10-01 | -85000 | Vermieter Beispiel | - | -",
        "3 | 2026-10-14 | 120050 | Kunde Beispiel | - | -",
        "4 | 2026-10-20 | -1837 | Cloud service | - | -",
    ];
    in_currency(bytes, "EUR", LayoutName::N26, &rows, &[]);
    assert_eq!(read(bytes, &usd()).map_err(|r| r.code), Err(CURRENCY));
    let older = b"Date,Payee,Account number,Transaction type,Payment reference,Amount (EUR),Amount (Foreign Currency),Type Foreign Currency,Exchange Rate\n\
                  2026-10-01,Vermieter,DE00,Outgoing Transfer,Miete,-850.0,,,\n";
    let rows = ["2 | 2026-10-01 | -85000 | Vermieter | - | -"];
    in_currency(older, "EUR", LayoutName::N26, &rows, &[]);
}

/// spec/domain.md §10.2, Revolut: only COMPLETED rows; the balance moves by the amount less the fee; other currencies are passed
/// over.
#[test]
fn revolut() {
    let bytes = sample!("revolut.csv");
    plain(
        bytes,
        LayoutName::Revolut,
        &[
            "2 | 2026-10-02 | 100000 | Payment from Acme Studio | - | 150000",
            "3 | 2026-10-06 | -1240 | Blue Door Cafe | - | 148760",
            "4 | 2026-10-13 | -20150 | To Northwind Supplies | - | 128610",
            "8 | 2026-10-31 | -599 | Monthly plan fee | - | 128011",
        ],
        &[
            (5, SkipReason::Pending),
            (6, SkipReason::Reverted),
            (7, SkipReason::OtherCurrency),
        ],
    );
    assert_eq!(fees(bytes), [0, 0, -150, -599]);
}

/// spec/domain.md §10.2, Monzo: DD/MM/YYYY; the amount is taken whatever sign Money Out has; a card that is only checked is zero.
#[test]
fn monzo() {
    let rows = [
        "2 | 2026-10-01 | 50000 | Acme Studio | tx_0000Sample01 | 65000",
        "3 | 2026-10-03 | -320 | Blue Door Cafe | tx_0000Sample02 | 64680",
        "5 | 2026-10-14 | -8600 | Hotel Example | tx_0000Sample04 | 56080",
        "6 | 2026-10-20 | -2400 | CITY POWER AND LIGHT | tx_0000Sample05 | 53680",
    ];
    let skipped = [(4, SkipReason::ZeroAmount)];
    in_currency(
        sample!("monzo.csv"),
        "GBP",
        LayoutName::Monzo,
        &rows,
        &skipped,
    );
}

/// A word for a status that the layout does not know refuses the row: whether its money moved is not guessed.
#[test]
fn unknown_statuses() {
    let samples: [(&[u8], &str, &str); 7] = [
        (sample!("mercury.csv"), ",Sent,", ",Odd,"),
        (sample!("brex_cash.csv"), ",Completed,", ",Odd,"),
        (sample!("paypal.csv"), "\"Completed\"", "\"Odd\""),
        (sample!("stripe_payouts.csv"), ",paid,", ",odd,"),
        (sample!("wise_history.csv"), ",COMPLETED,", ",REFUNDED,"),
        (sample!("venmo.csv"), ",Complete,", ",Odd,"),
        (sample!("revolut.csv"), ",COMPLETED,", ",ODD,"),
    ];
    for (bytes, settled, odd) in samples {
        let text = std::str::from_utf8(bytes)
            .expect("UTF-8")
            .replacen(settled, odd, 1);
        let refused = file(&text).expect_err(settled);
        let fields: Vec<&str> = refused.faults.iter().map(|f| f.field).collect();
        assert_eq!((refused.code, fields), (ROWS, vec!["status"]), "{settled}");
    }
}
