//! The balance sheet.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    rules::{self, Branch, Earned, Raws},
    sheets::{Amounts, statement},
    views::{self, AccountAmount, Facts, Prepared},
};
use crate::{
    domains::{
        chart::{self, Account, Role},
        entry,
    },
    engine::{Example, Operation, Page, Read, Reader, Result},
    model::{AccountType, Currency, Date, Money},
    present::{Negative, Period, RowKind, Sheet, Term, money_text},
};

/// Show the balance sheet
///
/// At the end of a day. assets = liabilities + equity + current_earnings, which is income not yet closed. retained_earnings
/// and net_income divide what was earned by fiscal year.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct BalanceSheet {
    /// Default: today
    #[arg(long, value_name = "DATE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
}

/// A balance sheet.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Position {
    /// The day
    pub as_of: Date,
    /// Total assets
    pub assets: Money,
    /// Total liabilities
    pub liabilities: Money,
    /// Total of the equity accounts
    pub equity: Money,
    /// Income not yet closed
    pub current_earnings: Money,
    /// Whether assets = liabilities + equity + current_earnings
    pub balanced: bool,
    /// Earned before this fiscal year
    pub retained_earnings: Money,
    /// Fiscal year to date; with members, not yet allocated
    pub net_income: Money,
    /// liabilities + equity + current_earnings
    pub total_liabilities_and_equity: Money,
    /// Asset accounts in code order
    pub asset_accounts: Vec<AccountAmount>,
    /// Liability accounts
    pub liability_accounts: Vec<AccountAmount>,
    /// Equity accounts, at their balances
    pub equity_accounts: Vec<AccountAmount>,
    /// What stands under it
    #[serde(flatten)]
    pub prepared: Prepared,
    #[serde(skip)]
    outline: Outline,
}

/// What the page needs besides: the accounts as they nest, and the totals in minor units.
#[derive(Debug)]
struct Outline {
    assets: (Vec<Branch>, i64),
    liabilities: (Vec<Branch>, i64),
    /// The account that a close fills stands here with retained earnings instead of its balance.
    equity: Vec<Branch>,
    /// Retained earnings that no account stands for.
    retained_apart_minor: i64,
    net: (&'static str, i64),
    heading: &'static str,
    total_minor: i64,
}

impl Operation for BalanceSheet {
    const VERB: &'static str = "report balance-sheet";
    const TOOL: &'static str = "books.balance_sheet";
    const RESOURCE: Option<&'static str> = Some("books://reports/balance-sheet{?as_of}");
    const EXAMPLES: &'static [Example] = &[
        Example::new("", "{}"),
        Example::new("--as-of 2026-03-31", r#"{"as_of":"2026-03-31"}"#),
    ];
    type Output = Position;

    fn sheet(output: &Position, page: &Page) -> Result<Option<Sheet>> {
        let mut sheet = statement(
            ("balance_sheet", "Balance Sheet"),
            Period::AsOf(output.as_of),
            &output.prepared,
            page,
        )?;
        output.outline.table()?.onto(&mut sheet);
        Ok(Some(sheet))
    }
}

impl Outline {
    fn table(&self) -> Result<Amounts> {
        let mut table = Amounts::new();
        table.heading("Assets");
        let rows = table.accounts(&self.assets.0)?;
        let assets = table.total(RowKind::StatementTotal, "Total assets", rows)?;
        table.must_be(assets, "assets", self.assets.1)?;
        table.blank();
        table.heading("Liabilities");
        let rows = table.accounts(&self.liabilities.0)?;
        let liabilities = table.total(RowKind::Total, "Total liabilities", rows)?;
        table.must_be(liabilities, "liabilities", self.liabilities.1)?;
        table.blank();
        table.heading(self.heading);
        let mut rows = table.accounts(&self.equity)?;
        if self.retained_apart_minor != 0 {
            rows.push(table.line("Retained earnings", self.retained_apart_minor)?);
        }
        rows.push(table.line(self.net.0, self.net.1)?);
        let total = format!("Total {}", self.heading.to_lowercase());
        let equity = table.total(RowKind::Total, &total, rows)?;
        table.blank();
        let total = table.sum(
            RowKind::StatementTotal,
            "Total liabilities and equity",
            vec![Term::plus(liabilities), Term::plus(equity)],
        )?;
        table.must_be(total, "liabilities and equity", self.total_minor)?;
        Ok(table)
    }
}

/// What was earned, and the account whose line on the page carries the earlier part of it.
struct Division<'a> {
    target: Option<&'a Account>,
    earned: Earned,
    net_label: &'static str,
    notes: Vec<String>,
}

impl<'a> Division<'a> {
    fn of(
        books: &Reader<'_>,
        facts: &'a Facts,
        raws: &Raws,
        as_of: Date,
    ) -> Result<(Division<'a>, i64)> {
        let view = books.view();
        let year_start = as_of.fiscal_year_start(facts.settings.fiscal_year_start);
        let year = entry::movements_between(&view, year_start, as_of)?;
        let unclosed = rules::earnings(&facts.chart, raws)?;
        let year = rules::earnings(&facts.chart, &year)?;
        let allocates = facts.settings.allocates();
        let mut notes = facts.owner_notes();
        let target = match facts.settings.close_into.as_deref() {
            Some(code) if !allocates => facts.account(code, AccountType::Equity),
            _ => {
                let role = chart::account_of(&view, Role::RetainedEarnings)?;
                role.and_then(|role| facts.chart.iter().find(|account| account.id == role.id))
            }
        };
        let balance = target.map_or(0, |account| rules::shown(account, raws));
        let (earned, net_label) = if allocates {
            // Closed income is already in the members' capital accounts.
            let earlier = match year_start.plus_days(-1) {
                Some(eve) => rules::earnings(&facts.chart, &entry::balances_as_of(&view, eve)?)?,
                None => 0,
            };
            let earlier = rules::unclosed_before(earlier, unclosed, year);
            let text = |minor| money_text(minor, books.currency(), false, Negative::Parentheses);
            notes.extend(earlier.map(|minor| {
                let amount = text(minor).plain();
                format!(
                    "Of the net income not yet allocated, {amount} was earned before {year_start}."
                )
            }));
            let earned = Earned {
                retained_minor: balance,
                net_minor: unclosed,
            };
            (earned, "Net income (not yet allocated)")
        } else {
            (rules::split(balance, unclosed, year)?, "Net income (loss)")
        };
        let division = Division {
            target,
            earned,
            net_label,
            notes,
        };
        Ok((division, unclosed))
    }

    /// A note when the line on the page is not the account's balance.
    fn difference_note(&self, raws: &Raws, currency: Currency) -> Option<String> {
        let account = self.target?;
        let balance = rules::shown(account, raws);
        (balance != self.earned.retained_minor).then(|| {
            format!(
                "{} stands at {} in the ledger; its line is that, plus income not yet closed, less net income of the fiscal year.",
                account.code,
                money_text(balance, currency, false, Negative::Parentheses).plain()
            )
        })
    }

    /// The equity accounts with their amounts on the page.
    fn equity(&self, chart: &'a [Account], raws: &Raws) -> Vec<(&'a Account, i64)> {
        let target = self.target.map(|account| account.id);
        chart
            .iter()
            .filter(|account| account.kind == AccountType::Equity)
            .map(|account| match Some(account.id) == target {
                true => (account, self.earned.retained_minor),
                false => (account, rules::shown(account, raws)),
            })
            .filter(|(_, minor)| *minor != 0)
            .collect()
    }
}

impl Read for BalanceSheet {
    fn run(self, books: &Reader<'_>) -> Result<Position> {
        let facts = Facts::of(books)?;
        let (view, currency, chart) = (books.view(), books.currency(), &facts.chart);
        let as_of = self.as_of.unwrap_or(books.today());
        let raws = entry::balances_as_of(&view, as_of)?;
        let (division, unclosed) = Division::of(books, &facts, &raws, as_of)?;
        let [assets, liabilities, equity] = [
            AccountType::Asset,
            AccountType::Liability,
            AccountType::Equity,
        ]
        .map(|kind| rules::figures(chart, kind, &raws));
        let total = |figures: &[(&Account, i64)]| rules::sum(figures.iter().map(|f| f.1));
        let (assets_minor, liabilities_minor) = (total(&assets)?, total(&liabilities)?);
        let equity_minor = total(&equity)?;
        let total_minor = rules::sum([liabilities_minor, equity_minor, unclosed])?;
        let mut notes = facts.notes(books, &raws)?;
        notes.extend(division.notes.iter().cloned());
        notes.extend(division.difference_note(&raws, currency));
        let Earned {
            retained_minor,
            net_minor,
        } = division.earned;
        Ok(Position {
            as_of,
            assets: currency.money(assets_minor),
            liabilities: currency.money(liabilities_minor),
            equity: currency.money(equity_minor),
            current_earnings: currency.money(unclosed),
            balanced: assets_minor == total_minor,
            retained_earnings: currency.money(retained_minor),
            net_income: currency.money(net_minor),
            total_liabilities_and_equity: currency.money(total_minor),
            asset_accounts: views::amounts(&assets, currency),
            liability_accounts: views::amounts(&liabilities, currency),
            equity_accounts: views::amounts(&equity, currency),
            prepared: facts.prepared(books, notes),
            outline: Outline {
                assets: (rules::nest(chart, &assets), assets_minor),
                liabilities: (rules::nest(chart, &liabilities), liabilities_minor),
                equity: rules::nest(chart, &division.equity(chart, &raws)),
                retained_apart_minor: division.target.map_or(retained_minor, |_| 0),
                net: (division.net_label, net_minor),
                heading: rules::equity_heading(&facts.settings),
                total_minor,
            },
        })
    }
}
