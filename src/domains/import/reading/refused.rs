//! Why a bank file was refused: codes, the faults of its lines, and how both become a refusal. It judges nothing.

use crate::{
    domains::import::reading::LayoutName,
    model::{LineFault, Refusal, clean},
};

/// Nothing is in the file.
pub const EMPTY: &str = "bank_csv_empty";
/// The bytes are not the text that their byte order mark promises, or hold a NUL.
pub const NOT_TEXT: &str = "bank_csv_not_text";
/// A field, a record or the number of columns is over its limit.
pub const TOO_LARGE: &str = "bank_csv_too_large";
/// A quoted field never ends.
pub const QUOTE_OPEN: &str = "bank_csv_quote_open";
/// No layout has these columns, or not those of the chosen layout or map.
pub const LAYOUT_UNKNOWN: &str = "bank_csv_layout_unknown";
/// Two options contradict one another.
pub const OPTIONS: &str = "bank_csv_options";
/// The file is in another currency than the account.
pub const CURRENCY: &str = "bank_csv_currency";
/// The file holds rows of several accounts.
pub const ACCOUNTS: &str = "bank_csv_accounts";
/// Some dates can only be day first, others only month first.
pub const DATES_CONFLICT: &str = "bank_csv_dates_conflict";
/// No date tells whether the day or the month stands first.
pub const DATES_UNCLEAR: &str = "bank_csv_dates_unclear";
/// Whether a positive amount is money in or money out cannot be told.
pub const SIGN_UNCLEAR: &str = "bank_csv_sign_unclear";
/// Which mark stands before the decimals cannot be told.
pub const DECIMAL_UNCLEAR: &str = "bank_csv_decimal_unclear";
/// Some rows cannot be read.
pub const ROWS: &str = "bank_csv_rows";

/// The most faults that one refusal lists; the total is always given.
pub const FAULTS_MAX: usize = 50;
/// The most header cells that a refusal shows.
const SEEN_MAX: usize = 40;
/// The most characters of one cell that a refusal shows.
const SEEN_CHARS_MAX: usize = 100;

/// A whole file refused: no row of it may be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Which rule refused it.
    pub code: &'static str,
    /// One sentence, without the file's text.
    pub message: String,
    /// What to do instead.
    pub hint: &'static str,
    /// The header cells that were seen, cleaned and cut. They are data from outside.
    pub seen: Vec<String>,
    /// The first [`FAULTS_MAX`] faults, in file order.
    pub faults: Vec<LineFault>,
    /// How many faults there are in all.
    pub faults_total: usize,
}

impl Refused {
    /// A refusal of the whole file.
    pub(super) fn new(
        code: &'static str,
        message: impl Into<String>,
        hint: &'static str,
    ) -> Refused {
        Refused {
            code,
            message: message.into(),
            hint,
            seen: Vec::new(),
            faults: Vec::new(),
            faults_total: 0,
        }
    }

    /// The same, showing the header that was met.
    pub(super) fn seeing<'c>(mut self, cells: impl Iterator<Item = &'c str>) -> Refused {
        self.seen = cells
            .take(SEEN_MAX)
            .map(|c| clean(c, SEEN_CHARS_MAX).0)
            .collect();
        self
    }

    /// The same, with the lines that are at fault.
    pub(super) fn at(mut self, faults: Vec<LineFault>, total: usize) -> Refused {
        self.faults = faults;
        self.faults_total = total;
        self
    }

    /// The refusal as the faces hand it on; the file's text stands in fields, marked as such.
    pub fn into_refusal(self) -> Refusal {
        let mut refusal = Refusal::new(self.code, self.message).hint(self.hint);
        if !self.seen.is_empty() {
            refusal = refusal.with("columns_seen", self.seen);
        }
        if self.code == LAYOUT_UNKNOWN {
            let words: Vec<&str> = LayoutName::ALL.iter().map(|name| name.word()).collect();
            refusal = refusal.with("layouts", words);
        }
        if self.faults_total > 0 {
            return refusal.with_faults(self.faults, self.faults_total);
        }
        refusal.quoting_file()
    }
}
