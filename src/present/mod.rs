//! Sheets: one face-neutral page and its renderers, none of which adds, rounds or decides what a row looks like.
//!
//! A sheet comes from a report, which builds its tables with [`TableBuilder`], or from an operation's JSON result through
//! [`Sheet::from_value`]. [`text`], [`json`] and [`csv`] turn it into what a face hands on. Three rules keep them in
//! agreement: what a row looks like is a method of [`RowKind`]; sums are made by [`TableBuilder::sum`] alone and re-added
//! by [`Sheet::check`]; and there is one formatter of amounts, [`money_text`].

mod build;
mod check;
mod money;
mod numeral;
mod sheet;
mod table;
mod value;

pub mod csv;
pub mod json;
pub mod text;

pub use build::{Label, TableBuilder};
pub use money::{MoneyText, Negative, money_text};
pub use numeral::Numeral;
pub use sheet::{Field, Footer, Letterhead, Period, Sheet, Shown};
pub use table::{Cell, ColKind, Column, Row, RowId, RowKind, Sign, Sum, Table, Term};

#[cfg(test)]
mod sample;
