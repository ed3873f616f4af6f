//! Whether the accounts that the settings name are in the chart and suit what they are named for. What the settings mean,
//! and what is odd about them in themselves, is the company domain's business.

use super::{Account, table};
use crate::{
    domains::company::Settings,
    engine::{Reader, Result},
    model::{AccountType, quoted},
};

/// An account that the settings name.
struct Named<'s> {
    /// A sentence's beginning that names the setting and the code; ` is no equity account of the chart.` would end it.
    subject: String,
    code: &'s str,
    /// The types that suit.
    kinds: &'static [AccountType],
    /// Whether a close posts to it. The cash flow statement of an earlier year still needs accounts that are out of use.
    posted_to: bool,
    /// What to change where no account of the chart suits.
    change: &'static str,
}

/// The accounts to which a close posts: each member's own, or else the one that takes net income and those that it empties.
fn of_close(settings: &Settings) -> Vec<Named<'_>> {
    let equity = |subject: String, code| Named {
        subject,
        code,
        kinds: &[AccountType::Equity],
        posted_to: true,
        change: "Name an equity account of the chart, or add this one.",
    };
    let mut named = Vec::new();
    if settings.allocates() {
        for member in &settings.members {
            let name = quoted(&member.name);
            let mut own = |purpose: &str, code| {
                let subject = format!("The {purpose} account {code} of member {name}");
                named.push(equity(subject, code));
            };
            own("capital", &member.capital_account);
            if let Some(code) = &member.distribution_account {
                own("distribution", code);
            }
        }
        return named;
    }
    if let Some(code) = &settings.close_into {
        named.push(equity(
            format!("The settings close into {code}, which"),
            code,
        ));
    }
    for code in &settings.close_sweep {
        named.push(equity(format!("close_sweep names {code}, which"), code));
    }
    named
}

/// The accounts by which the cash flow statement tells cash, financing and investing apart, spec §4.2. What equipment was
/// bought for and is still owed may be investing, so a liability suits there too.
fn of_cash_flow(settings: &Settings) -> Vec<Named<'_>> {
    type Role<'r> = (&'r str, &'r [String], &'static [AccountType], &'static str);
    let roles: [Role<'_>; 3] = [
        (
            "cash_accounts",
            &settings.cash_accounts,
            &[AccountType::Asset],
            "Name the accounts that hold cash, or add this one.",
        ),
        (
            "financing_accounts",
            &settings.financing_accounts,
            &[AccountType::Liability],
            "Name loans and what owners advanced; equity is financing without being named.",
        ),
        (
            "investing_accounts",
            &settings.investing_accounts,
            &[AccountType::Asset, AccountType::Liability],
            "Name loans made, investments bought, or what is owed for equipment.",
        ),
    ];
    let mut all = Vec::new();
    for (name, codes, kinds, change) in roles {
        all.extend(codes.iter().map(|code| Named {
            subject: format!("{name} names {code}, which"),
            code,
            kinds,
            posted_to: false,
            change,
        }));
    }
    all
}

impl Named<'_> {
    /// That no account of the chart suits, if that is so.
    fn unsuited(&self, chart: &[Account]) -> Option<String> {
        let found = chart.iter().find(|account| account.code == self.code);
        if found.is_some_and(|account| self.kinds.contains(&account.kind)) {
            return None;
        }
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.word()).collect();
        Some(format!(
            "{} is no {} account of the chart.",
            self.subject,
            kinds.join(" or ")
        ))
    }

    /// What is wrong, and what to change.
    fn problem(&self, chart: &[Account]) -> Option<String> {
        if let Some(unsuited) = self.unsuited(chart) {
            return Some(format!("{unsuited} {}", self.change));
        }
        let account = chart.iter().find(|account| account.code == self.code)?;
        let subject = &self.subject;
        if account.groups() {
            return Some(format!(
                "{subject} only groups other accounts: nothing is posted to it. Name the accounts under it."
            ));
        }
        (self.posted_to && account.archived).then(|| {
            format!(
                "{subject} is archived and takes nothing new. Name one in use, or take it back into use."
            )
        })
    }
}

/// The accounts of a close that are no equity accounts of the chart, a sentence each: a balance sheet is wrong without them.
pub fn not_equity(settings: &Settings, chart: &[Account]) -> Vec<String> {
    let swept = &settings.close_sweep;
    let named = of_close(settings).into_iter();
    named
        // What a close empties stands in equity or it does not; the balance sheet shows it all the same.
        .filter(|named| settings.allocates() || !swept.iter().any(|code| code == named.code))
        .filter_map(|named| named.unsuited(chart))
        .collect()
}

/// What in the settings disagrees with the chart, each sentence with what to change.
pub fn problems_of(settings: &Settings, chart: &[Account]) -> Vec<String> {
    let cash_flow = of_cash_flow(settings).into_iter();
    cash_flow
        .chain(of_close(settings))
        .filter_map(|named| named.problem(chart))
        .collect()
}

/// What in the settings in force disagrees with the chart.
pub fn problems(books: &Reader<'_>) -> Result<Vec<String>> {
    let chart = table::all(&books.view())?;
    Ok(problems_of(&Settings::of(books)?, &chart))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(code: &str, kind: AccountType) -> Account {
        Account {
            id: 1,
            code: code.to_owned(),
            name: format!("Account {code}"),
            kind,
            parent_id: None,
            placeholder: false,
            archived: false,
            tax_category: None,
            has_children: false,
        }
    }

    fn chart() -> Vec<Account> {
        let grouping = Account {
            placeholder: true,
            ..account("1500", AccountType::Asset)
        };
        let parent = Account {
            has_children: true,
            ..account("3000", AccountType::Equity)
        };
        let old = |code, kind| Account {
            archived: true,
            ..account(code, kind)
        };
        vec![
            account("1000", AccountType::Asset),
            old("1090", AccountType::Asset),
            grouping,
            account("2600", AccountType::Liability),
            parent,
            account("3010", AccountType::Equity),
            account("3020", AccountType::Equity),
            old("3100", AccountType::Equity),
            account("3999", AccountType::Equity),
        ]
    }

    fn found(text: &str) -> Vec<String> {
        let settings = Settings::parse(text).expect("legal settings");
        problems_of(&settings, &chart())
    }

    const NONE: [&str; 0] = [];

    /// Accounts that suit are no problem; neither is one out of use among those that earlier statements need.
    #[test]
    fn suitable() {
        let text = "[books]\ncash_accounts = [\"1000\", \"1090\"]\nfinancing_accounts = [\"2600\"]\n\
                    investing_accounts = [\"1000\", \"2600\"]\nclose_into = \"3999\"\nclose_sweep = [\"3010\"]\n";
        assert_eq!(found(text), NONE);
        assert_eq!(found(""), NONE);
    }

    /// A code that is not in the chart, one of another type, a group, and one out of use that a close would post to: each is
    /// named with its setting and with what to change.
    #[test]
    fn unsuitable() {
        let text = "[books]\ncash_accounts = [\"2600\", \"1500\", \"77\"]\nfinancing_accounts = [\"3010\"]\n\
                    investing_accounts = [\"3010\"]\nclose_into = \"3000\"\nclose_sweep = [\"3100\", \"1000\"]\n";
        let cash = "Name the accounts that hold cash, or add this one.";
        let equity = "Name an equity account of the chart, or add this one.";
        assert_eq!(
            found(text),
            [
                format!("cash_accounts names 2600, which is no asset account of the chart. {cash}"),
                "cash_accounts names 1500, which only groups other accounts: nothing is posted to it. Name the accounts under it."
                    .to_owned(),
                format!("cash_accounts names 77, which is no asset account of the chart. {cash}"),
                "financing_accounts names 3010, which is no liability account of the chart. Name loans and what owners advanced; \
                 equity is financing without being named."
                    .to_owned(),
                "investing_accounts names 3010, which is no asset or liability account of the chart. Name loans made, \
                 investments bought, or what is owed for equipment."
                    .to_owned(),
                "The settings close into 3000, which only groups other accounts: nothing is posted to it. Name the accounts under it."
                    .to_owned(),
                "close_sweep names 3100, which is archived and takes nothing new. Name one in use, or take it back into use."
                    .to_owned(),
                format!("close_sweep names 1000, which is no equity account of the chart. {equity}"),
            ]
        );
    }

    /// Members' accounts are held to the chart where a close uses them, and then the accounts of a business without members
    /// are not; a corporation's members are not used.
    #[test]
    fn members() {
        let members = |form: &str| {
            format!(
                "[company]\ntax_form = \"{form}\"\n\
                 [[company.members]]\nname = \"Ada\"\nshare = \"60%\"\ncapital_account = \"3010\"\ndistribution_account = \"3100\"\n\
                 [[company.members]]\nname = \"Grace\"\nshare = \"40%\"\ncapital_account = \"1000\"\n\
                 [books]\nclose_into = \"77\"\n"
            )
        };
        let capital =
            "The capital account 1000 of member \"Grace\" is no equity account of the chart.";
        let into = "The settings close into 77, which is no equity account of the chart.";
        let change = "Name an equity account of the chart, or add this one.";
        let archived = "The distribution account 3100 of member \"Ada\" is archived and takes nothing new. Name one in use, or \
                        take it back into use.";
        assert_eq!(
            found(&members("1065")),
            [archived.to_owned(), format!("{capital} {change}")]
        );
        assert_eq!(found(&members("1120")), [format!("{into} {change}")]);
        let balance_sheet = |form: &str| {
            let settings = Settings::parse(&members(form)).expect("legal settings");
            not_equity(&settings, &chart())
        };
        assert_eq!(balance_sheet("1065"), [capital]);
        assert_eq!(balance_sheet("1120"), [into]);
    }
}
