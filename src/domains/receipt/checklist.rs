//! What receipts add to entries: the checklist of every posting, with its refusal, and what `entry show` tells.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::judge::{Judgement, judge};
use crate::{
    domains::{attachment::Attachment, entry},
    engine::{Facts, No, Posting, Reader, Result, Thing, Unlinking, Verdict, Writer, value_schema},
    model::{Currency, Line, Money, Origin, Refusal, quoted},
};

const RECEIPTS: &str = "receipts";
const REQUIRED: &str = "receipt_required";
const MISSING: &str = "receipt_missing";
const SPLIT: &str = "split_detected";

/// The keys that stand in every posting's preview and answer, and in an entry that is shown.
pub const FACTS: &[Facts] = &[
    Facts {
        of: "posting",
        keys: || {
            keys(&[
                (RECEIPTS, value_schema::<Vec<ReceiptNamed>>()),
                (REQUIRED, value_schema::<bool>()),
                (MISSING, value_schema::<bool>()),
                (SPLIT, value_schema::<Vec<Part>>()),
            ])
        },
    },
    Facts {
        of: ENTRY,
        keys: || {
            keys(&[
                (RECEIPTS, value_schema::<Vec<ReceiptNamed>>()),
                (MISSING, value_schema::<bool>()),
            ])
        },
    },
];

const ENTRY: &str = "entry";

fn keys(keys: &[(&str, Value)]) -> Map<String, Value> {
    let pair = |(key, schema): &(&str, Value)| ((*key).to_owned(), schema.clone());
    keys.iter().map(pair).collect()
}

/// A receipt that counts
#[derive(Serialize, JsonSchema, Debug)]
struct ReceiptNamed {
    /// Its id
    attachment_id: i64,
    /// Its name
    file_name: String,
}

/// An entry of a purchase that was split
#[derive(Serialize, JsonSchema, Debug)]
struct Part {
    /// Its id
    entry_id: i64,
    /// Its debits that count
    amount: Money,
}

/// What the policy says of a posting that is about to be made.
pub fn posting(books: &Writer<'_>, posting: &Posting<'_>) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    // A history has no answer that shows each of its entries, and may have a hundred thousand of them.
    if posting.origin == Origin::Migrated {
        return Ok(verdict);
    }
    let judgement = judge(&books.reader(), *posting, true)?;
    let currency = books.currency();
    let parts = parts(&judgement, currency)?;
    if judgement.missing() {
        let refusal = refusal(*posting, &judgement, (&parts, currency))?;
        verdict.missing.push(refusal);
    }
    put(
        &mut verdict.checklist,
        RECEIPTS,
        &named(&judgement.receipts),
    )?;
    put(&mut verdict.checklist, REQUIRED, &judgement.required())?;
    put(&mut verdict.checklist, MISSING, &judgement.missing())?;
    put(&mut verdict.checklist, SPLIT, &parts)?;
    Ok(verdict)
}

/// The receipts of an entry that is shown, and whether one is missing. What was posted is not held against what came after.
pub fn details(books: &Reader<'_>, thing: Thing) -> Result<Map<String, Value>> {
    let mut facts = Map::new();
    if thing.kind != ENTRY {
        return Ok(facts);
    }
    let header = entry::by_id(&books.view(), thing.id)?;
    let lines = entry::lines(&books.view(), thing.id)?;
    let drafted = header.status == entry::EntryStatus::Draft;
    let judgement = judge(books, case(&header, &lines), drafted)?;
    let counts = header.status != entry::EntryStatus::Discarded;
    put(&mut facts, RECEIPTS, &named(&judgement.receipts))?;
    put(&mut facts, MISSING, &(counts && judgement.missing()))?;
    Ok(facts)
}

/// An entry that stands in the books, as it is judged.
fn case<'a>(header: &'a entry::Header, lines: &'a [Line]) -> Posting<'a> {
    Posting {
        entry_id: header.id,
        date: header.date,
        description: &header.description,
        origin: header.origin,
        reverses: header.reverses,
        lines,
    }
}

/// Whether a file may be taken off an entry: not the last receipt of one that is posted and, were it posted now, would need one.
pub fn unlinking(books: &Reader<'_>, link: &Unlinking<'_>) -> Result<Vec<Refusal>> {
    if link.kind != ENTRY {
        return Ok(Vec::new());
    }
    let header = entry::by_id(&books.view(), link.id)?;
    if header.status != entry::EntryStatus::Posted {
        return Ok(Vec::new());
    }
    let lines = entry::lines(&books.view(), link.id)?;
    let judgement = judge(books, case(&header, &lines), true)?;
    // The file that is taken off is one of them, unless its bytes are lost and it does not count.
    let mut left = judgement
        .receipts
        .iter()
        .map(|receipt| receipt.id)
        .collect::<Vec<_>>();
    if let Some(own) = left.iter().position(|id| *id == link.attachment_id) {
        left.remove(own);
    }
    if !judgement.required() || !left.is_empty() {
        return Ok(Vec::new());
    }
    let parts = parts(&judgement, books.currency())?;
    let refusal = refusal(
        case(&header, &lines),
        &judgement,
        (&parts, books.currency()),
    )?;
    let why = refusal.message.split("; it has").next().unwrap_or_default();
    let message = format!(
        "{why}; attachment {} is its last receipt",
        link.attachment_id
    );
    let hint = format!(
        "attach the right one first with `wb receipt attach FILE --entry {}`, then take this one off",
        link.id
    );
    let refusal = Refusal { message, ..refusal };
    Ok(vec![refusal.remedy("books.attach_receipt", hint)])
}

fn put(facts: &mut Map<String, Value>, key: &str, value: &impl Serialize) -> Result<()> {
    let value =
        serde_json::to_value(value).map_err(|e| No::Fault(format!("writing {key}: {e}")))?;
    facts.insert(key.to_owned(), value);
    Ok(())
}

fn named(receipts: &[Attachment]) -> Vec<ReceiptNamed> {
    let named = |receipt: &Attachment| ReceiptNamed {
        attachment_id: receipt.id,
        file_name: receipt.file_name.clone(),
    };
    receipts.iter().map(named).collect()
}

fn parts(judgement: &Judgement, currency: Currency) -> Result<Vec<Part>> {
    let part = |(entry_id, minor): &(i64, i128)| {
        Ok(Part {
            entry_id: *entry_id,
            amount: money(*minor, currency)?,
        })
    };
    judgement.split.iter().map(part).collect()
}

/// A sum of debits as an amount. All debits ever posted sum to eighteen digits at most, so it fits.
fn money(minor: i128, currency: Currency) -> Result<Money> {
    i64::try_from(minor)
        .map(|minor| currency.money(minor))
        .map_err(|_| No::Fault(format!("debits of {minor} minor units")))
}

/// Why an entry may not be posted without a receipt, with the numbers.
fn refusal(
    case: Posting<'_>,
    judgement: &Judgement,
    (parts, currency): (&[Part], Currency),
) -> Result<Refusal> {
    let policy = judgement.rule.as_ref().map(super::ReceiptRule::words);
    let policy = policy.unwrap_or_default();
    let debits = money(judgement.measured_minor, currency)?;
    // A reversal is satisfied by its original's receipt, and has no number that one could be filed on before it is posted.
    let entry_id = case.reverses.unwrap_or(case.entry_id);
    let what = match case.reverses {
        Some(original) => format!("the reversal of entry {original}"),
        None => format!("entry {entry_id}"),
    };
    let why = if judgement.above {
        format!("has debits of {debits}, {policy}")
    } else if judgement.required_accounts.is_empty() {
        let sum = judgement.split.iter().map(|(_, minor)| minor).sum();
        let sum = money(sum, currency)?;
        format!(
            "is one purchase with {}: {sum} in all, {policy}",
            others(parts)
        )
    } else {
        let codes = judgement.required_accounts.iter().map(|code| quoted(code));
        let codes = codes.collect::<Vec<_>>().join(", ");
        format!("has debits on {codes}, where every amount needs a receipt")
    };
    let (lacks, mut hint) = lacking(judgement, entry_id);
    if !judgement.not_cash.is_empty() {
        hint.push_str(&format!(
            "; if this only moves money between the company's own accounts, the human may name {} in [books] cash_accounts of \
             wanderbooks.toml: a transfer among cash accounts needs no receipt",
            judgement.not_cash.join(" and ")
        ));
    }
    let message = format!("{what} {why}; {lacks}");
    let mut refusal = Refusal::new("receipt_required", message)
        .with("entry_id", entry_id)
        .with("debits", debits.to_string())
        .with("policy", policy)
        .remedy("books.attach_receipt", hint);
    if !judgement.lost.is_empty() {
        let lost: Vec<i64> = judgement.lost.iter().map(|receipt| receipt.id).collect();
        refusal = refusal.with("receipts_lost", lost);
    }
    if !judgement.required_accounts.is_empty() {
        refusal = refusal.with("required_accounts", judgement.required_accounts.clone());
    }
    if !parts.is_empty() {
        let parts = serde_json::to_value(parts);
        let parts = parts.map_err(|e| No::Fault(format!("writing {SPLIT}: {e}")))?;
        refusal = refusal.with(SPLIT, parts);
    }
    Ok(refusal)
}

/// What a posting lacks, and what would help: no receipt, or only such of which the stored file is gone.
fn lacking(judgement: &Judgement, entry_id: i64) -> (String, String) {
    let attach = format!("`wb receipt attach FILE --entry {entry_id}`");
    if judgement.lost.is_empty() {
        let hint = format!(
            "ask for the receipt and attach it with {attach}; never shrink or split an entry to pass"
        );
        return ("it has no receipt".to_owned(), hint);
    }
    let ids: Vec<String> = judgement.lost.iter().map(|r| r.id.to_string()).collect();
    let receipts = if ids.len() == 1 {
        "receipt"
    } else {
        "receipts"
    };
    let lacks = format!(
        "it has no receipt that counts: the stored file of {receipts} {} is missing or cut short",
        ids.join(", ")
    );
    let hint = format!(
        "attach the same file again with {attach}, or put data/blobs back from a backup; `wb verify` names what is lost"
    );
    (lacks, hint)
}

/// The group of a purchase that was split, as a message names it: the entry that is judged stands last.
fn others(parts: &[Part]) -> String {
    let (own, others) = parts
        .split_last()
        .map_or((None, parts), |(own, others)| (Some(own), others));
    let named = others
        .iter()
        .map(|part| format!("entry {} ({})", part.entry_id, part.amount));
    let mut named = named.collect::<Vec<_>>().join(", ");
    if let Some(own) = own {
        named.push_str(&format!(", itself {}", own.amount));
    }
    named
}
