//! The questions of search: which entries match, newest first.

use crate::{
    engine::Result,
    model::Date,
    store::{Val, View},
};

/// What an entry must be to be found. Conditions that are `None` hold for all.
#[derive(Clone, Default, Debug)]
pub struct Wanted {
    /// Folded text that its folded description holds.
    pub text: Option<String>,
    /// An account that one of its lines is on.
    pub account_id: Option<i64>,
    /// First and last day.
    pub days: (Option<Date>, Option<Date>),
    /// Least and greatest magnitude of one and the same of its lines, in minor units.
    pub amounts_minor: (Option<i64>, Option<i64>),
    /// Where it stands; discarded drafts are left out when this is not said.
    pub status: Option<&'static str>,
}

/// The ids of the entries that match, newest first.
pub fn find(view: &View<'_>, wanted: &Wanted) -> Result<Vec<i64>> {
    let (sql, value) = match wanted.status {
        Some(status) => ("status=?", status),
        None => ("status<>?", "discarded"),
    };
    let mut tests = vec![sql.to_owned()];
    let mut values: Vec<Val<'_>> = vec![value.into()];
    for (sql, day) in [("date>=?", wanted.days.0), ("date<=?", wanted.days.1)] {
        if let Some(day) = day {
            tests.push(sql.to_owned());
            values.push(day.number().into());
        }
    }
    if let Some(text) = &wanted.text {
        tests.push("instr(folded, ?)>0".to_owned());
        values.push(text.into());
    }
    let (line, line_values) = line_test(wanted);
    if !line.is_empty() {
        // Drafts and postings keep their lines apart; either may match.
        tests.push(format!(
            "(id IN (SELECT entry_id FROM line WHERE {line}) OR id IN (SELECT entry_id FROM draft_line WHERE {line}))"
        ));
        values.extend(line_values.iter().chain(&line_values));
    }
    // Without an index to follow, text is found in one pass over the headers, and the few that match are sorted after it.
    let from = if wanted.text.is_some() {
        "entry NOT INDEXED"
    } else {
        "entry"
    };
    let sql = format!(
        "SELECT id FROM {from} WHERE {} ORDER BY date DESC, id DESC",
        tests.join(" AND ")
    );
    Ok(view.rows(&sql, &values, |row| row.int(0))?)
}

/// What one line must be: on the account, and of a magnitude in the range.
fn line_test(wanted: &Wanted) -> (String, Vec<Val<'static>>) {
    let conditions = [
        ("account_id=?", wanted.account_id),
        ("abs(amount)>=?", wanted.amounts_minor.0),
        ("abs(amount)<=?", wanted.amounts_minor.1),
    ];
    let given: Vec<(&str, i64)> = conditions
        .into_iter()
        .filter_map(|(sql, value)| value.map(|value| (sql, value)))
        .collect();
    let sql: Vec<&str> = given.iter().map(|(sql, _)| *sql).collect();
    (
        sql.join(" AND "),
        given.iter().map(|(_, value)| Val::Int(*value)).collect(),
    )
}
