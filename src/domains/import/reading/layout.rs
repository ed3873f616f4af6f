//! What a layout is, when a header has it, and the plan by which rows are then read. The layouts themselves are data, in
//! `table`, and finding a file's is `search`; no bank's name stands here.

mod search;
mod table;

pub(super) use search::{Head, plan};

use crate::domains::import::reading::{
    AmountSign, DateOrder, LayoutName, Role, SkipReason,
    amount::amount,
    day,
    options::DecimalStyle,
    records::Record,
    refused::{CURRENCY, Refused},
    role::{Columns, Named},
};
use crate::model::Currency;

/// One layout: column names in lower case with single spaces, and what they mean. A new bank is a new row of the table.
pub(super) struct Layout {
    /// The word for it; several forms of one bank's file may share a word.
    pub name: LayoutName,
    /// Names that the header must have, each once.
    pub required: &'static [&'static str],
    /// Names that it may have; with any other name the header is not this layout's unless the caller says so.
    pub optional: &'static [&'static str],
    /// Recognised without being named. False where another layout has the same header and another sign.
    pub recognised: bool,
    /// How rows without a header are known; `required` then names the columns in their order.
    pub headerless: Option<Shape>,
    /// The column of the day on which the owner's money moved.
    pub date: &'static str,
    /// Columns of the description: the first that is not blank is taken.
    pub description: &'static [&'static str],
    /// Where the amount stands.
    pub amount: AmountRule,
    /// What a positive amount means.
    pub sign: AmountSign,
    /// Whether that meaning is certain; if not, text and balances are asked for signs of the contrary.
    pub sign_certain: bool,
    /// The order of the dates, where all files of this layout share one.
    pub date_order: Option<DateOrder>,
    /// Columns whose words decide whether a row is a settled transaction.
    pub statuses: &'static [StatusRule],
    /// The column of the row's currency.
    pub currency: Option<&'static str>,
    /// The one currency that such a file can be in.
    pub only_currency: Option<&'static str>,
    /// The column of the bank's own id of the row.
    pub bank_id: Option<&'static str>,
    /// The column of a check's number.
    pub check_number: Option<&'static str>,
    /// Whether rows without that id are no transactions.
    pub id_required: bool,
    /// The column of the running balance.
    pub balance: Option<&'static str>,
    /// Whether a row without a balance, newer than every row that has one, is still pending.
    pub pending_without_balance: bool,
    /// The bank's own words for the direction, beside amounts that have a sign.
    pub words: Option<DirectionWords>,
    /// Whether balances and sums are stated above the header.
    pub totals_above: bool,
}

/// A layout in which nothing is special; the rows of the table start from it.
pub(super) const PLAIN: Layout = Layout {
    name: LayoutName::Mapped,
    required: &[],
    optional: &[],
    recognised: true,
    headerless: None,
    date: "date",
    description: &["description"],
    amount: AmountRule::Signed("amount"),
    sign: AmountSign::InPositive,
    sign_certain: true,
    date_order: Some(DateOrder::Mdy),
    statuses: &[],
    currency: None,
    only_currency: None,
    bank_id: None,
    check_number: None,
    id_required: false,
    balance: None,
    pending_without_balance: false,
    words: None,
    totals_above: false,
};

/// Where a row's amount stands, by column name.
pub(super) enum AmountRule {
    /// One column with a sign.
    Signed(&'static str),
    /// Two columns of which one is filled; the column decides, not the sign.
    Pair {
        /// The name of the debit column.
        debit: &'static str,
        /// The name of the credit column.
        credit: &'static str,
    },
    /// An amount whose sign stands in another column.
    Typed {
        /// The column of the amount.
        amount: &'static str,
        /// The column of the word.
        kind: &'static str,
        /// The words, in lower case.
        words: KindWords,
    },
}

/// Words of a type column.
#[derive(Clone, Copy, Debug)]
pub(super) struct KindWords {
    /// Those of amounts that count as positive.
    pub positive: &'static [&'static str],
    /// Those of amounts that count as negative.
    pub negative: &'static [&'static str],
}

/// A column whose words tell the direction of a row, though the amount has a sign.
#[derive(Debug)]
pub(super) struct DirectionWords {
    /// The column.
    pub column: &'static str,
    /// Words of money in, in lower case.
    pub money_in: &'static [&'static str],
    /// Words of money out. Any other word tells nothing.
    pub money_out: &'static [&'static str],
}

/// A column whose words decide whether a row counts.
#[derive(Debug)]
pub(super) struct StatusRule {
    /// The column.
    pub column: &'static str,
    /// Words of rows that count, in lower case.
    pub settled: &'static [&'static str],
    /// Words of rows that are passed over, and why. Any other word is a fault.
    pub skipped: &'static [(&'static str, SkipReason)],
}

/// What the first row of a file without a header looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// How many columns it has.
    pub columns: usize,
    /// Which of them is a date.
    pub date: usize,
    /// Which of them is an amount.
    pub amount: usize,
    /// A column that holds one fixed word.
    pub mark: (usize, &'static str),
}

/// Where a row's amount stands, by column index.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum AmountColumns {
    /// One column with a sign.
    Signed(usize),
    /// Debit and credit.
    Pair(usize, usize),
    /// Amount and type; the words are the plan's.
    Typed(usize, usize),
}

/// A layout applied to one file: which column is what, and where the rows begin.
#[derive(Debug)]
pub(super) struct Plan {
    pub name: LayoutName,
    pub delimiter: u8,
    /// Records before the first row: the header and what stands above it.
    pub records_before: usize,
    /// Whether the last of those is a header.
    pub has_header: bool,
    pub width: usize,
    /// The last column that every row must reach.
    pub needed: usize,
    /// Where every role stands.
    pub columns: Columns,
    pub date: usize,
    /// Columns of the description: the first that is not blank is taken.
    pub description: Vec<usize>,
    pub amount: AmountColumns,
    pub kind_words: KindWords,
    pub sign: AmountSign,
    pub sign_certain: bool,
    /// Whether the caller said the sign.
    pub sign_said: bool,
    pub date_order: Option<DateOrder>,
    pub statuses: Vec<(usize, &'static StatusRule)>,
    pub id_required: bool,
    pub pending_without_balance: bool,
    pub words: Option<(usize, &'static DirectionWords)>,
    pub totals_above: bool,
}

/// A header cell as names are compared: trimmed, lower case, single spaces.
pub(super) fn normal(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

impl Layout {
    /// The plan, when the head has this layout; `exactly` refuses names that the layout does not know.
    pub(super) fn plan(
        &'static self,
        head: &Head<'_>,
        exactly: bool,
        currency: Currency,
    ) -> Result<Option<Plan>, Refused> {
        let found = match self.headerless {
            Some(shape) => head
                .records
                .first()
                .filter(|record| shape.fits(record, currency))
                .map(|_| {
                    let names: Vec<String> =
                        self.required.iter().map(|n| (*n).to_owned()).collect();
                    (0, names)
                }),
            None => head.records.iter().enumerate().find_map(|(at, record)| {
                let names: Vec<String> = record.cells.iter().map(normal).collect();
                self.has(&names, exactly).then_some((at + 1, names))
            }),
        };
        let Some((records_before, names)) = found else {
            return Ok(None);
        };
        if let Some(code) = self.only_currency
            && code != currency.code()
        {
            return Err(Refused::new(
                CURRENCY,
                format!(
                    "the file is in {code} and the account in {}",
                    currency.code()
                ),
                "import it into an account of the file's currency",
            ));
        }
        Ok(self.resolved(&names).map(|plan| Plan {
            delimiter: head.delimiter,
            records_before,
            ..plan
        }))
    }

    fn has(&self, names: &[String], exactly: bool) -> bool {
        let count = |wanted: &str| names.iter().filter(|n| n.as_str() == wanted).count();
        let known = |name: &str| self.required.contains(&name) || self.optional.contains(&name);
        self.required.iter().all(|n| count(n) == 1)
            && self.optional.iter().all(|n| count(n) <= 1)
            && (!exactly || names.iter().all(|n| n.is_empty() || known(n)))
    }

    /// Every role with the name of its column.
    fn all(&self) -> Named<'static> {
        let (amount, debit, credit) = match self.amount {
            AmountRule::Signed(amount) | AmountRule::Typed { amount, .. } => {
                (Some(amount), None, None)
            }
            AmountRule::Pair { debit, credit } => (None, Some(debit), Some(credit)),
        };
        [
            (Role::Date, Some(self.date)),
            (Role::Description, self.description.first().copied()),
            (Role::Amount, amount),
            (Role::Debit, debit),
            (Role::Credit, credit),
            (Role::Balance, self.balance),
            (Role::BankId, self.bank_id),
            (Role::CheckNumber, self.check_number),
            (Role::Currency, self.currency),
        ]
    }

    fn resolved(&'static self, names: &[String]) -> Option<Plan> {
        let at = |wanted: &str| names.iter().position(|n| n == wanted);
        let plan = Plan::of(Columns::of(&self.all(), at), names.len())?;
        let (amount, kind_words) = match &self.amount {
            AmountRule::Typed {
                amount,
                kind,
                words,
            } => (AmountColumns::Typed(at(amount)?, at(kind)?), *words),
            _ => (plan.amount, plan.kind_words),
        };
        let statuses = self
            .statuses
            .iter()
            .map(|rule| Some((at(rule.column)?, rule)))
            .collect::<Option<Vec<_>>>()?;
        let words = self.words.as_ref();
        let mut plan = Plan {
            name: self.name,
            has_header: self.headerless.is_none(),
            description: self.description.iter().filter_map(|n| at(n)).collect(),
            amount,
            kind_words,
            sign: self.sign,
            sign_certain: self.sign_certain,
            date_order: self.date_order,
            statuses,
            id_required: self.id_required,
            pending_without_balance: self.pending_without_balance,
            words: words.and_then(|words| Some((at(words.column)?, words))),
            totals_above: self.totals_above,
            ..plan
        };
        plan.needed = plan.needed_column();
        Some(plan)
    }
}

impl Plan {
    /// The plan of a file in which nothing is known but where the roles stand; `None` without a date, a description and one
    /// kind of amount.
    pub(super) fn of(columns: Columns, width: usize) -> Option<Plan> {
        let at = |role| columns.at(role);
        let amount = match (at(Role::Amount), at(Role::Debit), at(Role::Credit)) {
            (Some(amount), _, _) => AmountColumns::Signed(amount),
            (None, Some(debit), Some(credit)) => AmountColumns::Pair(debit, credit),
            _ => return None,
        };
        let mut plan = Plan {
            name: LayoutName::Mapped,
            delimiter: b',',
            records_before: 0,
            has_header: true,
            width,
            needed: 0,
            columns,
            date: at(Role::Date)?,
            description: vec![at(Role::Description)?],
            amount,
            kind_words: KindWords {
                positive: &[],
                negative: &[],
            },
            sign: AmountSign::InPositive,
            sign_certain: false,
            sign_said: false,
            date_order: None,
            statuses: Vec::new(),
            id_required: false,
            pending_without_balance: false,
            words: None,
            totals_above: false,
        };
        plan.needed = plan.needed_column();
        Some(plan)
    }

    /// The cell of a role, trimmed; `None` where the file has no such column.
    pub(super) fn cell<'r>(&self, record: &'r Record<'_>, role: Role) -> Option<&'r str> {
        let column = self.columns.at(role)?;
        Some(record.cells.get(column).unwrap_or_default().trim())
    }

    /// Whether the bank's own word says that a row is money in; `None` where no word says.
    pub(super) fn says_in(&self, record: &Record<'_>) -> Option<bool> {
        let (column, words) = self.words?;
        let word = normal(record.cells.get(column)?);
        if words.money_in.contains(&word.as_str()) {
            return Some(true);
        }
        words.money_out.contains(&word.as_str()).then_some(false)
    }

    /// The last column without which a row cannot be read; columns behind it may be missing.
    pub(super) fn needed_column(&self) -> usize {
        let (a, b) = match self.amount {
            AmountColumns::Signed(a) => (a, a),
            AmountColumns::Pair(a, b) | AmountColumns::Typed(a, b) => (a, b),
        };
        let statuses = self.statuses.iter().map(|(column, _)| *column);
        [self.date, a, b]
            .into_iter()
            .chain(self.description.first().copied())
            .chain(self.columns.at(Role::Currency))
            .chain(statuses)
            .max()
            .unwrap_or(0)
    }
}

impl Shape {
    fn fits(self, record: &Record<'_>, currency: Currency) -> bool {
        let cell = |i: usize| record.cells.get(i).unwrap_or_default();
        record.cells.len() == self.columns
            && day::written(cell(self.date)).is_some()
            && matches!(
                amount(cell(self.amount), DecimalStyle::Point, currency),
                Ok(Some(_))
            )
            && cell(self.mark.0).trim() == self.mark.1
    }
}
