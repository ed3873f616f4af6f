//! The door of the chart of accounts. No logic stands here.

mod account;
mod changes;
mod csv;
mod events;
mod levels;
mod ops;
mod roles;
mod settings;
mod subject;
mod table;
mod tax;
mod template;
mod usage;

use crate::engine::{Domain, EventDef, Hooks, OpDef};

pub use account::{Account, AccountRef, account_archived};
pub use changes::{ACCOUNT_CHANGES, account_change};
pub use csv::{ChartRow, read_chart};
pub use ops::add::{AccountView, NewAccount, add};
pub use roles::{Role, guard_code};
pub use settings::not_equity;
pub use table::{account_of, all, by_code, by_id, resolve};
pub use tax::{Part, category, check_category};
pub use template::{EntityType, Owner, is_llc, template};
pub use usage::{ACCOUNT, Usage};

/// The chart's place among the domains.
pub static DOMAIN: Domain = Domain {
    name: "chart",
    about: include_str!("about.md"),
    groups: &[
        (
            "account",
            "Accounts: add, change, renumber, read one's lines",
        ),
        (
            "chart",
            "The chart of accounts: list, import, starter charts",
        ),
        ("role", "Control roles: which account fills each"),
    ],
    operations: &[
        OpDef::write::<ops::add::Add>(),
        OpDef::write::<ops::update::Update>(),
        OpDef::write::<ops::renumber::Renumber>(),
        OpDef::read::<ops::template::ChartTemplate>(),
        OpDef::read::<ops::role_list::RoleList>(),
        OpDef::write::<ops::role_assign::RoleAssign>(),
    ],
    events: &[
        EventDef::of::<events::AccountAdded>(),
        EventDef::of::<events::AccountUpdated>(),
        EventDef::of::<events::AccountRenumbered>(),
        EventDef::of::<events::RoleAssigned>(),
    ],
    tables: &[&table::ACCOUNT, &table::CODE_GIVEN, &table::ROLE],
    fold_version: 5,
    hooks: Hooks {
        founding: Some(ops::template::found),
        problems: Some(settings::problems),
        subjects: &[subject::SUBJECT],
        ..Hooks::NONE
    },
};
