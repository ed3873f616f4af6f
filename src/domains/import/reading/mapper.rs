//! The column map: which column of an unknown file holds what. It reads no rows.

use std::{borrow::Cow, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::domains::import::reading::{
    AmountSign, LayoutName, day,
    layout::{AmountColumns, Head, KindWords, Plan, normal},
    records::Record,
    refused::{OPTIONS, Refused},
};

/// Which columns of a file hold what: each by its name in the header, or by its number from 1.
///
/// A file whose columns are all named by number may have no header: rows begin where the date column holds a date.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnMap {
    /// Day
    pub date: String,
    /// Text
    pub description: String,
    /// Signed amount, or else debit and credit
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// Money out
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debit: Option<String>,
    /// Money in
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<String>,
    /// Running balance
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<String>,
    /// The bank's id of the row
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_id: Option<String>,
    /// The check's number
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_number: Option<String>,
    /// Currency; rows in another are skipped
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

/// A short schema: the roles stand in the argument's description, and reading refuses any other.
impl JsonSchema for ColumnMap {
    fn schema_name() -> Cow<'static, str> {
        "ColumnMap".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

impl ColumnMap {
    /// Refuses a map without a date, a description and either an amount or both debit and credit.
    pub(super) fn checked(&self) -> Result<(), Refused> {
        let given = |c: &Option<String>| c.as_ref().is_some_and(|c| !c.trim().is_empty());
        let amounts = (given(&self.amount), given(&self.debit), given(&self.credit));
        let whole = !self.date.trim().is_empty() && !self.description.trim().is_empty();
        if whole && matches!(amounts, (true, false, false) | (false, true, true)) {
            return Ok(());
        }
        Err(Refused::new(
            OPTIONS,
            "the column map does not name a date, a description and one kind of amount",
            "name the columns of date and description, and either amount, or both debit and credit",
        ))
    }

    /// The plan, when the head has the columns.
    pub(super) fn plan(&self, head: &Head<'_>) -> Option<Plan> {
        let (at, names) = match number(&self.date).filter(|_| self.all_numbers()) {
            Some(date) => {
                let first = |r: &Record<'_>| r.cells.get(date).and_then(day::written).is_some();
                let at = head.records.iter().position(first)?;
                (at, vec![String::new(); head.records[at].cells.len()])
            }
            None => head.records.iter().enumerate().find_map(|(at, record)| {
                let names: Vec<String> = record.cells.iter().map(normal).collect();
                let found = self.columns().all(|c| place(c, &names).is_some());
                found.then_some((at + 1, names))
            })?,
        };
        if !self.columns().all(|c| place(c, &names).is_some()) {
            return None;
        }
        let place_of = |column: &Option<String>| column.as_ref().map(|c| place(c, &names));
        let amount = match (&self.amount, &self.debit, &self.credit) {
            (Some(amount), _, _) => AmountColumns::Signed(place(amount, &names)?),
            (None, Some(debit), Some(credit)) => {
                AmountColumns::Pair(place(debit, &names)?, place(credit, &names)?)
            }
            _ => return None,
        };
        let mut plan = Plan {
            name: LayoutName::Mapped,
            delimiter: head.delimiter,
            records_before: at,
            has_header: !self.all_numbers(),
            width: names.len(),
            needed: 0,
            date: place(&self.date, &names)?,
            description: vec![place(&self.description, &names)?],
            amount,
            kind_words: KindWords {
                positive: &[],
                negative: &[],
            },
            sign: AmountSign::InPositive,
            sign_certain: false,
            date_order: None,
            statuses: Vec::new(),
            currency: place_of(&self.currency).flatten(),
            bank_id: place_of(&self.bank_id).flatten(),
            check_number: place_of(&self.check_number).flatten(),
            id_required: false,
            balance: place_of(&self.balance).flatten(),
            pending_without_balance: false,
        };
        plan.needed = plan.needed_column();
        Some(plan)
    }

    fn columns(&self) -> impl Iterator<Item = &String> {
        let optional = [
            &self.amount,
            &self.debit,
            &self.credit,
            &self.balance,
            &self.bank_id,
            &self.currency,
        ];
        [&self.date, &self.description]
            .into_iter()
            .chain(optional.into_iter().flatten())
    }

    fn all_numbers(&self) -> bool {
        self.columns().all(|c| number(c).is_some())
    }
}

/// A column's index: by its name, when exactly one column has it, else by its number.
fn place(column: &str, names: &[String]) -> Option<usize> {
    let wanted = normal(column);
    let mut named = (0..names.len()).filter(|&i| names[i] == wanted);
    match (named.next(), named.next()) {
        (Some(at), None) => Some(at),
        (None, _) => number(column).filter(|at| *at < names.len()),
        _ => None,
    }
}

fn number(column: &str) -> Option<usize> {
    let text = column.trim();
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits
        .then(|| text.parse::<usize>().ok()?.checked_sub(1))
        .flatten()
}

/// `date=Booked,description=Text,amount=3`: the terminal's spelling. Names with a comma need the JSON form.
impl FromStr for ColumnMap {
    type Err = String;
    fn from_str(s: &str) -> Result<ColumnMap, String> {
        const SHAPE: &str = "write date=COLUMN,description=COLUMN,amount=COLUMN (or debit= and credit=), and where there are such columns balance=, bank_id=, check_number=, currency=";
        let mut map = ColumnMap::default();
        for pair in s.split(',') {
            let (role, column) = pair.split_once('=').ok_or(SHAPE)?;
            let column = column.trim().to_owned();
            let slot = match role.trim() {
                "date" => {
                    map.date = column;
                    continue;
                }
                "description" => {
                    map.description = column;
                    continue;
                }
                "amount" => &mut map.amount,
                "debit" => &mut map.debit,
                "credit" => &mut map.credit,
                "balance" => &mut map.balance,
                "bank_id" => &mut map.bank_id,
                "check_number" => &mut map.check_number,
                "currency" => &mut map.currency,
                _ => return Err(SHAPE.to_owned()),
            };
            *slot = Some(column);
        }
        map.checked().map_err(|_| SHAPE.to_owned())?;
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The terminal's spelling and JSON give the same map; a map without its parts is refused.
    #[test]
    fn spellings() {
        let map: ColumnMap = "date=Booked,description=2,amount=Value (EUR)"
            .parse()
            .expect("a map");
        let json = r#"{"date":"Booked","description":"2","amount":"Value (EUR)"}"#;
        assert_eq!(serde_json::from_str::<ColumnMap>(json).ok(), Some(map));
        for bad in [
            "",
            "date=1",
            "date=1,description=2",
            "date=1,description=2,debit=3",
            "date=1,description=2,amount=3,debit=4,credit=5",
            "date=1,description=2,sum=3",
            "date=,description=2,amount=3",
        ] {
            assert!(bad.parse::<ColumnMap>().is_err(), "{bad}");
        }
    }

    /// A name wins over a number, a name that stands twice is no name, and numbers begin at 1.
    #[test]
    fn places() {
        let names = ["date", "2", "x", "x"].map(str::to_owned);
        assert_eq!(place(" Date ", &names), Some(0));
        assert_eq!(place("2", &names), Some(1));
        assert_eq!(place("3", &names), Some(2));
        assert_eq!(place("x", &names), None);
        assert_eq!(place("0", &names), None);
        assert_eq!(place("5", &names), None);
    }
}
