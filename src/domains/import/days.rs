//! The warning about days of a file that are likely slips, one for the whole file. Which days are, entries say.

use crate::{domains::entry, model::Date};

/// Looks at the days of a file's entries.
pub struct UnlikelyDays {
    today: Date,
    total: u64,
    /// The first line with such a day, and what is said of it.
    first: Option<(u64, String)>,
}

impl UnlikelyDays {
    /// As seen from this day.
    pub fn on(today: Date) -> UnlikelyDays {
        UnlikelyDays {
            today,
            total: 0,
            first: None,
        }
    }

    /// Looks at the day of an entry that a line makes.
    pub fn look(&mut self, line: u64, date: Date) {
        if let Some(what) = entry::unlikely_day(date, self.today) {
            self.total += 1;
            self.first.get_or_insert((line, what));
        }
    }

    /// The warning about what was seen.
    pub fn warning(&self) -> Option<String> {
        let (line, what) = self.first.as_ref()?;
        Some(match self.total - 1 {
            0 => format!("line {line}: {what}"),
            1 => format!("line {line}: {what}; 1 more line has such a day"),
            more => format!("line {line}: {what}; {more} more lines have such days"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One warning names the first line with an unlikely day and counts the others; likely days give none.
    #[test]
    fn one_warning() {
        let warning = |dates: &[&str]| {
            let day = |text: &str| text.parse::<Date>().expect("a date");
            let mut days = UnlikelyDays::on(day("2026-11-30"));
            (2..)
                .zip(dates)
                .for_each(|(line, date)| days.look(line, day(date)));
            days.warning()
        };
        assert_eq!(warning(&["2026-11-30", "1990-01-01"]), None);
        assert_eq!(
            warning(&["2026-11-30", "1989-12-31"]).as_deref(),
            Some("line 3: the entry is dated 1989-12-31, before 1990")
        );
        let ahead =
            "line 2: the entry is dated 2062-10-01, more than a year after today, 2026-11-30";
        let two = format!("{ahead}; 1 more line has such a day");
        assert_eq!(warning(&["2062-10-01", "1989-12-31"]), Some(two));
        let three = format!("{ahead}; 2 more lines have such days");
        assert_eq!(
            warning(&["2062-10-01", "1989-12-31", "2026-01-01", "1970-01-01"]),
            Some(three)
        );
    }
}
