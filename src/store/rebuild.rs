//! Making the database anew from the journal's mirror, when it is missing, empty, broken or older than the mirror. The mirror is
//! held to its chain from the first line; where that breaks, nothing is made of it.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

use rusqlite::{Connection, params};
use rustix::fs::{FlockOperation, fcntl_lock};

use super::{
    Blobs, Depth, Paths, Projection, Store,
    chain::Chain,
    connect::{A_BACKUP, Access},
    fault::{At, Doing, StoreError, StoreResult},
    fold::Fold,
    head::Head,
    heal::free_name,
    journal,
    mirror::hash_in,
    open::{APPLICATION_ID, FORMAT, exists},
    verify,
};
use crate::{model::Refusal, world::files};

/// No line of a journal is longer: an import of the largest file is many lines.
const LINE_BYTES_MAX: u64 = 256 << 20;
const READING: &str = "reading the journal's mirror";
const MAKING: &str = "making the database anew";

/// A database that was made anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rebuilt {
    /// What was wrong with the one that was there.
    pub why: String,
    /// Where its journal ends now.
    pub head: Head,
    /// Where the file that was there is kept.
    pub kept: Option<PathBuf>,
    /// The end of the mirror that is no part of the journal: it was cut off while it was written.
    pub torn: Option<Torn>,
    /// The SHA-256 of stored files that are missing or not what was stored.
    pub lost: Vec<String>,
}

/// The end of a mirror that was cut off while it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Torn {
    /// Whole lines of a command whose last line is missing, by their numbers.
    pub events: Vec<i64>,
    /// Bytes of a line that has no end.
    pub bytes: u64,
    /// Where all of it is kept.
    pub kept: PathBuf,
}

/// How far a mirror holds.
struct Whole {
    /// After the last line that ends its command.
    head: Head,
    /// Where that line ends.
    end: u64,
    /// The lines after it.
    unfinished: Vec<i64>,
    /// The bytes after the last newline.
    torn: u64,
}

/// Holds the books against another repair or acceptance of them, after so many tries of 10 ms each.
pub(super) fn alone(paths: &Paths, tries: u32) -> StoreResult<File> {
    const PAUSE: Duration = Duration::from_millis(10);
    let doing = "holding the books";
    for _ in 0..tries {
        // The folder itself, wherever a link of its name leads.
        let data = paths.data.canonicalize().at(doing, &paths.data)?;
        if let Some(held) = files::hold_folder(&data).at(doing, &data)? {
            return Ok(held);
        }
        std::thread::sleep(PAUSE);
    }
    Err(StoreError::Unavailable(
        "another repair or acceptance of these books is under way".to_owned(),
    ))
}

impl Store {
    /// Makes the database of some books anew from their mirror; the file that is there is kept aside. `stamp` names it.
    ///
    /// Refuses: a database that is sound and not older than the mirror, a mirror that is not there, and one whose
    /// chain breaks, which is named.
    pub fn rebuild(
        paths: &Paths,
        projection: &Rc<Projection>,
        stamp: &str,
    ) -> StoreResult<Rebuilt> {
        if paths.are_a_backup()? {
            return Err(StoreError::Unavailable(A_BACKUP.to_owned()));
        }
        let mirror_path = paths.mirror();
        if !exists(&mirror_path)? {
            return Err(StoreError::Refused(
                "no_mirror",
                "there is no mirror data/journal.jsonl to make the database from".to_owned(),
            ));
        }
        // A process that this one is just starting holds what it holds for an instant, until it is another program.
        let _alone = alone(paths, 50)?;
        let asked = standing(paths, projection)?;
        let mut mirror = files::open_locked(&mirror_path).at(READING, &mirror_path)?;
        let whole = scan(&mut mirror)?;
        let why = match asked {
            Database::Broken(why) => why,
            Database::Whole(head, hurt) => older((head, hurt), &mut mirror, &whole)?,
        };
        let _held = hold_database(&paths.database())?;
        let made = paths.data.join("wanderbooks.rebuilding.db");
        let lost = make(&mut mirror, &whole, &made, (paths, projection));
        if lost.is_err() {
            // It is no database yet; the error is what matters, and the next repair uses the name again.
            let _ = fs::remove_file(&made);
        }
        let lost = lost?;
        let torn = set_aside(&mut mirror, &whole, paths)?;
        let kept = put_in_place(&made, paths, stamp)?;
        Ok(Rebuilt {
            why,
            head: whole.head,
            kept,
            torn,
            lost,
        })
    }
}

/// What the database that is there is good for.
enum Database {
    /// Nothing, for this reason.
    Broken(String),
    /// Its journal is whole and ends here; what else in the file is not as it must be.
    Whole(Head, Option<String>),
}

fn standing(paths: &Paths, projection: &Rc<Projection>) -> StoreResult<Database> {
    if !exists(&paths.database())? {
        return Ok(Database::Broken("it was missing".to_owned()));
    }
    if !fs::symlink_metadata(paths.database())
        .doing(MAKING)?
        .is_file()
    {
        let no_file = io::ErrorKind::InvalidInput.into();
        return Err(StoreError::unfit(MAKING, &paths.database(), no_file));
    }
    let verified = Store::open(paths.clone(), Rc::clone(projection), None)
        .and_then(|mut store| store.verify(Depth::Pages));
    match verified {
        Ok(found) => Ok(match found.damage {
            None => {
                let hurt = found.drift.first();
                let hurt = hurt.map(|d| format!("{} was damaged: {}", d.table, d.what));
                Database::Whole(found.head, hurt)
            }
            Some(damage) => Database::Broken(format!(
                "its journal broke at event {}: {}",
                damage.seq, damage.why
            )),
        }),
        Err(StoreError::Damaged(why)) => Ok(Database::Broken(why)),
        Err(other) => Err(other),
    }
}

/// Why a database whose journal is whole is made anew all the same: the mirror goes on from it, or has all of it while the rest
/// of the file is hurt, perhaps beyond what can be mended in place.
///
/// Refuses: one that is sound or that the mirror does not have to its end.
fn older(
    (head, hurt): (Head, Option<String>),
    mirror: &mut File,
    whole: &Whole,
) -> StoreResult<String> {
    let has_it = whole.head.seq >= head.seq && hash_in(mirror, head.seq)? == Some(head.hash);
    if has_it && whole.head.seq > head.seq {
        return Ok(format!(
            "it ended at event {}, and the mirror goes on from there to event {}",
            head.seq, whole.head.seq
        ));
    }
    if let Some(hurt) = hurt.filter(|_| has_it) {
        return Ok(hurt);
    }
    Err(StoreError::Refused(
        "nothing_to_repair",
        format!(
            "the database's journal is whole, with {} events, and the mirror does not go on from it; nothing was changed",
            head.seq
        ),
    ))
}

/// Whether a mirror holds to its chain to its end, and has whole commands after event `seq`.
pub(super) fn goes_on(mirror: &Path, seq: i64) -> StoreResult<bool> {
    let mut mirror = files::open_regular(mirror).at(READING, mirror)?;
    match scan(&mut mirror) {
        Ok(whole) => Ok(whole.head.seq > seq),
        Err(StoreError::BadCopy(_)) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Holds a mirror to its chain, line for line.
///
/// Refuses: the first complete line that does not hold, naming it. Only what follows the last newline can be a torn write.
fn scan(mirror: &mut File) -> StoreResult<Whole> {
    let length = mirror.metadata().doing(READING)?.len();
    let mut whole = Whole {
        head: Head::EMPTY,
        end: 0,
        unfinished: Vec::new(),
        torn: 0,
    };
    let (mut chain, mut at) = (Chain::START, 0);
    let torn = each_line(mirror, length, |line| {
        let text =
            std::str::from_utf8(line).map_err(|_| (chain.head.seq + 1, NOT_TEXT.to_owned()))?;
        let hash = journal::line_hash(text);
        let next = chain
            .follow((chain.head.seq + 1, text, &hash))
            .map_err(|why| (chain.head.seq + 1, why))?
            .0;
        chain = next;
        at += line.len() as u64 + 1;
        whole.unfinished.push(chain.head.seq);
        if chain.ended().is_ok() {
            (whole.head, whole.end) = (chain.head, at);
            whole.unfinished.clear();
        }
        Ok(())
    })?;
    whole.torn = torn;
    if whole.head == Head::EMPTY {
        return Err(broken(1, "no command in it is whole", 0));
    }
    Ok(whole)
}

const NOT_TEXT: &str = "it is not UTF-8 text";

/// Hands out the complete lines of a mirror's first `length` bytes, without their newlines; gives how many bytes follow the
/// last one.
fn each_line(
    mirror: &mut File,
    length: u64,
    mut take: impl FnMut(&[u8]) -> Result<(), (i64, String)>,
) -> StoreResult<u64> {
    mirror.rewind().doing(READING)?;
    let mut lines = BufReader::with_capacity(1 << 18, mirror.take(length));
    let (mut line, mut count) = (Vec::new(), 0_i64);
    loop {
        line.clear();
        let read = lines
            .by_ref()
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut line)
            .doing(READING)?;
        match line.strip_suffix(b"\n") {
            Some(text) => take(text).map_err(|(seq, why)| broken(seq, &why, count))?,
            None if read as u64 == LINE_BYTES_MAX => {
                let why = format!("it is over {LINE_BYTES_MAX} bytes long");
                return Err(broken(count + 1, &why, count));
            }
            None => return Ok(read as u64),
        }
        count += 1;
    }
}

/// The mirror does not hold at a line.
fn broken(seq: i64, why: &str, whole: i64) -> StoreError {
    let message = format!(
        "the mirror breaks at line {seq}; nothing from there on is certain, and nothing was changed"
    );
    StoreError::BadCopy(Box::new(
        Refusal::new("mirror_damaged", message)
            .with("seq", seq)
            .with("why", why)
            .with("whole_lines", whole)
            .hint("restore a backup into a new folder with `wb restore BACKUP --into NEW`"),
    ))
}

/// Holds the file of a database against every process that has it open.
///
/// SQLite keeps a lock on it for as long as a process has the books open; and who closes the old file last takes away the log by
/// its name, which would by then be the new file's.
fn hold_database(path: &Path) -> StoreResult<Option<File>> {
    let doing = "holding the database";
    if !exists(path)? {
        return Ok(None);
    }
    let file = fs::OpenOptions::new().read(true).write(true).open(path);
    let file = file.at(doing, path)?;
    match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::ACCESS) => {
            Err(StoreError::Unavailable(
                "another process has these books open; end it (a server, a report that runs), then repair them"
                    .to_owned(),
            ))
        }
        held => {
            held.map_err(io::Error::from).doing(doing)?;
            Ok(Some(file))
        }
    }
}

/// Makes a database of the mirror's whole commands, in one transaction, and verifies it. Gives the stored files that are lost.
fn make(
    mirror: &mut File,
    whole: &Whole,
    made: &Path,
    (paths, projection): (&Paths, &Rc<Projection>),
) -> StoreResult<Vec<String>> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        remove(&beside(made, ending))?;
    }
    drop(files::new_private_file(made).doing(MAKING)?);
    {
        let db = Connection::open(made).doing(MAKING)?;
        db.execute_batch("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; BEGIN IMMEDIATE")
            .doing(MAKING)?;
        db.execute_batch(&projection.ddl()).doing(MAKING)?;
        db.pragma_update(None, "application_id", APPLICATION_ID)
            .doing(MAKING)?;
        db.pragma_update(None, "user_version", FORMAT)
            .doing(MAKING)?;
        fill(&db, mirror, whole, projection)?;
        let state = params![whole.head.seq, whole.head.hash, projection.fingerprint()];
        db.execute("INSERT INTO state VALUES(1, ?, ?, ?)", state)
            .doing(MAKING)?;
        db.execute_batch("COMMIT").doing(MAKING)?;
        db.close().map_err(|(_, e)| e).doing(MAKING)?;
    }
    let found = verify::verify(
        &verify::Site {
            database: made,
            access: Access::Shared,
            blobs: &Blobs::of(paths),
        },
        projection,
        Depth::Files,
    )?;
    let drift = found
        .drift
        .first()
        .map(|d| format!("{}: {}", d.table, d.what));
    if let Some(what) = found.damage.map(|d| d.why).or(drift) {
        return Err(StoreError::Fault(format!(
            "{MAKING}: it does not verify: {what}"
        )));
    }
    // After verifying: who only reads leaves the files of the log behind.
    let db = Connection::open(made).doing(MAKING)?;
    db.pragma_update(None, "journal_mode", "WAL")
        .doing(MAKING)?;
    db.close().map_err(|(_, e)| e).doing(MAKING)?;
    File::open(made)
        .and_then(|file| file.sync_all())
        .doing(MAKING)?;
    Ok(found
        .files
        .faults
        .into_iter()
        .map(|fault| fault.sha256)
        .collect())
}

/// Writes the lines and folds each.
fn fill(
    db: &Connection,
    mirror: &mut File,
    whole: &Whole,
    projection: &Projection,
) -> StoreResult<()> {
    let mut insert = db
        .prepare("INSERT INTO event(seq, body, hash) VALUES(?,?,?)")
        .doing(MAKING)?;
    let mut failed = None;
    let mut seq = 0;
    let read = each_line(mirror, whole.end, |line| {
        seq += 1;
        let text = std::str::from_utf8(line).map_err(|_| (seq, NOT_TEXT.to_owned()))?;
        let envelope = super::chain::read(text).map_err(|why| (seq, why))?;
        let hash = journal::line_hash(text);
        let done = insert
            .execute(params![seq, text, hash])
            .doing(MAKING)
            .and_then(|_| Ok((projection.fold)(&envelope, &mut Fold::replay(db))?));
        done.map_err(|e| {
            let why = e.to_string();
            failed = Some(e);
            (seq, why)
        })
    });
    match failed {
        // The last line is held by no other: what it says may be all that shows that it was changed.
        None | Some(StoreError::Fold(_)) => read.map(|_| ()),
        Some(e) => Err(e),
    }
}

/// Keeps the end of the mirror that is no part of the journal, and cuts it off.
fn set_aside(mirror: &mut File, whole: &Whole, paths: &Paths) -> StoreResult<Option<Torn>> {
    if whole.unfinished.is_empty() && whole.torn == 0 {
        return Ok(None);
    }
    let doing = "keeping the torn end of the mirror";
    let which = whole.head.seq.to_string();
    let kept = free_name(&paths.data, ("journal.torn", &which), "jsonl")?;
    let mut copy = files::new_private_file(&kept).doing(doing)?;
    mirror.seek(SeekFrom::Start(whole.end)).doing(doing)?;
    io::copy(mirror, &mut copy).doing(doing)?;
    copy.sync_all().doing(doing)?;
    files::sync_folder(&paths.data).doing(doing)?;
    mirror.set_len(whole.end).doing(doing)?;
    Ok(Some(Torn {
        events: whole.unfinished.clone(),
        bytes: whole.torn,
        kept,
    }))
}

/// Keeps the database that is there, with its log, and gives the new one its name. Whatever moment this is cut off at, either
/// both are kept or the repair can be made again.
fn put_in_place(made: &Path, paths: &Paths, stamp: &str) -> StoreResult<Option<PathBuf>> {
    let doing = "keeping the database as it was found";
    let database = paths.database();
    let kept = if exists(&database)? {
        let kept = free_name(&paths.data, ("wanderbooks.mismatch", stamp), "db")?;
        for ending in ["", "-wal"] {
            let (from, to) = (beside(&database, ending), beside(&kept, ending));
            if exists(&from)? && fs::hard_link(&from, &to).is_err() {
                let mut copy = files::new_private_file(&to).doing(doing)?;
                let mut found = File::open(&from).doing(doing)?;
                io::copy(&mut found, &mut copy).doing(doing)?;
                copy.sync_all().doing(doing)?;
            }
        }
        files::sync_folder(&paths.data).doing(doing)?;
        Some(kept)
    } else {
        None
    };
    // A log beside a database that it is not of would be taken for its own.
    for ending in ["-wal", "-shm", "-journal"] {
        remove(&beside(&database, ending))?;
    }
    fs::rename(made, &database).doing(MAKING)?;
    files::sync_folder(&paths.data).doing(MAKING)?;
    Ok(kept)
}

/// A file that SQLite keeps beside a database.
fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn remove(path: &Path) -> StoreResult<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.at(MAKING, path),
    }
}
