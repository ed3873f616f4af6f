//! What can have happened to a period.

use serde::{Deserialize, Serialize};

use super::table::PERIOD;
use crate::{
    engine::{Event, Occasion},
    model::Date,
    store::{Fold, FoldResult, Val},
};

/// A period was created.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct PeriodCreated {
    /// Its id.
    pub period_id: i64,
    /// Its name.
    pub name: String,
    /// Its first day.
    pub start: Date,
    /// Its last day.
    pub end: Date,
}

impl Event for PeriodCreated {
    const KIND: &'static str = "period.created";
    const V: u32 = 1;
    const ABOUT: &'static str = "A period was created: a name, its first and its last day.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let row = [
            self.period_id.into(),
            (&self.name).into(),
            self.start.number().into(),
            self.end.number().into(),
            "open".into(),
            Val::Null,
            at.seq.into(),
        ];
        tables.insert(&PERIOD, &row)
    }
}

/// A period was closed: nothing is posted up to its last day any more.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct PeriodClosed {
    /// The period.
    pub period_id: i64,
    /// The entry that closed it; none where there was nothing to close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing_entry: Option<i64>,
}

impl Event for PeriodClosed {
    const KIND: &'static str = "period.closed";
    const V: u32 = 1;
    const ABOUT: &'static str = "A period was closed, by the closing entry named, or by none where no account had anything to close.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [
            ("status", "closed".into()),
            ("closing_entry", self.closing_entry.into()),
            ("seq", at.seq.into()),
        ];
        tables.set_from(
            &PERIOD,
            &[self.period_id.into()],
            &[("status", "open".into())],
            &changes,
        )
    }
}
