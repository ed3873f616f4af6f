//! The paper of open books in the hands of upkeep: verifying, mending, copying, accepting. What upkeep says of it is the
//! business of its domain.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{
    Acceptance, Answer, Books, Effect, GivenUp, HeadOnPaper, No, Page, Reader, Result,
    books::Scene, from_json, operations, restored,
};
use crate::{
    model::hex,
    present::text::{self, TextStyle},
    store::{Backup, Copies, CopyMade, Depth, Drill, Healed, Mirror, Paths, Store, Verification},
    world::World,
};

/// The paper of open books, for the operations that look after it.
pub struct House<'a> {
    pub(super) store: &'a mut Store,
    pub(super) scene: &'a Scene,
    pub(super) by: &'a str,
    /// What a person should look at.
    pub(super) warnings: Vec<String>,
}

/// Calls of reading tools, by name, with their arguments.
pub type Calls = fn(&Reader<'_>) -> Result<Vec<(&'static str, Map<String, Value>)>>;

/// What a drill came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drilled {
    /// What was backed up.
    pub backup: Backup,
    /// The answers that were compared and are the same, byte for byte: the calls.
    pub same: Vec<String>,
    /// Those that are not.
    pub different: Vec<String>,
    /// The bytes that were compared, of one side.
    pub bytes: u64,
    /// What to know.
    pub notes: Vec<String>,
}

impl House<'_> {
    /// The world, for the time in names.
    pub fn world(&self) -> &World {
        &self.scene.world
    }
    /// Tells what a person should look at, in the answer.
    pub fn warn(&mut self, warning: impl Into<String>) {
        self.warnings.push(warning.into());
    }
    /// Why the books can only be read, when that is so.
    pub fn alarm(&self) -> Option<No> {
        self.store
            .alarm()
            .filter(|_| !self.store.schema_differs())
            .map(No::from)
    }
    /// Whether this is a backup, which is only looked at.
    pub fn is_backup(&self) -> bool {
        self.store.is_backup()
    }
    /// Whether opening folded the tables again for this version of the program.
    pub fn upgraded(&self) -> bool {
        self.store.upgraded
    }
    /// Verifies the journal and every table against it, and what else lies in this depth.
    pub fn verify(&mut self, depth: Depth) -> Result<Verification> {
        Ok(self.store.verify(depth)?)
    }
    /// Mends the tables from the journal, keeping the file as it was found.
    pub fn heal(&mut self, found: &Verification) -> Result<Healed> {
        let stamp = self.scene.world.stamp();
        Ok(self.store.heal(found, &stamp)?)
    }
    /// How the mirror stands to the journal; one that is only behind is brought up.
    pub fn check_mirror(&self) -> Result<Mirror> {
        Ok(self.store.check_mirror()?)
    }
    /// Writes the mirror anew, keeping the file as it was found.
    pub fn mend_mirror(&self) -> Result<PathBuf> {
        Ok(self.store.mend_mirror(&self.scene.world.stamp())?)
    }
    /// The hash of an event in hex, if there is such an event.
    pub fn hash_at(&self, seq: i64) -> Result<Option<String>> {
        Ok(self.store.hash_at(seq)?)
    }
    /// Looks at one moment of the books.
    pub fn look<T>(&self, ask: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T> {
        let moment = self.store.read()?;
        ask(&Reader {
            view: moment.view(),
            scene: self.scene,
            paged: false,
        })
    }
    /// What a reading tool answers, of one moment.
    pub fn ask(&self, name: &str, args: Map<String, Value>) -> Result<Answer> {
        self.look(|reader| reader.ask(name, args))
    }
    /// Accepts that an older or other state stands here than was seen, on this machine or on paper, and says so and why in the
    /// journal.
    pub fn accept(&mut self, reason: &str, papers: &[HeadOnPaper]) -> Result<Acceptance> {
        let by = (self.by, reason);
        let mut accepted = restored::accept(self.store, self.scene, by, papers)?;
        self.warnings.append(&mut accepted.committed.warnings);
        Ok(accepted)
    }
    /// The states that were given up, as the journal says.
    pub fn given_up(&self) -> Result<Vec<GivenUp>> {
        restored::given_up(&self.store.view())
    }
    /// Copies the books into a new folder, reads the copy back and verifies it; gives what to know with it.
    pub fn backup(&mut self, target: &Path) -> Result<(Backup, Vec<String>)> {
        let (made, notes) = self.store.backup(target, &self.scene.world.now())?;
        self.note(&made, (true, false));
        Ok((made, notes))
    }

    /// Backs the books up, makes books of the backup and compares what both answer, byte for byte: every reading tool that
    /// needs no argument, and these calls. Without a target nothing stays of it.
    pub fn drill(&mut self, target: Option<&Path>, more: Calls) -> Result<Drilled> {
        let (mut drill, ours, theirs) = {
            // One moment: others may go on writing, and the copy is of what is read here.
            let moment = self.store.read()?;
            let here = Reader {
                view: moment.view(),
                scene: self.scene,
                paged: false,
            };
            here.head()?;
            let drill = self.store.drill(target, &self.scene.world.now())?;
            let both = both(&here, (self.store.paths(), &drill), more);
            match both {
                Ok((ours, theirs)) => (drill, ours, theirs),
                Err(no) => {
                    // The error is what matters; the next drill sweeps what stays.
                    let _ = drill.end();
                    return Err(no);
                }
            }
        };
        let backup = drill.backup.clone();
        let mut drilled = Drilled {
            same: Vec::new(),
            different: Vec::new(),
            bytes: ours.iter().map(|r| r.bytes).sum(),
            notes: std::mem::take(&mut drill.notes),
            backup,
        };
        drill.end()?;
        for (at, our) in ours.iter().enumerate() {
            let list = match theirs.get(at) == Some(our) {
                true => &mut drilled.same,
                false => &mut drilled.different,
            };
            list.push(our.call.clone());
        }
        let sound = drilled.different.is_empty() && ours.len() == theirs.len();
        self.note(&drilled.backup, (target.is_some(), sound));
        Ok(drilled)
    }

    /// Notes that a backup was made, or drilled and found good.
    fn note(&mut self, backup: &Backup, (made, drilled): (bool, bool)) {
        // A copy of a backup is as old as that: it is not the books' last one.
        let state = self.scene.world.state_folder();
        let Some(state) = state.filter(|_| !self.store.is_backup()) else {
            return;
        };
        let copy = || {
            Some(CopyMade {
                at: backup.at.clone(),
                seq: backup.seq,
                head: backup.head.clone(),
            })
        };
        // Notes that cannot be read are written anew.
        let mut copies = Copies::of(state, &backup.books_id).unwrap_or_default();
        if made {
            copies.made = copy();
        }
        if drilled {
            copies.drilled = copy();
        }
        if let Err(e) = copies.keep(state, &backup.books_id) {
            self.warn(format!(
                "the backup stands; that it was made could not be noted: {e}"
            ));
        }
    }
}

/// What a call answered, by its hash.
#[derive(PartialEq, Eq)]
struct Rendered {
    call: String,
    sha256: String,
    bytes: u64,
}

/// What the books and those of the drill answer.
fn both(
    here: &Reader<'_>,
    (paths, drill): (&Paths, &Drill),
    more: Calls,
) -> Result<(Vec<Rendered>, Vec<Rendered>)> {
    let ours = rendered(here, more, &[])?;
    let copy = Paths::within(&drill.restored);
    let books = Books::open_copy(copy.clone(), here.scene.domains, here.scene.world.clone())?;
    let moment = books.store.read()?;
    let there = Reader {
        view: moment.view(),
        scene: &books.scene,
        paged: false,
    };
    // Where the books lie is no part of what they say.
    let places = [
        (&copy.settings, &paths.settings),
        (&copy.data, &paths.data),
        (&copy.root, &paths.root),
    ];
    let places = places.map(|(from, to)| (escaped(from), escaped(to)));
    Ok((ours, rendered(&there, more, &places)?))
}

/// A path as it stands within JSON text.
fn escaped(path: &Path) -> String {
    let text = Value::from(path.to_string_lossy().into_owned()).to_string();
    text.trim_matches('"').to_owned()
}

/// What every reading tool that needs no argument answers, and these calls: as JSON and as the page for people. A refusal is
/// an answer too.
fn rendered(
    reader: &Reader<'_>,
    more: Calls,
    places: &[(String, String)],
) -> Result<Vec<Rendered>> {
    let alone = operations(reader.scene.domains)
        .filter(|op| from_json(op, Map::new()).is_ok() && op.effect == Effect::Read)
        .map(|op| (op.verb, Map::new()));
    let calls: Vec<_> = alone.chain(more(reader)?).collect();
    let mut all = Vec::with_capacity(calls.len());
    for (name, args) in calls {
        let call = match args.is_empty() {
            true => name.to_owned(),
            false => format!("{name} {}", Value::Object(args.clone())),
        };
        let mut said = match reader.ask(name, args) {
            Ok(answer) => {
                let page =
                    text::render(&answer.sheet(name, &reader.page()?)?, &TextStyle::default());
                format!("{}\n{page}", Value::Object(answer.value))
            }
            Err(no @ (No::Refused(_) | No::Usage(_))) => no.to_value().to_string(),
            Err(no) => return Err(no),
        };
        for (from, to) in places {
            said = said.replace(from, to);
        }
        all.push(Rendered {
            call,
            sha256: hex(&Sha256::digest(said.as_bytes())),
            bytes: said.len() as u64,
        });
    }
    Ok(all)
}

impl Reader<'_> {
    /// What a reading tool, by its name or its verb, answers at this moment.
    pub fn ask(&self, name: &str, args: Map<String, Value>) -> Result<Answer> {
        let op = operations(self.scene.domains)
            .find(|op| op.tool == name || op.verb == name)
            .ok_or_else(|| No::Fault(format!("there is no operation {name}")))?;
        self.answer(&from_json(op, args)?.0)
    }

    fn page(&self) -> Result<Page> {
        let head = self.head()?;
        Ok(Page {
            currency: self.currency(),
            today: self.today(),
            seq: head.seq,
            head: head.short(),
            preview: false,
        })
    }
}
