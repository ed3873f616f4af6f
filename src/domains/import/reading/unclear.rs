//! What a bank file leaves open, and what is asked about it rather than guessed. Tests only.

use crate::{
    domains::import::reading::{
        AmountSign, BankFile, CURRENCY, ColumnMap, DATES_CONFLICT, DATES_UNCLEAR, DECIMAL_UNCLEAR,
        DateOrder, DecimalStyle, LAYOUT_UNKNOWN, LayoutName, OPTIONS, ROWS, ReadOptions, Refused,
        SIGN_UNCLEAR, SkipReason, read,
    },
    model::Currency,
};

const SHORT_AMEX: &[u8] = include_bytes!("../../../../examples/bank/american_express_short.csv");
const APPLE: &[u8] = include_bytes!("../../../../examples/bank/apple_card.csv");

fn usd() -> ReadOptions<'static> {
    ReadOptions::new(Currency::from_code("USD").expect("USD is listed"))
}

fn file(text: &str) -> Result<BankFile, Refused> {
    read(text.as_bytes(), &usd())
}

/// Day and minor units of every row.
fn rows(read: Result<BankFile, Refused>) -> Vec<(String, i64)> {
    let file = read.expect("a good file");
    let row = |r: &crate::domains::import::reading::BankRow| (r.date.to_string(), r.amount_minor);
    file.rows.iter().map(row).collect()
}

/// Code, and line and field of every fault.
fn faults(read: Result<BankFile, Refused>) -> (&'static str, Vec<(u64, &'static str)>) {
    let refused = read.expect_err("a bad file");
    let faults = refused.faults.iter().map(|f| (f.line, f.field)).collect();
    (refused.code, faults)
}

fn row(day: &str, minor: i64) -> (String, i64) {
    (day.to_owned(), minor)
}

/// spec/domain.md §10.3, purchase-positive files of unknown cards: asked, and read either way once the sign is said.
#[test]
fn purchase_positive_is_asked() {
    assert_eq!(faults(read(SHORT_AMEX, &usd())), (SIGN_UNCLEAR, vec![]));
    let first = |sign| {
        let sign = Some(sign);
        rows(read(SHORT_AMEX, &ReadOptions { sign, ..usd() }))[0].clone()
    };
    assert_eq!(first(AmountSign::InNegative), row("2026-10-25", -32_000));
    assert_eq!(first(AmountSign::InPositive), row("2026-10-25", 32_000));
    let map: ColumnMap = "date=1,description=2,amount=3".parse().expect("a map");
    let mapper = Some(&map);
    let mapped = read(SHORT_AMEX, &ReadOptions { mapper, ..usd() });
    assert_eq!(faults(mapped), (SIGN_UNCLEAR, vec![]));
    // A checking account's payments are negative too, but so are most others.
    let checking = "Date,Description,Amount\n2026-10-01,Card payment,-5.00\n2026-10-02,Rent,-9.00\n2026-10-03,Sale,20.00\n";
    assert_eq!(file(checking).map(|f| f.rows.len()), Ok(3));
}

/// spec/domain.md §10.3, dates: day first or month first by the whole file, refused when both, month first with a warning.
#[test]
fn date_order_is_the_whole_files() {
    let of = |dates: [&str; 2]| {
        file(&format!(
            "Date,Description,Amount\n{},a,1.00\n{},b,2.00\n",
            dates[0], dates[1]
        ))
    };
    let day_first = of(["01/02/2026", "13/02/2026"]);
    assert_eq!(
        rows(day_first),
        [row("2026-02-01", 100), row("2026-02-13", 200)]
    );
    let month_first = of(["01/02/2026", "02/13/2026"]);
    assert_eq!(
        rows(month_first),
        [row("2026-01-02", 100), row("2026-02-13", 200)]
    );
    let both = of(["13/02/2026", "02/13/2026"]);
    assert_eq!(
        faults(both),
        (DATES_CONFLICT, vec![(2, "date"), (3, "date")])
    );
    let neither = of(["01/02/2026", "02/03/2026"]).expect("a good file");
    let warning = "every date of the file could be day first or month first; month first is taken (say `date_order` if it is not)";
    assert_eq!(neither.warnings, [warning]);
    assert_eq!(neither.date_order, DateOrder::Mdy);
    let iso = of(["2026-02-01", "2026-03-01"]).expect("a good file");
    assert_eq!(iso.warnings, Vec::<String>::new());
    // Said, the order binds every row.
    let date_order = Some(DateOrder::Dmy);
    let text = b"Date,Description,Amount\n01/02/2026,a,1.00\n02/13/2026,b,2.00\n";
    let said = read(
        text,
        &ReadOptions {
            date_order,
            ..usd()
        },
    );
    assert_eq!(faults(said), (ROWS, vec![(3, "date")]));
}

/// spec/domain.md §10.3, dates with dots: day first where amounts have a comma before the decimals, and asked where nothing tells.
#[test]
fn dates_with_dots() {
    let of = |day: &str, amount: &str| {
        file(&format!(
            "Date;Description;Amount\n{day};a;{amount}\n05.05.2026;b;7\n"
        ))
    };
    let comma = of("05.10.2026", "-1.200,50");
    assert_eq!(
        rows(comma.clone()),
        [row("2026-10-05", -120_050), row("2026-05-05", 700)]
    );
    let comma = comma.expect("a good file");
    let day_first = "every date of the file could be day first or month first; day first is taken, as amounts have a comma before the decimals (say `date_order` if it is not)";
    assert_eq!(comma.warnings[0], day_first);
    assert_eq!(comma.date_order, DateOrder::Dmy);
    assert_eq!(rows(of("05/10/26", "3,50"))[0], row("2026-10-05", 350));
    assert_eq!(
        faults(of("05.10.2026", "-1,200.50")),
        (DATES_UNCLEAR, vec![(2, "date")])
    );
    assert_eq!(
        faults(of("05.10.26", "12")),
        (DATES_UNCLEAR, vec![(2, "date")])
    );
    // One date that tells, or a word of the human, settles it.
    assert_eq!(rows(of("31.10.2026", "1.50"))[0], row("2026-10-31", 150));
    assert_eq!(rows(of("10.31.2026", "1,50"))[0], row("2026-10-31", 150));
    let date_order = Some(DateOrder::Mdy);
    let text = b"Date,Description,Amount\n05.10.2026,a,1.00\n";
    let said = read(
        text,
        &ReadOptions {
            date_order,
            ..usd()
        },
    );
    assert_eq!(rows(said), [row("2026-05-10", 100)]);
    assert_eq!(rows(of("06.06.2026", "1.50"))[0], row("2026-06-06", 150));
}

/// spec/domain.md §10.3, amounts: comma style when declared, or when every amount can be so and one only so; else refused.
#[test]
fn comma_decimals() {
    let text = |amounts: [&str; 2]| {
        format!(
            "Date;Description;Amount\n2026-10-01;a;{}\n2026-10-02;b;{}\n",
            amounts[0], amounts[1]
        )
    };
    let minor = |amounts, decimal| {
        let read = read(text(amounts).as_bytes(), &ReadOptions { decimal, ..usd() });
        let read = read.map_err(|r| r.faults.iter().map(|f| f.line).collect::<Vec<_>>());
        read.map(|f| f.rows.iter().map(|r| r.amount_minor).collect::<Vec<_>>())
    };
    assert_eq!(minor(["1.234,56", "5"], None), Ok(vec![123_456, 500]));
    assert_eq!(minor(["1,23", "5"], None), Ok(vec![123, 500]));
    assert_eq!(minor(["1.234,56", "5.00"], None), Err(vec![2]));
    assert_eq!(minor(["1,23", "1,234.00"], None), Err(vec![2]));
    assert_eq!(minor(["1,234", "5"], None), Ok(vec![123_400, 500]));
    let comma = Some(DecimalStyle::Comma);
    assert_eq!(minor(["1.234", "5"], comma), Ok(vec![123_400, 500]));
    assert_eq!(minor(["5.00", "5"], comma), Err(vec![2]));
    let point = Some(DecimalStyle::Point);
    assert_eq!(minor(["1.234,56", "5"], point), Err(vec![2]));
}

/// spec/domain.md §10.3, amounts: where every amount may be thousands or decimals the file is refused; one clear amount
/// anywhere settles it.
#[test]
fn thousands_or_decimals() {
    let read_as = |amounts: [&str; 2], code: &str, decimal| {
        let text = format!(
            "Date;Description;Amount\n2026-10-01;a;{}\n2026-10-02;b;{}\n",
            amounts[0], amounts[1]
        );
        let currency = Currency::from_code(code).expect("listed");
        let options = ReadOptions {
            decimal,
            ..ReadOptions::new(currency)
        };
        let file = read(text.as_bytes(), &options).map_err(|r| {
            let line = r.faults.first().map(|f| f.line);
            (r.code, line)
        })?;
        Ok(file.rows.iter().map(|r| r.amount_minor).collect::<Vec<_>>())
    };
    let usd = |amounts, decimal| read_as(amounts, "USD", decimal);
    let unclear = |line| Err((DECIMAL_UNCLEAR, Some(line)));
    assert_eq!(usd(["12.345", "-1.234"], None), unclear(2));
    assert_eq!(usd(["5", "12.345"], None), unclear(3));
    let comma = Some(DecimalStyle::Comma);
    assert_eq!(usd(["12.345", "5"], comma), Ok(vec![1_234_500, 500]));
    let point = Some(DecimalStyle::Point);
    assert_eq!(usd(["12.345", "5"], point), Err((ROWS, Some(2))));
    assert_eq!(usd(["12.345", "5,00"], None), Ok(vec![1_234_500, 500]));
    assert_eq!(
        usd(["12.345", "1.234.567"], None),
        Ok(vec![1_234_500, 123_456_700])
    );
    assert_eq!(usd(["12.345", "5.00"], None), Err((ROWS, Some(2))));
    // Dinars have three decimals: each mark before three digits may be either.
    let kwd = |amounts, decimal| read_as(amounts, "KWD", decimal);
    assert_eq!(kwd(["12.345", "5"], None), unclear(2));
    assert_eq!(kwd(["12.345", "0.500"], None), Ok(vec![12_345, 500]));
    assert_eq!(kwd(["12,345", "0,500"], None), Ok(vec![12_345, 500]));
}

/// spec/domain.md §10.3, debit and credit: exactly one, 0.00 is blank, both or neither is refused, the column decides.
#[test]
fn debit_and_credit() {
    let of = |cells: &str| {
        file(&format!(
            "Date,Description,Credit,Debit\n2026-10-01,a,{cells}\n"
        ))
    };
    assert_eq!(rows(of("5.00,")), [row("2026-10-01", 500)]);
    assert_eq!(rows(of(",5.00")), [row("2026-10-01", -500)]);
    assert_eq!(rows(of("0.00,5.00")), [row("2026-10-01", -500)]);
    assert_eq!(rows(of("-5.00,")), [row("2026-10-01", 500)]);
    assert_eq!(faults(of("5.00,5.00")), (ROWS, vec![(2, "amount")]));
    assert_eq!(faults(of(",")), (ROWS, vec![(2, "amount")]));
    assert_eq!(faults(of("x,")), (ROWS, vec![(2, "credit")]));
    let zero = of("0.00,").expect("a good file").skipped;
    let zero: Vec<_> = zero.iter().map(|s| (s.line, s.reason)).collect();
    assert_eq!(zero, [(2, SkipReason::ZeroAmount)]);
}

/// spec/domain.md §10.1, the trap: a balance that contradicts Credit = in is asked about, and turned on the human's word.
#[test]
fn credit_in_the_ledgers_view() {
    let text = b"Date,Description,Credit,Debit,Balance\n2026-10-01,Sale,,100.00,1100.00\n2026-10-02,Rent,30.00,,1070.00\n2026-10-03,Sale,,5.00,1075.00\n";
    assert_eq!(faults(read(text, &usd())), (SIGN_UNCLEAR, vec![]));
    let sign = Some(AmountSign::InNegative);
    let turned = read(text, &ReadOptions { sign, ..usd() }).expect("a good file");
    let warning = "the Credit column is read as money out and Debit as money in";
    assert_eq!(turned.warnings, [warning]);
    let minor: Vec<i64> = turned.rows.iter().map(|r| r.amount_minor).collect();
    assert_eq!(minor, [10_000, -3_000, 500]);
}

/// spec/domain.md §10.3, running balance: a break is a warning with the line, and with both balances.
#[test]
fn balance_breaks() {
    let text = "Date,Description,Amount,Balance\n2026-10-01,a,1.00,11.00\n2026-10-02,b,2.00,13.00\n2026-10-04,d,4.00,20.00\n";
    let warning = "the running balance does not follow from the amounts at line 4: it is 20.00, and they come to 17.00; a row may be missing";
    assert_eq!(file(text).map(|f| f.warnings), Ok(vec![warning.to_owned()]));
}

/// spec/domain.md §10.3: extra empty cells are fine, extra full ones are faults, and only optional cells may be missing.
#[test]
fn widths() {
    let header = "Transaction Date,Post Date,Description,Category,Type,Amount,Memo";
    let of = |row: &str| file(&format!("{header}\n{row}\n"));
    let good = "10/01/2026,10/02/2026,a,b,Sale,-1.00";
    assert_eq!(rows(of(good)), [row("2026-10-01", -100)]);
    assert_eq!(
        rows(of(&format!("{good},m, ,,"))),
        [row("2026-10-01", -100)]
    );
    assert_eq!(
        faults(of(&format!("{good},m,,x"))),
        (ROWS, vec![(2, "row")])
    );
    assert_eq!(
        faults(of("10/01/2026,10/02/2026,a,b,Sale")),
        (ROWS, vec![(2, "row")])
    );
}

/// spec/domain.md §10.3, all or nothing: one bad row and no row is given; every fault has its line.
#[test]
fn all_or_nothing() {
    let text = "Date,Description,Amount\n2026-10-01,a,1.00\n2026-02-30,b,x\n\n2026-10-03,c,\n";
    let expected = vec![(3, "amount"), (3, "date"), (5, "amount")];
    assert_eq!(faults(file(text)), (ROWS, expected));
}

/// spec/domain.md §10.2: by header set, whatever the order, case and spaces; an unknown name is another layout.
#[test]
fn header_sets() {
    let moved = "BALANCE, transaction   amount ,Transaction Type,Transaction Date,Transaction Description,Account Number\n542,21,Debit,10/01/26,a,5678\n";
    let read_as = file(moved).map(|f| f.layout);
    assert_eq!(read_as, Ok(LayoutName::CapitalOne360));
    assert_eq!(rows(file(moved)), [row("2026-10-01", -2_100)]);
    let wider = b"Date,Description,Amount,Mood\n2026-10-01,a,1.00,good\n";
    let refused = read(wider, &usd()).expect_err("an unknown layout");
    assert_eq!(refused.code, LAYOUT_UNKNOWN);
    assert_eq!(refused.seen, ["Date", "Description", "Amount", "Mood"]);
    let layout = Some(LayoutName::QuickBooks);
    assert_eq!(
        rows(read(wider, &ReadOptions { layout, ..usd() })),
        [row("2026-10-01", 100)]
    );
    let twice = "Date,Date,Description,Amount\n2026-10-01,2026-10-01,a,1.00\n";
    assert_eq!(faults(file(twice)), (LAYOUT_UNKNOWN, vec![]));
    let deep = |lines: usize| {
        let above = "x\n".repeat(lines);
        file(&format!(
            "{above}Date,Description,Amount\n2026-10-01,a,1.00\n"
        ))
    };
    assert_eq!(rows(deep(19)), [row("2026-10-01", 100)]);
    assert_eq!(faults(deep(20)), (LAYOUT_UNKNOWN, vec![]));
}

/// A layout and a map contradict one another, a map needs its columns, and a layout its own.
#[test]
fn options_are_held() {
    let map: ColumnMap = "date=Day,description=Text,amount=Sum"
        .parse()
        .expect("a map");
    let code = |layout, mapper| {
        let options = ReadOptions {
            layout,
            mapper,
            ..usd()
        };
        let text = b"Day\tText\tSum\n2026-10-01\ta\t1.00\n";
        read(text, &options).map(|f| f.layout).map_err(|r| r.code)
    };
    assert_eq!(code(None, Some(&map)), Ok(LayoutName::Mapped));
    assert_eq!(
        code(Some(LayoutName::Mapped), Some(&map)),
        Ok(LayoutName::Mapped)
    );
    assert_eq!(code(Some(LayoutName::CitiCard), Some(&map)), Err(OPTIONS));
    assert_eq!(code(Some(LayoutName::Mapped), None), Err(OPTIONS));
    assert_eq!(code(Some(LayoutName::CitiCard), None), Err(LAYOUT_UNKNOWN));
    let other: ColumnMap = "date=Day,description=Text,amount=Gross"
        .parse()
        .expect("a map");
    assert_eq!(code(None, Some(&other)), Err(LAYOUT_UNKNOWN));
    let by_number: ColumnMap = "date=1,description=2,amount=3".parse().expect("a map");
    let mapper = Some(&by_number);
    let bare = read(b"2026-10-01,a,1.00\n", &ReadOptions { mapper, ..usd() });
    assert_eq!(rows(bare), [row("2026-10-01", 100)]);
}

/// spec/domain.md §10.3: words that are not known decide nothing; an Apple Card is in dollars; DR and CR stand as written.
#[test]
fn nothing_is_guessed() {
    let citi = "Status,Date,Description,Debit,Credit\nPosted?,10/01/2026,a,1.00,\n";
    assert_eq!(faults(file(citi)), (ROWS, vec![(2, "status")]));
    let kind = "Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance\n1,a,10/01/26,Hold,1,2\n";
    assert_eq!(faults(file(kind)), (ROWS, vec![(2, "type")]));
    let euro = ReadOptions::new(Currency::from_code("EUR").expect("listed"));
    assert_eq!(faults(read(APPLE, &euro)), (CURRENCY, vec![]));
    let sign = Some(AmountSign::InNegative);
    let marked = b"Date,Description,Amount\n2026-10-01,a,45.20 DR\n2026-10-02,b,1.02 CR\n2026-10-03,c,3.00\n";
    let minor = [
        row("2026-10-01", -4_520),
        row("2026-10-02", 102),
        row("2026-10-03", -300),
    ];
    assert_eq!(rows(read(marked, &ReadOptions { sign, ..usd() })), minor);
}
