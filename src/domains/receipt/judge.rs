//! What the receipt policy says of an entry, asked of the books: its receipts, its measure, and what it may be a part of.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use super::{
    policy::{ReceiptRule, in_force},
    rules::{self, Measured, Standing},
    table,
};
use crate::{
    domains::{
        attachment::{self, Attachment},
        chart, entry,
    },
    engine::{Posting, Reader, Result},
    model::{AccountType, Line},
};

/// The most entries of a day on an account that are counted to find the account with the fewest.
const CROWD_MAX: i64 = 1_000;

/// What the policy says.
pub struct Judgement {
    /// The receipts that count for it: its own, and of a reversal its original's.
    pub receipts: Vec<Attachment>,
    /// Those that would count if their bytes were where they are kept. Looked for only where a receipt is needed.
    pub lost: Vec<Attachment>,
    /// The debits that count, in minor units.
    pub measured_minor: i128,
    /// Whether they alone are above the threshold.
    pub above: bool,
    /// Codes of the accounts that need a receipt at any amount.
    pub required_accounts: Vec<String>,
    /// The entries that are one purchase with it, itself last, with the debits of each that count; empty when there is no split.
    pub split: Vec<(i64, i128)>,
    /// Where every line is on an asset and a receipt is missing: the accounts among them that are no cash accounts. Were they, the
    /// entry would be a transfer.
    pub not_cash: Vec<String>,
    /// The policy; none where it does not bind.
    pub rule: Option<ReceiptRule>,
}

impl Judgement {
    /// Whether a receipt is needed.
    pub fn required(&self) -> bool {
        self.above || !self.required_accounts.is_empty() || !self.split.is_empty()
    }
    /// Whether it is needed and not there.
    pub fn missing(&self) -> bool {
        self.required() && self.receipts.is_empty()
    }
}

/// Judges an entry; a reversal of a reversal as the entry that it goes back to, which it makes stand again.
///
/// What undoes an entry spends nothing, and needs no receipt.
///
/// Cost: no more than its own lines, where it alone needs no receipt the day's postings on one of its accounts, and where one is
/// needed a look at the stored files of its receipts, which are not read.
///
/// `among_others`: whether it is held against the other entries of its day.
pub fn judge(books: &Reader<'_>, case: Posting<'_>, among_others: bool) -> Result<Judgement> {
    let undone = undone(books, case.reverses)?;
    let mut judgement = Judgement {
        receipts: receipts(books, case, &undone)?,
        lost: Vec::new(),
        measured_minor: 0,
        above: false,
        required_accounts: Vec::new(),
        split: Vec::new(),
        not_cash: Vec::new(),
        rule: None,
    };
    let lines;
    let case = match undone.last() {
        None => case,
        Some(first) => {
            lines = entry::lines(&books.view(), first.id)?;
            Posting {
                entry_id: first.id,
                date: first.date,
                description: &first.description,
                origin: first.origin,
                lines: &lines,
                ..case
            }
        }
    };
    let undoes = !undone.len().is_multiple_of(2);
    if undoes || !rules::binds(case.origin) {
        return Ok(judgement);
    }
    let (rule, settings) = in_force(books)?;
    let mut accounts = Accounts {
        books,
        rule: &rule,
        cash: &settings.cash_accounts,
        known: BTreeMap::new(),
    };
    let Measured { minor, required } = accounts.measure(case.lines)?;
    judgement.measured_minor = minor;
    judgement.above = rule.exceeded(minor, books.currency());
    if required {
        judgement.required_accounts = accounts.required(case.lines)?;
    }
    // What stands again does so as one of its day.
    let alone = !judgement.above && minor > 0;
    if alone && among_others {
        judgement.split = split(&mut accounts, case, minor)?;
    }
    if judgement.missing() && !required {
        judgement.not_cash = accounts.not_cash(case.lines)?;
    }
    judgement.rule = Some(rule);
    if judgement.required() {
        for receipt in std::mem::take(&mut judgement.receipts) {
            let kept = books.keeps(&receipt.sha256, receipt.bytes)?;
            let place = if kept {
                &mut judgement.receipts
            } else {
                &mut judgement.lost
            };
            place.push(receipt);
        }
    }
    Ok(judgement)
}

/// The entries that a reversal goes back to: the one that it reverses first, the one that is no reversal last.
fn undone(books: &Reader<'_>, reverses: Option<i64>) -> Result<Vec<entry::Header>> {
    let mut undone = Vec::new();
    let mut next = reverses;
    while let Some(id) = next {
        let header = entry::by_id(&books.view(), id)?;
        next = header.reverses;
        undone.push(header);
    }
    Ok(undone)
}

/// The receipts of an entry; of a reversal, those of all that it goes back to as well.
fn receipts(
    books: &Reader<'_>,
    case: Posting<'_>,
    undone: &[entry::Header],
) -> Result<Vec<Attachment>> {
    let view = books.view();
    let mut receipts = attachment::on_entry(&view, case.entry_id)?;
    for header in undone {
        receipts.extend(attachment::on_entry(&view, header.id)?);
    }
    Ok(receipts)
}

/// The entries that are one purchase with this one, if together they are above the threshold: the same day, description and set
/// of debited accounts.
fn split(accounts: &mut Accounts<'_>, case: Posting<'_>, minor: i128) -> Result<Vec<(i64, i128)>> {
    let (view, currency) = (accounts.books.view(), accounts.books.currency());
    let debited = debited(case.lines);
    // Every entry of the group debits every one of the accounts, so the least busy of them finds the group.
    let mut least = None;
    for account in &debited {
        let crowd = table::crowd(&view, *account, case.date, CROWD_MAX)?;
        if least.is_none_or(|(fewest, _)| crowd < fewest) {
            least = Some((crowd, *account));
        }
    }
    let Some((1.., account)) = least else {
        return Ok(Vec::new());
    };
    let description = rules::normalised(case.description);
    let mut group = Vec::new();
    for other in table::neighbours(&view, account, case.date)? {
        if other.id == case.entry_id || rules::normalised(&other.description) != description {
            continue;
        }
        let lines = entry::lines(&view, other.id)?;
        if self::debited(&lines) == debited {
            group.push((other.id, accounts.measure(&lines)?.minor));
        }
    }
    group.push((case.entry_id, minor));
    let sum = group.iter().map(|(_, minor)| minor).sum();
    if accounts.rule.exceeded(sum, currency) {
        Ok(group)
    } else {
        Ok(Vec::new())
    }
}

/// The accounts that lines debit.
fn debited(lines: &[Line]) -> BTreeSet<i64> {
    let debits = lines.iter().filter(|line| line.amount_minor > 0);
    debits.map(|line| line.account_id).collect()
}

/// What the policy says of accounts, each looked up once.
struct Accounts<'a> {
    books: &'a Reader<'a>,
    rule: &'a ReceiptRule,
    cash: &'a [String],
    known: BTreeMap<i64, (String, Standing)>,
}

/// What the policy says of an account with this code, of this type. Only an asset is cash: a card that is paid off is none.
pub fn standing(
    rule: &ReceiptRule,
    cash_accounts: &[String],
    (code, kind): (&str, AccountType),
) -> Standing {
    Standing {
        required: rule.requires(code),
        exempt: rule.exempts(code),
        cash: kind == AccountType::Asset && cash_accounts.iter().any(|cash| cash == code),
    }
}

impl Accounts<'_> {
    fn standing(&mut self, account_id: i64) -> Result<&(String, Standing)> {
        match self.known.entry(account_id) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let account = chart::by_id(&self.books.view(), account_id)?;
                let standing = standing(self.rule, self.cash, (&account.code, account.kind));
                Ok(place.insert((account.code, standing)))
            }
        }
    }

    fn measure(&mut self, lines: &[Line]) -> Result<Measured> {
        let mut judged = Vec::with_capacity(lines.len());
        for line in lines {
            judged.push((line.amount_minor, self.standing(line.account_id)?.1));
        }
        Ok(rules::measure(&judged))
    }

    /// The codes of accounts that are no cash accounts, where every line is on an asset.
    fn not_cash(&mut self, lines: &[Line]) -> Result<Vec<String>> {
        let mut codes = Vec::new();
        for line in lines {
            let account = chart::by_id(&self.books.view(), line.account_id)?;
            if account.kind != AccountType::Asset {
                return Ok(Vec::new());
            }
            let cash = self.standing(line.account_id)?.1.cash;
            if !cash && !codes.contains(&account.code) {
                codes.push(account.code);
            }
        }
        Ok(codes)
    }

    /// The codes of the debited accounts that need a receipt at any amount.
    fn required(&mut self, lines: &[Line]) -> Result<Vec<String>> {
        let mut codes = Vec::new();
        for account in debited(lines) {
            let (code, standing) = self.standing(account)?;
            if standing.required {
                codes.push(code.clone());
            }
        }
        Ok(codes)
    }
}
