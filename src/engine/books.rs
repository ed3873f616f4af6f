//! Books in the hand of a face: opened, made, verified and backed up. Everything else goes by the road.

use std::{collections::HashMap, rc::Rc};

use serde::{Deserialize, Serialize};

use super::{
    BooksRestored, Call, Domain, Event, EventDef, Hooks, House, No, Occasion, Page, Reader, Result,
    SettingsChanged, SettingsFile, Writer, request, settings::LiveSettings, table,
};
use crate::{
    model::{Currency, Refusal, UNICODE_VERSIONS},
    store::{Blobs, Envelope, Fold, FoldError, FoldResult, Paths, Projection, Store},
    world::World,
};

/// What every call knows besides the books: the world, the settings, the domains.
pub(super) struct Scene {
    pub currency: Currency,
    pub world: World,
    pub settings: LiveSettings,
    pub blobs: Blobs,
    pub paths: Paths,
    pub domains: &'static [&'static Domain],
    pub progress: Option<Box<Progress>>,
    /// Whether answers are looked at by a person rather than taken as data.
    pub glanced: bool,
}

/// Told how far long work is: done and total.
pub struct Progress(pub Box<dyn Fn(u64, u64)>);

impl Progress {
    pub(super) fn tell(scene: &Scene, done: u64, total: u64) {
        if let Some(progress) = &scene.progress {
            (progress.0)(done, total);
        }
    }
}

/// Open books.
pub struct Books {
    pub(super) store: Store,
    pub(super) scene: Scene,
}

/// The format of the journal that this program writes.
const JOURNAL_FORMAT: u32 = 1;

/// The books were made.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Created {
    /// A random id, by which these books are told from all others.
    pub books_id: String,
    /// The base currency.
    pub currency: String,
    /// The decimals of its amounts.
    pub exponent: u32,
    /// The format of the journal.
    pub format: u32,
    /// The version of the program that made them.
    pub wb: String,
}

impl Event for Created {
    const KIND: &'static str = "books.created";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "The books were made, with this id and base currency. Always the first event.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        tables.insert(
            &table::BOOKS,
            &[
                1.into(),
                (&self.books_id).into(),
                (&self.currency).into(),
                at.at.into(),
            ],
        )
    }
}

/// The engine's own place among the domains: the first event, the request keys and the settings.
pub static ENGINE: Domain = Domain {
    name: "books",
    about: "",
    groups: &[],
    operations: &[],
    events: &[
        EventDef::of::<Created>(),
        EventDef::of::<request::RequestAnswered>(),
        EventDef::of::<SettingsChanged>(),
        EventDef::of::<BooksRestored>(),
    ],
    tables: &[
        &table::BOOKS,
        &request::REQUEST,
        &table::SETTING,
        &table::JOURNAL_DAY,
        &table::WATCHED,
    ],
    fold_version: 3,
    hooks: Hooks::NONE,
};

/// How the events of these domains, and the engine's own, are folded into tables.
pub fn projection(domains: &'static [&'static Domain]) -> Rc<Projection> {
    let all = || std::iter::once(&ENGINE).chain(domains.iter().copied());
    let folds: HashMap<(&'static str, u32), _> = all()
        .flat_map(|d| d.events)
        .flat_map(|e| (e.since..=e.v).map(|v| ((e.kind, v), e.fold)))
        .collect();
    Rc::new(Projection {
        tables: all().flat_map(|d| d.tables.iter().copied()).collect(),
        versions: all().flat_map(versions).chain(text_versions()).collect(),
        checks: all().filter_map(|d| d.hooks.check).collect(),
        fold: Box::new(move |line: &Envelope<'_>, tables: &mut Fold<'_>| {
            let fold =
                folds
                    .get(&(line.kind.as_ref(), line.v))
                    .ok_or_else(|| FoldError::Unreadable {
                        kind: line.kind.to_string(),
                        v: line.v,
                        why: "this program does not know it; use the program that wrote it"
                            .to_owned(),
                    })?;
            request::fold_line(line, tables)?;
            if line.seq == line.txn {
                table::fold_day(line.seq, &line.at, tables)?;
            }
            table::fold_watched(line.seq, &line.kind, domains, tables)?;
            fold(line, tables)
        }),
    })
}

/// What a domain's folds depend on: its own version, the events that it knows and those that it looks back at. A domain without
/// events folds nothing.
fn versions(domain: &'static Domain) -> impl Iterator<Item = String> {
    let folds = !domain.events.is_empty();
    let own = folds.then(|| format!("{}={}", domain.name, domain.fold_version));
    let events = domain.events.iter().map(|e| format!("{}@{}", e.kind, e.v));
    let watched = domain.hooks.watches.iter().map(|kind| format!("{kind}+"));
    own.into_iter().chain(events).chain(watched)
}

/// Folded text is lower-cased and decomposed by these: with other versions of Unicode it may come out otherwise.
fn text_versions() -> impl Iterator<Item = String> {
    UNICODE_VERSIONS
        .iter()
        .map(|(name, (major, minor, update))| format!("{name}={major}.{minor}.{update}"))
}

impl Books {
    /// Opens books: the head check, then the settings. Settings that make no sense refuse every call but upkeep's.
    pub fn open(paths: Paths, domains: &'static [&'static Domain], world: World) -> Result<Books> {
        let store = Store::open(paths, projection(domains), world.state_folder())?;
        Books::opened(store, domains, world)
    }

    /// Opens a copy of books to look at it: what was seen of the books themselves says nothing of it.
    pub(super) fn open_copy(
        paths: Paths,
        domains: &'static [&'static Domain],
        world: World,
    ) -> Result<Books> {
        let store = Store::open(paths, projection(domains), None)?;
        Books::opened(store, domains, world)
    }

    fn opened(store: Store, domains: &'static [&'static Domain], world: World) -> Result<Books> {
        let currency = founded_currency(&store)?;
        let settings = LiveSettings::open(store.paths(), (domains, currency), &store.view());
        let (blobs, paths) = (store.blobs(), store.paths().clone());
        Ok(Books {
            store,
            scene: Scene {
                blobs,
                paths,
                currency,
                world,
                settings,
                domains,
                progress: None,
                glanced: false,
            },
        })
    }

    /// Refuses a folder that holds books already, before anything is asked about new ones.
    pub fn vacant(paths: &Paths) -> Result<()> {
        if paths.hold_books()? {
            return Err(taken(paths, Paths::HOLDS_BOOKS));
        }
        Ok(())
    }

    /// Makes new books in a folder that has none, with the settings text given.
    pub fn create(
        paths: Paths,
        domains: &'static [&'static Domain],
        world: World,
        (currency, settings, by): (Currency, &str, &str),
    ) -> Result<Books> {
        Books::create_with(paths, domains, world, (currency, settings, by, &[]))
    }

    /// The same, with these changes made in the very command that makes the books: cut off at any moment, there are books with
    /// all of it or none.
    ///
    /// Refuses: what one of the changes refuses; there are no books then.
    pub fn create_with(
        paths: Paths,
        domains: &'static [&'static Domain],
        world: World,
        (currency, settings, by, first): (Currency, &str, &str, &[Call]),
    ) -> Result<Books> {
        super::clock::must_be_set(&world)?;
        let parsed = SettingsFile::parse(settings.to_owned(), None, (domains, currency))
            .map_err(No::Refused)?;
        if let Some(why) = paths.taken(settings)? {
            return Err(taken(&paths, why));
        }
        let scene = Scene {
            currency,
            world,
            settings: LiveSettings::founded(&paths, parsed, currency),
            blobs: Blobs::of(&paths),
            paths: paths.clone(),
            domains,
            progress: None,
            glanced: false,
        };
        let mut store = Store::create(
            paths.clone(),
            projection(domains),
            scene.world.state_folder(),
        )?;
        let mut writer = Writer::new(store.write()?, &scene, by, false);
        writer.found();
        let created = Created {
            books_id: writer.random_id()?,
            currency: currency.code().to_owned(),
            exponent: currency.exponent(),
            format: JOURNAL_FORMAT,
            wb: env!("CARGO_PKG_VERSION").to_owned(),
        };
        writer.record(&created)?;
        writer.record_settings()?;
        for call in first {
            call.write(&mut writer)?;
        }
        paths.furnish(settings)?;
        if let Err(e) = writer.commit(None) {
            // With an unknown outcome the books may be there, and need their settings.
            if !matches!(e, No::OutcomeUnknown(_)) {
                paths.unfurnish()?;
            }
            return Err(e);
        }
        Ok(Books { store, scene })
    }

    /// Answers will be looked at by a person, so the long lists of changes need their first rows alone.
    pub fn are_glanced_at(&mut self) {
        self.scene.glanced = true;
    }

    /// Tells `progress` how far long work is.
    pub fn on_progress(&mut self, progress: Progress) {
        self.scene.progress = Some(Box::new(progress));
    }

    /// Tells whoever waits how far the caller's own work is.
    pub fn tell(&self, done: u64, total: u64) {
        Progress::tell(&self.scene, done, total);
    }

    /// Why these books can only be read, when that is so.
    pub fn alarm(&self) -> Option<No> {
        self.store.alarm().map(No::from)
    }

    /// Refuses what needs the settings while they make no sense.
    pub fn settled(&self) -> Result<()> {
        match self.scene.settings.fault() {
            Some(why) if !self.scene.settings.settled() => Err(No::Unavailable(why.clone())),
            _ => Ok(()),
        }
    }

    /// Looks whether the settings files were edited. Gives why an edit is not in force, when that is news.
    pub fn reread_settings(&mut self) -> Option<&Refusal> {
        let news = self
            .scene
            .settings
            .reread(self.scene.domains, &self.store.view());
        self.settings_fault().filter(|_| news)
    }

    /// Why what the settings files say is not in force, when that is so.
    pub fn settings_fault(&self) -> Option<&Refusal> {
        self.scene.settings.fault()
    }

    /// Whether opening folded the tables again for this version of the program.
    pub fn upgraded(&self) -> bool {
        self.store.upgraded
    }

    /// Whether a confirmation over MCP must be preceded by its preview. True unless `[mcp] require_preview` says false.
    pub fn requires_preview(&self) -> bool {
        self.scene
            .settings
            .force()
            .truth("mcp", "require_preview")
            .unwrap_or(true)
    }

    /// The facts around a page.
    pub fn page(&self) -> Result<Page> {
        let head = self.store.view().head()?;
        Ok(Page {
            currency: self.scene.currency,
            today: self.scene.world.today(),
            seq: head.seq,
            head: head.short(),
            preview: false,
        })
    }

    /// The books as they stand, for completions; no one moment.
    pub fn glance(&self) -> Reader<'_> {
        Reader {
            view: self.store.view(),
            scene: &self.scene,
            paged: true,
        }
    }

    /// Where the parts lie.
    pub fn paths(&self) -> &Paths {
        self.store.paths()
    }

    /// The paper itself, for upkeep that changes nothing in anyone's name.
    pub fn house(&mut self) -> House<'_> {
        self.house_of("{}")
    }

    /// The paper itself, in the hands of who calls.
    pub(super) fn house_of<'b>(&'b mut self, by: &'b str) -> House<'b> {
        House {
            store: &mut self.store,
            scene: &self.scene,
            by,
            warnings: Vec::new(),
        }
    }
}

fn taken(paths: &Paths, why: &str) -> No {
    Refusal::new(
        "books_exist",
        format!(
            "{} {why}",
            crate::model::quoted(&paths.root.to_string_lossy())
        ),
    )
    .hint("name another folder, or move what is there away")
    .into()
}

/// The base currency, from the first event: a table could have been changed. Where that event is damaged the books can only be
/// read, and the table is asked.
fn founded_currency(store: &Store) -> Result<Currency> {
    let told = told_currency(store);
    match (told, store.alarm()) {
        (Err(No::Damaged(_)), Some(_)) => {
            let code = table::currency(&store.view())?.unwrap_or_default();
            Ok(Currency::from_code(&code)?)
        }
        (told, _) => told,
    }
}

fn told_currency(store: &Store) -> Result<Currency> {
    let damaged = |why: String| {
        No::Damaged(
            Refusal::new("damaged", format!("the first event cannot be read: {why}"))
                .hint("put a backup back"),
        )
    };
    let first = store.view().line(1)?;
    let first = first.ok_or_else(|| damaged("it is not there".to_owned()))?;
    let line: Envelope<'_> = serde_json::from_str(&first).map_err(|e| damaged(e.to_string()))?;
    let created: Created = serde_json::from_str(line.data).map_err(|e| damaged(e.to_string()))?;
    let currency = Currency::from_code(&created.currency).map_err(|no| damaged(no.message))?;
    if currency.exponent() != created.exponent {
        let message = format!(
            "these books keep {} with {} decimals, and this program with {}",
            created.currency,
            created.exponent,
            currency.exponent()
        );
        let refusal = Refusal::new("unavailable", message);
        return Err(No::Unavailable(
            refusal.hint("use the program that made the books, or a newer one"),
        ));
    }
    Ok(currency)
}
