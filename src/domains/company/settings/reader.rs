//! Reads typed values out of a TOML text and gathers every fault with its line; knows no setting by name.

use std::collections::BTreeSet;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::model::{Refusal, clean, quoted, typed, visible};

/// The most faults that one answer lists.
const FAULTS_MAX: usize = 100;
/// The most broken places of TOML that one answer lists: after the first, many are echoes.
const SYNTAX_FAULTS_MAX: usize = 10;
/// The most entries of a list.
const ENTRIES_MAX: usize = 1_000;

/// The most characters of a value that a fault repeats.
const CHARS_KEPT: usize = 200;

/// A table of the file, or its absence, under the name that messages use.
pub(super) struct Section<'a> {
    name: String,
    table: Option<&'a DeTable<'a>>,
    /// Where the table stands: what is missing in it has no place of its own.
    at: usize,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub(super) fn root(table: &'a DeTable<'a>) -> Section<'a> {
        Section {
            name: String::new(),
            table: Some(table),
            at: 0,
        }
    }

    /// Whether the key stands in the file, whatever its value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table?.get(key)
    }

    /// The key as messages name it: `[books] close_into`.
    fn path(&self, key: &str) -> String {
        if self.name.is_empty() {
            key.to_owned()
        } else {
            format!("{} {key}", self.name)
        }
    }
}

/// Parses the text. Refuses: more than `bytes_max` bytes, and broken TOML with its lines.
pub(super) fn open(text: &str, bytes_max: usize) -> Result<DeTable<'_>, Vec<Refusal>> {
    if text.len() > bytes_max {
        let bytes = text.len();
        let message = format!("wanderbooks.toml has {bytes} bytes; at most {bytes_max} are read");
        let refusal = Refusal::new("settings_too_large", message);
        return Err(vec![
            refusal.with("bytes", bytes).with("bytes_max", bytes_max),
        ]);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(table.into_inner());
    }
    let broken = errors.iter().take(SYNTAX_FAULTS_MAX).map(|error| {
        let line = line_of(text, error.span().map_or(0, |span| span.start));
        let what = visible(error.message().trim()).into_owned();
        let message = format!("wanderbooks.toml line {line}: not valid TOML: {what}");
        Refusal::new("settings_syntax", message).with("line", line)
    });
    Err(broken.collect())
}

/// The faults found so far, each with its place in the file.
#[derive(Default)]
pub(super) struct Faults {
    list: Vec<(usize, Refusal)>,
}

impl Faults {
    /// Makes every name in `section` that is not among `known` a fault.
    pub(super) fn refuse_unknown(&mut self, section: &Section<'_>, known: &[&str], what: &str) {
        let keys = section.table.into_iter().flat_map(|table| table.keys());
        for key in keys.filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let kept: String = key.get_ref().chars().take(CHARS_KEPT).collect();
            let message = format!(
                "{} is not known; the known {what} are {}",
                section.path(&quoted(&kept)),
                known.join(", ")
            );
            let refusal = quoting(Refusal::new("unknown_setting", message), &kept);
            self.list.push((key.span().start, refusal));
        }
    }

    /// The section `name`, checked for keys that `known` lacks.
    pub(super) fn section<'a>(
        &mut self,
        root: &Section<'a>,
        (name, known): &(&str, &[&str]),
    ) -> Section<'a> {
        let found = root.get(name);
        let table = match found.map(Spanned::get_ref) {
            Some(DeValue::Table(table)) => Some(table),
            Some(other) => {
                let takes = format!("a section: write [{name}] on a line of its own");
                self.bad(root, name, Some(&shown(other)), &takes);
                None
            }
            None => None,
        };
        let section = Section {
            name: format!("[{name}]"),
            table,
            at: found.map_or(0, |found| found.span().start),
        };
        self.refuse_unknown(&section, known, "keys");
        section
    }

    /// The tables of an array of tables such as `[[company.members]]`, each named by its number from 1.
    pub(super) fn tables<'a>(
        &mut self,
        section: &Section<'a>,
        key: &str,
        keys: &[&str],
    ) -> Vec<Section<'a>> {
        let takes = "tables: write [[company.members]] above each";
        let Some(found) = section.get(key) else {
            return Vec::new();
        };
        let DeValue::Array(entries) = found.get_ref() else {
            self.bad(section, key, Some(&shown(found.get_ref())), takes);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (i, entry) in entries.iter().take(ENTRIES_MAX).enumerate() {
            let DeValue::Table(table) = entry.get_ref() else {
                self.bad(section, key, Some(&shown(entry.get_ref())), takes);
                continue;
            };
            let member = Section {
                name: format!("{} {key} {}:", section.name, i + 1),
                table: Some(table),
                at: entry.span().start,
            };
            self.refuse_unknown(&member, keys, "keys");
            tables.push(member);
        }
        tables
    }

    /// A text of 1 to `chars_max` characters, trimmed. A whole number is taken as its digits, because codes look like one.
    pub(super) fn text(
        &mut self,
        section: &Section<'_>,
        key: &str,
        chars_max: usize,
    ) -> Option<String> {
        let takes = format!("a text of 1 to {chars_max} visible characters");
        self.read(section, key, &takes, |text| {
            typed(text, key, chars_max).ok()
        })
    }

    /// A value made from the text of a string or of a plain number; numbers are taken as written, never through a float.
    pub(super) fn read<T>(
        &mut self,
        section: &Section<'_>,
        key: &str,
        takes: &str,
        make: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let value = section.get(key)?.get_ref();
        let made = literal(value).and_then(|text| make(text.trim()));
        if made.is_none() {
            self.bad(section, key, Some(&shown(value)), takes);
        }
        made
    }

    /// A truth value.
    pub(super) fn truth(&mut self, section: &Section<'_>, key: &str) -> Option<bool> {
        let value = section.get(key)?.get_ref();
        if value.as_bool().is_none() {
            self.bad(
                section,
                key,
                Some(&shown(value)),
                "true or false, without quotes",
            );
        }
        value.as_bool()
    }

    /// A list of different texts, trimmed, each of 1 to `chars_max` characters.
    pub(super) fn list(
        &mut self,
        section: &Section<'_>,
        key: &str,
        chars_max: usize,
    ) -> Vec<String> {
        let takes = format!(
            "a list of at most {ENTRIES_MAX} different texts of 1 to {chars_max} visible characters, such as [\"a\", \"b\"]"
        );
        let Some(found) = section.get(key) else {
            return Vec::new();
        };
        let entries = match found.get_ref() {
            DeValue::Array(entries) if entries.len() <= ENTRIES_MAX => entries,
            other => {
                self.bad(section, key, Some(&shown(other)), &takes);
                return Vec::new();
            }
        };
        let mut kept: Vec<String> = Vec::with_capacity(entries.len());
        let mut seen = BTreeSet::new();
        for entry in entries.iter() {
            let text = literal(entry.get_ref()).and_then(|text| typed(text, key, chars_max).ok());
            match text {
                Some(text) if seen.insert(text.clone()) => kept.push(text),
                _ => self.bad(section, key, Some(&shown(entry.get_ref())), &takes),
            }
        }
        kept
    }

    /// Adds a fault about a key's value, or about its absence where `value` is `None`.
    pub(super) fn bad(
        &mut self,
        section: &Section<'_>,
        key: &str,
        value: Option<&str>,
        takes: &str,
    ) {
        let says = match value {
            Some(value) => format!("is {}", quoted(value)),
            None => "is missing".to_owned(),
        };
        let message = format!("{} {says}; it takes {takes}", section.path(key));
        let mut refusal = Refusal::new("bad_setting", message);
        if let Some(value) = value {
            refusal = quoting(refusal, value);
        }
        self.add(section, key, refusal);
    }

    /// Adds a fault about this key that a rule found without knowing the file.
    pub(super) fn refuse(&mut self, section: &Section<'_>, key: &str, mut refusal: Refusal) {
        refusal.message = format!("{}: {}", section.path(key), refusal.message);
        self.add(section, key, refusal);
    }

    fn add(&mut self, section: &Section<'_>, key: &str, refusal: Refusal) {
        let at = section.get(key).map_or(section.at, |v| v.span().start);
        self.list
            .push((at, refusal.with("field", section.path(key))));
    }

    /// Ends the reading of `text`. Refuses: every fault found, in the file's order, the first hundred by name.
    pub(super) fn finish(mut self, text: &str) -> Result<(), Vec<Refusal>> {
        self.list.sort_by_key(|(at, _)| *at);
        let more = self.list.len().saturating_sub(FAULTS_MAX);
        // The line is counted here, for the listed faults only, so that a hostile file costs no more than a hundred counts.
        let listed = self
            .list
            .into_iter()
            .take(FAULTS_MAX)
            .map(|(at, mut refusal)| {
                let line = line_of(text, at);
                refusal.message = format!("wanderbooks.toml line {line}: {}", refusal.message);
                refusal.with("line", line)
            });
        let mut faults: Vec<Refusal> = listed.collect();
        if more > 0 {
            let message = format!("wanderbooks.toml has {more} more faults than are listed here");
            faults.push(Refusal::new("more_faults", message).with("more", more));
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }
}

/// The refusal with the file's own words in the fields that every fault of a file has for them.
fn quoting(refusal: Refusal, words: &str) -> Refusal {
    refusal
        .with("text", clean(words, CHARS_KEPT).0)
        .quoting_file()
}

/// The text of a string, or a plain number as written.
fn literal<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    match value {
        DeValue::String(text) => Some(text.as_ref()),
        DeValue::Integer(digits) if digits.radix() == 10 => Some(digits.as_str()),
        DeValue::Float(digits) => Some(digits.as_str()),
        _ => None,
    }
}

/// A value as a message names it.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(when) => when.to_string(),
        DeValue::Integer(digits) => digits.to_string(),
        DeValue::Array(entries) => format!("a list of {}", entries.len()),
        DeValue::Table(_) => "a table".to_owned(),
        other => literal(other).unwrap_or_default().to_owned(),
    }
}

/// The line, from 1, of a place in the text.
fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}
