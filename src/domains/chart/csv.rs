//! Reads a chart of accounts from CSV and gathers every fault with its line; makes no account and asks no table.

mod reader;

use std::collections::{BTreeMap, HashMap};

use crate::{
    domains::chart::check_category,
    model::{AccountType, LineFault},
};
use reader::read_rows;

/// The most accounts of one file.
const ROWS_MAX: usize = 10_000;

/// An account as a chart's CSV names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChartRow {
    /// The line on which the row begins, from 1.
    pub line: u64,
    /// The code, as [`crate::model::code_ok`] takes it.
    pub code: String,
    /// The name.
    pub name: String,
    /// The type, which is the parent's too.
    pub account_type: AccountType,
    /// The parent's code: a row of the file or an account that exists.
    pub parent_code: Option<String>,
    /// The tax category's key, which exists and suits the type.
    pub tax_category: Option<String>,
}

/// The accounts of a CSV `code,name,type,parent_code[,tax_category]`, parents before their children, else in the file's order.
///
/// `existing` are the chart's accounts, which rows may have as parents. Columns may stand in any order; a byte order mark, any
/// line ends and blank lines are taken.
/// Refuses, all faults together by line: a header without the columns, more than 10,000 rows, and rows with a blank, bad,
/// repeated or existing code, a bad name, an unknown type, a parent that is missing or of another type or descends from the
/// row, or a tax category that is unknown or for the other type.
pub fn read_chart(
    text: &str,
    existing: &BTreeMap<String, AccountType>,
) -> Result<Vec<ChartRow>, Vec<LineFault>> {
    let (rows, mut faults) = read_rows(text)?;
    check_codes(&rows, existing, &mut faults);
    check_parents(&rows, existing, &mut faults);
    check_taxes(&rows, &mut faults);
    let (order, cycles) = parents_first(&rows);
    faults.extend(cycles);
    if !faults.is_empty() {
        faults.sort_by_key(|fault| fault.line);
        return Err(faults);
    }
    let made = order.into_iter().map(|i| {
        let row = &rows[i];
        Some(ChartRow {
            line: row.line,
            code: row.code.clone()?,
            name: row.name.clone()?,
            account_type: row.account_type?,
            parent_code: row.parent_code.clone(),
            tax_category: row.tax_category.clone(),
        })
    });
    // A row without code, name or type has a fault, so that none is dropped here.
    Ok(made.flatten().collect())
}

/// A row as far as it can be read; what is `None` though required has its fault already.
struct Row {
    line: u64,
    code: Option<String>,
    name: Option<String>,
    account_type: Option<AccountType>,
    parent_code: Option<String>,
    tax_category: Option<String>,
}

fn check_codes(
    rows: &[Row],
    existing: &BTreeMap<String, AccountType>,
    faults: &mut Vec<LineFault>,
) {
    let mut first: HashMap<&str, u64> = HashMap::new();
    for row in rows {
        let Some(code) = row.code.as_deref() else {
            continue;
        };
        if let Some(line) = first.get(code) {
            let message =
                format!("code {code} is already on line {line}; a code names one account");
            faults.push(LineFault::new(row.line, "code", message, ""));
        } else if existing.contains_key(code) {
            let message = format!(
                "code {code} is already in the chart; leave the row out or give it another code"
            );
            faults.push(LineFault::new(row.line, "code", message, ""));
        }
        first.entry(code).or_insert(row.line);
    }
}

fn check_parents(
    rows: &[Row],
    existing: &BTreeMap<String, AccountType>,
    faults: &mut Vec<LineFault>,
) {
    let by_code = index(rows);
    for row in rows {
        let Some(parent) = row.parent_code.as_deref() else {
            continue;
        };
        let parent_type = match by_code.get(parent) {
            Some(i) => rows[*i].account_type,
            None => existing.get(parent).copied(),
        };
        if !by_code.contains_key(parent) && parent_type.is_none() {
            let message = format!("parent {parent} is neither in the file nor in the chart");
            faults.push(LineFault::new(row.line, "parent_code", message, ""));
        } else if let (Some(own), Some(parents)) = (row.account_type, parent_type)
            && own != parents
        {
            let message = format!(
                "the account's type is {own}, but its parent {parent} is of type {parents}; they must agree"
            );
            faults.push(LineFault::new(row.line, "parent_code", message, ""));
        }
    }
}

fn check_taxes(rows: &[Row], faults: &mut Vec<LineFault>) {
    for row in rows {
        if let (Some(key), Some(account_type)) = (&row.tax_category, row.account_type)
            && let Err(refusal) = check_category(key, account_type)
        {
            let message = match refusal.code {
                "unknown_tax_category" => {
                    "not a tax category; `wb help chart` lists the keys".to_owned()
                }
                _ => refusal.message,
            };
            faults.push(LineFault::new(row.line, "tax_category", message, key));
        }
    }
}

/// Where each code stands first.
fn index(rows: &[Row]) -> HashMap<&str, usize> {
    let mut by_code = HashMap::new();
    for (i, row) in rows.iter().enumerate() {
        if let Some(code) = row.code.as_deref() {
            by_code.entry(code).or_insert(i);
        }
    }
    by_code
}

/// The rows' numbers with every parent before its children, else in the file's order; and a fault for every row whose
/// ancestors lead back to it.
fn parents_first(rows: &[Row]) -> (Vec<usize>, Vec<LineFault>) {
    let by_code = index(rows);
    let parent = |i: usize| {
        rows[i]
            .parent_code
            .as_deref()
            .and_then(|code| by_code.get(code))
            .copied()
    };
    let mut order = Vec::with_capacity(rows.len());
    let mut done = vec![false; rows.len()];
    let mut walk_of = vec![usize::MAX; rows.len()];
    let mut faults = Vec::new();
    for start in 0..rows.len() {
        let mut walk = Vec::new();
        let mut next = Some(start);
        while let Some(i) = next.filter(|i| !done[*i]) {
            if walk_of[i] == start {
                let circle = walk.iter().skip_while(|member| **member != i);
                faults.extend(circle.map(|member: &usize| {
                    let message =
                        "the account is its own ancestor: follow the parents and break the circle";
                    LineFault::new(rows[*member].line, "parent_code", message, "")
                }));
                break;
            }
            walk_of[i] = start;
            walk.push(i);
            next = parent(i);
        }
        for i in walk.into_iter().rev() {
            done[i] = true;
            order.push(i);
        }
    }
    (order, faults)
}

#[cfg(test)]
mod tests;
