//! Tables: rows under columns, and how each kind of row is to look. No rendering, no adding.

use rust_decimal::Decimal;

use crate::model::Date;
use crate::present::Numeral;

/// Rows under named columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Its heading, when the sheet has several tables.
    pub title: Option<String>,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// The rows, each with one cell a column.
    pub rows: Vec<Row>,
}

/// A column: its name for programs, its name for people, and what stands in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// The name in JSON and CSV.
    pub key: String,
    /// The name in the header row; may be empty.
    pub title: String,
    /// What stands in it.
    pub kind: ColKind,
}

impl Column {
    /// A column of the kind `kind`.
    pub fn new(key: impl Into<String>, title: impl Into<String>, kind: ColKind) -> Column {
        Column {
            key: key.into(),
            title: title.into(),
            kind,
        }
    }
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColKind {
    /// Names of rows, indented by the row's depth. Where space is short, columns of words share it by `weight`.
    Label {
        /// The column's share of scarce space.
        weight: u16,
    },
    /// Words.
    Text {
        /// The column's share of scarce space.
        weight: u16,
    },
    /// Days.
    Date,
    /// Amounts, which sum rows add up.
    Money,
    /// Running balances: amounts that no sum row adds up.
    Balance,
    /// Shares and changes in percent.
    Percent,
    /// Numbers as they came: rates, quantities, amounts of an operation's result.
    Number,
}

impl ColKind {
    /// Whether the column is aligned on the decimal point, and never wrapped.
    pub fn is_numeric(self) -> bool {
        matches!(
            self,
            ColKind::Money | ColKind::Balance | ColKind::Percent | ColKind::Number
        )
    }

    /// The share of scarce space; `None` where the column keeps its width.
    pub fn weight(self) -> Option<u16> {
        match self {
            ColKind::Label { weight } | ColKind::Text { weight } => Some(weight),
            _ => None,
        }
    }
}

/// One row.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What the row is, which decides how it looks.
    pub kind: RowKind,
    /// How far its label is indented.
    pub depth: u8,
    /// A heading's text, which runs across the table; its cells are empty.
    pub caption: Option<String>,
    /// One cell a column.
    pub cells: Vec<Cell>,
    /// The code of the account that the row is about.
    pub account: Option<String>,
    /// Whether the heading stands again at the top of a new page, marked as continued.
    pub repeat: bool,
}

/// What a row is. How it looks follows from its kind here, and nowhere else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// A caption across the table.
    Heading,
    /// A row of values.
    Line,
    /// A line that says that a section has no rows; for people alone.
    Nothing,
    /// The sum of a group.
    Subtotal,
    /// The sum of a section.
    Total,
    /// The sum that the statement is read for.
    StatementTotal,
    /// An empty row.
    Blank,
}

impl RowKind {
    /// Whether programs are told of the row: it holds more than room or words for people.
    pub fn is_for_programs(self) -> bool {
        !matches!(self, RowKind::Blank | RowKind::Nothing)
    }

    /// Whether the row's amounts are sums of other rows.
    pub fn is_sum(self) -> bool {
        matches!(
            self,
            RowKind::Subtotal | RowKind::Total | RowKind::StatementTotal
        )
    }

    /// Whether a rule stands above the row's amounts.
    pub fn rule_above(self) -> bool {
        self.is_sum()
    }

    /// Whether a double rule stands below the row's amounts.
    pub fn double_rule_below(self) -> bool {
        self == RowKind::StatementTotal
    }

    /// Whether the row's amounts carry the currency's sign.
    pub fn symbol(self) -> bool {
        self.is_sum()
    }

    /// Whether the row is set in bold.
    pub fn bold(self) -> bool {
        matches!(
            self,
            RowKind::Heading | RowKind::Total | RowKind::StatementTotal
        )
    }

    /// The kind's name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            RowKind::Heading => "heading",
            RowKind::Line => "line",
            RowKind::Nothing => "nothing",
            RowKind::Subtotal => "subtotal",
            RowKind::Total => "total",
            RowKind::StatementTotal => "statement_total",
            RowKind::Blank => "blank",
        }
    }
}

/// One value of a row or a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words.
    Text(String),
    /// A day.
    Date(Date),
    /// An amount in minor units of the sheet's currency.
    Money(i64),
    /// An amount that is the sum of other rows.
    Sum(Sum),
    /// A share in percent: 12.5 is 12.5 %. Shown with one decimal, kept for programs with four, halves away from zero.
    Percent(Decimal),
    /// A number as it came.
    Number(Numeral),
}

impl Cell {
    /// The amount in minor units of a money or sum cell.
    pub fn minor(&self) -> Option<i64> {
        match self {
            Cell::Money(minor) => Some(*minor),
            Cell::Sum(sum) => Some(sum.minor),
            _ => None,
        }
    }
}

/// An amount with the rows that it adds up. Only [`crate::present::TableBuilder::sum`] makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    pub(super) minor: i64,
    pub(super) terms: Vec<Term>,
}

impl Sum {
    /// The amount in minor units.
    pub fn minor(&self) -> i64 {
        self.minor
    }

    /// The rows that it adds up.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }
}

/// A row of a table, as its builder named it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RowId(pub(super) usize);

impl RowId {
    /// The row's place in its table, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Whether a term is added or taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Added.
    Plus,
    /// Taken away.
    Minus,
}

/// A row's part in a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// The row.
    pub row: RowId,
    /// Its sign.
    pub sign: Sign,
}

impl Term {
    /// The row, added.
    pub fn plus(row: RowId) -> Term {
        Term {
            row,
            sign: Sign::Plus,
        }
    }

    /// The row, taken away.
    pub fn minus(row: RowId) -> Term {
        Term {
            row,
            sign: Sign::Minus,
        }
    }

    /// The rows, all added.
    pub fn plus_all(rows: &[RowId]) -> Vec<Term> {
        rows.iter().copied().map(Term::plus).collect()
    }
}

impl Table {
    /// The column in which a table without captions of its own shows a heading: the first of labels, else of words, else
    /// the first of all. A heading must not land among the dates.
    pub fn caption_column(&self) -> usize {
        let first = |wanted: fn(ColKind) -> bool| self.columns.iter().position(|c| wanted(c.kind));
        first(|kind| matches!(kind, ColKind::Label { .. }))
            .or_else(|| first(|kind| matches!(kind, ColKind::Text { .. })))
            .unwrap_or(0)
    }
}
