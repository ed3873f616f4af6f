//! The settings in force, read from the text of `wanderbooks.toml`; not whether they agree with the chart, nor the file.

mod members;
mod reader;

use crate::{
    domains::company::{TaxForm, classify, fiscal, start_month},
    engine::Reader,
    model::{CODE_CHARS_MAX, Currency, Money, Month, NAME_CHARS_MAX, Refusal},
    wire_enum,
};
pub use members::Member;
use reader::{Faults, Section};

/// The most bytes of a settings file.
pub const SETTINGS_BYTES_MAX: usize = 1 << 20;
/// The most characters of a path.
const PATH_CHARS_MAX: usize = 4_096;

/// Every section with its keys. What is not here is refused by name.
const KNOWN: [(&str, &[&str]); 6] = [
    (
        "company",
        &[
            "name",
            "fiscal_year_start",
            "tax_form",
            "tax_classification",
            "members",
        ],
    ),
    (
        "books",
        &[
            "accounting_basis",
            "receipt_threshold",
            "cash_accounts",
            "financing_accounts",
            "investing_accounts",
            "close_into",
            "close_sweep",
            "asset_tag_prefix",
        ],
    ),
    ("mcp", &["require_preview"]),
    ("files", &["import_dirs"]),
    ("reports", &["fallback_fonts"]),
    ("vault", &["key_file"]),
];

wire_enum! {
    /// The basis that report footers name; the books themselves are not re-cut.
    pub enum AccountingBasis {
        /// Income when earned, expense when owed
        Accrual = "accrual",
        /// Income when received, expense when paid
        Cash = "cash",
    }
}

/// What `wanderbooks.toml` says, checked in itself. Account codes are trimmed and may still be absent from the chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The name that heads every report.
    pub company: Option<String>,
    /// The month on whose first day the fiscal year starts.
    pub fiscal_year_start: Month,
    /// The income tax return: `tax_form`, else what `tax_classification` means, else unknown.
    pub tax_form: Option<TaxForm>,
    /// The classification as written, which tells an LLC from a partnership.
    pub tax_classification: Option<String>,
    /// The owners whose capital accounts a close fills, in the file's order. Empty, or shares of exactly 100 %.
    pub members: Vec<Member>,
    /// The basis that report footers name.
    pub accounting_basis: AccountingBasis,
    /// Debits strictly above this amount need a receipt, in the base currency; `None` leaves the default to the policy.
    pub receipt_threshold: Option<Money>,
    /// Codes of the accounts that the cash flow statement reconciles to.
    pub cash_accounts: Vec<String>,
    /// Codes of loans and owners' advances.
    pub financing_accounts: Vec<String>,
    /// Codes of loans made and investments bought.
    pub investing_accounts: Vec<String>,
    /// Code of the equity account that a close puts net income in, where there are no members.
    pub close_into: Option<String>,
    /// Codes of draw, distribution or dividend accounts that a close empties.
    pub close_sweep: Vec<String>,
    /// What fixed assets' tags begin with.
    pub asset_tag_prefix: Option<String>,
    /// Whether a confirmation must name the preview it confirms. Default: yes.
    pub require_preview: bool,
    /// Folders that local imports may read.
    pub import_dirs: Vec<String>,
    /// Font files for characters that the built-in fonts lack.
    pub fallback_fonts: Vec<String>,
    /// The vault's key file.
    pub key_file: Option<String>,
    /// What is legal and yet deserves a person's eye.
    pub notes: Vec<String>,
}

/// Says what is wrong with a settings file's text, if anything, in books of this currency.
pub fn check(text: &str, currency: Currency) -> Result<(), Vec<Refusal>> {
    let settings = Settings::parse(text)?;
    match settings.receipt_threshold {
        Some(above) if above.decimal().normalize().scale() > currency.exponent() => {
            let key = "books.receipt_threshold";
            let message = format!(
                "{key} is {above}; {} has {} decimals",
                currency.code(),
                currency.exponent()
            );
            Err(vec![Refusal::new("bad_setting", message).with("key", key)])
        }
        _ => Ok(()),
    }
}

/// What in the settings in force deserves a person's eye, whatever the chart is.
pub fn problems(books: &Reader<'_>) -> crate::engine::Result<Vec<String>> {
    Ok(Settings::of(books)?.notes)
}

impl Settings {
    /// The settings in force for these books. The text was checked when the books were opened.
    pub fn of(books: &Reader<'_>) -> crate::engine::Result<Settings> {
        Settings::parse(&books.settings().text).map_err(crate::engine::No::Refused)
    }
}

impl Default for Settings {
    /// The settings of an empty file: calendar year, accrual, previews required, nothing else known.
    fn default() -> Settings {
        Settings {
            company: None,
            fiscal_year_start: Month::JANUARY,
            tax_form: None,
            tax_classification: None,
            members: Vec::new(),
            accounting_basis: AccountingBasis::Accrual,
            receipt_threshold: None,
            cash_accounts: Vec::new(),
            financing_accounts: Vec::new(),
            investing_accounts: Vec::new(),
            close_into: None,
            close_sweep: Vec::new(),
            asset_tag_prefix: None,
            require_preview: true,
            import_dirs: Vec::new(),
            fallback_fonts: Vec::new(),
            key_file: None,
            notes: Vec::new(),
        }
    }
}

impl Settings {
    /// The settings of a file's text.
    ///
    /// Refuses, all faults together in the file's order, each naming the line, the key, the value and what the key takes: a
    /// text of more than [`SETTINGS_BYTES_MAX`] bytes, broken TOML, unknown sections and keys, wrong values, members that are
    /// blank, duplicate, share an account or do not hold exactly 100 %, and a close that sweeps its own target.
    pub fn parse(text: &str) -> Result<Settings, Vec<Refusal>> {
        let table = reader::open(text, SETTINGS_BYTES_MAX)?;
        let root = Section::root(&table);
        let mut faults = Faults::default();
        faults.refuse_unknown(&root, &KNOWN.map(|(name, _)| name), "sections");
        let [company, books, mcp, files, reports, vault] =
            KNOWN.map(|known| faults.section(&root, &known));
        let mut settings = Settings::default();
        settings.read_company(&company, &mut faults);
        settings.read_books(&books, &mut faults);
        settings.require_preview = faults.truth(&mcp, "require_preview").unwrap_or(true);
        settings.import_dirs = faults.list(&files, "import_dirs", PATH_CHARS_MAX);
        settings.fallback_fonts = faults.list(&reports, "fallback_fonts", PATH_CHARS_MAX);
        settings.key_file = faults.text(&vault, "key_file", PATH_CHARS_MAX);
        faults.finish(text)?;
        settings.add_notes();
        Ok(settings)
    }

    fn read_company(&mut self, company: &Section<'_>, faults: &mut Faults) {
        self.company = faults.text(company, "name", NAME_CHARS_MAX);
        let month = faults.read(company, "fiscal_year_start", fiscal::TAKES, |text| {
            start_month(text).ok()
        });
        self.fiscal_year_start = month.unwrap_or(Month::JANUARY);
        self.members = members::read(company, faults);
        let form = faults.read(
            company,
            "tax_form",
            "one of schedule_c, 1065, 1120-S, 1120",
            TaxForm::read,
        );
        self.tax_classification = faults.text(company, "tax_classification", NAME_CHARS_MAX);
        let classified = self
            .tax_classification
            .as_deref()
            .map(|text| classify(text, self.members.len()));
        self.tax_form = form;
        match classified {
            // The form stands first: the classification then only says LLC or not, and may be a plain "LLC".
            Some(Ok(other)) if form.is_some_and(|form| form != other) => self.notes.push(format!(
                "tax_classification means {other}, but tax_form says {}; tax_form is used",
                form.map_or("", TaxForm::word)
            )),
            Some(Ok(form)) => self.tax_form = Some(form),
            Some(Err(refusal)) if form.is_none() && !company.has("tax_form") => {
                faults.refuse(company, "tax_classification", refusal);
            }
            Some(Err(_)) | None => {}
        }
    }

    fn read_books(&mut self, books: &Section<'_>, faults: &mut Faults) {
        let basis = faults.read(
            books,
            "accounting_basis",
            "\"accrual\" or \"cash\"",
            |text| AccountingBasis::from_word(&text.to_lowercase()),
        );
        self.accounting_basis = basis.unwrap_or(AccountingBasis::Accrual);
        let takes = "a plain decimal of zero or more such as \"25.00\", at most 3 decimals and 11 digits before them";
        self.receipt_threshold = faults.read(books, "receipt_threshold", takes, |text| {
            let plain = text.parse::<Money>().ok();
            // Three decimals are the most that any currency's minor unit has.
            plain.filter(|money| !text.starts_with('-') && money.to_minor(3).is_some())
        });
        self.cash_accounts = faults.list(books, "cash_accounts", CODE_CHARS_MAX);
        self.financing_accounts = faults.list(books, "financing_accounts", CODE_CHARS_MAX);
        self.investing_accounts = faults.list(books, "investing_accounts", CODE_CHARS_MAX);
        self.close_into = faults.text(books, "close_into", CODE_CHARS_MAX);
        self.close_sweep = faults.list(books, "close_sweep", CODE_CHARS_MAX);
        self.asset_tag_prefix = faults.text(books, "asset_tag_prefix", CODE_CHARS_MAX);
        if let Some(target) = &self.close_into
            && self.close_sweep.contains(target)
        {
            faults.bad(
                books,
                "close_sweep",
                Some(target),
                "accounts other than close_into, because a close cannot empty the account it fills",
            );
        }
    }

    /// Whether income is allocated to members, so that a close fills their capital accounts. Corporations keep retained
    /// earnings, whoever is listed.
    pub fn allocates(&self) -> bool {
        !self.members.is_empty() && !self.is_corporation()
    }

    fn is_corporation(&self) -> bool {
        matches!(self.tax_form, Some(TaxForm::Form1120 | TaxForm::Form1120S))
    }

    /// What is odd about the members listed, given the form of business; a balance sheet tells it as well.
    pub fn member_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match (self.tax_form, self.members.len()) {
            (_, 0) => {}
            (Some(TaxForm::Form1065), 1) => notes.push(
                "a partnership has two or more owners, but one member is listed (Reg. §301.7701-3(b)(1))",
            ),
            (Some(TaxForm::ScheduleC), 1) => notes.push(
                "a business on Schedule C has one owner, whose capital close_into names; the member listed under \
                 [[company.members]] makes it a partnership's equity",
            ),
            (Some(TaxForm::ScheduleC), _) => notes.push(
                "a business on Schedule C has one owner, but several members are listed (Reg. §301.7701-3(b)(1))",
            ),
            (Some(TaxForm::Form1120 | TaxForm::Form1120S), _) => notes.push(
                "a corporation keeps retained earnings: the members listed under [[company.members]] are not used",
            ),
            _ => {}
        }
        if self.allocates() && (self.close_into.is_some() || !self.close_sweep.is_empty()) {
            notes.push(
                "close_into and close_sweep are not used while members are listed: a close fills each member's capital account \
                 and empties each member's distribution account",
            );
        }
        notes.into_iter().map(str::to_owned).collect()
    }

    fn add_notes(&mut self) {
        let mut notes = Vec::new();
        if self.fiscal_year_start != Month::JANUARY {
            match self.tax_form {
                Some(TaxForm::Form1065) => notes.push(
                    "a partnership normally takes its majority partners' tax year, else the calendar year (IRC §706(b)(1)(B)); \
                     ask the CPA whether this fiscal year is permitted",
                ),
                Some(TaxForm::Form1120S) => notes.push(
                    "an S corporation takes a permitted tax year, usually the calendar year (IRC §1378); ask the CPA whether \
                     this fiscal year is permitted",
                ),
                Some(TaxForm::ScheduleC) => notes.push(
                    "a sole proprietor's business takes its owner's tax year, usually the calendar year (IRC §441); ask the CPA \
                     whether this fiscal year is permitted",
                ),
                Some(TaxForm::Form1120) | None => {}
            }
        }
        self.notes.extend(notes.into_iter().map(str::to_owned));
        self.notes.extend(self.member_notes());
        self.note_shared_roles();
    }

    /// An account in two cash flow roles would be counted twice.
    fn note_shared_roles(&mut self) {
        let roles = [
            ("cash_accounts", &self.cash_accounts),
            ("financing_accounts", &self.financing_accounts),
            ("investing_accounts", &self.investing_accounts),
        ];
        let mut notes = Vec::new();
        for (i, (name, codes)) in roles.iter().enumerate() {
            for (other, others) in &roles[i + 1..] {
                for code in codes.iter().filter(|code| others.contains(code)) {
                    notes.push(format!(
                        "account {code} is in both {name} and {other}; the cash flow statement takes it in one only: remove it from one"
                    ));
                }
            }
        }
        self.notes.extend(notes);
    }
}

#[cfg(test)]
mod tests;
