//! Tables in memory, filled by the same folds as the live ones, to compare the live ones with.

use std::collections::{BTreeMap, HashMap};

use super::{
    fold::{FoldResult, add_checked, misfit, no_row},
    table::{Holds, Table, Val},
};

/// Every table's rows. There are few tables, so one is found by its place in a list.
#[derive(Default)]
pub struct Memory {
    tables: Vec<(&'static str, Kept)>,
    /// Of the columns of which no two rows have the same value: table, position and encoded value, with the row's key.
    uniques: HashMap<(&'static str, usize), Owners>,
    /// An encoded key, kept so that not every total makes one anew.
    key: Vec<u8>,
}

/// A table is filled by rows or by sums, never by both.
enum Kept {
    Rows(Rows),
    Sums(Sums),
}

/// Totals by encoded key: the rows that change most.
type Sums = HashMap<Box<[u8]>, Box<[i64]>>;

/// Which row has a value, both encoded.
type Owners = HashMap<Box<[u8]>, Box<[u8]>>;

/// A table's rows as bytes that sort as SQLite sorts the rows. The bytes lie in one piece, because a replay of large books
/// makes a million rows; rows that come in key order, as almost all do, are found by halving.
#[derive(Default)]
pub(super) struct Rows {
    bytes: Vec<u8>,
    /// In key order.
    sorted: Vec<Place>,
    /// Rows that came out of order.
    other: BTreeMap<Box<[u8]>, Place>,
}

/// Where a row's key and the rest of it lie.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    key_end: usize,
    end: usize,
    live: bool,
}

impl Rows {
    fn key(&self, place: Place) -> &[u8] {
        &self.bytes[place.start..place.key_end]
    }

    /// The row with this key, removed or not.
    fn place(&mut self, key: &[u8]) -> Option<&mut Place> {
        let at = self
            .sorted
            .binary_search_by(|p| self.bytes[p.start..p.key_end].cmp(key));
        match at {
            Ok(at) => self.sorted.get_mut(at),
            Err(_) => self.other.get_mut(key),
        }
    }

    fn live(&mut self, key: &[u8]) -> Option<Place> {
        self.place(key).map(|p| *p).filter(|p| p.live)
    }

    /// Whether there is a row with this key; most ask for one of the last.
    fn has(&mut self, key: &[u8]) -> bool {
        match self.sorted.last() {
            Some(last) if last.live && self.key(*last) == key => true,
            _ => self.live(key).is_some(),
        }
    }

    /// Appends a row's bytes.
    fn append(&mut self, key: &[Val<'_>], rest: &[Val<'_>]) -> Place {
        let start = self.bytes.len();
        for value in key {
            encode(*value, &mut self.bytes);
        }
        let key_end = self.bytes.len();
        for value in rest {
            encode(*value, &mut self.bytes);
        }
        Place {
            start,
            key_end,
            end: self.bytes.len(),
            live: true,
        }
    }

    /// Adds a row; false when one with its key is there.
    fn insert(&mut self, key: &[Val<'_>], rest: &[Val<'_>]) -> bool {
        let new = self.append(key, rest);
        let last = self.sorted.last().map(|p| self.key(*p));
        if last.is_none_or(|last| last < self.key(new)) {
            self.sorted.push(new);
            return true;
        }
        let key = self.key(new).to_vec();
        match self.place(&key) {
            Some(old) if old.live => false,
            Some(old) => {
                *old = new;
                true
            }
            None => {
                self.other.insert(key.into_boxed_slice(), new);
                true
            }
        }
    }

    /// Every live row in key order: its key and the rest of it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let mut sorted = self.sorted.iter().peekable();
        let mut other = self.other.values().peekable();
        std::iter::from_fn(move || {
            loop {
                let from_other = match (sorted.peek(), other.peek()) {
                    (Some(a), Some(b)) => self.key(**b) < self.key(**a),
                    (None, Some(_)) => true,
                    _ => false,
                };
                let place = if from_other {
                    other.next()
                } else {
                    sorted.next()
                };
                let place = *place?;
                if place.live {
                    return Some((self.key(place), &self.bytes[place.key_end..place.end]));
                }
            }
        })
    }
}

impl From<Sums> for Rows {
    fn from(sums: Sums) -> Rows {
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_unstable();
        let mut rows = Rows::default();
        for (key, amounts) in sums {
            let start = rows.bytes.len();
            rows.bytes.extend_from_slice(&key);
            let key_end = rows.bytes.len();
            for amount in amounts {
                encode(Val::Int(amount), &mut rows.bytes);
            }
            rows.sorted.push(Place {
                start,
                key_end,
                end: rows.bytes.len(),
                live: true,
            });
        }
        rows
    }
}

const NULL: u8 = 0;
const INT: u8 = 1;
const TEXT: u8 = 2;

/// Appends a value so that byte order is SQLite's order of values.
pub(super) fn encode(value: Val<'_>, out: &mut Vec<u8>) {
    match value {
        Val::Null => out.push(NULL),
        Val::Int(n) => {
            let mut bytes = [INT; 9];
            // Flipping the sign bit makes two's complement sort as unsigned bytes do.
            bytes[1..].copy_from_slice(&(n.cast_unsigned() ^ (1 << 63)).to_be_bytes());
            out.extend_from_slice(&bytes);
        }
        Val::Text(s) => {
            out.push(TEXT);
            out.extend_from_slice(s.as_bytes());
            // A terminator keeps "a" before "ab" and separates columns; NUL cannot stand in text of the books.
            out.push(0);
        }
    }
}

fn encode_all(values: &[Val<'_>]) -> Vec<u8> {
    // The exact length, so that the rows of large books are not copied once more to give up spare room.
    let length = |value: &Val<'_>| match value {
        Val::Null => 1,
        Val::Int(_) => 9,
        Val::Text(s) => s.len() + 2,
    };
    let mut out = Vec::with_capacity(values.iter().map(length).sum());
    for value in values {
        encode(*value, &mut out);
    }
    out
}

/// The values of an encoded row, in order.
fn decode(mut bytes: &[u8]) -> Vec<Val<'_>> {
    let mut values = Vec::new();
    while let Some((tag, rest)) = bytes.split_first() {
        let (value, rest) = match *tag {
            INT => {
                let (number, rest) = rest.split_at(8);
                let number: [u8; 8] = number.try_into().expect("split_at gave eight bytes");
                (
                    Val::Int((u64::from_be_bytes(number) ^ (1 << 63)).cast_signed()),
                    rest,
                )
            }
            TEXT => {
                let end = rest.iter().position(|b| *b == 0).unwrap_or(rest.len());
                let text =
                    std::str::from_utf8(&rest[..end]).expect("only text was encoded as text");
                (Val::Text(text), rest.get(end + 1..).unwrap_or_default())
            }
            _ => (Val::Null, rest),
        };
        values.push(value);
        bytes = rest;
    }
    values
}

impl Memory {
    fn kept(&mut self, table: &'static Table) -> &mut Kept {
        let at = match self.tables.iter().position(|(name, _)| *name == table.name) {
            Some(at) => at,
            None => {
                let kept = match table.holds {
                    Holds::Rows => Kept::Rows(Rows::default()),
                    Holds::Sums => Kept::Sums(Sums::new()),
                };
                self.tables.push((table.name, kept));
                self.tables.len() - 1
            }
        };
        &mut self.tables[at].1
    }

    fn rows(&mut self, table: &'static Table) -> FoldResult<&mut Rows> {
        match self.kept(table) {
            Kept::Rows(rows) => Ok(rows),
            Kept::Sums(_) => Err(misfit(table, "rows among sums".to_owned())),
        }
    }

    /// The rows of a table.
    pub(super) fn take(&mut self, table: &'static Table) -> Rows {
        match self.tables.iter().position(|(name, _)| *name == table.name) {
            None => Rows::default(),
            Some(at) => match self.tables.swap_remove(at).1 {
                Kept::Rows(rows) => rows,
                Kept::Sums(sums) => Rows::from(sums),
            },
        }
    }

    /// Whether a table has a row with this key of one column.
    pub(super) fn has(&mut self, table: &'static str, key: Val<'_>) -> bool {
        let mut encoded = std::mem::take(&mut self.key);
        encoded.clear();
        encode(key, &mut encoded);
        let kept = self.tables.iter_mut().find(|(name, _)| *name == table);
        let found = match kept.map(|(_, kept)| kept) {
            Some(Kept::Rows(rows)) => rows.has(&encoded),
            Some(Kept::Sums(sums)) => sums.contains_key(encoded.as_slice()),
            None => false,
        };
        self.key = encoded;
        found
    }

    /// Gives a value to the row with this encoded key, in a column of which no two rows have the same.
    fn take_unique(
        &mut self,
        table: &'static Table,
        (at, value): (usize, Val<'_>),
        key: &[u8],
    ) -> FoldResult {
        let values = self.uniques.entry((table.name, at)).or_default();
        let encoded = encode_all(&[value]).into_boxed_slice();
        match values.get(&encoded) {
            Some(other) if **other != *key => {
                let name = table.columns[at].name();
                Err(misfit(table, format!("two rows with the same {name}")))
            }
            Some(_) => Ok(()),
            None => {
                values.insert(encoded, key.into());
                Ok(())
            }
        }
    }

    pub(super) fn insert(&mut self, table: &'static Table, row: &[Val<'_>]) -> FoldResult {
        for at in table.uniques() {
            self.take_unique(table, (at, row[at]), &encode_all(&row[..table.key]))?;
        }
        let (key, rest) = row.split_at(table.key);
        if self.rows(table)?.insert(key, rest) {
            return Ok(());
        }
        Err(misfit(table, format!("a second row {key:?}")))
    }

    pub(super) fn insert_first(&mut self, table: &'static Table, row: &[Val<'_>]) -> FoldResult {
        let (key, rest) = row.split_at(table.key);
        self.rows(table)?.insert(key, rest);
        Ok(())
    }

    pub(super) fn set(
        &mut self,
        table: &'static Table,
        key: &[Val<'_>],
        from: &[(&'static str, Val<'_>)],
        changes: &[(&'static str, Val<'_>)],
    ) -> FoldResult {
        let encoded = encode_all(key);
        for at in table.uniques() {
            let changed = changes.iter().find(|(n, _)| *n == table.columns[at].name());
            if let Some((_, value)) = changed {
                if let Some(values) = self.uniques.get_mut(&(table.name, at)) {
                    values.retain(|_, owner| **owner != *encoded);
                }
                self.take_unique(table, (at, *value), &encoded)?;
            }
        }
        let rows = self.rows(table)?;
        let old = rows
            .live(&encoded)
            .ok_or_else(|| no_row(table, key, from))?;
        let rest = rows.bytes[old.key_end..old.end].to_vec();
        let mut values = decode(&rest);
        let place = |name: &str| {
            let place = table.position(name).checked_sub(table.key);
            place.ok_or_else(|| misfit(table, format!("{name} cannot be changed")))
        };
        for (name, value) in from {
            if values.get(place(name)?) != Some(value) {
                return Err(no_row(table, key, from));
            }
        }
        for (name, value) in changes {
            if let Some(slot) = values.get_mut(place(name)?) {
                *slot = *value;
            }
        }
        let new = rows.append(key, &values);
        if let Some(place) = rows.place(&encoded) {
            *place = new;
        }
        Ok(())
    }

    /// What a column that holds whole numbers has in the row with this key; `None` without such a row.
    pub(super) fn number(
        &mut self,
        table: &'static Table,
        key: &[Val<'_>],
        column: usize,
    ) -> FoldResult<Option<Option<i64>>> {
        let rows = self.rows(table)?;
        let row = rows.live(&encode_all(key));
        Ok(row.map(
            |row| match decode(&rows.bytes[row.start..row.end]).get(column) {
                Some(Val::Int(n)) => Some(*n),
                _ => None,
            },
        ))
    }

    pub(super) fn remove(&mut self, table: &'static Table, key: &[Val<'_>]) -> FoldResult {
        let prefix = encode_all(key);
        let rows = self.rows(table)?;
        let from = rows
            .sorted
            .partition_point(|p| rows.bytes[p.start..p.key_end] < *prefix);
        for place in &mut rows.sorted[from..] {
            if !rows.bytes[place.start..place.key_end].starts_with(&prefix) {
                break;
            }
            place.live = false;
        }
        for (_, place) in rows
            .other
            .range_mut(prefix.clone().into_boxed_slice()..)
            .take_while(|(key, _)| key.starts_with(&prefix))
        {
            place.live = false;
        }
        Ok(())
    }

    pub(super) fn add(
        &mut self,
        table: &'static Table,
        key: &[Val<'_>],
        amounts: &[i64],
    ) -> FoldResult {
        let mut encoded = std::mem::take(&mut self.key);
        encoded.clear();
        for value in key {
            encode(*value, &mut encoded);
        }
        let added = match self.kept(table) {
            Kept::Sums(sums) => add(table, sums, &encoded, amounts),
            Kept::Rows(_) => Err(misfit(table, "sums among rows".to_owned())),
        };
        self.key = encoded;
        added
    }
}

fn add(table: &'static Table, sums: &mut Sums, key: &[u8], amounts: &[i64]) -> FoldResult {
    match sums.get_mut(key) {
        Some(old) => {
            for (old, amount) in old.iter_mut().zip(amounts) {
                *old = add_checked(table, *old, *amount)?;
            }
        }
        None => {
            sums.insert(key.into(), amounts.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
