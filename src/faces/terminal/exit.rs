//! Exit codes: the one table from which help, manual and documentation are made.

use crate::engine::No;

/// How a command ended; the numbers are what the shell sees.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The work is done.
    Done = 0,
    /// The books refused.
    Refused = 1,
    /// The command line was wrong.
    Usage = 2,
    /// A preview was shown.
    Preview = 3,
    /// It could not start.
    Unavailable = 4,
    /// The books are not as they should be.
    Damaged = 5,
    /// The commit itself failed.
    OutcomeUnknown = 6,
    /// A fault of the program or the machine; also when something was done and its result could not be shown, because every
    /// other way to end says that nothing changed.
    Fault = 70,
}

impl Exit {
    /// Every way to end, by its number.
    pub const ALL: &'static [Exit] = &[
        Exit::Done,
        Exit::Refused,
        Exit::Usage,
        Exit::Preview,
        Exit::Unavailable,
        Exit::Damaged,
        Exit::OutcomeUnknown,
        Exit::Fault,
    ];

    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// What it means.
    pub const fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Refused => "refused by the books; nothing changed",
            Exit::Usage => "wrong command line; nothing changed",
            Exit::Preview => "a preview was shown and nothing changed; add --confirm to do it",
            Exit::Unavailable => {
                "unavailable (locked, read-only, disk full, broken settings); nothing changed"
            }
            Exit::Damaged => {
                "the books are damaged, rolled back, diverged, or shorter than remembered"
            }
            Exit::OutcomeUnknown => {
                "the commit failed and its outcome is not known; repeat with the same --request-key"
            }
            Exit::Fault => {
                "a fault of the program or the machine, or only the result of what was done could not be shown"
            }
        }
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
        .map(|e| format!("  {:>2}  {}", e.code(), e.meaning()))
        .collect();
    format!("Exit codes:\n{}", rows.join("\n"))
}
