//! Reconciling an account with its statement.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    events::ReconciliationCompleted,
    rules::{self, Brought, Case, Last},
    sheets,
    standing::Standing,
    subject::RECONCILIATION,
    table::{self, Statement},
    views::{LINES_MAX, StatementLine},
};
use crate::{
    domains::{
        attachment::{self, Subject},
        chart::{self, Account, AccountRef},
    },
    engine::{Confirm, Example, No, Operation, Page, Result, Stake, Writer},
    model::{Date, Money, Refusal},
    present::Sheet,
    wire_enum,
};

/// Reconcile an account with its recorded statement
///
/// A preview unless confirmed; confirmed only at a difference of exactly zero.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Reconcile {
    /// A recorded statement
    #[arg(value_name = "STATEMENT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement_attachment: Option<i64>,
    /// If no statement
    #[arg(long, value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountRef>,
    /// If no statement
    #[arg(long = "date", value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement_date: Option<Date>,
    /// If no statement
    #[arg(long = "balance", value_name = "AMOUNT", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement_balance: Option<Money>,
    /// At most 100
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Lines to skip
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

wire_enum! {
    /// What became of an account.
    pub enum ReconcileStatus {
        /// The books and the statement agree
        Reconciled = "reconciled",
    }
}

/// Why an account may not be reconciled yet.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Problem {
    /// The refusal's code
    pub code: &'static str,
    /// In words
    pub message: String,
}

/// An account beside its statement. Amounts are positive on the normal side.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Reconciled {
    /// Whether it was reconciled
    pub status: ReconcileStatus,
    /// Account code
    pub account_code: String,
    /// Account name
    pub account_name: String,
    /// The statement's last day
    pub statement_date: Date,
    /// Its file
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement_attachment: Option<i64>,
    /// Of the books
    pub book_balance: Money,
    /// Of its cleared lines
    pub cleared_balance: Money,
    /// Of the statement
    pub statement_balance: Money,
    /// Cleared less statement
    pub difference: Money,
    /// How many lines are not cleared
    pub uncleared_count: i64,
    /// A page of them
    pub uncleared_lines: Vec<StatementLine>,
    /// How many cleared lines are new
    pub cleared_count: usize,
    /// A page of them
    pub cleared_lines: Vec<StatementLine>,
    /// Why it may not be reconciled
    pub problems: Vec<Problem>,
    /// The reconciliation's id
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reconciliation: Option<i64>,
    /// Book, cleared, stated and what they differ by
    #[serde(skip)]
    pub minor: [i64; 4],
}

impl Operation for Reconcile {
    const VERB: &'static str = "reconcile run";
    const TOOL: &'static str = "books.reconcile";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "119 --confirm",
        r#"{"statement_attachment":119,"confirmed":true}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["reconciliation"];
    const PROVEN: bool = true;
    type Output = Reconciled;

    fn sheet(output: &Reconciled, page: &Page) -> Result<Option<Sheet>> {
        sheets::reconciled(output, page).map(Some)
    }
}

/// What is agreed to, without what others may still move.
#[derive(Serialize)]
struct Outcome<'a> {
    account_id: i64,
    statement_date: Date,
    statement_attachment: Option<i64>,
    difference: Money,
    cleared: &'a [(i64, i64)],
    problems: &'a [Problem],
}

/// The account, the day and the balance that an account is held to, and the statement that says them.
struct Held {
    account: Account,
    date: Date,
    stated_minor: i64,
    statement: Option<Statement>,
}

impl Confirm for Reconcile {
    fn run(self, books: &mut Writer<'_>) -> Result<(Reconciled, Stake)> {
        let held = self.held(books)?;
        rules::reconcilable(held.account.kind, &held.account.code)?;
        let standing = Standing::of(&books.reader(), held.account.clone(), held.date)?;
        let case = case(books, &held, &standing)?;
        let refusals = case.problems()?;
        if !refusals.is_empty() && !books.is_rehearsal() {
            return Err(No::Refused(refusals));
        }
        if let Some(warning) = case.warning() {
            books.warn(warning);
        }
        let problems = refusals.into_iter().map(|refusal| Problem {
            code: refusal.code,
            message: refusal.message,
        });
        let problems: Vec<Problem> = problems.collect();
        let reconciliation = match &held.statement {
            Some(statement) if problems.is_empty() => {
                Some(complete(books, statement, (&held, &standing))?)
            }
            _ => None,
        };
        let places = standing
            .fresh
            .iter()
            .map(|line| (line.entry_id, line.line_index));
        let cleared: Vec<(i64, i64)> = places.collect();
        let stake = Stake::of(&Outcome {
            account_id: held.account.id,
            statement_date: held.date,
            statement_attachment: held.statement.as_ref().map(|one| one.attachment_id),
            difference: books.currency().money(case.difference_minor()?),
            cleared: &cleared,
            problems: &problems,
        })?;
        let shown = self.shown(books, (&held, &standing), &case)?;
        let shown = Reconciled {
            problems,
            reconciliation,
            ..shown
        };
        Ok((shown, stake))
    }
}

impl Reconcile {
    /// What the account is held to: what the statement says, which what was given must agree with; else what was given.
    fn held(&self, books: &Writer<'_>) -> Result<Held> {
        let view = books.view();
        let given = self
            .account
            .as_ref()
            .map(|account| chart::resolve(&view, account));
        let given = given.transpose()?;
        let balance = self
            .statement_balance
            .map(|money| books.currency().minor(money, "statement_balance"));
        let balance = balance.transpose()?;
        let Some(id) = self.statement_attachment else {
            let (Some(account), Some(date), Some(stated_minor)) =
                (given, self.statement_date, balance)
            else {
                let message =
                    "give a recorded statement, or account, statement_date and statement_balance";
                return Err(No::argument("statement_attachment", message));
            };
            return Ok(Held {
                account,
                date,
                stated_minor,
                statement: None,
            });
        };
        attachment::by_id(&view, id)?;
        let statement = table::statement(&view, id)?.ok_or_else(|| unrecorded(id))?;
        let mut differs = Vec::new();
        if given.is_some_and(|account| account.id != statement.account_id) {
            differs.push("account");
        }
        if self
            .statement_date
            .is_some_and(|date| date != statement.end)
        {
            differs.push("statement_date");
        }
        if balance.is_some_and(|balance| balance != statement.closing_minor) {
            differs.push("statement_balance");
        }
        if !differs.is_empty() {
            return Err(says_otherwise(id, &differs).into());
        }
        Ok(Held {
            account: chart::by_id(&view, statement.account_id)?,
            date: statement.end,
            stated_minor: statement.closing_minor,
            statement: Some(statement),
        })
    }

    fn shown(
        &self,
        books: &Writer<'_>,
        (held, standing): (&Held, &Standing),
        case: &Case,
    ) -> Result<Reconciled> {
        let reader = books.reader();
        let window = reader.window(self.limit, self.offset, LINES_MAX);
        let money = |minor| books.currency().money(minor);
        let difference = case.difference_minor()?;
        Ok(Reconciled {
            status: ReconcileStatus::Reconciled,
            account_code: held.account.code.clone(),
            account_name: held.account.name.clone(),
            statement_date: held.date,
            statement_attachment: held.statement.as_ref().map(|one| one.attachment_id),
            book_balance: money(standing.book_minor),
            cleared_balance: money(standing.cleared_minor),
            statement_balance: money(held.stated_minor),
            difference: money(difference),
            uncleared_count: standing.uncleared,
            uncleared_lines: standing.uncleared_lines(&reader, window)?,
            cleared_count: standing.fresh.len(),
            cleared_lines: standing.cleared_lines(&reader, window)?,
            problems: Vec::new(),
            reconciliation: None,
            minor: [
                standing.book_minor,
                standing.cleared_minor,
                held.stated_minor,
                difference,
            ],
        })
    }
}

/// Everything that decides, from the books.
fn case(books: &Writer<'_>, held: &Held, standing: &Standing) -> Result<Case> {
    let view = books.view();
    let statement = held.statement.as_ref().map(|statement| {
        let file = attachment::by_id(&view, statement.attachment_id)?;
        Ok::<_, No>(Brought {
            attachment_id: statement.attachment_id,
            start: statement.start,
            opening_minor: statement.opening_minor,
            used_by: statement.reconciliation_id,
            withdrawn: file.withdrawn.is_some(),
        })
    });
    let statement = statement.transpose()?;
    let waiting = table::waiting(&view, held.account.id, Some(held.date))?;
    let mut case = Case {
        statement,
        waiting: waiting
            .filter(|one| one.end == held.date)
            .map(|one| one.attachment_id),
        date: held.date,
        last: standing.last.as_ref().map(|last| Last {
            id: last.id,
            date: last.date,
            balance_minor: last.balance_minor,
        }),
        cleared_minor: standing.cleared_minor,
        stated_minor: held.stated_minor,
        before_minor: match statement {
            Some(brought) if standing.last.is_none() => standing.before_minor(brought.start)?,
            _ => 0,
        },
        brought_minor: standing.brought_minor()?,
        missing: None,
        currency: books.currency(),
    };
    let difference = case.difference_minor()?;
    if difference != 0 {
        case.missing = standing.making_up(&books.reader(), difference)?;
    }
    Ok(case)
}

/// Records the reconciliation, links its statement to it, and gives its id.
fn complete(
    books: &mut Writer<'_>,
    statement: &Statement,
    (held, standing): (&Held, &Standing),
) -> Result<i64> {
    let reconciliation_id = table::next_id(&books.view())?;
    books.record(&ReconciliationCompleted {
        reconciliation_id,
        account: held.account.id,
        code: held.account.code.clone(),
        statement_date: held.date,
        statement_balance: books.currency().money(held.stated_minor),
        statement_attachment: statement.attachment_id,
        cleared: standing
            .fresh
            .iter()
            .map(table::ClearedLine::place)
            .collect(),
    })?;
    let file = attachment::by_id(&books.view(), statement.attachment_id)?;
    attachment::link_to(books, &file, Subject::of(RECONCILIATION, reconciliation_id))?;
    Ok(reconciliation_id)
}

fn unrecorded(id: i64) -> No {
    let message = format!("attachment {id} records no statement");
    Refusal::new("statement_not_recorded", message)
        .with("attachment_id", id)
        .remedy(
            "books.record_statement",
            format!("record what it says with `wb statement record {id}`"),
        )
        .into()
}

fn says_otherwise(id: i64, differs: &[&str]) -> Refusal {
    let named = differs.join(", ");
    let message = format!("statement {id} says another {named} than was given");
    Refusal::new("statement_differs", message)
        .with("statement_attachment", id)
        .with("differs", differs.to_vec())
        .remedy(
            "books.statements",
            "leave them out; see what it says with `wb statement list`",
        )
}
