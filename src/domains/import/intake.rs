//! A bank's file on its way into drafts: judged row by row first, recorded in a second pass, so that memory holds a mark a row
//! and never the rows. Which accounts take part is settled by the operation.

use super::{
    days::UnlikelyDays,
    events::{BankImported, BankRowImported},
    faults::Faults,
    judged::{Judged, Mark, NamedAccount, Offset},
    reading::{BankRow, Decoded, GUESSED, LayoutName, NO_ROWS, Pulled, ROWS, ReadOptions, Reading},
    rules::{OffsetRules, RowKeys},
    shown::DraftRow,
    table,
    transfer::{self, Transfers},
};
use crate::{
    domains::{
        class::Class,
        entry::{self, Called, LineData},
    },
    engine::{No, Result, Writer},
    model::{Line, LineFault, Origin, Refusal, quoted},
};

/// The most records of a file that was sent as an argument.
pub const SENT_ROWS_MAX: usize = 20_000;
/// The most records of a file that was named on the terminal.
pub const FILE_ROWS_MAX: usize = 1_000_000;
/// The most passed-over records that an answer shows.
pub const SKIPPED_SHOWN_MAX: usize = 100;
/// After how many records the progress is told.
const PROGRESS_ROWS: u64 = 1_000;

/// Everything that an import was told.
pub struct Intake<'a> {
    /// The file's SHA-256, in hex.
    pub sha256: &'a str,
    /// The file's text.
    pub decoded: &'a Decoded<'a>,
    /// How to read it.
    pub options: ReadOptions<'a>,
    /// The most records it may have.
    pub rows_max: usize,
    /// The bank or card account.
    pub bank: NamedAccount,
    /// The account for rows that no rule matches, then that of each rule in order.
    pub offsets: Vec<Offset>,
    /// The rules, in the order of their accounts.
    pub rules: OffsetRules,
    /// The account for fees in a column of their own; the first of the offset accounts where none was named.
    pub fees: Option<NamedAccount>,
    /// The most drafts that the answer shows.
    pub shown_max: usize,
    /// Whether rows come back whose draft was discarded.
    pub again: bool,
}

impl Intake<'_> {
    /// Reads the whole file and decides about every row.
    ///
    /// Refuses: what [`Reading`] refuses, more rows than the limit, and any row with a fault, all faults together.
    pub fn judge(&self, books: &Writer<'_>) -> Result<Judged> {
        let mut reading = self.open()?;
        let total = 2 * reading.records_total();
        let judged = self.judge_rows(books, &mut reading, total);
        if judged.as_ref().map_or(true, |judged| judged.imported == 0) {
            // Nothing follows, so the work ends here.
            books.progress(total, total);
        }
        judged
    }

    fn judge_rows(
        &self,
        books: &Writer<'_>,
        reading: &mut Reading<'_>,
        total: u64,
    ) -> Result<Judged> {
        let mut judged = Judged::of(reading);
        let (mut keys, mut faults) = (RowKeys::default(), Faults::default());
        let mut transfers = Transfers::of(books, self.bank.id, self.default()?.account.id)?;
        let mut days = UnlikelyDays::on(books.today());
        let (mut records, mut unread, mut tied) = (0, false, false);
        for pulled in &mut *reading {
            records += 1;
            tell(books, records, total);
            if records > self.rows_max as u64 {
                return Err(self.too_many());
            }
            match pulled.map_err(|r| No::from(r.into_refusal()))? {
                Pulled::Row(row) => {
                    let key = keys.key(&row);
                    match self.offset(&row) {
                        Ok(offset) => {
                            let mark = self.mark(books, &key, offset, &mut judged)?;
                            judged.take(&row, mark)?;
                            if mark != Mark::Known {
                                days.look(row.line, row.date);
                                let other = self.offsets.get(offset).ok_or_else(changed)?;
                                transfers.look(books, &row, other.account.id)?;
                                self.show(books, &mut judged, row, offset);
                            }
                        }
                        Err(fault) => {
                            tied = true;
                            faults.push(fault);
                        }
                    }
                }
                Pulled::Skipped(skipped) => {
                    judged.skipped += 1;
                    if judged.skipped_rows.len() < SKIPPED_SHOWN_MAX {
                        judged.skipped_rows.push(skipped);
                    }
                }
                Pulled::Faulty(found) => {
                    unread = true;
                    found.into_iter().for_each(|fault| faults.push(fault));
                }
            }
        }
        faults.settle(ROWS, hint(unread, tied))?;
        let closing = reading.closing().map_err(|r| No::from(r.into_refusal()))?;
        self.note(&mut judged, closing);
        if judged.imported > 0 {
            let same_file = transfer::same_file(books, self.bank.id, self.sha256)?;
            judged.warnings.extend(same_file);
            judged.warnings.extend(self.other_kind(judged.layout));
            judged.warnings.extend(days.warning());
            judged.warnings.extend(transfers.warning());
        }
        Ok(judged)
    }

    /// Records what was judged: the import, then a draft a row. Gives the first and the last entry's id.
    pub fn record(
        &self,
        books: &mut Writer<'_>,
        judged: &Judged,
        batch: BankImported,
    ) -> Result<(i64, i64)> {
        let batch_id = batch.batch_id;
        books.record(&batch)?;
        let first = entry::next_id(&books.view())?;
        let (mut keys, mut entry_id) = (RowKeys::default(), first);
        let mut marks = judged.marks.iter();
        let reading = self.open()?;
        let half = reading.records_total();
        for (records, pulled) in (half..).zip(reading) {
            tell(books, records, 2 * half);
            let Pulled::Row(row) = pulled.map_err(|r| No::from(r.into_refusal()))? else {
                continue;
            };
            let key = keys.key(&row);
            let mark = marks.next().ok_or_else(changed)?;
            let Mark::New { offset, again } = mark else {
                continue;
            };
            let offset = self.offsets.get(offset).ok_or_else(changed)?;
            let lines = self.lines(books, &row, offset)?;
            books.record(&BankRowImported {
                entry_id,
                batch_id,
                account: self.bank.id,
                file_line: row.line,
                key,
                date: row.date,
                description: row.description,
                origin: Origin::Imported,
                lines,
                raw: row.raw,
                bank_id: row.bank_id,
                check_number: row.check_number,
                merchant: row.merchant,
                text_cleaned: row.text_cleaned,
                replaces_entry_id: again,
            })?;
            entry_id += 1;
        }
        books.progress(2 * half, 2 * half);
        Ok((first, entry_id - 1))
    }

    /// The reading of the file, from its beginning.
    fn open(&self) -> Result<Reading<'_>> {
        Reading::open(&self.decoded.text, &self.options).map_err(|r| r.into_refusal().into())
    }

    /// Keeps the first drafts for the answer.
    fn show(&self, books: &Writer<'_>, judged: &mut Judged, row: BankRow, offset: usize) {
        let Some(other) = self.offsets.get(offset) else {
            return;
        };
        if judged.drafts.len() < self.shown_max {
            let rule = offset.checked_sub(1).and_then(|at| self.rules.text(at));
            let draft = DraftRow::of(row, other, rule, books.currency());
            judged.drafts.push(draft);
        }
    }

    /// Which of the offset accounts a row is booked against. Rules of one length that name one account agree.
    fn offset(&self, row: &BankRow) -> Result<usize, LineFault> {
        let tie = match self.rules.place(&row.description) {
            Ok(place) => return Ok(place.map_or(0, |rule| rule + 1)),
            Err(tie) => tie,
        };
        let places = || tie.places.iter().map(|rule| rule + 1);
        let mut accounts = places().map(|place| self.offsets.get(place));
        let first = accounts.next();
        if let Some(place) = places().next()
            && accounts.all(|account| Some(account) == first)
        {
            return Ok(place);
        }
        let texts: Vec<String> = tie.texts.iter().map(|t| quoted(t)).collect();
        let message = format!(
            "the rules {} match and are equally long, and name different accounts or classes; a longer rule settles it",
            texts.join(" and ")
        );
        Err(LineFault::new(row.line, "rules", message, &row.description))
    }

    /// What rows that no rule claims are booked against.
    pub fn default(&self) -> Result<&Offset> {
        self.offsets.first().ok_or_else(changed)
    }

    fn mark(
        &self,
        books: &Writer<'_>,
        key: &str,
        offset: usize,
        judged: &mut Judged,
    ) -> Result<Mark> {
        Ok(match table::earlier(&books.view(), self.bank.id, key)? {
            None => Mark::New {
                offset,
                again: None,
            },
            Some(earlier) if earlier.discarded && self.again => Mark::New {
                offset,
                again: Some(earlier.entry_id),
            },
            Some(earlier) => {
                judged.discarded += usize::from(earlier.discarded);
                Mark::Known
            }
        })
    }

    /// Money in debits the bank account, money out credits it; for a card the same, since a payment lowers what is owed.
    ///
    /// A fee in a column of its own stands as a line of its own, so that the other side shows what was earned or spent before it:
    /// what a payment service reports of its customers is gross (§6050W), and so are books. A row that is nothing but a fee is
    /// what its text says.
    fn lines(&self, books: &Writer<'_>, row: &BankRow, offset: &Offset) -> Result<Vec<LineData>> {
        let default = self.default()?;
        let fees = self.fees.as_ref().unwrap_or(&default.account);
        let fee_class = default.class.as_ref().filter(|_| self.fees.is_none());
        let amount = row.amount_minor;
        let gross = row.gross_minor().unwrap_or(amount);
        // A class tells what was earned or spent apart, so it stands on the other side; the bank account is everyone's.
        let mut moves = vec![
            (&self.bank, None, amount),
            (&offset.account, offset.class.as_ref(), -gross),
            (fees, fee_class, gross - amount),
        ];
        moves.retain(|(_, _, minor)| *minor != 0);
        moves.sort_by_key(|(_, _, minor)| *minor < 0);
        let line = |(account, class, minor): (&NamedAccount, Option<&Class>, i64)| {
            let called = Called {
                account: &account.code,
                class: class.map(|class| class.name.as_str()),
            };
            let line = Line::of(account.id, minor).in_class(class.map(|class| class.id));
            LineData::of(line, called, books.currency())
        };
        Ok(moves.into_iter().map(line).collect())
    }

    /// The warning about a card's file in a bank account, or the other way about.
    fn other_kind(&self, layout: LayoutName) -> Option<String> {
        let card = layout.is_card().filter(|card| *card != self.options.card)?;
        let code = quoted(&self.bank.code);
        Some(if card {
            format!(
                "the layout {layout} is a card's, and account {code} is an asset; a card is a liability"
            )
        } else {
            format!(
                "the layout {layout} is a bank account's, and account {code} is a liability, as a card is"
            )
        })
    }

    fn too_many(&self) -> No {
        let message = format!("the file has more than {} rows", self.rows_max);
        Refusal::new("bank_csv_too_many_rows", message)
            .with("rows_max", self.rows_max)
            .hint("split the file by month and import the parts")
            .into()
    }

    fn note(&self, judged: &mut Judged, closing: Vec<String>) {
        if self.decoded.guessed {
            judged.notes.push(GUESSED.to_owned());
        }
        judged.notes.extend(closing);
        if judged.marks.is_empty() {
            judged.notes.push(NO_ROWS.to_owned());
        } else if judged.imported == 0 {
            judged
                .notes
                .push("every row is in the books already; nothing was changed".to_owned());
        }
        if judged.fees > 0 {
            let account = match (&self.fees, self.offsets.first()) {
                (Some(fees), _) => Some(fees),
                (None, other) => other.map(|other| &other.account),
            };
            let code = account.map_or("", |account| &account.code);
            judged.notes.push(format!(
                "rows with a fee in a column of its own: {}; it is a line of the draft, against account {}",
                judged.fees,
                quoted(code)
            ));
        }
        if judged.discarded > 0 {
            let whose = if judged.discarded == 1 {
                "its draft"
            } else {
                "their drafts"
            };
            judged.notes.push(format!(
                "{} of the duplicates had {whose} discarded; `again` brings such rows back",
                judged.discarded
            ));
        }
    }
}

/// What to do about a file's faults: rows that cannot be read, and rows on which rules disagree.
fn hint(unread: bool, tied: bool) -> &'static str {
    match (unread, tied) {
        (false, true) => "give a longer rule for those rows, or let the rules name one account",
        (_, false) => {
            "correct the lines, or say `date_order`, `decimal` or `layout` if they are read wrongly"
        }
        (true, true) => {
            "correct the lines and the rules, or say `date_order`, `decimal` or `layout` if they are read wrongly"
        }
    }
}

/// Tells now and then how far both passes over the records are.
fn tell(books: &Writer<'_>, records: u64, total: u64) {
    if records > 0 && records.is_multiple_of(PROGRESS_ROWS) && records < total {
        books.progress(records, total);
    }
}

/// Both passes read the same bytes by the same options, so this is our fault if ever seen.
fn changed() -> No {
    No::Fault("the second reading of a bank's file differs from the first".to_owned())
}
