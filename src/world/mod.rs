//! Outside: clock, user, environment, randomness and files; all that can differ between two runs of the same command.

mod clock;
pub mod files;
pub mod place;

use std::{path::PathBuf, time::SystemTime};

use chrono::{DateTime, Datelike, Local, Utc};

use crate::model::Date;

/// What a command knows of the world around it. Tests hold it fixed.
#[derive(Clone, Debug)]
pub struct World {
    fixed: Option<(String, Date)>,
    /// Whether the time zone can be asked for without harm.
    zoned: bool,
    user: String,
    state: Option<PathBuf>,
}

impl World {
    /// The world as it is.
    pub fn real() -> World {
        let variable = |name| std::env::var_os(name).filter(|v: &std::ffi::OsString| !v.is_empty());
        // A relative path would name another folder in every working folder; the XDG specification has it ignored.
        let state = variable("XDG_STATE_HOME")
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
            .or_else(|| std::env::home_dir().map(|home| home.join(".local/state")))
            .filter(|p| p.is_absolute())
            .map(|p| p.join("wanderbooks"));
        let user = variable("USER")
            .or_else(|| variable("LOGNAME"))
            .map(|u| u.to_string_lossy().into_owned());
        World {
            fixed: None,
            zoned: zone_is_readable(variable("TZ").as_deref()),
            user: user.unwrap_or_else(|| format!("uid {}", rustix::process::getuid().as_raw())),
            state,
        }
    }

    /// A world that stands still, for tests: an instant in UTC, its day, and a folder for remembered heads.
    pub fn fixed(now: &str, today: Date, state: Option<PathBuf>) -> World {
        World {
            fixed: Some((now.to_owned(), today)),
            zoned: false,
            user: "tester".to_owned(),
            state,
        }
    }

    /// The instant, UTC, to the second. A clock beyond what is taken counts as the nearest that is: [`World::clock_is_set`]
    /// says so.
    pub fn now(&self) -> String {
        match &self.fixed {
            Some((now, _)) => now.clone(),
            None => clock::written(clock::nearest(SystemTime::now())),
        }
    }

    /// Whether the clock stands between the years 2000 and 9999; else where it stands, in words.
    pub fn clock_is_set(&self) -> Result<(), String> {
        match &self.fixed {
            Some((now, _)) => clock::judge_written(now),
            None => clock::judge(SystemTime::now()),
        }
    }

    /// The instant as it stands in the names of files.
    pub fn stamp(&self) -> String {
        self.now().replace([':', '-'], "")
    }

    /// The day here, in the local time zone. A clock beyond the calendar of the books counts as its last day.
    pub fn today(&self) -> Date {
        if let Some((_, today)) = &self.fixed {
            return *today;
        }
        let now: DateTime<Utc> = clock::nearest(SystemTime::now());
        let now = match self.zoned {
            true => now.with_timezone(&Local).date_naive(),
            false => now.date_naive(),
        };
        let last = || Date::from_number(99_991_231).expect("the calendar's last day is in it");
        Date::new(now.year(), now.month(), now.day()).unwrap_or_else(last)
    }

    /// Who runs the command, by the environment's word.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The folder of remembered heads, when there is a place for it.
    pub fn state_folder(&self) -> Option<&std::path::Path> {
        self.state.as_deref()
    }

    /// The value that follows an option on this process's own command line, which is what a shell completes.
    pub fn option(&self, name: &str) -> Option<std::ffi::OsString> {
        let mut words = std::env::args_os().skip(1);
        while let Some(word) = words.next() {
            if word == name {
                return words.next();
            }
            let joined = word.to_str().and_then(|w| w.strip_prefix(name));
            if let Some(value) = joined.and_then(|rest| rest.strip_prefix('=')) {
                return Some(value.into());
            }
        }
        None
    }

    /// The books folder that the environment names (`WB_BOOKS`).
    pub fn books_folder(&self) -> Option<PathBuf> {
        let said = std::env::var_os("WB_BOOKS").filter(|v| !v.is_empty());
        said.filter(|_| self.fixed.is_none()).map(PathBuf::from)
    }

    /// The width of the terminal by the environment's word (`COLUMNS`), for a terminal that does not say.
    pub fn columns(&self) -> Option<usize> {
        let said = std::env::var("COLUMNS")
            .ok()
            .filter(|_| self.fixed.is_none())?;
        said.parse().ok().filter(|width| *width > 0)
    }

    /// Whether there is nowhere to remember heads. A world that stands still may do without.
    pub fn lacks_state_folder(&self) -> bool {
        self.fixed.is_none() && self.state.is_none()
    }

    /// Whether the person asked for output without colour (`NO_COLOR`, see no-color.org).
    pub fn wants_no_colour(&self) -> bool {
        self.fixed.is_some() || std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
    }

    /// Whether the terminal cannot move its cursor, or does not say what it can.
    pub fn terminal_is_dumb(&self) -> bool {
        let named = std::env::var_os("TERM").filter(|term| !term.is_empty() && term != "dumb");
        self.fixed.is_some() || named.is_none()
    }

    /// The nearest folder, from here upward, that holds a file of this name.
    pub fn nearest_folder_with(&self, name: &str) -> std::io::Result<Option<PathBuf>> {
        let here = std::env::current_dir()?;
        Ok(here
            .ancestors()
            .find(|folder| folder.join(name).is_file())
            .map(PathBuf::from))
    }

    /// A random id of 32 hex digits.
    pub fn random_id(&self) -> std::io::Result<String> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(crate::model::hex(&bytes))
    }
}

/// Whether `TZ` names a time zone whose file can be read to its end: a device or a pipe in its place would be read for ever.
/// Where it cannot, days are those of UTC.
fn zone_is_readable(zone: Option<&std::ffi::OsStr>) -> bool {
    const BYTES_MAX: u64 = 1 << 20;
    let Some(zone) = zone else { return true };
    let zone = zone.to_string_lossy();
    let zone = std::path::Path::new(zone.trim_start_matches(':'));
    let climbs = zone
        .components()
        .any(|c| c == std::path::Component::ParentDir);
    if !zone.is_absolute() {
        return !climbs;
    }
    std::fs::metadata(zone).is_ok_and(|m| m.is_file() && m.len() <= BYTES_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zone is a name, or a file that ends.
    #[test]
    fn zones() {
        let readable = |zone: &str| zone_is_readable(Some(std::ffi::OsStr::new(zone)));
        assert!(zone_is_readable(None) && readable("America/Chicago") && readable("EST5EDT"));
        for zone in [
            "/dev/zero",
            ":/dev/zero",
            "../../../dev/zero",
            "/dev",
            "/no/such/file",
        ] {
            assert!(!readable(zone), "{zone}");
        }
    }
}
