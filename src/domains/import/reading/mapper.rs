//! The column map: which column of an unknown file holds what. It reads no rows.

use std::{borrow::Cow, collections::BTreeSet, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::domains::import::reading::{
    Role, day,
    layout::{Head, Plan, normal},
    records::Record,
    refused::{OPTIONS, Refused},
    role::{Columns, Named},
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
            "name in `columns` those of date and description, and of either amount, or both debit and credit",
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
        let plan = Plan::of(Columns::of(&self.all(), |c| place(c, &names)), names.len())?;
        Some(Plan {
            delimiter: head.delimiter,
            records_before: at,
            has_header: !self.all_numbers(),
            ..plan
        })
    }

    /// Every role with the column that the map gives it. What finds, checks and reads columns goes by this list.
    pub(super) fn all(&self) -> Named<'_> {
        [
            (Role::Date, Some(self.date.as_str())),
            (Role::Description, Some(self.description.as_str())),
            (Role::Amount, self.amount.as_deref()),
            (Role::Debit, self.debit.as_deref()),
            (Role::Credit, self.credit.as_deref()),
            (Role::Balance, self.balance.as_deref()),
            (Role::BankId, self.bank_id.as_deref()),
            (Role::CheckNumber, self.check_number.as_deref()),
            (Role::Currency, self.currency.as_deref()),
        ]
    }

    fn columns(&self) -> impl Iterator<Item = &str> {
        self.all().into_iter().filter_map(|(_, column)| column)
    }

    /// Gives a role its column.
    fn set(&mut self, role: Role, column: String) {
        let slot = match role {
            Role::Date => {
                self.date = column;
                return;
            }
            Role::Description => {
                self.description = column;
                return;
            }
            Role::Amount => &mut self.amount,
            Role::Debit => &mut self.debit,
            Role::Credit => &mut self.credit,
            Role::Balance => &mut self.balance,
            Role::BankId => &mut self.bank_id,
            Role::CheckNumber => &mut self.check_number,
            Role::Currency => &mut self.currency,
        };
        *slot = Some(column);
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
        let (mut map, mut seen) = (ColumnMap::default(), BTreeSet::new());
        for pair in s.split(',') {
            let (role, column) = pair.split_once('=').ok_or(SHAPE)?;
            let column = column.trim().to_owned();
            let role = Role::from_word(role.trim()).ok_or(SHAPE)?;
            if !seen.insert(role) {
                return Err(format!("the column map gives {role} twice"));
            }
            map.set(role, column);
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
            "date=1,description=2,amount=3,amount=4",
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
