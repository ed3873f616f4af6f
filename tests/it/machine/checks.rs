//! What is looked at every fifty calls and at the end: every balance on every road, the store's own promises, a restart.

use std::{collections::BTreeMap, fs};

use serde_json::{Value, json};

use super::{
    Machine,
    judge::Verdict,
    model::{debit_normal, minor, money},
};

const EVER: (&str, &str) = ("1900-01-01", "9999-12-31");

impl Machine {
    /// Every invariant that holds between any two calls.
    pub fn check(&mut self) {
        let day = self.chance.day();
        for day in [day.as_str(), EVER.1] {
            self.check_trial_balance(day);
            self.check_balance_sheet(day);
        }
        self.check_registers(&day);
        self.check_earnings();
        self.check_cash_flow();
        self.check_classes();
        self.check_journal();
        self.check_store();
    }

    fn read(&mut self, tool: &str, args: Value) -> Value {
        self.held(tool, &args, Verdict::Quiet).expect("an answer")
    }

    /// I1: debits equal credits, and every account stands where the model has it.
    fn check_trial_balance(&mut self, day: &str) {
        let trial = self.read("books.trial_balance", json!({"as_of": day}));
        let mut got = BTreeMap::new();
        let (mut debits, mut credits) = (0, 0);
        for line in trial["lines"].as_array().expect("lines") {
            let (debit, credit) = (minor(&line["debit"]), minor(&line["credit"]));
            debits += debit;
            credits += credit;
            got.insert(line["account_id"].as_i64().expect("an id"), debit - credit);
        }
        let ids = self.model.account_ids();
        let want: BTreeMap<i64, i128> = ids
            .into_iter()
            .map(|id| (id, self.model.raw(id, "", day)))
            .filter(|(_, raw)| *raw != 0)
            .collect();
        if got != want || debits != credits {
            self.fail(&format!(
                "I1 as of {day}: {debits} and {credits}\n got {got:?}\nwant {want:?}"
            ));
        }
        let view =
            json!({"total_debit": money(debits), "total_credit": money(credits), "balanced": true});
        self.shows(&trial, &view);
    }

    /// I2: assets = liabilities + equity + earnings, each as the model has it (spec/domain.md §1.5).
    fn check_balance_sheet(&mut self, day: &str) {
        let sheet = self.read("books.balance_sheet", json!({"as_of": day}));
        let shown = |kind| self.model.shown(kind, "", day);
        let (assets, liabilities, equity) = (shown("asset"), shown("liability"), shown("equity"));
        let unclosed = shown("revenue") - shown("expense");
        let year_start = format!("{}-01-01", &day[..4]);
        let net = self.model.shown("revenue", &year_start, day)
            - self.model.shown("expense", &year_start, day);
        if assets != liabilities + equity + unclosed {
            self.fail("I2: the model itself does not balance");
        }
        let view = json!({
            "assets": money(assets), "liabilities": money(liabilities), "equity": money(equity),
            "current_earnings": money(unclosed), "balanced": true,
            "retained_earnings": money(unclosed - net), "net_income": money(net),
            "total_liabilities_and_equity": money(assets),
        });
        self.shows(&sheet, &view);
    }

    /// I6: every register ends where the trial balance has the account, and its lines add up from its opening.
    fn check_registers(&mut self, day: &str) {
        for id in self.model.account_ids() {
            let account = self.model.account(id).expect("an account");
            let (code, sign) = (
                account.code.clone(),
                if debit_normal(&account.kind) { 1 } else { -1 },
            );
            if self.model.resolve(&json!(code)) != Ok(id) || self.chance.percent(60) {
                continue;
            }
            let (from, to) = if self.chance.percent(50) {
                (day, EVER.1)
            } else {
                (EVER.0, day)
            };
            let register = self.bench.call(
                "books.account_register",
                &json!({"account": code, "start": from, "end": to}),
            );
            let register =
                register.unwrap_or_else(|no| self.fail(&format!("a register is refused: {no:?}")));
            let closing = sign * self.model.raw(id, "", to);
            let opening = closing - sign * self.model.raw(id, from, to);
            let mut balance = opening;
            for line in register["lines"].as_array().expect("lines") {
                let side = if line["side"] == "debit" { 1 } else { -1 };
                balance += sign * side * minor(&line["amount"]);
                self.same(
                    "I6: a register's balance",
                    &line["balance"],
                    &json!(money(balance)),
                );
            }
            if balance != closing {
                self.fail(&format!(
                    "I6: the register of {code} adds up to {balance}, not {closing}"
                ));
            }
            let view =
                json!({"opening_balance": money(opening), "closing_balance": money(closing)});
            self.shows(&register, &view);
        }
    }

    /// I13: two parts of a time add up to the whole, account for account.
    fn check_earnings(&mut self) {
        let mut days = [self.chance.day(), self.chance.day(), self.chance.day()];
        days.sort();
        let [a, b, c] = days;
        let middle: wanderbooks::model::Date = b.parse().expect("a date");
        let next = middle
            .plus_days(1)
            .expect("a day")
            .to_string()
            .min(c.clone());
        if b == c {
            return;
        }
        let ask = |machine: &mut Machine, start: &str, end: &str| {
            let earned = machine.read("books.profit_and_loss", json!({"start": start, "end": end}));
            let want = json!({
                "revenue": money(machine.model.shown("revenue", start, end)),
                "expenses": money(machine.model.shown("expense", start, end)),
            });
            machine.shows(&earned, &want);
            let mut accounts = BTreeMap::new();
            for part in ["revenue_accounts", "expense_accounts"] {
                for line in earned[part].as_array().expect("accounts") {
                    accounts.insert(line["account_id"].to_string(), minor(&line["amount"]));
                }
            }
            accounts.insert("net".to_owned(), minor(&earned["net_income"]));
            accounts
        };
        let (first, second) = (ask(self, &a, &b), ask(self, &next, &c));
        let whole = ask(self, &a, &c);
        let mut sum = first;
        for (account, amount) in second {
            *sum.entry(account).or_default() += amount;
        }
        sum.retain(|key, amount| *amount != 0 || key == "net");
        if sum != whole {
            self.fail(&format!("I13 {a} {b} {c}: {sum:?}, not {whole:?}"));
        }
    }

    /// The lines of the mirror, which is what anyone else reads.
    pub fn journal(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.bench.paths().data.join("journal.jsonl"));
        let text = text.expect("a mirror");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    /// I7: the journal's debits and credits are the ledger's, account for account.
    fn check_journal(&self) {
        let mut got: BTreeMap<i64, (i128, i128)> = BTreeMap::new();
        for line in self.journal() {
            if line["type"] != "entry.posted" {
                continue;
            }
            for line in line["data"]["lines"].as_array().expect("lines") {
                let sums = got
                    .entry(line["account"].as_i64().expect("an id"))
                    .or_default();
                let amount = minor(&line["amount"]);
                sums.0 += amount.max(0);
                sums.1 += (-amount).max(0);
            }
        }
        let mut want: BTreeMap<i64, (i128, i128)> = BTreeMap::new();
        let posted = self.model.entries.iter().filter(|e| e.status == "posted");
        for (id, amount, _) in posted.flat_map(|e| &e.lines) {
            let sums = want.entry(*id).or_default();
            sums.0 += amount.max(&0);
            sums.1 += (-amount).max(0);
        }
        if got != want {
            self.fail(&format!("I7:\n got {got:?}\nwant {want:?}"));
        }
    }

    /// S1, S2, S3, S5 and S6: a refusal and a preview leave every byte, a replay finds no drift, the heads agree, no file is stored that is no receipt, a restart changes nothing.
    fn check_store(&mut self) {
        let before = self.bench.dump();
        let end = self.bench.end();
        let line = json!({"account": "none", "side": "debit", "amount": "1.00"});
        let args = json!({"date": "2026-01-31", "description": "Refused", "lines": [line]});
        self.act("books.draft_entry", &args);
        let args = json!({"date": "2026-01-31", "description": "Previewed", "preview": true});
        self.act("books.draft_entry", &args);
        if self.bench.dump() != before {
            self.fail("S3: a refusal or a preview changed the folder");
        }
        let verified = self.bench.call("books.verify", &json!({}));
        let verified = verified.unwrap_or_else(|no| self.fail(&format!("S1: {no:?}")));
        let want = json!({"status": "ok", "events": end.count, "head": end.head});
        self.shows(&verified, &want);
        self.bench.reopen();
        if self.bench.dump() != before || self.bench.end() != end {
            self.fail("S6: opening the books again changed them");
        }
        self.check_blobs();
    }
}
