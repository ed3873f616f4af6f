//! The bank's own word for the direction of a row against the sign of its amount. The sign is taken; the contrary is told.

use crate::domains::import::reading::{
    layout::Plan,
    lines::Lines,
    records::Record,
    refused::{Refused, SIGN_UNCLEAR},
};

/// How many rows' signs agree with the word beside them, and which do not.
#[derive(Default)]
pub(super) struct Words {
    agree: u64,
    contrary: Lines,
}

impl Words {
    /// Takes a row: whether its word says money in, where it has one that says, and whether its amount does.
    pub fn take(&mut self, plan: &Plan, record: &Record<'_>, amount_minor: i64) {
        match plan.says_in(record) {
            None => {}
            Some(says_in) if says_in == (amount_minor > 0) => self.agree += 1,
            Some(_) => self.contrary.push(record.line),
        }
    }

    /// The note about rows whose word and sign disagree.
    ///
    /// Refuses: a file in which every word says the contrary, because then its sign is read wrongly; unless the caller said
    /// the sign.
    pub fn verdict(&self, plan: &Plan) -> Result<Option<String>, Refused> {
        let Some((_, words)) = plan.words.filter(|_| !self.contrary.is_empty()) else {
            return Ok(None);
        };
        let column = words.column;
        if self.agree == 0 && !plan.sign_said {
            return Err(Refused::new(
                SIGN_UNCLEAR,
                format!(
                    "every amount has the contrary sign of what the column {column} says, on {}",
                    self.contrary
                ),
                "say `sign`: in_positive reads positive amounts as money in, in_negative as money out",
            ));
        }
        Ok(Some(format!(
            "the column {column} says the contrary of the amount's sign on {}; the sign was taken",
            self.contrary
        )))
    }
}
