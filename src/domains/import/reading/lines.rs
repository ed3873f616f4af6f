//! Lines of a file as a note names them: the first few, and how many more. It knows nothing of what stands on them.

use std::fmt;

/// The most lines that a note names.
const NAMED_MAX: usize = 5;

/// Lines in the order in which they were met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Lines {
    named: Vec<u64>,
    total: u64,
}

impl Lines {
    /// Takes one more.
    pub fn push(&mut self, line: u64) {
        self.total += 1;
        if self.named.len() < NAMED_MAX {
            self.named.push(line);
        }
    }

    /// Takes all of another's, which were met later.
    pub fn append(&mut self, later: &Lines) {
        let room = NAMED_MAX - self.named.len();
        self.named.extend(later.named.iter().take(room));
        self.total += later.total;
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

/// `line 4`, `lines 4 and 7`, `lines 1, 2, 3, 4, 5 and 12 more`.
impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<String> = self.named.iter().map(u64::to_string).collect();
        let last = match self.total - self.named.len() as u64 {
            0 => names.pop().unwrap_or_default(),
            more => format!("{more} more"),
        };
        if names.is_empty() {
            return write!(f, "line {last}");
        }
        write!(f, "lines {} and {last}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first five lines are named and the others counted, also when two lists become one.
    #[test]
    fn named() {
        let of = |lines: &[u64]| {
            let mut all = Lines::default();
            lines.iter().for_each(|line| all.push(*line));
            all
        };
        assert_eq!(of(&[4]).to_string(), "line 4");
        assert_eq!(of(&[4, 7]).to_string(), "lines 4 and 7");
        assert_eq!(of(&[1, 2, 3, 4, 5]).to_string(), "lines 1, 2, 3, 4 and 5");
        let mut all = of(&[1, 2, 3]);
        all.append(&of(&[4, 5, 6, 7, 8, 9]));
        assert_eq!(all.to_string(), "lines 1, 2, 3, 4, 5 and 4 more");
    }
}
