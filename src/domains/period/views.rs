//! A period as answers show it.

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::{Period, Standing};
use crate::model::Date;

/// A period.
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct PeriodView {
    /// Its id
    pub id: i64,
    /// Its name
    pub name: String,
    /// First day
    pub start: Date,
    /// Last day
    pub end: Date,
    /// Whether it takes postings
    pub status: Standing,
    /// The entry that closed it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_entry: Option<i64>,
}

impl From<Period> for PeriodView {
    fn from(period: Period) -> PeriodView {
        let Period {
            id,
            name,
            start,
            end,
            status,
            closing_entry,
        } = period;
        PeriodView {
            id,
            name,
            start,
            end,
            status,
            closing_entry,
        }
    }
}
