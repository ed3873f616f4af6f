//! Power cuts: what an ext4 disk had received at some moment is all that is left. A kill cannot show this, since the system
//! keeps a killed process's writes. The control, writers whose syncs do nothing, must lose, or the rig proves nothing.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::process::Signal;
use tempfile::TempDir;

use super::{
    acks::Noted,
    chance::Chance,
    disk::{self, Mounted},
    ground::Ground,
    say, skip,
    writer::{self, Order, Started},
};

const CUTS: u32 = 40;
const CONTROL_CUTS: u32 = 6;
const IMAGE_BYTES: u64 = 32 << 20;

/// Syncs that do nothing. SQLite and the standard library reach them through the C library.
const NO_SYNC: &str = "\
int fsync(int fd) { (void)fd; return 0; }
int fdatasync(int fd) { (void)fd; return 0; }
int sync_file_range(int fd, long long from, long long bytes, unsigned flags) { (void)fd; (void)from; (void)bytes; (void)flags; return 0; }
";

/// The disk that is written to, and where its image is.
struct Rig {
    live: Mounted,
    image: PathBuf,
    folder: TempDir,
    acknowledged: Vec<(i64, String)>,
}

/// What the cuts did.
#[derive(Default, Debug)]
struct Sum {
    cuts: u32,
    acknowledged: usize,
    lost: usize,
    unreadable: usize,
}

impl Rig {
    fn new() -> Result<Rig, String> {
        let folder = tempfile::Builder::new()
            .prefix("wb-power-")
            .tempdir()
            .expect("a temporary folder");
        let image = folder.path().join("disk.img");
        disk::make_image(&image, IMAGE_BYTES)?;
        let live = disk::mount_image(&image)?;
        let rig = Rig {
            live,
            image,
            folder,
            acknowledged: Vec::new(),
        };
        let first = rig.ground(&rig.live.point, "state-0");
        first.found();
        disk::tool("sync", &["-f", first.books.to_str().expect("a plain path")])?;
        Ok(rig)
    }

    /// The books on a disk, with a state folder on the same disk.
    fn ground(&self, disk: &Path, state: &str) -> Ground {
        Ground::at(&disk.join("books"), &disk.join(state), self.folder.path())
    }

    /// Lets writers work, and gives a copy of the disk as it was at one moment with what they had been told by then.
    fn cut(&mut self, cut: u32, chance: &mut Chance, preload: Option<&PathBuf>) -> PathBuf {
        // A new state folder each time: files that were never there before are those that a cut can leave empty.
        let ground = self.ground(&self.live.point, &format!("state-{cut}"));
        let mut writers: Vec<Started> = (0..2)
            .map(|k| {
                let order = Order {
                    who: format!("c{cut}w{k}"),
                    seed: chance.next(),
                    turns: None,
                    posts_only: false,
                    through_wb: false,
                };
                writer::start(&ground, &order, preload)
            })
            .collect();
        writers.iter().for_each(Started::wait_ready);
        std::thread::sleep(Duration::from_millis(chance.between(20, 250)));
        for writer in &writers {
            writer.signal(Signal::STOP);
        }
        writers.iter().for_each(wait_stopped);
        let told: Vec<_> = writers
            .iter()
            .flat_map(|w| Noted::read(&w.notes).heads())
            .collect();
        let copy = self.folder.path().join(format!("cut-{cut}.img"));
        fs::copy(&self.image, &copy).expect("a copy of the disk");
        for writer in &mut writers {
            writer.signal(Signal::KILL);
            let noted = writer.noted();
            assert_eq!(noted.refused.first_key_value(), None, "cut {cut}");
        }
        self.acknowledged.extend(told);
        copy
    }
}

/// Waits until every thread of a writer stands.
fn wait_stopped(writer: &Started) {
    let tasks = format!("/proc/{}/task", writer.id());
    super::wait_until("writers to stop", || {
        fs::read_dir(&tasks).expect("threads").all(|task| {
            let stat = fs::read_to_string(task.expect("a thread").path().join("stat"));
            let stat = stat.expect("a thread's state");
            stat.rsplit(')')
                .next()
                .is_some_and(|rest| rest.starts_with(" T"))
        })
    });
}

/// Forty power cuts lose nothing that was acknowledged, and the books open after each without repair, whether the remembered
/// heads survived the cut or not.
#[test]
fn forty_power_cuts() {
    let mut rig = match Rig::new() {
        Ok(rig) => rig,
        Err(why) => return skip(&format!("power cuts: {why}")),
    };
    let mut chance = Chance::new("power cuts");
    let mut sum = Sum::default();
    for cut in 1..=CUTS {
        let copy = rig.cut(cut, &mut chance, None);
        let after = disk::mount_image(&copy).expect("the copy mounts");
        for state in ["no-state".to_owned(), format!("state-{cut}")] {
            let ground = rig.ground(&after.point, &state);
            assert_eq!(ground.faults(), Vec::<String>::new(), "cut {cut}, {state}");
            assert_eq!(ground.lost(&rig.acknowledged), [], "cut {cut}");
            ground.draft("after the cut").good();
            assert_eq!(ground.mirror_differs(), None, "cut {cut}");
        }
        drop(after);
        fs::remove_file(copy).expect("the copy goes");
        sum.cuts += 1;
    }
    sum.acknowledged = rig.acknowledged.len();
    say(&format!("power cuts: {sum:?}"));
    assert!(sum.acknowledged > 200, "too little was written: {sum:?}");
}

/// The control: the same cuts with syncs that do nothing lose acknowledged events.
#[test]
fn power_cuts_without_sync_lose() {
    let skipped = |why: &str| skip(&format!("power cuts without sync: {why}"));
    let mut rig = match Rig::new() {
        Ok(rig) => rig,
        Err(why) => return skipped(&why),
    };
    let (source, library) = (
        rig.folder.path().join("no.c"),
        rig.folder.path().join("no.so"),
    );
    fs::write(&source, NO_SYNC).expect("the source");
    let text = |path: &Path| path.to_str().expect("a plain path").to_owned();
    if let Err(why) = disk::tool(
        "cc",
        &["-shared", "-fPIC", "-o", &text(&library), &text(&source)],
    ) {
        return skipped(&why);
    }
    let mut chance = Chance::new("power cuts without sync");
    let mut sum = Sum::default();
    for cut in 1..=CONTROL_CUTS {
        let copy = rig.cut(cut, &mut chance, Some(&library));
        let after = disk::mount_image(&copy).expect("the copy mounts");
        let ground = rig.ground(&after.point, "no-state");
        match ground.open() {
            Ok(_) => sum.lost = sum.lost.max(ground.lost(&rig.acknowledged).len()),
            Err(_) => sum.unreadable += 1,
        }
        drop(after);
        fs::remove_file(copy).expect("the copy goes");
        sum.cuts += 1;
    }
    sum.acknowledged = rig.acknowledged.len();
    say(&format!("power cuts without sync: {sum:?}"));
    assert!(
        sum.lost > 0,
        "the rig cannot tell a synced disk from another: {sum:?}"
    );
}
