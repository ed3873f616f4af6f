//! A full disk: what was acknowledged is there, what was not is refused as unavailable, reading goes on, and with room again
//! so does writing.

use std::{fs, io::Write, path::Path};

use serde_json::{Value, json};
use wanderbooks::engine::No;

use super::{
    acks::Ask,
    disk,
    ground::{self, Ground},
    say, skip,
};

const SIZE: &str = "768k";
/// A disk of this size holds far fewer drafts.
const DRAFTS_MAX: usize = 5_000;

/// A small disk with books on it; their state and notes are elsewhere.
fn small() -> Option<(disk::Mounted, Ground, Ground)> {
    let mounted = match disk::mount_small(SIZE) {
        Ok(mounted) => mounted,
        Err(why) => {
            skip(&format!("full disk: {why}"));
            return None;
        }
    };
    let (ground, elsewhere) = Ground::on(&mounted.point);
    Some((mounted, ground, elsewhere))
}

/// Takes what room is left.
fn fill(folder: &Path) {
    let mut filler = fs::File::create(folder.join("filler")).expect("a file");
    while filler.write_all(&[0; 512]).is_ok() {}
}

fn searched(ground: &Ground) -> usize {
    let found = ground
        .call("books.search_entries", &json!({"limit": 1}))
        .good();
    let total = found["total"].as_u64().expect("a total");
    usize::try_from(total).expect("a count")
}

/// After the disk has grown, the same books take changes again and nothing is amiss.
fn goes_on(mounted: &disk::Mounted, ground: &Ground, drafts: usize) {
    mounted.resize("8m");
    ground.draft("room again").good();
    assert_eq!(searched(ground), drafts + 1);
    assert_eq!(ground.faults(), Vec::<String>::new());
    assert_eq!(ground.mirror_differs(), None);
    assert_eq!(ground.strays(), Vec::<String>::new());
}

/// `wb` process after process on a disk that fills: every no is `unavailable`, every yes is in the journal.
#[test]
fn full_disk_by_processes() {
    let Some((mounted, ground, _elsewhere)) = small() else {
        return;
    };
    let what = "x".repeat(480);
    let (mut drafts, mut refused) = (0, 0);
    while refused < 5 {
        assert!(drafts < DRAFTS_MAX, "the disk does not fill");
        // From here on the disk has some pages left, then fewer, then none.
        if drafts == 40 {
            fill(&mounted.point);
            assert_eq!(searched(&ground), drafts, "read at rest with no byte free");
            let verified = ground::run(&mut ground.wb(&["verify", "--json"])).good();
            assert_eq!(verified["status"], "ok", "verified with no byte free");
            let filler = mounted.point.join("filler");
            let room = fs::metadata(&filler).expect("the filler").len() - 100_000;
            let file = fs::OpenOptions::new().write(true).open(&filler);
            file.expect("the filler").set_len(room).expect("shorter");
        }
        let ran = ground.draft(&what);
        match ran.code {
            0 => drafts += 1,
            4 => {
                assert_eq!(ran.refusal(), "unavailable", "{ran:?}");
                refused += 1;
            }
            _ => panic!("neither done nor unavailable: {ran:?}"),
        }
        assert_eq!(searched(&ground), drafts, "{ran:?}");
    }
    say(&format!(
        "full disk, processes: {drafts} drafts acknowledged, then {refused} refused"
    ));
    fill(&mounted.point);
    assert_eq!(searched(&ground), drafts, "read with no byte free");
    let ran = ground.draft("none");
    assert_eq!(
        (ran.code, ran.refusal().as_str()),
        (4, "unavailable"),
        "{ran:?}"
    );
    fs::remove_file(mounted.point.join("filler")).expect("the filler goes");
    goes_on(&mounted, &ground, drafts);
}

/// One process that stays, as a server does, on a disk that fills.
#[test]
fn full_disk_under_one_process() {
    let Some((mounted, ground, _elsewhere)) = small() else {
        return;
    };
    let mut books = ground.open().expect("the books open");
    let ask = |tool: &str, args: Value| match args {
        Value::Object(args) => Ask {
            tool: tool.to_owned(),
            args,
        },
        other => panic!("{other} is no object"),
    };
    let draft = ask(
        "books.draft_entry",
        Value::Object(ground::draft(&"x".repeat(480))),
    );
    let (mut drafts, mut refused) = (0, 0);
    while refused < 5 {
        assert!(drafts < DRAFTS_MAX, "the disk does not fill");
        match ground::ask(&mut books, &draft) {
            Ok(_) => drafts += 1,
            Err(No::Unavailable(_)) => refused += 1,
            Err(no) => panic!("neither done nor unavailable: {no:?}"),
        }
    }
    let search = ask("books.search_entries", json!({"limit": 1}));
    let found = ground::ask(&mut books, &search).expect("read while full");
    assert_eq!(found.value["total"], drafts);
    assert_eq!(
        searched(&ground),
        drafts,
        "another process reads while full"
    );
    mounted.resize("8m");
    ground::ask(&mut books, &draft).expect("the same process writes again");
    drop(books);
    say(&format!(
        "full disk, one process: {drafts} drafts acknowledged, then {refused} refused"
    ));
    goes_on(&mounted, &ground, drafts + 1);
}
