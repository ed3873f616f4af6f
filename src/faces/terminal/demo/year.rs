//! The demo's year: what a small bookshop did in 2025, as arguments of `books.draft_entry`.

use serde_json::{Value, json};

/// Dollars and cents as an amount.
fn money(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// An entry of debits and credits, each an account and an amount in cents.
fn entry(date: &str, description: &str, debits: &[(&str, i64)], credits: &[(&str, i64)]) -> Value {
    let side = |side: &'static str| move |(account, cents): &(&str, i64)| json!({"account": account, "side": side, "amount": money(*cents)});
    let lines: Vec<Value> = debits
        .iter()
        .map(side("debit"))
        .chain(credits.iter().map(side("credit")))
        .collect();
    json!({ "date": date, "description": description, "lines": lines })
}

/// The year's entries, in the order in which they were made.
pub fn entries() -> Vec<Value> {
    let mut all = vec![
        entry(
            "2025-01-01",
            "Capital paid in",
            &[("1000", 4_000_000)],
            &[("3010", 2_400_000), ("3020", 1_600_000)],
        ),
        entry(
            "2025-01-03",
            "Shelving and till",
            &[("1510", 600_000)],
            &[("1000", 600_000)],
        ),
        entry(
            "2025-01-06",
            "Security deposit for the shop",
            &[("1450", 185_000)],
            &[("1000", 185_000)],
        ),
        entry(
            "2025-01-07",
            "Opening stock of books",
            &[("1300", 1_250_000)],
            &[("1000", 1_250_000)],
        ),
    ];
    for month in 1..=12 {
        all.extend(one_month(month));
    }
    all
}

const LAST_DAYS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// A day of a month of the year.
fn day(month: i64, day: u32) -> String {
    format!("2025-{month:02}-{day:02}")
}

/// What happens every month, and every third one besides.
fn one_month(month: i64) -> Vec<Value> {
    let mut entries = trade(month);
    if month % 3 == 0 {
        entries.extend(quarter_end(month));
    }
    entries
}

/// Rent, stock, sales and what goes with them.
fn trade(month: i64) -> Vec<Value> {
    let last = day(month, LAST_DAYS[(month - 1) as usize]);
    // Sales rise into the holidays; the card processor keeps 2.9 % and 30 cents.
    let sales = 1_180_000 + 37_500 * month + if month >= 11 { 460_000 } else { 0 };
    let fee = (sales * 29 + 500) / 1_000 + 30;
    // The wholesaler is asked for a little more than what will be sold, so that the shelves stay full.
    let stock = 545_000 + 17_500 * month + if month >= 11 { 215_000 } else { 0 };
    let sold = (sales * 46 + 50) / 100;
    let power = 21_350 + 410 * month;
    // 6,000.00 over 60 months; of January, 29 of 31 days: 6,000 × 29 / (60 × 31) = 93.55.
    let worn = if month == 1 { 9_355 } else { 10_000 };
    let paid_out = [("1000", sales - fee), ("5100", fee)];
    vec![
        entry(
            &day(month, 1),
            "Shop rent",
            &[("6400", 185_000)],
            &[("1000", 185_000)],
        ),
        entry(
            &day(month, 3),
            "Books from the wholesaler",
            &[("1300", stock)],
            &[("2000", stock)],
        ),
        entry(
            &day(month, 10),
            "Point-of-sale software",
            &[("6820", 5_900)],
            &[("2050", 5_900)],
        ),
        entry(
            &day(month, 15),
            "Card sales, paid out",
            &paid_out,
            &[("4000", sales)],
        ),
        entry(
            &day(month, 20),
            "Electricity and internet",
            &[("6410", power)],
            &[("1000", power)],
        ),
        entry(
            &day(month, 25),
            "Wholesaler paid",
            &[("2000", stock)],
            &[("1000", stock)],
        ),
        entry(
            &last,
            "Cost of books sold",
            &[("5000", sold)],
            &[("1300", sold)],
        ),
        entry(
            &last,
            "Depreciation of shelving and till",
            &[("6500", worn)],
            &[("1590", worn)],
        ),
    ]
}

/// The card bill, Ada's guaranteed payment and what the members take out.
fn quarter_end(month: i64) -> [Value; 3] {
    let members = [("3015", 180_000), ("3025", 120_000)];
    [
        entry(
            &day(month, 26),
            "Card paid off",
            &[("2050", 17_700)],
            &[("1000", 17_700)],
        ),
        entry(
            &day(month, 27),
            "Guaranteed payment to Ada",
            &[("6120", 450_000)],
            &[("1000", 450_000)],
        ),
        entry(
            &day(month, 28),
            "Distribution to the members",
            &members,
            &[("1000", 300_000)],
        ),
    ]
}

/// A lunch booked to the wrong account, and as it should have been.
pub fn mistake() -> [Value; 2] {
    let lunch = |account| {
        entry(
            "2025-12-21",
            "Lunch with the accountant",
            &[(account, 7_260)],
            &[("1000", 7_260)],
        )
    };
    [lunch("6320"), lunch("6310")]
}
