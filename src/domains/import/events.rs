//! What can have happened by an import. A bank's row stands whole in its event: what the bank wrote, by what it is known
//! again, and the draft that was made of it.

use serde::{Deserialize, Serialize};

use super::{
    reading::{AmountSign, DateOrder, DecimalStyle, LayoutName},
    table::{BANK_BATCH, BANK_DRAFT, BANK_ROW, JOURNAL_FILE},
};
use crate::{
    domains::entry::{Draft, LineData, fold_draft},
    engine::{Event, Occasion},
    model::{Date, Money, Origin},
    store::{Fold, FoldError, FoldResult},
};

/// A bank's file was imported. Its rows follow, an event each.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct BankImported {
    /// The import's number.
    pub batch_id: i64,
    /// The id of the bank or card account.
    pub account: i64,
    /// Its code at the time.
    pub code: String,
    /// The id of the account for rows that no rule matched.
    pub offset: i64,
    /// Its code at the time.
    pub offset_code: String,
    /// The SHA-256 of the file, in hex.
    pub sha256: String,
    /// The file's own name, cleaned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// The layout by which it was read.
    pub layout: LayoutName,
    /// Its encoding.
    pub encoding: String,
    /// The order of its dates.
    pub date_order: DateOrder,
    /// The style of its amounts.
    pub decimal: DecimalStyle,
    /// What a positive amount was taken to mean.
    pub sign: AmountSign,
    /// How many rows became drafts.
    pub imported: i64,
    /// How many rows were known already.
    pub duplicates: i64,
    /// How many records were no transactions.
    pub skipped: i64,
}

impl Event for BankImported {
    const KIND: &'static str = "bank.imported";
    const V: u32 = 1;
    const ABOUT: &'static str = "A bank's file was imported into a bank or card account; how it was read and counted. Its rows follow, an event each.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let row = [
            self.batch_id.into(),
            self.account.into(),
            self.offset.into(),
            (&self.sha256).into(),
            self.imported.into(),
            at.seq.into(),
        ];
        tables.insert(&BANK_BATCH, &row)
    }
}

/// A bank's row became a draft entry.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct BankRowImported {
    /// The draft.
    pub entry_id: i64,
    /// The import that it belongs to.
    pub batch_id: i64,
    /// The id of the bank or card account.
    pub account: i64,
    /// The line of the file on which the row begins, from 1.
    pub file_line: u64,
    /// By what the row is known when it comes again.
    pub key: String,
    /// Its day.
    pub date: Date,
    /// The bank's description, cleaned.
    pub description: String,
    /// What made the draft.
    pub origin: Origin,
    /// The draft's lines.
    pub lines: Vec<LineData>,
    /// The row as it stood in the file.
    pub raw: String,
    /// The bank's own id of the transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_id: Option<String>,
    /// The check's number, in digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_number: Option<String>,
    /// The description without reference numbers, for learning and grouping.
    pub merchant: String,
    /// Whether cleaning took anything but white space from the description.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text_cleaned: bool,
    /// The discarded draft in whose place this one stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces_entry_id: Option<i64>,
}

impl Event for BankRowImported {
    const KIND: &'static str = "bank.row_imported";
    const V: u32 = 1;
    const ABOUT: &'static str = "A row of a bank's file became a draft entry; holds the bank's own text, the key by which the row is known again, and the draft's lines.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let draft = Draft {
            entry_id: self.entry_id,
            date: self.date,
            description: &self.description,
            origin: self.origin,
            lines: &self.lines,
        };
        fold_draft(&draft, at, tables)?;
        let moved = self.lines.iter().find(|line| line.account == self.account);
        let amount = moved.ok_or_else(|| FoldError::Misfit {
            table: BANK_DRAFT.name,
            what: format!("entry {} has no line on its bank account", self.entry_id),
        })?;
        let made = [
            self.entry_id.into(),
            self.batch_id.into(),
            at.seq.into(),
            self.date.number().into(),
            amount.minor()?.into(),
        ];
        tables.insert(&BANK_DRAFT, &made)?;
        let line = i64::try_from(self.file_line).map_err(|_| FoldError::Misfit {
            table: BANK_ROW.name,
            what: "a line's number has more digits than can be kept".to_owned(),
        })?;
        let key = [self.account.into(), (&self.key).into()];
        if self.replaces_entry_id.is_some() {
            let changes = [
                ("entry_id", self.entry_id.into()),
                ("batch_id", self.batch_id.into()),
                ("line", line.into()),
                ("merchant", (&self.merchant).into()),
            ];
            return tables.set(&BANK_ROW, &key, &changes);
        }
        let row = [
            key[0],
            key[1],
            self.entry_id.into(),
            self.batch_id.into(),
            line.into(),
            (&self.merchant).into(),
        ];
        tables.insert(&BANK_ROW, &row)
    }
}

/// A history from another system was imported. The entries that it posted follow, in the same command.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct JournalImported {
    /// The SHA-256 of the file, in hex.
    pub sha256: String,
    /// The file's own name, cleaned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// How many entries were posted.
    pub entry_count: i64,
    /// How many lines they have.
    pub line_count: i64,
    /// The earliest day.
    pub first_date: Date,
    /// The latest day.
    pub last_date: Date,
    /// The sum of all debits.
    pub total: Money,
    /// The first entry.
    pub first_entry_id: i64,
    /// The last entry.
    pub last_entry_id: i64,
}

impl Event for JournalImported {
    const KIND: &'static str = "journal.imported";
    const V: u32 = 1;
    const ABOUT: &'static str = "A history from another system was imported: from which file, how many entries and which. They follow in the same command.";

    fn fold(&self, _: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let row = [
            (&self.sha256).into(),
            self.first_entry_id.into(),
            self.last_entry_id.into(),
        ];
        tables.insert(&JOURNAL_FILE, &row)
    }
}
