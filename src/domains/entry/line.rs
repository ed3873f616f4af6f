//! A line as it is written in an argument, and how it becomes a line of the books.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    events::LineData,
    rules::{self, Standing},
};
use crate::{
    domains::chart::{self, Account, AccountRef},
    engine::{No, Reader, Result},
    model::{Line, Money, OverZero, Refusal, Side, quoted},
};

/// A line of an entry
///
/// On the terminal: `ACCOUNT:SIDE:AMOUNT`; an account by its id is `id:10:debit:12.50`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "A line")]
pub struct EntryLine {
    /// Code or id
    pub account: AccountRef,
    /// Its side
    pub side: Side,
    /// Over zero
    #[schemars(with = "OverZero")]
    pub amount: Money,
}

impl FromStr for EntryLine {
    type Err = String;
    fn from_str(s: &str) -> std::result::Result<Self, String> {
        let parts: Vec<&str> = s.split(':').collect();
        let (account, side, amount) = match parts.as_slice() {
            ["id", id, side, amount] => (format!("id:{id}"), side, amount),
            [account, side, amount] => ((*account).to_owned(), side, amount),
            _ => return Err("write ACCOUNT:SIDE:AMOUNT, like 6800:debit:12.50".to_owned()),
        };
        Ok(EntryLine {
            account: account.parse()?,
            side: side
                .parse()
                .map_err(|why| format!("side {}: {why}", quoted(side)))?,
            amount: amount.parse()?,
        })
    }
}

impl EntryLine {
    /// The line as the books keep it: the account looked up and fit to post to, the amount positive and in the currency.
    pub fn resolve(&self, books: &Reader<'_>) -> Result<Line> {
        let account = chart::resolve(&books.view(), &self.account)?;
        postable(&account)?;
        let minor = books.currency().minor(self.amount, "amount")?;
        if minor <= 0 {
            let message = format!(
                "amount: {} is not positive; the side says which way it goes",
                self.amount
            );
            return Err(Refusal::new("bad_amount", message)
                .with("field", "amount")
                .with("amount", self.amount.to_string())
                .into());
        }
        Ok(Line::of(account.id, self.side.signed(minor)))
    }
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

/// Lines with what the journal keeps beside them.
pub fn data(books: &Reader<'_>, lines: &[Line]) -> Result<Vec<LineData>> {
    let view = books.view();
    lines
        .iter()
        .map(|line| {
            let account = chart::by_id(&view, line.account_id)?;
            Ok(LineData::of(*line, &account.code, books.currency()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line on the terminal is account, side and amount, and nothing else.
    #[test]
    fn words() {
        let line: EntryLine = "6800:dr:12.50".parse().expect("a line");
        let json = serde_json::to_string(&line).expect("JSON");
        assert_eq!(
            json,
            r#"{"account":"6800","side":"debit","amount":"12.50"}"#
        );
        assert_eq!(serde_json::from_str::<EntryLine>(&json).ok(), Some(line));
        let by_id: EntryLine = "id:10:cr:5".parse().expect("a line");
        let json = serde_json::to_string(&by_id).expect("JSON");
        assert_eq!(json, r#"{"account":10,"side":"credit","amount":"5"}"#);
        assert_eq!(serde_json::from_str::<EntryLine>(&json).ok(), Some(by_id));
        for bad in [
            "6800",
            "6800:dr",
            "6800:dr:1:2",
            "id:x:dr:1",
            "id:10:dr",
            "6800:left:1",
            ":dr:1",
            "6800:dr:1e3",
            "",
        ] {
            assert!(bad.parse::<EntryLine>().is_err(), "{bad:?}");
        }
    }
}
