//! What an operation is handed: a reader of one moment, or a writer whose only way to change anything is to record events.

use std::{cell::Cell, collections::VecDeque};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    Event, No, Occasion, Posting, Result, SettingsFile, Thing, Usage, Verdict, Window,
    books::{Progress, Scene},
};
use crate::{
    model::{Currency, Date},
    store::{Committed, Head, Line, View, Writing},
};

/// One moment of the books and of the world, for reading.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub(super) view: View<'a>,
    pub(super) scene: &'a Scene,
    /// Whether lists come in pages even when none was asked for.
    pub(super) paged: bool,
}

impl<'a> Reader<'a> {
    /// The tables.
    pub fn view(&self) -> View<'a> {
        self.view
    }
    /// The day here.
    pub fn today(&self) -> Date {
        self.scene.world.today()
    }
    /// The books' base currency.
    pub fn currency(&self) -> Currency {
        self.scene.currency
    }
    /// The settings file as it was read at the start.
    pub fn settings(&self) -> &'a SettingsFile {
        &self.scene.settings
    }
    /// The part of a list to give: what was asked for, and at most `rows_max` where lists come in pages.
    pub fn window(&self, limit: Option<u32>, offset: Option<u32>, rows_max: u32) -> Window {
        Window::new(limit, offset, self.paged.then_some(rows_max))
    }
    /// Where the journal ends at this moment.
    pub fn head(&self) -> Result<Head> {
        Ok(self.view.head()?)
    }
}

/// A change under way.
pub struct Writer<'a> {
    txn: Writing<'a>,
    scene: &'a Scene,
    by: &'a str,
    at: String,
    rehearsing: bool,
    /// Lines that were folded and are not in the journal yet: each waits until it is known whether another follows, and under
    /// a request key all wait for the answer, which stands on the first.
    waiting: VecDeque<Pending>,
    keyed: bool,
    recorded: i64,
    stake: Option<Value>,
    prepared: Cell<bool>,
}

struct Pending {
    kind: &'static str,
    v: u32,
    data: String,
}

/// The key of a request, the hash of what it asked, and its answer as JSON.
pub(super) struct Keyed<'k> {
    pub key: &'k str,
    pub args: &'k str,
    pub answer: &'k str,
}

impl<'a> Writer<'a> {
    pub(super) fn new(txn: Writing<'a>, scene: &'a Scene, by: &'a str, keyed: bool) -> Writer<'a> {
        Writer {
            txn,
            scene,
            by,
            at: scene.world.now(),
            rehearsing: false,
            waiting: VecDeque::new(),
            keyed,
            recorded: 0,
            stake: None,
            prepared: Cell::new(false),
        }
    }

    pub(super) fn rehearse(&mut self) {
        self.rehearsing = true;
    }

    /// The books as they stand within this change.
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            view: self.txn.view(),
            scene: self.scene,
            paged: true,
        }
    }
    /// The tables as they stand within this change.
    pub fn view(&self) -> View<'_> {
        self.txn.view()
    }
    /// The day here.
    pub fn today(&self) -> Date {
        self.scene.world.today()
    }
    /// The books' base currency.
    pub fn currency(&self) -> Currency {
        self.scene.currency
    }
    /// A random id of 32 hex digits.
    pub fn random_id(&self) -> Result<String> {
        self.scene
            .world
            .random_id()
            .map_err(|e| No::Fault(format!("asking for randomness: {e}")))
    }
    /// Tells whoever waits how far the work is.
    pub fn progress(&self, done: u64, total: u64) {
        Progress::tell(self.scene, done, total);
    }

    /// The sequence number that the next recorded event will have.
    pub fn next_seq(&self) -> i64 {
        self.txn.start().seq + self.recorded + 1
    }

    /// Records that something happened: a line in the journal and its rows in the tables. Gives its sequence number.
    pub fn record<E: Event>(&mut self, event: &E) -> Result<i64> {
        if !self.prepared.replace(true) {
            for hook in self
                .scene
                .domains
                .iter()
                .filter_map(|d| d.hooks.before_write)
            {
                hook(self)?;
            }
        }
        let data = serde_json::to_string(event)
            .map_err(|e| No::Fault(format!("writing {}: {e}", E::KIND)))?;
        let seq = self.next_seq();
        if !self.keyed
            && let Some(before) = self.waiting.pop_front()
        {
            self.append(&before, true, None)?;
        }
        self.waiting.push_back(Pending {
            kind: E::KIND,
            v: E::V,
            data,
        });
        self.recorded += 1;
        let occasion = Occasion {
            seq,
            txn: self.txn.txn(),
            at: &self.at,
            by: self.by,
        };
        self.txn.fold(|tables| event.fold(&occasion, tables))?;
        Ok(seq)
    }

    /// Says what a person agrees to when they confirm: the exact outcome, without numbers that others may still move.
    pub fn stake(&mut self, outcome: &impl Serialize) -> Result<()> {
        self.stake = Some(
            serde_json::to_value(outcome)
                .map_err(|e| No::Fault(format!("writing a preview: {e}")))?,
        );
        Ok(())
    }

    /// Asks every domain what it thinks of a posting. What they object to refuses it, except in a preview, which shows it.
    pub fn ask_about(&self, posting: &Posting<'_>) -> Result<Map<String, Value>> {
        let mut all = Verdict::default();
        for hook in self.scene.domains.iter().filter_map(|d| d.hooks.posting) {
            let verdict = hook(self, posting)?;
            all.checklist.extend(verdict.checklist);
            all.refusals.extend(verdict.refusals);
        }
        if all.refusals.is_empty() || self.rehearsing {
            return Ok(all.checklist);
        }
        Err(No::Refused(all.refusals))
    }

    /// How a thing of a lower domain is used, by all who use it.
    pub fn usage(&self, thing: Thing) -> Result<Usage> {
        let mut sum = Usage::default();
        for hook in self.scene.domains.iter().filter_map(|d| d.hooks.usage) {
            let one = hook(&self.view(), thing)?;
            sum.posted += one.posted;
            sum.drafted += one.drafted;
            sum.balance_minor += one.balance_minor;
        }
        Ok(sum)
    }

    pub(super) fn staked(&self) -> Option<&Value> {
        self.stake.as_ref()
    }

    pub(super) fn recorded(&self) -> i64 {
        self.recorded
    }

    /// A key stands for its call even when the call changed nothing: its answer then needs an event to stand on.
    pub(super) fn stand_on(&mut self, key: Option<&str>) -> Result<()> {
        if self.recorded == 0 && key.is_some() {
            self.record(&super::request::RequestAnswered {})?;
        }
        Ok(())
    }

    pub(super) fn rollback(self) -> Result<()> {
        Ok(self.txn.rollback()?)
    }

    fn append(
        &mut self,
        pending: &Pending,
        more: bool,
        request: Option<(&str, &str, &str)>,
    ) -> Result<Head> {
        Ok(self.txn.append(&Line {
            more,
            at: &self.at,
            by: self.by,
            request,
            kind: pending.kind,
            v: pending.v,
            data: &pending.data,
        })?)
    }

    /// Writes the lines that waited, the first with the key and its answer, and commits.
    pub(super) fn commit(mut self, keyed: Option<Keyed<'_>>) -> Result<Committed> {
        let mut request = keyed.as_ref();
        while let Some(pending) = self.waiting.pop_front() {
            let key = request.take();
            let parts = key.map(|k| (k.key, k.args, k.answer));
            let head = self.append(&pending, !self.waiting.is_empty(), parts)?;
            if let Some(k) = key {
                self.txn
                    .fold(|tables| super::request::fold(head.seq, k.key, k.args, tables))?;
            }
        }
        Ok(self.txn.commit()?)
    }
}
