//! Which entries of a history are in the books already, from an earlier one. The earlier entries of the file's days are read
//! once into fingerprints, so that a long history costs no questions a line; an entry may be found once only, since two equal
//! entries are two.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::table;
use crate::{
    engine::{No, Result},
    model::{Date, Line, Refusal},
    store::View,
};

/// The most entries that a warning names.
const NAMED_MAX: usize = 5;
/// The most entries that a refusal lists.
const LISTED_MAX: usize = 100;

/// An entry as far as it is compared: day, description, and lines in any order. Half a SHA-256, so that a history of any
/// length has no two alike by chance.
type Print = [u8; 16];

/// The entries of earlier histories, and which of them the file holds again.
#[derive(Default)]
pub struct Overlap {
    /// Fingerprints of the earlier entries, in order, each with its entry.
    earlier: Vec<(Print, i64)>,
    /// How often each was found.
    found: HashMap<Print, usize>,
    /// The first entries found.
    listed: Vec<i64>,
    total: usize,
}

impl Overlap {
    /// With the earlier histories' entries between two days, both included, that were not reversed.
    pub fn between(view: &View<'_>, days: (Date, Date)) -> Result<Overlap> {
        let mut earlier = Vec::new();
        if table::histories(view)? {
            table::migrated(view, days, |entry| {
                earlier.push((print(entry.date, &entry.description, entry.lines), entry.id));
            })?;
        }
        earlier.sort_unstable();
        Ok(Overlap {
            earlier,
            ..Overlap::default()
        })
    }

    /// Looks for an entry of the file.
    pub fn look(&mut self, date: Date, description: &str, lines: &[Line]) {
        if self.earlier.is_empty() {
            return;
        }
        let print = print(date, description, lines.to_vec());
        let found = self.found.get(&print).copied().unwrap_or(0);
        let first = self.earlier.partition_point(|(other, _)| *other < print);
        let Some((_, id)) = self
            .earlier
            .get(first + found)
            .filter(|(other, _)| *other == print)
        else {
            return;
        };
        self.found.insert(print, found + 1);
        self.total += 1;
        if self.listed.len() < LISTED_MAX {
            self.listed.push(*id);
        }
    }

    /// The warning about a file of which a part is in the books already.
    ///
    /// Refuses: a file of which every entry is.
    pub fn verdict(&self, entries: usize) -> Result<Option<String>> {
        if self.total == 0 {
            return Ok(None);
        }
        let names = self.names();
        if self.total == entries {
            let message = format!(
                "every entry of this file is in the books already, from an earlier history: {names}"
            );
            return Err(No::from(
                Refusal::new("journal_already_imported", message)
                    .with("entry_ids", self.listed.clone())
                    .with("entries_total", self.total)
                    .remedy("books.search_entries", "look at the entries that are there"),
            ));
        }
        let (are, stand) = if self.total == 1 {
            ("is", "stands")
        } else {
            ("are", "stand")
        };
        Ok(Some(format!(
            "{} of the {entries} entries {are} in the books already, from an earlier history ({names}), and {stand} there twice with this import",
            self.total
        )))
    }

    /// The first entries found, in words.
    fn names(&self) -> String {
        let named = self.listed.iter().take(NAMED_MAX);
        let mut names: Vec<String> = named.map(i64::to_string).collect();
        if self.total == 1 {
            return format!("entry {}", names.concat());
        }
        let last = match self.total - names.len() {
            0 => names.pop().unwrap_or_default(),
            more => format!("{more} more"),
        };
        format!("entries {} and {last}", names.join(", "))
    }
}

fn print(date: Date, description: &str, mut lines: Vec<Line>) -> Print {
    lines.sort_unstable();
    let mut hash = Sha256::new();
    hash.update(date.number().to_le_bytes());
    hash.update((description.len() as u64).to_le_bytes());
    hash.update(description);
    for line in lines {
        let Line {
            account_id,
            amount_minor,
            // The same movement is the same entry, whether it was tagged before or is only now.
            class_id: _,
            foreign: _,
        } = line;
        hash.update(account_id.to_le_bytes());
        hash.update(amount_minor.to_le_bytes());
    }
    let mut print = Print::default();
    print.copy_from_slice(&hash.finalize()[..16]);
    print
}
