//! The settings file as paper: where it is and what it says. Which keys it may hold and what they mean is the business of
//! the domain that answers for them.

use std::io;

use crate::{
    model::{Refusal, quoted},
    store::Paths,
};

use super::Domain;

const SETTINGS_BYTES_MAX: u64 = 1 << 20;

/// The settings file as it was read at the start.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile {
    /// Its text; empty when there is no file.
    pub text: String,
    /// Whether there is a file.
    pub exists: bool,
    table: toml::Table,
}

impl SettingsFile {
    /// Reads the file and asks every domain whether it makes sense. A broken file is unavailable, never a silent default.
    pub fn read(paths: &Paths, domains: &[&'static Domain]) -> Result<SettingsFile, Refusal> {
        let named = |why: String| {
            Refusal::new(
                "settings_unreadable",
                format!("{}: {why}", quoted(&paths.settings.to_string_lossy())),
            )
            .hint("mend the file; nothing was changed")
        };
        let bytes = match crate::world::files::read_file(&paths.settings, SETTINGS_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(SettingsFile::default()),
            Err(e) => return Err(named(e.to_string())),
        };
        let text =
            String::from_utf8(bytes).map_err(|_| named("it is not UTF-8 text".to_owned()))?;
        Self::parse(text, domains).map_err(|refusals| {
            let reasons: Vec<String> = refusals.iter().map(|r| r.message.clone()).collect();
            named(reasons.join("; "))
        })
    }

    /// Asks every domain that answers for settings whether a text makes sense.
    pub fn parse(text: String, domains: &[&'static Domain]) -> Result<SettingsFile, Vec<Refusal>> {
        let fault = |message: String| Refusal::new("bad_settings", message);
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| {
            let before = e.span().and_then(|span| text.get(..span.start));
            let place = before.map(|text| 1 + text.bytes().filter(|b| *b == b'\n').count());
            let place = place.map_or_else(String::new, |line| format!("line {line}: "));
            vec![fault(format!("{place}{}", e.message()))]
        })?;
        let mut faults = Vec::new();
        for domain in domains {
            if let Some(Err(more)) = domain.hooks.settings.map(|check| check(&text)) {
                faults.extend(more);
            }
        }
        if faults.is_empty() {
            Ok(SettingsFile {
                text,
                exists: true,
                table,
            })
        } else {
            Err(faults)
        }
    }

    /// The settings whose value is this text, or a list that holds it: `books.cash_accounts`.
    pub fn mentions(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        mentions(
            &toml::Value::Table(self.table.clone()),
            text,
            "",
            &mut found,
        );
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
