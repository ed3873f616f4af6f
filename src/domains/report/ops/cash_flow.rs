//! The cash flow statement.

use std::collections::BTreeSet;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    flows::{FlowLine, Names, NoncashLine},
    rules::{
        self, Raws,
        cash_flow::{self, Case, Flow, Flows, Named, Places},
    },
    sheets::{Amounts, statement},
    views::{self, Facts, Prepared},
};
use crate::{
    domains::{
        chart::{self, Account, AccountRef, Role},
        entry,
    },
    engine::{Example, No, Operation, Page, Read, Reader, Result},
    model::{Date, Money, Refusal, quoted},
    present::{Period, RowKind, Sheet, Term},
};

/// Show the cash flow statement
///
/// By the indirect method, from one day through another. Accounts default to those of the settings.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct CashFlow {
    /// Default: the first posted entry's
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Date>,
    /// Default: today
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Date>,
    /// What it reconciles to
    #[arg(long = "cash-account", value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cash_accounts: Vec<AccountRef>,
    /// Loans, owners' advances
    #[arg(long = "financing-account", value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub financing_accounts: Vec<AccountRef>,
    /// Loans made, investments
    #[arg(long = "investing-account", value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub investing_accounts: Vec<AccountRef>,
}

/// A cash flow statement.
#[derive(Serialize, JsonSchema, Debug)]
pub struct CashFlows {
    /// First day
    pub start: Date,
    /// Last day
    pub end: Date,
    /// Where operating cash begins
    pub net_income: Money,
    /// What leads from it to operating cash
    pub adjustments: Vec<FlowLine>,
    /// Net cash from operations
    pub operating: Money,
    /// Investing, in and out apart
    pub investing_lines: Vec<FlowLine>,
    /// Net cash from investing
    pub investing: Money,
    /// Financing, in and out apart
    pub financing_lines: Vec<FlowLine>,
    /// Net cash from financing
    pub financing: Money,
    /// operating + investing + financing
    pub net_change: Money,
    /// With balances brought in
    pub beginning_cash: Money,
    /// At the end of the last day
    pub ending_cash: Money,
    /// Investing and financing without cash
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub noncash: Vec<NoncashLine>,
    /// Interest booked against cash
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_paid: Option<Money>,
    /// Income taxes booked against cash
    #[serde(skip_serializing_if = "Option::is_none")]
    pub income_taxes_paid: Option<Money>,
    /// What stands under it
    #[serde(flatten)]
    pub prepared: Prepared,
    #[serde(skip)]
    outline: Outline,
}

/// What the page needs besides: the amounts in minor units.
#[derive(Debug)]
struct Outline {
    flows: Flows,
    beginning: i64,
    ending: i64,
}

impl Operation for CashFlow {
    const VERB: &'static str = "report cash-flow";
    const TOOL: &'static str = "books.cash_flow";
    const RESOURCE: Option<&'static str> = Some("books://reports/cash-flow{?start,end}");
    const EXAMPLES: &'static [Example] = &[
        Example::new(
            "--start 2026-01-01 --end 2026-03-31",
            r#"{"start":"2026-01-01","end":"2026-03-31"}"#,
        ),
        Example::new(
            "--cash-account 1000 --cash-account 1010",
            r#"{"cash_accounts":["1000","1010"]}"#,
        ),
    ];
    type Output = CashFlows;

    fn sheet(output: &CashFlows, page: &Page) -> Result<Option<Sheet>> {
        let (start, end) = (output.start, output.end);
        let mut sheet = statement(
            ("cash_flow", "Statement of Cash Flows"),
            Period::Range { start, end },
            &output.prepared,
            page,
        )?;
        output.table()?.onto(&mut sheet);
        Ok(Some(sheet))
    }
}

impl CashFlows {
    fn table(&self) -> Result<Amounts> {
        let Outline {
            flows,
            beginning,
            ending,
        } = &self.outline;
        let mut table = Amounts::new();
        table.heading("Cash flows from operating activities");
        let mut rows = vec![table.line("Net income (loss)", flows.net_income)?];
        if !flows.adjustments.is_empty() {
            table.heading("Adjustments to reconcile net income to net cash");
            let minors = flows.adjustments.iter().map(|(_, minor)| *minor);
            rows.extend(lines(&mut table, &self.adjustments, minors)?);
        }
        let operating = table.total(
            RowKind::Total,
            &provided("operating", flows.operating),
            rows,
        )?;
        table.must_be(operating, "operating cash", flows.operating)?;
        let mut terms = vec![Term::plus(operating)];
        let sections = [
            (
                "investing",
                &self.investing_lines,
                &flows.investing_lines,
                flows.investing,
            ),
            (
                "financing",
                &self.financing_lines,
                &flows.financing_lines,
                flows.financing,
            ),
        ];
        for (name, views, amounts, minor) in sections {
            table.blank();
            table.heading(&format!("Cash flows from {name} activities"));
            let rows = lines(&mut table, views, amounts.iter().map(|flow| flow.minor))?;
            let total = table.total(RowKind::Total, &provided(name, minor), rows)?;
            table.must_be(total, name, minor)?;
            terms.push(Term::plus(total));
        }
        table.blank();
        let change = table.sum(RowKind::Total, "Net increase (decrease) in cash", terms)?;
        let begin = table.line("Cash at beginning of period", *beginning)?;
        let cash = vec![Term::plus(change), Term::plus(begin)];
        let end = table.sum(RowKind::StatementTotal, "Cash at end of period", cash)?;
        table.must_be(end, "ending cash", *ending)?;
        self.disclosures(&mut table)?;
        Ok(table)
    }

    /// What stands under the statement and is no part of its sums.
    fn disclosures(&self, table: &mut Amounts) -> Result<()> {
        let flows = &self.outline.flows;
        if !self.noncash.is_empty() {
            table.blank();
            table.heading("Noncash investing and financing activities");
            for (view, one) in self.noncash.iter().zip(&flows.noncash) {
                table.line(&view.label, one.minor)?;
            }
        }
        let paid = [
            ("Interest", flows.interest_paid),
            ("Income taxes", flows.income_taxes_paid),
        ];
        if paid.iter().any(|(_, minor)| *minor != 0) {
            table.blank();
            table.heading("Cash paid for");
            for (text, minor) in paid.into_iter().filter(|(_, minor)| *minor != 0) {
                table.line(text, minor)?;
            }
        }
        Ok(())
    }
}

/// Rows of a section. An answer's lines and its minor units are of one length.
fn lines(
    table: &mut Amounts,
    views: &[FlowLine],
    minors: impl Iterator<Item = i64>,
) -> Result<Vec<crate::present::RowId>> {
    let rows = views.iter().zip(minors);
    rows.map(|(view, minor)| table.line(&view.label, minor))
        .collect()
}

fn provided(section: &str, minor: i64) -> String {
    let way = if minor < 0 { "used in" } else { "provided by" };
    format!("Net cash {way} {section} activities")
}

/// What a statement is asked about, looked up.
struct Asked {
    start: Date,
    end: Date,
    named: Named,
    /// What the settings name and the chart does not have.
    notes: Vec<String>,
}

impl CashFlow {
    fn asked(&self, books: &Reader<'_>, facts: &Facts) -> Result<Asked> {
        let (start, end) = views::days(books, (self.start, self.end))?;
        let view = books.view();
        let settings = &facts.settings;
        let mut notes = Vec::new();
        let mut of = |given: &[AccountRef], codes: &[String], setting: &str| {
            if given.is_empty() {
                let (ids, unknown) = set(&facts.chart, codes, setting);
                notes.extend(unknown);
                return Ok::<_, No>(ids);
            }
            let found = given.iter().map(|r| Ok(chart::resolve(&view, r)?.id));
            found.collect()
        };
        let role = |role| Ok::<_, No>(chart::account_of(&view, role)?.map(|account| account.id));
        let named = Named {
            cash: of(
                &self.cash_accounts,
                &settings.cash_accounts,
                "cash_accounts",
            )?,
            financing: of(
                &self.financing_accounts,
                &settings.financing_accounts,
                "financing_accounts",
            )?,
            investing: of(
                &self.investing_accounts,
                &settings.investing_accounts,
                "investing_accounts",
            )?,
            retained: role(Role::RetainedEarnings)?,
            fixed_assets: role(Role::FixedAssets)?,
        };
        if named.cash.is_empty() {
            return Err(no_cash().into());
        }
        cash_flow::check(&named, &facts.chart).map_err(No::Refused)?;
        Ok(Asked {
            start,
            end,
            named,
            notes,
        })
    }
}

fn no_cash() -> Refusal {
    let message = "a cash flow statement reconciles to cash, but no cash account is named";
    Refusal::new("cash_accounts_missing", message.to_owned()).remedy(
        "books.settings",
        "name them as cash_accounts under [books] in wanderbooks.toml, or in the call",
    )
}

/// The entries of the range that brought balances in, and those that took such an entry of the range back. What takes back
/// balances that the beginning holds already is a flow like any other.
fn brought_within(books: &Reader<'_>, (start, end): (Date, Date)) -> Result<BTreeSet<i64>> {
    let view = books.view();
    let mut within = BTreeSet::new();
    for id in entry::openings(&view)? {
        let mut first = entry::by_id(&view, id)?;
        if first.date > end {
            continue;
        }
        while let Some(target) = first.reverses {
            first = entry::by_id(&view, target)?;
        }
        if first.date >= start {
            within.insert(id);
        }
    }
    Ok(within)
}

/// The accounts that a setting names, and a note for each code that is not in the chart.
fn set(chart: &[Account], codes: &[String], setting: &str) -> (BTreeSet<i64>, Vec<String>) {
    let (mut ids, mut notes) = (BTreeSet::new(), Vec::new());
    for code in codes {
        match chart.iter().find(|account| account.code == *code) {
            Some(account) => {
                ids.insert(account.id);
            }
            None => notes.push(format!(
                "The settings name account {} in {setting}, which is not in the chart.",
                quoted(code)
            )),
        }
    }
    (ids, notes)
}

/// What the ledger says of the range.
struct Ledger {
    moved: Raws,
    cases: Vec<Case>,
    beginning: i64,
    ending: i64,
    /// Income and expenses among the balances brought in, which are no flow.
    brought_income: i64,
}

impl Ledger {
    fn read(
        books: &Reader<'_>,
        (asked, chart): (&Asked, &[Account]),
        places: &Places<'_>,
    ) -> Result<Ledger> {
        let view = books.view();
        let (start, end) = (asked.start, asked.end);
        let cash = |raws: &Raws| {
            let cash = raws.iter().filter(|(id, _)| asked.named.cash.contains(id));
            rules::sum(cash.map(|(_, raw)| *raw))
        };
        let mut moved = entry::movements_between(&view, start, end)?;
        let mut brought = Raws::new();
        let openings = brought_within(books, (start, end))?;
        for id in &openings {
            for line in entry::lines(&view, *id)? {
                for (sums, minor) in [
                    (&mut moved, -line.amount_minor),
                    (&mut brought, line.amount_minor),
                ] {
                    let sum = sums.entry(line.account_id).or_default();
                    *sum = rules::sum([*sum, minor])?;
                }
            }
        }
        let before = match start.plus_days(-1) {
            Some(eve) => cash(&entry::balances_as_of(&view, eve)?)?,
            None => 0,
        };
        let touched = entry::touching(&view, &places.watched(), (start, end))?;
        let cases = touched
            .into_iter()
            .filter(|touched| !openings.contains(&touched.id));
        Ok(Ledger {
            moved,
            cases: cases
                .map(|touched| Case {
                    undoes: touched.undoes,
                    lines: touched.lines,
                })
                .collect(),
            brought_income: rules::earnings(chart, &brought)?,
            beginning: rules::sum([before, cash(&brought)?])?,
            ending: cash(&entry::balances_as_of(&view, end)?)?,
        })
    }
}

impl Read for CashFlow {
    fn run(self, books: &Reader<'_>) -> Result<CashFlows> {
        let facts = Facts::of(books)?;
        let asked = self.asked(books, &facts)?;
        let places = Places::of_chart(&facts.chart, &asked.named);
        let ledger = Ledger::read(books, (&asked, &facts.chart), &places)?;
        let flows = cash_flow::flows(&places, &ledger.moved, &ledger.cases)?;
        let change = flows.net_change()?;
        let (beginning, ending) = (ledger.beginning, ledger.ending);
        if rules::sum([beginning, change])? != ending {
            return Err(No::Fault(format!(
                "the cash flow sections come to {change}, but cash went from {beginning} to {ending} minor units"
            )));
        }
        let currency = books.currency();
        let names = Names {
            chart: &facts.chart,
            named: &asked.named,
            currency,
        };
        let mut notes = facts.notes(books, &entry::balances_as_of(&books.view(), asked.end)?)?;
        notes.extend(asked.notes.iter().cloned());
        notes.extend(names.warnings(&flows));
        if ledger.brought_income != 0 {
            notes.push(format!(
                "Net income leaves out {} that was brought in with opening balances: it is no flow of these days.",
                currency.money(ledger.brought_income)
            ));
        }
        if asked.named.fixed_assets.is_none() {
            notes.push(
                "No account fills the role fixed_assets: what property costs stands in operating."
                    .to_owned(),
            );
        }
        let money = |minor| currency.money(minor);
        let some = |minor: i64| (minor != 0).then(|| money(minor));
        let of = |lines: &[Flow]| lines.iter().map(|flow| names.flow(flow)).collect();
        Ok(CashFlows {
            start: asked.start,
            end: asked.end,
            net_income: money(flows.net_income),
            adjustments: flows
                .adjustments
                .iter()
                .map(|a| names.adjustment(*a))
                .collect(),
            operating: money(flows.operating),
            investing_lines: of(&flows.investing_lines),
            investing: money(flows.investing),
            financing_lines: of(&flows.financing_lines),
            financing: money(flows.financing),
            net_change: money(change),
            beginning_cash: money(beginning),
            ending_cash: money(ending),
            noncash: flows.noncash.iter().map(|one| names.noncash(one)).collect(),
            interest_paid: some(flows.interest_paid),
            income_taxes_paid: some(flows.income_taxes_paid),
            prepared: facts.prepared(books, notes),
            outline: Outline {
                flows,
                beginning,
                ending,
            },
        })
    }
}
