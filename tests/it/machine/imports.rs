//! What imports of small files must come to: bank rows known by their own words, charts all or nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{
    chance::Chance,
    judge::Verdict,
    model::{Account, Entry, Model, Tags, money},
};

/// A bank's row: day, description, signed amount in minor units.
pub type Row = (String, &'static str, i128);

/// A few rows, some of them alike.
pub fn bank_rows(chance: &mut Chance) -> Vec<Row> {
    const WORDS: &[&str] = &[
        "Coffee",
        "Rent to landlord",
        "=SUM(A1:A9)",
        "Sale, shop",
        "\"Tea\" room",
    ];
    let rows = 1 + chance.below(4);
    let mut all = Vec::new();
    for _ in 0..rows {
        let day = chance.pick(&["2025-01-31", "2025-02-28", "2025-03-01", "2024-02-29"]);
        let minor = chance.pick(&[-450, -1, 12_000, 99_999_999_999_999, 5]);
        all.push((day.to_owned(), chance.pick(WORDS), minor));
    }
    all
}

/// The rows as a bank's file has them.
pub fn bank_csv(rows: &[Row]) -> String {
    let mut text = "Date,Description,Amount\n".to_owned();
    for (day, words, minor) in rows {
        let [year, month, day] = [&day[..4], &day[5..7], &day[8..]];
        let words = words.replace('"', "\"\"");
        text.push_str(&format!(
            "{month}/{day}/{year},\"{words}\",{}\n",
            money(*minor)
        ));
    }
    text
}

/// Chart rows: code, name, type, the parent's code.
pub type ChartRow = (String, String, &'static str, String);

impl Model {
    /// What an import of bank rows must come to.
    pub fn judge_bank(&self, args: &Value, rows: &[Row]) -> Verdict {
        let mut noes = BTreeSet::new();
        let mut party = |key: &str| match self.resolve(&args[key]) {
            Ok(id) => {
                noes.extend(self.unpostable(id));
                Some(id)
            }
            Err(code) => {
                noes.insert(code);
                None
            }
        };
        let (bank, offset) = (party("bank_account_code"), party("default_offset_code"));
        let kind = bank
            .and_then(|id| self.account(id))
            .map(|a| a.kind.as_str());
        if kind.is_some_and(|kind| kind != "asset" && kind != "liability") {
            noes.insert("import_account_type");
        }
        if bank.is_some() && bank == offset {
            noes.insert("import_offset_is_bank");
        }
        let (Some(bank), Some(offset), true) = (bank, offset, noes.is_empty()) else {
            return Verdict::No(noes);
        };
        let mut after = self.clone();
        let mut in_file: BTreeMap<&Row, usize> = BTreeMap::new();
        let mut imported = 0_i64;
        for row in rows {
            let seen = in_file.entry(row).or_default();
            *seen += 1;
            let (day, words, minor) = row;
            let known = after
                .bank
                .entry((bank, day.clone(), *minor, (*words).to_owned()))
                .or_default();
            if *known >= *seen {
                continue;
            }
            *known += 1;
            imported += 1;
            let (debit, credit) = if *minor > 0 {
                (bank, offset)
            } else {
                (offset, bank)
            };
            after.entries.push(Entry {
                date: day.clone(),
                description: (*words).to_owned(),
                status: "draft",
                origin: "imported",
                lines: vec![
                    (debit, minor.abs(), Tags::default()),
                    (credit, -minor.abs(), Tags::default()),
                ],
                reverses: None,
                reversed_by: None,
            });
        }
        if args["preview"] == json!(true) {
            return Verdict::Quiet;
        }
        let events = if imported > 0 { imported + 1 } else { 0 };
        let total = i64::try_from(rows.len()).expect("few");
        let view = json!({"imported": imported, "duplicates": total - imported});
        Verdict::Done(Box::new(after), events, view)
    }

    /// What an import of a chart must come to. The machine's charts nest only within themselves.
    pub fn judge_chart(&self, rows: &[ChartRow]) -> Verdict {
        let mut after = self.clone();
        let mut faulty = false;
        for (code, name, kind, parent) in rows {
            faulty |= after.accounts.iter().any(|a| a.code == *code);
            faulty |= code == "1200" && *kind != "asset";
            let above = after.accounts.iter().rposition(|a| a.code == *parent);
            let above = above.map(|i| i64::try_from(i).expect("it fits") + 1);
            faulty |= above
                .and_then(|id| after.account(id))
                .is_some_and(|a| a.kind != *kind);
            faulty |= !parent.is_empty() && above.is_none();
            after.accounts.push(Account {
                code: code.clone(),
                name: name.clone(),
                kind: (*kind).to_owned(),
                parent: above,
                placeholder: false,
                archived: false,
            });
        }
        if faulty {
            return Verdict::No(BTreeSet::from(["chart_csv_faults"]));
        }
        let created = i64::try_from(rows.len()).expect("few");
        Verdict::Done(Box::new(after), created, json!({"created": created}))
    }
}
