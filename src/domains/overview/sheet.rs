//! The settings as a page for people.

use super::ops::show::InForce;
use crate::{
    domains::entry,
    engine::{Page, Result},
    present::{Cell, ColKind, Column, Field, Sheet, TableBuilder},
};

const NOT_SET: &str = "not set";

/// The settings in force: facts, owners, and below them what is wrong.
pub fn settings(output: &InForce, page: &Page) -> Result<Sheet> {
    let mut sheet = Sheet::new("", "Settings in force", page.currency);
    let mut field = |label: &str, text: String| {
        sheet.fields.push(Field {
            label: label.to_owned(),
            cell: Cell::Text(text),
        });
    };
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| NOT_SET.to_owned());
    let codes = |codes: &[String]| match codes {
        [] => "none".to_owned(),
        codes => codes.join(", "),
    };
    let missing = if output.books_toml_exists {
        ""
    } else {
        " (not there)"
    };
    field("Settings file", format!("{}{missing}", output.books_toml));
    if let Some(config) = &output.config_json {
        field("Policy file", config.clone());
    }
    field("Company", known(&output.company));
    field("Fiscal year starts", output.fiscal_year_start.clone());
    let form = output.tax_form.map(|form| form.word().to_owned());
    field("Tax return", known(&form));
    field("Basis", output.basis.word().to_owned());
    let rule = &output.receipt_rule;
    let above = format!(
        "above {}, by {}",
        entry::figure(page, rule.require_receipts_above),
        rule.amount_source().word()
    );
    field("Receipts needed", above);
    field(
        "Receipts always needed on",
        codes(&rule.receipt_required_accounts),
    );
    field(
        "Receipts never needed for",
        codes(&rule.receipt_exempt_accounts),
    );
    field("Cash accounts", codes(&output.cash_accounts));
    field("Financing accounts", codes(&output.financing_accounts));
    field("Investing accounts", codes(&output.investing_accounts));
    if output.members.is_empty() || output.close_into.is_some() {
        field("Close into", known(&output.close_into));
        field("Close sweeps", codes(&output.close_sweep));
    }
    if !output.members.is_empty() {
        sheet.tables.push(members(output)?.finish());
    }
    // Why stands in the warning with which every command on such books begins.
    if output.reload_error.is_some() {
        let note = "The last good settings are in force; the files as they stand are not.";
        sheet.notes.push(note.to_owned());
    }
    sheet.notes.extend(output.problems.iter().cloned());
    Ok(sheet)
}

fn members(output: &InForce) -> Result<TableBuilder> {
    let words = |weight| ColKind::Text { weight };
    let mut table = TableBuilder::new(vec![
        Column::new("name", "Member", ColKind::Label { weight: 3 }),
        Column::new("share", "Share", words(1)),
        Column::new("capital", "Capital", words(1)),
        Column::new("distributions", "Distributions", words(1)),
    ]);
    for member in &output.members {
        let distributions = member.distribution_account.clone();
        let cells = [
            member.name.clone(),
            member.share.to_string(),
            member.capital_account.clone(),
            distributions.unwrap_or_default(),
        ];
        table.line(0, cells.map(Cell::Text).to_vec())?;
    }
    Ok(table)
}
