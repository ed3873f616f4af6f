//! The control roles: accounts that invoices, bills, payroll and closes post to, with their default codes; not who fills them.

use clap::ValueEnum;

use crate::{
    model::{AccountType, Refusal},
    wire_enum,
};

wire_enum! {
    /// What an account is for when the books post by themselves.
    pub enum Role {
        /// Money that customers owe
        Receivable = "receivable",
        /// Money owed to vendors
        Payable = "payable",
        /// What invoices earn
        Revenue = "revenue",
        /// What bills cost
        BillExpense = "bill_expense",
        /// Gross pay
        Wages = "wages",
        /// The employer's share of payroll taxes
        PayrollTax = "payroll_tax",
        /// Federal income tax withheld from pay
        FederalWithholding = "federal_withholding",
        /// State income tax withheld from pay
        StateWithholding = "state_withholding",
        /// Social security tax, both shares
        SocialSecurity = "social_security",
        /// Medicare tax, both shares
        Medicare = "medicare",
        /// Other amounts kept back from pay
        OtherDeductions = "other_deductions",
        /// Federal tax kept back from a vendor's payment
        BackupWithholding = "backup_withholding",
        /// The parent of what fixed assets cost
        FixedAssets = "fixed_assets",
        /// Net income of closed periods
        RetainedEarnings = "retained_earnings",
    }
}

/// A role with what fills it while nothing is assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoleDefault {
    /// The role.
    pub role: Role,
    /// The only type of account that may fill the role.
    pub account_type: AccountType,
    /// The code of the account that fills the role while none is assigned.
    pub default_code: &'static str,
    /// The account's name where the books create it themselves.
    pub default_name: &'static str,
}

impl Role {
    /// The role's type and default.
    pub fn default_of(self) -> &'static RoleDefault {
        let found = ROLES.iter().find(|entry| entry.role == self);
        found.expect("ROLES has an entry for every role, which a test proves")
    }

    /// The code of the account that fills the role while none is assigned.
    pub fn default_code(self) -> &'static str {
        self.default_of().default_code
    }

    /// What the account is for, in words.
    pub fn purpose(self) -> String {
        let value = self.to_possible_value();
        let help = value.as_ref().and_then(|value| value.get_help());
        help.map(ToString::to_string).unwrap_or_default()
    }

    /// Whether the role is filled by an account that groups others: what is under it is what counts.
    pub fn groups(self) -> bool {
        self == Role::FixedAssets
    }
}

macro_rules! roles {
    ($( $role:ident $account_type:ident $code:literal $name:literal; )+) => {
        &[$( RoleDefault {
            role: Role::$role,
            account_type: AccountType::$account_type,
            default_code: $code,
            default_name: $name,
        } ),+]
    };
}

/// Every role, in the order of the default codes' use: sales, purchases, payroll, the rest.
pub const ROLES: &[RoleDefault] = roles! {
    Receivable Asset "1200" "Accounts Receivable";
    Payable Liability "2000" "Accounts Payable";
    Revenue Revenue "4000" "Revenue";
    BillExpense Expense "6999" "General Expenses";
    Wages Expense "6100" "Salary & Wage Expense";
    PayrollTax Expense "6110" "Payroll Tax Expense";
    FederalWithholding Liability "2110" "Federal Income Tax Withheld";
    StateWithholding Liability "2120" "State Income Tax Withheld";
    SocialSecurity Liability "2130" "Social Security Payable";
    Medicare Liability "2140" "Medicare Payable";
    OtherDeductions Liability "2150" "Other Payroll Deductions";
    BackupWithholding Liability "2160" "Backup Withholding Payable";
    FixedAssets Asset "1500" "Fixed Assets";
    RetainedEarnings Equity "3999" "Retained Earnings";
};

/// Whether an account of `account_type` may have `code`.
///
/// Refuses: the default code of a role to which no account is `assigned`, for an account of another type than the role's,
/// because the account would then fill the role.
pub fn guard_code(
    code: &str,
    account_type: AccountType,
    assigned: impl Fn(Role) -> bool,
) -> Result<(), Refusal> {
    let filled = ROLES.iter().find(|entry| entry.default_code == code);
    match filled.filter(|entry| !assigned(entry.role)) {
        Some(entry) if entry.account_type != account_type => Err(Refusal::new(
            "code_of_role",
            format!(
                "code {code} is the default of the control role {}, which takes an account of type {}, not {account_type}",
                entry.role, entry.account_type
            ),
        )
        .with("account_code", code)
        .with("role", entry.role.word())
        .with("role_type", entry.account_type.word())
        .with("account_type", account_type.word())
        .hint("choose another code")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// spec/domain.md §8: the role defaults.
    #[test]
    fn defaults() {
        let defaults: Vec<(&str, &str)> = Role::ALL
            .iter()
            .map(|role| (role.word(), role.default_of().default_code))
            .collect();
        let want = [
            ("receivable", "1200"),
            ("payable", "2000"),
            ("revenue", "4000"),
            ("bill_expense", "6999"),
            ("wages", "6100"),
            ("payroll_tax", "6110"),
            ("federal_withholding", "2110"),
            ("state_withholding", "2120"),
            ("social_security", "2130"),
            ("medicare", "2140"),
            ("other_deductions", "2150"),
            ("backup_withholding", "2160"),
            ("fixed_assets", "1500"),
            ("retained_earnings", "3999"),
        ];
        assert_eq!(defaults, want);
        assert_eq!(ROLES.len(), want.len());
    }

    /// A role's default code is kept for accounts of the role's type.
    #[test]
    fn guarding() {
        for entry in ROLES {
            for account_type in AccountType::ALL {
                let free = guard_code(entry.default_code, *account_type, |_| false);
                assert_eq!(free.is_ok(), *account_type == entry.account_type);
                let taken = |role| role == entry.role;
                assert_eq!(guard_code(entry.default_code, *account_type, taken), Ok(()));
            }
        }
        assert_eq!(guard_code("1001", AccountType::Expense, |_| false), Ok(()));
        let refusal = guard_code("1200", AccountType::Expense, |_| false);
        let refusal = refusal.expect_err("an expense is no receivable");
        assert_eq!(
            (refusal.code, refusal.message.as_str()),
            (
                "code_of_role",
                "code 1200 is the default of the control role receivable, which takes an account of type asset, not expense"
            )
        );
    }
}
