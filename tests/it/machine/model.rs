//! What the books should be, kept by the test itself: plain lists and sums of 128 bits. It never reads the books' tables.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    bank::Bank,
    receipts::{Policy, Receipt},
};

/// An account as the machine remembers it. Its id is its place, from 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Account {
    pub code: String,
    pub name: String,
    pub kind: String,
    pub parent: Option<i64>,
    pub placeholder: bool,
    pub archived: bool,
}

/// An entry as the machine remembers it. Its id is its place, from 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub date: String,
    pub description: String,
    pub status: &'static str,
    pub origin: &'static str,
    /// Its lines.
    pub lines: Vec<Line>,
    pub reverses: Option<i64>,
    pub reversed_by: Option<i64>,
}

/// Account id, signed amount, and what else there is to a line.
pub type Line = (i64, i128, Tags);

/// What only some lines have.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Tags {
    /// The class's id.
    pub class: Option<i64>,
    /// Currency, amount without its sign, and rate, as answers write them.
    pub foreign: Option<(String, String, String)>,
}

/// What a call under a request key was.
#[derive(Clone, PartialEq, Debug)]
pub struct Keyed {
    pub tool: String,
    pub args: Value,
    pub answer: Value,
}

/// The books as they should be.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Model {
    pub accounts: Vec<Account>,
    pub entries: Vec<Entry>,
    /// Names of classes; an id is a place, from 1.
    pub classes: Vec<String>,
    pub receipts: Vec<Receipt>,
    pub banking: Bank,
    pub policy: Policy,
    pub keys: BTreeMap<String, Keyed>,
    /// How often a bank row is known: account, day, amount, description.
    pub bank: BTreeMap<(i64, String, i128, String), usize>,
}

/// Minor units as they stand on the wire.
pub fn money(minor: i128) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let whole = minor.abs();
    format!("{sign}{}.{:02}", whole / 100, whole % 100)
}

/// Minor units of an amount with two decimals.
pub fn minor(value: &Value) -> i128 {
    let text = value.as_str().expect("an amount is text");
    let digits: String = text.chars().filter(|c| *c != '.').collect();
    assert!(
        text.len() >= 4 && text.as_bytes()[text.len() - 3] == b'.',
        "{text}"
    );
    digits.parse().expect("digits")
}

/// Whether a type's balances are shown as they are, debit positive.
pub fn debit_normal(kind: &str) -> bool {
    matches!(kind, "asset" | "expense")
}

fn index(id: i64) -> Option<usize> {
    usize::try_from(id).ok()?.checked_sub(1)
}

impl Model {
    pub fn account(&self, id: i64) -> Option<&Account> {
        self.accounts.get(index(id)?)
    }
    pub fn account_mut(&mut self, id: i64) -> &mut Account {
        &mut self.accounts[index(id).expect("an id")]
    }
    pub fn entry(&self, id: i64) -> Option<&Entry> {
        self.entries.get(index(id)?)
    }
    pub fn entry_mut(&mut self, id: i64) -> &mut Entry {
        &mut self.entries[index(id).expect("an id")]
    }

    /// Settles which reversals are live, newest first: a live reversal reverses its entry, and a reversed reversal does not.
    /// False when an entry would have two live reversals.
    pub fn reversals_stand(&mut self) -> bool {
        let mut by: Vec<Option<i64>> = vec![None; self.entries.len()];
        for place in (0..self.entries.len()).rev() {
            let live = self.entries[place].status == "posted" && by[place].is_none();
            if let (true, Some(target)) = (live, self.entries[place].reverses) {
                let target = index(target).expect("an id");
                let id = i64::try_from(place).expect("it fits") + 1;
                if by[target].replace(id).is_some() {
                    return false;
                }
            }
        }
        for (entry, by) in self.entries.iter_mut().zip(by) {
            entry.reversed_by = by;
        }
        true
    }

    /// The ids of all accounts.
    pub fn account_ids(&self) -> Vec<i64> {
        (1..).take(self.accounts.len()).collect()
    }
    /// The ids of the entries that stand so.
    pub fn standing(&self, status: &str) -> Vec<i64> {
        let with = (1..).zip(&self.entries);
        with.filter(|(_, e)| e.status == status)
            .map(|(id, _)| id)
            .collect()
    }

    /// Whether accounts stand under this one, or it is marked as grouping.
    pub fn groups(&self, id: i64) -> bool {
        let marked = self.account(id).is_some_and(|a| a.placeholder);
        marked || self.accounts.iter().any(|a| a.parent == Some(id))
    }

    /// How many lines of entries that stand so are on an account.
    pub fn used(&self, id: i64, status: &str) -> usize {
        let standing = self.entries.iter().filter(|e| e.status == status);
        standing
            .flat_map(|e| &e.lines)
            .filter(|l| l.0 == id)
            .count()
    }

    /// The sum of an account's posted lines between two days, debit positive.
    pub fn raw(&self, id: i64, from: &str, to: &str) -> i128 {
        let posted = self.entries.iter().filter(|e| e.status == "posted");
        posted
            .filter(|e| from <= e.date.as_str() && e.date.as_str() <= to)
            .flat_map(|e| &e.lines)
            .filter(|l| l.0 == id)
            .map(|l| l.1)
            .sum()
    }

    /// The same for all accounts of a type, positive on its normal side.
    pub fn shown(&self, kind: &str, from: &str, to: &str) -> i128 {
        let of_kind = (1..).zip(&self.accounts).filter(|(_, a)| a.kind == kind);
        let raw: i128 = of_kind.map(|(id, _)| self.raw(id, from, to)).sum();
        if debit_normal(kind) { raw } else { -raw }
    }

    /// The account that a reference names, or why none.
    pub fn resolve(&self, reference: &Value) -> Result<i64, &'static str> {
        let found = match reference.as_str() {
            Some(code) => {
                let place = self.accounts.iter().position(|a| a.code == code.trim());
                place.map(|i| i64::try_from(i).expect("it fits") + 1)
            }
            None => reference.as_i64().filter(|id| self.account(*id).is_some()),
        };
        let also = reference.as_i64().map(|id| id.to_string());
        let coded = also.and_then(|code| self.accounts.iter().position(|a| a.code == code));
        match (found, coded) {
            (Some(id), Some(place)) if usize::try_from(id) != Ok(place + 1) => {
                Err("ambiguous_account")
            }
            _ => found.ok_or("unknown_account"),
        }
    }

    /// An entry as answers show it.
    pub fn view(&self, id: i64) -> Value {
        let entry = self.entry(id).expect("an entry");
        let (mut debits, mut credits) = (0, 0);
        for (_, amount, _) in &entry.lines {
            debits += amount.max(&0);
            credits += (-amount).max(0);
        }
        let mut view = json!({
            "entry_id": id, "status": entry.status, "date": entry.date, "description": entry.description,
            "origin": entry.origin, "total_debit": money(debits), "total_credit": money(credits),
            "lines": self.lines(&entry.lines),
        });
        for (key, other) in [
            ("reverses", entry.reverses),
            ("reversed_by", entry.reversed_by),
        ] {
            if let Some(other) = other {
                view[key] = other.into();
            }
        }
        view
    }

    fn lines(&self, lines: &[Line]) -> Vec<Value> {
        let views = lines.iter().enumerate().map(|(place, (id, amount, tags))| {
            let account = self.account(*id).expect("an account");
            let mut view = json!({
                "line_index": place, "account_id": id, "account_code": account.code, "account_name": account.name,
                "side": if *amount < 0 { "credit" } else { "debit" }, "amount": money(amount.abs()),
            });
            self.write_tags(tags, &mut view);
            view
        });
        views.collect()
    }

    fn write_tags(&self, tags: &Tags, view: &mut Value) {
        if let Some(id) = tags.class {
            view["class_id"] = id.into();
            view["class"] = self.class(id).expect("a class").into();
        }
        if let Some((currency, amount, rate)) = &tags.foreign {
            view["foreign_currency"] = currency.as_str().into();
            view["foreign_amount"] = amount.as_str().into();
            view["fx_rate"] = rate.as_str().into();
        }
    }

    /// A posting as its answer shows it, with the balances that it leaves.
    pub fn posting(&self, id: i64) -> Value {
        let entry = self.entry(id).expect("an entry");
        let mut lines = self.lines(&entry.lines);
        for (view, (account, ..)) in lines.iter_mut().zip(&entry.lines) {
            let raw = self.raw(*account, "", "9");
            let kind = &self.account(*account).expect("an account").kind;
            view["balance"] = money(if debit_normal(kind) { raw } else { -raw }).into();
        }
        let total: i128 = entry.lines.iter().map(|l| l.1.max(0)).sum();
        let mut view = json!({
            "status": "posted", "entry_id": id, "date": entry.date, "description": entry.description,
            "total": money(total), "lines": lines,
        });
        if let Some(reversed) = entry.reverses {
            view["reverses"] = reversed.into();
        }
        view
    }

    /// An account as answers show it.
    pub fn account_view(&self, id: i64) -> Value {
        let account = self.account(id).expect("an account");
        let mut view = json!({
            "id": id, "code": account.code, "name": account.name, "type": account.kind,
            "placeholder": self.groups(id), "archived": account.archived,
        });
        if let Some(parent) = account.parent {
            view["parent"] = self.account(parent).expect("a parent").code.as_str().into();
        }
        view
    }
}
