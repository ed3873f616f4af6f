//! What an operation is handed: a reader of one moment, or a writer whose only way to change anything is to record events.

use std::{collections::VecDeque, path::Path, sync::Arc};

use serde_json::{Map, Value};

use super::{
    Event, No, Occasion, Posting, Result, SettingsFile, Thing, Uses, Verdict, Window,
    books::{Progress, Scene},
    domain::must_be_told,
};
use crate::{
    model::{Currency, Date, Refusal},
    store::{Committed, Head, Line, StoreError, View, Writing},
};

/// One moment of the books and of the world, for reading.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub(super) view: View<'a>,
    pub(super) scene: &'a Scene,
    /// Whether lists come in pages even when none was asked for.
    pub(super) paged: bool,
}

/// How the settings in force stand to their files.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// Where the settings file is.
    pub settings: &'a Path,
    /// Where the policy file is, or would be.
    pub config: &'a Path,
    /// Whether these files are there now.
    pub exist: (bool, bool),
    /// How often settings were taken since the books were opened.
    pub loads: u32,
    /// Why what the files say is not in force, when that is so.
    pub fault: Option<&'a Refusal>,
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
    /// The settings in force.
    pub fn settings(&self) -> &'a SettingsFile {
        self.scene.settings.force()
    }
    /// How the settings in force stand to their files.
    pub fn settings_standing(&self) -> Standing<'a> {
        let live = &self.scene.settings;
        let (settings, config) = live.places();
        Standing {
            settings,
            config,
            exist: live.exist(),
            loads: live.loads(),
            fault: live.fault(),
        }
    }
    /// The part of a list to give: what was asked for, and at most `rows_max` where lists come in pages.
    pub fn window(&self, limit: Option<u32>, offset: Option<u32>, rows_max: u32) -> Window {
        Window::new(limit, offset, self.paged.then_some(rows_max))
    }
    /// The bytes of a stored file.
    ///
    /// Refuses, as damage: one that is missing, or is not what was stored.
    pub fn file(&self, sha256: &str) -> Result<Vec<u8>> {
        Ok(self.scene.blobs.read(sha256)?)
    }
    /// Whether a stored file is where it is kept, with as many bytes as it had. They are not read: [`Reader::file`] holds them to
    /// their hash. Within a change, of what it brings nothing is stored yet.
    pub fn keeps(&self, sha256: &str, bytes: u64) -> Result<bool> {
        Ok(self.scene.blobs.holds(sha256, bytes)?)
    }
    /// What every domain adds to the page of a thing.
    pub fn details(&self, thing: Thing) -> Result<Map<String, Value>> {
        let mut all = Map::new();
        for domain in self.scene.domains {
            if let Some(hook) = domain.hooks.details {
                let details = hook(self, thing)?;
                must_be_told(domain, thing.kind, &details)?;
                all.extend(details);
            }
        }
        Ok(all)
    }
    /// Where the journal ends at this moment.
    pub fn head(&self) -> Result<Head> {
        Ok(self.view.head()?)
    }
}

/// The most rows of a list in an answer that the journal keeps.
const KEYED_ROWS_MAX: usize = 20_000;

/// A change under way.
pub struct Writer<'a> {
    txn: Writing<'a>,
    scene: &'a Scene,
    by: &'a str,
    at: String,
    rehearsing: bool,
    /// What the rehearsal found missing.
    missing: Vec<Refusal>,
    /// Whether lists come in pages even when none was asked for.
    paged: bool,
    /// Lines that were folded and are not in the journal yet: each waits until it is known whether another follows, and under
    /// a request key all wait for the answer, which stands on the first.
    waiting: VecDeque<Pending>,
    keyed: bool,
    recorded: i64,
    warnings: Vec<String>,
    prepared: bool,
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
        let at = scene.world.now();
        let doubt = super::clock::doubt(&txn.view(), txn.start().seq, &at);
        Writer {
            txn,
            scene,
            by,
            at,
            rehearsing: false,
            missing: Vec::new(),
            paged: false,
            waiting: VecDeque::new(),
            keyed,
            recorded: 0,
            warnings: doubt.into_iter().collect(),
            prepared: false,
        }
    }

    /// Nothing may stand before the first event of new books.
    pub(super) fn found(&mut self) {
        self.prepared = true;
    }

    /// This is the preview of a `confirm` operation: what is missing can still be supplied before the confirmation.
    pub(super) fn rehearse(&mut self) {
        self.rehearsing = true;
    }

    /// Lists come in pages, because the answer has a limit.
    pub(super) fn come_in_pages(&mut self) {
        self.paged = true;
    }

    /// How many rows of a long list to give: `rows_max` where lists come in pages, `glance_max` where a person will look at
    /// them, else all.
    pub fn rows_max(&self, rows_max: usize, glance_max: usize) -> usize {
        match (self.paged, self.scene.glanced) {
            (true, _) => rows_max,
            (false, true) => glance_max,
            // Under a request key the answer stands in the journal, on one line.
            (false, false) if self.keyed => KEYED_ROWS_MAX,
            (false, false) => usize::MAX,
        }
    }

    /// Whether this is the preview of a `confirm` operation, which shows what is missing and does not refuse it.
    pub fn is_rehearsal(&self) -> bool {
        self.rehearsing
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

    fn next_seq(&self) -> i64 {
        self.txn.start().seq + self.recorded + 1
    }

    /// Records that something happened: a line in the journal and its rows in the tables. Gives its sequence number.
    pub fn record<E: Event>(&mut self, event: &E) -> Result<i64> {
        if !std::mem::replace(&mut self.prepared, true) {
            self.record_settings()?;
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
        let scene = self.scene;
        self.txn.fold(|tables| {
            if occasion.seq == occasion.txn {
                super::table::fold_day(seq, occasion.at, tables)?;
            }
            super::table::fold_watched(seq, E::KIND, scene.domains, tables)?;
            event.fold(&occasion, tables)
        })?;
        Ok(seq)
    }

    /// Records what is in force and not in the journal yet, so that who reads it knows by which settings a change was made.
    pub(super) fn record_settings(&mut self) -> Result<()> {
        for news in self.scene.settings.news(&self.view())? {
            self.record(&news)?;
        }
        Ok(())
    }

    /// Keeps a file with this change, and gives the SHA-256 that the event which speaks of it must hold.
    pub fn keep(&mut self, bytes: Arc<Vec<u8>>) -> String {
        self.txn.keep(bytes)
    }

    /// Asks every domain what it thinks of a posting, and gives what they looked at.
    ///
    /// Refuses: what they object to, and what is missing; the preview of a `confirm` operation warns of what is missing.
    pub fn ask_about(&mut self, posting: &Posting<'_>) -> Result<Map<String, Value>> {
        let mut all = Verdict::default();
        for domain in self.scene.domains {
            let Some(hook) = domain.hooks.posting else {
                continue;
            };
            let verdict = hook(self, posting)?;
            must_be_told(domain, "posting", &verdict.checklist)?;
            all.checklist.extend(verdict.checklist);
            all.missing.extend(verdict.missing);
            all.refusals.extend(verdict.refusals);
            self.warnings.extend(verdict.warnings);
        }
        if self.rehearsing && all.refusals.is_empty() {
            let told = all.missing.iter().map(|refusal| refusal.message.clone());
            self.warnings.extend(told);
            self.missing.extend(all.missing);
            return Ok(all.checklist);
        }
        all.refusals.extend(all.missing);
        if all.refusals.is_empty() {
            return Ok(all.checklist);
        }
        Err(No::Refused(all.refusals))
    }

    /// How a thing of a lower domain is used, by all who use it.
    pub fn uses(&self, thing: Thing) -> Result<Uses> {
        let mut all = Uses::new();
        for hook in self.scene.domains.iter().filter_map(|d| d.hooks.uses) {
            for (name, more) in hook(&self.view(), thing)? {
                let sum = all.entry(name).or_default();
                *sum = sum.checked_add(more).ok_or_else(|| {
                    let what = "how a thing is used sums to more than can be kept";
                    No::from(StoreError::Damaged(what.to_owned()))
                })?;
            }
        }
        Ok(all)
    }

    /// Asks every domain whether a thing of a lower domain may get another code.
    ///
    /// Refuses: what they object to.
    pub fn may_renumber(&self, thing: Thing, code: &str) -> Result<()> {
        let mut refusals = Vec::new();
        for hook in self
            .scene
            .domains
            .iter()
            .filter_map(|d| d.hooks.renumbering)
        {
            refusals.extend(hook(&self.reader(), thing, code)?);
        }
        if refusals.is_empty() {
            return Ok(());
        }
        Err(No::Refused(refusals))
    }

    /// Tells what a person should look at, in the preview and in the answer; it refuses nothing.
    pub fn warn(&mut self, warning: impl Into<String>) {
        self.warnings.push(warning.into());
    }

    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    pub(super) fn take_missing(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.missing)
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

/// What stands in the tables of a thing is not what the journal tells of it.
pub fn not_as_told(what: &str, difference: impl Into<String>) -> No {
    let message =
        format!("{what} stands in the tables otherwise than in the journal; nothing was changed");
    No::Damaged(
        Refusal::new("tables_differ", message)
            .with("why", difference.into())
            .remedy(
                "books.verify",
                "run `wb verify`: it mends the tables from the journal",
            ),
    )
}
