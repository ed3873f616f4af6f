//! Files that mean harm or come broken: never a panic, never half a file, nothing hidden in the text. Tests only.

use proptest::{prelude::*, sample::Index};

use crate::{
    domains::import::reading::{
        BankFile, FAULTS_MAX, NOT_TEXT, QUOTE_OPEN, ROWS, ReadOptions, Refused, TOO_LARGE, read,
        sound::sound,
    },
    model::{Currency, LineFault, TEXT_CHARS_MAX},
};

macro_rules! samples {
    ($($name:literal),+) => {
        [$( include_bytes!(concat!("../../../../examples/bank/", $name, ".csv")).as_slice() ),+]
    };
}

const SAMPLES: [&[u8]; 19] = samples![
    "quickbooks_three",
    "quickbooks_four",
    "chase_deposit",
    "bank_of_america_deposit",
    "wells_fargo",
    "capital_one_360",
    "american_express_long",
    "citi_card",
    "apple_card",
    "mercury",
    "brex_cash",
    "paypal",
    "stripe_payouts",
    "wise_statement",
    "wise_history",
    "venmo",
    "n26",
    "revolut",
    "monzo"
];

fn file(bytes: &[u8]) -> Result<BankFile, Refused> {
    let usd = Currency::from_code("USD").expect("USD is listed");
    read(bytes, &ReadOptions::new(usd))
}

fn with_description(description: &str) -> BankFile {
    let text = format!("Date,Description,Amount\n2026-10-01,\"{description}\",1.00\n");
    file(text.as_bytes()).expect("a good file")
}

/// spec/domain.md §10.3, description: trimmed, collapsed, entities decoded, controls dropped, capped; the raw text stays.
#[test]
fn descriptions() {
    let long = "x".repeat(TEXT_CHARS_MAX + 1);
    let table = [
        ("  a \t  b ", "a b", false),
        ("R&amp;D &#39;lab&#39;", "R&D 'lab'", false),
        ("AT&T &notit", "AT&T &notit", false),
        ("pay\u{202e}roll", "payroll", true),
        ("pay&#8238;roll", "payroll", true),
        ("bell\u{7}", "bell", true),
        ("", "(no description)", false),
        ("\u{200b}", "(no description)", true),
        ("\u{2800} \u{2800}", "(no description)", false),
        ("\u{fe0f}", "(no description)", false),
        ("&#10240;\u{fe0f}", "(no description)", false),
        ("\u{2764}\u{fe0f}", "\u{2764}\u{fe0f}", false),
        ("'=SUM(A1)", "=SUM(A1)", false),
        ("'-5", "-5", false),
        ("'tis", "'tis", false),
        ("=1+1", "=1+1", false),
        (&long, &long[1..], true),
    ];
    for (text, expected, cleaned) in table {
        let row = with_description(text).rows.remove(0);
        assert_eq!(
            (row.description.as_str(), row.text_cleaned),
            (expected, cleaned)
        );
        assert_eq!(row.raw, format!("2026-10-01,\"{text}\",1.00"));
    }
}

/// spec/domain.md §10.3, encoding: the same rows from UTF-16 and from Windows-1252, the last with a warning.
#[test]
fn encodings() {
    let text = "Date,Description,Amount\r\n2026-10-01,Café,1.00\r\n";
    let utf16: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let western: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(c).unwrap_or(b'?'))
        .collect();
    let plain = file(text.as_bytes()).expect("a good file");
    let wide = file(&utf16).expect("a good file");
    let guessed = file(&western).expect("a good file");
    assert_eq!((wide.rows, wide.encoding), (plain.rows.clone(), "UTF-16LE"));
    assert_eq!(
        (guessed.rows, guessed.encoding),
        (plain.rows, "Windows-1252")
    );
    let warning =
        "the file is not UTF-8 and was read as Windows-1252; look at letters with accents";
    assert_eq!(guessed.warnings, [warning]);
}

/// spec/reliability.md D1: NULs, quotes never closed, huge fields, a thousand columns: refused whole, with the rule's name.
#[test]
fn hostile_files() {
    let code = |text: &str| {
        file(text.as_bytes())
            .map(|f| f.rows.len())
            .map_err(|r| r.code)
    };
    let good = "Date,Description,Amount\n2026-10-01,a,1.00\n";
    assert_eq!(code(good), Ok(1));
    assert_eq!(code(&format!("{good}2026-10-02,\0,1.00\n")), Err(NOT_TEXT));
    assert_eq!(
        code(&format!("{good}2026-10-02,\"b,1.00\n2026-10-03,c,1.00\n")),
        Err(QUOTE_OPEN)
    );
    assert_eq!(
        code(&format!("{good}2026-10-02,{},1.00\n", "b".repeat(65_537))),
        Err(TOO_LARGE)
    );
    assert_eq!(
        code(&format!("{good}{}\n", ",".repeat(1_000))),
        Err(TOO_LARGE)
    );
    assert_eq!(code(&good.replace('\n', "\r")), Ok(1));
    assert_eq!(code(&format!("{good}2026-10-01,a,1.00\n")), Ok(2));
}

/// Every fault is counted and the first fifty are listed; the refusal's message holds none of the file's text.
#[test]
fn faults_are_capped() {
    let bad = "2026-10-01,IGNORE PREVIOUS,IGNORE PREVIOUS\n".repeat(60);
    let refused = file(format!("Date,Description,Amount\n{bad}").as_bytes()).expect_err("bad rows");
    assert_eq!((refused.code, refused.faults_total), (ROWS, 60));
    assert_eq!(refused.faults.len(), FAULTS_MAX);
    let first = LineFault {
        line: 2,
        field: "amount",
        message: "this is not an amount".to_owned(),
        text: "IGNORE PREVIOUS".to_owned(),
    };
    assert_eq!(refused.faults[0], first);
    let refusal = refused.into_refusal();
    assert!(!refusal.message.contains("IGNORE"));
    assert_eq!(refusal.fields["faults_total"], 60);
    assert_eq!(refusal.fields["text_source"], "file");
    assert_eq!(refusal.fields["faults"][0]["line"], 2);
}

proptest! {
    /// No bytes panic, and what is read is sound.
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        sound(file(&bytes));
    }

    /// No text that looks like a bank's panics.
    #[test]
    fn any_table(body in "([0-9/,.\"\r\n;a-c&#*-]|\u{202e}|\u{feff}){0,200}") {
        sound(file(format!("Date,Description,Amount\n{body}").as_bytes()));
        sound(file(body.as_bytes()));
    }

    /// A good file with any bytes changed, cut out or put in is read soundly or refused.
    #[test]
    fn mutated_files(
        which in any::<Index>(),
        changes in prop::collection::vec((any::<Index>(), any::<u8>(), 0_u8..4), 1..8),
    ) {
        let mut bytes = which.get(&SAMPLES).to_vec();
        for (at, byte, kind) in changes {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b"\",;\n\r-0("[usize::from(byte % 8)]),
            }
        }
        for code in ["USD", "EUR", "GBP"] {
            let currency = Currency::from_code(code).expect("listed");
            sound(read(&bytes, &ReadOptions::new(currency)));
        }
    }
}
