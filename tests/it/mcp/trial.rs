//! A domain for trials alone: operations that wait, fail or answer too much, and a verification that can be held up.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wanderbooks::domains::{chart, company, entry};
use wanderbooks::engine::{
    Domain, Event, EventDef, Example, Hooks, House, Occasion, OpDef, Operation, Read, Reader,
    Result, Upkeep, Write, Writer,
};
use wanderbooks::store::{Fold, FoldResult, StoreError, StoreResult, View};

/// The domains of the program and the one for trials.
pub static DOMAINS: &[&Domain] = &[&company::DOMAIN, &chart::DOMAIN, &entry::DOMAIN, &TRIAL];

/// The same, with a verification that stops at [`VERIFYING`].
pub static HELD_UP: &[&Domain] = &[&company::DOMAIN, &chart::DOMAIN, &entry::DOMAIN, &HELD];

/// The same, with a verification that cannot be made.
pub static DOUBTED: &[&Domain] = &[&company::DOMAIN, &chart::DOMAIN, &entry::DOMAIN, &DOUBT];

static TRIAL: Domain = Domain {
    name: "trial",
    about: "",
    groups: &[],
    operations: &[
        OpDef::write::<Wait>(),
        OpDef::write::<Fail>(),
        OpDef::read::<Tell>(),
        OpDef::upkeep::<Look>(),
    ],
    events: &[EventDef::of::<Tried>()],
    tables: &[],
    fold_version: 1,
    hooks: Hooks::NONE,
};

static HELD: Domain = Domain {
    name: "held",
    about: "",
    groups: &[],
    operations: &[],
    events: &[],
    tables: &[],
    fold_version: 1,
    hooks: Hooks {
        check: Some(hold_up),
        ..Hooks::NONE
    },
};

static DOUBT: Domain = Domain {
    name: "doubt",
    about: "",
    groups: &[],
    operations: &[],
    events: &[],
    tables: &[],
    fold_version: 1,
    hooks: Hooks {
        check: Some(|_| Err(StoreError::Unavailable("out of reach".to_owned()))),
        ..Hooks::NONE
    },
};

/// Where waiting operations stop; each test has its own.
pub static GATES: [Gate; 3] = [Gate::new(), Gate::new(), Gate::new()];
/// Where the verification of [`HELD_UP`] stops.
pub static VERIFYING: Gate = Gate::new();

fn hold_up(_: &View<'_>) -> StoreResult<Option<String>> {
    VERIFYING.pass();
    Ok(None)
}

/// A place where one thread stops until another lets it go on.
pub struct Gate {
    /// Whether someone has come, whether it is open.
    state: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Gate {
    const fn new() -> Gate {
        Gate {
            state: Mutex::new((false, false)),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, (bool, bool)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pass(&self) {
        let mut state = self.state();
        state.0 = true;
        self.changed.notify_all();
        let open = self.changed.wait_while(state, |(_, open)| !*open);
        drop(open);
    }

    /// Waits until someone stands before the gate.
    pub fn reached(&self) {
        let come = self.changed.wait_while(self.state(), |(come, _)| !*come);
        drop(come);
    }

    /// Lets everyone through.
    pub fn open(&self) {
        self.state().1 = true;
        self.changed.notify_all();
    }
}

/// Something was tried.
#[derive(Serialize, Deserialize)]
struct Tried {
    what: String,
}

impl Event for Tried {
    const KIND: &'static str = "trial.tried";
    const V: u32 = 1;
    const ABOUT: &'static str = "Something was tried.";

    fn fold(&self, _: &Occasion<'_>, _: &mut Fold<'_>) -> FoldResult {
        Ok(())
    }
}

fn tried(books: &mut Writer<'_>, what: &str) -> Result<i64> {
    books.record(&Tried {
        what: what.to_owned(),
    })
}

/// Record, tell half of it, and wait at a gate
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Which gate
    pub gate: usize,
}

/// It is done.
#[derive(Serialize, JsonSchema)]
pub struct Over {
    /// It is
    pub ok: bool,
}

impl Operation for Wait {
    const VERB: &'static str = "trial wait";
    const TOOL: &'static str = "trial.wait";
    const EXAMPLES: &'static [Example] = &[Example::new("0", r#"{"gate":0}"#)];
    type Output = Over;
}

impl Write for Wait {
    fn run(self, books: &mut Writer<'_>) -> Result<Over> {
        tried(books, "wait")?;
        books.progress(1, 2);
        GATES[self.gate].pass();
        Ok(Over { ok: true })
    }
}

/// Record, then panic
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Fail {}

impl Operation for Fail {
    const VERB: &'static str = "trial fail";
    const TOOL: &'static str = "trial.fail";
    const EXAMPLES: &'static [Example] = &[Example::new("", "{}")];
    type Output = Over;
}

impl Write for Fail {
    fn run(self, books: &mut Writer<'_>) -> Result<Over> {
        tried(books, "fail")?;
        panic!("on purpose");
    }
}

/// Tell a text of some length
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Tell {
    /// How many characters
    pub length: usize,
}

/// A text.
#[derive(Serialize, JsonSchema)]
pub struct Told {
    /// It
    pub text: String,
}

impl Operation for Tell {
    const VERB: &'static str = "trial tell";
    const TOOL: &'static str = "trial.tell";
    const EXAMPLES: &'static [Example] = &[Example::new("1", r#"{"length":1}"#)];
    type Output = Told;
}

impl Read for Tell {
    fn run(self, _: &Reader<'_>) -> Result<Told> {
        Ok(Told {
            text: "x".repeat(self.length),
        })
    }
}

/// Look after the paper, which here is nothing
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Look {}

impl Operation for Look {
    const VERB: &'static str = "trial look";
    const TOOL: &'static str = "trial.look";
    const EXAMPLES: &'static [Example] = &[Example::new("", "{}")];
    type Output = Over;
}

impl Upkeep for Look {
    fn run(self, _: &mut House<'_>) -> Result<Over> {
        Ok(Over { ok: true })
    }
}
