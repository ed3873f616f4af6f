//! The one thread that owns the books: it opens and verifies them, then does one call after another in order of arrival.
//! It knows nothing of the protocol.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::mpsc,
    thread::{self, JoinHandle},
};

use serde_json::{Map, Value};
use tokio::sync::{oneshot, watch};

use super::{hints::Names, tell};
use crate::{
    engine::{
        Books, CONTENT_BYTES_MAX, Caller, Effect, House, No, OpDef, Previews, Progress, Result,
        from_json,
    },
    model::{Refusal, printable_json},
    store::{Depth, Drift, Paths, Verification},
    world::World,
};

/// Bytes of JSON that the result of a reading call may have. More is refused, never cut.
const RESULT_BYTES_MAX: usize = 200 * 1024;

/// How far long work is.
#[derive(Clone, Copy, Default)]
pub(super) struct Reached {
    /// What is done.
    pub done: u64,
    /// Out of how much.
    pub total: u64,
}

/// A result as a value and as the same JSON in text.
pub(super) struct Done {
    pub value: Value,
    pub text: String,
}

/// What a call is answered: its result, or the refusal's JSON.
pub(super) type Answered = std::result::Result<Done, Value>;

/// A call on its way to the books.
pub(super) struct Job {
    pub op: &'static OpDef,
    pub args: Map<String, Value>,
    /// Who calls, as JSON for the journal.
    pub by: String,
    /// Whether the caller has taken the call back.
    pub cancelled: Box<dyn Fn() -> bool + Send>,
    /// Where progress is told, when the caller wants it.
    pub progress: Option<watch::Sender<Reached>>,
    pub reply: oneshot::Sender<Answered>,
}

/// Where calls are handed in.
#[derive(Clone)]
pub(super) struct Desk(mpsc::Sender<Job>);

impl Desk {
    /// Hands in a call; false when the books are closed already.
    pub(super) fn put(&self, job: Job) -> bool {
        self.0.send(job).is_ok()
    }
}

/// Open books with the thread that owns them.
pub(super) struct BooksThread {
    desk: Desk,
    thread: JoinHandle<()>,
}

impl BooksThread {
    /// Opens books on a thread of their own, which then verifies them before it does the first call.
    ///
    /// Refuses what opening them refuses; the verification is not waited for.
    pub(super) fn open(paths: Paths, names: Names, world: World) -> Result<BooksThread> {
        let (desk, jobs) = mpsc::channel();
        let (opened, whether) = mpsc::channel();
        let own = move || {
            // The books cannot move between threads, so they are opened where they stay.
            let books = Books::open(paths, names.domains, world);
            // A server that could only verify would serve nobody.
            let books = match books.and_then(|books| books.settled().map(|()| books)) {
                Ok(books) => books,
                Err(no) => return drop(opened.send(Err(no))),
            };
            if opened.send(Ok(())).is_ok() {
                Clerk::new(books, names).work(&jobs);
            }
        };
        let thread = thread::Builder::new()
            .name("books".to_owned())
            .spawn(own)
            .map_err(|e| No::Fault(format!("starting the thread of the books: {e}")))?;
        whether
            .recv()
            .map_err(|_| No::Fault("opening the books failed inside wb".to_owned()))??;
        let desk = Desk(desk);
        Ok(BooksThread { desk, thread })
    }

    /// Where calls are handed in.
    pub(super) fn desk(&self) -> Desk {
        self.desk.clone()
    }

    /// Waits until the call that runs is done. Every other desk must be gone.
    pub(super) fn close(self) {
        drop(self.desk);
        if self.thread.join().is_err() {
            tell("the thread of the books failed inside wb");
        }
    }
}

/// What verification left closed, and why.
struct Barrier {
    /// Whether the tables are known to be wrong, so that not even reading is allowed.
    wrong: bool,
    refusal: Refusal,
}

impl Barrier {
    /// Writing is closed, because what it would build on is not known to be sound.
    fn unverified(no: &No) -> Barrier {
        let message = "the books could not be verified, so nothing is written to them".to_owned();
        Barrier {
            wrong: false,
            refusal: Refusal::new("unverified", message)
                .with("why", sentences(no))
                .hint("run `wb verify`"),
        }
    }

    /// Everything but upkeep is closed, because every number could be wrong.
    fn wrong(drift: &[Drift], no: &No) -> Barrier {
        let tables: Vec<&str> = drift.iter().map(|d| d.table.as_str()).collect();
        let message = "the tables are not what the journal makes of them, and could not be mended";
        Barrier {
            wrong: true,
            refusal: Refusal::new("damaged", message)
                .with("tables", tables)
                .with("why", sentences(no))
                .hint("run `wb verify`; restore a backup if it cannot mend the books"),
        }
    }

    fn stops(&self, op: &OpDef) -> bool {
        op.writes() || self.wrong && op.effect == Effect::Read
    }
}

/// The books and what a server keeps beside them while it lives.
struct Clerk {
    books: Books,
    names: Names,
    previews: Previews,
    barrier: Option<Barrier>,
    progress: Rc<RefCell<Option<watch::Sender<Reached>>>>,
}

impl Clerk {
    fn new(mut books: Books, names: Names) -> Clerk {
        let progress: Rc<RefCell<Option<watch::Sender<Reached>>>> = Rc::default();
        let told = Rc::clone(&progress);
        books.on_progress(Progress(Box::new(move |done, total| {
            if let Some(listener) = told.borrow().as_ref() {
                listener.send_replace(Reached { done, total });
            }
        })));
        Clerk {
            books,
            names,
            previews: Previews::default(),
            barrier: None,
            progress,
        }
    }

    fn work(mut self, jobs: &mpsc::Receiver<Job>) {
        if let Some(no) = self.books.alarm() {
            tell(&sentences(&no));
        }
        if let Some(why) = self.books.settings_fault() {
            tell_unread(why);
        }
        if self.books.upgraded() {
            tell("the tables were folded again for this version of the program");
        }
        self.verify();
        for job in jobs {
            self.take(job);
        }
    }

    /// Verifies journal and tables; mends tables, or closes what must be closed.
    fn verify(&mut self) {
        let mut house = self.books.house();
        self.barrier = match house.verify(Depth::Rows) {
            Err(no) => {
                let why = sentences(&no);
                tell(&format!("the books could not be verified: {why}"));
                Some(Barrier::unverified(&no))
            }
            Ok(found) if found.damage.is_some() => {
                tell_damage(&found);
                None
            }
            Ok(found) if found.drift.is_empty() => None,
            Ok(found) => mend(&mut house, &found),
        };
    }

    /// Does a call and answers it, unless nobody waits for it any more.
    fn take(&mut self, job: Job) {
        if (job.cancelled)() || job.reply.is_closed() {
            return;
        }
        *self.progress.borrow_mut() = job.progress;
        let answered = self
            .guarded(job.op, job.args, &job.by)
            .map_err(|no| self.names.told(no.to_value()));
        *self.progress.borrow_mut() = None;
        // The change stands whether or not the client still waits for its answer.
        drop(job.reply.send(answered));
        if job.op.effect == Effect::Upkeep && self.barrier.is_some() {
            self.verify();
        }
    }

    /// Does a call; a panic in it is undone and answered, and the books go on.
    fn guarded(&mut self, op: &'static OpDef, args: Map<String, Value>, by: &str) -> Result<Done> {
        let before = self.end();
        let done = catch_unwind(AssertUnwindSafe(|| self.call(op, args, by)));
        done.unwrap_or_else(|_| Err(panicked(op, before.is_some() && before == self.end())))
    }

    /// Where the journal ends, to tell afterwards whether anything was written.
    fn end(&self) -> Option<i64> {
        self.books.glance().head().ok().map(|head| head.seq)
    }

    fn call(&mut self, op: &'static OpDef, args: Map<String, Value>, by: &str) -> Result<Done> {
        if let Some(why) = self.books.reread_settings() {
            tell_unread(why);
        }
        let (call, control) = from_json(op, args)?;
        if let Some(barrier) = self.barrier.as_ref().filter(|b| b.stops(op)) {
            return Err(No::Damaged(barrier.refusal.clone()));
        }
        let held = self.books.requires_preview();
        let caller = Caller {
            by,
            previews: held.then_some(&mut self.previews),
            answer_bytes_max: Some(result_bytes_max(op)),
        };
        let answer = self.books.call(op, &call, &control, caller)?;
        let value = Value::Object(answer.value);
        let text = match op.gives {
            None => readable(&value),
            // The bytes of a file stand once: in the value.
            Some(gives) => {
                let all = value.as_object().into_iter().flatten();
                let told = all.filter(|(key, _)| *key != gives.content);
                let told: Map<String, Value> = told
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect();
                readable(&Value::Object(told))
            }
        };
        Ok(Done { value, text })
    }
}

/// An answer as the text that a model reads: what cannot be seen is escaped in it, whatever the wire does to the text itself.
pub(super) fn readable(answer: &Value) -> String {
    printable_json(&answer.to_string()).into_owned()
}

/// The most bytes of JSON that a result may have: a file has room of its own.
pub fn result_bytes_max(op: &OpDef) -> usize {
    let file = op.gives.map(|_| CONTENT_BYTES_MAX.div_ceil(3) * 4);
    RESULT_BYTES_MAX + file.unwrap_or(0)
}

/// Folds the tables again from the journal, and tells what was wrong with them.
fn mend(house: &mut House<'_>, found: &Verification) -> Option<Barrier> {
    let differences = differences(&found.drift);
    match house.heal(found) {
        Ok(healed) => {
            tell(&format!(
                "the tables were folded again from the journal ({differences}); the file as it was is kept as {}",
                healed.kept.display()
            ));
            None
        }
        Err(no) => {
            let why = sentences(&no);
            tell(&format!(
                "the tables could not be mended ({differences}): {why}"
            ));
            Some(Barrier::wrong(&found.drift, &no))
        }
    }
}

fn panicked(op: &OpDef, unchanged: bool) -> No {
    if unchanged {
        let why = format!("{} failed inside wb; nothing was changed", op.tool);
        return No::Fault(why);
    }
    let why = format!(
        "{} failed inside wb, and the journal has grown meanwhile: its change may be in the books",
        op.tool
    );
    No::OutcomeUnknown(
        Refusal::new("outcome_unknown", why)
            .hint("repeat the call with the same request_key: it is then done once"),
    )
}

fn sentences(no: &No) -> String {
    no.sentences().0.join("; ")
}

/// Tells that an edit of the settings is not in force.
fn tell_unread(why: &Refusal) {
    tell(&format!(
        "{}; the last good settings are in force",
        why.message
    ));
}

fn tell_damage(found: &Verification) {
    if let Some(damage) = &found.damage {
        tell(&format!(
            "the journal breaks at event {}: {}; the books are open for reading only",
            damage.seq, damage.why
        ));
    }
}

fn differences(drift: &[Drift]) -> String {
    let each: Vec<String> = drift
        .iter()
        .map(|d| format!("{}: {}", d.table, d.what))
        .collect();
    each.join("; ")
}
