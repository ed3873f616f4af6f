//! What files are linked to, as the model has it. It makes no call.

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::{
    bank::{Reconciled, Subject},
    judge::{Change, Noes, no, text},
    model::Model,
    receipts::{Case, Receipt},
};

impl Model {
    pub fn file(&self, id: i64) -> Result<&Receipt, Noes> {
        let place = usize::try_from(id - 1).ok();
        let file = place.and_then(|place| self.receipts.get(place));
        file.ok_or_else(|| Noes::from(["unknown_attachment"]))
    }

    pub fn file_mut(&mut self, id: i64) -> &mut Receipt {
        &mut self.receipts[usize::try_from(id - 1).expect("an id")]
    }

    /// The thing that a reference names.
    fn subject(&self, args: &Value) -> Result<Subject, Noes> {
        let id = args["id"].as_i64();
        match (args["kind"].as_str().expect("a kind"), id) {
            ("company", None) => Ok(("company", 0)),
            ("account", _) => {
                let found = self
                    .resolve(&args["id"])
                    .map_err(|code| Noes::from([code]))?;
                Ok(("account", found))
            }
            ("entry", Some(id)) if self.entry(id).is_some() => Ok(("entry", id)),
            ("entry", _) => no("unknown_entry"),
            ("reconciliation", Some(id)) if (1..).zip(&self.banking.done).any(|(n, _)| n == id) => {
                Ok(("reconciliation", id))
            }
            ("reconciliation", _) => no("unknown_reconciliation"),
            _ => no("unknown_subject_kind"),
        }
    }

    /// A link as answers show it.
    pub fn link_view(&self, (kind, id): Subject) -> Value {
        let label = match kind {
            "company" => return json!({"kind": kind, "label": "Machine"}),
            "account" => {
                let account = self.account(id).expect("an account");
                format!("{} {}", account.code, account.name)
            }
            "entry" => {
                let entry = self.entry(id).expect("an entry");
                format!("{} {}", entry.date, entry.description)
            }
            _ => {
                let done = &self.banking.done[usize::try_from(id - 1).expect("an id")];
                let account = self.account(done.account).expect("an account");
                format!("{} through {}", account.code, done.date)
            }
        };
        json!({"kind": kind, "id": id, "label": label})
    }

    pub fn link_attachment(&self, args: &Value) -> Change {
        let id = args["attachment_id"].as_i64().expect("an id");
        let file = self.file(id)?;
        let subject = self.subject(&args["subject"])?;
        if file.withdrawn {
            return no("attachment_withdrawn");
        }
        if file.is_on(subject) {
            return no("already_linked");
        }
        let mut after = self.clone();
        after.file_mut(id).links.push(subject);
        let view = after.receipt_view(id);
        Ok((after, 1, view))
    }

    /// Why a file stays where it is linked.
    fn held(&self, id: i64, subject: Subject) -> Noes {
        let mut noes = Noes::new();
        if let ("entry", entry) = subject
            && let Some(posted) = self.entry(entry).filter(|e| e.status == "posted")
        {
            let judged = self.judged(Case {
                id: Some(entry),
                entry: posted,
                among_others: true,
            });
            if judged.required && judged.receipts.len() == 1 {
                noes.insert("receipt_required");
            }
        }
        let live = |(n, done): &(i64, &Reconciled)| {
            !done.voided
                && done.file == id
                && (subject == ("reconciliation", *n) || subject == ("account", done.account))
        };
        if (1..).zip(&self.banking.done).any(|one| live(&one)) {
            noes.insert("statement_in_use");
        }
        noes
    }

    pub fn unlink_attachment(&self, args: &Value) -> Change {
        let id = args["attachment_id"].as_i64().expect("an id");
        let file = self.file(id)?;
        let subject = self.subject(&args["subject"])?;
        if file.entry.map(|entry| ("entry", entry)) == Some(subject) {
            return no("filed_on_entry");
        }
        if !file.is_on(subject) {
            return no("not_linked");
        }
        let noes = self.held(id, subject);
        if !noes.is_empty() {
            return Err(noes);
        }
        let mut after = self.clone();
        after.file_mut(id).links.retain(|link| *link != subject);
        let view = after.receipt_view(id);
        Ok((after, 1, view))
    }

    pub fn unlink_receipt(&self, args: &Value) -> Change {
        let id = args["attachment_id"].as_i64().expect("an id");
        let Some(entry) = self.file(id)?.entry else {
            return no("receipt_not_linked");
        };
        let noes = self.held(id, ("entry", entry));
        if !noes.is_empty() {
            return Err(noes);
        }
        let mut after = self.clone();
        after.file_mut(id).entry = None;
        let left = after
            .receipts
            .iter()
            .filter(|one| one.is_on(("entry", entry)) && !one.withdrawn);
        let view = json!({"ok": true, "entry_id": entry, "remaining_receipts": left.count()});
        Ok((after, 1, view))
    }

    pub fn withdraw(&self, args: &Value) -> Change {
        let id = args["attachment_id"].as_i64().expect("an id");
        let file = self.file(id)?;
        if file.withdrawn {
            return no("attachment_withdrawn");
        }
        if file.entry.is_some() || (!file.document && !file.links.is_empty()) {
            return no("attachment_linked");
        }
        let noes: Noes = file
            .links
            .iter()
            .flat_map(|link| self.held(id, *link))
            .collect();
        if !noes.is_empty() {
            return Err(noes);
        }
        let mut after = self.clone();
        after.file_mut(id).withdrawn = true;
        Ok((after, 1, json!({"ok": true, "attachment_id": id})))
    }

    pub fn file_document(&self, args: &Value) -> Change {
        let content = BASE64.decode(text(args, "content_base64").as_bytes());
        let mut after = self.clone();
        after.receipts.push(Receipt {
            entry: None,
            links: Vec::new(),
            withdrawn: false,
            document: true,
            name: text(args, "file_name").to_owned(),
            content: String::from_utf8(content.expect("base64")).expect("text"),
        });
        let id = i64::try_from(after.receipts.len()).expect("it fits");
        let view = after.receipt_view(id);
        Ok((after, 1, view))
    }
}
