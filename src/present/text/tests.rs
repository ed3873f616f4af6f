//! Whole pages of text, written by hand from spec/rendering.md §2 and spec/terminal.md "Output".

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::model::{AMOUNT_MINOR_MAX, Currency, has_hostile};
use crate::present::sample::balance_sheet;
use crate::present::{Field, Numeral, RowId, TableBuilder, Term};

fn text(sheet: &Sheet) -> String {
    render(sheet, &TextStyle::default())
}

fn narrow(sheet: &Sheet, width: usize) -> String {
    let style = TextStyle {
        width: Some(width),
        colour: false,
    };
    render(sheet, &style)
}

/// A statement: centred letterhead, indents, negatives in parentheses with aligned points, `$` and a rule on sums, a
/// double rule under statement totals, notes and the footer.
#[test]
fn statement() {
    let expected = "
              Harbor Books LLC
               Balance Sheet
          As of November 30, 2026

                                     Amount
───────────────────────────────  ───────────
ASSETS
  1000 Checking                   12,345.67
  1590 Accumulated Depreciation   (2,000.00)
                                 ───────────
TOTAL ASSETS                     $10,345.67
                                 ═══════════

LIABILITIES AND EQUITY
  2000 Accounts Payable              345.67
                                 ───────────
  Total liabilities                 $345.67
  3000 Owner's Capital            11,000.00
  Net income (loss)               (1,000.00)
                                 ───────────
  Total equity                   $10,000.00
                                 ───────────
TOTAL LIABILITIES AND EQUITY     $10,345.67
                                 ═══════════

Unaudited.

Accrual basis · prepared 2026-11-30 · journal 1234 · 7f3a 91c2 0b5e d410 88aa
";
    assert_eq!(text(&balance_sheet()), expected[1..]);
}

/// At 40 columns words wrap below their own indent, and figures stay whole.
#[test]
fn wrapped_statement() {
    let expected = "
            Harbor Books LLC
             Balance Sheet
        As of November 30, 2026

                                 Amount
───────────────────────────  ───────────
ASSETS
  1000 Checking               12,345.67
  1590 Accumulated            (2,000.00)
  Depreciation
                             ───────────
TOTAL ASSETS                 $10,345.67
                             ═══════════

LIABILITIES AND EQUITY
  2000 Accounts Payable          345.67
                             ───────────
  Total liabilities             $345.67
  3000 Owner's Capital        11,000.00
  Net income (loss)           (1,000.00)
                             ───────────
  Total equity               $10,000.00
                             ───────────
TOTAL LIABILITIES AND        $10,345.67
EQUITY
                             ═══════════

Unaudited.

Accrual basis · prepared 2026-11-30 ·
journal 1234 · 7f3a 91c2 0b5e d410 88aa
";
    assert_eq!(narrow(&balance_sheet(), 40), expected[1..]);
}

/// A terminal that does not know its width counts as 80 columns wide.
#[test]
fn unknown_width() {
    let sheet = Sheet::from_value("", &json!({ "memo": "word ".repeat(40) }));
    let widest = |width| {
        narrow(&sheet, width)
            .lines()
            .map(UnicodeWidthStr::width)
            .max()
    };
    assert_eq!(narrow(&sheet, 0), narrow(&sheet, 80));
    assert!(widest(0) <= Some(80) && widest(0) > Some(70));
}

/// A result: fields above its table, figures on their points with a minus, whole numbers without separators.
#[test]
fn result() {
    let value = json!({
        "entry_id": 12345, "total": "-1234.50", "posted": true,
        "lines": [
            { "account_code": "1000", "amount": "1234.50", "rate": "1.25" },
            { "account_code": "4000", "amount": "-1234.5", "rate": "0.00015", "memo": "x" },
        ],
    });
    let expected = "
Posted entry

Entry id  12345
Total     -1,234.50
Posted    yes

Lines
Account code     Amount     Rate  Memo
────────────  ─────────  ───────  ────
1000           1,234.50  1.25
4000          -1,234.5   0.00015  x
";
    assert_eq!(
        text(&Sheet::from_value("Posted entry", &value)),
        expected[1..]
    );
}

/// Wide tables of words are fitted to the page, the words wrapped and none lost.
#[test]
fn wrapped_table() {
    let value = json!([{ "id": 7, "description": "Monthly rent of the harbor office", "party": "Wharf Holdings", "amount": "1200.00" }]);
    // 40 less 6 of gaps, 2 and 8 of figures leave 24, which two columns of the same weight share.
    let expected = "
Id  Description   Party           Amount
──  ────────────  ────────────  ────────
 7  Monthly rent  Wharf         1,200.00
    of the        Holdings
    harbor
    office
";
    assert_eq!(narrow(&Sheet::from_value("", &value), 40), expected[1..]);
}

/// Yen have no point to align on and dinars three decimals; both keep room for the parenthesis.
#[test]
fn other_currencies() {
    let page = |code: &str| {
        let mut table = TableBuilder::new(vec![
            Column::new("account", "", ColKind::Label { weight: 1 }),
            Column::new("amount", "", ColKind::Money),
        ]);
        let mut line = |name: &str, minor| -> RowId {
            let cells = vec![Cell::Text(name.to_owned()), Cell::Money(minor)];
            table.line(0, cells).expect("two cells")
        };
        let rows = [line("Sales", 1_234_567), line("Returns", -4_567)];
        table
            .sum(RowKind::Total, "Net", Term::plus_all(&rows))
            .expect("a small sum");
        let mut sheet = balance_sheet();
        sheet.currency = Currency::from_code(code).expect("a listed code");
        sheet.letterhead = Some(Letterhead {
            company: "Co".to_owned(),
            period: None,
        });
        sheet.title = String::new();
        sheet.tables = vec![table.finish()];
        sheet.notes.clear();
        sheet.footer = None;
        text(&sheet)
    };
    let yen = "         Co

Sales     1,234,567
Returns      (4,567)
         ───────────
Net      ¥1,230,000
";
    assert_eq!(page("JPY"), yen);
    let dinars = "          Co

Sales        1,234.567
Returns         (4.567)
         ──────────────
Net      KWD 1,230.000
";
    assert_eq!(page("KWD"), dinars);
}

/// Nothing from the books reaches the terminal raw, wherever on the page it stands; bold type is the only escape, and
/// no line ends with a blank.
#[test]
fn hostile_text() {
    let bad = "a\u{1b}[2J\u{202e}\u{200b}\n\u{9b}\u{7f}\u{e0041}\u{feff}b";
    let mut sheet = Sheet::from_value(bad, &json!({ bad: bad, "list": [{ bad: bad, "n": 1 }] }));
    sheet.notes.push(bad.to_owned());
    let mut table =
        TableBuilder::new(vec![Column::new("a", bad, ColKind::Label { weight: 1 })]).title(bad);
    table.heading(bad);
    sheet.tables.push(table.finish());
    let mut statement = balance_sheet();
    statement.title = bad.to_owned();
    statement.notes.push(bad.to_owned());
    if let (Some(head), Some(footer)) = (&mut statement.letterhead, &mut statement.footer) {
        head.company = bad.to_owned();
        footer.basis = bad.to_owned();
        footer.head = bad.to_owned();
    }
    for sheet in [sheet, statement] {
        for width in [None, Some(40)] {
            for colour in [false, true] {
                let page = render(&sheet, &TextStyle { width, colour });
                let plain = page.replace(BOLD, "").replace(PLAIN, "");
                assert!(plain.lines().all(|line| !has_hostile(line)), "{plain:?}");
                assert!(plain.lines().all(|line| !line.ends_with(' ')), "{plain:?}");
                assert_eq!(page == plain, !colour);
            }
        }
    }
}

/// With colour, headings and totals are bold and nothing else changes.
#[test]
fn bold() {
    let style = TextStyle {
        width: None,
        colour: true,
    };
    let page = render(&balance_sheet(), &style);
    assert_eq!(
        page.replace(BOLD, "").replace(PLAIN, ""),
        text(&balance_sheet())
    );
    for expected in [
        "\u{1b}[1mASSETS\u{1b}[0m\n",
        "\n\u{1b}[1mTOTAL ASSETS\u{1b}[0m                     \u{1b}[1m$10,345.67\u{1b}[0m\n",
        "\n  Total liabilities                 $345.67\n",
    ] {
        assert!(page.contains(expected), "{expected:?} in {page}");
    }
}

/// Words far longer than the table library can count are wrapped, not lost.
#[test]
fn huge_word() {
    let word = "x".repeat(100_000);
    let page = text(&Sheet::from_value("", &json!({ "blob": word })));
    assert_eq!(page.matches('x').count(), 100_000);
}

/// A field holds any cell, and a sheet without anything is empty text.
#[test]
fn small_pages() {
    let mut sheet = Sheet::from_value("", &json!([]));
    sheet.fields = vec![
        Field {
            label: "Total".to_owned(),
            cell: Cell::Money(-123_456),
        },
        Field {
            label: "Rate".to_owned(),
            cell: Numeral::from_decimal_text("1.5").map_or(Cell::Empty, Cell::Number),
        },
    ];
    assert_eq!(text(&sheet), "Total  -1,234.56\nRate   1.5\n");
    sheet.fields.clear();
    assert_eq!(text(&sheet), "");
}

/// A long title over figures wraps on its words, every line ending where the digits end; deep labels keep room for words;
/// a table without columns is no reason to fail.
#[test]
fn odd_tables() {
    let mut table = TableBuilder::new(vec![
        Column::new("account", "Account", ColKind::Label { weight: 1 }),
        Column::new("change", "Change since last year", ColKind::Money),
        Column::new("share", "Share", ColKind::Percent),
    ]);
    let cells = |minor| {
        let percent = Cell::Percent("12.5".parse().expect("a decimal"));
        vec![
            Cell::Text("Rent of the office".to_owned()),
            Cell::Money(minor),
            percent,
        ]
    };
    table.line(0, cells(100)).expect("three cells");
    table.line(9, cells(-100)).expect("three cells");
    let mut sheet = balance_sheet();
    sheet.letterhead = Some(Letterhead {
        company: String::new(),
        period: None,
    });
    sheet.title.clear();
    sheet.notes.clear();
    sheet.footer = None;
    sheet.tables = vec![table.finish(), TableBuilder::new(Vec::new()).finish()];
    sheet.tables[1].rows = vec![sheet.tables[0].rows[0].clone()];
    // 40 less 4 of gaps, 7 of "Change " and 6 of "12.5% " leave 23; the second label would be indented by 18, and is by 11.
    let expected = "
                         Change
                          since
                           last
Account                    year   Share
───────────────────────  ───────  ──────
Rent of the office         1.00   12.5%
           Rent of the    (1.00)  12.5%
           office
";
    assert_eq!(narrow(&sheet, 40), expected[1..]);
}

/// JSON of any shape whose single values are words that occur once.
fn results() -> impl Strategy<Value = Value> {
    let word = "[a-z]{12}".prop_map(Value::from);
    word.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-c]{1,2}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn words_in(value: &Value) -> Vec<&str> {
    match value {
        Value::String(word) => vec![word],
        Value::Array(items) => items.iter().flat_map(words_in).collect(),
        Value::Object(members) => members.values().flat_map(words_in).collect(),
        _ => Vec::new(),
    }
}

proptest! {
    /// Whatever the shape of a result, every value in it stands on its page.
    #[test]
    fn no_value_is_lost(value in results()) {
        let page = text(&Sheet::from_value("", &value));
        for word in words_in(&value) {
            prop_assert!(page.contains(word), "{word} of {value} in {page}");
        }
    }

    /// In a column of amounts all decimal points stand below each other, and the sum is that of the engine's integers.
    #[test]
    fn points_are_aligned(amounts in prop::collection::vec(-AMOUNT_MINOR_MAX..=AMOUNT_MINOR_MAX, 1..8)) {
        let mut table = TableBuilder::new(vec![
            Column::new("account", "", ColKind::Label { weight: 1 }),
            Column::new("amount", "", ColKind::Money),
        ]);
        let mut rows = Vec::new();
        for minor in &amounts {
            let cells = vec![Cell::Text("x".to_owned()), Cell::Money(*minor)];
            rows.push(table.line(0, cells).expect("two cells"));
        }
        let total = table.sum(RowKind::Total, "T", Term::plus_all(&rows)).expect("eight amounts fit");
        prop_assert_eq!(table.minor(total, "amount"), Some(amounts.iter().sum()));
        let mut sheet = balance_sheet();
        sheet.letterhead = None;
        sheet.title.clear();
        sheet.notes.clear();
        sheet.footer = None;
        sheet.tables = vec![table.finish()];
        prop_assert_eq!(sheet.check(), Ok(()));
        let page = text(&sheet);
        let points: Vec<usize> = page.lines().filter_map(|line| line.find('.')).collect();
        prop_assert_eq!(points.len(), amounts.len() + 1);
        prop_assert!(points.iter().all(|point| *point == points[0]), "{}", page);
    }
}

/// Notes are broken between words, with the margin of their line and the blank that an answer is typed behind.
#[test]
fn notes_are_filled() {
    let note = "    write the amount in words of your own and then go on\nName? ";
    let set = "    write the amount in words of your\n    own and then go on\nName? ";
    assert_eq!(filled(note, 40), set);
    assert_eq!(filled(note, 0), note);
}
