//! The machine's steps with receipts: attaching, linking, looking, purchases that are split, and a policy that a person edits.

use std::collections::BTreeSet;

use data_encoding::BASE64;
use serde_json::json;

use super::{Machine, judge::Verdict, model::money, receipts::Policy};

impl Machine {
    /// Attaches what a draft needs to be posted.
    pub fn supply(&mut self, id: i64) {
        if self.model.judged_by_id(id).missing() {
            let args = json!({"entry_id": id, "file_name": "needed.txt", "content_base64": BASE64.encode(b"Needed\n")});
            self.act("books.attach_receipt", &args);
        }
    }

    /// An entry, mostly one of the newest.
    fn some_entry(&mut self) -> i64 {
        let count = self.model.entries.len();
        let back = self.chance.below(count.clamp(1, 12));
        let odd = self.chance.percent(4);
        i64::try_from(if odd {
            777_777
        } else {
            count.saturating_sub(back)
        })
        .expect("it fits")
    }

    /// One call about receipts.
    pub fn receipt(&mut self) {
        let count = i64::try_from(self.model.receipts.len()).expect("it fits");
        let some =
            1 + i64::try_from(self.chance.below(self.model.receipts.len() + 1)).expect("it fits");
        match self.chance.below(10) {
            0..=4 => self.attach(),
            5..=6 => {
                let args = json!({"receipt_id": some, "entry_id": self.some_entry()});
                self.act("books.link_receipt", &args);
            }
            7..=8 => self.list_receipts(),
            _ if some > count => {
                let noes = BTreeSet::from(["unknown_attachment"]);
                self.held(
                    "books.get_receipt",
                    &json!({"attachment_id": some}),
                    Verdict::No(noes),
                );
            }
            _ => {
                let got = self.held(
                    "books.get_receipt",
                    &json!({"attachment_id": some}),
                    Verdict::Quiet,
                );
                let mut want = self.model.receipt_view(some);
                let place = usize::try_from(some - 1).expect("an id");
                want["content_base64"] = BASE64
                    .encode(self.model.receipts[place].content.as_bytes())
                    .into();
                self.shows(&got.expect("a receipt"), &want);
            }
        }
    }

    fn attach(&mut self) {
        let content = match self.chance.below(20) {
            0 => String::new(),
            1 => "a\0b".to_owned(),
            _ => format!("Receipt {}\n", self.chance.below(40)),
        };
        let name = self
            .chance
            .pick(&["a.txt", "../../b.txt", "c/d.txt", "e.pdf", "folder/"]);
        let mut args =
            json!({"file_name": name, "content_base64": BASE64.encode(content.as_bytes())});
        if self.chance.percent(60) {
            args["entry_id"] = self.some_entry().into();
        }
        if self.chance.percent(20) {
            args["mime_type"] = self.chance.pick(&["text/plain", "image/png"]).into();
        }
        if self.chance.percent(20) {
            args["description"] = self.chance.text().0.into();
        }
        if self.chance.percent(10) {
            args["preview"] = true.into();
        } else if self.chance.percent(20) {
            self.keys += 1;
            args["request_key"] = format!("key-{}", self.keys).into();
        }
        self.act("books.attach_receipt", &args);
    }

    fn list_receipts(&mut self) {
        let id = self.some_entry();
        if self.model.entry(id).is_none() {
            let noes = BTreeSet::from(["unknown_entry"]);
            self.held(
                "books.list_receipts",
                &json!({"entry_id": id}),
                Verdict::No(noes),
            );
            return;
        }
        let whole = self.chance.percent(30);
        let args = if whole {
            json!({})
        } else {
            json!({"entry_id": id})
        };
        let got = self
            .held("books.list_receipts", &args, Verdict::Quiet)
            .expect("a list");
        let all = (1_i64..).zip(&self.model.receipts);
        let ids: Vec<i64> = all
            .filter(|(_, one)| (whole || one.is_on(("entry", id))) && !one.withdrawn)
            .map(|(id, _)| id)
            .collect();
        self.same("how many receipts", &got["total"], &json!(ids.len()));
        for (got, id) in got["receipts"]
            .as_array()
            .expect("receipts")
            .iter()
            .zip(ids)
        {
            let want = self.model.receipt_view(id);
            self.shows(got, &want);
        }
    }

    /// Several purchases of one day and one name, posted one after another, with a receipt or without.
    pub fn purchases(&mut self) {
        let (day, words) = (
            self.chance.day(),
            self.chance.pick(&["Staples", " STAPLES ", "Deli"]),
        );
        let open = self.open_accounts();
        if open.is_empty() {
            return;
        }
        let (to, from) = (self.chance.pick(&open), self.chance.pick(&open));
        let above = self.model.policy.above.min(1_000_000);
        for _ in 0..3 {
            let minor = self
                .chance
                .pick(&[above / 3, above * 2 / 5, above / 2, above, above + 1]);
            let amount = money(minor.max(1));
            let args = json!({"date": day, "description": words, "lines": [
                {"account": to, "side": "debit", "amount": amount}, {"account": from, "side": "credit", "amount": amount},
            ]});
            let Some(drafted) = self.act("books.draft_entry", &args) else {
                return;
            };
            let id = drafted["entry_id"].as_i64().expect("an id");
            if self.chance.percent(25) {
                self.supply(id);
            }
            let mut want = json!({});
            self.model.judged_by_id(id).write_into(&mut want);
            if let Some(shown) = self.act("books.post_entry", &json!({"entry_id": id})) {
                self.shows(&shown, &want);
                let warned = shown["warnings"].to_string().contains("it has no receipt");
                self.same("whether it warns", &json!(warned), &want["receipt_missing"]);
            }
            self.act(
                "books.post_entry",
                &json!({"entry_id": id, "confirmed": true}),
            );
            if self.model.judged_by_id(id).missing() && self.chance.percent(50) {
                self.supply(id);
                self.act(
                    "books.post_entry",
                    &json!({"entry_id": id, "confirmed": true}),
                );
            }
        }
    }

    /// A person edits the policy; the next change writes it into the journal.
    pub fn edit_policy(&mut self) {
        let above = self
            .chance
            .pick(&[0, 1_249, 2_500, 2_501, 100_000, 250_000]);
        let some = |machine: &mut Machine, codes: &[&'static str]| -> Vec<&'static str> {
            codes
                .iter()
                .copied()
                .filter(|_| machine.chance.percent(30))
                .collect()
        };
        self.model.policy = Policy {
            above,
            required: some(self, &["6000", "2"]),
            exempt: some(self, &["6000", "6100", "1000"]),
        };
        let policy = &self.model.policy;
        let text = json!({"receipt_policy": {"require_receipts_above": money(policy.above),
            "receipt_required_accounts": policy.required, "receipt_exempt_accounts": policy.exempt}});
        self.keys += 1;
        self.bench
            .govern(&text.to_string(), &format!("settled-{}", self.keys));
        self.tail.push_back(format!("config.json = {text}"));
    }

    /// S5: among the stored files is each receipt's content, and nothing else.
    pub fn check_blobs(&self) {
        let mut want = self.model.stored();
        let mut got: Vec<Vec<u8>> = self.bench.blobs().into_values().collect();
        want.sort();
        got.sort();
        if got != want {
            self.fail(&format!(
                "S5: {} stored files, not {}",
                got.len(),
                want.len()
            ));
        }
    }
}
