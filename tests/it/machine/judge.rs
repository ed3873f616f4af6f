//! What a call must come to, told from its arguments and the model alone: a refusal's codes, or the books as they are after it.

use serde_json::{Value, json};
use std::collections::BTreeSet;

use super::{
    model::{Account, Entry, Keyed, Line, Model, Tags},
    receipts::Case,
};

pub const AMOUNT_MINOR_MAX: i128 = 99_999_999_999_999;

/// What a call must come to.
pub enum Verdict {
    /// Refused, with one of these codes first.
    No(BTreeSet<&'static str>),
    /// An answer that changes nothing.
    Quiet,
    /// The answer that the key had before.
    Again(Value),
    /// So many events, and then the books are so; what the answer shows, as far as the model knows.
    Done(Box<Model>, i64, Value),
}

/// Why not. Where several reasons hold, the books may name any of them first.
pub type Noes = BTreeSet<&'static str>;
/// The books after a call, its events and what the answer shows; or why not.
pub type Change = Result<(Model, i64, Value), Noes>;

pub fn no<T>(code: &'static str) -> Result<T, Noes> {
    Err(Noes::from([code]))
}

pub fn text<'a>(args: &'a Value, key: &str) -> &'a str {
    args[key].as_str().unwrap_or_default()
}

/// What the books keep of a typed text: trimmed, and the one combined letter that the machine sends composed.
pub fn kept(text: &str, chars_max: usize) -> Result<String, Noes> {
    let hostile = |c: char| {
        c.is_control() || matches!(c, '\u{200b}' | '\u{202e}' | '\u{e0000}'..='\u{e0fff}')
    };
    let text = text.trim().replace("e\u{301}", "\u{e9}");
    let fits = (1..=chars_max).contains(&text.chars().count());
    if fits && !text.chars().any(hostile) {
        Ok(text)
    } else {
        no("bad_text")
    }
}

/// A positive amount in minor units of a currency with so many decimals.
pub fn amount(text: &str, decimals: usize) -> Result<i128, Noes> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > decimals {
        return no("bad_amount");
    }
    let minor: i128 = format!("{whole}{fraction:0<decimals$}")
        .parse()
        .expect("the machine sends digits");
    if (1..=AMOUNT_MINOR_MAX).contains(&minor) {
        Ok(minor)
    } else {
        no("bad_amount")
    }
}

impl Model {
    /// What a call of a tool must come to.
    pub fn judge(&self, tool: &str, args: &Value) -> Verdict {
        let confirm = matches!(
            tool,
            "books.post_entry" | "books.reverse_entry" | "books.reconcile"
        );
        let truth = |key: &str| args[key] == json!(true);
        let keeps = !truth("preview") && (!confirm || truth("confirmed"));
        let mut plain = args.clone();
        for control in ["preview", "confirmed", "if_preview", "request_key"] {
            plain.as_object_mut().expect("an object").remove(control);
        }
        let key = args["request_key"].as_str().filter(|_| keeps);
        if let Some(earlier) = key.and_then(|key| self.keys.get(key)) {
            if earlier.tool == tool && earlier.args == plain {
                return Verdict::Again(earlier.answer.clone());
            }
            return Verdict::No(Noes::from(["request_key_reused"]));
        }
        match self.change(tool, &plain) {
            // A preview shows what is missing, and warns of it.
            Err(codes) if !keeps && codes == Noes::from(["receipt_required"]) => Verdict::Quiet,
            Err(codes) => Verdict::No(codes),
            Ok(_) if !keeps => Verdict::Quiet,
            Ok((mut model, events, view)) => {
                // A keyed call that changes nothing still has an event for its answer.
                let events = if key.is_some() { events.max(1) } else { events };
                if let Some(key) = key {
                    let keyed = Keyed {
                        tool: tool.to_owned(),
                        args: plain,
                        answer: Value::Null,
                    };
                    model.keys.insert(key.to_owned(), keyed);
                }
                Verdict::Done(Box::new(model), events, view)
            }
        }
    }

    fn change(&self, tool: &str, args: &Value) -> Change {
        match tool {
            "books.add_account" => self.add_account(args),
            "books.add_class" => self.add_class(args),
            "books.update_account" => self.update_account(args),
            "books.renumber_account" => self.renumber(args),
            "books.draft_entry" => self.draft(args),
            "books.add_line" => self.add_line(args),
            "books.remove_line" => self.remove_line(args),
            "books.update_draft" => self.update_draft(args),
            "books.discard_draft" => self.discard(args),
            "books.post_entry" => self.post(args),
            "books.reverse_entry" => self.reverse(args),
            "books.attach_receipt" => self.attach(args),
            "books.link_receipt" => self.link(args),
            "books.link_attachment" => self.link_attachment(args),
            "books.unlink_attachment" => self.unlink_attachment(args),
            "books.unlink_receipt" => self.unlink_receipt(args),
            "books.withdraw_attachment" => self.withdraw(args),
            "books.file_document" => self.file_document(args),
            "books.record_statement" => self.record_statement(args),
            "books.mark_cleared" => self.mark(args),
            "books.reconcile" => self.reconcile(args),
            "books.void_reconciliation" => self.void(args),
            other => panic!("the model knows no {other}"),
        }
    }

    fn add_account(&self, args: &Value) -> Change {
        let mut noes = Noes::new();
        let (code, kind) = (text(args, "code").trim(), text(args, "type"));
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        if !(1..=20).contains(&code.len()) || !code.chars().all(legal) {
            noes.insert("bad_code");
        }
        let name = kept(text(args, "name"), 200);
        noes.extend(name.as_ref().err().into_iter().flatten());
        if self.accounts.iter().any(|a| a.code == code) {
            noes.insert("code_in_use");
        }
        if code == "1200" && kind != "asset" {
            noes.insert("code_of_role");
        }
        let mut parent = None;
        if !args["parent"].is_null() {
            match self.parent(&args["parent"], kind) {
                Ok(id) => parent = Some(id),
                Err(codes) => noes.extend(codes),
            }
        }
        let (Ok(name), true) = (name, noes.is_empty()) else {
            return Err(noes);
        };
        let mut after = self.clone();
        after.accounts.push(Account {
            code: code.to_owned(),
            name,
            kind: kind.to_owned(),
            parent,
            placeholder: args["placeholder"] == json!(true),
            archived: false,
        });
        let id = i64::try_from(after.accounts.len()).expect("it fits");
        let view = after.account_view(id);
        Ok((after, 1, view))
    }

    /// A parent for an account of a type.
    fn parent(&self, reference: &Value, kind: &str) -> Result<i64, Noes> {
        let id = self.resolve(reference).map_err(|code| Noes::from([code]))?;
        let parent = self.account(id).expect("it was found");
        let mut noes = Noes::new();
        if parent.kind != kind {
            noes.insert("parent_type_differs");
        }
        if parent.archived {
            noes.insert("account_archived");
        }
        if !self.groups(id) && self.used(id, "posted") + self.used(id, "draft") > 0 {
            noes.insert("account_has_lines");
        }
        if noes.is_empty() { Ok(id) } else { Err(noes) }
    }

    fn update_account(&self, args: &Value) -> Change {
        let id = self
            .resolve(&args["account"])
            .map_err(|code| Noes::from([code]))?;
        let (mut noes, mut now) = (Noes::new(), self.account(id).expect("found").clone());
        if let Some(name) = args["name"].as_str() {
            match kept(name, 200) {
                Ok(name) => now.name = name,
                Err(codes) => noes.extend(codes),
            }
        }
        match args["parent"].as_str() {
            None => {}
            Some("") => now.parent = None,
            Some(reference) => match self.parent(&json!(reference), &now.kind) {
                Ok(parent) if self.under(parent, id) => {
                    noes.insert("parent_cycle");
                }
                Ok(parent) => now.parent = Some(parent),
                Err(codes) => noes.extend(codes),
            },
        }
        let drafted = self.used(id, "draft");
        if let Some(placeholder) = args["placeholder"].as_bool() {
            now.placeholder = placeholder;
        }
        if now.placeholder && !self.groups(id) && self.used(id, "posted") + drafted > 0 {
            noes.insert("account_has_lines");
        }
        if let Some(archived) = args["archived"].as_bool() {
            if archived && !now.archived {
                let children = |a: &Account| a.parent == Some(id) && !a.archived;
                let held = [
                    (self.raw(id, "", "9") != 0, "account_has_balance"),
                    (drafted > 0, "account_has_drafts"),
                    (self.accounts.iter().any(children), "account_has_children"),
                ];
                noes.extend(held.iter().filter(|h| h.0).map(|h| h.1));
            }
            now.archived = archived;
        }
        if !noes.is_empty() {
            return Err(noes);
        }
        let mut after = self.clone();
        *after.account_mut(id) = now;
        let (events, view) = (i64::from(after != *self), after.account_view(id));
        Ok((after, events, view))
    }

    /// Whether an account is another or stands somewhere under it.
    fn under(&self, mut id: i64, other: i64) -> bool {
        loop {
            if id == other {
                return true;
            }
            match self.account(id).and_then(|a| a.parent) {
                Some(above) => id = above,
                None => return false,
            }
        }
    }

    fn renumber(&self, args: &Value) -> Change {
        let id = self
            .resolve(&args["account"])
            .map_err(|code| Noes::from([code]))?;
        let (code, now) = (text(args, "code"), self.account(id).expect("found"));
        let mut after = self.clone();
        if code != now.code {
            if self.accounts.iter().any(|a| a.code == code) {
                return no("code_in_use");
            }
            if code == "1200" && now.kind != "asset" {
                return no("code_of_role");
            }
            if !self.same_by(&now.code, code) {
                return no("account_in_policy");
            }
            after.account_mut(id).code = code.to_owned();
        }
        let view = json!({"id": id, "previous_code": now.code, "code": code});
        Ok((after, i64::from(code != now.code), view))
    }

    /// A line as it stands in an argument.
    fn line(&self, line: &Value) -> Result<Line, Noes> {
        let mut noes = Noes::new();
        let id = match self.resolve(&line["account"]) {
            Ok(id) => {
                noes.extend(self.unpostable(id));
                Some(id)
            }
            Err(code) => {
                noes.insert(code);
                None
            }
        };
        let mut class = None;
        if !line["class"].is_null() {
            match self.class_of(&line["class"]) {
                Ok(found) => class = Some(found),
                Err(code) => noes.extend([code]),
            }
        }
        let moved = self.moved(line);
        noes.extend(moved.as_ref().err().into_iter().flatten());
        let (Some(id), Ok((minor, foreign)), true) = (id, moved, noes.is_empty()) else {
            return Err(noes);
        };
        let sign = if line["side"] == "debit" { 1 } else { -1 };
        Ok((id, sign * minor, Tags { class, foreign }))
    }

    /// Why no line may stand on an account.
    pub fn unpostable(&self, id: i64) -> Noes {
        let archived = self.account(id).is_some_and(|a| a.archived);
        let why = [
            (self.groups(id), "account_is_placeholder"),
            (archived, "account_archived"),
        ];
        why.iter().filter(|w| w.0).map(|w| w.1).collect()
    }

    fn draft(&self, args: &Value) -> Change {
        let (mut noes, mut lines) = (Noes::new(), Vec::new());
        for line in args["lines"].as_array().into_iter().flatten() {
            match self.line(line) {
                Ok(line) => lines.push(line),
                Err(codes) => noes.extend(codes),
            }
        }
        let description = kept(text(args, "description"), 500);
        noes.extend(description.as_ref().err().into_iter().flatten());
        let (Ok(description), true) = (description, noes.is_empty()) else {
            return Err(noes);
        };
        let mut after = self.clone();
        after.entries.push(Entry {
            date: text(args, "date").to_owned(),
            description,
            status: "draft",
            origin: "manual",
            lines,
            reverses: None,
            reversed_by: None,
        });
        let view = after.view(i64::try_from(after.entries.len()).expect("it fits"));
        Ok((after, 1, view))
    }

    /// The draft that a call names.
    fn drafted(&self, args: &Value) -> Result<(i64, &Entry), Noes> {
        let id = args["entry_id"].as_i64().expect("the machine sends ids");
        match self.entry(id) {
            None => no("unknown_entry"),
            Some(entry) if entry.status != "draft" => no("entry_not_draft"),
            Some(entry) => Ok((id, entry)),
        }
    }

    fn add_line(&self, args: &Value) -> Change {
        let (id, _) = self.drafted(args)?;
        let line = self.line(args)?;
        let mut after = self.clone();
        after.entry_mut(id).lines.push(line);
        let view = after.view(id);
        Ok((after, 1, view))
    }

    fn remove_line(&self, args: &Value) -> Change {
        let (id, entry) = self.drafted(args)?;
        let place = usize::try_from(args["line_index"].as_u64().expect("a place")).expect("fits");
        if place >= entry.lines.len() {
            return no("unknown_line");
        }
        let mut after = self.clone();
        after.entry_mut(id).lines.remove(place);
        let view = after.view(id);
        Ok((after, 1, view))
    }

    fn update_draft(&self, args: &Value) -> Change {
        let (id, _) = self.drafted(args)?;
        let mut after = self.clone();
        if let Some(description) = args["description"].as_str() {
            after.entry_mut(id).description = kept(description, 500)?;
        }
        if let Some(date) = args["date"].as_str() {
            after.entry_mut(id).date = date.to_owned();
        }
        let (events, view) = (i64::from(after != *self), after.view(id));
        Ok((after, events, view))
    }

    fn discard(&self, args: &Value) -> Change {
        let (id, _) = self.drafted(args)?;
        let mut after = self.clone();
        after.entry_mut(id).status = "discarded";
        Ok((after, 1, json!({"entry_id": id, "status": "discarded"})))
    }

    /// Why lines cannot be posted.
    fn unfit(&self, lines: &[Line]) -> Noes {
        let mut noes: Noes = lines.iter().flat_map(|l| self.unpostable(l.0)).collect();
        if lines.len() < 2 {
            noes.insert("entry_too_few_lines");
        }
        if lines.iter().map(|l| l.1).sum::<i128>() != 0 {
            noes.insert("entry_unbalanced");
        }
        noes
    }

    fn post(&self, args: &Value) -> Change {
        let (id, entry) = self.drafted(args)?;
        let noes = self.unfit(&entry.lines);
        if !noes.is_empty() {
            return Err(noes);
        }
        let judged = self.judged_by_id(id);
        if judged.missing() {
            return no("receipt_required");
        }
        let mut after = self.clone();
        after.entry_mut(id).status = "posted";
        let mut view = after.posting(id);
        judged.write_into(&mut view);
        Ok((after, 1, view))
    }

    fn reverse(&self, args: &Value) -> Change {
        let id = args["entry_id"].as_i64().expect("the machine sends ids");
        let Some(original) = self.entry(id) else {
            return no("unknown_entry");
        };
        let date = text(args, "date");
        if original.status != "posted" {
            return no("entry_not_posted");
        }
        let mut noes = self.unfit(&original.lines);
        if original.reversed_by.is_some() {
            noes.insert("already_reversed");
        }
        if date < original.date.as_str() {
            noes.insert("reversal_before_original");
        }
        let description = match args["description"].as_str() {
            Some(text) => kept(text, 500),
            None => Ok(format!("Reversal of entry {id}")),
        };
        noes.extend(description.as_ref().err().into_iter().flatten());
        let (Ok(description), true) = (description, noes.is_empty()) else {
            return Err(noes);
        };
        let mut after = self.clone();
        let reversal = i64::try_from(self.entries.len()).expect("it fits") + 1;
        after.entries.push(Entry {
            date: date.to_owned(),
            description,
            status: "posted",
            origin: "reversal",
            lines: original
                .lines
                .iter()
                .map(|(id, minor, tags)| (*id, -minor, tags.clone()))
                .collect(),
            reverses: Some(id),
            reversed_by: None,
        });
        if !after.reversals_stand() {
            return no("already_reversed");
        }
        let judged = self.judged(Case {
            id: None,
            entry: after.entry(reversal).expect("the reversal"),
            among_others: true,
        });
        if judged.missing() {
            return no("receipt_required");
        }
        let mut view = after.posting(reversal);
        judged.write_into(&mut view);
        Ok((after, 1, view))
    }
}
