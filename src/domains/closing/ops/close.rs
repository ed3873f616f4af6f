//! Closing a period.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::{
    rules::{self, Closing, Sweep, Taker},
    sheet,
};
use crate::{
    domains::{
        bank,
        chart::{self, Account, Role},
        company::Settings,
        entry,
        period::{self, Period, PeriodClosed, PeriodStanding},
    },
    engine::{Confirm, Example, No, Operation, Page, Result, Stake, Writer},
    model::{AccountType, Date, Money, Origin, Refusal, quoted},
    present::Sheet,
};

/// Close a period
///
/// Without confirmation a preview: the exact closing entry; nothing changes. Revenue and expense accounts go to zero as of the
/// period's end, their net to retained earnings or the members' capital. Periods close in order, for good.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ClosePeriod {
    /// The period
    #[arg(value_name = "PERIOD")]
    pub period_id: i64,
}

/// A line of the closing entry.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ClosingLine {
    /// Account code
    pub account_code: String,
    /// Account name
    pub account_name: String,
    /// What it moves
    #[serde(flatten)]
    pub moves: entry::Movement,
}

/// A period that was closed.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Closed {
    /// Where it stands
    pub status: PeriodStanding,
    /// The period
    pub period_id: i64,
    /// Its name
    pub name: String,
    /// First day
    pub start: Date,
    /// Last day, the entry's day
    pub end: Date,
    /// The closing entry, if there was anything to close
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<i64>,
    /// Closed by it; negative is a loss
    pub net_income: Money,
    /// Sum of its debits
    pub total: Money,
    /// Its lines
    pub lines: Vec<ClosingLine>,
}

impl Operation for ClosePeriod {
    const VERB: &'static str = "period close";
    const TOOL: &'static str = "books.close_period";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "1 --confirm",
        r#"{"period_id":1,"confirmed":true}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["entry_id"];
    const PROVEN: bool = true;
    type Output = Closed;

    fn sheet(output: &Closed, page: &Page) -> Result<Option<Sheet>> {
        sheet::closed(output, page).map(Some)
    }
}

impl Confirm for ClosePeriod {
    fn run(self, books: &mut Writer<'_>) -> Result<(Closed, Stake)> {
        let period = period::by_id(&books.view(), self.period_id)?;
        may_close(books, &period)?;
        let chart = chart::all(&books.view())?;
        let (takers, sweeps) = targets(books, &chart)?;
        let raws = entry::balances_as_of(&books.view(), period.end)?;
        let raw = |id| raws.get(&id).copied().unwrap_or(0);
        let Closing { lines, net_minor } = rules::closing(&chart, raw, &takers, &sweeps)?;
        warn(books, &period)?;
        let stake = Stake::of(&json!({
            "period_id": period.id, "end": period.end, "net": net_minor, "lines": lines,
        }))?;
        let views = lines.iter().map(|line| {
            let account = chart::by_id(&books.view(), line.account_id)?;
            Ok(ClosingLine {
                account_code: account.code,
                account_name: account.name,
                moves: entry::Movement::of(books.currency(), line.amount_minor, None),
            })
        });
        let views = views.collect::<Result<Vec<_>>>()?;
        let mut total_minor = 0;
        let mut entry_id = None;
        if !lines.is_empty() {
            let new = entry::NewEntry {
                date: period.end,
                description: &format!("Closing of {}", period.name),
                origin: Origin::Closing,
                lines,
                reverses: None,
            };
            let posted = entry::post(books, new)?;
            total_minor = posted.total_minor;
            entry_id = Some(posted.entry_id);
        }
        books.record(&PeriodClosed {
            period_id: period.id,
            closing_entry: entry_id,
        })?;
        let money = |minor| books.currency().money(minor);
        let closed = Closed {
            status: PeriodStanding::Closed,
            period_id: period.id,
            name: period.name,
            start: period.start,
            end: period.end,
            entry_id,
            net_income: money(net_minor),
            total: money(total_minor),
            lines: views,
        };
        Ok((closed, stake))
    }
}

/// Refuses a period that is closed, and one before which another is open.
fn may_close(books: &Writer<'_>, period: &Period) -> Result<()> {
    if period.status == PeriodStanding::Closed {
        let message = format!("period {} was closed already", period.id);
        let mut refusal =
            Refusal::new("period_already_closed", message).with("period_id", period.id);
        if let Some(entry_id) = period.closing_entry {
            refusal = refusal.with("closing_entry", entry_id);
        }
        return Err(refusal
            .remedy("books.list_periods", "close the first that is open")
            .into());
    }
    let Some(open) = period::first_open_before(&books.view(), period.end)? else {
        return Ok(());
    };
    let message = format!(
        "period {}, which ends {}, is still open before period {}",
        open.id, open.end, period.id
    );
    Err(Refusal::new("earlier_period_open", message)
        .with("period_id", period.id)
        .with("open_period_id", open.id)
        .with("open_period_end", open.end.to_string())
        .remedy(
            "books.close_period",
            format!("close period {} first", open.id),
        )
        .into())
}

/// Tells what a close leaves behind: drafts that can no longer be posted on their day, and days that have not come yet.
fn warn(books: &mut Writer<'_>, period: &Period) -> Result<()> {
    let waiting = entry::drafts_through(&books.view(), period.end)?;
    if waiting > 0 {
        let (are, they) = match waiting {
            1 => ("draft is", "it"),
            _ => ("drafts are", "they"),
        };
        books.warn(format!(
            "{waiting} {are} dated on or before {}: {they} cannot be posted there any more",
            period.end
        ));
    }
    for due in bank::due(&books.reader())? {
        if due.reconciled_through.is_none_or(|day| day < period.end) {
            books.warn(format!(
                "account {} is not reconciled through {}; a closed period is not opened again",
                quoted(&due.account.code),
                period.end
            ));
        }
    }
    if books.today() < period.end {
        books.warn(format!(
            "the period ends {}, which has not come yet: nothing more can be posted before that day has passed",
            period.end
        ));
    }
    Ok(())
}

/// Who takes net income, and what is emptied into which account, by the settings.
///
/// Refuses: accounts that are not in the chart, are no equity, group others or are out of use, each by its setting.
fn targets(books: &Writer<'_>, chart: &[Account]) -> Result<(Vec<Taker>, Vec<Sweep>)> {
    let settings = Settings::of(&books.reader())?;
    let mut refusals = Vec::new();
    let mut of = |code: &str, setting: &str| match equity(chart, code, setting) {
        Ok(id) => id,
        Err(refusal) => {
            refusals.push(refusal);
            0
        }
    };
    let (mut takers, mut sweeps) = (Vec::new(), Vec::new());
    if settings.allocates() {
        for member in &settings.members {
            let capital = of(&member.capital_account, "capital_account");
            takers.push(Taker {
                account_id: capital,
                weight: member.share.weight(),
            });
            if let Some(code) = &member.distribution_account {
                sweeps.push(Sweep {
                    from: of(code, "distribution_account"),
                    into: capital,
                });
            }
        }
    } else {
        let into = match settings.close_into.as_deref() {
            Some(code) => of(code, "close_into"),
            None => {
                let role = chart::account_of(&books.view(), Role::RetainedEarnings)?;
                let code = role.map_or_else(
                    || Role::RetainedEarnings.default_code().to_owned(),
                    |account| account.code,
                );
                of(&code, "retained_earnings")
            }
        };
        takers.push(rules::sole(into));
        for code in &settings.close_sweep {
            sweeps.push(Sweep {
                from: of(code, "close_sweep"),
                into,
            });
        }
    }
    if refusals.is_empty() {
        refusals.extend(
            sweeps
                .iter()
                .filter(|sweep| sweep.from == sweep.into)
                .map(into_itself),
        );
    }
    if refusals.is_empty() {
        Ok((takers, sweeps))
    } else {
        Err(No::Refused(refusals))
    }
}

/// Why an account is not emptied into itself.
fn into_itself(sweep: &Sweep) -> Refusal {
    let message = format!(
        "a close would empty account id {} into itself (close_sweep)",
        sweep.into
    );
    Refusal::new("close_account_unsuited", message)
        .with("account_id", sweep.into)
        .with("setting", "close_sweep")
        .remedy(
            "books.settings",
            "take the account that net income goes to out of close_sweep",
        )
}

/// The equity account that a setting names and a close can post to.
fn equity(chart: &[Account], code: &str, setting: &str) -> std::result::Result<i64, Refusal> {
    let shown = quoted(code);
    let why = match chart.iter().find(|account| account.code == code) {
        None => "is not in the chart".to_owned(),
        Some(account) if account.kind != AccountType::Equity => {
            format!("is of type {}, not equity", account.kind)
        }
        Some(account) if account.groups() => "only groups other accounts".to_owned(),
        Some(account) if account.archived => "is archived".to_owned(),
        Some(account) => return Ok(account.id),
    };
    let message = format!("a close posts to account {shown} ({setting}), which {why}");
    Err(Refusal::new("close_account_unsuited", message)
        .with("account", code)
        .with("setting", setting)
        .remedy(
            "books.settings",
            "name an equity account in use in wanderbooks.toml, or mend this one",
        ))
}
