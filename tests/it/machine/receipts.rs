//! Receipts and the policy as the model has them: what it says of a posting, and of calls that attach and link. It makes no call.

use std::collections::BTreeSet;

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::{
    bank::Subject,
    judge::{Change, Noes, kept, no, text},
    model::{Entry, Line, Model, money},
};

/// A receipt as the machine remembers it. Its id is its place, from 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Receipt {
    pub entry: Option<i64>,
    pub links: Vec<Subject>,
    pub withdrawn: bool,
    pub document: bool,
    pub name: String,
    pub content: String,
}

impl Receipt {
    /// Whether it is filed on a thing or linked to it.
    pub fn is_on(&self, subject: Subject) -> bool {
        self.entry.map(|id| ("entry", id)) == Some(subject) || self.links.contains(&subject)
    }
}

/// The policy in force: a threshold in minor units, the codes of accounts that always need a receipt, and of those that never do.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    pub above: i128,
    pub required: Vec<&'static str>,
    pub exempt: Vec<&'static str>,
}

impl Default for Policy {
    /// That of the bench: no posting is above it.
    fn default() -> Policy {
        Policy {
            above: 999_999_999_999_999_900,
            required: Vec::new(),
            exempt: Vec::new(),
        }
    }
}

/// What the policy says of an entry.
pub struct Judged {
    pub receipts: Vec<Value>,
    pub required: bool,
    pub split: Vec<Value>,
}

impl Judged {
    pub fn missing(&self) -> bool {
        self.required && self.receipts.is_empty()
    }

    /// What stands in a posting's answer.
    pub fn write_into(&self, view: &mut Value) {
        view["receipts"] = self.receipts.clone().into();
        view["receipt_required"] = self.required.into();
        view["receipt_missing"] = self.missing().into();
        view["split_detected"] = self.split.clone().into();
    }
}

/// What the machine knows of an entry that is judged.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    pub id: Option<i64>,
    pub entry: &'a Entry,
    pub among_others: bool,
}

fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

fn debited(entry: &Entry) -> BTreeSet<i64> {
    let debits = entry.lines.iter().filter(|line| line.1 > 0);
    debits.map(|line| line.0).collect()
}

impl Model {
    /// Whether the policy says the same of an account by another code.
    pub fn same_by(&self, code: &str, other: &str) -> bool {
        let lists = [&self.policy.required, &self.policy.exempt];
        lists
            .iter()
            .all(|list| list.contains(&code) == list.contains(&other))
    }

    fn named_in(&self, account: i64, codes: &[&str]) -> bool {
        let code = self.account(account).map(|a| a.code.as_str());
        code.is_some_and(|code| codes.contains(&code))
    }

    /// The debits of an entry on accounts that are not exempt.
    fn measured(&self, entry: &Entry) -> i128 {
        let counts = |line: &&Line| line.1 > 0 && !self.named_in(line.0, &self.policy.exempt);
        entry.lines.iter().filter(counts).map(|line| line.1).sum()
    }

    fn receipts_on(&self, entry: i64) -> impl Iterator<Item = Value> + '_ {
        let all = (1_i64..).zip(&self.receipts);
        all.filter(move |(_, one)| one.is_on(("entry", entry)) && !one.withdrawn)
            .map(|(id, one)| json!({"attachment_id": id, "file_name": one.name}))
    }

    /// What the policy says of an entry (spec/domain.md §11): nothing of what undoes another, and of what makes one stand again what
    /// it says of that.
    pub fn judged(&self, case: Case<'_>) -> Judged {
        let mut receipts: Vec<Value> = case
            .id
            .into_iter()
            .flat_map(|id| self.receipts_on(id))
            .collect();
        let (mut first, mut first_id, mut undone) = (case.entry, case.id, 0_u32);
        while let Some(id) = first.reverses {
            receipts.extend(self.receipts_on(id));
            first = self.entry(id).expect("what was reversed");
            first_id = Some(id);
            undone += 1;
        }
        let measured = self.measured(first);
        let above = measured > self.policy.above;
        let listed = debited(first)
            .iter()
            .any(|id| self.named_in(*id, &self.policy.required));
        let stands = undone.is_multiple_of(2);
        if !stands {
            return Judged {
                receipts,
                required: false,
                split: Vec::new(),
            };
        }
        let split = if !above && measured > 0 && case.among_others {
            let case = Case {
                id: first_id,
                entry: first,
                ..case
            };
            self.split(case, measured)
        } else {
            Vec::new()
        };
        Judged {
            receipts,
            required: above || listed || !split.is_empty(),
            split,
        }
    }

    /// The live postings of the day with the same words and the same debited accounts, if all together are above the threshold.
    fn split(&self, case: Case<'_>, measured: i128) -> Vec<Value> {
        let own = case.entry;
        let like = |(id, other): &(i64, &Entry)| {
            Some(*id) != case.id
                && other.status == "posted"
                && other.reverses.is_none()
                && other.reversed_by.is_none()
                && other.date == own.date
                && words(&other.description) == words(&own.description)
                && debited(other) == debited(own)
        };
        let others = (1_i64..).zip(&self.entries).filter(like);
        let mut group: Vec<(i64, i128)> = others
            .map(|(id, other)| (id, self.measured(other)))
            .collect();
        if group.is_empty() {
            return Vec::new();
        }
        group.push((case.id.expect("a draft"), measured));
        if group.iter().map(|part| part.1).sum::<i128>() <= self.policy.above {
            return Vec::new();
        }
        let part = |(id, minor): (i64, i128)| json!({"entry_id": id, "amount": money(minor)});
        group.into_iter().map(part).collect()
    }

    /// What the policy says of an entry that stands in the books.
    pub fn judged_by_id(&self, id: i64) -> Judged {
        let entry = self.entry(id).expect("an entry");
        self.judged(Case {
            id: Some(id),
            entry,
            among_others: entry.status == "draft",
        })
    }

    /// What an entry that is shown says of receipts.
    pub fn details(&self, id: i64) -> Value {
        let judged = self.judged_by_id(id);
        let counts = self
            .entry(id)
            .is_some_and(|entry| entry.status != "discarded");
        json!({"receipts": judged.receipts, "receipt_missing": counts && judged.missing()})
    }

    /// Why an entry takes no receipt.
    fn takes_receipts(&self, id: i64) -> Noes {
        match self.entry(id) {
            None => Noes::from(["unknown_entry"]),
            Some(entry) if entry.status == "discarded" => Noes::from(["entry_discarded"]),
            Some(_) => Noes::new(),
        }
    }

    /// A receipt as lists show it.
    pub fn receipt_view(&self, id: i64) -> Value {
        let place = usize::try_from(id - 1).expect("an id");
        let receipt = &self.receipts[place];
        let filed = receipt.entry.map(|id| ("entry", id));
        let links = filed.into_iter().chain(receipt.links.iter().copied());
        let links: Vec<Value> = links.map(|link| self.link_view(link)).collect();
        json!({"attachment_id": id, "file_name": receipt.name, "links": links})
    }

    pub fn attach(&self, args: &Value) -> Change {
        let entry = args["entry_id"].as_i64();
        let mut noes = entry.map(|id| self.takes_receipts(id)).unwrap_or_default();
        let content = BASE64
            .decode(text(args, "content_base64").as_bytes())
            .expect("the machine sends base64");
        let content = String::from_utf8(content).expect("the machine sends text");
        if content.is_empty() {
            noes.insert("file_empty");
        } else if content.contains('\0') {
            noes.insert("file_type_unknown");
        } else if !args["mime_type"].is_null() && args["mime_type"] != json!("text/plain") {
            noes.insert("file_type_mismatch");
        }
        if let Some(description) = args["description"].as_str() {
            noes.extend(kept(description, 500).err().into_iter().flatten());
        }
        let name = text(args, "file_name")
            .rsplit('/')
            .next()
            .unwrap_or_default();
        if name.is_empty() {
            noes.insert("bad_text");
        }
        if !noes.is_empty() {
            return Err(noes);
        }
        let mut after = self.clone();
        let known = self
            .receipts
            .iter()
            .any(|receipt| receipt.content == content);
        after.receipts.push(Receipt {
            entry,
            links: Vec::new(),
            withdrawn: false,
            document: false,
            name: name.to_owned(),
            content,
        });
        let id = i64::try_from(after.receipts.len()).expect("it fits");
        let mut view = after.receipt_view(id);
        view["deduplicated"] = known.into();
        Ok((after, 1, view))
    }

    pub fn link(&self, args: &Value) -> Change {
        let (id, entry) = (args["receipt_id"].as_i64(), args["entry_id"].as_i64());
        let (id, entry) = (id.expect("an id"), entry.expect("an id"));
        let place = usize::try_from(id - 1).ok();
        let Some(receipt) = place.and_then(|place| self.receipts.get(place)) else {
            return no("unknown_attachment");
        };
        let mut noes = self.takes_receipts(entry);
        let discarded = |id| self.entry(id).is_some_and(|e| e.status == "discarded");
        if receipt.entry.is_some_and(|id| !discarded(id)) {
            noes.insert("receipt_linked");
        }
        if receipt.withdrawn {
            noes.insert("attachment_withdrawn");
        }
        if receipt.is_on(("entry", entry)) {
            noes.insert("already_linked");
        }
        if !noes.is_empty() {
            return Err(noes);
        }
        let mut after = self.clone();
        after.receipts[place.expect("a place")].entry = Some(entry);
        let view = after.receipt_view(id);
        Ok((after, 1, view))
    }

    /// What lies among the stored files: each content once, by its length.
    pub fn stored(&self) -> Vec<Vec<u8>> {
        let all: BTreeSet<&str> = self.receipts.iter().map(|r| r.content.as_str()).collect();
        all.into_iter()
            .map(|content| content.as_bytes().to_vec())
            .collect()
    }
}
