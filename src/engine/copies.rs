//! How the books stand to their backups: what a digest tells of it, and when it should ask for another.

use super::{Reader, Result, table};
use crate::{
    model::Date,
    store::{Copies, CopyMade},
};

/// Days after which another backup is due.
const DAYS_MAX: i64 = 7;
/// Events after which another backup is due.
const EVENTS_MAX: i64 = 200;

/// How the books stand to their backups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackupStanding {
    /// The last backup, if one is known on this machine.
    pub last: Option<LastBackup>,
    /// Whether another is due: events came since, and the last is seven days old or 200 events behind. Books that were never
    /// backed up count from the day and the event that made them.
    pub due: bool,
    /// Why it is not known, when the notes cannot be read.
    pub fault: Option<String>,
}

/// The last backup of the books.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastBackup {
    /// When it was made, UTC.
    pub at: String,
    /// The last event in it.
    pub seq: i64,
    /// How many events came since.
    pub behind: i64,
    /// When a drill last found a backup as good as the books, UTC.
    pub drilled: Option<String>,
}

impl Reader<'_> {
    /// How the books stand to their backups, as far as this machine knows.
    pub fn backup_standing(&self) -> Result<BackupStanding> {
        let (books_id, created_at) = table::books(&self.view)?;
        let seq = self.head()?.seq;
        let noted = match self.scene.world.state_folder() {
            None => Ok(Copies::default()),
            Some(state) => Copies::of(state, &books_id),
        };
        let (copies, fault) = match noted {
            Ok(copies) => (copies, None),
            Err(e) => (Copies::default(), Some(e.to_string())),
        };
        let behind = |made: &CopyMade| seq.saturating_sub(made.seq).max(0);
        let (since, events) = match &copies.made {
            Some(made) => (made.at.as_str(), behind(made)),
            None => (created_at.as_str(), seq),
        };
        Ok(BackupStanding {
            due: is_due(since, events, self.today()),
            last: copies.made.as_ref().map(|made| LastBackup {
                at: made.at.clone(),
                seq: made.seq,
                behind: behind(made),
                drilled: copies.drilled.as_ref().map(|drill| drill.at.clone()),
            }),
            fault,
        })
    }
}

/// Whether another backup is due, `events` after one that was made at the instant `since`. An instant that cannot be read
/// counts as long ago.
fn is_due(since: &str, events: i64, today: Date) -> bool {
    let day = since.get(..10).and_then(|day| day.parse::<Date>().ok());
    let limit = day.and_then(|day| day.plus_days(DAYS_MAX));
    events >= EVENTS_MAX || events > 0 && limit.is_none_or(|limit| today >= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// spec/reliability.md 8.2: after 7 days or 200 events; nothing new needs no new backup.
    #[test]
    fn due() {
        let today: Date = "2026-11-30".parse().expect("a day");
        let cases = [
            ("2026-11-30T08:00:00Z", 199, false),
            ("2026-11-30T08:00:00Z", 200, true),
            ("2026-11-24T23:59:59Z", 1, false),
            ("2026-11-23T00:00:00Z", 1, true),
            ("2026-11-23T00:00:00Z", 0, false),
            ("2020-01-01T00:00:00Z", 0, false),
            ("long ago", 1, true),
        ];
        for (since, events, want) in cases {
            assert_eq!(is_due(since, events, today), want, "{since} {events}");
        }
    }
}
