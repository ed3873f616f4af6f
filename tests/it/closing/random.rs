//! Random years that are closed month by month, held to plain sums: the invariants of spec/reliability.md §6.6 that a close must
//! keep.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{CHART, SOLE, members};
use crate::{
    books::Desk,
    engines::{Book, disagreement},
    machine::{chance::Chance, minor, money},
};

/// Accounts that entries move, and what each is: cash, income, spending, an owner's capital, an owner's draws.
const ACCOUNTS: &[(&str, &str)] = &[
    ("1000", "cash"),
    ("1200", "cash"),
    ("4000", "income"),
    ("7100", "income"),
    ("6600", "spending"),
    ("6999", "spending"),
    ("3000", "capital"),
    ("3010", "capital"),
    ("3020", "capital"),
    ("3015", "draws"),
    ("3025", "draws"),
    ("3100", "draws"),
];

/// A posted entry: its day and its lines, debits positive.
struct Posted {
    id: i64,
    date: String,
    lines: Vec<(&'static str, i128)>,
}

/// A year of books and what they should say.
struct Year {
    desk: Desk,
    chance: Chance,
    /// Everything but closing entries.
    posted: Vec<Posted>,
    /// How many months are closed, and what the trial balance of each one's last day said then.
    closed: Vec<(String, Value)>,
}

fn month(number: usize) -> (String, String) {
    const LAST: [usize; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let number = number + 1;
    (
        format!("2026-{number:02}-01"),
        format!("2026-{number:02}-{}", LAST[number - 1]),
    )
}

impl Year {
    fn new(seed: u64) -> Year {
        let mut chance = Chance::new(seed);
        let settings = match chance.below(3) {
            0 => SOLE.to_owned(),
            1 => String::new(),
            _ => members("66.67%", "33.33%"),
        };
        let mut desk = Desk::new("USD", &settings, "2027-01-15");
        desk.ok("books.import_chart_csv", json!({"csv_text": CHART}));
        Year {
            desk,
            chance,
            posted: Vec::new(),
            closed: Vec::new(),
        }
    }

    fn closed_through(&self) -> &str {
        self.closed.last().map_or("", |(end, _)| end)
    }

    fn day(&mut self) -> String {
        let (start, end) = month(self.chance.below(12));
        if self.chance.percent(30) {
            return if self.chance.percent(50) { start } else { end };
        }
        format!("{}-{:02}", &start[..7], 1 + self.chance.below(28))
    }

    /// Posts two or three random lines on a random day; refused exactly where that is closed.
    fn post(&mut self) {
        let date = self.day();
        let amount = i128::try_from(1 + self.chance.below(900_000)).expect("it fits");
        let part = i128::try_from(self.chance.below(usize::try_from(amount).expect("it fits")))
            .expect("it fits");
        let (first, _) = self.chance.pick(ACCOUNTS);
        let (second, _) = self.chance.pick(ACCOUNTS);
        let (third, _) = self.chance.pick(ACCOUNTS);
        let sign = if self.chance.percent(50) { 1 } else { -1 };
        let mut lines = vec![
            (first, sign * amount),
            (second, -sign * (amount - part)),
            (third, -sign * part),
        ];
        lines.retain(|(_, minor)| *minor != 0);
        let words: Vec<String> = lines
            .iter()
            .map(|(code, minor)| {
                format!(
                    "{code}:{}:{}",
                    if *minor > 0 { "dr" } else { "cr" },
                    money(minor.abs())
                )
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if date.as_str() <= self.closed_through() {
            let (_, refusal) = self.desk.unposted(&date, &words);
            assert_eq!(refusal["code"], "period_closed", "{date}: {refusal}");
            return;
        }
        let id = self.desk.post(&date, &words);
        self.posted.push(Posted { id, date, lines });
    }

    /// Reverses a random entry on the last day of the year, which I16 then looks at.
    fn reverse(&mut self) {
        if self.posted.is_empty() || self.closed.len() == 12 {
            return;
        }
        let which = self.chance.below(self.posted.len());
        let (id, lines) = (self.posted[which].id, self.posted[which].lines.clone());
        let date = "2026-12-31".to_owned();
        let args =
            json!({"entry_id": id, "date": date, "description": "Undone", "confirmed": true});
        let Ok(answer) = self.desk.raw("books.reverse_entry", args) else {
            return;
        };
        let id = answer["entry_id"].as_i64().expect("an id");
        let lines = lines
            .into_iter()
            .map(|(code, minor)| (code, -minor))
            .collect();
        self.posted.push(Posted { id, date, lines });
    }

    /// Closes the next month: I15, the preview is what is posted; and then all income of the closed days is gone from the accounts.
    fn close(&mut self) {
        let number = self.closed.len();
        if number == 12 {
            return;
        }
        let (start, end) = month(number);
        let made = json!({"name": end, "start": start, "end": end});
        let id = self.desk.ok("books.create_period", made)["period_id"].clone();
        let preview = self.desk.ok(
            "books.close_period",
            json!({"period_id": id, "preview": true}),
        );
        let closed = self.desk.ok("books.close_period", json!({"period_id": id}));
        for key in ["lines", "net_income", "total"] {
            assert_eq!(preview[key], closed[key], "I15 {key}");
        }
        let net: i128 = self.earned("", &end);
        let before: i128 = self
            .closed
            .last()
            .map_or(0, |(end, _)| self.earned("", end));
        assert_eq!(minor(&closed["net_income"]), net - before, "{end}");
        let trial = self.desk.ok("books.trial_balance", json!({"as_of": end}));
        let open = trial["lines"].as_array().expect("lines").iter();
        let open: Vec<&Value> = open
            .filter(|l| ["revenue", "expense"].contains(&l["type"].as_str().expect("text")))
            .collect();
        assert_eq!(open, [&json!(null); 0], "{end}");
        self.closed.push((end, trial["lines"].clone()));
    }

    /// The sum of the lines on accounts of a sort between two days, credits positive.
    fn sum(&self, sort: &str, from: &str, to: &str) -> i128 {
        let within = self
            .posted
            .iter()
            .filter(|e| from <= e.date.as_str() && e.date.as_str() <= to);
        let of = |code: &str| {
            ACCOUNTS
                .iter()
                .any(|(other, is)| *other == code && *is == sort)
        };
        within
            .flat_map(|e| &e.lines)
            .filter(|(code, _)| of(code))
            .map(|(_, minor)| -minor)
            .sum()
    }

    fn earned(&self, from: &str, to: &str) -> i128 {
        self.sum("income", from, to) + self.sum("spending", from, to)
    }

    /// The year with what its own trial balance says.
    fn book(&mut self, seed: u64) -> Book {
        let trial = self
            .desk
            .ok("books.trial_balance", json!({"as_of": "9999-12-31"}));
        let lines = trial["lines"].as_array().expect("lines").iter();
        let balance = |line: &Value| {
            let id = line["account_id"].as_i64().expect("an id");
            (id, minor(&line["debit"]) - minor(&line["credit"]))
        };
        let mirror = std::fs::read_to_string(self.desk.paths().mirror()).expect("a mirror");
        Book {
            name: format!("B{seed}"),
            journal: mirror
                .lines()
                .map(|l| serde_json::from_str(l).expect("JSON"))
                .collect(),
            balances: lines.map(balance).collect(),
        }
    }

    fn check(&mut self) {
        let mut days = [self.day(), self.day()];
        days.sort();
        let [from, to] = days;
        // I13's parts, with closes between: what a span earned does not know of them.
        let earned = self
            .desk
            .ok("books.profit_and_loss", json!({"start": from, "end": to}));
        assert_eq!(
            earned["net_income"],
            money(self.earned(&from, &to)),
            "{from} to {to}"
        );
        // I3: equity is what owners put in and took, and all that was earned, wherever closes have put it.
        let sheet = self.desk.ok("books.balance_sheet", json!({"as_of": to}));
        let owners = self.sum("capital", "", &to) + self.sum("draws", "", &to);
        let equity = minor(&sheet["equity"]) + minor(&sheet["current_earnings"]);
        assert_eq!(
            equity,
            owners + self.earned("", &to),
            "I3 as of {to}: {sheet}"
        );
        assert_eq!(sheet["balanced"], true, "I2 as of {to}");
        // I4, by the cash accounts.
        let args = json!({"start": from, "end": to, "cash_accounts": ["1000", "1200"]});
        let flows = self.desk.ok("books.cash_flow", args);
        assert_eq!(
            flows["net_change"],
            money(-self.sum("cash", &from, &to)),
            "I4 {from} to {to}"
        );
        assert_eq!(flows["net_income"], earned["net_income"], "{from} to {to}");
        // I14: what was posted later has changed no closed month.
        for (end, lines) in &self.closed {
            let trial = self.desk.ok("books.trial_balance", json!({"as_of": end}));
            assert_eq!(trial["lines"], *lines, "I14 as of {end}");
        }
    }
}

/// I3, I4, I13, I14, I15: random postings, reversals and closes of fifty years, for owners of each kind; and ledger, hledger and
/// beancount make of each year's journal the balances that its trial balance has.
#[test]
fn years() {
    let mut books = Vec::new();
    for seed in 0..50 {
        let mut year = Year::new(seed);
        for step in 0..60 {
            match year.chance.below(10) {
                0..=6 => year.post(),
                7 => year.reverse(),
                8 => year.close(),
                _ => year.check(),
            }
            if step == 59 {
                year.check();
            }
        }
        assert!(year.posted.len() > 5, "seed {seed} posted next to nothing");
        books.push(year.book(seed));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(disagreement(folder.path(), &books), None);
}

/// I16: an entry and its reversal change no balance from the reversal's day on, and no earnings of a span that holds both.
/// I17: the order in which independent entries are posted moves no balance and no close.
#[test]
fn orders_and_reversals() {
    let entries: [(&str, [&str; 2]); 4] = [
        ("2026-01-05", ["1000:dr:100.01", "4000:cr:100.01"]),
        ("2026-01-05", ["6600:dr:33.33", "1000:cr:33.33"]),
        ("2026-01-09", ["3015:dr:10", "1000:cr:10"]),
        ("2026-01-31", ["6999:dr:0.05", "1200:cr:0.05"]),
    ];
    let mut books: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        let mut desk = Desk::new("USD", &members("60%", "40%"), "2027-01-15");
        desk.ok("books.import_chart_csv", json!({"csv_text": CHART}));
        for place in order {
            desk.post(entries[place].0, &entries[place].1);
        }
        let wrong = desk.post("2026-01-10", &["6999:dr:77", "1000:cr:77"]);
        let undone = json!({"entry_id": wrong, "date": "2026-01-20", "description": "Undone"});
        desk.ok("books.reverse_entry", undone);
        let made = json!({"name": "January", "start": "2026-01-01", "end": "2026-01-31"});
        desk.ok("books.create_period", made);
        let closed = desk.ok("books.close_period", json!({"period_id": 1}));
        let trial = desk.ok("books.trial_balance", json!({"as_of": "2026-01-31"}));
        assert_eq!(closed["net_income"], "66.63");
        books
            .entry(format!("{} {}", closed["lines"], trial["lines"]))
            .or_default()
            .extend(order);
    }
    assert_eq!(books.len(), 1, "{books:?}");
}
