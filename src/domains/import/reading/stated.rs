//! What a bank states above its rows: the balance at the beginning and the end, the sums of credits and debits. They are tied
//! out against the rows; nothing is changed by them.

use crate::{
    domains::import::reading::{
        DecimalStyle,
        amount::amount,
        layout::normal,
        records::Record,
        rows::{Edge, edge},
    },
    model::Currency,
    present::{Negative, money_text},
};

/// One figure above the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Figure {
    Absent,
    Unreadable(u64),
    Stated(i128),
}

/// The figures above the rows, and what the rows come to.
#[derive(Debug)]
pub(super) struct Stated {
    beginning: Figure,
    ending: Figure,
    credits: Figure,
    debits: Figure,
    moved_in: i128,
    moved_out: i128,
}

impl Default for Stated {
    fn default() -> Stated {
        Stated {
            beginning: Figure::Absent,
            ending: Figure::Absent,
            credits: Figure::Absent,
            debits: Figure::Absent,
            moved_in: 0,
            moved_out: 0,
        }
    }
}

impl Stated {
    /// Takes a record that stands above the header: a label, and its figure in the last cell that holds anything.
    pub fn above(&mut self, record: &Record<'_>, style: DecimalStyle, currency: Currency) {
        let label = normal(record.cells.get(0).unwrap_or_default());
        let figure = match (edge(&label), label.as_str()) {
            (Some(Edge::Beginning), _) => &mut self.beginning,
            (Some(Edge::Ending), _) => &mut self.ending,
            (None, "total credits") => &mut self.credits,
            (None, "total debits") => &mut self.debits,
            _ => return,
        };
        let cells = record.cells.iter().skip(1);
        let cell = cells.filter(|cell| !cell.trim().is_empty()).last();
        *figure = match cell.map(|cell| amount(cell, style, currency)) {
            None | Some(Ok(None)) => Figure::Absent,
            Some(Ok(Some(amount))) => Figure::Stated(i128::from(amount.minor)),
            Some(Err(_)) => Figure::Unreadable(record.line),
        };
    }

    /// Takes a row. Sums are `i128`: no file has enough rows of fourteen digits to overflow one.
    pub fn row(&mut self, amount_minor: i64) {
        let amount = i128::from(amount_minor);
        if amount > 0 {
            self.moved_in += amount;
        } else {
            self.moved_out -= amount;
        }
    }

    /// What differs between the figures and the rows, a note each.
    pub fn notes(&self, currency: Currency) -> Vec<String> {
        let written = |minor| written(minor, currency);
        let mut notes = Vec::new();
        for figure in [self.beginning, self.credits, self.debits, self.ending] {
            if let Figure::Unreadable(line) = figure {
                notes.push(format!("the figure stated on line {line} cannot be read"));
            }
        }
        for (name, figure, rows) in [
            ("credits", self.credits, self.moved_in),
            ("debits", self.debits, self.moved_out),
        ] {
            if let Figure::Stated(stated) = figure
                && stated.abs() != rows
            {
                notes.push(format!(
                    "the file states total {name} of {}, and its rows come to {}; a row may be missing",
                    written(stated.abs()),
                    written(rows)
                ));
            }
        }
        let rows = self.moved_in - self.moved_out;
        if let (Figure::Stated(beginning), Figure::Stated(ending)) = (self.beginning, self.ending)
            && beginning + rows != ending
        {
            notes.push(format!(
                "the file states an ending balance of {}, and its beginning balance and rows come to {}; a row may be missing",
                written(ending),
                written(beginning + rows)
            ));
        }
        notes
    }
}

/// A sum in minor units, as notes write it.
pub(super) fn written(minor: i128, currency: Currency) -> String {
    match i64::try_from(minor) {
        Ok(minor) => money_text(minor, currency, false, Negative::Minus).plain(),
        Err(_) => "more than can be kept".to_owned(),
    }
}
