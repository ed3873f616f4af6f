//! Books that were rolled back, until a person accepts them: what stands in the journal, and what is kept of the newer state.

use super::*;

const REASON: &str = "The disk failed; this is the last backup";

/// Books in whose database's place an older one was put, and whose newer mirror is damaged after the older one's end: the mirror.
fn rolled_back() -> (Desk, String) {
    let (mut desk, mirror) = older_database();
    desk.close();
    let lines = mirror
        .split_inclusive('\n')
        .map(|line| match line.contains("\"seq\":8,") {
            true => line.replace("1.00", "7.00"),
            false => line.to_owned(),
        });
    let mirror: String = lines.collect();
    fs::write(desk.paths().mirror(), &mirror).expect("a mirror");
    desk.reopen();
    (desk, mirror)
}

/// Books in whose database's place an older one was put: the newer mirror.
fn older_database() -> (Desk, String) {
    let mut desk = small();
    desk.close();
    let old = fs::read(desk.paths().database()).expect("a database");
    desk.reopen();
    desk.post("2026-03-20", &["1000:dr:1.00", "3000:cr:1.00"]);
    desk.post("2026-03-21", &["1000:dr:2.00", "3000:cr:2.00"]);
    desk.close();
    fs::write(desk.paths().database(), old).expect("put back");
    let mirror = fs::read_to_string(desk.paths().mirror()).expect("a mirror");
    desk.reopen();
    (desk, mirror)
}

fn accept(desk: &mut Desk) -> Value {
    desk.ok("restore", json!({"accept": true, "reason": REASON}))
}

/// spec/reliability.md 8.1: acceptance is journaled with the head that was seen and the reason, the newer mirror is kept aside
/// as it was, and work goes on; a second acceptance is refused, and nothing is remembered of the state that was given up.
#[test]
fn accepted() {
    let (mut desk, mirror) = rolled_back();
    assert_eq!(desk.alarm().as_deref(), Some("rolled_back"));
    let newer = wanderbooks::store::line_hash(mirror.lines().nth(8).expect("line 9"));
    let answer = accept(&mut desk);
    let name = "journal.mismatch.20261130T085140Z.jsonl";
    let want = json!({
        "status": "accepted", "seq": 8, "head": head_at(&desk, 8), "kept_mirror": name,
        "notes": [
            "The state that was seen, up to event 9, is given up; that stands in the journal as event 8.",
            "The mirror of that state is kept beside the books.",
        ],
    });
    assert_eq!(answer, want);
    let read = |name: &str| fs::read_to_string(data(&desk).join(name)).expect(name);
    assert_eq!(read(name), mirror);
    let line: Value =
        serde_json::from_str(read("journal.jsonl").lines().last().expect("lines")).expect("a line");
    let event = json!({
        "remembered_seq": 9, "remembered_head": wanderbooks::model::hex(&newer), "reason": REASON,
    });
    assert_eq!(
        pick(&line, &["type", "v", "data"]),
        json!({"type": "books.restored", "v": 1, "data": event})
    );
    assert_eq!(line["by"], json!({"face": "test"}));
    assert_eq!(desk.alarm(), None);
    desk.post("2026-03-20", &["1000:dr:5.00", "3000:cr:5.00"]);
    desk.reopen();
    assert_eq!((desk.alarm(), mended(&mut desk)), (None, sound()));
    let (word, refusal) = desk.no("restore", json!({"accept": true, "reason": REASON}));
    assert_eq!((word, &refusal["code"]), ("refused", &json!("no_rollback")));
}

/// A reason is asked for, and what cannot be seen is refused in it; the books stay closed and nothing is written.
#[test]
fn reasons() {
    let (mut desk, mirror) = rolled_back();
    let cases = [
        (json!({"accept": true}), "usage", "invalid_arguments"),
        (
            json!({"accept": true, "reason": "  "}),
            "refused",
            "bad_text",
        ),
        (
            json!({"accept": true, "reason": "a\u{202e}b"}),
            "refused",
            "bad_text",
        ),
        (
            json!({"accept": true, "reason": "x".repeat(501)}),
            "refused",
            "bad_text",
        ),
        (
            json!({"accept": true, "reason": "x", "into": "y"}),
            "usage",
            "invalid_arguments",
        ),
    ];
    for (args, word, code) in cases {
        let (found, refusal) = desk.no("restore", args.clone());
        assert_eq!((found, &refusal["code"]), (word, &json!(code)), "{args}");
        assert_eq!(desk.alarm().as_deref(), Some("rolled_back"));
        assert_eq!(
            fs::read_to_string(desk.paths().mirror()).expect("a mirror"),
            mirror
        );
        assert_eq!(kept(&desk), Vec::<String>::new());
    }
}

/// Acceptance is refused where there is nothing to accept: sound books, and books whose journal breaks.
#[test]
fn nothing_to_accept() {
    let mut desk = small();
    let (word, refusal) = desk.no("restore", json!({"accept": true, "reason": REASON}));
    assert_eq!((word, &refusal["code"]), ("refused", &json!("no_rollback")));
    let (mut desk, _) = rolled_back();
    desk.tamper(&format!(
        "{LET_EVENTS_CHANGE} UPDATE event SET body=body||' ' WHERE seq=3;"
    ));
    let (word, refusal) = desk.no("restore", json!({"accept": true, "reason": REASON}));
    assert_eq!(word, "damaged", "{refusal}");
    assert!(desk.alarm().is_some());
}

/// Whoever knows of the newer state, the mirror or the memory alone, it is what the journal then names; tables that were changed
/// as well are mended first, and the file as it was found is kept.
#[test]
fn witnesses() {
    for witness in ["mirror", "memory"] {
        let (mut desk, mirror) = rolled_back();
        desk.close();
        match witness {
            "mirror" => fs::remove_dir_all(desk.folder.path().join("state")).expect("forgotten"),
            _ => {
                let six: String = mirror.split_inclusive('\n').take(7).collect();
                fs::write(desk.paths().mirror(), six).expect("cut");
            }
        }
        desk.tamper("UPDATE line SET amount=amount+1 WHERE entry_id=2");
        let answer = accept(&mut desk);
        assert!(answer["kept"].is_string(), "{witness}");
        assert_eq!(answer["kept_mirror"].is_string(), witness == "mirror");
        let text = fs::read_to_string(desk.paths().mirror()).expect("a mirror");
        assert!(text.contains("\"remembered_seq\":9"), "{witness}");
        desk.reopen();
        assert_eq!(
            (desk.alarm(), mended(&mut desk)),
            (None, sound()),
            "{witness}"
        );
        assert_eq!(trial_total(&mut desk), "300.00");
    }
}

/// Other books put into a folder are accepted with their name in the journal.
#[test]
fn other_books() {
    let mut desk = small();
    let id =
        desk.ok("backup", json!({"target": desk.folder.path().join("copy")}))["books_id"].clone();
    let other = small();
    let source = other.paths().root;
    desk.close();
    fs::remove_dir_all(desk.paths().root).expect("removed");
    assert!(
        std::process::Command::new("cp")
            .arg("-a")
            .arg(source)
            .arg(desk.paths().root)
            .status()
            .expect("cp")
            .success()
    );
    desk.reopen();
    assert_eq!(desk.alarm().as_deref(), Some("rolled_back"));
    accept(&mut desk);
    let text = fs::read_to_string(desk.paths().mirror()).expect("a mirror");
    let line: Value = serde_json::from_str(text.lines().last().expect("lines")).expect("a line");
    assert_eq!(line["data"]["other_books"], id);
    desk.reopen();
    assert_eq!(desk.alarm(), None);
}

/// How many events of the journal accept another state.
fn acceptances(desk: &Desk) -> usize {
    let text = fs::read_to_string(desk.paths().mirror()).expect("a mirror");
    let kind = "\"type\":\"books.restored\"";
    text.lines().filter(|line| line.contains(kind)).count()
}

/// Two who opened the books while they were closed cannot both accept them: the second is refused within its change, since there
/// is nothing to accept any more, and keeps nothing.
#[test]
fn accepted_once() {
    let (mut desk, _) = rolled_back();
    let other = Books::open(desk.paths(), DOMAINS, desk.world()).expect("books that open");
    let mut other = desk.beside(other);
    assert_eq!(other.alarm().as_deref(), Some("rolled_back"));
    accept(&mut desk);
    let names = kept(&desk);
    let (word, refusal) = other.no("restore", json!({"accept": true, "reason": REASON}));
    assert_eq!((word, &refusal["code"]), ("refused", &json!("no_rollback")));
    assert_eq!((acceptances(&desk), kept(&desk)), (1, names));
    // What the first one settled is settled for the second.
    other.post("2026-03-22", &["1000:dr:1.00", "3000:cr:1.00"]);
}

/// Of two processes that accept at once one does, and the other is refused; whichever looks when.
#[test]
fn accepted_by_one_process() {
    for _ in 0..8 {
        let (mut desk, _) = rolled_back();
        desk.close();
        let state = desk.folder.path().join("state");
        fs::create_dir(desk.folder.path().join("home")).expect("a folder");
        fs::rename(&state, desk.folder.path().join("home/wanderbooks")).expect("moved");
        let start = || {
            std::process::Command::new(env!("CARGO_BIN_EXE_wb"))
                .env_clear()
                .env("HOME", desk.folder.path())
                .env("XDG_STATE_HOME", desk.folder.path().join("home"))
                .arg("--books")
                .arg(desk.paths().root)
                .args(["restore", "--accept", "--reason", "Lost", "--json"])
                .stdout(std::process::Stdio::piped())
                .spawn()
                .expect("it starts")
        };
        let running: Vec<_> = (0..4).map(|_| start()).collect();
        let mut codes: Vec<String> = Vec::new();
        for child in running {
            let output = child.wait_with_output().expect("it ends");
            let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let what = said["error"]["code"].as_str().or(said["status"].as_str());
            codes.push(what.expect("a status").to_owned());
        }
        codes.sort();
        assert_eq!(
            codes,
            ["accepted", "no_rollback", "no_rollback", "no_rollback"]
        );
        assert_eq!(acceptances(&desk), 1);
    }
}

/// Where the mirror goes on from the database, repairing from it is named first and acceptance is refused, since nothing is lost;
/// repaired, the books have every event. A mirror that is moved away is believed by nobody, and the older state can be accepted.
#[test]
fn a_mirror_that_goes_on() {
    let (mut desk, mirror) = older_database();
    let args = json!({"accept": true, "reason": REASON});
    let (word, refusal) = desk.no("restore", args.clone());
    assert_eq!(
        (word, &refusal["code"]),
        ("refused", &json!("mirror_goes_on"))
    );
    let (_, refusal) = desk.no("books.verify", json!({}));
    let hint = refusal["remedy_hint"].as_str().expect("a hint");
    let (repair, accept) = (hint.find("wb repair --from-mirror"), hint.find("--accept"));
    assert!(repair.is_some() && repair < accept, "{hint}");
    assert_eq!(kept(&desk), Vec::<String>::new());
    desk.repaired();
    assert_eq!((desk.alarm(), mended(&mut desk)), (None, sound()));
    assert_eq!(trial_total(&mut desk), "303.00");
    assert_eq!(
        fs::read_to_string(desk.paths().mirror()).expect("a mirror"),
        mirror
    );
    let (mut desk, _) = older_database();
    desk.close();
    fs::rename(desk.paths().mirror(), desk.folder.path().join("away")).expect("moved away");
    desk.reopen();
    desk.ok("restore", args);
    assert_eq!((desk.alarm(), mended(&mut desk)), (None, sound()));
}

/// On a machine that saw nothing of these books a head on paper tells of a newer state: it is refused as the journal's end is
/// before it, can be given up once, with the head as it stood there, and is then answered with the event that gave it up; a head
/// between is told that it may be of what was given up.
#[test]
fn a_head_on_paper() {
    let mut desk = small();
    let backup = desk.folder.path().join("copy");
    desk.ok("backup", json!({"target": backup}));
    for day in ["2026-03-20", "2026-03-21"] {
        desk.post(day, &["1000:dr:1.00", "3000:cr:1.00"]);
    }
    let footer = |seq: i64| format!("{seq}:{}", &head_at(&desk, seq)[..20]);
    let (between, paper, old) = (footer(8), footer(9), footer(6));
    let into = desk.folder.path().join("back");
    let (_, books) = desk
        .on_site("restore", json!({"backup": backup, "into": into}))
        .expect("books");
    drop(books);
    let mut desk = desk.elsewhere(into);
    let verify = json!({"expect_head": [paper]});
    let (word, refusal) = desk.no("books.verify", verify.clone());
    assert_eq!(
        (word, &refusal["code"]),
        ("damaged", &json!("history_shorter"))
    );
    let accept = json!({"accept": true, "reason": REASON, "expect_head": [paper, old]});
    let answer = desk.ok("restore", accept.clone());
    let note = "The state that ended at event 9, which these books do not have, is given up; that stands in the journal as event 8.";
    assert_eq!(
        pick(&answer, &["status", "seq", "given_up", "notes"]),
        json!({"status": "accepted", "seq": 8, "given_up": [paper], "notes": [note]})
    );
    let (word, refusal) = desk.no("restore", accept);
    assert_eq!((word, &refusal["code"]), ("refused", &json!("no_rollback")));
    for more in 0..2 {
        let answer = desk.ok("books.verify", verify.clone());
        let want = json!([{"seq": 9, "answer": "given_up", "given_up_by": 8}]);
        assert_eq!(answer["expected"], want, "{more}");
        let note =
            "the head of event 9 is not on this journal, and event 8 says that it was given up";
        assert_eq!(answer["warnings"], json!([note]), "{more}");
        desk.post("2026-03-22", &["1000:dr:1.00", "3000:cr:1.00"]);
    }
    let (_, refusal) = desk.no("books.verify", json!({"expect_head": [between]}));
    assert_eq!(refusal["code"], "history_diverged");
    let message = refusal["message"].as_str().expect("a message");
    assert!(
        message.contains("event 8 gave up what came before it up to event 9"),
        "{message}"
    );
}
