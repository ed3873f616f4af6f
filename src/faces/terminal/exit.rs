//! Exit codes: the one table from which help, manual and documentation are made.

use crate::{engine::No, wire_enum};

wire_enum! {
    /// How a command ended.
    pub enum Exit {
        /// done
        Done = "0",
        /// refused by the books; nothing changed
        Refused = "1",
        /// wrong command line; nothing changed
        Usage = "2",
        /// a preview was shown and nothing changed; add --confirm to do it
        Preview = "3",
        /// unavailable (locked, read-only, disk full, broken settings); nothing changed
        Unavailable = "4",
        /// the books are damaged, rolled back, diverged, or shorter than remembered
        Damaged = "5",
        /// the commit failed and its outcome is not known; repeat with the same --request-key
        OutcomeUnknown = "6",
        /// a fault of the program or the machine
        Fault = "70",
    }
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        self.word()
            .parse()
            .expect("the words of exit codes are numbers under 256")
    }

    /// What it means.
    pub fn meaning(self) -> String {
        let value = clap::ValueEnum::to_possible_value(&self);
        value
            .and_then(|v| v.get_help().map(ToString::to_string))
            .unwrap_or_default()
    }
}

impl From<&No> for Exit {
    fn from(no: &No) -> Exit {
        match no {
            No::Usage(_) => Exit::Usage,
            No::Refused(_) => Exit::Refused,
            No::Unavailable(_) => Exit::Unavailable,
            No::Damaged(_) => Exit::Damaged,
            No::OutcomeUnknown(_) => Exit::OutcomeUnknown,
            No::Fault(_) => Exit::Fault,
        }
    }
}

/// The table as the end of `wb --help` shows it.
pub fn table() -> String {
    let rows: Vec<String> = Exit::ALL
        .iter()
        .map(|e| format!("  {:>2}  {}", e.word(), e.meaning()))
        .collect();
    format!("Exit codes:\n{}", rows.join("\n"))
}
