//! What a reader can ask of the journal itself: what an event tells, when and by whom it was written, and what the settings
//! were. Tables are asked by the domains that own them.

use serde::de::DeserializeOwned;

use super::{
    Event, No, Reader, Result,
    settings::{CONFIG, SETTINGS},
    table,
};
use crate::{
    model::Date,
    store::{Envelope, StoreError},
};

/// When and by whom an event was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The first event of its command.
    pub txn: i64,
    /// The instant by the clock of whoever wrote it, UTC.
    pub at: String,
    /// Who, as JSON; what a client says of itself proves nothing.
    pub by: String,
}

impl Reader<'_> {
    /// The fact that event `seq` of the journal tells.
    pub fn fact<E: Event>(&self, seq: i64) -> Result<E> {
        let damaged = |why: String| {
            let what = format!("event {seq} is not the {} it must be: {why}", E::KIND);
            No::from(StoreError::Damaged(what))
        };
        let line = self.view.line(seq)?;
        let line = line.ok_or_else(|| damaged("there is no such event".to_owned()))?;
        let line: Envelope<'_> = serde_json::from_str(&line).map_err(|e| damaged(e.to_string()))?;
        if line.kind != E::KIND || !(E::SINCE..=E::V).contains(&line.v) {
            return Err(damaged(format!("it is {} v{}", line.kind, line.v)));
        }
        serde_json::from_str(line.data).map_err(|e| damaged(e.to_string()))
    }

    /// What event `seq` says, whatever its type, as far as `T` asks; or why it does not say that. For what is built on: the line
    /// must have its hash.
    pub fn told<T: DeserializeOwned>(&self, seq: i64) -> Result<std::result::Result<T, String>> {
        let Some(line) = self.view.proven_line(seq)? else {
            return Ok(Err(format!("there is no event {seq}")));
        };
        let read = serde_json::from_str::<Envelope<'_>>(&line)
            .and_then(|line| serde_json::from_str(line.data));
        Ok(read.map_err(|_| format!("event {seq} tells something else")))
    }

    /// When and by whom event `seq` of the journal was written.
    pub fn written(&self, seq: i64) -> Result<Written> {
        let damaged = |why: &str| {
            let what = format!("event {seq} cannot be read: {why}");
            No::from(StoreError::Damaged(what))
        };
        let line = self.view.line(seq)?;
        let line = line.ok_or_else(|| damaged("there is no such event"))?;
        let line: Envelope<'_> =
            serde_json::from_str(&line).map_err(|e| damaged(&e.to_string()))?;
        Ok(Written {
            txn: line.txn,
            at: line.at.into_owned(),
            by: line.by.to_owned(),
        })
    }

    /// The instant, UTC, as the journal writes it.
    pub fn now(&self) -> String {
        self.scene.world.now()
    }

    /// The first event that was written on this day or a later one by the journal's clock, in UTC. What follows it may bear
    /// an earlier day: where a clock was set back, more is given rather than less.
    pub fn first_event_since(&self, day: Date) -> Result<Option<i64>> {
        table::first_since(&self.view, day)
    }

    /// The latest day that the journal's clock ever stood at, as `YYYYMMDD`, and the first event of it.
    pub fn latest_event_day(&self) -> Result<Option<(i64, i64)>> {
        table::latest_day(&self.view)
    }

    /// The events from event `seq` on that a domain looks back at, with their types, newest first, at most `limit` of them; and
    /// how many there are.
    ///
    /// Cost: theirs alone, however long the journal is.
    pub fn watched_since(&self, seq: i64, limit: u32) -> Result<(Vec<(i64, String)>, i64)> {
        table::watched_since(&self.view, seq, limit)
    }

    /// What the settings file and the policy file said before event `seq`, as far as the journal knows; none of one that was not
    /// there.
    pub fn settings_before(&self, seq: i64) -> Result<(Option<String>, Option<String>)> {
        let of = |file| table::setting_before(&self.view, file, seq);
        Ok((of(SETTINGS)?, of(CONFIG)?))
    }

    /// What in the settings in force a person should look at, as every domain finds it.
    pub fn settings_problems(&self) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        for hook in self.scene.domains.iter().filter_map(|d| d.hooks.problems) {
            problems.extend(hook(self)?);
        }
        Ok(problems)
    }
}
