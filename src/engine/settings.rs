//! The settings files as paper: where they are, what they say, and which of it is in force. Which keys they may hold and
//! what they mean is the business of the domains that answer for them.
//!
//! The files are read again when their content changes. An edit that makes no sense leaves the last good settings in
//! force; those stand in the journal, so that they outlive the process that read them.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Domain, Event, Occasion, Result, domain::CheckSettings, table};
use crate::{
    model::{Currency, Refusal, hex, quoted},
    store::{Fold, FoldResult, Paths, View},
};

const SETTINGS_BYTES_MAX: u64 = 1 << 20;

/// The settings file's name, in the journal and to people.
pub(super) const SETTINGS: &str = "wanderbooks.toml";
/// The policy file's name.
pub(super) const CONFIG: &str = "config.json";

/// What was in force changed: noticed by the next change of the books, and written before it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct SettingsChanged {
    /// Which file.
    pub file: String,
    /// The SHA-256 of what was in force before; none where there was nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_sha256: Option<String>,
    /// The SHA-256 of what is in force now; none where the file is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The text in force now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Event for SettingsChanged {
    const KIND: &'static str = "settings.changed";
    const V: u32 = 1;
    const ABOUT: &'static str = "A settings file was edited, and what it says is in force; stands before the next change of the books.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let row = [
            at.seq.into(),
            (&self.file).into(),
            at.at.into(),
            self.text.as_ref().into(),
        ];
        tables.insert(&table::SETTING, &row)
    }
}

/// What the settings files say, as far as it is in force.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile {
    /// The text of `wanderbooks.toml`; empty when there is none.
    pub text: String,
    /// Whether there is one.
    pub exists: bool,
    /// The text of `data/config.json`, if there is one.
    pub config: Option<String>,
    table: toml::Table,
}

/// Who judges settings: the domains that answer for them, for books in this currency.
type Judges<'d> = (&'d [&'d Domain], Currency);

/// A text without the byte order mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The settings in force, and how they stand to the files.
pub(super) struct LiveSettings {
    settings: PathBuf,
    config: PathBuf,
    currency: Currency,
    force: SettingsFile,
    seen: Content,
    loads: u32,
    fault: Option<Refusal>,
    settled: bool,
    /// The last event that told of settings when these came into force.
    as_of: i64,
}

/// What the files held when they were last looked at; of a file that could not be read, why.
#[derive(Clone, PartialEq, Eq)]
struct Content {
    settings: Found,
    config: Found,
}

type Found = std::result::Result<Option<Vec<u8>>, String>;

impl Content {
    fn read(settings: &Path, config: &Path) -> Content {
        Content {
            settings: read(settings),
            config: read(config),
        }
    }
}

fn read(path: &Path) -> Found {
    match crate::world::files::read_file(path, SETTINGS_BYTES_MAX) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e.to_string()),
    }
}

impl LiveSettings {
    /// Reads the files of books that are opened. Where they make no sense the last good ones are in force; where there are
    /// none, nothing is.
    pub fn open(paths: &Paths, (domains, currency): Judges<'_>, view: &View<'_>) -> LiveSettings {
        let (settings, config) = (paths.settings.clone(), paths.config());
        let seen = Content::read(&settings, &config);
        let known = |file| table::setting(view, file).ok().flatten().is_some();
        let known = (known(SETTINGS), known(CONFIG));
        let mut live = LiveSettings {
            settings,
            config,
            currency,
            force: SettingsFile::default(),
            seen,
            loads: 0,
            fault: None,
            settled: true,
            as_of: table::last_setting(view).unwrap_or(0),
        };
        match live.judged(domains, known) {
            Ok(force) => {
                live.force = force;
                live.loads = 1;
            }
            Err(why) => {
                live.fault = Some(why);
                let last = last_good((domains, currency), view);
                live.settled = last.is_some();
                live.force = last.unwrap_or_default();
            }
        }
        live
    }

    /// Settings that were just parsed, of books that are being made.
    pub fn founded(paths: &Paths, force: SettingsFile, currency: Currency) -> LiveSettings {
        let (settings, config) = (paths.settings.clone(), paths.config());
        let seen = Content {
            settings: Ok(Some(force.text.clone().into_bytes())),
            config: Ok(force.config.clone().map(String::into_bytes)),
        };
        LiveSettings {
            settings,
            config,
            currency,
            force,
            seen,
            loads: 1,
            fault: None,
            settled: true,
            as_of: 0,
        }
    }

    /// Looks whether the files have changed, and takes what they say if it makes sense. Gives whether anything is new.
    pub fn reread(&mut self, domains: &[&Domain], view: &View<'_>) -> bool {
        let now = Content::read(&self.settings, &self.config);
        let news = now != self.seen;
        if news {
            self.seen = now;
            let known = (self.force.exists, self.force.config.is_some());
            match self.judged(domains, known) {
                Ok(force) => {
                    self.force = force;
                    self.loads = self.loads.saturating_add(1);
                    self.fault = None;
                    self.settled = true;
                    self.as_of = table::last_setting(view).unwrap_or(0);
                }
                Err(why) => self.fault = Some(why),
            }
        }
        if self.fault.is_some() {
            self.follow(domains, view);
        }
        news
    }

    /// While the files make no sense the last good settings are in force, whoever saw them: where another process wrote later
    /// ones into the journal, those.
    fn follow(&mut self, domains: &[&Domain], view: &View<'_>) {
        let told = table::last_setting(view).unwrap_or(0);
        if told > self.as_of
            && let Some(last) = last_good((domains, self.currency), view)
        {
            self.force = last;
            self.settled = true;
            self.as_of = told;
        }
    }

    /// What the files say.
    ///
    /// Refuses what makes no sense, and a file that was in force, as `known` says of settings and policy, and is gone: that is no
    /// wish for the defaults.
    fn judged(
        &self,
        domains: &[&Domain],
        known: (bool, bool),
    ) -> std::result::Result<SettingsFile, Refusal> {
        let settings =
            text_of(&self.seen.settings).map_err(|why| unreadable(&self.settings, &why))?;
        let config = text_of(&self.seen.config).map_err(|why| unreadable(&self.config, &why))?;
        let judges = (domains, self.currency);
        let gone = "it is not there any more; put it back, or write it anew";
        if settings.is_none() && known.0 {
            return Err(unreadable(&self.settings, gone));
        }
        if config.is_none() && known.1 {
            let gone = format!("{gone} ({{}} states no policy)");
            return Err(unreadable(&self.config, &gone));
        }
        let Some(text) = settings else {
            let mut none = SettingsFile::parse(String::new(), config, judges)
                .map_err(|refusals| unreadable(&self.config, &reasons(&refusals)))?;
            none.exists = false;
            return Ok(none);
        };
        let faults = faults_of(CheckOf::Config, config.as_deref(), judges);
        if !faults.is_empty() {
            return Err(unreadable(&self.config, &reasons(&faults)));
        }
        SettingsFile::parse(text, config, judges)
            .map_err(|refusals| unreadable(&self.settings, &reasons(&refusals)))
    }

    /// What is in force.
    pub fn force(&self) -> &SettingsFile {
        &self.force
    }
    /// Why what the files say is not in force, when that is so.
    pub fn fault(&self) -> Option<&Refusal> {
        self.fault.as_ref()
    }
    /// Whether anything is in force.
    pub fn settled(&self) -> bool {
        self.settled
    }
    /// How often settings were taken since the books were opened.
    pub fn loads(&self) -> u32 {
        self.loads
    }
    /// Where the settings file and the policy file are.
    pub fn places(&self) -> (&Path, &Path) {
        (&self.settings, &self.config)
    }

    /// Whether the settings file and the policy file are there, as far as one could look.
    pub fn exist(&self) -> (bool, bool) {
        let exists = |found: &Found| !matches!(found, Ok(None));
        (exists(&self.seen.settings), exists(&self.seen.config))
    }

    /// What the journal does not know yet of what is in force.
    pub fn news(&self, view: &View<'_>) -> Result<Vec<SettingsChanged>> {
        let force = &self.force;
        let mut news = Vec::new();
        // Another process wrote later good settings between the reading of the files and this change: these are old.
        if self.fault.is_some() && table::last_setting(view)? > self.as_of {
            return Ok(news);
        }
        let texts = [
            (SETTINGS, force.exists.then_some(&force.text)),
            (CONFIG, force.config.as_ref()),
        ];
        for (file, text) in texts {
            let known = table::setting(view, file)?;
            if known.as_ref() != text {
                let sha = |text: &String| hex(&Sha256::digest(text));
                news.push(SettingsChanged {
                    file: file.to_owned(),
                    before_sha256: known.as_ref().map(sha),
                    sha256: text.map(sha),
                    text: text.cloned(),
                });
            }
        }
        Ok(news)
    }
}

/// The last good settings, which the journal keeps. Tables that cannot be read hold none; verification says what is wrong with
/// them.
fn last_good(judges: Judges<'_>, view: &View<'_>) -> Option<SettingsFile> {
    let last = |file| table::setting(view, file).ok().flatten();
    let (settings, config) = (last(SETTINGS), last(CONFIG));
    let exists = settings.is_some();
    if !exists && config.is_none() {
        return None;
    }
    let mut good = SettingsFile::parse(settings.unwrap_or_default(), config, judges).ok()?;
    good.exists = exists;
    Some(good)
}

fn text_of(found: &Found) -> std::result::Result<Option<String>, String> {
    let bytes = found.clone()?;
    let text = bytes.map(String::from_utf8).transpose();
    text.map_err(|_| "it is not UTF-8 text".to_owned())
}

fn unreadable(path: &Path, why: &str) -> Refusal {
    Refusal::new(
        "settings_unreadable",
        format!("{}: {why}", quoted(&path.to_string_lossy())),
    )
    .hint("mend the file; nothing was changed")
}

fn reasons(refusals: &[Refusal]) -> String {
    let reasons: Vec<&str> = refusals.iter().map(|r| r.message.as_str()).collect();
    reasons.join("; ")
}

/// Which file a domain is asked about.
#[derive(Clone, Copy)]
enum CheckOf {
    Settings,
    Config,
}

/// What the domains find wrong with a file's text.
fn faults_of(of: CheckOf, text: Option<&str>, (domains, currency): Judges<'_>) -> Vec<Refusal> {
    let Some(text) = text else { return Vec::new() };
    let check = |domain: &Domain| -> Option<CheckSettings> {
        match of {
            CheckOf::Settings => domain.hooks.settings,
            CheckOf::Config => domain.hooks.config,
        }
    };
    domains
        .iter()
        .filter_map(|domain| check(domain)?(text, currency).err())
        .flatten()
        .collect()
}

impl SettingsFile {
    /// Asks every domain that answers for settings whether the texts make sense.
    pub fn parse(
        text: String,
        config: Option<String>,
        judges: Judges<'_>,
    ) -> std::result::Result<SettingsFile, Vec<Refusal>> {
        let fault = |message: String| Refusal::new("bad_settings", message);
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| {
            let before = e.span().and_then(|span| text.get(..span.start));
            let place = before.map(|text| 1 + text.bytes().filter(|b| *b == b'\n').count());
            let place = place.map_or_else(String::new, |line| format!("line {line}: "));
            vec![fault(format!("{place}{}", e.message()))]
        })?;
        let mut faults = faults_of(CheckOf::Settings, Some(&text), judges);
        faults.extend(faults_of(CheckOf::Config, config.as_deref(), judges));
        if faults.is_empty() {
            Ok(SettingsFile {
                text,
                exists: true,
                config,
                table,
            })
        } else {
            Err(faults)
        }
    }

    /// The settings whose value is this text, or a list that holds it: `books.cash_accounts`, those of the policy file under
    /// its name.
    pub fn mentions(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        mentions(
            &toml::Value::Table(self.table.clone()),
            text,
            "",
            &mut found,
        );
        // What is in force was held to make sense, so it reads; keys and lists are the same in both forms.
        let config = self.config.as_deref().map(without_mark);
        let config = config.map(serde_json::from_str);
        if let Some(Ok(config)) = config {
            let mut stated = Vec::new();
            mentions(&config, text, "", &mut stated);
            found.extend(stated.iter().map(|at| format!("{CONFIG} {at}")));
        }
        found.dedup();
        found
    }

    /// A truth value of the file.
    pub fn truth(&self, section: &str, key: &str) -> Option<bool> {
        self.table.get(section)?.get(key)?.as_bool()
    }
}

fn mentions(value: &toml::Value, text: &str, path: &str, found: &mut Vec<String>) {
    match value {
        toml::Value::String(s) if s.trim() == text => found.push(path.to_owned()),
        toml::Value::Array(items) => items
            .iter()
            .for_each(|item| mentions(item, text, path, found)),
        toml::Value::Table(table) => {
            for (key, inner) in table {
                let inner_path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                mentions(inner, text, &inner_path, found);
            }
        }
        _ => {}
    }
}
