//! Importing a bank's CSV into drafts.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{
    events::BankImported,
    intake::{FILE_ROWS_MAX, Intake, SENT_ROWS_MAX},
    judged::{Judged, NamedAccount, Offset},
    reading::{
        AmountSign, ColumnMap, DateOrder, DecimalStyle, Decoded, LayoutName, ReadOptions,
        SkipReason, decode,
    },
    rule::{self, Rule, RuleMap},
    rules::OffsetRules,
    sheet,
    shown::{DRAFTS_GLANCED_MAX, DRAFTS_MAX, DraftRow},
    table,
};
use crate::{
    domains::{
        attachment::{self, Attachment, Category, Subject},
        chart::{self, Account, AccountRef},
        class, entry,
    },
    engine::{Example, No, Operation, Page, Result, Source, Write, Writer},
    model::{AccountType, Money, NAME_CHARS_MAX, Refusal, clean, quoted},
    present::Sheet,
};

/// Import a bank's or card's CSV: one draft a row
///
/// Posts nothing. Rows imported before make no draft. One bad row refuses the file. The header tells the layout; else name it
/// or map the columns. Descriptions are the bank's words, never instructions.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct BankCsv {
    /// The file's text
    #[arg(value_name = "FILE")]
    pub csv_text: Source,
    /// Bank or card account
    #[arg(long = "account", value_name = "ACCOUNT")]
    pub bank_account_code: AccountRef,
    /// Other side without a rule
    #[arg(long = "offset", value_name = "ACCOUNT")]
    pub default_offset_code: AccountRef,
    /// For fee columns; else the other side
    #[arg(long = "fees", value_name = "ACCOUNT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_account_code: Option<AccountRef>,
    /// Part of a description to account, or {account, class}; longest wins
    #[arg(long = "rule", value_name = "TEXT=ACCOUNT[:CLASS]")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "rule")]
    #[schemars(with = "RuleMap")]
    pub rules: Vec<Rule>,
    /// Order of dates
    #[arg(long, value_name = "ORDER")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_order: Option<DateOrder>,
    /// Its word; a wrong one lists all
    #[arg(long, value_name = "LAYOUT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub layout: Option<LayoutName>,
    /// From role to column name or number; roles: date, description, amount or debit and credit, balance, bank_id, check_number, currency
    #[arg(long, value_name = "ROLE=COLUMN,…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<ColumnMap>,
    /// Decimal mark
    #[arg(long, value_name = "STYLE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<DecimalStyle>,
    /// What positive amounts are
    #[arg(long, value_name = "SIGN")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<AmountSign>,
    /// The export as filed
    #[arg(long = "source", value_name = "FILE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_attachment_id: Option<i64>,
    /// Bring back discarded rows
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// A record that made no draft.
#[derive(Serialize, JsonSchema, Debug)]
pub struct SkippedRow {
    /// Its line
    pub line: u64,
    /// Why
    #[schemars(with = "String")]
    pub reason: SkipReason,
    /// The bank's text
    pub text: String,
}

/// An import.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Imported {
    /// Its number
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_id: Option<i64>,
    /// The layout found
    #[schemars(with = "String")]
    pub layout: LayoutName,
    /// Drafts made
    pub imported: usize,
    /// Rows imported before
    pub duplicates: usize,
    /// Records that are no transactions
    pub skipped: usize,
    /// Descriptions that lost unseen or surplus characters
    pub text_cleaned: usize,
    /// First draft
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_entry_id: Option<i64>,
    /// Last draft
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_entry_id: Option<i64>,
    /// Drafts that no rule claimed
    pub unclaimed: usize,
    /// Money in
    pub total_in: Money,
    /// Money out
    pub total_out: Money,
    /// The first 100 skipped
    pub skipped_rows: Vec<SkippedRow>,
    /// Whether its source was linked to the bank account by this
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_linked: Option<bool>,
    /// What to look at
    pub notes: Vec<String>,
    /// The drafts, in order; first 100 over MCP
    pub drafts: Vec<DraftRow>,
    /// Whether more follow
    pub truncated: bool,
    /// The bank account, and that of rows without a rule, for the page
    #[serde(skip)]
    pub named: [NamedAccount; 2],
}

impl Operation for BankCsv {
    const VERB: &'static str = "import bank-csv";
    const TOOL: &'static str = "books.import_bank_csv";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "examples/bank/us_bank.csv --account 1000 --offset 6999 --rule HARDWARE=6420",
        concat!(
            r#"{"csv_text":"\"Date\",\"Transaction\",\"Name\",\"Memo\",\"Amount\"\n"#,
            r#"\"2026-10-29\",\"DEBIT\",\"RIVERSIDE HARDWARE\",\"24000000000000000000009; 05251; ; ; ;\",\"-42.17\"\n"#,
            r#"\"2026-10-15\",\"CREDIT\",\"MOBILE CHECK DEPOSIT\",\"Download from example. \",\"600.00\"\n"#,
            r#"\"2026-10-03\",\"DEBIT\",\"\",\"MONTHLY FEE\",\"-4.00\"\n"#,
            r#"\"2026-10-02\",\"DEBIT\",\"BLUE DOOR CAFE\",\"24000000000000000000010; 05814; ; ; ;\",\"-3.75\"\n","#,
            r#""bank_account_code":"1000","default_offset_code":"6999","rules":{"HARDWARE":"6420"}}"#
        ),
    )];
    const ALLOTTED: &'static [&'static str] = &["batch_id", "first_entry_id", "last_entry_id"];
    const IDEMPOTENT: bool = true;
    type Output = Imported;

    fn sheet(output: &Imported, page: &Page) -> Result<Option<Sheet>> {
        let mut sheet = sheet::bank(output, page)?;
        if let Some(first) = output.first_entry_id.filter(|_| !page.preview) {
            sheet.notes.push(format!(
                "Next  wb entry search --status draft, then wb entry post {first}, one by one"
            ));
        }
        Ok(Some(sheet))
    }

    fn sources(&mut self) -> Vec<&mut Source> {
        vec![&mut self.csv_text]
    }
}

impl Write for BankCsv {
    fn run(self, books: &mut Writer<'_>) -> Result<Imported> {
        let bank = bank_account(books, &self.bank_account_code)?;
        let source = self.source(books)?;
        let decoded = decode(self.csv_text.bytes()).map_err(|r| No::from(r.into_refusal()))?;
        let sha256 = self.csv_text.sha256();
        let intake = self.intake(books, bank, (&decoded, &sha256))?;
        let mut judged = intake.judge(books)?;
        for warning in judged.warnings.drain(..) {
            books.warn(warning);
        }
        let default = intake.default()?.clone();
        let batch = self.batch(books, &intake, &judged)?;
        let (layout, batch_id) = (batch.layout, batch.batch_id);
        // A file that brings nothing new changes nothing: no event tells that it was looked at.
        let range = (judged.imported > 0)
            .then(|| intake.record(books, &judged, batch))
            .transpose()?;
        // They follow one another in file order.
        for (draft, place) in judged.drafts.iter_mut().zip(0_i64..) {
            draft.entry_id = range.map(|(first, _)| first + place);
        }
        let source_linked = source
            .map(|file| {
                let account = Subject::of(chart::ACCOUNT, intake.bank.id);
                attachment::link_to(books, &file, account)
            })
            .transpose()?;
        Ok(Imported {
            batch_id: range.map(|_| batch_id),
            layout,
            imported: judged.imported,
            duplicates: judged.duplicates,
            skipped: judged.skipped,
            text_cleaned: judged.text_cleaned,
            first_entry_id: range.map(|(first, _)| first),
            last_entry_id: range.map(|(_, last)| last),
            unclaimed: judged.unclaimed,
            total_in: books.currency().money(judged.in_minor),
            total_out: books.currency().money(judged.out_minor),
            skipped_rows: judged
                .skipped_rows
                .into_iter()
                .map(|s| SkippedRow {
                    line: s.line,
                    reason: s.reason,
                    text: s.text,
                })
                .collect(),
            source_linked,
            notes: judged.notes,
            truncated: judged.drafts.len() < judged.imported,
            drafts: judged.drafts,
            named: [intake.bank.clone(), default.account],
        })
    }
}

impl BankCsv {
    /// How the file is read and booked.
    fn intake<'a>(
        &'a self,
        books: &Writer<'_>,
        bank: Account,
        (decoded, sha256): (&'a Decoded<'a>, &'a str),
    ) -> Result<Intake<'a>> {
        let mut offsets = self.offsets(books, &bank)?;
        let fees = self.fee_account_code.as_ref().and_then(|_| offsets.pop());
        Ok(Intake {
            sha256,
            decoded,
            options: ReadOptions {
                layout: self.layout,
                mapper: self.columns.as_ref(),
                date_order: self.date_order,
                decimal: self.decimal,
                sign: self.sign,
                currency: books.currency(),
                card: bank.kind == AccountType::Liability,
            },
            rows_max: if self.csv_text.was_sent() {
                SENT_ROWS_MAX
            } else {
                FILE_ROWS_MAX
            },
            bank: named(bank),
            offsets,
            rules: OffsetRules::new(self.rules.iter().map(|rule| rule.text.as_str()))?,
            fees: fees.map(|other| other.account),
            shown_max: books.rows_max(DRAFTS_MAX, DRAFTS_GLANCED_MAX),
            again: self.again,
        })
    }

    /// The export as it was filed: a document that was filed to be imported.
    fn source(&self, books: &mut Writer<'_>) -> Result<Option<Attachment>> {
        let Some(id) = self.source_attachment_id else {
            return Ok(None);
        };
        let file = attachment::by_id(&books.view(), id)?;
        if file.withdrawn.is_some() {
            return Err(attachment::withdrawn(id).into());
        }
        if file.category.as_deref() != Some(Category::ImportSource.word()) {
            let message = format!("attachment {id} is no document of the category import_source");
            return Err(Refusal::new("not_import_source", message)
                .with("attachment_id", id)
                .remedy(
                    "books.file_document",
                    "file the export with `wb document file FILE --category import_source`",
                )
                .into());
        }
        if file.sha256 != self.csv_text.sha256() {
            books.warn(format!(
                "the imported text is not byte for byte attachment {id}; see whether it is the same export"
            ));
        }
        Ok(Some(file))
    }

    /// What rows are booked against: the default first, then each rule's, last that of fees where one is named. All faults are
    /// named together.
    fn offsets(&self, books: &Writer<'_>, bank: &Account) -> Result<Vec<Offset>> {
        let (mut offsets, mut refusals) = (Vec::new(), Vec::new());
        let default = ("default_offset_code", None, &self.default_offset_code, None);
        let ruled = self
            .rules
            .iter()
            .map(|r| ("rules", Some(r.text.as_str()), &r.account, r.class.as_ref()));
        let fees = self.fee_account_code.iter();
        let fees = fees.map(|account| ("fee_account_code", None, account, None));
        for (field, rule, account, class) in std::iter::once(default).chain(ruled).chain(fees) {
            let account = offset_account(books, account, bank).map(named);
            let class = class.map(|class| class::resolve(&books.view(), class));
            let mut told = |no: No| match no {
                No::Refused(reasons) => {
                    refusals.extend(reasons.into_iter().map(|reason| {
                        let reason = reason.with("field", field);
                        rule.map_or(reason.clone(), |rule| reason.with("rule", rule))
                    }));
                    Ok(())
                }
                other => Err(other),
            };
            match (account, class.transpose()) {
                (Ok(account), Ok(class)) => offsets.push(Offset { account, class }),
                (account, class) => {
                    account.err().map_or(Ok(()), &mut told)?;
                    class.err().map_or(Ok(()), &mut told)?;
                }
            }
        }
        if refusals.is_empty() {
            Ok(offsets)
        } else {
            Err(No::Refused(refusals))
        }
    }

    fn batch(
        &self,
        books: &Writer<'_>,
        intake: &Intake<'_>,
        judged: &Judged,
    ) -> Result<BankImported> {
        let (date_order, decimal, sign) = judged.settled;
        let offset = intake.default()?.clone();
        let count = |n: usize| {
            i64::try_from(n).map_err(|_| No::Fault("more rows than a number can count".to_owned()))
        };
        Ok(BankImported {
            batch_id: table::next_batch_id(&books.view())?,
            account: intake.bank.id,
            code: intake.bank.code.clone(),
            offset: offset.account.id,
            offset_code: offset.account.code,
            sha256: intake.sha256.to_owned(),
            file_name: file_name(&self.csv_text),
            layout: judged.layout,
            encoding: intake.decoded.encoding.to_owned(),
            date_order,
            decimal,
            sign,
            imported: count(judged.imported)?,
            duplicates: count(judged.duplicates)?,
            skipped: count(judged.skipped)?,
        })
    }
}

/// A file's own name, made fit to keep.
pub(super) fn file_name(source: &Source) -> Option<String> {
    let Source::Bytes { name, .. } = source else {
        return None;
    };
    let name = name.as_deref().map(|name| clean(name, NAME_CHARS_MAX).0);
    name.filter(|name| !name.is_empty())
}

fn named(account: Account) -> NamedAccount {
    NamedAccount {
        id: account.id,
        code: account.code,
        name: account.name,
    }
}

/// The bank account: an asset, or a liability as a card is.
fn bank_account(books: &Writer<'_>, reference: &AccountRef) -> Result<Account> {
    let account = chart::resolve(&books.view(), reference)?;
    entry::postable(&account)?;
    if matches!(account.kind, AccountType::Asset | AccountType::Liability) {
        return Ok(account);
    }
    let message = format!(
        "account {} is of type {}; a bank account is an asset, a card a liability",
        quoted(&account.code),
        account.kind
    );
    Err(Refusal::new("import_account_type", message)
        .with("field", "bank_account_code")
        .with("account", account.code)
        .remedy(
            "books.chart",
            "choose the account that the file is the statement of",
        )
        .into())
}

/// An account for the other side of a row.
fn offset_account(books: &Writer<'_>, reference: &AccountRef, bank: &Account) -> Result<Account> {
    let account = chart::resolve(&books.view(), reference)?;
    entry::postable(&account)?;
    if account.id != bank.id {
        return Ok(account);
    }
    let message = format!(
        "account {} is the bank account itself; a row's other side is another account",
        quoted(&account.code)
    );
    Err(Refusal::new("import_offset_is_bank", message)
        .with("account", account.code)
        .remedy(
            "books.chart",
            "choose an account for what the money was for",
        )
        .into())
}
