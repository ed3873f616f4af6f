//! The machine's steps: single calls, and the short ceremonies of several calls that an invariant is about.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    Machine,
    generate::Draw,
    imports::{ChartRow, bank_csv, bank_rows},
    judge::Verdict,
};

/// An answer without what only the engine adds and what a preview cannot have.
fn bare(answer: &Value) -> Value {
    let mut bare = answer.clone();
    let map = bare.as_object_mut().expect("an object");
    for key in ["status", "preview", "seq", "head", "entry_id"] {
        map.remove(key);
    }
    bare
}

impl Machine {
    /// One step, drawn by weight.
    pub fn step(&mut self) {
        match self.chance.below(100) {
            0..=42 => self.change(),
            43..=48 => self.links(),
            49..=51 => self.statement(),
            52..=57 => self.receipt(),
            58..=62 => self.purchases(),
            63..=64 => self.edit_policy(),
            65..=73 => self.agree(),
            74..=76 => self.later(),
            77..=79 => self.undo(),
            80..=84 => self.bank(),
            85..=86 => self.chart(),
            87..=91 => self.look(),
            92..=95 => self.search(),
            _ => self.repeat(),
        }
    }

    fn change(&mut self) {
        let mut drawn = Draw {
            chance: &mut self.chance,
            model: &self.model,
        }
        .change();
        if drawn.malformed {
            let codes = BTreeSet::from(["invalid_arguments"]);
            self.held(drawn.tool, &drawn.args, Verdict::No(codes));
            return;
        }
        if self.chance.percent(12) {
            self.keys += 1;
            drawn.args["request_key"] = format!("key-{}", self.keys).into();
        }
        self.act(drawn.tool, &drawn.args);
    }

    /// Calls again under a key that was used: the same call, or another one.
    fn repeat(&mut self) {
        let keys: Vec<String> = self.model.keys.keys().cloned().collect();
        if keys.is_empty() {
            return self.change();
        }
        let key = self.chance.pick(&keys);
        let keyed = self.model.keys[&key].clone();
        let (tool, mut args) = if self.chance.percent(60) {
            (keyed.tool, keyed.args)
        } else {
            let draft = json!({"date": "2026-01-31", "description": "Another call"});
            ("books.draft_entry".to_owned(), draft)
        };
        if matches!(tool.as_str(), "books.post_entry" | "books.reverse_entry") {
            args["confirmed"] = true.into();
        }
        args["request_key"] = key.into();
        self.act(&tool, &args);
    }

    /// The codes of the accounts that take lines and are no other account's id.
    pub fn open_accounts(&self) -> Vec<String> {
        let ids = self.model.account_ids().into_iter();
        ids.filter(|id| self.model.unpostable(*id).is_empty())
            .map(|id| (id, &self.model.account(id).expect("an account").code))
            .filter(|(id, code)| self.model.resolve(&json!(code)) == Ok(*id))
            .map(|(_, code)| code.clone())
            .collect()
    }

    /// A draft of two lines on accounts that take them; none if there are no two.
    fn fresh(&mut self, date: &str) -> Option<i64> {
        let open = self.open_accounts();
        if open.is_empty() {
            return None;
        }
        let amount = super::model::money(self.chance.minor());
        let (a, b) = (self.chance.pick(&open), self.chance.pick(&open));
        // Words of its own, so that it is one purchase with no other.
        let words = format!("Fresh {}", self.model.entries.len());
        let mut debit = json!({"account": a, "side": "debit", "amount": amount});
        let mut credit = json!({"account": b, "side": "credit", "amount": amount});
        Draw {
            chance: &mut self.chance,
            model: &self.model,
        }
        .enrich(&mut debit, &mut credit);
        let args = json!({"date": date, "description": words, "lines": [debit, credit]});
        let id = self.act("books.draft_entry", &args)?["entry_id"].as_i64()?;
        self.supply(id);
        Some(id)
    }

    /// I15 and the rules of previews: what was previewed is what is posted, a stale preview is refused, and another draft's
    /// posting voids none.
    fn agree(&mut self) {
        let date = self.chance.day();
        let (Some(one), Some(other)) = (self.fresh(&date), self.fresh(&date)) else {
            return;
        };
        let shown = self
            .act("books.post_entry", &json!({"entry_id": one}))
            .expect("a preview");
        let token = shown["preview"].clone();
        let confirm =
            |token: &Value| json!({"entry_id": one, "confirmed": true, "if_preview": token});
        match self.chance.below(3) {
            0 => {
                // Nothing in between: to the letter.
                let posted = self
                    .act("books.post_entry", &confirm(&token))
                    .expect("a posting");
                let (got, want) = (bare(&posted), bare(&shown));
                self.same("I15: what was posted", &got, &want);
            }
            1 => {
                // Another draft's posting changes balances, not what was agreed to.
                self.act(
                    "books.post_entry",
                    &json!({"entry_id": other, "confirmed": true}),
                );
                self.act("books.post_entry", &confirm(&token));
            }
            _ => {
                let words = self
                    .model
                    .entry(one)
                    .expect("it is there")
                    .description
                    .clone();
                let edit = json!({"entry_id": one, "description": "Edited"});
                self.act("books.update_draft", &edit);
                let stale = BTreeSet::from(["preview_stale"]);
                self.held(
                    "books.post_entry",
                    &confirm(&token),
                    Verdict::No(stale.clone()),
                );
                // The old words back do not make the old preview good: the draft was edited since.
                let back = json!({"entry_id": one, "description": words});
                self.act("books.update_draft", &back);
                self.held("books.post_entry", &confirm(&token), Verdict::No(stale));
            }
        }
    }

    /// All statements as of a day and before it.
    fn statements(&mut self, day: &str) -> Value {
        let mut all = Vec::new();
        for (tool, args) in [
            ("books.trial_balance", json!({"as_of": day})),
            ("books.balance_sheet", json!({"as_of": day})),
            (
                "books.profit_and_loss",
                json!({"start": "2023-01-01", "end": day}),
            ),
        ] {
            let mut answer = self.held(tool, &args, Verdict::Quiet).expect("a report");
            let map = answer.as_object_mut().expect("an object");
            map.remove("seq");
            map.remove("head");
            all.push(answer);
        }
        all.into()
    }

    /// I14: a later-dated posting never changes an earlier statement.
    fn later(&mut self) {
        let before = self.statements("2025-06-30");
        if let Some(id) = self.fresh("2025-07-01") {
            self.act(
                "books.post_entry",
                &json!({"entry_id": id, "confirmed": true}),
            );
        }
        let after = self.statements("2025-06-30");
        self.same("I14: an earlier statement", &after, &before);
    }

    /// I16: an entry and its reversal change no balance at or after both days; a reversal of the reversal makes the entry
    /// stand again.
    fn undo(&mut self) {
        let before = self.statements("2026-11-30");
        let Some(id) = self.fresh("2026-02-28") else {
            return;
        };
        self.act(
            "books.post_entry",
            &json!({"entry_id": id, "confirmed": true}),
        );
        let with = self.statements("2026-11-30");
        let args = json!({"entry_id": id, "date": "2026-03-31"});
        let shown = self
            .act("books.reverse_entry", &args)
            .expect("a reversal's preview");
        let mut args = args;
        args["confirmed"] = true.into();
        args["if_preview"] = shown["preview"].clone();
        let reversal = self.act("books.reverse_entry", &args).expect("a reversal");
        let (got, want) = (bare(&reversal), bare(&shown));
        self.same("I15: the reversal", &got, &want);
        let after = self.statements("2026-11-30");
        self.same("I16: balances after both", &after, &before);
        if self.chance.percent(50) {
            let args =
                json!({"entry_id": reversal["entry_id"], "date": "2026-04-30", "confirmed": true});
            self.act("books.reverse_entry", &args);
            let again = self.statements("2026-11-30");
            self.same("I16: the entry stands again", &again, &with);
        }
    }

    fn bank(&mut self) {
        let rows = bank_rows(&mut self.chance);
        let mut draw = Draw {
            chance: &mut self.chance,
            model: &self.model,
        };
        let mut args = json!({"csv_text": bank_csv(&rows), "date_order": "mdy", "bank_account_code": draw.account(), "default_offset_code": draw.account(), "sign": "in_positive"});
        if self.chance.percent(10) {
            args["preview"] = true.into();
        }
        for _ in 0..2 {
            let verdict = self.model.judge_bank(&args, &rows);
            self.held("books.import_bank_csv", &args, verdict);
        }
    }

    fn chart(&mut self) {
        let mut rows: Vec<ChartRow> = Vec::new();
        let kind = self.chance.pick(&["asset", "expense"]);
        for _ in 0..1 + self.chance.below(3) {
            let code = match self.chance.below(12) {
                0 => "1200".to_owned(),
                1 => "1000".to_owned(),
                _ => format!("Z{}", self.chance.below(900)),
            };
            let parent = rows
                .first()
                .filter(|_| self.chance.percent(40))
                .map_or(String::new(), |row| row.0.clone());
            rows.push((code, "Imported".to_owned(), kind, parent));
        }
        let mut csv = "code,name,type,parent_code\n".to_owned();
        for (code, name, kind, parent) in &rows {
            csv.push_str(&format!("{code},{name},{kind},{parent}\n"));
        }
        let verdict = self.model.judge_chart(&rows);
        self.held("books.import_chart_csv", &json!({"csv_text": csv}), verdict);
    }

    fn look(&mut self) {
        let Some(most) = i64::try_from(self.model.entries.len())
            .ok()
            .filter(|n| *n > 0)
        else {
            return;
        };
        let id = 1 + i64::try_from(self.chance.below(usize::try_from(most).expect("it fits")))
            .expect("it fits");
        let args = json!({"entry_id": id});
        let got = self
            .held("books.get_entry", &args, Verdict::Quiet)
            .expect("an entry");
        let want = self.model.view(id);
        self.shows(&got, &want);
        self.shows(&got, &self.model.details(id));
    }

    fn search(&mut self) {
        let (args, total) = Draw {
            chance: &mut self.chance,
            model: &self.model,
        }
        .search();
        let got = self
            .held("books.search_entries", &args, Verdict::Quiet)
            .expect("a list");
        self.same("how many were found", &got["total"], &json!(total));
        for entry in got["entries"].as_array().expect("entries") {
            let id = entry["entry_id"].as_i64().expect("an id");
            let want = self.model.view(id);
            self.shows(entry, &want);
        }
    }
}
