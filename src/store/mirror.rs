//! The journal's mirror: `journal.jsonl`, line for line what the table `event` holds. Derived, for people and for repair.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use rusqlite::Connection;
use rustix::fs::{FlockOperation, flock};

use super::{
    chain::Chain,
    fault::{At, Doing, StoreError, StoreResult},
    head::Head,
    journal,
};
use crate::world::files;

const DOING: &str = "writing the journal's mirror";
const READING: &str = "reading the journal's mirror";
const CHUNK_BYTES: usize = 1 << 20;

/// The last complete line of a mirror.
struct Tail {
    /// The sequence number in it.
    seq: i64,
    /// The line's hash.
    hash: [u8; 32],
    /// Where the line ends; bytes after it are the torn start of another.
    end: u64,
    /// Whether it reads as a line of a journal.
    whole: bool,
}

/// Brings the mirror up to the journal: appends what it lacks. One that ends in another line stays as it is: verification
/// looks at the whole of it, and keeps a copy when it writes it anew.
pub(super) fn sync(db: &Connection, path: &Path) -> StoreResult<()> {
    let mut file = locked(path)?;
    let tail = tail(&mut file)?;
    let (from, length) = match tail {
        None => (0, 0),
        Some(tail) => {
            let here = journal::hash_at(db, tail.seq)?;
            match here {
                Some(hash) if hash == tail.hash => (tail.seq, tail.end),
                Some(_) => {
                    return Err(StoreError::Damaged(format!(
                        "the last line of {} is not the journal's; run wb verify",
                        path.display()
                    )));
                }
                None => {
                    return Err(StoreError::RolledBack {
                        why: format!(
                            "the mirror {} ends at event {}, which the journal does not have",
                            path.display(),
                            tail.seq
                        ),
                        hint: "run `wb verify`, which says how the two stand to each other"
                            .to_owned(),
                    });
                }
            }
        }
    };
    if file.metadata().doing(DOING)?.len() != length {
        file.set_len(length).doing(DOING)?;
    }
    file.seek(SeekFrom::Start(length)).doing(DOING)?;
    write_lines(db, from, &mut file)
}

/// The mirror, opened and locked; made when it is not there.
fn locked(path: &Path) -> StoreResult<File> {
    files::open_locked(path).map_err(|e| unopened(path, DOING, e))
}

/// Why a mirror cannot be opened. What is no file was put there by someone and is theirs to move.
fn unopened(path: &Path, doing: &str, source: io::Error) -> StoreError {
    match source.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory => {
            StoreError::Unavailable(format!(
                "{doing}: {} is not a file; move it away, the mirror is written anew",
                path.display()
            ))
        }
        _ => StoreError::unfit(doing, path, source),
    }
}

/// The last complete line. An unreadable one counts as a line that the journal does not have at that place.
fn tail(file: &mut File) -> StoreResult<Option<Tail>> {
    let length = file.metadata().doing(READING)?.len();
    let mut window = 4096_u64;
    loop {
        let start = length.saturating_sub(window);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start)).doing(READING)?;
        file.take(length - start)
            .read_to_end(&mut bytes)
            .doing(READING)?;
        let Some(end) = bytes.iter().rposition(|b| *b == b'\n') else {
            if start == 0 {
                return Ok(None);
            }
            window *= 4;
            continue;
        };
        let before = bytes[..end]
            .iter()
            .rposition(|b| *b == b'\n')
            .map(|p| p + 1);
        let begin = match before {
            Some(begin) => begin,
            None if start == 0 => 0,
            None => {
                window *= 4;
                continue;
            }
        };
        return Ok(Some(read_tail(&bytes[begin..end], start + end as u64 + 1)));
    }
}

fn read_tail(line: &[u8], end: u64) -> Tail {
    let text = String::from_utf8_lossy(line);
    let read = serde_json::from_str::<journal::Envelope<'_>>(&text);
    Tail {
        // Line 1 with a hash that no line has.
        seq: read.as_ref().map_or(1, |line| line.seq),
        hash: journal::line_hash(&text),
        end,
        whole: read.is_ok(),
    }
}

/// Writes the whole mirror anew, through a temporary file.
pub(super) fn rewrite(db: &Connection, path: &Path) -> StoreResult<()> {
    let opened = files::replacement(path);
    let (mut file, temporary) = opened.at(DOING, &path.with_extension("tmp"))?;
    let written = write_lines(db, 0, &mut file)
        .and_then(|()| file.sync_all().doing(DOING))
        .and_then(|()| fs::rename(&temporary, path).doing(DOING));
    if written.is_err() {
        // The half-written temporary file is of no use to anyone; the error below is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Writes every line after `from`.
pub(super) fn write_lines(db: &Connection, from: i64, out: &mut File) -> StoreResult<()> {
    let mut statement = db
        .prepare_cached("SELECT body FROM event WHERE seq>? ORDER BY seq")
        .doing(DOING)?;
    let mut rows = statement.query([from]).doing(DOING)?;
    let mut buffer = Vec::with_capacity(4096);
    while let Some(row) = rows.next().doing(DOING)? {
        let body = row
            .get_ref(0)
            .doing(DOING)?
            .as_bytes()
            .map_err(rusqlite::Error::from)
            .doing(DOING)?;
        buffer.extend_from_slice(body);
        buffer.push(b'\n');
        if buffer.len() > CHUNK_BYTES {
            out.write_all(&buffer).doing(DOING)?;
            buffer.clear();
        }
    }
    out.write_all(&buffer).doing(DOING)
}

/// Another history that the mirror knows of.
pub(super) struct Contradiction {
    /// Where the mirror ends.
    pub head: Head,
    /// What is wrong.
    pub why: String,
    /// What to do.
    pub hint: String,
    /// Whether the mirror has the journal's last line and goes on from it: then nothing is lost.
    pub goes_on: bool,
}

/// What is said of every way out that gives something up.
pub(super) const ACCEPT: &str = "accept this one with `wb restore --accept --reason WHY`; until then these books can only be read";

/// What is wrong if the mirror knows another history: it is ahead of the journal, because an older database was put back, or
/// its last line is whole but not the journal's, because one of the two was written anew.
pub(super) fn contradicts(db: &Connection, path: &Path) -> StoreResult<Option<Contradiction>> {
    let mut file = match files::open_regular(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(unopened(path, READING, e)),
    };
    let Some(tail) = tail(&mut file)? else {
        return Ok(None);
    };
    let contradiction = |goes_on, why| Contradiction {
        head: Head {
            seq: tail.seq,
            hash: tail.hash,
        },
        why,
        hint: match goes_on {
            true => format!(
                "end what has the books open and run `wb repair --from-mirror`, which makes the newer state again and keeps the \
                 older file; where it finds the mirror damaged, {ACCEPT}"
            ),
            false => format!("put the right database back; where it is lost, {ACCEPT}"),
        },
        goes_on,
    };
    // The head is read after the mirror: a writer may have committed in between, never un-committed.
    let head = journal::head(db)?;
    if tail.seq > head.seq {
        let goes_on = hash_in(&mut file, head.seq)? == Some(head.hash);
        return Ok(Some(contradiction(
            goes_on,
            format!(
                "the journal ends at event {}, but its mirror has event {}: an older database was put back",
                head.seq, tail.seq
            ),
        )));
    }
    let other = tail.whole && journal::hash_at(db, tail.seq)?.is_some_and(|hash| hash != tail.hash);
    Ok(other.then(|| {
        contradiction(false, format!(
            "the journal and its mirror {} tell different histories of event {}: one of them was written anew; put the true \
             database back from a backup, or move the mirror away if the database is the true one",
            path.display(),
            tail.seq
        ))
    }))
}

/// The hash of the mirror's line `seq`.
pub(super) fn hash_in(mirror: &mut File, seq: i64) -> StoreResult<Option<[u8; 32]>> {
    use io::BufRead;
    mirror.rewind().doing(READING)?;
    let mut lines = io::BufReader::with_capacity(1 << 16, mirror);
    let mut line = Vec::new();
    for _ in 0..seq {
        line.clear();
        if lines.read_until(b'\n', &mut line).doing(READING)? == 0 {
            return Ok(None);
        }
    }
    let text = String::from_utf8_lossy(&line);
    Ok(text.strip_suffix('\n').map(journal::line_hash))
}

/// How the mirror stands to the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mirror {
    /// It is the journal, line for line.
    Whole,
    /// It is the journal's beginning: missing, or short of its last lines.
    Behind(String),
    /// It holds something else.
    Differs(String),
}

/// Compares the mirror with the journal, line for line, while no writer appends to it.
pub(super) fn compare(db: &Connection, path: &Path) -> StoreResult<Mirror> {
    use io::BufRead;
    let doing = "reading the journal's mirror";
    let Some(file) = held(path)? else {
        return Ok(Mirror::Behind("the mirror was missing".to_owned()));
    };
    let mut lines = io::BufReader::with_capacity(1 << 16, file);
    let mut statement = db
        .prepare("SELECT seq, body FROM event ORDER BY seq")
        .doing(doing)?;
    let mut rows = statement.query([]).doing(doing)?;
    let mut line = Vec::new();
    while let Some(row) = rows.next().doing(doing)? {
        let body = row
            .get_ref(1)
            .doing(doing)?
            .as_bytes()
            .map_err(rusqlite::Error::from)
            .doing(doing)?;
        line.clear();
        lines
            .by_ref()
            .take(body.len() as u64 + 1)
            .read_until(b'\n', &mut line)
            .doing(doing)?;
        if line.strip_suffix(b"\n") == Some(body) {
            continue;
        }
        let seq: i64 = row.get(0).doing(doing)?;
        // A torn last line is the beginning of the journal's: the rest of it was never written.
        let torn = !line.ends_with(b"\n") && body.starts_with(&line);
        return Ok(if torn && at_end(&mut lines)? {
            Mirror::Behind(torn_at(db, seq)?)
        } else {
            Mirror::Differs(format!("the mirror's line {seq} is not the journal's"))
        });
    }
    Ok(if at_end(&mut lines)? {
        Mirror::Whole
    } else {
        Mirror::Differs("the mirror has more lines than the journal".to_owned())
    })
}

/// How a mirror is torn that lacks the lines from `seq` on.
fn torn_at(db: &Connection, seq: i64) -> StoreResult<String> {
    let before = journal::stored(db, seq - 1)?;
    let chain = before.map(|(body, hash)| Chain::after((seq - 1, &body, &hash)));
    Ok(match chain {
        Some(Ok(chain)) if chain.ended().is_err() => {
            format!("the mirror ended within a command, before event {seq}")
        }
        _ => format!("the mirror ended before event {seq}"),
    })
}

fn at_end(lines: &mut impl io::BufRead) -> StoreResult<bool> {
    let rest = lines.fill_buf().doing("reading the journal's mirror")?;
    Ok(rest.is_empty())
}

/// The mirror, opened to read and held against writers; nothing when it is not there.
fn held(path: &Path) -> StoreResult<Option<File>> {
    loop {
        let file = match files::open_regular(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(unopened(path, READING, e)),
        };
        flock(&file, FlockOperation::LockShared)
            .map_err(io::Error::from)
            .doing(READING)?;
        if files::is_named(&file, path).doing(READING)? {
            return Ok(Some(file));
        }
    }
}
