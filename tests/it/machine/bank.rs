//! Statements, marks and reconciliations as the model has them. It makes no call.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    judge::{AMOUNT_MINOR_MAX, Change, Noes, no, text},
    model::{Model, debit_normal, money},
};

/// What a file is linked to: a kind and an id, 0 for the company.
pub type Subject = (&'static str, i64);

/// A statement: its file, its account, its days and both balances on the normal side.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub file: i64,
    pub account: i64,
    pub start: String,
    pub end: String,
    pub opening: i128,
    pub closing: i128,
}

/// A reconciliation; its id is its place, from 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Reconciled {
    pub account: i64,
    pub date: String,
    pub balance: i128,
    pub file: i64,
    pub voided: bool,
    /// The lines that it locked.
    pub lines: BTreeSet<(i64, usize)>,
}

/// All that the model knows of banks.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Bank {
    pub statements: Vec<Statement>,
    pub cleared: BTreeSet<(i64, usize)>,
    pub done: Vec<Reconciled>,
}

/// What an account comes to beside a statement.
pub struct Sums {
    pub book: i128,
    pub cleared: i128,
    pub open: Vec<(String, i64, usize)>,
    pub fresh: Vec<(String, i64, usize)>,
}

impl Model {
    /// How many reconciliations were made, voided ones included.
    pub fn reconciled(&self) -> usize {
        self.banking.done.len()
    }

    pub fn record_statement(&self, args: &Value) -> Change {
        let file = args["attachment_id"].as_i64().expect("an id");
        let found = self.file(file)?;
        let account = self
            .resolve(&args["account"])
            .map_err(|code| Noes::from([code]))?;
        let mut noes = Noes::new();
        if found.withdrawn {
            noes.insert("attachment_withdrawn");
        }
        if self.banking.statements.iter().any(|one| one.file == file) {
            noes.insert("statement_recorded");
        }
        if !self.has_statements(account) {
            noes.insert("not_reconcilable");
        }
        for key in ["opening_balance", "closing_balance"] {
            if super::model::minor(&args[key]).abs() > AMOUNT_MINOR_MAX {
                noes.insert("bad_amount");
            }
        }
        let day = |key: &str| text(args, key).to_owned();
        if day("period_start") > day("period_end") {
            noes.insert("statement_period");
        }
        if !noes.is_empty() {
            return Err(noes);
        }
        let mut after = self.clone();
        let linked = found.is_on(("account", account));
        if !linked {
            after.file_mut(file).links.push(("account", account));
        }
        after.banking.statements.push(Statement {
            file,
            account,
            start: day("period_start"),
            end: day("period_end"),
            opening: super::model::minor(&args["opening_balance"]),
            closing: super::model::minor(&args["closing_balance"]),
        });
        let view = json!({"attachment_id": file, "account_code": self.account(account).expect("found").code});
        Ok((after, 2 - i64::from(linked), view))
    }

    fn has_statements(&self, account: i64) -> bool {
        let kind = &self.account(account).expect("an account").kind;
        matches!(kind.as_str(), "asset" | "liability")
    }

    /// The last reconciliation of an account that is not voided: its id and itself.
    pub fn last(&self, account: i64) -> Option<(i64, &Reconciled)> {
        let live = (1..)
            .zip(&self.banking.done)
            .filter(|(_, one)| !one.voided && one.account == account);
        live.max_by(|a, b| a.1.date.cmp(&b.1.date))
    }

    pub fn mark(&self, args: &Value) -> Change {
        let id = args["entry_id"].as_i64().expect("an id");
        let Some(entry) = self.entry(id) else {
            return no("unknown_entry");
        };
        if entry.status != "posted" {
            return no("entry_not_posted");
        }
        let index = usize::try_from(args["line_index"].as_u64().expect("a place")).expect("fits");
        let Some((account, _, _)) = entry.lines.get(index) else {
            return no("unknown_line");
        };
        if !self.has_statements(*account) {
            return no("not_reconcilable");
        }
        let (place, on) = ((id, index), args["cleared"] != json!(false));
        let mut after = self.clone();
        let changed = if on {
            after.banking.cleared.insert(place)
        } else {
            let locked = |one: &Reconciled| !one.voided && one.lines.contains(&place);
            if self.banking.done.iter().any(locked) {
                return no("line_locked");
            }
            after.banking.cleared.remove(&place)
        };
        let view = json!({"ok": true, "entry_id": id, "line_index": index, "cleared": on});
        Ok((after, i64::from(changed), view))
    }

    /// An account through a day, on its normal side.
    pub fn sums(&self, account: i64, date: &str) -> Sums {
        let sign = if debit_normal(&self.account(account).expect("an account").kind) {
            1
        } else {
            -1
        };
        let mut sums = Sums {
            book: 0,
            cleared: 0,
            open: Vec::new(),
            fresh: Vec::new(),
        };
        for (id, entry) in (1..).zip(&self.entries) {
            if entry.status != "posted" || entry.date.as_str() > date {
                continue;
            }
            let lines = entry
                .lines
                .iter()
                .enumerate()
                .filter(|(_, line)| line.0 == account);
            for (index, (_, amount, _)) in lines {
                sums.book += sign * amount;
                let place = (entry.date.clone(), id, index);
                if !self.banking.cleared.contains(&(id, index)) {
                    sums.open.push(place);
                    continue;
                }
                sums.cleared += sign * amount;
                let locked = |one: &Reconciled| !one.voided && one.lines.contains(&(id, index));
                if !self.banking.done.iter().any(locked) {
                    sums.fresh.push(place);
                }
            }
        }
        sums.open.sort();
        sums.fresh.sort();
        sums
    }

    /// What a preview shows, and why it may not be confirmed.
    pub fn compared(&self, statement: &Statement) -> (Value, Noes) {
        let (account, date) = (statement.account, statement.end.as_str());
        let sums = self.sums(account, date);
        let lines = |lines: &[(String, i64, usize)]| {
            let shown = lines.iter().take(100);
            shown
                .map(|(_, id, index)| json!([id, index]))
                .collect::<Vec<_>>()
        };
        let view = json!({
            "book_balance": money(sums.book), "cleared_balance": money(sums.cleared),
            "statement_balance": money(statement.closing), "difference": money(sums.cleared - statement.closing),
            "uncleared_count": sums.open.len(), "cleared_count": sums.fresh.len(),
            "uncleared": lines(&sums.open), "cleared": lines(&sums.fresh),
        });
        let mut noes = Noes::new();
        if sums.cleared != statement.closing {
            noes.insert("reconcile_difference");
        }
        let last = self.last(account);
        let before = match last {
            Some((_, last)) => last.balance,
            None => {
                let sign = if debit_normal(&self.account(account).expect("an account").kind) {
                    1
                } else {
                    -1
                };
                let amount = |(id, index): &(i64, usize)| {
                    sign * self.entry(*id).expect("an entry").lines[*index].1
                };
                let early = sums
                    .fresh
                    .iter()
                    .filter(|(date, _, _)| *date < statement.start);
                early.map(|(_, id, index)| amount(&(*id, *index))).sum()
            }
        };
        if last.is_some_and(|(_, last)| date <= last.date.as_str()) {
            noes.insert("already_reconciled");
        } else if statement.opening != before {
            noes.insert("statement_opening");
        }
        if self
            .banking
            .done
            .iter()
            .any(|one| !one.voided && one.file == statement.file)
        {
            noes.insert("statement_used");
        }
        if self.file(statement.file).is_ok_and(|file| file.withdrawn) {
            noes.insert("statement_withdrawn");
        }
        (view, noes)
    }

    pub fn reconcile(&self, args: &Value) -> Change {
        let file = args["statement_attachment"].as_i64().expect("an id");
        self.file(file)?;
        let Some(statement) = self.banking.statements.iter().find(|one| one.file == file) else {
            return no("statement_not_recorded");
        };
        let (_, noes) = self.compared(statement);
        if !noes.is_empty() {
            return Err(noes);
        }
        let mut after = self.clone();
        let fresh = self.sums(statement.account, &statement.end).fresh;
        after.banking.done.push(Reconciled {
            account: statement.account,
            date: statement.end.clone(),
            balance: statement.closing,
            file,
            voided: false,
            lines: fresh
                .into_iter()
                .map(|(_, id, index)| (id, index))
                .collect(),
        });
        let id = i64::try_from(after.banking.done.len()).expect("it fits");
        after.file_mut(file).links.push(("reconciliation", id));
        Ok((
            after,
            2,
            json!({"status": "reconciled", "reconciliation": id, "difference": "0.00"}),
        ))
    }

    pub fn void(&self, args: &Value) -> Change {
        let id = args["reconciliation_id"].as_i64().expect("an id");
        let Some((_, found)) = (1..).zip(&self.banking.done).find(|(n, _)| *n == id) else {
            return no("unknown_reconciliation");
        };
        if found.voided {
            return no("reconciliation_voided");
        }
        if self.last(found.account).is_some_and(|(last, _)| last != id) {
            return no("reconciliation_not_last");
        }
        let mut after = self.clone();
        after.banking.done[usize::try_from(id - 1).expect("an id")].voided = true;
        Ok((
            after,
            1,
            json!({"reconciliation_id": id, "voided": true, "voided_reason": "Wrong"}),
        ))
    }
}
