//! The machine's steps with links, statements and reconciliations.

use std::collections::BTreeSet;

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::{Machine, judge::Verdict, model::money, receipts::Receipt};

impl Machine {
    fn some_file(&mut self) -> i64 {
        let count = self.model.receipts.len();
        i64::try_from(1 + self.chance.below(count + 1)).expect("it fits")
    }

    fn some_subject(&mut self) -> Value {
        let entries = self.model.entries.len();
        match self.chance.below(8) {
            0..=1 => json!({"kind": "company"}),
            2..=3 => {
                json!({"kind": "account", "id": self.chance.pick(&["1000", "2", "6000", "none"])})
            }
            4 => json!({"kind": "reconciliation", "id": 1 + self.chance.below(3)}),
            5 => json!({"kind": "invoice", "id": 1}),
            _ => json!({"kind": "entry", "id": 1 + self.chance.below(entries + 1)}),
        }
    }

    /// One call that links a file, takes it off, or retires it.
    pub fn links(&mut self) {
        let id = self.some_file();
        let linked = self
            .model
            .receipts
            .get(usize::try_from(id - 1).expect("an id"));
        let linked = linked.and_then(|file| file.links.last().copied());
        let subject = match linked {
            Some(("company", _)) => json!({"kind": "company"}),
            Some((kind, link)) if self.chance.percent(60) => json!({"kind": kind, "id": link}),
            _ => self.some_subject(),
        };
        match self.chance.below(10) {
            0..=4 => {
                let subject = self.some_subject();
                self.act(
                    "books.link_attachment",
                    &json!({"attachment_id": id, "subject": subject}),
                );
            }
            5..=6 => {
                let args = json!({"attachment_id": id, "subject": subject, "reason": "Wrong"});
                self.act("books.unlink_attachment", &args);
            }
            7 => {
                self.act(
                    "books.unlink_receipt",
                    &json!({"attachment_id": id, "reason": "Wrong"}),
                );
            }
            8 => {
                self.act(
                    "books.withdraw_attachment",
                    &json!({"attachment_id": id, "reason": "Wrong"}),
                );
            }
            _ => self.list_subject(),
        }
    }

    fn list_subject(&mut self) {
        let asked = json!({"kind": "company"});
        let got = self.held(
            "books.attachments",
            &json!({"subject": asked}),
            Verdict::Quiet,
        );
        let on = |one: &&Receipt| one.is_on(("company", 0)) && !one.withdrawn;
        let count = self.model.receipts.iter().filter(on).count();
        self.same(
            "how many files",
            &got.expect("a list")["total"],
            &json!(count),
        );
    }

    /// Marks some lines of an account, mostly those that its next statement has.
    fn mark_some(&mut self, account: i64, through: &str) {
        let open = self.model.sums(account, through).open;
        for (_, id, index) in open.into_iter().take(6) {
            if self.chance.percent(80) {
                self.act(
                    "books.mark_cleared",
                    &json!({"entry_id": id, "line_index": index}),
                );
            }
        }
    }

    /// A statement that mostly says what is cleared, its preview, its confirmation; sometimes a voiding and a mark taken away.
    pub fn statement(&mut self) {
        let account = self.chance.pick(&[1, 1, 1, 2]);
        let code = self
            .model
            .account(account)
            .expect("an account")
            .code
            .clone();
        let last = self.model.last(account).map(|(_, last)| last.date.clone());
        let mut end = self.chance.day();
        for _ in 0..6 {
            if last.as_ref().is_some_and(|last| end <= *last) {
                end = self.chance.day();
            }
        }
        self.mark_some(account, &end);
        let day: wanderbooks::model::Date = end.parse().expect("a day");
        let start = day.month_start().to_string();
        let number = self.model.receipts.len();
        let paper = json!({"category": "statement", "file_name": "statement.txt", "content_base64": BASE64.encode(format!("Statement {number}\n").as_bytes())});
        let Some(filed) = self.act("books.file_document", &paper) else {
            return;
        };
        let file = filed["attachment_id"].as_i64().expect("an id");
        let sums = self.model.sums(account, &end);
        let closing = sums.cleared + i128::from(u8::from(self.chance.percent(15)));
        let before = match self.model.last(account) {
            Some((_, last)) => last.balance,
            None => {
                let early = self.model.sums(
                    account,
                    &day.month_start().plus_days(-1).expect("a day").to_string(),
                );
                early.cleared
            }
        };
        let args = json!({"attachment_id": file, "account": code, "period_start": start, "period_end": end,
            "opening_balance": money(before), "closing_balance": money(closing)});
        if self.act("books.record_statement", &args).is_none() {
            return;
        }
        self.compare(file);
        self.act(
            "books.reconcile",
            &json!({"statement_attachment": file, "confirmed": true}),
        );
        if self.chance.percent(30) {
            let newest = self.model.last(account).map(|(id, _)| id);
            let any = 1 + self.chance.below(self.model.banking.done.len() + 1);
            let any = i64::try_from(any).expect("it fits");
            let id = newest.filter(|_| self.chance.percent(70)).unwrap_or(any);
            self.act(
                "books.void_reconciliation",
                &json!({"reconciliation_id": id, "reason": "Wrong"}),
            );
        }
        if let Some((id, index)) = self.model.banking.cleared.iter().next_back().copied() {
            let args = json!({"entry_id": id, "line_index": index, "cleared": false});
            self.act("books.mark_cleared", &args);
        }
        let any = 1 + self.chance.below(self.model.entries.len().max(1));
        let args = json!({"entry_id": any, "line_index": self.chance.below(3)});
        self.act("books.mark_cleared", &args);
    }

    /// The preview shows what the model has, and book = cleared + Σ uncleared.
    fn compare(&mut self, file: i64) {
        let args = json!({"statement_attachment": file, "preview": true});
        let got = self
            .held("books.reconcile", &args, Verdict::Quiet)
            .expect("a preview");
        let statement = self
            .model
            .banking
            .statements
            .iter()
            .find(|one| one.file == file);
        let (want, noes) = self.model.compared(statement.expect("a statement"));
        let places = |kind: &str| {
            let lines = got[kind].as_array().expect("lines").iter();
            lines
                .map(|line| json!([line["entry_id"], line["line_index"]]))
                .collect::<Vec<_>>()
        };
        let mut shown = got.clone();
        shown["uncleared"] = places("uncleared_lines").into();
        shown["cleared"] = places("cleared_lines").into();
        self.shows(&shown, &want);
        let problems = got["problems"].as_array().expect("problems").iter();
        let codes: BTreeSet<&str> = problems
            .map(|one| one["code"].as_str().expect("a code"))
            .collect();
        if codes != noes {
            self.fail(&format!("problems {}, not {noes:?}", got["problems"]));
        }
    }
}
