//! What must hold of any file that is read, whatever its bytes were. For tests and fuzzing alone.

use crate::{
    domains::import::reading::{BankFile, FAULTS_MAX, ReadOptions, Refused, read},
    model::{AMOUNT_MINOR_MAX, Currency, TEXT_CHARS_MAX, has_hostile},
};

/// Reads bytes as a bank's file in dollars, and holds the answer to what must hold.
pub fn bank_csv(bytes: &[u8]) {
    let usd = Currency::from_code("USD").expect("ISO 4217 lists it");
    sound(read(bytes, &ReadOptions::new(usd)));
}

/// What must hold of every answer, whatever the bytes were.
pub fn sound(answer: Result<BankFile, Refused>) {
    match answer {
        Ok(file) => {
            for row in &file.rows {
                assert!(row.amount_minor != 0 && row.amount_minor.abs() <= AMOUNT_MINOR_MAX);
                assert!(row.fee_minor.abs() <= AMOUNT_MINOR_MAX);
                assert!((row.amount_minor - row.fee_minor).abs() <= AMOUNT_MINOR_MAX);
                assert!(!row.description.is_empty() && !has_hostile(&row.description));
                assert!(row.description.chars().count() <= TEXT_CHARS_MAX);
                assert!(row.line >= 1);
            }
            assert!(file.rows.iter().map(|r| r.line).is_sorted());
            assert!(file.skipped.iter().map(|s| s.line).is_sorted());
        }
        Err(refused) => {
            assert!(refused.faults.len() <= FAULTS_MAX.min(refused.faults_total));
            assert!(!refused.code.is_empty() && !has_hostile(&refused.message));
        }
    }
}
