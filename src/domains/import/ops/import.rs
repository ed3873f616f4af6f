//! Importing a chart of accounts from CSV.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{
    faults::Faults,
    reading::{Decoded, EMPTY, GUESSED, NOT_TEXT, Refused, decode},
};
use crate::{
    domains::chart::{self, ChartRow, NewAccount},
    engine::{Example, No, Operation, Page, Result, Source, Write, Writer},
    model::{AccountType, Refusal},
    present::Sheet,
};

/// The most new accounts that an answer lists.
const LISTED_MAX: usize = 100;
const FAULTS: &str = "chart_csv_faults";
const HINT: &str = "correct the lines and import the whole file again";

/// Add accounts from a CSV code,name,type,parent_code[,tax_category]
///
/// All or nothing: one bad line refuses the file, and every bad line is named. A parent may stand in the file or already in
/// the chart.
#[derive(Args, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ChartCsv {
    /// The chart
    #[arg(value_name = "FILE")]
    pub csv_text: Source,
}

/// A new account.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Added {
    /// Code
    pub code: String,
    /// Name
    pub name: String,
    /// Type
    pub r#type: AccountType,
}

/// What was added.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ChartImported {
    /// Accounts added
    pub created: usize,
    /// First new id
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_account_id: Option<i64>,
    /// Last new id
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_account_id: Option<i64>,
    /// The first 100, in id order
    pub accounts: Vec<Added>,
    /// What to look at
    pub notes: Vec<String>,
}

impl Operation for ChartCsv {
    const VERB: &'static str = "chart import";
    const TOOL: &'static str = "books.import_chart_csv";
    const EXAMPLES: &'static [Example] = &[Example::new(
        "examples/chart/web.csv",
        r#"{"csv_text":"code,name,type,parent_code\n6875,Web,expense,\n6876,Domain Names,expense,6875\n6877,Servers,expense,6875\n"}"#,
    )];
    const ALLOTTED: &'static [&'static str] = &["first_account_id", "last_account_id"];
    type Output = ChartImported;

    fn sheet(output: &ChartImported, page: &Page) -> Result<Option<Sheet>> {
        let became = if page.preview {
            "would be added"
        } else {
            "added"
        };
        let title = format!("Chart: {} accounts {became}", output.created);
        let accounts = output.accounts.iter().map(|account| {
            json!({"code": account.code, "name": account.name, "type": account.r#type.word()})
        });
        let mut sheet = Sheet::from_value(&title, &Value::Array(accounts.collect()));
        let more = output.created.saturating_sub(output.accounts.len());
        if more > 0 {
            sheet.notes.push(format!("And {more} more."));
        }
        sheet.notes.extend(output.notes.iter().cloned());
        Ok(Some(sheet))
    }

    fn sources(&mut self) -> Vec<&mut Source> {
        vec![&mut self.csv_text]
    }
}

impl Write for ChartCsv {
    fn run(self, books: &mut Writer<'_>) -> Result<ChartImported> {
        let decoded = decode(self.csv_text.bytes()).map_err(undecoded)?;
        let rows = read(books, &decoded)?;
        let ids = add_all(books, &rows)?;
        Ok(ChartImported {
            created: rows.len(),
            first_account_id: ids.first().copied(),
            last_account_id: ids.last().copied(),
            accounts: rows
                .into_iter()
                .take(LISTED_MAX)
                .map(|row| Added {
                    code: row.code,
                    name: row.name,
                    r#type: row.account_type,
                })
                .collect(),
            notes: if decoded.guessed {
                vec![GUESSED.to_owned()]
            } else {
                Vec::new()
            },
        })
    }
}

/// Why a file is no text, in words of a chart's.
fn undecoded(refused: Refused) -> No {
    match refused.code {
        EMPTY => Refusal::new("chart_csv_empty", refused.message)
            .hint("its first line names the columns: code,name,type,parent_code")
            .into(),
        NOT_TEXT => Refusal::new("chart_csv_not_text", refused.message)
            .hint("save the chart as CSV in UTF-8")
            .into(),
        // Decoding refuses nothing else.
        other => No::Fault(format!("a chart refused as {other}")),
    }
}

/// The file's accounts, parents first.
fn read(books: &Writer<'_>, decoded: &Decoded<'_>) -> Result<Vec<ChartRow>> {
    let existing: BTreeMap<String, AccountType> = chart::all(&books.view())?
        .into_iter()
        .map(|account| (account.code, account.kind))
        .collect();
    let mut faults = Faults::default();
    match chart::read_chart(&decoded.text, &existing) {
        Ok(rows) => return Ok(rows),
        Err(found) => {
            found.into_iter().for_each(|fault| faults.push(fault));
        }
    }
    faults.settle(FAULTS, HINT)?;
    Err(No::Fault("a chart refused without a fault".to_owned()))
}

/// Adds the accounts and gives their ids, or refuses with what the books object to, line by line.
fn add_all(books: &mut Writer<'_>, rows: &[ChartRow]) -> Result<Vec<i64>> {
    let mut ids = Vec::with_capacity(rows.len());
    let mut found: Vec<(u64, No)> = Vec::new();
    for row in rows {
        let parent = match &row.parent_code {
            None => None,
            Some(code) => match chart::by_code(&books.view(), code)? {
                // The parent itself was refused: one fault is enough for both.
                None => continue,
                parent => parent,
            },
        };
        let new = NewAccount {
            code: row.code.clone(),
            name: row.name.clone(),
            kind: row.account_type,
            parent,
            placeholder: false,
            tax_category: row.tax_category.clone(),
        };
        match chart::add(books, new) {
            Ok(id) => ids.push(id),
            Err(no @ No::Refused(_)) => found.push((row.line, no)),
            Err(other) => return Err(other),
        }
    }
    found.sort_by_key(|(line, _)| *line);
    let mut faults = Faults::default();
    for (line, no) in found {
        faults.take(line, "row", no)?;
    }
    faults.settle(FAULTS, HINT)?;
    Ok(ids)
}
