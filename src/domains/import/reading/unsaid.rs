//! What the layouts of wallets and payment services leave open or contradict: sums of fees, ends of transfers, several accounts,
//! statuses. Tests only.

use crate::domains::import::reading::{
    ACCOUNTS, BankFile, ROWS, ReadOptions, Refused, read, samples::currency,
};

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../../../examples/bank/", $name)).as_slice()
    };
}

fn file(text: &str) -> Result<BankFile, Refused> {
    read(text.as_bytes(), &ReadOptions::new(currency("USD")))
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
    let good = Ok(vec!["2026-10-31 941 -59 A, Sale".to_owned()]);
    assert_eq!(told(&row("10/31/2026", "10.00,-0.59,9.41")), good);
    assert_eq!(
        told(&row("31/10/2026", "\"10,00\",\"-0,59\",\"9,41\"")),
        good
    );
    assert_eq!(told(&row("10/31/2026", "0.59,-0.59,0.00")), Ok(vec![]));
    let unknown = row("10/31/2026", "10.00,-0.59,9.41").replace("Completed", "Partially Refunded");
    assert_eq!(told(&unknown).map_err(|faults| faults.len()), Err(1));
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
