//! The database made anew from the mirror: when that is done, what is kept, and mirrors of which nothing is made.

use super::*;

/// Books of ten events, the last three in one command, closed; the mirror as it was.
fn closed() -> (Desk, String) {
    let mut desk = small();
    let history = concat!(
        r#"{"date":"2026-03-01","description":"Rent","lines":[{"account":"3000","amount":"9.00"},{"account":"1000","amount":"-9.00"}]}"#,
        "\n",
        r#"{"date":"2026-03-02","description":"Sale","lines":[{"account":"1000","amount":"5.00"},{"account":"3000","amount":"-5.00"}]}"#,
        "\n",
    );
    desk.ok("import journal", json!({"file": history}));
    desk.close();
    let mirror = fs::read_to_string(desk.paths().mirror()).expect("a mirror");
    (desk, mirror)
}

/// spec/reliability.md 5.7 and 6.7: a database that is missing, empty, no database, cut or broken in its journal is made anew; the
/// books are then what they were, the file that was there is kept as it was found, and nothing else stays.
#[test]
fn made_anew() {
    type Hurt = fn(&std::path::Path);
    let cases: &[(&str, Hurt)] = &[
        ("missing", |db| fs::remove_file(db).expect("removed")),
        ("empty", |db| fs::write(db, "").expect("written")),
        ("not a database", |db| {
            fs::write(db, "x".repeat(9_000)).expect("written")
        }),
        ("cut", |db| {
            let bytes = fs::read(db).expect("a database");
            fs::write(db, &bytes[..bytes.len() / 3]).expect("written");
        }),
        ("an event changed", |db| {
            let db = Connection::open(db).expect("a database");
            db.execute_batch(&format!("{LET_EVENTS_CHANGE} UPDATE event SET body=replace(body,'100.00','900.00') WHERE seq=5"))
                .expect("changed");
        }),
        ("an older state", |db| {
            let db = Connection::open(db).expect("a database");
            db.execute_batch(&format!(
                "{LET_EVENTS_CHANGE} DELETE FROM event WHERE seq>7; UPDATE state SET applied=7, head=(SELECT hash FROM event WHERE seq=7)"
            ))
            .expect("changed");
        }),
    ];
    for (what, hurt) in cases {
        let (mut desk, mirror) = closed();
        let database = desk.paths().database();
        hurt(&database);
        let found = fs::read(&database).ok();
        let answer = desk.repaired();
        let want = json!({"seq": 10, "head": head_at(&desk, 10), "total_debit": "296.00", "torn": null, "notes": null});
        assert_eq!(
            pick(&answer, &["seq", "head", "total_debit", "torn", "notes"]),
            want,
            "{what}"
        );
        let names = kept(&desk);
        match found {
            None => assert_eq!(names, Vec::<String>::new(), "{what}"),
            Some(_) => {
                assert_eq!(
                    names[0], "wanderbooks.mismatch.20261130T085140Z.db",
                    "{what}"
                );
                assert_eq!(answer["kept"], names[0], "{what}");
            }
        }
        assert_eq!((desk.alarm(), mended(&mut desk)), (None, sound()), "{what}");
        assert_eq!(
            fs::read_to_string(desk.paths().mirror()).expect("a mirror"),
            mirror,
            "{what}"
        );
        desk.post("2026-03-20", &["1000:dr:1.00", "3000:cr:1.00"]);
        desk.close();
        let mut left: Vec<String> = fs::read_dir(data(&desk))
            .expect("a folder")
            .map(|e| {
                e.expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .filter(|n| !n.contains("mismatch"))
            .collect();
        left.sort();
        assert_eq!(left, ["journal.jsonl", "wanderbooks.db"], "{what}");
    }
}

/// A database whose journal is whole is not touched, and neither is one without a mirror.
#[test]
fn nothing_to_repair() {
    let (mut desk, mirror) = closed();
    let (word, refusal) = desk.unrepaired();
    assert_eq!(
        (word, &refusal["code"]),
        ("refused", &json!("nothing_to_repair"))
    );
    // A mirror that is behind, or of another history, is no reason either.
    for text in [
        "",
        mirror.split_inclusive('\n').next().expect("a line"),
        &mirror.replace("100.00", "900.00"),
    ] {
        fs::write(desk.paths().mirror(), text).expect("written");
        let (word, refusal) = desk.unrepaired();
        assert!(
            ["nothing_to_repair", "mirror_damaged"]
                .contains(&refusal["code"].as_str().expect("a code")),
            "{word} {refusal}"
        );
    }
    fs::remove_file(desk.paths().mirror()).expect("removed");
    let (word, refusal) = desk.unrepaired();
    assert_eq!((word, &refusal["code"]), ("refused", &json!("no_mirror")));
    assert_eq!(kept(&desk), Vec::<String>::new());
}

/// spec/reliability.md 6.7: every byte of a mirror flipped and every byte taken out is detected, and the line is named; nothing is
/// made of it, except where the change makes an unfinished end of it: then the rest is left out and kept, and the books are
/// closed, for their last event was seen.
#[test]
fn every_byte_of_the_mirror() {
    let (mut desk, mirror) = closed();
    fs::remove_file(desk.paths().database()).expect("removed");
    let good = mirror.as_bytes();
    let line_of = |at: usize| 1 + good[..at].iter().filter(|b| **b == b'\n').count() as i64;
    let (mut refused, mut torn) = (0, 0);
    for at in 0..good.len() {
        let mut flipped = good.to_vec();
        flipped[at] ^= 1;
        let mut shorter = good.to_vec();
        shorter.remove(at);
        for bytes in [flipped, shorter] {
            fs::write(desk.paths().mirror(), &bytes).expect("written");
            match desk.on_site("repair", json!({"from_mirror": true})) {
                Err(no) => {
                    let no = no.to_value();
                    assert_eq!(no["code"], "mirror_damaged", "{at}");
                    // A line is held by its own text and by what the next one says of it.
                    let seq = no["seq"].as_i64().expect("a line");
                    assert!(
                        (line_of(at)..=line_of(at) + 1).contains(&seq),
                        "{at}: {seq}"
                    );
                    refused += 1;
                }
                Ok((answer, books)) => {
                    let last = line_of(at) == 10;
                    assert!(last, "{at} was not noticed");
                    let closed = books.alarm().is_some();
                    drop(books);
                    assert!(closed, "{at}: the books are open");
                    assert!(answer["torn"].is_object() || answer["seq"] == 10, "{at}");
                    torn += 1;
                    let names: Vec<_> = fs::read_dir(data(&desk)).expect("a folder").collect();
                    for entry in names.into_iter().flatten() {
                        fs::remove_file(entry.path()).expect("removed");
                    }
                }
            }
            assert!(!desk.paths().database().exists(), "{at}");
        }
    }
    assert!(refused > torn, "{refused} {torn}");
}

/// Every truncation of a mirror: what is whole comes back, an unfinished command and a line without its end are left out, named
/// and kept; and since more was seen, the books can only be read until they are accepted.
#[test]
fn every_truncation_of_the_mirror() {
    let (mut desk, mirror) = closed();
    fs::remove_file(desk.paths().database()).expect("removed");
    let ends: Vec<usize> = mirror.match_indices('\n').map(|(at, _)| at + 1).collect();
    for length in 0..mirror.len() {
        fs::write(desk.paths().mirror(), &mirror[..length]).expect("cut");
        let lines = ends.iter().filter(|end| **end <= length).count();
        // Lines 1 and 2 are one command, and so are 8 to 10.
        let whole = match lines {
            1 => 0,
            8 | 9 => 7,
            lines => lines,
        };
        let repaired = desk.on_site("repair", json!({"from_mirror": true}));
        if whole == 0 {
            let no = repaired.err().expect("a refusal").to_value();
            assert_eq!(no["code"], "mirror_damaged", "{length}");
            continue;
        }
        let (answer, books) = repaired.expect("books");
        assert_eq!(answer["seq"], whole, "{length}");
        let rest = length - ends[whole - 1];
        let dropped: Vec<usize> = (whole + 1..=lines).collect();
        let bytes = length - ends[lines - 1];
        if rest == 0 {
            assert_eq!(answer["torn"], Value::Null, "{length}");
        } else {
            let name = answer["torn"]["kept"].as_str().expect("a name").to_owned();
            let notes = answer["notes"].to_string();
            assert!(
                notes.contains(&format!("left out, and kept as {name}.")),
                "{notes}"
            );
            let events = if dropped.is_empty() {
                Value::Null
            } else {
                json!(dropped)
            };
            let want = json!({"events": events, "bytes": bytes});
            assert_eq!(
                pick(&answer["torn"], &["events", "bytes"]),
                want,
                "{length}"
            );
            let kept = fs::read_to_string(data(&desk).join(name)).expect("what was kept");
            assert_eq!(kept, mirror[ends[whole - 1]..length], "{length}");
        }
        assert_eq!(
            books.alarm().map(|no| no.to_value()["code"].clone()),
            Some(json!("rolled_back")),
            "{length}"
        );
        drop(books);
        for entry in fs::read_dir(data(&desk)).expect("a folder").flatten() {
            fs::remove_file(entry.path()).expect("removed");
        }
    }
}

/// A mirror whose chain was made anew after a change passes for whole, and the remembered head contradicts it: the books are
/// closed, and where they are accepted verification warns of a head that was seen, naming the event that gave it up.
#[test]
fn forged_mirror() {
    let (mut desk, mirror) = closed();
    let seen = wanderbooks::model::hex(&wanderbooks::store::line_hash(
        mirror.lines().nth(9).expect("line 10"),
    ));
    fs::remove_file(desk.paths().database()).expect("removed");
    let (mut prev, mut forged) = ([0; 32], String::new());
    for line in mirror.lines() {
        let (head, _) = line.rsplit_once("\"prev\":").expect("a line");
        let line = format!("{head}\"prev\":\"{}\"}}", wanderbooks::model::hex(&prev));
        let line = line.replace("2026-02-15", "2026-02-16");
        prev = wanderbooks::store::line_hash(&line);
        forged.push_str(&format!("{line}\n"));
    }
    fs::write(desk.paths().mirror(), forged).expect("written");
    let answer = desk.repaired();
    assert_eq!(answer["seq"], 10);
    assert_eq!(desk.alarm().as_deref(), Some("rolled_back"));
    desk.ok(
        "restore",
        json!({"accept": true, "reason": "The head was noted wrongly"}),
    );
    let answer = desk.ok(
        "books.verify",
        json!({"expect_head": [format!("10:{seen}")]}),
    );
    let told = json!([{"seq": 10, "answer": "given_up", "given_up_by": 11}]);
    assert_eq!(answer["expected"], told);
    let warning =
        "the head of event 10 is not on this journal, and event 11 says that it was given up";
    assert_eq!(answer["warnings"], json!([warning]));
}
