//! What can have happened to an entry. Lines stand in events as account id, code and signed decimal amount, so that a
//! reader of the journal needs nothing else.

use serde::{Deserialize, Serialize};

use super::table::{DRAFT_LINE, ENTRY, ENTRY_TEXT, LINE, fold_draft_lines, fold_lines};
use crate::{
    engine::{Event, Occasion},
    model::{Currency, CurrencyCode, Date, Foreign, Line, Money, Origin, Rate, fold_for_search},
    store::{Fold, FoldError, FoldResult, Val},
};

/// A line as the journal keeps it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct LineData {
    /// The account's id.
    pub account: i64,
    /// The account's code at the time.
    pub code: String,
    /// The signed amount in the books' currency, debit positive, with all its decimals.
    pub amount: Money,
    /// The id of its class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<i64>,
    /// The class's name at the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_name: Option<String>,
    /// The currency of what it was originally; this and the next two stand together or not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign_currency: Option<CurrencyCode>,
    /// The signed amount in that currency, debit positive, with all its decimals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign_amount: Option<Money>,
    /// What one unit of it was worth in the books' currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fx_rate: Option<Rate>,
}

/// What the account and the class of a line are called.
#[derive(Clone, Copy, Debug)]
pub struct Called<'a> {
    /// The account's code.
    pub account: &'a str,
    /// The class's name, for a line that has a class.
    pub class: Option<&'a str>,
}

impl LineData {
    /// The line as the journal keeps it, with what its account and class are called now.
    pub fn of(line: Line, called: Called<'_>, currency: Currency) -> LineData {
        let Line {
            account_id,
            amount_minor,
            class_id,
            foreign,
        } = line;
        LineData {
            account: account_id,
            code: called.account.to_owned(),
            amount: currency.money(amount_minor),
            class: class_id,
            class_name: class_id.and(called.class).map(str::to_owned),
            foreign_currency: foreign.map(|foreign| foreign.currency),
            foreign_amount: foreign.map(|foreign| foreign.amount),
            fx_rate: foreign.map(|foreign| foreign.rate),
        }
    }

    /// The line as the books keep it; what its account and class were called does not count.
    pub fn line(&self) -> FoldResult<Line> {
        let amount_minor = self.minor()?;
        let LineData {
            account,
            code: _,
            amount: _,
            class,
            class_name: _,
            foreign_currency,
            foreign_amount,
            fx_rate,
        } = self;
        let foreign = match (*foreign_currency, *foreign_amount, *fx_rate) {
            (None, None, None) => None,
            (Some(currency), Some(amount), Some(rate)) => Some(Foreign {
                currency,
                amount,
                rate,
            }),
            _ => {
                return Err(FoldError::Misfit {
                    table: LINE.name,
                    what: "a line has a part of a foreign amount".to_owned(),
                });
            }
        };
        Ok(Line {
            account_id: *account,
            amount_minor,
            class_id: *class,
            foreign,
        })
    }

    /// The amount in minor units: the journal writes every decimal, so the digits are the minor units.
    pub fn minor(&self) -> FoldResult<i64> {
        self.amount
            .written_minor()
            .ok_or_else(|| FoldError::Misfit {
                table: "line",
                what: format!(
                    "the amount {} has more digits than can be kept",
                    self.amount
                ),
            })
    }
}

/// The parts that every new draft has, whoever makes it.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The entry's id.
    pub entry_id: i64,
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: &'a str,
    /// What made it.
    pub origin: Origin,
    /// Its lines.
    pub lines: &'a [LineData],
}

/// Writes a new draft's rows, for the events of any domain that drafts entries.
pub fn fold_draft(draft: &Draft<'_>, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
    let folded = fold_for_search(draft.description);
    let row = [
        draft.entry_id.into(),
        draft.date.number().into(),
        "draft".into(),
        draft.origin.word().into(),
        draft.description.into(),
        Val::Null,
        Val::Null,
        at.seq.into(),
    ];
    tables.insert(&ENTRY, &row)?;
    tables.insert(&ENTRY_TEXT, &[draft.entry_id.into(), (&folded).into()])?;
    fold_draft_lines(draft.entry_id, draft.lines, tables)
}

/// A draft was made, with the lines it was made with.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct EntryDrafted {
    /// The entry's id.
    pub entry_id: i64,
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: String,
    /// What made it.
    pub origin: Origin,
    /// Its lines.
    pub lines: Vec<LineData>,
}

impl Event for EntryDrafted {
    const KIND: &'static str = "entry.drafted";
    const V: u32 = 1;
    const ABOUT: &'static str = "A draft entry was made by hand, with the lines it was made with.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let draft = Draft {
            entry_id: self.entry_id,
            date: self.date,
            description: &self.description,
            origin: self.origin,
            lines: &self.lines,
        };
        fold_draft(&draft, at, tables)
    }
}

/// A draft was changed. Holds all that it is now, so that the last event of a draft tells it whole.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct EntryChanged {
    /// The entry.
    pub entry_id: i64,
    /// Its day now.
    pub date: Date,
    /// Its description now.
    pub description: String,
    /// What made it.
    pub origin: Origin,
    /// Its lines now.
    pub lines: Vec<LineData>,
}

impl Event for EntryChanged {
    const KIND: &'static str = "entry.changed";
    const V: u32 = 1;
    const ABOUT: &'static str =
        "A draft's date, description or lines were changed; holds all that the draft is now.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let folded = fold_for_search(&self.description);
        let changes = [
            ("date", self.date.number().into()),
            ("description", (&self.description).into()),
            ("seq", at.seq.into()),
        ];
        let from = [DRAFT[0], ("origin", self.origin.word().into())];
        tables.set_from(&ENTRY, &[self.entry_id.into()], &from, &changes)?;
        tables.set(
            &ENTRY_TEXT,
            &[self.entry_id.into()],
            &[("folded", (&folded).into())],
        )?;
        tables.remove(&DRAFT_LINE, &[self.entry_id.into()])?;
        fold_draft_lines(self.entry_id, &self.lines, tables)
    }
}

/// A draft was discarded. It keeps its id and its lines' history, and can never be posted.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct EntryDiscarded {
    /// The entry.
    pub entry_id: i64,
}

impl Event for EntryDiscarded {
    const KIND: &'static str = "entry.discarded";
    const V: u32 = 1;
    const ABOUT: &'static str = "A draft was discarded; it can never be posted.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        let changes = [("status", "discarded".into()), ("seq", at.seq.into())];
        tables.set_from(&ENTRY, &[self.entry_id.into()], DRAFT, &changes)
    }
}

/// An entry was posted. Its lines never change again.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct EntryPosted {
    /// The entry.
    pub entry_id: i64,
    /// Its day.
    pub date: Date,
    /// Its description.
    pub description: String,
    /// What made it.
    pub origin: Origin,
    /// Whether it stood as a draft before.
    pub drafted: bool,
    /// Its lines, which balance.
    pub lines: Vec<LineData>,
    /// The entry that it reverses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverses: Option<i64>,
    /// Further up the chain of a reversal of reversals: each entry whose live reversal is now another, or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reversals: Vec<ReversalNow>,
}

/// Which entry reverses another now.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ReversalNow {
    /// The entry that is, or was, reversed.
    pub entry_id: i64,
    /// Its live reversal; none when it stands again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reversed_by: Option<i64>,
}

/// What an event can only follow: an entry that is a draft, or posted.
const DRAFT: &[(&str, Val<'_>)] = &[("status", Val::Text("draft"))];
const POSTED: &[(&str, Val<'_>)] = &[("status", Val::Text("posted"))];

impl EntryPosted {
    /// Whoever wrote the journal, no posting stands in it that does not balance.
    fn balances(&self) -> FoldResult {
        let mut sum = 0_i128;
        for line in &self.lines {
            sum += i128::from(line.minor()?);
        }
        if sum == 0 && self.lines.len() >= 2 {
            return Ok(());
        }
        Err(FoldError::Misfit {
            table: LINE.name,
            what: format!("entry {} is posted, but does not balance", self.entry_id),
        })
    }
}

impl Event for EntryPosted {
    const KIND: &'static str = "entry.posted";
    const V: u32 = 1;
    const ABOUT: &'static str = "An entry was posted, from a draft or at once; its lines balance and never change. A reversal names what it reverses.";

    fn fold(&self, at: &Occasion<'_>, tables: &mut Fold<'_>) -> FoldResult {
        if self.drafted {
            tables.remove(&DRAFT_LINE, &[self.entry_id.into()])?;
            let changes = [
                ("date", self.date.number().into()),
                ("status", "posted".into()),
                ("origin", self.origin.word().into()),
                ("description", (&self.description).into()),
                ("seq", at.seq.into()),
            ];
            tables.set_from(&ENTRY, &[self.entry_id.into()], DRAFT, &changes)?;
        } else {
            let folded = fold_for_search(&self.description);
            let row = [
                self.entry_id.into(),
                self.date.number().into(),
                "posted".into(),
                self.origin.word().into(),
                (&self.description).into(),
                self.reverses.into(),
                Val::Null,
                at.seq.into(),
            ];
            tables.insert(&ENTRY, &row)?;
            tables.insert(&ENTRY_TEXT, &[self.entry_id.into(), (&folded).into()])?;
        }
        self.balances()?;
        fold_lines(self, tables)?;
        if let Some(original) = self.reverses {
            let changes = [("reversed_by", self.entry_id.into())];
            let from = [POSTED[0], ("reversed_by", Val::Null)];
            tables.set_from(&ENTRY, &[original.into()], &from, &changes)?;
        }
        for now in &self.reversals {
            let changes = [("reversed_by", now.reversed_by.into())];
            tables.set_from(&ENTRY, &[now.entry_id.into()], POSTED, &changes)?;
        }
        Ok(())
    }
}
