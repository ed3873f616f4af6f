//! The table of tax categories, one a line; no rule stands here.
//!
//! Placement follows the 2025 Schedule C and Forms 1065, 1120-S and 1120; each percent below 100 names its statute.

use super::{Part, Percent, TaxCategory, TaxKind};
use crate::domains::company::TaxForm;

const C: TaxForm = TaxForm::ScheduleC;
const P: TaxForm = TaxForm::Form1065;
const S: TaxForm = TaxForm::Form1120S;
const K: TaxForm = TaxForm::Form1120;

/// A percent written as a number, as four numbers by return, or as `before through YYYYMMDD then after`.
macro_rules! percent {
    ([$flat:literal]) => {
        Percent::Flat($flat)
    };
    ([$c:literal $p:literal $s:literal $k:literal]) => {
        Percent::ByReturn([$c, $p, $s, $k])
    };
    ([$before:literal through $through:literal then $after:literal]) => {
        Percent::ByDate {
            before: $before,
            through: $through,
            after: $after,
        }
    };
}

macro_rules! table {
    ($( $kind:ident $part:ident $key:literal $label:literal [$($form:ident)+] $percent:tt $note:literal $statute:literal; )+) => {
        &[$( TaxCategory {
            key: $key,
            label: $label,
            kind: TaxKind::$kind,
            part: Part::$part,
            returns: &[$($form),+],
            note: $note,
            statute: $statute,
            percent: percent!($percent),
        } ),+]
    };
}

/// Every category: revenue, then expense.
pub(super) const CATEGORIES: &[TaxCategory] = table! {
    Revenue Revenue "gross_receipts" "Gross receipts or sales" [C P S K] [100] "" "";
    Revenue Revenue "returns_allowances" "Returns and allowances" [C P S K] [100] "contra revenue: refunds given" "";
    Revenue OtherIncome "interest_income" "Interest income" [P S K] [100] "1065, 1120-S: separately stated on Schedule K. Schedule C: bank interest belongs on Schedule B, and interest on business receivables is other_income" "";
    Revenue OtherIncome "dividend_income" "Dividends" [P S K] [100] "1120: the dividends-received deduction is the CPA's" "";
    Revenue Revenue "rental_income" "Rents" [P S K] [100] "1065, 1120-S: Form 8825" "";
    Revenue Revenue "royalty_income" "Royalties" [P S K] [100] "" "";
    Revenue Disposal "gain_loss_business_property" "Gain or loss on business property (Form 4797)" [C P S K] [100] "the book gain is not the tax gain, because depreciation differs" "";
    Revenue OtherIncome "capital_gain_loss" "Capital gain or loss (Schedule D)" [P S K] [100] "" "";
    Revenue OtherIncome "tax_exempt_income" "Tax-exempt income" [P S K] [0] "" "";
    Revenue OtherIncome "other_income" "Other income" [C P S K] [100] "" "";
    Expense CostOfGoods "cost_of_goods_sold" "Cost of goods sold: purchases" [C P S K] [100] "Schedule C Part III, or Form 1125-A" "";
    Expense CostOfGoods "cogs_labor" "COGS: labor" [C P S K] [100] "" "";
    Expense CostOfGoods "cogs_materials" "COGS: materials and supplies" [C P S K] [100] "" "";
    Expense CostOfGoods "cogs_other" "COGS: other costs" [C P S K] [100] "freight in, packaging" "";
    Expense Operating "advertising" "Advertising" [C P S K] [100] "1065: among other deductions" "";
    Expense Operating "car_truck" "Car and truck" [C P S K] [100] "the mileage method is the CPA's" "";
    Expense Operating "commissions_fees" "Commissions and fees" [C P S K] [100] "processor and marketplace fees" "";
    Expense Operating "contract_labor" "Contract labor" [C P S K] [100] "calls for a 1099 review" "";
    Expense Operating "depreciation" "Depreciation" [C P S K] [100] "the book amount; the return uses Form 4562" "";
    Expense Operating "amortization" "Amortization" [C P S K] [100] "" "IRC §195, §197, §248, §709";
    Expense Operating "employee_benefits" "Employee benefit programs" [C P S K] [100] "" "";
    Expense Operating "owner_health_insurance" "Owner health insurance" [C P S] [0 100 100 100] "Schedule C: deducted on Schedule 1 instead. 1065: a guaranteed payment. 1120-S: wages of officers who own more than 2%" "";
    Expense Operating "retirement_plans" "Pension and profit-sharing (employees)" [C P S K] [100] "an owner's own contribution is not on the business return for Schedule C and 1065" "";
    Expense Operating "insurance" "Insurance (not health)" [C P S K] [100] "" "";
    Expense Operating "life_insurance" "Life insurance, business is beneficiary" [C P S K] [0] "" "IRC §264(a)(1)";
    Expense OtherExpense "interest_mortgage" "Mortgage interest" [C P S K] [100] "the limit of §163(j) is the CPA's" "";
    Expense OtherExpense "interest_other" "Other interest" [C P S K] [100] "cards, loans" "";
    Expense Operating "legal_professional" "Legal and professional" [C P S K] [100] "" "";
    Expense Operating "office_expense" "Office expense" [C P S K] [100] "" "";
    Expense Operating "rent_equipment" "Rent: vehicles and equipment" [C P S K] [100] "" "";
    Expense Operating "rent_property" "Rent: property" [C P S K] [100] "" "";
    Expense Operating "repairs_maintenance" "Repairs and maintenance" [C P S K] [100] "" "";
    Expense Operating "supplies" "Supplies" [C P S K] [100] "" "";
    Expense Operating "taxes_licenses" "Taxes and licenses" [C P S K] [100] "" "";
    Expense Operating "payroll_taxes" "Payroll taxes (employer)" [C P S K] [100] "reported with taxes and licenses" "";
    Expense IncomeTax "state_income_tax" "State income tax / pass-through entity tax" [P S K] [100] "" "";
    Expense IncomeTax "federal_income_tax" "Federal income tax" [K] [0] "" "IRC §275(a)(1)";
    Expense Operating "travel" "Travel" [C P S K] [100] "without meals" "";
    Expense Operating "meals" "Business meals" [C P S K] [50] "" "IRC §274(n)(1)";
    Expense Operating "meals_full" "Meals fully deductible" [C P S K] [100] "staff parties, offered to the public, sold, or taxed as wages" "IRC §274(n)(2), §274(e)";
    Expense Operating "meals_employer_convenience" "Meals for the employer's convenience, cafeteria" [C P S K] [50 through 20251231 then 0] "nothing is deductible of amounts paid or incurred after 2025-12-31; the entry's date decides, also within a fiscal year" "IRC §274(o)";
    Expense Operating "entertainment" "Entertainment" [C P S K] [0] "" "IRC §274(a)(1)";
    Expense Operating "club_dues" "Club dues" [C P S K] [0] "" "IRC §274(a)(3)";
    Expense Operating "gifts" "Business gifts" [C P S K] [100] "at most $25 per recipient and year; the CPA applies the cap" "IRC §274(b)";
    Expense Operating "utilities" "Utilities" [C P S K] [100] "" "";
    Expense Operating "wages" "Wages" [C P S K] [100] "never to partners" "";
    Expense Operating "officer_compensation" "Compensation of officers" [S K] [100] "" "";
    Expense Operating "guaranteed_payments" "Guaranteed payments to partners" [P] [100] "" "IRC §707(c)";
    Expense Operating "bad_debts" "Bad debts" [C P S K] [100] "only what was once counted as income" "";
    Expense Operating "charitable_contributions" "Charitable contributions" [C P S K] [0 0 0 100] "Schedule C: the owner's Schedule A. 1065, 1120-S: separately stated on Schedule K-1. 1120: only what lies above 1% and up to 10% of taxable income (tax years after 2025)" "IRC §170(b)(2)(A)";
    Expense Operating "penalties" "Fines and penalties to government" [C P S K] [0] "a penalty under a private contract is not one of these" "IRC §162(f)";
    Expense Operating "political_lobbying" "Political and lobbying" [C P S K] [0] "" "IRC §162(e), §276";
    Expense Operating "dues_subscriptions" "Dues and subscriptions" [C P S K] [100] "trade bodies, not clubs" "";
    Expense Operating "bank_fees" "Bank service charges" [C P S K] [100] "" "";
    Expense Operating "software_technology" "Software and technology" [C P S K] [100] "" "";
    Expense Operating "education_training" "Education and training" [C P S K] [100] "" "";
    Expense Operating "home_office" "Business use of home" [C] [100] "Form 8829" "";
    Expense Operating "startup_organizational" "Start-up and organizational" [C P S K] [100] "$5,000 at once, the rest over 180 months" "IRC §195, §248, §709";
    Expense Operating "commuter_benefits" "Parking and transit fringes" [C P S K] [0] "" "IRC §274(a)(4)";
    Expense Operating "nondeductible_other" "Other nondeductible" [C P S K] [0] "" "";
    Expense Operating "other_deductions" "Other deductions" [C P S K] [100] "Schedule C Part V" "";
};
