//! Processes killed in the middle of their work: nothing acknowledged is lost, nothing is half done, nothing stays behind.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use rustix::process::Signal;
use serde_json::{Map, Value, json};

use super::{
    acks::{Ask, Noted},
    bundle,
    chance::Chance,
    ground::{self, Ground, Ran},
    say,
    writer::{self, Order, Started},
};

const ROUNDS: u32 = 200;
/// A command after a kill takes less than a second on an idle machine; a lock left behind would cost ten.
const NEXT_COMMAND: Duration = Duration::from_secs(3);

/// After each of 200 kills of two or three writers, every acknowledged event is in the journal, every command is there
/// wholly or not at all, an unanswered request repeated under its key is done once, and the next command does not wait.
#[test]
fn two_hundred_kills() {
    let ground = Ground::new();
    let mut chance = Chance::new("kills");
    let mut sum = Sum::default();
    let mut journal = Journal::default();
    for round in 0..ROUNDS {
        let noted = one_kill(&ground, round, &mut chance);
        check(&ground, round, &noted, &mut sum);
        journal.read(&ground);
    }
    say(&format!(
        "{ROUNDS} kills: {sum:?}, journal of {} events",
        journal.lines
    ));
    assert!(sum.acknowledged > 200, "too little was written: {sum:?}");
    assert!(sum.unanswered > 20, "the kills hit nothing: {sum:?}");
    assert!(sum.kept_unheard > 0, "no kill came after a commit: {sum:?}");
    assert!(journal.bundles > 5, "too few commands of several events");
}

/// What came of all rounds.
#[derive(Default, Debug)]
struct Sum {
    acknowledged: usize,
    unanswered: usize,
    kept_unheard: usize,
}

fn one_kill(ground: &Ground, round: u32, chance: &mut Chance) -> Vec<Noted> {
    let mut writers: Vec<Started> = (0..chance.between(2, 3))
        .map(|k| {
            let order = Order {
                who: format!("r{round}w{k}"),
                seed: chance.next(),
                turns: None,
                posts_only: false,
                through_wb: k == 1,
            };
            writer::start(ground, &order, None)
        })
        .collect();
    // One kill in four comes whatever the writers are at, opening and recovering among it.
    if !round.is_multiple_of(4) {
        writers.iter().for_each(Started::wait_ready);
    }
    std::thread::sleep(Duration::from_millis(chance.between(5, 60)));
    for writer in &writers {
        writer.signal(Signal::KILL);
    }
    writers.iter_mut().map(Started::noted).collect()
}

fn check(ground: &Ground, round: u32, noted: &[Noted], sum: &mut Sum) {
    assert_eq!(ground.faults(), Vec::<String>::new(), "after round {round}");
    for notes in noted {
        assert_eq!(notes.refused.first_key_value(), None, "round {round}");
        assert_eq!(ground.lost(&notes.heads()), [], "lost in round {round}");
        sum.acknowledged += notes.answered.len();
    }
    // The first command after the kill is a change, made by the program itself.
    let code = format!("next.{round}");
    let args = json!({"code": code, "name": "Next", "type": "asset"});
    let next = ground.call("books.add_account", &args);
    next.good();
    assert!(next.took < NEXT_COMMAND, "round {round}: {next:?}");
    for ask in noted.iter().filter_map(Noted::unanswered) {
        sum.unanswered += 1;
        if ask.key().is_some() && repeat(ground, ask) {
            sum.kept_unheard += 1;
        }
    }
    assert_eq!(ground.mirror_differs(), None, "round {round}");
    assert_eq!(ground.strays(), Vec::<String>::new(), "round {round}");
}

/// Repeats an unanswered request under its key, twice. Gives whether it had been done before.
fn repeat(ground: &Ground, ask: &Ask) -> bool {
    let again = || -> Map<String, Value> {
        if ask.tool == bundle::TOOL {
            let mut books = ground.open().expect("the books open");
            return ground::ask(&mut books, ask).expect("done").value;
        }
        let ran: Ran = ground.call(&ask.tool, &Value::Object(ask.args.clone()));
        ran.good()
    };
    let (mut first, mut second) = (again(), again());
    let done_before = first.remove("replayed").is_some();
    assert_eq!(second.remove("replayed"), Some(true.into()));
    assert_eq!(first, second, "one request, one answer");
    done_before
}

/// The journal as far as it was read.
#[derive(Default)]
struct Journal {
    lines: usize,
    bundles: usize,
    keys: BTreeSet<String>,
}

impl Journal {
    /// Reads what was added: no key twice, no command in part.
    fn read(&mut self, ground: &Ground) {
        let mut commands: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
        for line in ground.journal(self.lines) {
            self.lines += 1;
            assert_eq!(line["seq"], self.lines, "the sequence has no gap");
            if let Some(key) = line["key"].as_str() {
                assert!(self.keys.insert(key.to_owned()), "done twice: {key}");
            }
            let txn = line["txn"].as_i64().expect("a command's number");
            commands.entry(txn).or_default().push(line);
        }
        for (txn, events) in commands {
            assert_eq!(
                events[0]["seq"], txn,
                "a command begins with its first event"
            );
            let of_bundle = events.iter().any(|e| e.to_string().contains("Bundle "));
            let wanted = match (txn, of_bundle) {
                // The making of the books and the settings they are made with.
                (1, _) => 2,
                (_, true) => bundle::EVENTS,
                (_, false) => 1,
            };
            assert_eq!(events.len(), wanted, "command {txn} is there in part");
            self.bundles += usize::from(of_bundle);
        }
    }
}

/// A kill while books are made leaves either books or a place where `wb init` makes them.
#[test]
fn kills_while_books_are_made() {
    let mut chance = Chance::new("kills of init");
    let mut made = 0;
    for round in 0..40 {
        let ground = Ground::bare();
        let mut child = ground.init().stdout(std::process::Stdio::null()).spawn();
        let child = child.as_mut().expect("wb starts");
        std::thread::sleep(Duration::from_micros(chance.between(1_000, 45_000)));
        child.kill().expect("a child of ours");
        child.wait().expect("a child of ours");
        let first = ground::run(&mut ground.wb(&["entry", "search", "--json"]));
        if first.code == 0 {
            made += 1;
        } else {
            assert_eq!(
                (first.code, first.refusal().as_str()),
                (1, "no_books"),
                "{round}: {first:?}"
            );
            ground::run(&mut ground.init()).good();
        }
        ground.draft("after").json();
        assert_eq!(ground.faults(), Vec::<String>::new(), "round {round}");
        let settings = std::fs::read_to_string(ground.books.join("wanderbooks.toml"));
        assert!(
            settings.expect("settings").contains("Grace"),
            "round {round}"
        );
    }
    say(&format!("40 kills of init: {made} had made their books"));
}

/// A kill between storing a file and committing what speaks of it, or anywhere else in an attachment, leaves books that verify:
/// every receipt that they know is whole, and the same file attached again is a receipt.
#[test]
fn kills_while_receipts_are_attached() {
    let ground = Ground::new();
    let mut chance = Chance::new("kills of attachments");
    let (mut killed, mut known) = (0, 0);
    // How long an attachment takes here, by the last that was let be.
    let mut whole_micros = 10_000;
    for round in 0..40 {
        let mut text = format!("receipt {round}\n").into_bytes();
        // Long enough to be hit while it is written.
        text.resize(1 << 20, b'.');
        let path = ground.books.with_file_name(format!("receipt{round}.txt"));
        std::fs::write(&path, &text).expect("a file");
        let path = path.to_string_lossy().into_owned();
        let attach = || {
            let mut command = ground.wb(&["receipt", "attach", &path]);
            command.stdout(std::process::Stdio::null());
            command.stderr(std::process::Stdio::null());
            command
        };
        let mut child = attach().spawn().expect("the program starts");
        std::thread::sleep(Duration::from_micros(chance.between(1, whole_micros)));
        child.kill().expect("a child of ours");
        killed += u32::from(!child.wait().expect("an end").success());
        assert_eq!(ground.faults(), Vec::<String>::new(), "round {round}");
        known = receipts(&ground);
        if round % 4 == 0 {
            let start = Instant::now();
            let ended = attach().status().expect("an end");
            whole_micros = u64::try_from(start.elapsed().as_micros()).expect("a short time");
            assert!(ended.success(), "round {round}");
            assert_eq!(receipts(&ground), known + 1, "round {round}");
        }
    }
    say(&format!(
        "40 kills of attachments: {killed} hit, {known} receipts"
    ));
    assert!(killed > 5, "the kills hit nothing");
}

/// How many receipts the books know. Each of them can be got back.
fn receipts(ground: &Ground) -> usize {
    let listed = ground
        .call("books.list_receipts", &json!({"limit": 100}))
        .good();
    let listed = listed["receipts"].as_array().expect("a list").clone();
    let last = listed
        .last()
        .map(|receipt| receipt["attachment_id"].clone());
    if let Some(id) = last {
        ground
            .call("books.get_receipt", &json!({"attachment_id": id}))
            .good();
    }
    listed.len()
}
