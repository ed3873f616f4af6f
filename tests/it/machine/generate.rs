//! Single calls, drawn by weight: mostly sensible, a quarter with one thing wrong, some with hostile text.

use serde_json::{Value, json};

use super::{
    chance::Chance,
    model::{Model, money},
};

const KINDS: &[&str] = &["asset", "liability", "equity", "revenue", "expense"];

/// A call, and whether one of its arguments has a form that no call takes.
pub struct Drawn {
    pub tool: &'static str,
    pub args: Value,
    pub malformed: bool,
}

/// Draws calls against what the books should be.
pub struct Draw<'a> {
    pub chance: &'a mut Chance,
    pub model: &'a Model,
}

impl Draw<'_> {
    /// A changing call.
    pub fn change(&mut self) -> Drawn {
        let (tool, args) = match self.chance.below(100) {
            0..=7 => ("books.add_account", self.add_account()),
            8..=9 => ("books.add_class", json!({"name": self.class_name()})),
            10..=15 => ("books.update_account", self.update_account()),
            16..=19 => ("books.renumber_account", self.renumber()),
            20..=49 => ("books.draft_entry", self.draft()),
            50..=60 => ("books.add_line", self.add_line()),
            61..=66 => {
                let place = self.chance.below(4);
                (
                    "books.remove_line",
                    json!({"entry_id": self.draft_id(), "line_index": place}),
                )
            }
            67..=74 => ("books.update_draft", self.update_draft()),
            75..=77 => ("books.discard_draft", json!({"entry_id": self.draft_id()})),
            78..=89 => (
                "books.post_entry",
                json!({"entry_id": self.draft_id(), "confirmed": true}),
            ),
            _ => ("books.reverse_entry", self.reverse()),
        };
        let mut drawn = Drawn {
            tool,
            args,
            malformed: false,
        };
        if self.chance.percent(25) {
            self.spoil(&mut drawn);
        }
        if self.chance.percent(8) {
            drawn.args["preview"] = true.into();
        }
        drawn
    }

    /// A code that may be free, taken, a role's, or another account's id.
    fn code(&mut self) -> String {
        match self.chance.below(10) {
            0..=1 => self.chance.below(40).to_string(),
            2 => "1200".to_owned(),
            3 if !self.model.accounts.is_empty() => {
                self.chance.pick(&self.model.accounts).code.clone()
            }
            _ => format!(
                "{}.{}",
                self.chance.pick(&["A", "B-", "c"]),
                self.chance.below(500)
            ),
        }
    }

    /// An account by code, by id as text or by id as a number.
    pub fn account(&mut self) -> Value {
        let ids = self.model.account_ids();
        if ids.is_empty() || self.chance.percent(1) {
            return json!("none");
        }
        // Earlier accounts are drawn more often, so that balances grow on them.
        let most = if self.chance.percent(70) {
            ids.len().min(8)
        } else {
            ids.len()
        };
        let id = self.chance.pick(&ids[..most]);
        match self.chance.below(10) {
            0 => json!(id.to_string()),
            1 => json!(id),
            _ => json!(self.model.account(id).expect("an account").code),
        }
    }

    fn add_account(&mut self) -> Value {
        let (code, name) = (self.code(), self.chance.text().0);
        let mut args = json!({"code": code, "name": name, "type": self.chance.pick(KINDS)});
        if self.chance.percent(20) {
            args["parent"] = self.account();
        }
        if self.chance.percent(8) {
            args["placeholder"] = true.into();
        }
        args
    }

    fn update_account(&mut self) -> Value {
        let mut args = json!({"account": self.account()});
        match self.chance.below(8) {
            0..=2 => args["name"] = self.chance.text().0.into(),
            3 => args["placeholder"] = self.chance.percent(50).into(),
            4..=5 => args["archived"] = self.chance.percent(40).into(),
            6 => args["parent"] = "".into(),
            _ => {
                let parent = self.account();
                args["parent"] = match parent {
                    Value::String(_) => parent,
                    other => other.to_string().into(),
                };
            }
        }
        args
    }

    fn renumber(&mut self) -> Value {
        json!({"account": self.account(), "code": self.code()})
    }

    fn line(&mut self, minor: i128) -> Value {
        let side = if minor < 0 { "credit" } else { "debit" };
        let mut line =
            json!({"account": self.account(), "side": side, "amount": money(minor.abs())});
        self.tag(&mut line);
        line
    }

    /// Up to five lines that mostly balance.
    fn lines(&mut self) -> Vec<Value> {
        let count = self.chance.pick(&[0, 1, 2, 2, 2, 2, 3, 4, 5]);
        let mut lines = Vec::new();
        let mut rest: i128 = 0;
        for left in (0..count).rev() {
            let closing = left == 0 && rest != 0 && self.chance.percent(90);
            let fits = (1..=99_999_999_999_999).contains(&rest.abs());
            let minor = match closing && fits {
                true => -rest,
                false => self.chance.minor() * if self.chance.percent(50) { 1 } else { -1 },
            };
            let mut line = self.line(minor);
            rest += minor;
            if !closing && self.chance.percent(12) {
                let base = self.original(&mut line);
                rest += base * minor.signum() - minor;
            }
            lines.push(line);
        }
        lines
    }

    pub fn draft(&mut self) -> Value {
        let mut args = json!({"date": self.chance.day(), "description": self.chance.text().0});
        let lines = self.lines();
        if !lines.is_empty() {
            args["lines"] = lines.into();
        }
        args
    }

    fn draft_id(&mut self) -> i64 {
        let drafts = self.model.standing("draft");
        let any = i64::try_from(self.model.entries.len()).expect("it fits");
        if drafts.is_empty() || self.chance.percent(4) {
            return any.max(1);
        }
        let late = drafts.len().saturating_sub(10);
        self.chance.pick(&drafts[late..])
    }

    fn add_line(&mut self) -> Value {
        let id = self.draft_id();
        let lines = self.model.entry(id).map(|e| e.lines.as_slice());
        let rest: i128 = lines.unwrap_or_default().iter().map(|l| l.1).sum();
        let fits = (1..=99_999_999_999_999).contains(&rest.abs());
        let minor = if fits && self.chance.percent(60) {
            -rest
        } else {
            self.chance.minor()
        };
        let mut args = self.line(minor);
        if self.chance.percent(12) {
            self.original(&mut args);
        }
        args["entry_id"] = id.into();
        args
    }

    fn update_draft(&mut self) -> Value {
        let mut args = json!({"entry_id": self.draft_id()});
        if self.chance.percent(50) {
            args["date"] = self.chance.day().into();
        } else {
            args["description"] = self.chance.text().0.into();
        }
        args
    }

    fn reverse(&mut self) -> Value {
        let posted = self.model.standing("posted");
        let id = if posted.is_empty() {
            1
        } else {
            self.chance.pick(&posted)
        };
        let original = self.model.entry(id).map(|e| e.date.clone());
        let day = self.chance.day();
        let date = original
            .filter(|d| *d > day && self.chance.percent(80))
            .unwrap_or(day);
        let mut args = json!({"entry_id": id, "date": date, "confirmed": true});
        if self.chance.percent(30) {
            args["description"] = self.chance.text().0.into();
        }
        args
    }

    /// Makes one thing of a call wrong.
    fn spoil(&mut self, drawn: &mut Drawn) {
        let args = drawn.args.as_object_mut().expect("an object");
        let mut keys: Vec<String> = args.keys().filter(|k| *k != "confirmed").cloned().collect();
        keys.push("surprise".to_owned());
        let key = self.chance.pick(&keys);
        let (value, malformed) = match key.as_str() {
            "surprise" => (json!(1), true),
            "date" => (
                json!(
                    self.chance
                        .pick(&["2025-02-29", "2026-1-1", "0000-00-00", "tomorrow"])
                ),
                true,
            ),
            "side" => (json!("left"), true),
            "type" => (json!("income"), true),
            "amount" if self.chance.percent(20) => (json!("1e3"), true),
            "amount" => (json!(self.chance.bad_amount()), false),
            "entry_id" => (json!(self.chance.pick(&[0, -1, i64::MAX, 777_777])), false),
            "account" | "parent" => (json!("none"), false),
            "code" => (json!(self.chance.pick(&["1200", "40"])), false),
            "name" | "description" => (json!(self.chance.hostile().0), false),
            "lines" => {
                let mut lines = args["lines"].as_array().expect("lines").clone();
                let place = self.chance.below(lines.len());
                lines[place]["amount"] = self.chance.bad_amount().into();
                (lines.into(), false)
            }
            "line_index" => (json!(99), false),
            "class" => (json!("no such class"), false),
            "foreign_currency" => (json!(self.chance.pick(&["USD", "XAU"])), false),
            "foreign_amount" => (json!(self.chance.bad_amount()), false),
            "fx_rate" => (json!("0"), true),
            _ => (json!("perhaps"), true),
        };
        args.insert(key, value);
        drawn.malformed = malformed;
    }

    /// A request of a list or of one entry, and what the answer must hold.
    pub fn search(&mut self) -> (Value, i64) {
        let word = self.chance.pick(&["rent", "COFFEE", "sale", "drop table"]);
        let (from, to) = (self.chance.day(), self.chance.day());
        let (least, greatest) = (self.chance.minor(), self.chance.minor());
        let ids = self.model.account_ids();
        let account = self.chance.pick(&ids);
        let status = self.chance.pick(&["draft", "posted", "discarded"]);
        let asks: [bool; 5] = std::array::from_fn(|_| self.chance.percent(35));
        let mut args = json!({"limit": 3});
        let set = [
            (0, "text", json!(word)),
            (1, "date_from", json!(from.clone().min(to.clone()))),
            (1, "date_to", json!(from.clone().max(to.clone()))),
            (2, "amount_min", json!(money(least.min(greatest)))),
            (2, "amount_max", json!(money(least.max(greatest)))),
            (4, "status", json!(status)),
        ];
        for (ask, key, value) in set {
            if asks[ask] {
                args[key] = value;
            }
        }
        let code = json!(self.model.account(account).expect("an account").code);
        let by_account = asks[3] && self.model.resolve(&code) == Ok(account);
        if by_account {
            args["account"] = code;
        }
        let (least, greatest) = (least.min(greatest), least.max(greatest));
        let (from, to) = (from.clone().min(to.clone()), from.max(to.clone()));
        let found = self.model.entries.iter().filter(|entry| {
            let text = entry.description.to_lowercase();
            let line = entry.lines.iter().any(|(id, minor, _)| {
                (!by_account || *id == account)
                    && (!asks[2] || (least..=greatest).contains(&minor.abs()))
            });
            (!asks[0] || text.contains(&word.to_lowercase()))
                && (!asks[1] || (from <= entry.date && entry.date <= to))
                && (line || !(by_account || asks[2]))
                && if asks[4] {
                    entry.status == status
                } else {
                    entry.status != "discarded"
                }
        });
        let total = i64::try_from(found.count()).expect("it fits");
        (args, total)
    }
}
