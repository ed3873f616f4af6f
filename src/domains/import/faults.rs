//! The faults of a file's lines, gathered so that one refusal tells them all. It judges nothing.

use super::reading::FAULTS_MAX;
use crate::{
    engine::{No, Result},
    model::{LineFault, Refusal},
};

/// The most line numbers that a message names.
const LINES_NAMED_MAX: usize = 5;

/// Faults in the file's order: the first of them, and how many there are.
#[derive(Default, Debug)]
pub struct Faults {
    kept: Vec<LineFault>,
    total: usize,
}

impl Faults {
    /// Takes one more.
    pub fn push(&mut self, fault: LineFault) {
        self.total += 1;
        if self.kept.len() < FAULTS_MAX {
            self.kept.push(fault);
        }
    }

    /// Takes the reasons for which a line was refused; any other no is no fault of the line.
    pub fn take(&mut self, line: u64, field: &'static str, no: No) -> Result<()> {
        let No::Refused(reasons) = no else {
            return Err(no);
        };
        for reason in reasons {
            self.push(LineFault::new(line, field, reason.message, ""));
        }
        Ok(())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Refuses the whole file if there are any.
    pub fn settle(self, code: &'static str, hint: &'static str) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let things = if self.total == 1 { "fault" } else { "faults" };
        let message = format!(
            "the file has {} {things}, on {}; nothing was imported",
            self.total,
            self.places()
        );
        Err(Refusal::new(code, message)
            .with_faults(self.kept, self.total)
            .hint(hint)
            .into())
    }

    /// The first lines with faults, in words.
    fn places(&self) -> String {
        let mut lines: Vec<u64> = self.kept.iter().map(|f| f.line).collect();
        lines.dedup();
        let more = lines.len() > LINES_NAMED_MAX || self.total > self.kept.len();
        lines.truncate(LINES_NAMED_MAX);
        let mut names: Vec<String> = lines.iter().map(u64::to_string).collect();
        let last = if more {
            "more".to_owned()
        } else {
            names.pop().unwrap_or_default()
        };
        if names.is_empty() {
            return format!("line {last}");
        }
        format!("lines {} and {last}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(lines: &[u64]) -> String {
        let mut faults = Faults::default();
        for line in lines {
            faults.push(LineFault::new(*line, "row", "wrong", ""));
        }
        let no = faults.settle("test_faults", "correct them");
        no.err()
            .map_or_else(String::new, |no| no.sentences().0.join(" "))
    }

    /// A refusal counts all faults and names the first five lines that have one.
    #[test]
    fn messages() {
        assert_eq!(message(&[]), "");
        assert_eq!(
            message(&[3]),
            "the file has 1 fault, on line 3; nothing was imported"
        );
        assert_eq!(
            message(&[3, 3]),
            "the file has 2 faults, on line 3; nothing was imported"
        );
        assert_eq!(
            message(&[3, 3, 8]),
            "the file has 3 faults, on lines 3 and 8; nothing was imported"
        );
        assert_eq!(
            message(&[1, 2, 3, 4, 5, 6]),
            "the file has 6 faults, on lines 1, 2, 3, 4, 5 and more; nothing was imported"
        );
        let many: Vec<u64> = (1..=80).map(|_| 7).collect();
        assert_eq!(
            message(&many),
            "the file has 80 faults, on lines 7 and more; nothing was imported"
        );
    }
}
