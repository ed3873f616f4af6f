//! A line as it is written in an argument, and how it becomes a line of the books.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rules::{self, Standing};
use crate::{
    domains::{
        chart::{self, Account, AccountRef},
        class::{self, ClassRef},
        fx::Given,
    },
    engine::{No, Reader, Result},
    model::{CurrencyCode, Line, Money, OverZero, Rate, Refusal, Side, quoted},
};

/// A line of an entry
///
/// On the terminal: `ACCOUNT:SIDE:AMOUNT[:CLASS]`; an account by its id is `id:10:debit:12.50`. An amount in another currency
/// is `EUR100.00@1.0825`, with what it comes to, if that is to be held to, before it: `108.25=EUR100.00@1.0825`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "A line")]
pub struct EntryLine {
    /// Code or id
    pub account: AccountRef,
    /// Its side
    pub side: Side,
    /// Over zero
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OverZero>")]
    pub amount: Option<Money>,
    /// Name or id
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassRef>,
    /// As in add_line
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign_currency: Option<CurrencyCode>,
    /// As in add_line
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OverZero>")]
    pub foreign_amount: Option<Money>,
    /// As in add_line
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fx_rate: Option<Rate>,
}

/// What a line is written as.
const FORM: &str =
    "write ACCOUNT:SIDE:AMOUNT[:CLASS], like 6800:debit:12.50 or 6800:debit:EUR10.00@1.0825:Rondo";

impl FromStr for EntryLine {
    type Err = String;
    fn from_str(s: &str) -> std::result::Result<Self, String> {
        let (account, rest) = match s.strip_prefix("id:") {
            Some(rest) => rest
                .split_once(':')
                .map(|(id, rest)| (format!("id:{id}"), rest)),
            None => s
                .split_once(':')
                .map(|(code, rest)| (code.to_owned(), rest)),
        }
        .ok_or(FORM)?;
        let (side, rest) = rest.split_once(':').ok_or(FORM)?;
        // What follows the amount is the class, whatever its name holds.
        let (amount, class) = match rest.split_once(':') {
            Some((amount, class)) => (amount, Some(class)),
            None => (rest, None),
        };
        let side = side
            .parse()
            .map_err(|why| format!("side {}: {why}", quoted(side)))?;
        let line = EntryLine {
            account: account.parse()?,
            side,
            amount: None,
            class: class.map(str::parse).transpose()?,
            foreign_currency: None,
            foreign_amount: None,
            fx_rate: None,
        };
        line.moving(amount)
    }
}

impl EntryLine {
    /// The same line, moving what stands in words: `12.50`, `EUR10.00@1.0825`, or both with an equals sign between.
    fn moving(self, text: &str) -> std::result::Result<EntryLine, String> {
        let Some((original, rate)) = text.split_once('@') else {
            let amount = Some(text.parse()?);
            return Ok(EntryLine { amount, ..self });
        };
        let (amount, original) = match original.split_once('=') {
            Some((amount, original)) => (Some(amount.parse()?), original),
            None => (None, original),
        };
        let (currency, units) = original.split_at_checked(3).ok_or(FORM)?;
        Ok(EntryLine {
            amount,
            foreign_currency: Some(currency.parse()?),
            foreign_amount: Some(units.parse()?),
            fx_rate: Some(rate.parse()?),
            ..self
        })
    }

    /// The line as the books keep it: the account looked up and fit to post to, the class looked up, the amount positive and
    /// in the currency, or computed from the foreign one. All its faults are named together.
    pub fn resolve(&self, books: &Reader<'_>) -> Result<Line> {
        let EntryLine {
            account,
            side,
            amount,
            class,
            foreign_currency,
            foreign_amount,
            fx_rate,
        } = self;
        let view = books.view();
        let mut refusals = Vec::new();
        let account = kept(account_of(books, account), &mut refusals)?;
        let class = class.as_ref().map(|class| class::resolve(&view, class));
        let class = class.and_then(|found| kept(found, &mut refusals).transpose());
        let class = class.transpose()?;
        let given = Given {
            amount: *amount,
            currency: *foreign_currency,
            foreign: *foreign_amount,
            rate: *fx_rate,
        };
        let moved = given.moved(books.currency()).map_err(No::Refused);
        let moved = kept(moved, &mut refusals)?;
        let (Some(account), Some(moved), true) = (account, moved, refusals.is_empty()) else {
            return Err(No::Refused(refusals));
        };
        let line = Line {
            account_id: account.id,
            amount_minor: moved.amount_minor,
            class_id: class.map(|class| class.id),
            foreign: moved.foreign,
        };
        Ok(match side {
            Side::Debit => line,
            Side::Credit => line.swapped(),
        })
    }
}

/// What there is; refusals are put to the others.
fn kept<T>(found: Result<T>, refusals: &mut Vec<Refusal>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(No::Refused(reasons)) => {
            refusals.extend(reasons);
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

fn account_of(books: &Reader<'_>, reference: &AccountRef) -> Result<Account> {
    let account = chart::resolve(&books.view(), reference)?;
    postable(&account)?;
    Ok(account)
}

/// Refuses an account on which no line can stand.
pub fn postable(account: &Account) -> Result<()> {
    let standing = Standing {
        code: &account.code,
        groups: account.groups(),
        archived: account.archived,
    };
    Ok(rules::postable(&standing)?)
}

/// Lines as the journal writes them. Every reference must hold; all faults are named together.
pub fn resolve_all(books: &Reader<'_>, lines: &[EntryLine]) -> Result<Vec<Line>> {
    rules::too_many(lines.len())?;
    let (mut resolved, mut refusals) = (Vec::with_capacity(lines.len()), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        match line.resolve(books) {
            Ok(line) => resolved.push(line),
            Err(No::Refused(reasons)) => {
                refusals.extend(
                    reasons
                        .into_iter()
                        .map(|reason| reason.with("line_index", index)),
                );
            }
            Err(other) => return Err(other),
        }
    }
    if refusals.is_empty() {
        Ok(resolved)
    } else {
        Err(No::Refused(refusals))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line on the terminal is account, side and amount, and the class behind them, whatever its name holds.
    #[test]
    fn words() {
        for (words, json) in [
            (
                "6800:dr:12.50",
                r#"{"account":"6800","side":"debit","amount":"12.50"}"#,
            ),
            (
                "id:10:cr:5",
                r#"{"account":10,"side":"credit","amount":"5"}"#,
            ),
            (
                "1:dr:1:A:b",
                r#"{"account":"1","side":"debit","amount":"1","class":"A:b"}"#,
            ),
            (
                "id:1:dr:1:id:03",
                r#"{"account":1,"side":"debit","amount":"1","class":"id:3"}"#,
            ),
            (
                "1200:debit:EUR1000.00@1.0825:3",
                r#"{"account":"1200","side":"debit","class":"3","foreign_currency":"EUR","foreign_amount":"1000.00","fx_rate":"1.0825"}"#,
            ),
            (
                "1200:debit:1082.50=EUR1000.00@1.0825",
                r#"{"account":"1200","side":"debit","amount":"1082.50","foreign_currency":"EUR","foreign_amount":"1000.00","fx_rate":"1.0825"}"#,
            ),
        ] {
            let line: EntryLine = words.parse().expect("a line");
            assert_eq!(serde_json::to_string(&line).expect("JSON"), json);
            assert_eq!(serde_json::from_str::<EntryLine>(json).ok(), Some(line));
        }
        for bad in [
            "6800",
            "6800:dr",
            "id:x:dr:1",
            "id:10:dr",
            "6800:left:1",
            ":dr:1",
            "6800:dr:1e3",
            "",
            "6800:dr:1:",
            "6800:dr:EUR1",
            "6800:dr:EUR@1",
            "6800:dr:eur1@1",
            "6800:dr:EUR1@0",
            "6800:dr:=EUR1@1",
            "6800:dr:€1@1",
        ] {
            assert!(bad.parse::<EntryLine>().is_err(), "{bad:?}");
        }
    }
}
