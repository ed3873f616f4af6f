//! The sheet: what stands around its tables, and how a cell is read by people and by programs. No layout, no adding.

use crate::model::{Currency, Date};
use crate::present::{Cell, MoneyText, Negative, Row, RowKind, Table, money, money_text};

/// One page for people and programs, whatever it is printed on.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    /// The report's key, such as `balance_sheet`; empty for the page of an operation's result.
    pub report: String,
    /// What makes the sheet a statement; `None` on every other page.
    pub letterhead: Option<Letterhead>,
    /// The heading. May be empty on the page of an operation's result.
    pub title: String,
    /// Named single values, above the tables.
    pub fields: Vec<Field>,
    /// The tables, in reading order.
    pub tables: Vec<Table>,
    /// Sentences below the tables.
    pub notes: Vec<String>,
    /// Where the numbers come from; every report has one.
    pub footer: Option<Footer>,
    /// The currency of every amount on the sheet.
    pub currency: Currency,
}

/// The head of a statement, around its title.
#[derive(Clone, PartialEq, Debug)]
pub struct Letterhead {
    /// Whose statement it is.
    pub company: String,
    /// What it is about.
    pub period: Option<Period>,
}

/// The day or the days that a statement is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Period {
    /// Balances at the end of a day.
    AsOf(Date),
    /// What happened from the first through the last day.
    Range {
        /// The first day.
        start: Date,
        /// The last day, included.
        end: Date,
    },
}

impl Period {
    /// The line of a letterhead: `As of November 30, 2026` or `January 1, 2026 – November 30, 2026`.
    pub fn text(self) -> String {
        match self {
            Period::AsOf(day) => format!("As of {}", day.long()),
            Period::Range { start, end } => format!("{} – {}", start.long(), end.long()),
        }
    }
}

/// A named single value.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its name, for people.
    pub label: String,
    /// The value.
    pub cell: Cell,
}

/// What a reader needs to know about the numbers' origin, and a checker to find them again.
#[derive(Clone, PartialEq, Debug)]
pub struct Footer {
    /// `accrual` or `cash`.
    pub basis: String,
    /// The day on which the sheet was made.
    pub prepared_on: Date,
    /// The journal's last sequence number.
    pub seq: i64,
    /// The first 20 hex digits of the journal's head.
    pub head: String,
}

impl Footer {
    /// The line that every report ends with, the head in groups of four digits.
    pub fn text(&self) -> String {
        let mut letters = self.basis.chars();
        let basis: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .chain(letters)
            .collect();
        let digits: Vec<char> = self.head.chars().collect();
        let head: Vec<String> = digits.chunks(4).map(|four| four.iter().collect()).collect();
        format!(
            "{basis} basis · prepared {} · journal {} · {}",
            self.prepared_on,
            self.seq,
            head.join(" ")
        )
    }
}

/// A cell as people read it.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    /// Words, not yet made safe for a terminal.
    Words(String),
    /// A figure in the pieces that align it.
    Figure(MoneyText),
}

impl Sheet {
    /// A sheet with nothing on it yet.
    pub fn new(report: impl Into<String>, title: impl Into<String>, currency: Currency) -> Sheet {
        Sheet {
            report: report.into(),
            letterhead: None,
            title: title.into(),
            fields: Vec::new(),
            tables: Vec::new(),
            notes: Vec::new(),
            footer: None,
            currency,
        }
    }

    /// How the sheet writes negative amounts: statements in parentheses, every other page with a minus.
    pub fn negative(&self) -> Negative {
        match self.letterhead {
            Some(_) => Negative::Parentheses,
            None => Negative::Minus,
        }
    }

    /// A cell of a row of the kind `kind` as people read it. Fields are read like lines.
    pub fn shown(&self, kind: RowKind, cell: &Cell) -> Shown {
        let negative = self.negative();
        let amount = |minor| money_text(minor, self.currency, kind.symbol(), negative);
        match cell {
            Cell::Empty => Shown::Words(String::new()),
            Cell::Text(words) => Shown::Words(words.clone()),
            Cell::Date(day) => Shown::Words(day.to_string()),
            Cell::Money(minor) => Shown::Figure(amount(*minor)),
            Cell::Sum(sum) => Shown::Figure(amount(sum.minor)),
            Cell::Percent(percent) => Shown::Figure(money::percent_text(*percent, negative)),
            Cell::Number(numeral) => Shown::Figure(numeral.shown(negative)),
        }
    }

    /// Whether programs are told each row's kind, level and account: on statements, and in tables that have rows other than
    /// plain lines.
    pub fn names_rows(&self, table: &Table) -> bool {
        let plain = |row: &Row| !row.kind.is_for_programs() || row.kind == RowKind::Line;
        self.letterhead.is_some() || !table.rows.iter().all(plain)
    }
}

/// The machine form of a cell that holds no words: plain decimals and ISO days. `None` for empty and text cells.
pub(super) fn machine_text(cell: &Cell, currency: Currency) -> Option<String> {
    match cell {
        Cell::Empty | Cell::Text(_) => None,
        Cell::Date(day) => Some(day.to_string()),
        Cell::Money(minor) => Some(currency.money(*minor).to_string()),
        Cell::Sum(sum) => Some(currency.money(sum.minor).to_string()),
        Cell::Percent(percent) => Some(money::percent_machine(*percent)),
        Cell::Number(numeral) => Some(numeral.as_str().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a date")
    }

    /// spec/rendering.md §2: a letterhead names the day, or the first and the last day.
    #[test]
    fn periods() {
        let (start, end) = (day("2026-01-01"), day("2026-11-30"));
        assert_eq!(Period::AsOf(end).text(), "As of November 30, 2026");
        assert_eq!(
            Period::Range { start, end }.text(),
            "January 1, 2026 – November 30, 2026"
        );
    }

    /// The footer groups the head by four digits, so that people can compare it aloud.
    #[test]
    fn footer() {
        let footer = Footer {
            basis: "accrual".to_owned(),
            prepared_on: day("2026-11-30"),
            seq: 1234,
            head: "7f3a91c20b5ed41088aa".to_owned(),
        };
        assert_eq!(
            footer.text(),
            "Accrual basis · prepared 2026-11-30 · journal 1234 · 7f3a 91c2 0b5e d410 88aa"
        );
    }
}
