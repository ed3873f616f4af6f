//! Nouns: money, dates, accounts, text and refusals, with the rules that belong to them alone.
//!
//! **The sign rule.** Inside the program a debit is positive and a credit negative, always. A balance is shown positive on
//! its account's normal side ([`AccountType::shown`]); a negative shown balance is abnormal, and is never flipped.
//!
//! Nothing here does I/O, reads a clock, speaks SQL or a protocol.

mod account;
mod allocate;
mod currency;
mod date;
mod fault;
mod hex;
mod line;
mod money;
mod origin;
mod rate;
mod refusal;
mod text;
mod wire;

pub use account::{AccountType, CODE_CHARS_MAX, CODE_TAKES, Side, code_ok};
pub use allocate::allocate;
pub use currency::{Currency, CurrencyCode};
pub use date::{Date, Month};
pub use fault::LineFault;
pub use hex::{hex, is_hex_of, is_sha256};
pub use line::{Foreign, Line};
pub use money::{AMOUNT_MINOR_MAX, Money, OverZero};
pub use origin::Origin;
pub use rate::Rate;
pub use refusal::{Refusal, quoted};
pub use text::{
    NAME_CHARS_MAX, TEXT_CHARS_MAX, UNICODE_VERSIONS, clean, fold_for_search, has_hostile,
    printable_json, typed, visible,
};
