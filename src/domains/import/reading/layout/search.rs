//! Finding the layout of a file: its first records under each delimiter, against the map, the choice or every header known.

use std::cmp::Reverse;

use crate::domains::import::reading::{
    ColumnMap, LayoutName, ReadOptions,
    layout::{Layout, Plan, normal, table, wallets},
    records::{Record, Records},
    refused::{LAYOUT_UNKNOWN, OPTIONS, Refused},
};
use crate::model::Currency;

/// How many records are searched for a header.
const HEADER_RECORDS_MAX: usize = 20;
/// The delimiters that a header may show.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// The first records of a file under one delimiter.
pub(in crate::domains::import::reading) struct Head<'t> {
    pub delimiter: u8,
    pub records: Vec<Record<'t>>,
}

/// Finds the plan of a file: by the column map, by the chosen layout, else by the names of its header.
///
/// Refuses: contradicting options, a header that no layout has, a file of another currency.
pub(in crate::domains::import::reading) fn plan(
    text: &str,
    options: &ReadOptions<'_>,
) -> Result<Plan, Refused> {
    let mut heads = Vec::with_capacity(DELIMITERS.len());
    let mut trouble = None;
    for delimiter in DELIMITERS {
        let mut records = Vec::new();
        for record in Records::new(text, delimiter).take(HEADER_RECORDS_MAX) {
            match record {
                Ok(record) => records.push(record),
                Err(refused) => {
                    trouble.get_or_insert(refused);
                    break;
                }
            }
        }
        heads.push(Head { delimiter, records });
    }
    let found = match (options.mapper, options.layout) {
        (Some(map), None | Some(LayoutName::Mapped)) => mapped(&heads, map)?,
        (Some(_), Some(_)) => {
            return Err(Refused::new(
                OPTIONS,
                "a layout and a column map are both given",
                "give `layout` or `columns`, not both",
            ));
        }
        (None, Some(LayoutName::Mapped)) => {
            return Err(Refused::new(
                OPTIONS,
                "the layout mapped needs a column map",
                "say by `columns` which column holds the date, the description and the amount",
            ));
        }
        (None, Some(name)) => chosen(&heads, name, options.currency)?,
        (None, None) => recognised(&heads, options.currency)?,
    };
    found
        .ok_or_else(|| trouble.unwrap_or_else(|| unknown(&heads, options)))
        .map(|mut plan| {
            if let Some(sign) = options.sign {
                plan.sign = sign;
                plan.sign_certain = true;
                plan.sign_said = true;
            }
            plan.date_order = options.date_order.or(plan.date_order);
            plan
        })
}

fn mapped(heads: &[Head<'_>], map: &ColumnMap) -> Result<Option<Plan>, Refused> {
    map.checked()?;
    Ok(heads.iter().find_map(|head| map.plan(head)))
}

/// Every layout, those of banks and cards first.
fn layouts() -> impl Iterator<Item = &'static Layout> {
    table::LAYOUTS.iter().chain(wallets::LAYOUTS)
}

/// The named layout, in the richest of its forms whose names are all there; other names of the header do not matter.
fn chosen(
    heads: &[Head<'_>],
    name: LayoutName,
    currency: Currency,
) -> Result<Option<Plan>, Refused> {
    let mut forms: Vec<&'static Layout> = layouts().filter(|l| l.name == name).collect();
    forms.sort_by_key(|layout| Reverse(layout.required.len()));
    for layout in forms {
        for head in heads {
            if let Some(plan) = layout.plan(head, false, currency)? {
                return Ok(Some(plan));
            }
        }
    }
    Ok(None)
}

fn recognised(heads: &[Head<'_>], currency: Currency) -> Result<Option<Plan>, Refused> {
    for head in heads {
        for layout in layouts().filter(|l| l.recognised) {
            if let Some(plan) = layout.plan(head, true, currency)? {
                return Ok(Some(plan));
            }
        }
    }
    Ok(None)
}

/// The refusal that shows which header was seen: the first record with a date-like and an amount-like name, else the first.
fn unknown(heads: &[Head<'_>], options: &ReadOptions<'_>) -> Refused {
    let like = |record: &Record<'_>| {
        let has = |words: &[&str]| {
            let mut names = record.cells.iter().map(normal);
            names.any(|n| words.iter().any(|w| n.contains(w)))
        };
        has(&["date", "datetime"]) && has(&["amount", "debit", "credit", "gross", "money"])
    };
    let all = || heads.iter().flat_map(|head| &head.records);
    let seen = all().find(|r| like(r)).or_else(|| all().next());
    let refused = Refused::new(
        LAYOUT_UNKNOWN,
        match (options.mapper, options.layout) {
            (Some(_), _) => {
                "this file has not the columns that the column map names, each once".to_owned()
            }
            (None, Some(name)) => format!("this file has not the columns of the layout {name}"),
            (None, None) => "no known layout has the columns of this file".to_owned(),
        },
        "say `layout`, or by `columns` which columns hold the date, the description and the amount",
    );
    match seen {
        Some(record) => refused.seeing(record.cells.iter()),
        None => refused,
    }
}
