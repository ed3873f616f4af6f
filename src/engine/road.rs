//! The road: how a call becomes an answer. One transaction, previews by rolling back, request keys, the commit point.

use std::collections::HashSet;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{
    Books, Call, Control, Effect, No, OpDef, Page, Reader, Result, Site, Stake, Writer, clock,
    not_as_told,
    operation::{Done, Run, Show},
    request,
    writer::Keyed,
};
use crate::{
    model::{Refusal, hex},
    present::Sheet,
    store::{Depth, Head},
};

/// What a call was answered.
pub struct Answer {
    /// The result as every face hands it on, with the engine's own keys.
    pub value: Map<String, Value>,
    /// Whether nothing was changed because it was a preview.
    pub preview: bool,
    /// Of a preview: what is missing, so that a confirmation now would be refused.
    pub missing: Vec<Refusal>,
    /// Whether the engine put the moment into the result, which is not what a person asked for.
    stamped: bool,
    show: Option<Show>,
}

impl Answer {
    /// The page that shows the result to a person: the operation's own, else one made from the result itself.
    pub fn sheet(&self, title: &str, page: &Page) -> Result<Sheet> {
        let text = |key: &str| {
            self.value
                .get(key)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        let page = Page {
            preview: self.preview,
            // The moment that the numbers are of, which others may have left behind since.
            seq: self
                .value
                .get("seq")
                .and_then(Value::as_i64)
                .unwrap_or(page.seq),
            head: text("head").unwrap_or_else(|| page.head.clone()),
            ..page.clone()
        };
        let own = self
            .show
            .as_ref()
            .map(|show| show(&page))
            .transpose()?
            .flatten();
        let mut sheet = own.unwrap_or_else(|| Sheet::from_value(title, &self.told()));
        if let Some(outcome) = self.value.get("preview").and_then(Value::as_str) {
            sheet
                .notes
                .push(format!("Preview {outcome}: nothing has changed."));
        }
        sheet.check()?;
        Ok(sheet)
    }
}

/// What a result holds for programs alone, or what is said beside it.
const UNTOLD: &[&str] = &["ok", "replayed", "warnings", "status"];

impl Answer {
    /// The result without what says nothing to a person.
    fn told(&self) -> Value {
        let mut told = self.value.clone();
        for key in UNTOLD {
            // A word such as `healed` is news; that something is a preview stands above it.
            if *key != "status" || self.preview {
                told.shift_remove(*key);
            }
        }
        for key in ["seq", "head", "preview"] {
            if self.stamped || key == "preview" {
                told.shift_remove(key);
            }
        }
        if told.is_empty() && !self.value.is_empty() {
            Value::String("done".to_owned())
        } else {
            Value::Object(told)
        }
    }
}

/// The previews that a server has shown, so that a confirmation can be held to one of them.
#[derive(Default, Debug)]
pub struct Previews(HashSet<[u8; 32]>);

const PREVIEWS_MAX: usize = 100_000;

impl Previews {
    fn key(op: &OpDef, args: &str, outcome: &str) -> [u8; 32] {
        Sha256::digest(format!("{}\n{args}\n{outcome}", op.verb)).into()
    }
    fn show(&mut self, key: [u8; 32]) {
        if self.0.len() >= PREVIEWS_MAX {
            // Forgetting only asks for another preview.
            self.0.clear();
        }
        self.0.insert(key);
    }
}

/// Who calls and what they are held to.
pub struct Caller<'c> {
    /// Who, as JSON for the journal.
    pub by: &'c str,
    /// The previews shown so far, when confirmations are held to them.
    pub previews: Option<&'c mut Previews>,
    /// The most bytes that an answer may have as JSON, where it has a limit; lists then come in pages even unasked.
    pub answer_bytes_max: Option<usize>,
}

impl<'c> Caller<'c> {
    /// Someone who is held to no preview and has no limit.
    pub fn plain(by: &'c str) -> Caller<'c> {
        Caller {
            by,
            previews: None,
            answer_bytes_max: None,
        }
    }
}

/// What is changed under settings that are not those of the file says so.
fn unread(scene: &super::books::Scene) -> Vec<String> {
    let fault = scene.settings.fault();
    let said = fault.map(|why| format!("{}; the last good settings are in force", why.message));
    said.into_iter().collect()
}

impl Books {
    /// Runs a call. Whatever it refuses, nothing has changed.
    pub fn call(
        &mut self,
        op: &OpDef,
        call: &Call,
        control: &Control,
        caller: Caller<'_>,
    ) -> Result<Answer> {
        clock::must_be_set(&self.scene.world)?;
        if op.effect != Effect::Upkeep {
            self.settled()?;
        }
        match &call.run {
            Run::Read(_) => {
                let moment = self.store.read()?;
                let reader = Reader {
                    view: moment.view(),
                    scene: &self.scene,
                    paged: caller.answer_bytes_max.is_some(),
                };
                let answer = reader.answer(call)?;
                written(&answer.value, caller.answer_bytes_max)?;
                Ok(answer)
            }
            Run::Upkeep(run) => {
                let mut house = self.house_of(caller.by);
                let mut done = run(&mut house)?;
                warn(&mut done.value, house.warnings);
                Ok(Answer {
                    stamped: false,
                    ..answered(done)
                })
            }
            Run::Site(_) => Err(No::Fault(
                "a call on closed books reached open ones".to_owned(),
            )),
            Run::Write(_) => self.change(op, call, control, caller),
        }
    }

    /// Refuses tables that are not what the journal makes of them: what stands on their sums could never be taken back.
    fn must_be_proven(&mut self, asked: bool) -> Result<()> {
        if !asked {
            return Ok(());
        }
        let found = self.store.verify(Depth::Rows)?;
        self.settled()?;
        match found.drift.first() {
            None => Ok(()),
            Some(drift) => Err(not_as_told(
                "what this would make final",
                drift.what.as_str(),
            )),
        }
    }

    fn change(
        &mut self,
        op: &OpDef,
        call: &Call,
        control: &Control,
        caller: Caller<'_>,
    ) -> Result<Answer> {
        let Run::Write(run) = &call.run else {
            let why = "a change by an operation that cannot write";
            return Err(No::Fault(why.to_owned()));
        };
        control.check()?;
        let args = args_hash(op, call);
        let keeps = !control.preview && (op.effect == Effect::Write || control.confirmed);
        let key = control.request_key.as_deref();
        self.must_be_proven(op.proven && keeps)?;
        let txn = self.store.write()?;
        // A preview is refused what its run would be refused: a key that stood for another call.
        if let Some(key) = key
            && let Some(earlier) = request::earlier(&txn.view(), key, &args)?
            && keeps
        {
            return replayed(earlier, caller.answer_bytes_max);
        }
        let key = key.filter(|_| keeps);
        let mut writer = Writer::new(txn, &self.scene, caller.by, key.is_some());
        if !keeps && op.effect == Effect::Confirm {
            writer.rehearse();
        }
        if caller.answer_bytes_max.is_some() {
            writer.come_in_pages();
        }
        let mut done = run(&mut writer)?;
        let missing = writer.take_missing();
        warn(&mut done.value, writer.take_warnings());
        warn(&mut done.value, unread(&self.scene));
        // Before the commit: after it, a change must be answered however long the answer is.
        let answer = written(&done.value, caller.answer_bytes_max)?;
        let outcome = done.stake.as_ref().map(|stake| outcome_of(op, stake));
        if !keeps {
            writer.rollback()?;
            if let (Some(outcome), Some(previews)) = (&outcome, caller.previews) {
                previews.show(Previews::key(op, &args, outcome));
            }
            return Ok(Answer {
                missing,
                ..previewed(op, done, outcome)
            });
        }
        if let Some(outcome) = &outcome {
            let key = Previews::key(op, &args, outcome);
            agree(outcome, key, control, caller.previews.as_deref())?;
        }
        writer.stand_on(key)?;
        if writer.recorded() == 0 {
            let head = writer.reader().head()?;
            writer.rollback()?;
            stamp(&mut done.value, head);
            return Ok(answered(done));
        }
        let committed = writer.commit(key.map(|key| Keyed {
            key,
            args: &args,
            answer: &answer,
        }))?;
        stamp(&mut done.value, committed.head);
        warn(&mut done.value, committed.warnings);
        Ok(answered(done))
    }
}

impl Reader<'_> {
    /// What a reading call answers at this moment.
    pub(super) fn answer(&self, call: &Call) -> Result<Answer> {
        let Run::Read(run) = &call.run else {
            let why = "a call that does more than read was to be answered from one moment";
            return Err(No::Fault(why.to_owned()));
        };
        let mut done = run(self)?;
        stamp(&mut done.value, self.head()?);
        Ok(answered(done))
    }
}

impl Call {
    /// Whether it works on books that are not open: it makes some, or mends what does not open.
    pub fn is_on_site(&self) -> bool {
        matches!(self.run, Run::Site(_))
    }

    /// Does it where books are or will be, and gives the books that come of it.
    pub fn on_site(&self, site: &Site<'_>) -> Result<(Answer, Books)> {
        let Run::Site(run) = &self.run else {
            let why = "a call on open books was to be done without any";
            return Err(No::Fault(why.to_owned()));
        };
        site.clock_must_be_set()?;
        let (done, books) = run(site)?;
        let answer = Answer {
            stamped: false,
            ..answered(done)
        };
        Ok((answer, books))
    }
}

/// A result as JSON text.
///
/// Refuses: one that is longer than the caller can take. JSON is never cut.
fn written(value: &Map<String, Value>, bytes_max: Option<usize>) -> Result<String> {
    let text =
        serde_json::to_string(value).map_err(|e| No::Fault(format!("writing the answer: {e}")))?;
    let Some(max) = bytes_max.filter(|max| text.len() > *max) else {
        return Ok(text);
    };
    let message = format!(
        "the result has {} bytes of JSON; at most {max} are given here",
        text.len()
    );
    Err(Refusal::new("result_too_large", message)
        .with("bytes", text.len())
        .with("bytes_max", max)
        .hint("ask for less: pages with limit and offset, a shorter period, one account; or ask at the terminal")
        .into())
}

fn answered(done: Done) -> Answer {
    Answer {
        value: done.value,
        preview: false,
        missing: Vec::new(),
        stamped: true,
        show: Some(done.show),
    }
}

/// Adds warnings to those that a result has.
fn warn(value: &mut Map<String, Value>, warnings: Vec<String>) {
    if warnings.is_empty() {
        return;
    }
    let all = value
        .entry("warnings")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(all) = all {
        all.extend(warnings.into_iter().map(Value::from));
    }
}

/// The moment that the numbers are of.
fn stamp(value: &mut Map<String, Value>, head: Head) {
    value.insert("seq".to_owned(), head.seq.into());
    value.insert("head".to_owned(), head.short().into());
}

fn replayed(earlier: request::Earlier, bytes_max: Option<usize>) -> Result<Answer> {
    let mut value = earlier.answer;
    value.insert("replayed".to_owned(), true.into());
    stamp(&mut value, earlier.head);
    written(&value, bytes_max)?;
    Ok(Answer {
        value,
        preview: false,
        missing: Vec::new(),
        stamped: true,
        show: None,
    })
}

/// The answer of a run that was undone: marked, without what it would have been allotted.
fn previewed(op: &OpDef, done: Done, outcome: Option<String>) -> Answer {
    let Done {
        mut value, show, ..
    } = done;
    for key in op.allotted {
        value.shift_remove(*key);
    }
    let mut marked = Map::new();
    marked.insert("status".to_owned(), "preview".into());
    value.shift_remove("status");
    marked.extend(value);
    if let Some(outcome) = outcome {
        marked.insert("preview".to_owned(), outcome.into());
    }
    Answer {
        value: marked,
        preview: true,
        missing: Vec::new(),
        stamped: true,
        show: Some(show),
    }
}

/// The hash of what is asked: operation and arguments.
fn args_hash(op: &OpDef, call: &Call) -> String {
    hex(&Sha256::digest(format!("{}\n{}", op.verb, call.args)))
}

/// The preview's digest: 20 hex digits over what is at stake.
fn outcome_of(op: &OpDef, stake: &Stake) -> String {
    hex(&Sha256::digest(format!("{}\n{}", op.verb, stake.0))[..10])
}

/// Holds a confirmation to the preview that it agrees to.
fn agree(
    outcome: &str,
    key: [u8; 32],
    control: &Control,
    previews: Option<&Previews>,
) -> Result<()> {
    if let Some(agreed) = &control.if_preview
        && agreed != outcome
    {
        return Err(Refusal::new(
            "preview_stale",
            "the outcome is no longer the one that was previewed; nothing was done",
        )
        .hint("preview again, show it to the human, then confirm that one")
        .into());
    }
    let unseen = previews.is_some_and(|p| !p.0.contains(&key));
    if unseen {
        return Err(Refusal::new(
            "preview_required",
            "no preview of this outcome was shown before the confirmation; nothing was done",
        )
        .hint("call again without confirmed, show the preview to the human, then confirm")
        .into());
    }
    Ok(())
}
