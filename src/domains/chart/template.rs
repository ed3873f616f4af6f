//! Starter charts for the four kinds of business, with the settings that go with them: proposals, which nothing here imports.

mod owners;
mod settings;

use crate::{
    domains::company::{Share, TaxForm, start_month, words},
    model::{Month, NAME_CHARS_MAX, Refusal, typed},
    wire_enum,
};
use owners::Holder;

/// The most owners: the capital accounts 3010 to 3990 stand below retained earnings, 3999.
pub const OWNERS_MAX: usize = 99;

wire_enum! {
    /// The kind of business that a starter chart is for.
    pub enum EntityType {
        /// One owner, also a single-member LLC
        SoleProprietorship = "sole_proprietorship",
        /// Two or more owners, also a multi-member LLC
        Partnership = "partnership",
        /// A corporation, or LLC, that elected subchapter S
        SCorporation = "s_corporation",
        /// Every other corporation
        CCorporation = "c_corporation",
    }
}

impl EntityType {
    /// The return that such a business files.
    pub const fn tax_form(self) -> TaxForm {
        match self {
            EntityType::SoleProprietorship => TaxForm::ScheduleC,
            EntityType::Partnership => TaxForm::Form1065,
            EntityType::SCorporation => TaxForm::Form1120S,
            EntityType::CCorporation => TaxForm::Form1120,
        }
    }
}

/// An owner as the human names them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner {
    /// The name in the chart and in statements.
    pub name: String,
    /// The share of profit and loss; equal shares where no owner has one.
    pub share: Option<Share>,
}

/// A starter chart and what goes with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// The chart, `code,name,type,parent_code,tax_category`, by code.
    pub csv: String,
    /// The text of a `wanderbooks.toml` that suits the chart.
    pub settings_toml: String,
    /// What the human has to look at before using them.
    pub notes: Vec<String>,
}

/// An account of a template: code, name, type, parent, tax category.
type Account = [String; 5];

const COMMON: &str = include_str!("template/common.csv");
const INTEREST: &[[&str; 5]] = &[["4800", "Interest Income", "revenue", "", "interest_income"]];
const SOLE: &[[&str; 5]] = &[
    ["3000", "Owner's Capital", "equity", "", ""],
    ["3100", "Owner's Draws", "equity", "", ""],
    ["6880", "Home Office", "expense", "", "home_office"],
];
const PARTNERSHIP: &[[&str; 5]] = &[[
    "6120",
    "Guaranteed Payments",
    "expense",
    "",
    "guaranteed_payments",
]];
const CORPORATION: &[[&str; 5]] = &[
    ["3000", "Common Stock", "equity", "", ""],
    ["3100", "Additional Paid-in Capital", "equity", "", ""],
    [
        "6105",
        "Officer Compensation",
        "expense",
        "",
        "officer_compensation",
    ],
    [
        "7910",
        "State Income Tax",
        "expense",
        "",
        "state_income_tax",
    ],
];
const S_ONLY: &[[&str; 5]] = &[["3200", "Shareholder Distributions", "equity", "", ""]];
const C_ONLY: &[[&str; 5]] = &[
    ["2450", "Income Taxes Payable", "liability", "", ""],
    ["3200", "Treasury Stock", "equity", "", ""],
    ["3300", "Dividends", "equity", "", ""],
    [
        "7900",
        "Federal Income Tax",
        "expense",
        "",
        "federal_income_tax",
    ],
];

/// The starter chart of a kind of business, with its settings.
///
/// A partnership has from 2 to 99 `owners`, each with a capital and a distributions account under 3000; shares that are not
/// given are equal, in hundredths of a percent by largest remainder, ties to the earlier owner. A sole proprietorship may name
/// its one owner and a corporation its shareholders: the names are checked and noted, but make no accounts, because a close
/// does not split those entities' income. `fiscal_year_start` is `MM-01`, by default 01-01.
/// Refuses: other numbers of owners, names that are blank, twice, invisible or would run as a formula in a spreadsheet, shares
/// that only some owners have or that do not sum to 100 %, a bad company name, a bad fiscal year.
pub fn template(
    entity: EntityType,
    owners: &[Owner],
    company: Option<&str>,
    fiscal_year_start: Option<&str>,
) -> Result<Template, Refusal> {
    let company = company
        .map(|name| typed(name, "company", NAME_CHARS_MAX))
        .transpose()?;
    let start = fiscal_year_start.unwrap_or("01-01");
    let month = start_month(start)?;
    let holders = owners::check(entity, owners)?;
    let members = match entity {
        EntityType::Partnership => holders.as_slice(),
        _ => &[],
    };
    let settings = settings::Page {
        entity,
        company: company.as_deref(),
        fiscal_year_start: start,
        members,
    };
    let is_llc = company.as_deref().is_some_and(is_llc);
    Ok(Template {
        csv: chart_csv(accounts(entity, members, is_llc)),
        settings_toml: settings.text(),
        notes: notes(&settings, owners, month),
    })
}

/// Whether a name or a classification says that the business is a limited liability company, whose owners are members.
pub fn is_llc(text: &str) -> bool {
    let words = words(text);
    let spelled = ["limited", "liability", "company"];
    words.iter().any(|word| word == "llc") || words.windows(3).any(|three| three == spelled)
}

/// The accounts by code.
fn accounts(entity: EntityType, members: &[Holder], is_llc: bool) -> Vec<Account> {
    let mut accounts: Vec<Account> = COMMON
        .lines()
        .skip(1)
        .map(|line| {
            // The embedded list quotes nothing, which a test holds.
            let mut cells = line.split(',').map(str::to_owned);
            std::array::from_fn(|_| cells.next().unwrap_or_default())
        })
        .collect();
    let additions: &[&[[&str; 5]]] = match entity {
        EntityType::SoleProprietorship => &[SOLE],
        EntityType::Partnership => &[INTEREST, PARTNERSHIP],
        EntityType::SCorporation => &[INTEREST, CORPORATION, S_ONLY],
        EntityType::CCorporation => &[INTEREST, CORPORATION, C_ONLY],
    };
    let additions = additions.iter().flat_map(|list| list.iter());
    accounts.extend(additions.map(|account| account.map(str::to_owned)));
    if entity == EntityType::Partnership {
        let heading = if is_llc {
            "Members' Capital"
        } else {
            "Partners' Capital"
        };
        accounts.push(["3000", heading, "equity", "", ""].map(str::to_owned));
    }
    for member in members {
        for (code, purpose) in [
            (&member.capital, "Capital"),
            (&member.distributions, "Distributions"),
        ] {
            let name = format!("{} — {purpose}", member.name);
            accounts.push([code.as_str(), &name, "equity", "3000", ""].map(str::to_owned));
        }
    }
    accounts.sort();
    accounts
}

fn chart_csv(accounts: Vec<Account>) -> String {
    let header = ["code", "name", "type", "parent_code", "tax_category"].map(str::to_owned);
    let mut csv = String::new();
    for account in std::iter::once(header).chain(accounts) {
        csv.push_str(&account.map(|cell| csv_cell(&cell)).join(","));
        csv.push('\n');
    }
    csv
}

/// A cell as RFC 4180 writes it. Names hold no line ends: they were checked as typed text.
fn csv_cell(cell: &str) -> String {
    if cell.contains([',', '"']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

fn notes(page: &settings::Page<'_>, owners: &[Owner], month: Month) -> Vec<String> {
    let mut notes = vec![
        "The accounts and the settings are a proposal: whoever answers for the books looks them over first.".to_owned(),
    ];
    if !page.members.is_empty() && owners.iter().all(|owner| owner.share.is_none()) {
        notes.push(format!(
            "The shares are equal ({}) because none were given: replace them in wanderbooks.toml with the agreement's.",
            page.members.iter().map(|m| m.share.to_string()).collect::<Vec<_>>().join(", ")
        ));
    }
    if page.members.is_empty() && !owners.is_empty() {
        notes.push(
            "The owners are not listed as members: this kind of business keeps no capital account for each of them."
                .to_owned(),
        );
    }
    if page.company.is_none() {
        notes.push("Set [company] name in wanderbooks.toml: it heads every report.".to_owned());
    }
    let law = match page.entity {
        EntityType::Partnership => Some("IRC §706(b)"),
        EntityType::SCorporation => Some("IRC §1378"),
        // A sole proprietor's business has no year of its own: it takes the owner's.
        EntityType::SoleProprietorship => Some("IRC §441"),
        EntityType::CCorporation => None,
    };
    if let Some(law) = law.filter(|_| month != Month::JANUARY) {
        notes.push(format!(
            "The fiscal year does not start in January: ask the CPA whether this business may use it ({law})."
        ));
    }
    notes
}

#[cfg(test)]
mod tests;
