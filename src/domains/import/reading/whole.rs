//! A file read at once, so that tests can compare it whole. An import reads row by row. For tests and fuzzing alone.

use crate::domains::import::reading::{
    AmountSign, BankRow, DateOrder, DecimalStyle, FAULTS_MAX, GUESSED, LayoutName, NO_ROWS, Pulled,
    ROWS, ReadOptions, Reading, Refused, Skipped, decode,
};
use crate::model::{Currency, LineFault};

/// A bank's file, read whole: what an import does row by row, in one value that a test can compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BankFile {
    /// The layout by which it was read.
    pub layout: LayoutName,
    /// Its transactions in file order; equal rows are separate transactions.
    pub rows: Vec<BankRow>,
    /// What was passed over, in file order.
    pub skipped: Vec<Skipped>,
    /// What a person should know before relying on the rows; without the file's text.
    pub warnings: Vec<String>,
    /// The encoding's name.
    pub encoding: &'static str,
    /// The order in which its dates were read.
    pub date_order: DateOrder,
    /// The style in which its amounts were read.
    pub decimal: DecimalStyle,
    /// What a positive amount, or the Credit column, was taken to mean.
    pub sign: AmountSign,
}

/// Reads a bank's file, all or nothing.
///
/// Units: amounts in minor units of the options' currency. Rounding: none, amounts are exact. Refuses: what [`decode`],
/// [`Reading::open`] and [`Reading::closing`] refuse, and any row with a fault, listing the first [`FAULTS_MAX`]. How many
/// bytes and rows are welcome is the caller's to say.
pub fn read(bytes: &[u8], options: &ReadOptions<'_>) -> Result<BankFile, Refused> {
    let decoded = decode(bytes)?;
    let mut reading = Reading::open(&decoded.text, options)?;
    let (mut rows, mut skips, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut faults_total = 0;
    for pulled in &mut reading {
        match pulled? {
            Pulled::Row(row) => rows.push(row),
            Pulled::Skipped(skipped) => skips.push(skipped),
            Pulled::Faulty(found) => {
                faults_total += found.len();
                let room = FAULTS_MAX.saturating_sub(faults.len());
                faults.extend(found.into_iter().take(room));
            }
        }
    }
    if faults_total > 0 {
        return Err(unreadable(faults, faults_total));
    }
    let mut warnings = reading.closing()?;
    if decoded.guessed {
        warnings.insert(0, GUESSED.to_owned());
    }
    if rows.is_empty() {
        warnings.push(NO_ROWS.to_owned());
    }
    Ok(BankFile {
        layout: reading.plan.name,
        rows,
        skipped: skips,
        warnings,
        encoding: decoded.encoding,
        date_order: reading.findings.date_order,
        decimal: reading.findings.decimal,
        sign: reading.findings.sign,
    })
}

fn unreadable(faults: Vec<LineFault>, total: usize) -> Refused {
    let first = faults.first().map_or(0, |fault| fault.line);
    let things = if total == 1 { "thing" } else { "things" };
    Refused::new(
        ROWS,
        format!("{total} {things} in the file cannot be read, the first on line {first}; nothing was taken from it"),
        "correct the lines, or say `date_order`, `decimal` or `layout` if they are read wrongly",
    )
    .at(faults, total)
}

impl ReadOptions<'_> {
    /// Options that leave everything to the file.
    pub fn new(currency: Currency) -> ReadOptions<'static> {
        ReadOptions {
            layout: None,
            mapper: None,
            date_order: None,
            decimal: None,
            sign: None,
            currency,
            card: false,
        }
    }
}
