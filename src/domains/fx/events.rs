//! What can have happened to exchange rates.

use serde::{Deserialize, Serialize};

use super::table::FX_RATE;
use crate::{
    engine::{Event, Occasion},
    model::{CurrencyCode, Date, Rate},
    store::{Fold, FoldResult},
};

/// A day's rate was set, in place of an earlier one if there was one.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct RateSet {
    /// The currency.
    pub currency: CurrencyCode,
    /// The day.
    pub date: Date,
    /// Units of the books' currency for one unit of it.
    pub rate: Rate,
}

impl Event for RateSet {
    const KIND: &'static str = "fx.rate_set";
    const V: u32 = 1;
    const ABOUT: &'static str = "A currency's rate of a day was set for reference, in place of an earlier one if there was one.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let RateSet {
            currency,
            date,
            rate,
        } = self;
        let rate = rate.to_string();
        let key = [currency.as_str().into(), date.number().into()];
        tables.remove(&FX_RATE, &key)?;
        tables.insert(&FX_RATE, &[key[0], key[1], (&rate).into(), at.seq.into()])
    }
}
