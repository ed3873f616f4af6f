//! Backups, restores, repairs and mending, killed at any moment; and drills while others write: what is there is whole, and the
//! next try succeeds.

use std::{fs, path::Path, process::Command, time::Duration};

use rusqlite::Connection;
use rustix::process::Signal;

use super::{
    chance::Chance,
    ground::{self, Ground},
    say,
    writer::{self, Order},
};

const ROUNDS: u32 = 12;

/// Books with some entries.
fn written() -> Ground {
    let ground = Ground::new();
    for n in 0..5 {
        ground.draft(&format!("draft {n}")).good();
    }
    ground
}

/// Starts a command and kills it after up to `millis_max`.
fn killed(command: &mut Command, chance: &mut Chance, millis_max: u64) {
    let child = command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    let mut child = child.expect("wb starts");
    std::thread::sleep(Duration::from_micros(
        chance.between(1_000, millis_max * 1_000),
    ));
    child.kill().expect("a child of ours");
    child.wait().expect("a child of ours");
}

/// What begins with a dot in a folder.
fn hidden(place: &Path) -> Vec<String> {
    let listed = fs::read_dir(place).expect("a folder").flatten();
    let names = listed.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".wb-")).collect()
}

/// Where events end.
fn end(ground: &Ground) -> i64 {
    let db = Connection::open(ground.books.join("data/wanderbooks.db")).expect("a database");
    db.query_row("SELECT max(seq) FROM event", [], |row| row.get(0))
        .expect("an event")
}

/// A killed backup is none, or is whole; a killed restore leaves no books, or whole ones; what they left is swept by the next.
#[test]
fn copies_are_whole_or_not_there() {
    let ground = written();
    let mut chance = Chance::new("kills of backups and restores");
    let place = ground.notes.clone();
    let at = |name: &str, n: u32| {
        place
            .join(format!("{name}{n}"))
            .to_string_lossy()
            .into_owned()
    };
    let (mut made, mut restored) = (0, 0);
    for n in 0..ROUNDS {
        let target = at("killed", n);
        killed(&mut ground.wb(&["backup", &target]), &mut chance, 40);
        let good = at("good", n);
        ground::run(&mut ground.wb(&["backup", &good, "--json"])).good();
        if Path::new(&target).exists() {
            made += 1;
            ground::run(&mut ground.wb(&[
                "restore",
                &target,
                "--into",
                &at("of killed", n),
                "--json",
            ]))
            .good();
        }
        let into = at("back", n);
        killed(
            &mut ground.wb(&["restore", &good, "--into", &into]),
            &mut chance,
            40,
        );
        ground::run(&mut ground.wb(&["restore", &good, "--into", &at("again", n), "--json"]))
            .good();
        if Path::new(&into).exists() {
            restored += 1;
            let books = Ground::at(Path::new(&into), &ground.state, &ground.notes);
            assert_eq!(books.faults(), Vec::<String>::new(), "round {n}");
        }
        assert_eq!(hidden(&place), Vec::<String>::new(), "round {n}");
    }
    say(&format!(
        "{ROUNDS} kills each: {made} backups and {restored} restores were done before"
    ));
    assert_eq!(ground.faults(), Vec::<String>::new());
}

/// A killed repair can be made again, and a killed mending too: the books are then what they were.
#[test]
fn repairs_and_mending_can_be_made_again() {
    let ground = written();
    let mut chance = Chance::new("kills of repairs");
    let database = ground.books.join("data/wanderbooks.db");
    let (mut again, want) = (0, end(&ground));
    for n in 0..ROUNDS {
        for ending in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{ending}", database.display()));
        }
        if n % 2 == 0 {
            fs::write(&database, "x".repeat(5_000)).expect("written");
        }
        killed(
            &mut ground.wb(&["repair", "--from-mirror"]),
            &mut chance,
            60,
        );
        let second = ground::run(&mut ground.wb(&["repair", "--from-mirror", "--json"]));
        match second.code {
            0 => again += 1,
            _ => assert_eq!(
                second.refusal(),
                "nothing_to_repair",
                "round {n}: {second:?}"
            ),
        }
        assert_eq!(
            (ground.faults(), end(&ground)),
            (Vec::new(), want),
            "round {n}"
        );
        assert_eq!(ground.mirror_differs(), None, "round {n}");
        let db = Connection::open(&database).expect("a database");
        db.execute_batch("UPDATE account SET name='X' WHERE id=1")
            .expect("changed");
        drop(db);
        killed(&mut ground.wb(&["verify"]), &mut chance, 60);
        ground::run(&mut ground.wb(&["verify", "--json"])).good();
        assert_eq!(
            (ground.faults(), end(&ground)),
            (Vec::new(), want),
            "round {n}"
        );
    }
    say(&format!(
        "{ROUNDS} kills of repairs: {again} were made again"
    ));
}

/// spec/reliability.md T19: drills while two processes write find that every answer of the books and of the backup's is the same.
#[test]
fn drills_under_load() {
    const DRILLS: usize = 8;
    let ground = written();
    let mut chance = Chance::new("drills under load");
    let writers = [0, 1].map(|n| {
        let order = Order {
            who: format!("w{n}"),
            seed: chance.next(),
            turns: None,
            posts_only: false,
            through_wb: false,
        };
        writer::start(&ground, &order, None)
    });
    writers.iter().for_each(writer::Started::wait_ready);
    let before = end(&ground);
    for n in 0..DRILLS {
        let drilled = ground::run(&mut ground.wb(&["backup", "--drill", "--json"]));
        assert_eq!(drilled.code, 0, "drill {n}: {drilled:?}");
    }
    let written = end(&ground) - before;
    for writer in &writers {
        writer.signal(Signal::KILL);
    }
    say(&format!(
        "{DRILLS} drills while {written} events were written"
    ));
    assert!(written > 0, "nothing was written meanwhile");
}
