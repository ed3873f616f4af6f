//! The door of the company: its settings, its members and the return it files. No logic stands here.

mod classification;
mod fiscal;
mod settings;
mod share;

pub use classification::{TaxForm, classify, words};
pub use fiscal::start_month;
pub use settings::{AccountingBasis, Member, SETTINGS_BYTES_MAX, Settings};
pub use share::Share;
