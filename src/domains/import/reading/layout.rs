//! What a layout is, when a header has it, and the plan by which rows are then read. The layouts themselves are data, in
//! `table`, and finding a file's is `search`; no bank's name stands here.

mod amounts;
mod search;
mod status;
mod table;
mod wallets;

pub(super) use amounts::{AmountColumns, AmountRule, End, Ends, KindWords};
pub(super) use search::{Head, plan};
pub(super) use status::{DirectionWords, OwnBalance, StatusByKind, StatusRule};

use crate::domains::import::reading::{
    AmountSign, DateOrder, LayoutName, Role,
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
    /// Whether any other name may stand there too, because no other file has those that are required.
    pub open: bool,
    /// Recognised without being named. False where another layout has the same header and another sign.
    pub recognised: bool,
    /// How rows without a header are known; `required` then names the columns in their order.
    pub headerless: Option<Shape>,
    /// The column of the day on which the owner's money moved: the first of these that the header has.
    pub date: &'static [&'static str],
    /// Columns of the description, those that the header has: the first that is not blank is taken.
    pub description: &'static [&'static str],
    /// The column of who paid, which is the text of money in.
    pub payer: Option<&'static str>,
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
    /// A word among them whose meaning hangs on the kind of row.
    pub status_by_kind: Option<StatusByKind>,
    /// The column of what kind of transaction a row is, which stands behind its text where that is another.
    pub kind: Option<&'static str>,
    /// The column of the row's currency.
    pub currency: Option<&'static str>,
    /// The one currency that such a file can be in.
    pub only_currency: Option<&'static str>,
    /// The column that names the account, of which a file may have one only.
    pub account: Option<&'static str>,
    /// The columns that say whether a row moves the wallet's own balance.
    pub own: Option<OwnBalance<&'static str>>,
    /// The column of the bank's own id of the row.
    pub bank_id: Option<&'static str>,
    /// The column of a check's number.
    pub check_number: Option<&'static str>,
    /// Whether rows without that id are no transactions.
    pub id_required: bool,
    /// Where such a row tells the beginning and the ending balance.
    pub told: Option<[&'static str; 2]>,
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
    open: false,
    recognised: true,
    headerless: None,
    date: &["date"],
    description: &["description"],
    payer: None,
    amount: AmountRule::Signed("amount"),
    sign: AmountSign::InPositive,
    sign_certain: true,
    date_order: Some(DateOrder::Mdy),
    statuses: &[],
    status_by_kind: None,
    kind: None,
    currency: None,
    only_currency: None,
    account: None,
    own: None,
    bank_id: None,
    check_number: None,
    id_required: false,
    told: None,
    balance: None,
    pending_without_balance: false,
    words: None,
    totals_above: false,
};

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
    /// The column of who paid, which is the text of money in.
    pub payer: Option<usize>,
    pub amount: AmountColumns,
    pub kind_words: KindWords,
    pub sign: AmountSign,
    pub sign_certain: bool,
    /// Whether the caller said the sign.
    pub sign_said: bool,
    pub date_order: Option<DateOrder>,
    pub statuses: Vec<(usize, &'static StatusRule)>,
    /// The columns of a status and of a kind, and what they come to.
    pub status_by_kind: Option<(usize, usize, &'static StatusByKind)>,
    /// The column of the kind of transaction.
    pub kind: Option<usize>,
    /// The column that names the account.
    pub account: Option<usize>,
    pub own: Option<OwnBalance<usize>>,
    pub id_required: bool,
    /// Where a row without an id tells the beginning and the ending balance.
    pub told: Option<[usize; 2]>,
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
            && (!exactly || self.open || names.iter().all(|n| n.is_empty() || known(n)))
    }

    /// Every role with the name of its column in a header.
    fn all(&self, names: &[String]) -> Named<'static> {
        let (amount, debit, credit) = match self.amount {
            AmountRule::Signed(amount)
            | AmountRule::Typed { amount, .. }
            | AmountRule::Net { net: amount, .. }
            | AmountRule::FeeBeside { amount, .. } => (Some(amount), None, None),
            AmountRule::Ends(ends) => (Some(ends.source.amount), None, None),
            AmountRule::Pair { debit, credit } => (None, Some(debit), Some(credit)),
        };
        let first = |of: &'static [&'static str]| {
            let mut known = of.iter().copied();
            known.find(|wanted| names.iter().any(|n| n == wanted))
        };
        [
            (Role::Date, first(self.date)),
            (Role::Description, first(self.description)),
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
        let plan = Plan::of(Columns::of(&self.all(names), at), names.len())?;
        let kind_words = match &self.amount {
            AmountRule::Typed { words, .. } => *words,
            _ => plan.kind_words,
        };
        // A column that may be missing decides nothing where it is.
        let statuses = self.statuses.iter();
        let statuses = statuses.filter_map(|rule| Some((at(rule.column)?, rule)));
        let by_kind = self.status_by_kind.as_ref();
        let words = self.words.as_ref();
        let mut plan = Plan {
            name: self.name,
            has_header: self.headerless.is_none(),
            description: self.description.iter().filter_map(|n| at(n)).collect(),
            payer: self.payer.and_then(at),
            amount: self.amount.placed(at)?,
            kind_words,
            sign: self.sign,
            sign_certain: self.sign_certain,
            date_order: self.date_order,
            statuses: statuses.collect(),
            status_by_kind: by_kind.and_then(|rule| Some((at(rule.column)?, at(rule.kind)?, rule))),
            kind: self.kind.and_then(at),
            account: self.account.and_then(at),
            own: self.own.and_then(|own| own.placed(at)),
            id_required: self.id_required,
            told: self
                .told
                .and_then(|[begins, ends]| Some([at(begins)?, at(ends)?])),
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
            payer: None,
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
            status_by_kind: None,
            kind: None,
            account: None,
            own: None,
            id_required: false,
            told: None,
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
        let statuses = self.statuses.iter().map(|(column, _)| *column);
        [self.date]
            .into_iter()
            .chain(self.amount.amounts())
            .chain(self.amount.beside())
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
