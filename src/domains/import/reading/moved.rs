//! How much a record moves the account, by the layout's rule, and how much of that is a fee in a column of its own. It turns no
//! sign and reads no date.

use crate::domains::import::reading::{
    DecimalStyle, SkipReason,
    amount::{Amount, amount},
    layout::{AmountColumns, End, Ends, KindWords, normal},
    records::Record,
};
use crate::model::{AMOUNT_MINOR_MAX, Currency, LineFault};

/// A record's amount before its sign is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// None stands there.
    Blank,
    /// It is zero.
    Zero,
    /// It moves the account.
    Moved(Moved),
}

/// What moves the account, in minor units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moved {
    /// Positive is what a positive amount or a credit is in this file. Fees are inside.
    pub minor: i64,
    /// The part of it that is a fee, with the same sense of signs.
    pub fee_minor: i64,
    /// Whether DR or CR stood behind it: then the sign is the bank's own and no card rule turns it.
    pub marked: bool,
}

/// Reads the amounts of one file's records.
pub(super) struct Amounts {
    pub columns: AmountColumns,
    pub kind_words: KindWords,
    pub decimal: DecimalStyle,
    pub currency: Currency,
}

/// Which end of a transfer is the account's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mine {
    Source,
    Target,
}

impl Amounts {
    /// An amount of a record, in minor units; `None` for a blank.
    pub fn money(
        &self,
        record: &Record<'_>,
        column: usize,
        field: &'static str,
    ) -> Result<Option<Amount>, LineFault> {
        let cell = record.cells.get(column).unwrap_or_default();
        amount(cell, self.decimal, self.currency)
            .map_err(|why| LineFault::new(record.line, field, why, cell))
    }

    /// Why a record moves nothing in this currency, though its status is settled; only a transfer between two ends can tell.
    pub fn skips(&self, record: &Record<'_>) -> Result<Option<SkipReason>, LineFault> {
        match self.columns {
            AmountColumns::Ends(ends) => Ok(self.mine(record, ends)?.err()),
            _ => Ok(None),
        }
    }

    /// The amount by the layout's rule.
    pub fn find(&self, record: &Record<'_>) -> Result<Found, LineFault> {
        match self.columns {
            AmountColumns::Signed(column) => Ok(match self.money(record, column, "amount")? {
                None => Found::Blank,
                Some(Amount { minor, marked }) => found(minor, 0, marked),
            }),
            AmountColumns::Typed(column, kind) => self.typed(record, column, kind),
            AmountColumns::Pair(debit, credit) => self.pair(record, debit, credit),
            AmountColumns::Net { gross, fee, net } => self.net(record, [gross, fee, net]),
            AmountColumns::FeeBeside(column, fee) => {
                let Some(amount) = self.money(record, column, "amount")? else {
                    return Ok(Found::Blank);
                };
                let fee = -self.fee(record, fee)?;
                let minor = held(record, amount.minor + fee)?;
                Ok(found(minor, fee, false))
            }
            AmountColumns::Ends(ends) => self.ended(record, ends),
        }
    }

    fn typed(&self, record: &Record<'_>, column: usize, kind: usize) -> Result<Found, LineFault> {
        let Some(amount) = self.money(record, column, "amount")? else {
            return Ok(Found::Blank);
        };
        if amount.minor == 0 {
            return Ok(Found::Zero);
        }
        let cell = record.cells.get(kind).unwrap_or_default();
        let (word, words) = (normal(cell), self.kind_words);
        if words.positive.contains(&word.as_str()) {
            Ok(found(amount.minor.abs(), 0, false))
        } else if words.negative.contains(&word.as_str()) {
            Ok(found(-amount.minor.abs(), 0, false))
        } else {
            let message = "this type is not known, so the sign of the amount is not either";
            Err(LineFault::new(record.line, "type", message, cell))
        }
    }

    fn pair(&self, record: &Record<'_>, debit: usize, credit: usize) -> Result<Found, LineFault> {
        let debit = self.money(record, debit, "debit")?;
        let credit = self.money(record, credit, "credit")?;
        let filled = |a: Option<Amount>| a.filter(|a| a.minor != 0).map(|a| a.minor.abs());
        match (filled(debit), filled(credit)) {
            (Some(_), Some(_)) => {
                let message = "debit and credit are both filled; one must be blank";
                Err(LineFault::new(record.line, "amount", message, record.raw))
            }
            (Some(debit), None) => Ok(found(-debit, 0, false)),
            (None, Some(credit)) => Ok(found(credit, 0, false)),
            (None, None) if debit.is_none() && credit.is_none() => Ok(Found::Blank),
            (None, None) => Ok(Found::Zero),
        }
    }

    /// The net, which must be gross and fee together: a file whose own sum is wrong was changed, or is read wrongly.
    fn net(&self, record: &Record<'_>, [gross, fee, net]: [usize; 3]) -> Result<Found, LineFault> {
        let minor = |column, field| Ok(self.money(record, column, field)?.map(|a| a.minor));
        let (gross, net) = (minor(gross, "gross")?, minor(net, "net")?);
        let fee = self.fee(record, fee)?;
        let (gross, net) = match (gross, net) {
            (None, None) => return Ok(Found::Blank),
            (gross, net) => (gross.unwrap_or(0), net.unwrap_or(0)),
        };
        if gross + fee != net {
            let money = |minor| self.currency.money(minor);
            let message = format!(
                "gross and fee come to {}, and the net is {}",
                money(gross + fee),
                money(net)
            );
            return Err(LineFault::new(record.line, "net", message, record.raw));
        }
        Ok(found(net, fee, false))
    }

    fn fee(&self, record: &Record<'_>, column: usize) -> Result<i64, LineFault> {
        let fee = self.money(record, column, "fee")?;
        Ok(fee.map_or(0, |fee| fee.minor))
    }

    fn ended(&self, record: &Record<'_>, ends: Ends<usize>) -> Result<Found, LineFault> {
        let (end, mine) = match self.mine(record, ends)? {
            Ok(Mine::Source) => (ends.source, Mine::Source),
            Ok(Mine::Target) => (ends.target, Mine::Target),
            // Such a record is passed over before its amount is asked for.
            Err(_) => return Ok(Found::Zero),
        };
        let Some(minor) = self.unsigned(record, end.amount, "amount")? else {
            return Ok(Found::Blank);
        };
        if mine == Mine::Target {
            return Ok(found(minor, 0, false));
        }
        let fee = self.unsigned(record, ends.fee.amount, "fee")?.unwrap_or(0);
        if fee != 0 && !self.is_ours(record, ends.fee) {
            let cell = record.cells.get(ends.fee.currency).unwrap_or_default();
            let message = "the fee is in another currency than the amount";
            return Err(LineFault::new(record.line, "fee", message, cell));
        }
        Ok(found(held(record, -minor - fee)?, -fee, false))
    }

    fn unsigned(
        &self,
        record: &Record<'_>,
        column: usize,
        field: &'static str,
    ) -> Result<Option<i64>, LineFault> {
        let amount = self.money(record, column, field)?;
        if amount.is_some_and(|a| a.minor < 0) {
            let cell = record.cells.get(column).unwrap_or_default();
            let message = "this amount has a sign, where the direction stands in a word";
            return Err(LineFault::new(record.line, field, message, cell));
        }
        Ok(amount.map(|a| a.minor))
    }

    fn is_ours(&self, record: &Record<'_>, end: End<usize>) -> bool {
        let cell = record.cells.get(end.currency).unwrap_or_default();
        cell.trim().eq_ignore_ascii_case(self.currency.code())
    }

    /// Which end of a transfer is the account's, or why neither is. Between the owner's own balances the currency tells; where
    /// both are in ours, nothing leaves the account.
    fn mine(
        &self,
        record: &Record<'_>,
        ends: Ends<usize>,
    ) -> Result<Result<Mine, SkipReason>, LineFault> {
        let cell = record.cells.get(ends.direction).unwrap_or_default();
        let (source, target) = (
            self.is_ours(record, ends.source),
            self.is_ours(record, ends.target),
        );
        Ok(match (normal(cell).as_str(), source, target) {
            ("out", true, _) | ("neutral", true, false) => Ok(Mine::Source),
            ("in", _, true) | ("neutral", false, true) => Ok(Mine::Target),
            ("neutral", true, true) => Err(SkipReason::OwnTransfer),
            ("out" | "in" | "neutral", ..) => Err(SkipReason::OtherCurrency),
            _ => {
                let message =
                    "this direction is not known, so the sign of the amount is not either";
                return Err(LineFault::new(record.line, "direction", message, cell));
            }
        })
    }
}

fn found(minor: i64, fee_minor: i64, marked: bool) -> Found {
    if minor == 0 {
        return Found::Zero;
    }
    Found::Moved(Moved {
        minor,
        fee_minor,
        marked,
    })
}

/// A sum that is no longer than an amount may be. Both parts have at most fourteen digits, so adding them cannot overflow.
fn held(record: &Record<'_>, minor: i64) -> Result<i64, LineFault> {
    if minor.abs() <= AMOUNT_MINOR_MAX {
        return Ok(minor);
    }
    let message = "the amount and its fee together have more than fourteen digits";
    Err(LineFault::new(record.line, "amount", message, record.raw))
}
