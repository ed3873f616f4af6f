//! The questions of search: which entries match, newest first.

use crate::{
    engine::{Result, Window},
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

/// The ids of a page of the entries that match, newest first, and how many match in all.
pub fn find(view: &View<'_>, wanted: &Wanted, window: Window) -> Result<(Vec<i64>, i64)> {
    let (status, value) = match wanted.status {
        Some(status) => ("e.status=?", status),
        None => ("e.status<>?", "discarded"),
    };
    let mut tests = vec![status.to_owned()];
    let mut values: Vec<Val<'_>> = vec![value.into()];
    for (sql, day) in [("e.date>=?", wanted.days.0), ("e.date<=?", wanted.days.1)] {
        if let Some(day) = day {
            tests.push(sql.to_owned());
            values.push(day.number().into());
        }
    }
    let (line, line_values) = line_test(wanted);
    if !line.is_empty() {
        // Drafts and postings keep their lines apart; either may match.
        tests.push(format!(
            "(e.id IN (SELECT entry_id FROM line WHERE {line}) OR e.id IN (SELECT entry_id FROM draft_line WHERE {line}))"
        ));
        values.extend(line_values.iter().chain(&line_values));
    }
    let mut from = "entry e";
    if let Some(text) = &wanted.text {
        // One pass over the narrow table of texts; a join in the other order would look every entry up.
        from = "entry_text t CROSS JOIN entry e ON e.id=t.entry_id";
        tests.push("instr(t.folded, ?)>0".to_owned());
        values.push(text.into());
    }
    let matching = format!("FROM {from} WHERE {}", tests.join(" AND "));
    if wanted.text.is_some() {
        // Counting would search the texts a second time; the matches are few enough to hold.
        let all = view.rows(
            &format!("SELECT e.id {matching} ORDER BY e.date DESC, e.id DESC"),
            &values,
            |row| row.int(0),
        )?;
        let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
        return Ok((window.cut(all), total));
    }
    let total = view.number(&format!("SELECT count(*) {matching}"), &values)?;
    values.push(window.limit.map_or(-1, i64::from).into());
    values.push(i64::from(window.offset).into());
    let page = format!("SELECT e.id {matching} ORDER BY e.date DESC, e.id DESC LIMIT ? OFFSET ?");
    Ok((view.rows(&page, &values, |row| row.int(0))?, total))
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
