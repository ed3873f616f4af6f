//! The sample files of wallets, payment services and banks without branches, each read and compared row by row. What
//! else their layouts say is in `unsaid`. Tests only.

use crate::domains::import::reading::{
    AmountSign, BankFile, CURRENCY, ColumnMap, LayoutName, ReadOptions, Refused, SIGN_UNCLEAR,
    SkipReason, read,
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
/// only those in the account's currency. The first row is that of the sweep in §9.1. The type stands behind the name, so that a
/// rule can tell a sale from its refund.
#[test]
fn paypal() {
    let bytes = sample!("paypal.csv");
    plain(
        bytes,
        LayoutName::PayPal,
        &[
            "2 | 2026-10-02 | 120660 | A. Buyer, Website Payment | 0SAMPLE0000000001 | 130660",
            "3 | 2026-10-05 | -2900 | Web Hosting Ltd, PreApproved Payment Bill User Payment | 0SAMPLE0000000002 | 127760",
            "7 | 2026-10-20 | -24130 | A. Buyer, Payment Refund | 0SAMPLE0000000006 | 103630",
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

/// spec/domain.md §10.2, Venmo: two lines above a header with an empty first column, signs with blanks, rows without an id, only
/// Complete rows. What another account paid does not move the balance, as the beginning and ending balance bear out.
#[test]
fn venmo() {
    plain(
        sample!("venmo.csv"),
        LayoutName::Venmo,
        &[
            "5 | 2026-10-02 | 5000 | Chair repair, Payment | 3700000000000000001 | -",
            "7 | 2026-10-09 | -2000 | Paint, Payment | 3700000000000000003 | -",
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

/// Venmo: `Issued` on a transfer to a bank is money that has left, as the balances bear out; on a payment or a charge it is a
/// request, and on any other kind it is not known.
#[test]
fn venmo_issued() {
    let text = std::str::from_utf8(sample!("venmo.csv")).expect("UTF-8");
    let read_as = |kind: &str| {
        let row = format!(",{kind},Issued,");
        file(&text.replace(",Standard Transfer,Complete,", &row))
    };
    for kind in ["Standard Transfer", "Instant Transfer"] {
        let read = read_as(kind).expect("a good file");
        assert_eq!(read.warnings, Vec::<String>::new());
        let last = read.rows.last().map(|r| (r.line, r.amount_minor));
        assert_eq!(last, Some((9, -4_000)), "{kind}");
    }
    for kind in ["Payment", "Charge"] {
        let read = read_as(kind).expect("a good file");
        let passed = read.skipped.iter().find(|s| s.line == 9);
        assert_eq!(
            passed.map(|s| s.reason),
            Some(SkipReason::Pending),
            "{kind}"
        );
    }
    let refused = read_as("Cash Back").expect_err("an unknown kind");
    let faults: Vec<_> = refused.faults.iter().map(|f| (f.line, f.field)).collect();
    assert_eq!(faults, [(9, "status")]);
}

/// spec/domain.md §10.2, N26: ISO dates, euros, no id and no balance; the older header too. Other books than euros refuse it.
#[test]
fn n26() {
    let bytes = sample!("n26.csv");
    let rows = [
        "2 | 2026-10-01 | -85000 | Vermieter Beispiel, Debit Transfer | - | -",
        "3 | 2026-10-14 | 120050 | Kunde Beispiel, Credit Transfer | - | -",
        "4 | 2026-10-20 | -1837 | Cloud service, Presentment | - | -",
    ];
    in_currency(bytes, "EUR", LayoutName::N26, &rows, &[]);
    assert_eq!(read(bytes, &usd()).map_err(|r| r.code), Err(CURRENCY));
    let older = b"Date,Payee,Account number,Transaction type,Payment reference,Amount (EUR),Amount (Foreign Currency),Type Foreign Currency,Exchange Rate\n\
                  2026-10-01,Vermieter,DE00,Outgoing Transfer,Miete,-850.0,,,\n";
    let rows = ["2 | 2026-10-01 | -85000 | Vermieter, Outgoing Transfer | - | -"];
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
            "2 | 2026-10-02 | 100000 | Payment from Acme Studio, TRANSFER | - | 150000",
            "3 | 2026-10-06 | -1240 | Blue Door Cafe, CARD_PAYMENT | - | 148760",
            "4 | 2026-10-13 | -20150 | To Northwind Supplies, TRANSFER | - | 128610",
            "8 | 2026-10-31 | -599 | Monthly plan fee, FEE | - | 128011",
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
        "2 | 2026-10-01 | 50000 | Acme Studio, Faster payment | tx_0000Sample01 | 65000",
        "3 | 2026-10-03 | -320 | Blue Door Cafe, Card payment | tx_0000Sample02 | 64680",
        "5 | 2026-10-14 | -8600 | Hotel Example, Card payment | tx_0000Sample04 | 56080",
        "6 | 2026-10-20 | -2400 | CITY POWER AND LIGHT, Bacs (Direct Debit) | tx_0000Sample05 | 53680",
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
